"""Lists of classes that are nodes of a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from graphzsl.common.class_entries import of_classes, of_line, refusal, repeated
from graphzsl.common.errors import DataError
from graphzsl.common.wording import called
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.nodes import HierarchyVocabulary
from graphzsl.hierarchy.resolver import check_nodes, resolve_entries


def check_distinct(hierarchy: Hierarchy, wnids: Sequence[str], what: str = "classes") -> None:
    """DataError where there are none, for those that are there twice, and for those that are not
    nodes."""
    if not wnids:
        raise DataError(f"There are no {what}.")
    entries = of_classes(wnids, what)
    if twice := repeated(entries, wnids, lambda wnid: called(wnid, hierarchy.names)):
        raise refusal(entries, twice)
    check_nodes(entries, wnids, hierarchy)


def wnids_of_lines(first: Mapping[str, int], path: Path, hierarchy: Hierarchy) -> dict[str, str]:
    """Class as a table writes it -> its wnid. ``first`` has the first line of each; DataError names
    the lines of what is no class of the hierarchy."""
    entries = [of_line(name, path, line) for name, line in first.items()]
    vocabulary = HierarchyVocabulary(hierarchy)
    found = resolve_entries(entries, vocabulary, hierarchy.index.__contains__, once=False)
    return dict(zip(first, found, strict=True))
