"""``graphzsl audit --text``: what models say in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from graphzsl import audit
from graphzsl.cli.benchmark_folders import test_classes
from graphzsl.cli.options import given_options, together
from graphzsl.cli.output import emit, is_table, note, save_rows
from graphzsl.cli.tables import table_lines, terminal_width
from graphzsl.cli.types import NONE, WORDNET, Written
from graphzsl.common import step

#: Options of ``audit`` that answers take as they are, and all that count with --text.
_TAKEN = ("names", "label_column", "answer_column", "rounds", "seed")
_COUNT = (
    *("predictions", "text", "mapped_out", "candidates", "numbered", "wordnet"),
    *("output_format", "save", "out", "name", *_TAKEN),
)


#: --text and what belongs to it.
text_options = together(
    click.option(
        "--text",
        is_flag=True,
        help=(
            "PREDICTIONS are answers in words, of a vision-language model: a CSV or TSV with a"
            " header, or JSON lines, with a true class and an answer in each row."
        ),
    ),
    click.option(
        "--mapped-out",
        type=Written(".csv"),
        help=(
            "With --text: also write what each answer names, by which step, and why: one row"
            " per answer. Corrected in its column wnid, the table goes back in with --text."
        ),
    ),
    click.option(
        "--answer-column",
        help="With --text: the column of the answers, where several may be it.",
    ),
)


def counted_from(numbered: str | None) -> Any:
    """The value of --numbered as the library takes it."""
    return "devkit" if numbered == "devkit" else bool(numbered)


def audit_answers(options: Mapping[str, Any]) -> None:
    """Evaluate a file of answers by the options of ``audit``, and print shares, metrics and how
    much rests on which step."""
    _check_options()
    path, wordnet, candidates = (options[name] for name in ("predictions", "wordnet", "candidates"))
    mapped_out, out, output_format = (
        options[name] for name in ("mapped_out", "out", "output_format")
    )
    if wordnet == NONE:
        raise click.UsageError("--text needs a hierarchy: leave --wordnet none out.")
    with step(f"reading {path.name}"):
        taken = {name: options[name] for name in _TAKEN if options[name] is not None}
        if candidates:
            taken["candidates"] = test_classes(candidates)
        numbered = counted_from(options["numbered"])
        found = audit.evaluate_answers(path, wordnet=wordnet or WORDNET, numbered=numbered, **taken)
    if mapped_out is not None:
        save_rows(mapped_out, found.rows())
    if out is not None:
        found.run(options["name"] or path.stem).save(out)
    emit(found.metrics(), output_format)
    if is_table(output_format):
        steps = found.steps()
        click.echo("\n" + "\n".join(table_lines(steps, list(steps[0]), terminal_width())))
    where = f"; in {out}" if out else ""
    note(
        f"{len(found.labels):,} answers, {len(found.candidates):,} candidates{where}. An answer"
        " that names several things, or none, counts 0 in hP, hR, hF and information."
    )


def _check_options() -> None:
    """UsageError for an option that has no effect on answers in words."""
    for name, flag in given_options().items():
        if name not in _COUNT:
            raise click.UsageError(f"{flag} has no effect with --text.")
