"""Splits: built by a query, stored as class sets with their provenance, checked, explained and
compared."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
