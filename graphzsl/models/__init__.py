"""Zero-shot models, one per file, in the folder of their family; how they are registered, trained,
saved and run over a grid."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
