"""Building a benchmark: recipes, class selection, sample selection, folders that others can
re-check, error attribution."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
