"""``graphzsl audit --text``: what models say in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from graphzsl.cli.options import given_options
from graphzsl.cli.output import emit, is_table, note, save_rows
from graphzsl.cli.tables import table_lines, terminal_width
from graphzsl.cli.types import NONE, Written
from graphzsl.common import step

F = TypeVar("F", bound=Callable[..., Any])
#: Options of ``audit`` that count with --text.
_COUNT = (
    *("predictions", "text", "mapped_out", "label_column", "answer_column", "candidates", "names"),
    *("numbered", "wordnet", "rounds", "seed", "output_format", "save", "out", "name"),
)


def text_options(function: F) -> F:
    """--text and what belongs to it."""
    for decorate in (
        click.option(
            "--answer-column",
            help="With --text: the column of the answers, where several may be it.",
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
            "--text",
            is_flag=True,
            help=(
                "PREDICTIONS are answers in words, of a vision-language model: a CSV or TSV with a"
                " header, or JSON lines, with a true class and an answer in each row."
            ),
        ),
    ):
        function = decorate(function)
    return function


def audit_answers(
    path: Path,
    wordnet: Path | str | None,
    mapped_out: Path | None,
    out: Path | None,
    name: str | None,
    output_format: str,
    options: dict[str, Any],
) -> None:
    """Evaluate a file of answers, and print shares, metrics and how much rests on which step;
    ``out`` and ``name`` are those of their run, ``options`` those of ``evaluate_answers``."""
    from graphzsl.audit import evaluate_answers

    _check_options()
    if wordnet == NONE:
        raise click.UsageError("--text needs a hierarchy: leave --wordnet none out.")
    with step(f"reading {path.name}"):
        given = {key: value for key, value in options.items() if value is not None}
        found = evaluate_answers(path, wordnet=wordnet or "wordnet", **given)
    if mapped_out is not None:
        save_rows(mapped_out, found.rows())
    if out is not None:
        found.run(name or path.stem).save(out)
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
