"""All distances between the classes of a list: as an array, or as a file that is written block by
block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl.common.errors import DataError
from graphzsl.common.files import (
    atomic_write,
    check_result,
    checked_suffix,
    manifest_path,
    write_manifest,
)
from graphzsl.common.progress import progress_bar
from graphzsl.common.wording import called
from graphzsl.hierarchy.class_lists import check_distinct
from graphzsl.hierarchy.distances import (
    INFORMED_DISTANCES,
    AncestorPath,
    Matrix,
    ThroughAncestors,
    distance_of,
    information_content,
    lca_depth,
)
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import hop_distances

#: What a file of distances says of them.
DEFINITIONS = {
    "path": "edges of a shortest path, direction ignored, through any node",
    "ancestor-path": "edges up to a common ancestor and down, as few as can be",
    "lca": "smallest height of a common ancestor, in the hierarchy of the classes and their"
    " ancestors; the height of a node is its longest way down to a leaf; 0 for equal classes",
    "lca-depth": "longest way from a root to any leaf, less the longest way to the lowest common"
    " ancestor, in the hierarchy of the classes and their ancestors; 0 for equal classes",
    "lin": "1 - 2 IC(x) / (IC(a) + IC(b)), x the common ancestor with the most information",
    "jcn": "IC(a) + IC(b) - 2 IC(x), x the common ancestor with the most information",
}
#: What is measured in the hierarchy trimmed to the classes.
_TRIMMED = ("lca", "lca-depth")
#: Distances of pairs alone: no ratio is made of them.
_OWN: dict[str, Callable[[Hierarchy], AncestorPath | ThroughAncestors]] = {
    "ancestor-path": AncestorPath,
    "lca-depth": lca_depth,
}
#: Kind of the manifest beside a file.
KIND = "distances"
#: Rows that are computed at once; with 21,841 classes they take about 0.2 GB.
BLOCK = 256
#: Suffixes of a file.
SUFFIXES = (".npy", ".parquet")


@dataclass(frozen=True, eq=False)
class ClassDistances:
    """The distances of C classes to each other, in the order of the classes.

    Args:
        classes: the wnids.
        dtype: of a distance: uint8 for whole numbers (uint16 where one is larger), float32 for
            others.
        of: gives the distances [N, C] of some of the positions.
        hierarchy: where they are measured.
    """

    classes: list[str]
    dtype: np.dtype[Any]
    of: Matrix
    positions: npt.NDArray[np.int64]
    hierarchy: Hierarchy

    def blocks(self, size: int = BLOCK) -> Iterator[npt.NDArray[Any]]:
        """Rows of the square [C, C], ``size`` at a time; DataError names two classes that have no
        distance."""
        for start in range(0, len(self.classes), size):
            found = self.of(self.positions[start : start + size])
            if not np.isfinite(found).all():
                row, column = np.argwhere(~np.isfinite(found))[0]
                names = self.hierarchy.names
                one, other = (
                    called(self.classes[each], names) for each in (start + row, int(column))
                )
                raise DataError(
                    f"{one} and {other} have no distance: nothing in the hierarchy joins them."
                    " Leave one of them out, or use a hierarchy that joins them."
                )
            yield found.astype(self.dtype)


def measured(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    kind: str = "path",
    counts: Mapping[str, int] | None = None,
) -> ClassDistances:
    """Prepared distances of classes: ``class_distances`` before it computes any."""
    check_distinct(hierarchy, classes)
    part = hierarchy.trimmed(classes) if kind in _TRIMMED else hierarchy
    content = information_content(hierarchy, counts or {}) if kind in INFORMED_DISTANCES else None
    positions = part.positions(classes)
    own = _OWN.get(kind)
    of = (own(part) if own else distance_of(kind, part, content)).to(positions)
    if kind in INFORMED_DISTANCES:
        dtype: npt.DTypeLike = np.float32
    else:
        dtype = np.min_scalar_type(_largest(part, positions, kind))
    return ClassDistances(list(classes), np.dtype(dtype), of, positions, hierarchy)


def _largest(hierarchy: Hierarchy, positions: npt.NDArray[np.int64], kind: str) -> int:
    """Upper bound of the distances: the largest height or depth; twice the longest way up; twice
    the hops from the first class."""
    if kind in _TRIMMED:
        return int(hierarchy.max_depth.max())
    if kind == "ancestor-path":
        return 2 * int(hierarchy.max_depth[positions].max())
    return 2 * int(hop_distances(hierarchy.adjacency, positions[:1])[positions].max())


def class_distances(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    kind: str = "path",
    counts: Mapping[str, int] | None = None,
) -> npt.NDArray[Any]:
    """The distance of every class to every other.

    All are symmetric, and 0 between a class and itself. In a DAG two classes have several common
    ancestors: the one that makes the distance smallest counts, which is the lowest of them for
    ``lca`` and the one with the most information for ``lin`` and ``jcn``.

    Args:
        hierarchy: where they are measured; all of it is searched, whatever the classes.
        classes: C wnids, each once.
        kind: ``path`` (hops through any node), ``ancestor-path`` (hops through a common ancestor,
            as NLTK counts them), ``lca`` (height of the lowest common ancestor in the hierarchy
            trimmed to the classes), ``lca-depth`` (its depth, counted from below),
            ``lin`` or ``jcn`` (Jiang–Conrath).
        counts: wnid -> how often a node was seen, for the information content of ``lin`` and
            ``jcn``; None counts every node once.

    Returns:
        [C, C]: float32 for lin and jcn, uint8 for the others (uint16 where a distance may exceed
        255).

    Raises:
        DataError: no class, a class twice, one that is not a node, two that nothing joins.
        SettingsError: there is no such kind.

    Reference:
        Hascoet et al. 2019 (path); Russakovsky et al. 2015, section 4.1, and Bertinetto et al. 2020
        (lca, lca-depth); Lin 1998; Jiang and Conrath 1997.

    >>> from graphzsl.hierarchy.class_distances import class_distances
    >>> edges = [("dog", "animal"), ("poodle", "dog"), ("beagle", "dog"), ("cat", "animal")]
    >>> class_distances(gz.Hierarchy.from_edges(edges), ["poodle", "beagle", "cat"], "lca").tolist()
    [[0, 1, 2], [1, 0, 2], [2, 2, 0]]
    """
    found = measured(hierarchy, classes, kind, counts)
    return np.concatenate(list(found.blocks()))


def write_distances(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    path: Path,
    kind: str = "path",
    counts: Mapping[str, int] | None = None,
    **metadata: Any,
) -> int:
    """Write ``class_distances`` as the suffix says, block by block, with a manifest beside them.

    ``.npy``: the square [C, C], whose order is the manifest's ``classes``. ``.parquet``: rows
    ``one``, ``one_name``, ``other``, ``other_name``, ``distance``, each pair of two classes once,
    ``one`` the class that comes first in the list. ``metadata`` goes into the manifest.

    Returns the number of pairs. DataError as ``class_distances``, and for another suffix or a
    manifest that is something else.
    """
    suffix = checked_suffix(path, SUFFIXES)
    check_result(manifest_path(path), KIND)
    found = measured(hierarchy, classes, kind, counts)
    write = partial(_write_square if suffix == ".npy" else _write_pairs, found)
    with atomic_write(path) as part:
        write(part)
    size = len(found.classes)
    facts = {
        "distance": kind,
        "definition": DEFINITIONS[kind],
        "dtype": found.dtype.name,
        "classes": found.classes,
        "names": [hierarchy.names.get(wnid) for wnid in found.classes],
        "hierarchy": dict(hierarchy.provenance),
    }
    write_manifest(path, KIND, **facts, **metadata)
    return size * (size - 1) // 2


def _rows(found: ClassDistances) -> Iterator[npt.NDArray[Any]]:
    blocks = -(-len(found.classes) // BLOCK)
    return progress_bar(found.blocks(BLOCK), "distances", total=blocks)


def _write_square(found: ClassDistances, path: Path) -> None:
    size = len(found.classes)
    header = {"descr": found.dtype.str, "fortran_order": False, "shape": (size, size)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for block in _rows(found):
            block.tofile(file)


def _write_pairs(found: ClassDistances, path: Path) -> None:
    names = [found.hierarchy.names.get(wnid) for wnid in found.classes]
    wnid, name = (
        pa.array(each, pa.string()).dictionary_encode() for each in (found.classes, names)
    )
    text, kind = wnid.type, pa.from_numpy_dtype(found.dtype)
    columns = ("one", "one_name", "other", "other_name")
    schema = pa.schema([*((column, text) for column in columns), ("distance", kind)])
    start = 0
    with pq.ParquetWriter(path, schema) as writer:
        for block in _rows(found):
            row, other = np.nonzero(
                np.arange(block.shape[1]) > np.arange(start, start + len(block))[:, None]
            )
            one = row + start
            pairs = [each.take(pa.array(at)) for at in (one, other) for each in (wnid, name)]
            pairs.append(pa.array(block[row, other]))
            writer.write_table(pa.Table.from_arrays(pairs, schema=schema))
            start += len(block)
