"""Leaks of a split that the hierarchy alone shows: distances, structural ratios, overlaps,
leakage."""

#: How distances between classes are measured.
RATIO_DISTANCES = ("path", "lca", "jcn", "lin")
#: How they are measured between all classes of a list; the further ones have no ratios.
CLASS_DISTANCES = ("path", "ancestor-path", "lca", "lca-depth", "jcn", "lin")
#: What information content is counted in.
DATABASE_COUNTS = ("senses", "populations", "frequencies")
#: Those that need no database, and counting every synset once.
OFFLINE_COUNTS = ("senses", "populations", "uniform")
#: What windows of classes are ordered by.
WINDOW_ORDERS = ("ratio", "train-distance", "population", "frequency")
