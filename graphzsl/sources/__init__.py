"""Readers of the files that feed the graph: parse, validate, yield rows. Nothing here knows the
database."""
