"""Metrics as pure functions of arrays. N samples, C candidates, K list length."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
