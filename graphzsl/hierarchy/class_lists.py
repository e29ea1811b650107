"""Lists of classes that are nodes of a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

from graphzsl.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.wording import called


def check_distinct(hierarchy: Hierarchy, wnids: Sequence[str], what: str = "classes") -> None:
    """DataError where there are none, for one that is there twice, and for one that is not a
    node."""
    if not wnids:
        raise DataError(f"There are no {what}.")
    seen: set[str] = set()
    for wnid in wnids:
        if wnid in seen:
            raise DataError(
                f"{called(wnid, hierarchy.names)} is among the {what} twice. Remove one of them."
            )
        seen.add(wnid)
    hierarchy.positions(wnids)
