"""Written forms of a word label: what counts as an occurrence of it.

* Case is ignored (unless it is wanted), and whatever is not a letter or digit separates words:
  ``merry-go-round`` is ``merry go round``.
* Apostrophes are dropped: ``dog's`` is read as ``dogs``, ``Adam's apple`` as ``adams apple``, in
  text and label alike.
* A form that is itself a label counts for that label. Any other form counts for every label that
  WordNet's morphology (its detachment rules and list of exceptions, for nouns) derives from it:
  ``dogs`` for ``dog``, ``sports cars`` for ``sports car``, ``geese`` for ``goose``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import takewhile
from typing import Protocol

#: Bytes that are letters or digits; every byte of a letter outside ASCII is one.
_TABLE = bytes(byte if byte >= 128 or chr(byte).isalnum() else 32 for byte in range(256))
_OTHER_SIGNS = re.compile(r"[^\x00-\x7f\w]+")


class Morphology(Protocol):
    """Interface to WordNet's morphology."""

    def plurals(self, lemma: str) -> list[str]:
        """Forms in lower case that may be inflected from a lemma in lower case."""

    def lemmas(self, form: str) -> list[str]:
        """Lemmas in lower case that a form in lower case is inflected from."""


def normalised(text: str, match_case: bool = False) -> bytes:
    """Words separated by single spaces, by the rules above, as UTF-8."""
    return b" ".join(separated(text, match_case).split())


def separated(text: str, match_case: bool = False) -> bytes:
    """Normalise a text like ``normalised``, but leave any number of spaces around a word."""
    if not match_case:
        text = text.lower()
    if not text.isascii():
        text = _OTHER_SIGNS.sub(" ", text.replace("’", "'"))
    return text.encode().translate(_TABLE, b"'")


def surface_forms(
    labels: Iterable[str], morphology: Morphology, match_case: bool = False
) -> dict[bytes, list[int]]:
    """Normalised form -> positions (in ``labels``) of the labels that it counts for."""
    labels = list(labels)
    forms: dict[bytes, list[int]] = defaultdict(list)
    of_lemma: dict[str, list[int]] = defaultdict(list)
    for position, label in enumerate(labels):
        of_lemma[label.lower()].append(position)
        form = normalised(label, match_case)
        if form:
            forms[form].append(position)
    inflected: dict[bytes, list[int]] = defaultdict(list)
    for lemma, positions in of_lemma.items():
        for plural in morphology.plurals(lemma):
            if lemma not in morphology.lemmas(plural):
                continue
            pairs = zip(lemma, plural, strict=False)
            shared = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
            for position in positions:
                # the case of a label is that of the letters which its plural shares
                kept = labels[position][:shared] if match_case else plural[:shared]
                written = kept + plural[shared:]
                form = normalised(written, match_case)
                if form not in forms and position not in inflected[form]:
                    inflected[form].append(position)
    return {**forms, **{form: positions for form, positions in inflected.items() if positions}}
