"""Levels of granularity: semantic groups between poodle and animal, superclasses, subpopulation
shift."""
