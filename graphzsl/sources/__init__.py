"""Readers of the files that feed the graph: parse, validate, yield rows. Nothing here knows the
database."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
