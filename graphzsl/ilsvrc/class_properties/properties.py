"""Properties of classes: inherited by averaging, correlated with class bootstrap, and the order of
a label browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.ilsvrc.class_properties.roots import MAN_MADE, NATURAL, SIDES

if TYPE_CHECKING:
    from graphzsl.hierarchy.graph import Hierarchy

#: Cells of weights that are computed with at a time.
_CELLS = 1 << 20


def bins(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    natural: Sequence[str] = NATURAL,
    man_made: Sequence[str] = MAN_MADE,
) -> dict[str, str]:
    """class -> ``natural``, ``man-made``, ``both`` or ``other``, by the synsets above it (or the
    class itself)."""
    below = {
        name: hierarchy.subtree(roots)
        for name, roots in (("natural", natural), ("man-made", man_made))
    }
    side_of = {}
    for wnid in classes:
        sides = [name for name, members in below.items() if wnid in members]
        side_of[wnid] = "both" if len(sides) == 2 else sides[0] if sides else "other"
    return side_of


def natural_bins(hierarchy: Hierarchy, classes: Sequence[str]) -> dict[str, list[str]]:
    """Side -> its classes, of the sides of ``bins`` that have any; DataError for a class that is no
    node."""
    hierarchy.positions(classes)
    side_of = bins(hierarchy, classes)
    members = {name: [wnid for wnid in classes if side_of[wnid] == name] for name in SIDES}
    return {name: inside for name, inside in members.items() if inside}


def naturalness(hierarchy: Hierarchy, classes: Sequence[str]) -> dict[str, float]:
    """class -> 1 for ``natural``, 0 for ``man-made``; classes that are neither are absent."""
    sides = bins(hierarchy, classes).items()
    return {wnid: float(s == "natural") for wnid, s in sides if s in ("natural", "man-made")}


def trimmed_sizes(hierarchy: Hierarchy, classes: Sequence[str]) -> dict[str, int]:
    """Sizes of the hierarchy trimmed to the classes: nodes, edges, leaves, nodes with several
    parents, and its height beside that of the whole."""
    part = hierarchy.trimmed(classes)
    return {
        "classes": len(classes),
        "nodes": len(part.wnids),
        "edges": int(part.up.nnz),
        "leaves": sum(not part.heights[part.index[wnid]] for wnid in classes),
        "nodes_with_several_parents": int((np.diff(part.up.indptr) > 1).sum()),
        "height": int(part.heights.max()),
        "height_untrimmed": int(hierarchy.heights.max()),
    }


def inherited(hierarchy: Hierarchy, values: Mapping[str, float]) -> dict[str, tuple[float, int]]:
    """node -> (mean of the values of the annotated classes below it or itself, how many those are),
    for nodes that have any.

    Every class counts once, however many ways lead to it (Russakovsky et al. 2015, section 6.3.4).
    """
    wnids = sorted(values)
    number = np.array([values[wnid] for wnid in wnids], dtype=float)
    if not np.isfinite(number).all():
        raise DataError(
            f"The value of {wnids[int(np.flatnonzero(~np.isfinite(number))[0])]} is not a finite"
            " number."
        )
    lines = hierarchy.ancestor_or_self_matrix[hierarchy.positions(wnids)]
    total, count = lines.T @ number, np.asarray(lines.sum(axis=0)).ravel()
    return {
        hierarchy.wnids[p]: (float(total[p] / count[p]), int(count[p]))
        for p in np.flatnonzero(count)
    }


def correlation(
    one: Mapping[str, float],
    other: Mapping[str, float],
    rounds: int = 20_000,
    level: float = 0.95,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Pearson's and Spearman's coefficient over the classes that have both, with percentile
    intervals from resampled classes.

    Rounds in which a property is constant are left out. DataError for fewer than 5 classes (section
    6.3.4 drops smaller bins too).
    """
    from scipy import stats

    shared = sorted(one.keys() & other.keys())
    if len(shared) < 5:
        raise DataError(
            f"{len(shared)} classes have both properties; a correlation of classes needs at"
            " least 5."
        )
    x, y = (np.array([values[wnid] for wnid in shared], dtype=float) for values in (one, other))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        raise DataError("A property that is the same for all classes correlates with nothing.")
    draws = (
        np.random.default_rng(seed)
        .multinomial(len(shared), np.full(len(shared), 1 / len(shared)), size=rounds)
        .astype(float)
    )
    tail = (1 - level) / 2
    rows = []
    unit_x, unit_y = _unit(x), _unit(y)
    for kind, a, b, test in (
        ("Pearson", unit_x, unit_y, stats.pearsonr(unit_x, unit_y)),
        ("Spearman", stats.rankdata(x), stats.rankdata(y), stats.spearmanr(x, y)),
    ):
        low, high = np.nanquantile(_weighted(draws, a, b), [tail, 1 - tail])
        rows.append(
            {
                "kind": kind,
                "coefficient": float(test.statistic),
                "low": float(low),
                "high": float(high),
                "level": level,
                "p": float(test.pvalue),
                "classes": len(shared),
                "rounds": rounds,
            }
        )
    return rows


def _unit(values: np.ndarray) -> np.ndarray:
    """The values from 0 to 1: a coefficient does not change, and nothing is too small to square."""
    above = values - values.min()
    scaled: np.ndarray = above / above.max()
    return scaled


def _weighted(weights: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """[R] Pearson's coefficient under each row of weights: a resample is how often each class was
    drawn (ranks are not drawn anew). nan where a property of the classes drawn is constant."""
    parts = np.array_split(weights, max(len(weights) * len(x) // _CELLS, 1))
    return np.concatenate([_coefficients(part, x, y) for part in parts])


def _coefficients(weights: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    total, one_drawn = weights.sum(axis=1, keepdims=True), weights.argmax(axis=1)
    # from a value that is drawn: where all drawn are equal, the differences are exactly 0
    away_x, away_y = (values - values[one_drawn][:, None] for values in (x, y))
    for away in (away_x, away_y):
        away -= (weights * away).sum(axis=1, keepdims=True) / total
    cross = (weights * away_x * away_y).sum(axis=1)
    spread_x, spread_y = ((weights * away**2).sum(axis=1) for away in (away_x, away_y))
    with np.errstate(invalid="ignore"):
        found: np.ndarray = cross / (np.sqrt(spread_x) * np.sqrt(spread_y))
    return found


def browser_order(
    hierarchy: Hierarchy, classes: Sequence[str], names: Mapping[str, str] | None = None
) -> list[str]:
    """The classes in the order of a walk down the trimmed hierarchy, so that related ones stand
    together (section 6.4).

    Children come by name (default: by wnid); a class with several parents stands where the walk
    meets it first.
    """
    from graphzsl.hierarchy.search import row_of

    part, own = hierarchy.trimmed(classes), set(classes)
    key = (lambda wnid: (names.get(wnid, wnid), wnid)) if names else (lambda wnid: (wnid, wnid))
    order: list[str] = []
    seen: set[str] = set()
    waiting = sorted(
        (wnid for wnid in part.wnids if not part.ancestors(wnid)), key=key, reverse=True
    )
    while waiting:
        wnid = waiting.pop()
        if wnid in seen:
            continue
        seen.add(wnid)
        if wnid in own:
            order.append(wnid)
        below = row_of(part.down, part.index[wnid])
        waiting += sorted((part.wnids[child] for child in below), key=key, reverse=True)
    return order
