"""Compatibility of a sample and a class embedding, linear or piecewise linear."""
