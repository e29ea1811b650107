"""Names of synsets in a picture: their first words, as boxes show them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graphzsl.sources.tables import WNID

if TYPE_CHECKING:
    from graphzsl.hierarchy.graph import Hierarchy
    from graphzsl.hierarchy.lexicon import Lexicon

_SENSE = re.compile(r"\.[a-z]\.\d+$")


def lexicon_of(hierarchy: Hierarchy) -> Lexicon | None:
    """WordNet's words and glosses; None if the nodes are no wnids."""
    if not WNID.match(hierarchy.wnids[-1]):
        return None
    from graphzsl.hierarchy.lexicon import Lexicon

    return Lexicon.load()


def word_of(wnid: str, name: str, lexicon: Lexicon | None) -> str:
    """The first word of a synset; where there are no words its name without number.

    >>> from graphzsl.reports.pictures.words import word_of
    >>> word_of("n02114367", "timber_wolf.n.01", None)
    'timber wolf'
    """
    if lexicon is not None and wnid in lexicon.index:
        return lexicon.words_of(lexicon.index[wnid])[0]
    return _SENSE.sub("", name).replace("_", " ") if _SENSE.search(name) else name
