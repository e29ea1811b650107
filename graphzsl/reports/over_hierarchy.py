"""Accuracy over the hierarchy: an icicle of the classes of a task, coloured by a model's hit@1."""

from __future__ import annotations

from typing import Any

from graphzsl.hierarchy.graph import Hierarchy


def icicle(classes: dict[str, Any], hierarchy: Hierarchy, assets: bool) -> str | None:
    """The icicle of a table of classes (see ``class_table``), with the values of every shown model
    to choose from; None where a class is not in the hierarchy.

    Training classes are left out where there are others: the accuracy of a task is that of its
    unseen classes.
    ``assets``: with style and script, which a page needs once.
    """
    every = range(len(classes["classes"]))
    places = [place for place in every if not classes["classes"][place][9]] or list(every)
    rows = {place: classes["classes"][place] for place in places}
    if not rows or any(row[1] not in hierarchy.index for row in rows.values()):
        return None
    from graphzsl.pictures.fragment import icicle_fragment
    from graphzsl.pictures.tree import Values, picture_tree

    values = {}
    for number, model in enumerate(classes["models"]):
        hits = {row[1]: model["hit1"][place] for place, row in rows.items()}
        known = {wnid: hit / 100 for wnid, hit in hits.items() if hit is not None}
        values[f"model {number}"] = Values(f"hit@1, {model['name']}", known, "share")
    facts = {
        label: {row[1]: row[place] for row in rows.values() if row[place] is not None}
        for label, place in (("hops", 2), ("closest training class", 4), ("images", 6))
    }
    roles = {
        row[1]: "Training" if row[9] else "Unseen" if row[2] is not None else "Class"
        for row in rows.values()
    }
    tree = picture_tree(
        hierarchy, roles, values, {label: known for label, known in facts.items() if known}
    )
    return str(icicle_fragment(tree, colour="model 0", assets=assets))
