"""ImageNet's own release hierarchy: structure_released.xml, or a child,parent table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.xml_files import elements
from graphzsl.common.wording import counted
from graphzsl.sources.tables import WNID, Column, Pairs, read_pairs

#: Nodes of the release that are not synsets: its root, and the catch-all that makes unrelated
#: classes neighbours.
HUBS = ("fall11", "fa11misc")


#: The columns of a table of edges.
CHILD = Column("child", ("hyponym", "sub", "subclass", "lower"))
PARENT = Column("parent", ("hypernym", "super", "superclass", "upper"))
#: Says whether a synset is an ancestor of another.
IsAbove = Callable[[str, str], bool]


def read_hierarchy(path: Path, is_above: IsAbove | None = None) -> list[tuple[int, str, str]]:
    """(line, child, parent) of every distinct edge, in order.

    Which column is the parent a header says (``parent,child``), else WordNet, whose ``is_above``
    knows it in nearly every line; without both the child comes first. An edge that WordNet has the
    other way, among others that it has as they are, is an error, and so are all of them below a
    header; a turned table is logged.

    The XML repeats a shared sub-tree once per parent; an edge that is met again is the same edge.
    DataError names file and line of a name that is neither a wnid nor one of the release's hubs,
    of a child that is its own parent, and of the last edge of a cycle.
    """
    if Path(path).suffix.lower() == ".xml":
        rows = _xml(path)
    else:
        found = read_pairs(path, CHILD, PARENT)
        rows = found.rows if is_above is None else _directed(path, found, is_above)
    edges: dict[tuple[str, str], int] = {}
    for line, child, parent in rows:
        for name in (child, parent):
            if not WNID.match(name) and name not in HUBS:
                raise DataError(
                    f"{path}:{line}: {name!r} is neither a wnid nor a hub ({', '.join(HUBS)})."
                )
        if child == parent:
            raise DataError(f"{path}:{line}: {closes([child, child])}")
        edges.setdefault((child, parent), line)
    if not edges:
        raise DataError(f"{path} holds no edges.")
    _refuse_cycle(edges, path)
    return [(line, child, parent) for (child, parent), line in edges.items()]


def _directed(path: Path, found: Pairs, is_above: IsAbove) -> list[tuple[int, str, str]]:
    """The rows with the child first, by what WordNet has of them."""
    right = [row for row in found.rows if is_above(row[2], row[1])]
    wrong = [row for row in found.rows if is_above(row[1], row[2])]
    if not wrong:
        return found.rows
    line, child, parent = wrong[0]
    if right or found.named:
        raise DataError(
            f"{path}:{line}: WordNet has {child} above {parent}, and the line says the contrary"
            f" ({counted(len(wrong), 'line')} of {len(found.rows):,}). Expected child,parent, or a"
            " header that says which is which."
        )
    log(f"{path}: the parent stands first, as WordNet has it in {counted(len(wrong), 'line')}.")
    return [(number, other, one) for number, one, other in found.rows]


def _refuse_cycle(edges: dict[tuple[str, str], int], path: Path) -> None:
    if way := cycle_of(edges):
        line = max(edges[child, parent] for parent, child in pairwise(way))
        raise DataError(f"{path}:{line}: {closes(way)}")


def cycle_of(edges: Iterable[tuple[str, str]]) -> list[str] | None:
    """A way down (child, parent) edges that ends where it begins, such as [a, b, a]; None where
    there is none."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for child, parent in edges:
        sorter.add(child, parent)
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return None


def closes(way: list[str]) -> str:
    """Message for an edge that closes a cycle."""
    if len(way) == 2:
        return f"{way[0]} is its own parent. Take this edge out."
    shown = " > ".join([*way[:5], "…"] if len(way) > 6 else way)
    return (
        f"the edge closes a cycle ({shown}), and nothing is its own ancestor. Take one of these"
        " edges out."
    )


def _xml(path: Path) -> list[tuple[int, str, str]]:
    rows = []
    for line, attributes, parent in elements(path, "synset"):
        if "wnid" not in attributes:
            raise DataError(f"{path}:{line}: <synset> without wnid.")
        if parent is not None:
            rows.append((line, attributes["wnid"], parent))
    return rows
