"""graphzsl: a knowledge service for zero-shot recognition over WordNet and ImageNet, on Neo4j.

The names below are imported when they are first used::

    import graphzsl as gz

    with gz.connect() as db:
        split = gz.hop_split(db, max_hops=2)
        closest = gz.closest_classes(db, split)
    result = gz.evaluate("clip.csv", train="ilsvrc2012", wordnet="wordnet")
    model = gz.train("eszsl", gz.read_xlsa17("xlsa17/data/AWA2"))
"""

from typing import Any

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    try:
        return _load(name)
    except ModuleNotFoundError as error:
        from graphzsl.common.extras import missing

        raise missing(error) from None
