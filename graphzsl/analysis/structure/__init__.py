"""How much of a split the hierarchy alone gives away: distances, structural ratios, overlaps,
leakage."""

#: How distances between classes are measured.
DISTANCES = ("path", "lca", "jcn", "lin")
#: What information content is counted in.
COUNTS = ("senses", "populations", "frequencies")
#: What windows of classes are ordered by.
ORDERS = ("ratio", "train-distance", "population", "frequency")
