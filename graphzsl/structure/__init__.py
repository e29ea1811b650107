"""How much of a split the hierarchy alone gives away: distances, structural ratios, overlaps, leakage."""
