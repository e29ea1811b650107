"""Names as a reader speaks them."""

from __future__ import annotations

import re

#: Letters of a name in a picture.
LONGEST = 60
_SYNSET = re.compile(r"(.+)\.n\.\d+")


def spoken(name: str) -> str:
    """``great white shark`` for ``great_white_shark.n.01``; what is no name of a synset stays."""
    found = _SYNSET.fullmatch(name)
    return found[1].replace("_", " ") if found else name


def legend_text(name: str) -> str:
    """A name as matplotlib shows it: what stands between two dollars is no formula, and a long one
    ends in dots."""
    shortened = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return shortened.replace("$", r"\$")
