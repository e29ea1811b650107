"""Names of classes: lists of them, what each means, and names for wnids."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
