"""Ids of other WordNets as wnids, which are offsets of WordNet 3.0: offsets of WordNet 3.1 and of
Open English WordNet (``oewn-02086723-n``, the same numbers), and ids of the Collaborative
Interlingual Index (``i46360``), by its table."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from graphzsl.sources.published import published

_OEWN = re.compile(r"oewn-([0-9]{8})-n")
_ILI = re.compile(r"(?:ili:)?i([0-9]{4,6})")
_OFFSET = re.compile(r"([0-9]{8})-n")


class OtherId(NamedTuple):
    """An id of another WordNet: the wnids that it may be, and what it is in words."""

    wnids: list[str]
    what: str


def other_id(text: str) -> OtherId | None:
    """The id of another WordNet that a text is; None for any other text. An offset whose version is
    not said is that of every version that has it.

    >>> other_id("oewn-02086723-n").wnids, other_id("i46360").wnids, other_id("n02084071")
    (['n02084071'], ['n02084071'], None)
    """
    if found := _OEWN.fullmatch(text):
        return OtherId(wnids_of_31(int(found[1])), "an id of Open English WordNet")
    if found := _ILI.fullmatch(text):
        wnids = _table("ili").get(int(found[1]), [])
        return OtherId(list(wnids), "an id of the Collaborative Interlingual Index")
    if not (found := _OFFSET.fullmatch(text)):
        return None
    offset = int(found[1])
    own = [f"n{offset:08d}"] if offset in _table("wordnet_30") else []
    wnids = list(dict.fromkeys([*own, *wnids_of_31(offset)]))
    return OtherId(wnids, "an offset of a WordNet whose version is not said")


def wnids_of_31(offset: int) -> list[str]:
    """The wnids of the nouns that have an offset in WordNet 3.1; none where no noun has it."""
    return list(_table("wordnet_31").get(offset, ()))


@cache
def _table(column: str) -> dict[int, list[str]]:
    """Number in a column of the table -> the wnids of its rows."""
    import pyarrow.parquet as parquet

    table = parquet.read_table(published()["wordnet-versions"].path)
    of_number: dict[int, list[str]] = {}
    rows = zip(table[column].to_pylist(), table["wordnet_30"].to_pylist(), strict=True)
    for number, offset in rows:
        if number >= 0:
            of_number.setdefault(number, []).append(f"n{offset:08d}")
    return of_number
