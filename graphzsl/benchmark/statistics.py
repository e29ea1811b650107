"""Statistics of a benchmark's classes for its readers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphzsl.analysis.structure.branches import spread_of
from graphzsl.analysis.structure.leakage import leakage
from graphzsl.benchmark.class_selection import Selection
from graphzsl.benchmark.ties import Ties
from graphzsl.hierarchy.distances import Path
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.ratio import structural_ratios

#: The statistics that are words; all others are numbers.
TEXTS = ("largest_branch", "ties_cut_by")
#: What of the universe is in the branches of a hierarchy.
OF_BRANCHES = ("effective_branches", "branches", "largest_branch", "largest_branch_share")
#: Statistics that go together: where the first is there, the others are.
_TOGETHER = (
    ("bound", "structural_ratio"),
    ("ties_cut_by", "tied_classes", "tied_candidates", "nearly_tied_classes"),
)


def statistics(
    hierarchy: Hierarchy,
    wnids: Sequence[str],
    train: Sequence[str],
    universe: Sequence[str] | None,
    populations: Mapping[str, int],
    selection: Selection | None = None,
    ties: Ties | None = None,
) -> dict[str, Any]:
    """R, its bounds and ties, distances, spread, populations and overlaps of test classes.

    Args:
        hierarchy: what hops are counted in.
        wnids: the test classes.
        train: the training classes.
        universe: the classes that the test classes were drawn from, of which branches are shares;
            None leaves the branches out.
        populations: wnid -> images; classes may be absent.
        selection: how they were selected, where they were.
        ties: what could have been selected as well.
    """
    ratios = structural_ratios(hierarchy, Path(hierarchy), train, wnids)
    values: dict[str, Any] = {"classes": len(wnids), "structural_ratio": ratios.structural_ratio}
    if selection:
        values |= {
            "bound": selection.bound,
            "simple_bound": selection.simple_bound,
            "gap": selection.gap,
        }
    if ties:
        values |= ties.row()
    away = ratios.train_distance[np.isfinite(ratios.train_distance)]
    values |= {
        "train_hops_mean": float(away.mean()) if len(away) else None,
        "train_hops_min": float(away.min(initial=np.inf)) if len(away) else None,
    }
    if universe is not None:
        values |= spread_of(hierarchy, universe, wnids)
    images = np.array([populations[wnid] for wnid in wnids if wnid in populations])
    if len(images):
        values |= {
            "population_min": int(images.min()),
            "population_median": float(np.median(images)),
            "population_max": int(images.max()),
        }
    overlap = leakage(hierarchy, train, wnids)
    return values | {
        "ancestor_pairs": overlap.ancestor_pairs,
        "solvable_by_closest_class": overlap.solvable,
    }


def problem_of(found: Mapping[str, Any]) -> tuple[str, str] | None:
    """(name, problem) of the first invalid statistic."""
    for name, value in found.items():
        if name in TEXTS and not isinstance(value, str | None):
            return name, f"{name} must be a text, not {value!r}"
        if name not in TEXTS and value is not None and not is_number(value):
            return name, f"{name} must be a number, not {value!r}"
    for first, *others in _TOGETHER:
        missing = [each for each in others if found.get(each) is None]
        if found.get(first) is not None and missing:
            return first, f"{first} is there without {missing[0]}"
    return None


def problem_of_step(step: Any) -> tuple[str, str] | None:
    """(key, problem) of a row that is no step of a recipe."""
    if not isinstance(step, dict):
        return "", f"a step must be an object, not {step!r}"
    for key in ("step", "rule"):
        if not isinstance(step.get(key), str):
            return key, f"{key} of a step must be a text, not {step.get(key)!r}"
    for key in ("kept", "dropped", "keep_ratio"):
        value = step.get(key)
        whole = key == "keep_ratio" or isinstance(value, int)
        if not is_number(value) or not whole:
            wanted = "a number" if key == "keep_ratio" else "a whole number"
            return key, f"{key} of a step must be {wanted}, not {value!r}"
    return None


def is_number(value: Any) -> bool:
    """True if a value of a JSON document is a finite number; an integer may have at most 18
    digits."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else abs(value) < 10**18
