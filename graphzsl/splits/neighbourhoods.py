"""Closest training classes of a split and hCorrectSets of a class set, as lists."""

from __future__ import annotations

from collections.abc import Sequence

from graphzsl.database import hierarchy as database_hierarchy
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.hierarchy import closest
from graphzsl.hierarchy.closest import Closest
from graphzsl.hierarchy.hcorrect import HCorrectSet
from graphzsl.splits.store import Split, load_split


def closest_classes(database: Database, split: Split | str) -> list[Closest]:
    """The closest training classes of every class of a split, with all ties.

    Args:
        database: what is read.
        split: a split, or the name of a stored one; hops are counted in its hierarchy.

    Returns:
        One ``Closest`` (wnid, name, hops, closest, closest_names) per class that a training class
        reaches, in the order of the split.

    Raises:
        SplitError: there is no split of that name.

    Reference:
        Hascoet et al. 2019, appendix E.

    >>> gz.closest_classes(db, gz.hop_split(db, max_hops=1))[0]
    <Closest n01322898: n02129165, 1 hop away>
    """
    given = load_split(database, split) if isinstance(split, str) else split
    training = members(database, given.train)
    nodes = read_hierarchy(database, given.hierarchy, [*training, *given.wnids])
    return closest.closest_classes(nodes, training, given.wnids)


def hcorrect_sets(
    database: Database,
    valid: str,
    ks: Sequence[int],
    *,
    hierarchy: str = "wordnet",
    labels: Sequence[str] | None = None,
) -> list[HCorrectSet]:
    """hCorrectSet(c, k) of every label c and every k: whole shells of valid labels around c until k
    are there.

    Args:
        database: what is read.
        valid: class set of the valid labels.
        ks: least numbers of members.
        hierarchy: what hops are counted in: wordnet, hypernym or release.
        labels: the classes c (default: every valid label).

    Returns:
        In the order of labels, then k.

    Raises:
        SplitError: an unknown class set or hierarchy, a label that is not valid, or a k below 1.

    Reference:
        Frome et al. 2013 (DeViSE), appendix A.3.

    >>> gz.hcorrect_sets(db, "ilsvrc2012", ks=[5], labels=["n02088094"])
    [<HCorrectSet n02088094, k 5: 12 members, radius 2>]
    """
    return list(database_hierarchy.hcorrect_sets(database, valid, ks, hierarchy, labels))
