"""Boxes in images as pure functions of arrays: overlap, localization, detection, chance, clutter.

A box is [x1, y1, x2, y2]: the edges of a rectangle, so its width is x2 - x1. Readers add the one
pixel that ImageNet's inclusive corners leave out.
"""
