"""``graphzsl.picture``: whatever has classes, in the hierarchy, as a page."""

from __future__ import annotations

from typing import Literal

from graphzsl.audit.evaluation import Evaluation
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import resolve_all
from graphzsl.reports.pictures.picture import Picture, picture_of
from graphzsl.reports.pictures.runs import of_run
from graphzsl.reports.pictures.subjects import Listed
from graphzsl.reports.pictures.what import Classes, SplitLike, is_none, subject_of


def picture(
    what: Classes | SplitLike | Evaluation,
    *,
    train: Classes | None = None,
    universe: Classes | None = None,
    colour: Literal["role", "accuracy", "population", "ratio"] | None = None,
    root: str | None = None,
    title: str | None = None,
    hierarchy: Hierarchy | None = None,
) -> Picture:
    """Classes in the hierarchy, as a page that needs neither server nor network: an icicle of the
    classes and their ancestors, searchable, and the neighbourhood of the synset in focus.

    Args:
        what: a list (classes, a file of them, an ImageNet list such as "ilsvrc2012"), a split (a
            ``Split``, or the name of a hop split: "hops-1", "all"), a class (a wnid, a name or a
            word), or a run (an ``Evaluation``, or its JSON file).
        train: the training classes, or "none" (default: ilsvrc2012; the own ones of a split or a
            run; of a file of one those of a list with their checksum, shipped or beside it).
        universe: what else is shown, or "none" (default: imagenet-fall11 of hop splits and of a
            class; the own one of a split; none of lists and runs).
        colour: what it is coloured by at first: role, accuracy (of runs), population (images) or
            ratio (structural, in hops). Default: accuracy of runs, role of all else.
        root: only what is at or below this synset: a wnid, a name or a word.
        title: the heading.
        hierarchy: where the classes stand (default: all of WordNet; an evaluation's own).

    Returns:
        The picture: ``save("page.html")``, ``show()``, and in a notebook the value of a cell.

    Raises:
        DataError: nothing is called so, a file cannot be read, classes are not nodes, or what is
            to be coloured by is not known.

    >>> picture = gz.picture(["n02084071", "n02121620"], train="none", title="Two pets")
    >>> picture
    <Picture Two pets: 2 classes, 17 synsets>
    >>> picture.save("pets.html")
    """
    if isinstance(what, Evaluation):
        nodes = hierarchy or what.hierarchy or Hierarchy.load()
        without = is_none(train)
        learned = None
        if train is not None and not without:
            learned = Listed("train", resolve_all(train, nodes.vocabulary, "train"))
        own = [Listed("", what.train)]  # which a file of it does not hold
        rows = what.class_rows()
        lists = [lambda _: own]
        subject = of_run(nodes, what.manifest, rows, learned, only_tested=without, lists=lists)
    else:
        nodes = hierarchy or Hierarchy.load()
        subject = subject_of(what, nodes, train, universe)
    return picture_of(subject, nodes, colour, root, title)
