"""``graphzsl split overlap``: two lists of classes against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphzsl import analysis, names
from graphzsl.cli.classes import list_entries, read_hierarchy
from graphzsl.cli.completion import NAMES_OR_CLASSES
from graphzsl.cli.options import each_option, hierarchy_folder_option, output_options
from graphzsl.cli.output import emit, note
from graphzsl.cli.split.group import command
from graphzsl.common import counted, step

#: How many names a note shows.
SHOWN = 5

if TYPE_CHECKING:
    from graphzsl.hierarchy import Hierarchy


@command.command()
@click.argument("one", shell_complete=NAMES_OR_CLASSES)
@click.argument("other", shell_complete=NAMES_OR_CLASSES, default="ilsvrc2012")
@each_option("one per class and meaning")
@hierarchy_folder_option
@output_options
def overlap(one: str, other: str, each: bool, wordnet: Path | str, output_format: str) -> None:
    """Is each class of ONE in OTHER (default: ilsvrc2012), or above, below or beside a class of it,
    and how far is the closest? For test classes of a network that has seen OTHER, and for open-set
    and out-of-distribution sets.

    ONE and OTHER are files (a line is a wnid, the name of a synset, such as dog.n.01, or a class
    name, as AWA, aPY, CUB and SUN write them), shipped lists, or class sets of a database that
    runs; files and shipped lists need none. The first relation that holds counts. --each has a row
    per class and meaning, with the closest class (of several the one of smallest wnid) and how many
    classes of OTHER it is above and below. An open word is checked in each of its meanings, the
    most usual first; of OTHER every meaning counts. The summary counts a class once, by the first
    relation that one of its meanings has; `several` counts those with several meanings, and stderr
    names some, of OTHER too.

    \b
    graphzsl split overlap imagenet-a ilsvrc2012
    graphzsl split overlap awa-proposed --each --save overlap.csv
    """
    with step(f"{one} against {other}"):
        hierarchy = read_hierarchy(wordnet)
        first, second = _meant(hierarchy, one, "one"), _meant(hierarchy, other, "other")
        rows = analysis.class_overlap(hierarchy, first, second)
    counts = analysis.overlap_counts(rows)
    if each:
        emit(rows, output_format, analysis.OVERLAP_COLUMNS)
    else:
        emit(counts, output_format, ("relation", "classes", "share", "several"))
        _note_several(one, first, "count once, by the first relation that one of them has")
    _note_several(other, second, "are there with all of them")
    unknown = [text for text, wnids in second.items() if not wnids]
    if unknown:
        note(
            f"{counted(len(unknown), 'name')} of {other} label no noun synset and count for"
            f" nothing: {', '.join(unknown[:SHOWN])}{' …' if len(unknown) > SHOWN else ''}."
        )
    said = ", ".join(f"{row['classes']:,} {row['relation']}" for row in counts if row["classes"])
    note(f"{counted(len(first), 'class', 'classes')} of {one} against {other}: {said}.")


def _note_several(text: str, meant: dict[str, list[str]], what: str) -> None:
    """Say which classes of a list have several meanings, and what is done with them."""
    several = [f"{name} ({len(wnids)})" for name, wnids in meant.items() if len(wnids) > 1]
    if several:
        more = " …" if len(several) > SHOWN else ""
        note(
            f"{len(several):,} of {counted(len(meant), 'class', 'classes')} of {text} have several"
            f" meanings, and {what}: {', '.join(several[:SHOWN])}{more}. The name of a synset"
            " (dog.n.01) or its wnid has one."
        )


def _meant(hierarchy: Hierarchy, text: str, argument: str) -> dict[str, list[str]]:
    from graphzsl.hierarchy import HierarchyVocabulary

    listed = list_entries(text, argument, names.shipped_lists())
    return analysis.meant_classes(HierarchyVocabulary(hierarchy), listed, argument)
