"""Evaluations as one self-contained HTML page that explains: tables, plots, classes, confusions,
comparisons, provenance; pictures of the hierarchy; figures and tables for a paper."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
