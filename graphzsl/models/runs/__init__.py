"""Runs of models: predictions in blocks, grids, windows."""
