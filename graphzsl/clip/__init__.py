"""Zero-shot classification with CLIP models of open_clip: names → prompts → class head → images or
features → predictions → their evaluation. docs/clip.md shows all of it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
