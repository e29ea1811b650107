"""Analyses of Russakovsky et al. (2015): boxes, labelling, class properties, printed tables."""
