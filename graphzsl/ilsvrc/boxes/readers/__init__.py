"""Readers of boxes, one file per format; each yields rows that are checked."""
