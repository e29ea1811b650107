"""Names as a reader speaks them."""

from __future__ import annotations

import re

_SYNSET = re.compile(r"(.+)\.n\.\d+")


def spoken(name: str) -> str:
    """``great white shark`` for ``great_white_shark.n.01``; what is no name of a synset stays."""
    found = _SYNSET.fullmatch(name)
    return found[1].replace("_", " ") if found else name
