"""Analyses of classes and splits. What reads the database is called ``from_database.py``."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
