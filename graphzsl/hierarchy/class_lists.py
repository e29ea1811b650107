"""Lists of classes that are nodes of a hierarchy: wnids or names of synsets, from files, shipped
lists or elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from graphzsl.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.sources.imagenet import read_class_list, read_numbered_names
from graphzsl.sources.published import class_lists, list_path
from graphzsl.wording import called


def classes_of_file(hierarchy: Hierarchy, path: Path) -> list[str]:
    """The wnids of a file with a wnid or the name of a synset (dog.n.01) per line, in its order.

    DataError names file and line of what is not a node of the hierarchy, and of a class that is
    there twice.
    """
    return _nodes(hierarchy, ((f"{path}:{line}", text) for line, text in read_numbered_names(path)))


def classes_of_list(hierarchy: Hierarchy, name: str) -> list[str] | None:
    """The wnids of a shipped list; None where there is none of that name."""
    if name not in class_lists():
        return None
    rows = read_class_list(list_path(name))
    return _nodes(hierarchy, ((f"{name}, line {line}", wnid) for line, wnid in rows))


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


def _nodes(hierarchy: Hierarchy, texts: Iterable[tuple[str, str]]) -> list[str]:
    """The wnid of each text; DataError names the place of the first that has none or repeats."""
    first: dict[str, str] = {}
    for place, text in texts:
        try:
            wnid = hierarchy.wnid(text)
        except DataError as error:
            raise DataError(f"{place}: {error}") from None
        if wnid in first:
            raise DataError(
                f"{place}: {called(wnid, hierarchy.names)} was already given at {first[wnid]}."
            )
        first[wnid] = place
    return list(first)
