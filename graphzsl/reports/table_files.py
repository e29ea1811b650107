"""The headline table as a file: LaTeX or Markdown for a paper, CSV for programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from graphzsl.common.files import checked_suffix, no_formula, write_text
from graphzsl.metrics.names import is_share
from graphzsl.reports.headline import Cell, Headline
from graphzsl.reports.table import first_columns, left_out, remarks, value_rows
from graphzsl.reports.tasks import Task
from graphzsl.sources.tables import table_text

#: What a table can be written as.
SUFFIXES = (".tex", ".csv", ".md")
#: What stands for marks; the best is set in bold, the other signs stand behind their values.
SIGNS = {"best": "Bold", "alike": "†", "untested": "?"}
#: Letters on a line of the heading of a column of LaTeX.
HEADING = 14
_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "±": r"$\pm$",
    "†": r"$^\dagger$",
    "–": "--",
    "…": r"\ldots{}",
}


def save_table(path: Path | str, tasks: Sequence[Task], headlines: Sequence[Headline]) -> None:
    """Write the tables of some questions, one below the other; the suffix decides the format.

    Raises:
        DataError: the path ends neither in .tex nor in .csv nor in .md.
    """
    path = Path(path)
    write_text(path, written_table(checked_suffix(path, SUFFIXES), tasks, headlines))


def written_table(suffix: str, tasks: Sequence[Task], headlines: Sequence[Headline]) -> str:
    """Tables of some questions, one below the other, in the format of a suffix."""
    pairs = [*zip(tasks, headlines, strict=True)]
    if suffix == ".csv":
        return _csv(pairs)
    if suffix == ".tex":
        return "\n".join(["% Needs \\usepackage{booktabs}.", *(_latex(*pair) for pair in pairs)])
    return "\n".join(_markdown(*pair) for pair in pairs)


def latex_text(text: str) -> str:
    """A text as LaTeX shows it: on one line, its special characters escaped."""
    shown = "".join(_LATEX.get(sign, sign) for sign in _one_line(text))
    # behind the end of a row these would be its arguments
    return f"{{}}{shown}" if shown.startswith(("[", "*")) else shown


def markdown_text(text: str) -> str:
    """A text as GitHub shows it: on one line, its special characters escaped."""
    return re.sub(r"([\\`*_|<>\[\]~$&])", r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())


def _csv(pairs: Sequence[tuple[Task, Headline]]) -> str:
    rows = [row for pair in pairs for row in value_rows(*pair)]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    cells = ([row.get(column) for column in columns] for row in rows)
    return table_text(
        columns, ([no_formula(c) if isinstance(c, str) else c for c in own] for own in cells)
    )


def _latex(task: Task, headline: Headline) -> str:
    columns = first_columns(headline)
    heads = [
        r" \\ ".join(map(latex_text, wrap(column.label, HEADING, break_long_words=False)))
        for column in columns
    ]
    rows = [
        ["model", *(f"\\shortstack[r]{{{head}}}" if "\\\\" in head else head for head in heads)],
        *_lines(task, headline, latex_text, lambda text: f"\\textbf{{{text}}}"),
    ]
    first, *others = [" & ".join(row) + r" \\" for row in rows]
    lines = [
        r"\begin{table}",
        r"\centering",
        f"\\caption{{{latex_text(' '.join(remarks(task, headline, SIGNS)))}}}",
        f"\\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
        first,
        r"\midrule",
        *others,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        f"% {_one_line(left_out(headline))}".rstrip(" %"),
    ]
    return "".join(f"{line}\n" for line in lines if line)


def _markdown(task: Task, headline: Headline) -> str:
    columns = first_columns(headline)
    rows = [
        ["model", *(markdown_text(column.label) for column in columns)],
        ["---", *("---:" for _ in columns)],
        *_lines(task, headline, markdown_text, lambda text: f"**{text}**"),
    ]
    below = markdown_text(" ".join([*remarks(task, headline, SIGNS), left_out(headline)]))
    return "".join([*(f"| {' | '.join(row)} |\n" for row in rows), "\n", below, "\n"])


def _lines(
    task: Task, headline: Headline, escaped: Callable[[str], str], bold: Callable[[str], str]
) -> Iterator[list[str]]:
    """The cells of each model, the best of a column in bold."""
    for place, entry in enumerate(task.entries):
        line = [escaped(entry.name)]
        for column in first_columns(headline):
            cell = column.cells[place]
            text = escaped(_shown(cell, column.metric))
            line.append(bold(text) if cell.mark == "best" else text)
        yield line


def _shown(cell: Cell, metric: str) -> str:
    """A value with its deviation or interval, in per cent where it is a share."""
    scale, spread = 100 if is_share(metric) else 1, ""
    if cell.interval:
        spread = " [" + ", ".join(f"{scale * end:.1f}" for end in cell.interval) + "]"
    elif cell.deviation is not None:
        spread = f" ± {scale * cell.deviation:.1f}"
    return cell.value + spread + (SIGNS[cell.mark] if cell.mark in ("alike", "untested") else "")
