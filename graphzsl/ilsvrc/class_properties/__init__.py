"""Properties of classes: inherited values, bins, correlations, accuracy by bin."""
