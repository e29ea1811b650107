"""Class embeddings [C, S] from texts: gensim on glosses, word vectors, or a sentence encoder.

Every way returns a ClassMatrix and the classes that it could not embed; nothing gets a silent zero
vector.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
