"""One row per true class of a run: its accuracy with an interval, what it is taken for, and what is
known about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.special import ndtri

from graphzsl.audit.agreement import orders
from graphzsl.audit.outcomes import outcomes
from graphzsl.common.checked_names import check_class_names
from graphzsl.common.errors import DataError
from graphzsl.common.files import checked_suffix, sha256
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.hierarchy.closest import Closest, closest_classes
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.relations import OUTCOMES
from graphzsl.sources.tables import table_text

if TYPE_CHECKING:
    from graphzsl.audit.measures import Measure
    from graphzsl.audit.predictions import Predictions


_SUFFIXES = (".parquet", ".csv")
#: hit@k of the table.
KS = (1, 5)
#: Columns of texts; all others hold numbers.
TEXTS = ("wnid", "name", "wrong", "wrong_name", "closest", "closest_name")
Floats = npt.NDArray[np.float64]


def wilson_interval(
    right: npt.ArrayLike, samples: npt.ArrayLike, level: float = 0.95
) -> tuple[Floats, Floats]:
    """([C], [C]) Wilson's score interval of each class's accuracy; ``right`` of ``samples`` were
    right.

    A class has few samples, often all right or all wrong: resampling them would give an interval of
    width 0.

    Reference: Wilson 1927; (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).
    """
    n = np.asarray(samples, dtype=np.float64)
    p, z = np.asarray(right, dtype=np.float64) / n, float(-ndtri((1 - level) / 2))
    middle = p + z**2 / (2 * n)
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    scale = 1 + z**2 / n
    # none and all right end at 0 and 1 exactly, and by adding near it
    low = np.where(p == 0, 0.0, (middle - half) / scale)
    high = np.where(p == 1, 1.0, (middle + half) / scale)
    return np.maximum(0.0, low), np.minimum(1.0, high)


def class_rows(
    predictions: Predictions,
    hierarchy: Hierarchy | None = None,
    train: Sequence[str] = (),
    level: float = 0.95,
    measures: Mapping[str, Measure] | None = None,
) -> list[dict[str, Any]]:
    """One row per true class, by name: samples, hit@1 and hit@5 with Wilson intervals, the most
    frequent wrong prediction.

    ``wrong`` counts ties against the model and takes the smaller name of two that are equally
    frequent; it is None for a class that is always right. A hierarchy adds names, shares of the
    outcomes, population, depth (fewest edges to the root) and the number of ancestors; all of
    WordNet and ``train`` add the hops to the closest training class, the smallest wnid of those
    that are as close, and their number (None: unreachable). A k that is longer than lists from
    outside is left out. ``measures`` adds the mean of each other metric
    that orders classes (hp@k, mean rank, heights), ties against the model: `evaluate agreement`
    compares the orders.
    """
    names = [name for name, _ in predictions.rows_by_label]
    number = predictions.class_ids
    counts = np.bincount(number)
    seen, predicted = set(predictions.seen), predictions.predicted(hierarchy)
    rows: list[dict[str, Any]] = [
        {"wnid": name, "samples": int(count), "seen": name in seen}
        for name, count in zip(names, counts, strict=True)
    ]
    for k in KS:
        if not predictions.reaches(k):
            continue
        right = np.bincount(number, predictions.hits(k), len(names))
        low, high = wilson_interval(right, counts, level)
        for row, hit, one, other in zip(rows, right / counts, low, high, strict=True):
            row |= {
                f"hit@{k}": float(hit),
                f"hit@{k}_low": float(one),
                f"hit@{k}_high": float(other),
            }
    for name, each in (measures or {}).items():
        if not orders(name):
            continue
        for row, total, count in zip(
            rows, np.bincount(number, each.worst, len(names)), counts, strict=True
        ):
            row.setdefault(name, None if np.isnan(total) else float(total / count))
    _add_wrong(rows, predictions.labels, predicted)
    if hierarchy is not None:
        _add_outcomes(rows, number, outcomes(predictions.labels, predicted, hierarchy))
        _add_hierarchy_columns(rows, hierarchy, train)
        rows = [{"wnid": row["wnid"], "name": row["name"], **row} for row in rows]
    return rows


def _add_wrong(
    rows: list[dict[str, Any]], labels: Sequence[str], predicted: Sequence[str | None]
) -> None:
    wrong: dict[str, Counter[str]] = {row["wnid"]: Counter() for row in rows}
    for label, candidate in zip(labels, predicted, strict=True):
        if candidate is not None and candidate != label:
            wrong[label][candidate] += 1
    for row in rows:
        ordered = sorted(wrong[row["wnid"]].items(), key=lambda pair: (-pair[1], pair[0]))
        name, count = ordered[0] if ordered else (None, 0)
        row |= {"wrong": name, "wrong_share": count / row["samples"]}


def _add_outcomes(
    rows: list[dict[str, Any]], number: npt.NDArray[Any], kinds: Sequence[str]
) -> None:
    for name in OUTCOMES:
        shares = np.bincount(number, [kind == name for kind in kinds], len(rows))
        for row, share in zip(rows, shares, strict=True):
            row[name] = float(share / row["samples"])


def _add_hierarchy_columns(
    rows: list[dict[str, Any]], hierarchy: Hierarchy, train: Sequence[str]
) -> None:
    depths = hierarchy.min_depth
    known = bool(hierarchy.whole and train)
    wnids = tuple(row["wnid"] for row in rows)
    closest_of = _closest(hierarchy, tuple(train), wnids) if known else {}
    names = hierarchy.names  # of one's own hierarchy some are unknown: a class is called as it is
    for row in rows:
        wnid, wrong = row["wnid"], row["wrong"]
        row["name"] = names.get(wnid, wnid)
        row["wrong_name"] = names.get(wrong, wrong) if wrong else None
        if known:
            closest = closest_of.get(wnid)
            row["hops"] = closest.hops if closest else None
            row["closest"] = near = closest.closest[0] if closest else None
            row["closest_name"] = names.get(near, near) if near else None
            row["closest_ties"] = len(closest.closest) if closest else None
        row["population"] = hierarchy.populations.get(wnid)
        row["depth"] = int(depths[hierarchy.index[wnid]])
        row["ancestors"] = len(hierarchy.ancestors(wnid))


@lru_cache(maxsize=1)  # the models of a split are asked for the same classes, one after another
def _closest(
    hierarchy: Hierarchy, train: tuple[str, ...], classes: tuple[str, ...]
) -> dict[str, Closest]:
    return {each.wnid: each for each in closest_classes(hierarchy, train, classes)}


def write_class_table(
    rows: Sequence[Mapping[str, Any]], path: Path, partial: Path, level: float
) -> dict[str, Any]:
    """Write the table as .parquet or .csv, as ``path`` ends, into a file that takes its place
    later; returns what the run's JSON says about its content. DataError for another ending."""
    if checked_suffix(path, _SUFFIXES) == ".parquet":
        pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), partial)
    else:
        columns = list(rows[0])
        lines = [["" if row[name] is None else row[name] for name in columns] for row in rows]
        partial.write_text(table_text(columns, lines), encoding="utf-8")
    return {
        "sha256": sha256(partial),
        "classes": len(rows),
        "interval": "Wilson",
        "level": level,
    }


def read_class_table(path: Path) -> dict[str, list[Any]]:
    """Column -> values of the table of classes that was written as Parquet; DataError where one of
    them is no class, or a column holds something else than it is there for."""
    again = "Expected a table of classes: evaluate again."
    table = read_parquet(path, expected=again)
    for column in table.schema:
        kind, is_text = column.type, column.name in TEXTS
        texts = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        numbers = pa.types.is_integer(kind) or pa.types.is_floating(kind)
        fits = texts if is_text else numbers or pa.types.is_boolean(kind)
        if not fits and not pa.types.is_null(kind):
            wanted = "texts" if is_text else "numbers"
            raise DataError(f"{path}: {column.name} holds {kind} and not {wanted}. {again}")
    if "wnid" not in table.schema.names:
        raise DataError(f"{path}: no column wnid. {again}")
    columns: dict[str, list[Any]] = table.to_pydict()
    check_class_names(columns["wnid"], f"{path}: wnid")
    return columns
