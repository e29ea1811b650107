"""Files that cross the line between database and models, one class per file: load and save."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
