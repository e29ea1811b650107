"""Accuracy over the hierarchy: an icicle of the classes of a task, coloured by a model's hit@1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphzsl.common.wording import counted, some
from graphzsl.hierarchy.graph import Hierarchy

if TYPE_CHECKING:
    from graphzsl.reports.pictures.tree import PictureTree


def icicle(classes: dict[str, Any], hierarchy: Hierarchy, assets: bool) -> str | None:
    """The icicle of a table of classes (see ``class_table``), with the values of every shown model
    to choose from; None where no class is in the hierarchy.

    ``assets``: with style and script, which a page needs once.
    """
    tree = tree_of_classes(classes, hierarchy)
    if tree is None:
        return None
    from graphzsl.reports.pictures.fragment import icicle_fragment

    return str(icicle_fragment(tree, colour=key_of(0), assets=assets))


def key_of(model: int) -> str:
    """Key of a model's values in the tree."""
    return f"model {model}"


def tree_of_classes(classes: dict[str, Any], hierarchy: Hierarchy) -> PictureTree | None:
    """The tree of a table of classes, with hit@1 of every model; None where no class is in the
    hierarchy. Classes that are not are left out, see ``outside``. A class counts as often as seeds
    ask for it, so that the mean of all is that of the headline table.

    Training classes are left out where there are others: the accuracy of a task is that of its
    unseen classes.
    """
    rows = {
        place: row for place, row in enumerate(_shown(classes)) if row and row[1] in hierarchy.index
    }
    if not rows:
        return None
    from graphzsl.reports.pictures.tree import Values, picture_tree

    values = {}
    for number, model in enumerate(classes["models"]):
        hits = {row[1]: model["hit1"][place] for place, row in rows.items()}
        known = {wnid: hit / 100 for wnid, hit in hits.items() if hit is not None}
        seeds = {row[1]: model["seeds"][place] for place, row in rows.items() if model["seeds"]}
        weights = {
            wnid: sum(value is not None for value in own or ()) for wnid, own in seeds.items()
        }
        values[key_of(number)] = Values(f"hit@1, {model['name']}", known, "share", weights=weights)
    facts = {
        label: {row[1]: row[place] for row in rows.values() if row[place] is not None}
        for label, place in (("hops", 2), ("closest training class", 4), ("images", 6))
    }
    roles = {
        row[1]: "Training" if row[9] else "Unseen" if row[2] is not None else "Class"
        for row in rows.values()
    }
    return picture_tree(
        hierarchy, roles, values, {label: known for label, known in facts.items() if known}
    )


def outside(classes: dict[str, Any], hierarchy: Hierarchy) -> str:
    """The classes that an icicle leaves out because they are not in the hierarchy, in words; empty
    where there is none, or no other."""
    shown = [row for row in _shown(classes) if row]
    left_out = [row[1] for row in shown if row[1] not in hierarchy.index]
    if not left_out or len(left_out) == len(shown):
        return ""
    number = counted(len(left_out), "class", "classes")
    return f"{number} of {len(shown):,}, not in the hierarchy: {some(left_out)}"


def _shown(classes: dict[str, Any]) -> list[list[Any] | None]:
    """The rows of the classes that an icicle is of, and None in the place of the others: training
    classes, where there are others."""
    rows: list[list[Any]] = classes["classes"]
    if all(row[9] for row in rows):
        return [*rows]
    return [None if row[9] else row for row in rows]
