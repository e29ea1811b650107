"""``graphzsl study ilsvrc labelling audit | precision | annotators | errors``: results of people's
judgements."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphzsl import ilsvrc, sources
from graphzsl.cli.classes import read_classes, read_hierarchy
from graphzsl.cli.ilsvrc.group import entry_paths, flag, labelling
from graphzsl.cli.options import (
    confidence_option,
    each_option,
    hierarchy_folder_option,
    listed_set_option,
    number_option,
    option,
    option_requires,
    output_options,
    seed_option,
)
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, Whole, Written
from graphzsl.common import called, counted
from graphzsl.hierarchy import word_key

if TYPE_CHECKING:
    from graphzsl.sources import Judgements, Labels


@labelling.command()
@click.argument("roots", nargs=-1, required=True, metavar="ROOTS...")
@listed_set_option
@number_option("classes are drawn, of all depths together", 80)
@flag("--per-depth", "--number is of every depth below every root.")
@option(
    "--judgements",
    INPUT,
    None,
    "What people said: a table with the columns image, class, right (yes or no).",
)
@hierarchy_folder_option
@seed_option()
@confidence_option("those of Wilson")
@output_options
def audit(
    roots: tuple[str, ...],
    class_set: str,
    number: int,
    per_depth: bool,
    judgements: Path | None,
    wordnet: Path | str,
    seed: int,
    level: float,
    output_format: str,
) -> None:
    """Draws classes to check by hand at every depth below synsets, or says what came of it.

    ROOTS are wnids, names such as dog.n.01, or words whose synset is clear; a class's depth is
    the fewest edges from its root down to it, and one below several roots counts for the first of
    them. Draws are spread evenly over depths. With
    --judgements nothing is drawn: one row per depth has the precision of the images that people
    looked at (Russakovsky et al. 2015, section 3.1.3: 80 synsets of the mammal and vehicle subtrees
    of ImageNet, 99.7 %). Several judgements of an image are settled by their majority.

    \b
    graphzsl study ilsvrc labelling audit mammal.n.01 vehicle.n.01 \\
      --set imagenet-fall11
    graphzsl study ilsvrc labelling audit mammal.n.01 --judgements judged.csv
    """
    from graphzsl.audit import precision_by_depth, with_wnids

    option_requires("number", "per_depth", "seed", when=not judgements, needs="no --judgements")
    option_requires("level", when=judgements, needs="--judgements")
    hierarchy = read_hierarchy(wordnet)
    classes = read_classes(class_set, hierarchy)
    wnids = [hierarchy.wnid(text) for text in roots]
    below = ilsvrc.classes_below(hierarchy, wnids, classes)
    have = Counter(each.root for each in below)
    for root in wnids[1:]:
        own = len(ilsvrc.classes_below(hierarchy, [root], classes))
        if lost := own - have[root]:
            said = f"All {own:,}" if lost == own else f"{lost:,} of {own:,}"
            name = called(root, hierarchy.names)
            note(f"{said} classes of {name} are below roots before it, and count there.")
    if judgements is None:
        drawn = ilsvrc.audit_sample(below, number, per_depth, seed)
        emit(map(asdict, drawn), output_format, ("root", "root_name", "depth", "wnid", "name"))
        said = counted(len(below), "class", "classes")
        note(f"{len(drawn):,} of the {said} of {class_set} at or below.")
        return
    found = with_wnids(sources.read_judgements(judgements, ("class",)), hierarchy)
    place_of = {each.wnid: (each.root, each.depth) for each in below}
    emit(precision_by_depth(found, place_of, level), output_format)


@labelling.command()
@click.argument("judgements", type=INPUT)
@click.argument("entries", nargs=-1, type=INPUT)
@each_option("one per class of what is judged")
@option(
    "--unjudged",
    Written(".csv"),
    None,
    "Also write what entries predict and nobody judged to this table: image, class.",
)
@confidence_option("those of Wilson")
@output_options
def precision(
    judgements: Path,
    entries: tuple[Path, ...],
    each: bool,
    unjudged: Path | None,
    level: float,
    output_format: str,
) -> None:
    """Precision of predictions that people judged afterwards, where not all that is true is known.

    JUDGEMENTS is a table with the columns image, class and right (yes or no); ENTRIES are tables of
    predictions with the columns image and class, each pair once or more. A judgement holds for
    every entry that predicts its image and class. Without ENTRIES the column entry of the
    judgements says whose they are. `least_share` takes what nobody judged for wrong, `most_share`
    for right; --unjudged lists it, for all entries together (Russakovsky et al. 2015, section 7.3).

    \b
    graphzsl study ilsvrc labelling precision judged.csv
    graphzsl study ilsvrc labelling precision judged.csv mine.csv other.csv \\
      --unjudged ask.csv
    """
    from graphzsl.audit import precision_by_class, precision_of_entries, unjudged_predictions

    option_requires("unjudged", when=entries, needs="ENTRIES")
    if len({path.resolve() for path in entries}) < len(entries):
        raise click.UsageError("Give each of the ENTRIES once.")
    if each and entries:
        raise click.UsageError("--each is of all that is judged: leave out the ENTRIES.")
    found = sources.read_judgements(judgements, ("class",))
    read = {name: sources.read_labels(path) for name, path in entry_paths(entries).items()}
    predicted = {name: list(labels.line_of) for name, labels in read.items()}
    rows = (
        precision_by_class(found, level) if each else precision_of_entries(found, predicted, level)
    )
    made_up = {name for name, labels in read.items() if labels.simulated}
    if made_up and not found.simulated:
        rows = [{**row, "simulated": row["entry"] in made_up} for row in rows]
    emit(rows, output_format)
    for path, labels in zip(entries, read.values(), strict=True):
        _note_other_spelling(judgements, found, path, labels)
    if unjudged is not None:
        pairs = unjudged_predictions(found, predicted)
        if made_up:
            real = {at for name in predicted.keys() - made_up for at in predicted[name]}
            marked = ((*at, "no" if at in real else "yes") for at in pairs)
            sources.write_table(unjudged, ("image", "class", "simulated"), marked)
        else:
            sources.write_table(unjudged, ("image", "class"), pairs)
        note(f"{counted(len(pairs), 'prediction')} that nobody judged: {unjudged}.")


@labelling.command()
@click.argument("labels", type=INPUT)
@output_options
def annotators(labels: Path, output_format: str) -> None:
    """Two annotators on the same images: where both, one or neither is right.

    LABELS is a table with the columns image, annotator and right (yes or no); of more than two
    annotators every two are compared. `optimistic_error` is that of an annotator who is right where
    either is, `p` of McNemar's test (Russakovsky et al. 2015, section 6.4.1: 2.4 % on 204 images).

    \b
    graphzsl study ilsvrc labelling annotators labels.csv
    """
    from graphzsl.audit import annotator_rows

    emit(annotator_rows(sources.read_judgements(labels, ("entry",))), output_format)


@labelling.command()
@click.argument("mistakes", type=INPUT, required=False)
@option(
    "--fine-grained height",
    Whole(0),
    None,
    "Also count confusions whose lowest common ancestor is at most so high (1: siblings).",
    metavar="HEIGHT",
)
@listed_set_option
@hierarchy_folder_option
@output_options
def errors(
    mistakes: Path | None,
    height: int | None,
    class_set: str,
    wordnet: Path | str,
    output_format: str,
) -> None:
    """Count mistakes by type, as people judged them.

    MISTAKES is a table with the columns image and type, and entry where there are several; a
    mistake of several types has a row for each. --fine-grained takes the columns true and predicted
    and finds near classes by the height of the lowest common ancestor in the hierarchy trimmed to
    --set. Without MISTAKES: the counts of GoogLeNet and of an annotator in Russakovsky et al. 2015,
    section 6.4.2.

    \b
    graphzsl study ilsvrc labelling errors
    graphzsl study ilsvrc labelling errors mistakes.csv --fine-grained 1
    """
    option_requires("height", when=mistakes, needs="a table of MISTAKES")
    option_requires("class_set", "wordnet", when=height is not None, needs="--fine-grained")
    if mistakes is None:
        printed = ilsvrc.table("ilsvrc-error-types").rows()
        emit(({**row, "share": row["count"] / row["mistakes"]} for row in printed), output_format)
        return
    from graphzsl.audit import NearMistakes, error_types, resolved_mistakes

    found, near = sources.read_mistakes(mistakes), None
    if height is not None:
        hierarchy = read_hierarchy(wordnet)
        found = resolved_mistakes(found, mistakes, hierarchy)
        near = NearMistakes(hierarchy, height, read_classes(class_set, hierarchy))
    emit(error_types(found, near), output_format)


def _note_other_spelling(judgements: Path, found: Judgements, entry: Path, labels: Labels) -> None:
    """Note that an entry's classes may be judged under another spelling: none of them is judged, or
    one differs from a judged class in case, spaces, hyphens or underscores alone."""
    own = {label for _, label in labels.line_of}
    known = dict.fromkeys(row.label for row in found.rows)
    same = "Where these are the same classes, spell them the same way."
    if not own & known.keys():
        note(
            f"None of the classes of {entry}, such as {min(own)}, is in {judgements}, which has"
            f" {next(iter(known))}. {same}"
        )
        return
    spelt = {word_key(label): label for label in known}
    apart = [label for label in sorted(own - known.keys()) if word_key(label) in spelt]
    if apart:
        note(
            f"{counted(len(apart), 'class', 'classes')} of {entry} that nobody judged may be spelt"
            f" in another way in {judgements}: {apart[0]} there is {spelt[word_key(apart[0])]}."
            f" {same}"
        )
