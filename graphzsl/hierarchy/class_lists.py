"""Lists of classes that are nodes of a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

from graphzsl.common.class_entries import of_classes, refusal, repeated
from graphzsl.common.errors import DataError
from graphzsl.common.wording import called
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import check_nodes


def check_distinct(hierarchy: Hierarchy, wnids: Sequence[str], what: str = "classes") -> None:
    """DataError where there are none, for those that are there twice, and for those that are not
    nodes."""
    if not wnids:
        raise DataError(f"There are no {what}.")
    entries = of_classes(wnids, what)
    if twice := repeated(entries, wnids, lambda wnid: called(wnid, hierarchy.names)):
        raise refusal(entries, twice)
    check_nodes(entries, wnids, hierarchy)
