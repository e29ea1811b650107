"""A classifier for each attribute."""
