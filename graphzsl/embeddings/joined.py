"""Class embeddings side by side: what several files say of a class, as one vector."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest
from graphzsl.common.progress import log
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix, Matrix, unit_rows
from graphzsl.hierarchy.wordnet import wordnet_name

#: What can stand in for a part that a class lacks.
FILLS = ("zero", "mean")
#: The largest weight, and one divided by the smallest: beyond them squares leave float32's range.
_LARGEST = 1e6


def join_embeddings(
    parts: Mapping[str, ClassMatrix],
    weights: Sequence[float] = (),
    fill: str | None = None,
) -> tuple[ClassMatrix, list[str]]:
    """[C, S₁ + S₂ + …] the parts beside each other, and the classes that were dropped.

    Every row of a part is divided by its L2 norm and multiplied by the part's weight, so that the
    product of two classes is the sum of the parts' cosines by the squares of the weights. A row of
    a part that is all zeros counts as lacking.

    Args:
        parts: name -> class embeddings, in their order.
        weights: one number above 0 for each part (default: 1); the largest at most 2,896 times the
            smallest, or float32 would lose that part in every product.
        fill: of a class that some part lacks: ``zero`` leaves that part empty, ``mean`` is the mean
            of the part's normalised rows; None drops the class. Classes that no part has are in
            none.

    Returns:
        The matrix, its classes in the order of the first part, then of the others; and the classes
        that were dropped.

    Raises:
        DataError: fewer than two parts, other weights, an unknown ``fill``, parts of different
            WordNets, or no class that is left.
    """
    _check(parts, weights, fill)
    _check_origins(parts)
    units = {name: _usable(part) for name, part in parts.items()}
    bare = next((name for name, part in units.items() if not part.wnids), None)
    if bare is not None:
        raise DataError(f"{bare} has no row that is not all zeros.")
    every = list(dict.fromkeys(wnid for part in units.values() for wnid in part.wnids))
    lacking = {
        name: [wnid for wnid in every if wnid not in part.index] for name, part in units.items()
    }
    incomplete = {wnid for wnids in lacking.values() for wnid in wnids}
    wnids = every if fill else [wnid for wnid in every if wnid not in incomplete]
    if not wnids:
        raise DataError("No class has a row in all of the files. Are they of the same classes?")
    by_weight = zip(units.values(), weights or [1.0] * len(parts), strict=True)
    blocks = [weight * _rows(part, wnids, fill) for part, weight in by_weight]
    dropped = [] if fill else [wnid for wnid in every if wnid in incomplete]
    metadata = manifest(
        EMBEDDINGS,
        semantics="joined",
        parts=[
            _described(name, part, weight)
            for (name, part), weight in zip(
                parts.items(), weights or [1.0] * len(parts), strict=True
            )
        ],
        dimensions=sum(block.shape[1] for block in blocks),
        rule="rows of each part L2-normalised, times its weight, beside each other",
        fill=fill,
        filled=lacking if fill else {},
        missing=dropped,
    )
    values = np.concatenate(blocks, axis=1).astype(np.float32)
    return ClassMatrix(wnids, values, metadata), dropped


def part_names(files: Sequence[Path]) -> list[str]:
    """Names of the files in a manifest: their file names, or their paths if two have one name.
    DataError for a file that is given twice."""
    paths = [str(path) for path in files]
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice:
        raise DataError(f"{twice} is given twice.", argument="files")
    names = [path.name for path in files]
    return names if len(set(names)) == len(names) else paths


def _check(parts: Mapping[str, ClassMatrix], weights: Sequence[float], fill: str | None) -> None:
    if len(parts) < 2:
        raise DataError("Give at least two files of class embeddings to join.")
    if weights:
        _check_weights(parts, weights)
    if fill not in (None, *FILLS):
        raise DataError(f"There is no filling {fill!r}. Choose one of {', '.join(FILLS)}.")


def _check_weights(parts: Mapping[str, ClassMatrix], weights: Sequence[float]) -> None:
    given = ", ".join(map(str, weights))
    if len(weights) != len(parts) or not all(0 < weight < math.inf for weight in weights):
        raise DataError(
            f"{len(parts)} parts need as many weights above 0, not {given}.", argument="weights"
        )
    if max(weights) > _LARGEST or min(weights) < 1 / _LARGEST:
        raise DataError(
            f"Weights lie between {1 / _LARGEST:g} and {_LARGEST:g}, not {given}: only what they"
            " are to each other counts.",
            argument="weights",
        )
    if (min(weights) / max(weights)) ** 2 < np.finfo(np.float32).eps:
        name = list(parts)[int(np.argmin(weights))]
        raise DataError(
            f"With the weights {given} {name} would count for less than float32 can hold. Leave it"
            " out, or weigh it more.",
            argument="weights",
        )


def _check_origins(parts: Mapping[str, ClassMatrix]) -> None:
    """DataError for parts of different WordNets, in which a wnid is another synset. Parts of
    different graphs are joined, which is logged."""
    wordnets = {
        name: found["wordnet"]
        for name, part in parts.items()
        if "wordnet" in (found := _origin(part.metadata, "sources"))
    }
    if other := _other({name: wordnet_name(found) for name, found in wordnets.items()}):
        raise DataError(
            f"{other[0]} and {other[1]} are of different WordNets (SHA-256 of data.noun"
            f" {wordnets[other[0]][:12]} and {wordnets[other[1]][:12]}): a wnid is another synset"
            " in each. Make both of one."
        )
    graphs = {name: _origin(part.metadata, "graph") for name, part in parts.items()}
    if other := _other({name: graph for name, graph in graphs.items() if graph}):
        log(f"{other[0]} and {other[1]} are of graphs of different nodes or hierarchies.")


def _origin(metadata: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Origin ``key`` in a manifest; for joined embeddings, that of their first part that has
    one."""
    own = metadata.get(key)
    if isinstance(own, dict):
        return own
    found = (_origin(each.get("of") or {}, key) for each in metadata.get("parts") or ())
    return next(filter(None, found), {})


def _other(values: Mapping[str, Any]) -> tuple[str, str] | None:
    """The first name, and the first whose value is another."""
    if not values:
        return None
    first = next(iter(values))
    other = next((name for name, value in values.items() if value != values[first]), None)
    return None if other is None else (first, other)


def _usable(part: ClassMatrix) -> ClassMatrix:
    """The rows that are not all zeros, each of length one."""
    rows = np.flatnonzero(np.abs(part.values).sum(axis=1) > 0)
    wnids = [part.wnids[row] for row in rows]
    return ClassMatrix(wnids, unit_rows(part.values[rows]).astype(np.float32), part.metadata)


def _rows(part: ClassMatrix, wnids: Sequence[str], fill: str | None) -> Matrix:
    """[C, S] a part's rows of the classes, filled where it has none."""
    width = part.values.shape[1]
    stand_in = part.values.mean(axis=0) if fill == "mean" else np.zeros(width, np.float32)
    values = np.tile(stand_in, (len(wnids), 1))
    there = [(row, part.index[wnid]) for row, wnid in enumerate(wnids) if wnid in part.index]
    to, of = (list(each) for each in zip(*there, strict=True))
    values[to] = part.values[of]
    return values


def _described(name: str, part: ClassMatrix, weight: float) -> dict[str, Any]:
    """Entry of a part in the manifest: its own manifest without the lists of missing and filled
    classes."""
    lasting = {
        key: value for key, value in part.metadata.items() if key not in ("missing", "filled")
    }
    return {"file": name, "weight": weight, "dimensions": part.values.shape[1], "of": lasting}
