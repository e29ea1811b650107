"""--shard of what evaluates, and ``graphzsl evaluate merge``: a run in parts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl import audit
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.evaluate.options import (
    check_valid_set,
    evaluated,
    evaluation_options,
)
from graphzsl.cli.options import option_requires
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, NONE, Read
from graphzsl.common import counted, progress_bar

if TYPE_CHECKING:
    from graphzsl.audit import Part, Shard

#: What a shard does not need: the merged run is evaluated.
_OF_RUNS = ("wordnet", "hcorrect", "valid", "k", "rounds", "level", "seed", "classes_table")


def _part(text: str) -> audit.Part:
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(
            f"{text!r} is not a part such as 2/8: the second of eight, from 1/8 to 8/8."
        )
    return audit.Part(int(found[1]), int(found[2]))


shard_option = click.option(
    "--shard",
    type=Read("I/N", _part),
    help=(
        "Do this part of the samples alone, and write RUN.shard-I-of-N.npz beside --out for"
        " `evaluate merge`."
    ),
)


def evaluated_when_merged(shard: Part | None, *but: str) -> None:
    """Raise UsageError for an option of evaluation beside --shard, except for those in ``but``."""
    names = [name for name in _OF_RUNS if name not in but]
    option_requires(*names, when=shard is None, needs="the whole run: give it to `evaluate merge`")


def save_shard(shard: Shard, out: Path, output_format: str) -> None:
    """Write a shard beside its run, and print its sums."""
    path = audit.shard_path(out, shard.part)
    shard.save(path)
    emit([{"shard": str(shard.part), **shard.sums}], output_format)
    note(
        f"{counted(len(shard.predictions.labels), 'sample')} of {shard.total:,} in {path};"
        " `graphzsl evaluate merge` makes the run of all shards."
    )


@command.command()
@click.argument("shards", type=INPUT, nargs=-1, required=True)
@evaluation_options()
def merge(
    shards: tuple[Path, ...],
    wordnet: Path | str | None,
    out: Path,
    classes_table: Path | None,
    output_format: str,
    **against: Any,
) -> None:
    """Make one run of all its SHARDS, which `evaluate model --shard` and `audit --shard` wrote.

    Every number and table is that of the same command without --shard, given the same options. A
    shard that is missing, given twice, damaged, or of another model, other samples or options is
    refused.

    \b
    graphzsl evaluate model linear --features images.npz --out linear.json \\
      --shard 1/2
    graphzsl evaluate model linear --features images.npz --out linear.json \\
      --shard 2/2
    graphzsl evaluate merge linear.shard-*.npz --out linear.json
    """
    check_valid_set({**against, "wordnet": wordnet})
    read = progress_bar(shards, "reading shards", total=len(shards))
    whole = audit.merged([(str(path), audit.read_shard(path)) for path in read])
    if whole.options.get("as_named"):
        wordnet = wordnet or NONE
    evaluated(
        whole.predictions,
        whole.source,
        whole.train,
        out,
        output_format,
        wordnet=wordnet,
        classes_table=classes_table,
        **against,
    )
