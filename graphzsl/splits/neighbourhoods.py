"""Closest training classes of a split and hCorrectSets of valid labels, as lists."""

from __future__ import annotations

from collections.abc import Sequence

from graphzsl.common.errors import SplitError
from graphzsl.common.progress import progress_bar
from graphzsl.database import hierarchy as database_hierarchy
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.hierarchy import closest, hcorrect
from graphzsl.hierarchy.closest import Closest
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.hcorrect import HCorrectSet, checked_lengths
from graphzsl.hierarchy.resolver import resolve_all
from graphzsl.sources.imagenet import Classes
from graphzsl.sources.published import class_lists, list_path
from graphzsl.splits.hops import check_in_memory
from graphzsl.splits.store import Split, load_split


def closest_classes(source: Database | Hierarchy, split: Split | str) -> list[Closest]:
    """The closest training classes of every class of a split, with all ties.

    Args:
        source: a hierarchy, such as ``Hierarchy.load()``, in which hops are counted; or a
            database, where they are counted in the split's own.
        split: a split; of a database also the name of a stored one. Its training classes are those
            that it knows, else the class set or the ImageNet list that it names.

    Returns:
        One ``Closest`` (wnid, name, hops, closest, closest_names) per class that a training class
        reaches, in the order of the split.

    Raises:
        SplitError: there is no split of that name, or its training classes are not known.
        DataError: a class is not a node of the hierarchy.

    Reference:
        Hascoet et al. 2019, appendix E.

    >>> wordnet = gz.Hierarchy.load()
    >>> gz.closest_classes(wordnet, gz.hop_split(wordnet, max_hops=1))[0]
    <Closest n01322898: n02129165, 1 hop away>
    """
    if isinstance(source, Hierarchy):
        if isinstance(split, str):
            raise SplitError(
                f"A hierarchy has no stored splits such as {split!r}. Give a split, such as"
                " gz.hop_split(hierarchy, max_hops=1), or a database.",
                argument="split",
            )
        return closest.closest_classes(source, _training_in_memory(source, split), split.wnids)
    given = load_split(source, split) if isinstance(split, str) else split
    training = members(source, given.train) if given.training is None else given.training
    nodes = read_hierarchy(source, given.hierarchy, [*training, *given.wnids])
    return closest.closest_classes(nodes, training, given.wnids)


def _training_in_memory(hierarchy: Hierarchy, split: Split) -> Sequence[str]:
    if split.training is not None:
        return split.training
    if split.train not in class_lists():
        raise SplitError(
            f"The training classes {split.train!r} of {split!r} are not known here: they are no"
            " ImageNet list. Give the database that has them, or a split of"
            " gz.hop_split(hierarchy, …, train=CLASSES).",
            argument="split",
        )
    return resolve_all(list_path(split.train), hierarchy.vocabulary, "train")


def hcorrect_sets(
    source: Database | Hierarchy,
    valid: Classes,
    k: int | Sequence[int],
    *,
    hierarchy: str = "wordnet",
    labels: Sequence[str] | None = None,
) -> list[HCorrectSet]:
    """hCorrectSet(c, k) of every label c and every k: whole shells of valid labels around c until k
    are there.

    Args:
        source: a hierarchy, such as ``Hierarchy.load()``, which is searched in memory; or a
            database.
        valid: the valid labels: wnids, names or words, a file of them, or the name of an ImageNet
            list; of a database the name of a class set.
        k: least number of members, or several.
        hierarchy: what hops are counted in, of a database: wordnet, hypernym or release.
        labels: the classes c (default: every valid label); of a database their wnids.

    Returns:
        In the order of labels, then k.

    Raises:
        SplitError: an unknown class set or hierarchy, a label that is not valid, or a k that is
            not a whole number of at least 1.
        DataError: a class of a list is not a node of the hierarchy.

    Reference:
        Frome et al. 2013 (DeViSE), appendix A.3.

    >>> gz.hcorrect_sets(gz.Hierarchy.load(), "ilsvrc2012", k=5, labels=["n02088094"])
    [<HCorrectSet n02088094, k 5: 12 members, radius 2>]
    """
    lengths = checked_lengths(k)
    if not isinstance(source, Hierarchy):
        return list(database_hierarchy.hcorrect_sets(source, valid, lengths, hierarchy, labels))
    check_in_memory(source, hierarchy)
    vocabulary = source.vocabulary
    among = resolve_all(valid, vocabulary, "valid")
    classes = among if labels is None else resolve_all(labels, vocabulary, "labels")
    sets = hcorrect.hcorrect_sets(source, classes, among, lengths)
    return list(progress_bar(sets, "hCorrectSets", total=len(classes) * len(set(lengths))))
