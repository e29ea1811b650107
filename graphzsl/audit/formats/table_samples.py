"""Rows of a table as samples: one row each, or one row per prediction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from graphzsl.audit.formats.columns import Columns
from graphzsl.audit.formats.samples import (
    Floats,
    Ints,
    Samples,
    TrueClasses,
    lists_of_true_classes,
)
from graphzsl.audit.formats.table import (
    Table,
    check_no_gap,
    decoded,
    elements,
    is_listed,
    text,
    texts,
)
from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import are_ascii, number_of
from graphzsl.common.wording import counted

_CLASS_KEYS = ("label", "class", "name", "classification", "prediction", "category", "wnid")
_SCORE_KEYS = ("score", "prob", "probability", "confidence", "logit")


def samples_of(table: Table, columns: Columns) -> Samples:
    """The samples of a table.

    In a long table the samples come in the order of their first rows, and their classes in the
    order of the file.

    Raises:
        DataError: names the row of a score that is not a number, of lists that do not fit each
            other, of a sample with two true classes, or of a line that is too long.
    """
    if not len(table):
        raise DataError(
            f"{table.source} holds no prediction; expected lines of the true class and the"
            " predicted ones."
        )
    rest = _checked_rest(table, columns)
    labels = None if columns.truth is None else _true_classes(table, columns.truth)
    files = None if columns.file is None else texts(table.columns[columns.file])
    found = Samples(
        table,
        table.lines,
        column=labels,
        files=files,
        lengths=np.zeros(len(table), dtype=np.int64),
        positions=columns.positions,
    )
    if not columns.predicted and table.header is not None and not _named_scores(table, columns):
        is_named = columns.classes is not None
        matrix = _matrix(table, columns.scores)
        return replace(found, matrix=matrix, classes=columns.classes, beside=is_named)
    predicted, lengths, scores = _predicted(table, columns, rest)
    found = replace(found, predicted=predicted, lengths=lengths, scores=scores)
    if scores is not None and np.isnan(scores).any():
        entry = int(np.flatnonzero(np.isnan(scores))[0])
        where = found.place(found.of_entry(entry))
        raise DataError(f"{where}: the score of {predicted[entry]} is not a number.")
    if not columns.long:
        return found
    if scores is None and columns.rank is not None:
        return _grouped(found, _ranks(table, columns.rank))
    return _grouped(found)


def _true_classes(table: Table, column: int) -> TrueClasses:
    """The cells of the column of true classes, as lists where some hold one; DataError names the
    row of an object."""
    cells = table.columns[column]
    for row, cell in enumerate(cells):
        if isinstance(cell, dict):
            called = _called(table, column).removeprefix(", ") or "in the first column"
            raise DataError(
                f"{table.place(row)}: the true class, {called}, is an object: {str(cell)[:60]!r}."
                " Write a class, or a list of classes."
            )
    try:
        return lists_of_true_classes(cells)
    except DataError as error:
        raise error.at(f"{table.source}: ") from None


#: A wnid, a number, or nothing.
_PLAIN = re.compile(r"(n[0-9]{8}|[\d.]*)")
#: The last column of a header that leaves no room for more predictions.
_ONE_PREDICTION = re.compile(r"\d$|(^|_)(prediction|pred|predicted|guess|class)$")


def _checked_rest(table: Table, columns: Columns) -> list[list[Any]]:
    """The cells behind the header, which go on with the predictions where its last column is one.

    Of names, where it numbers them, or names one prediction, or some lines are longer than others,
    that is one with a comma that is not in quotes, which moves every class behind it by a place.
    """
    rest = table.rest or []
    header = table.header or []
    last = len(header) - 1
    is_open = bool(columns.predicted) and columns.predicted[-1] == last
    if is_open and table.header is not None and any(map(_has_name, rest)):
        alike = len(columns.predicted) == 1 or len({len(cells) for cells in rest}) == 1
        is_open = alike and not _ONE_PREDICTION.search(header[last].lower())
    if table.header is not None and not is_open:
        for row, cells in enumerate(rest):
            if any(cells):
                raise DataError(
                    f"{table.place(row)}: {last + 1 + len(cells)} cells, but the header has"
                    f" {last + 1}. Put a name with a comma in it in quotes."
                )
        return []
    return rest


def _has_name(cells: list[Any]) -> bool:
    """True if any cell is a name, which a comma could split: not empty, a number or a wnid."""
    return any(not _PLAIN.fullmatch(text(cell)) for cell in cells)


def _predicted(
    table: Table, columns: Columns, rest: list[list[Any]]
) -> tuple[list[str], Ints, Floats | None]:
    """(classes of all rows behind each other, [N] how many each has, their scores)."""
    chosen = [table.columns[column] for column in columns.predicted]
    scored = [table.columns[column] for column in columns.scores]
    if _named_scores(table, columns):
        chosen, scored = scored, []
    if any(is_listed(column) for column in chosen):
        return _listed(table, chosen, scored, rest)
    rows: Any = zip(*map(texts, chosen), strict=True) if chosen else [()] * len(table)
    if rest:
        rows = ((*row, *texts(cells)) for row, cells in zip(rows, rest, strict=True))
    names: list[str] = []
    counts = []
    # row by row: a list of all rows at once is a single step of Python, which no signal interrupts
    for row, named in enumerate(rows):
        if "" in named:
            check_no_gap(named, table.place, row)
            named = [name for name in named if name]
        names += named
        counts.append(len(named))
    lengths = np.array(counts, dtype=np.int64)
    if not scored or len(scored) != len(chosen) or rest:
        return names, lengths, None
    by_row = zip(counts, zip(*scored, strict=True), strict=True)
    cells = [cell for count, row in by_row for cell in row[:count]]
    return names, lengths, _numbers(cells, table, np.repeat(np.arange(len(table)), lengths))


def _named_scores(table: Table, columns: Columns) -> bool:
    """True if the one column of scores holds objects, class -> score."""
    if columns.predicted or len(columns.scores) != 1:
        return False
    return any(isinstance(cell, dict) for cell in table.columns[columns.scores[0]])


def _listed(
    table: Table,
    chosen: list[list[Any]],
    scored: list[list[Any]],
    rest: list[list[Any]],
) -> tuple[list[str], Ints, Floats | None]:
    """``_predicted`` where cells hold lists."""
    names, scores, lengths = [], [], []
    for row in range(len(table)):
        pairs = [pair for column in chosen for pair in _pairs(column[row], table, row)]
        pairs += [(name, None) for name in texts(rest[row] if rest else ()) if name]
        check_no_gap([name for name, _ in pairs], table.place, row)
        values = [value for column in scored for value in elements(column[row])]
        if values:
            if len(values) != len(pairs):
                raise DataError(
                    f"{table.place(row)}: {len(pairs)} classes and {len(values)} scores."
                )
            pairs = [(name, value) for (name, _), value in zip(pairs, values, strict=True)]
        pairs = [(name, score) for name, score in pairs if name]
        scores += [score for _, score in pairs]
        names += [name for name, _ in pairs]
        lengths.append(len(pairs))
    counts = np.array(lengths, dtype=np.int64)
    if all(score is None for score in scores):
        return names, counts, None
    return names, counts, _numbers(scores, table, np.repeat(np.arange(len(table)), counts))


def _pairs(cell: Any, table: Table, row: int) -> list[tuple[str, Any]]:
    """(class, its score or None) of a cell: names, an object of scores, or objects with a class and
    a score each."""
    if isinstance(cell, dict):
        if not any(key in cell for key in _CLASS_KEYS):
            return [(text(name), score) for name, score in cell.items()]
        cell = [cell]
    pairs = []
    for item in elements(cell):
        if isinstance(item, dict):
            key = next((key for key in _CLASS_KEYS if key in item), None)
            if key is None:
                raise DataError(
                    f"{table.place(row)}: an object with {', '.join(item) or 'nothing'} names no"
                    " class; call it label."
                )
            score = next((item[name] for name in _SCORE_KEYS if name in item), None)
            pairs.append((text(item[key]), score))
        else:
            if item == "..." or isinstance(item, list | tuple):
                if (pair := decoded(item)) is None:
                    raise DataError(
                        f"{table.place(row)}: expected a list of classes, of [wnid, name, score],"
                        f" or of objects with label and score; got {str(cell)[:60]!r}."
                    )
                pairs.append(pair)
                continue
            pairs.append((text(item), None))
    return pairs


def _numbers(cells: Sequence[Any], table: Table, rows: Ints, which: str = "") -> Floats:
    """Cells as numbers, nan for a missing one; DataError names a cell that holds no number, and its
    column (``which``)."""
    kinds = set(map(type, cells))
    plain = bytes not in kinds and str not in kinds
    if plain or (kinds == {str} and are_ascii(cells)):
        try:
            found = np.array(cells, dtype=np.float64)
        except (TypeError, ValueError):
            found = None
        if found is not None and found.ndim == 1:  # a list may stand in a cell
            return found
    values = []
    for cell, row in zip(cells, rows.tolist(), strict=True):
        value = _value(cell)
        if value is None:
            left_out = (
                " The file was written with numbers left out, as numpy prints long arrays: write it"
                " again with all of them, as .npz, Parquet or JSON."
            )
            raise DataError(
                f"{table.place(row)}: {shown(cell)} is not a score{which}."
                f"{left_out if str(cell) == '...' else ''}"
            )
        values.append(value)
    return np.array(values, dtype=np.float64)


def _value(cell: Any) -> float | None:
    """Number of a cell, nan if the cell is empty; None if it holds no number."""
    said = text(cell)
    return number_of(said if isinstance(cell, str | bytes) else cell) if said else float("nan")


def _matrix(table: Table, columns: list[int]) -> Floats:
    """[N, C] the scores of all classes: columns of numbers, or one of lists."""
    cells = [table.columns[column] for column in columns]
    every = np.arange(len(table))
    if not is_listed(cells[0]):
        named = zip(columns, cells, strict=True)
        matrix = np.stack(
            [_numbers(each, table, every, _called(table, column)) for column, each in named], axis=1
        )
    else:
        lists = [elements(cell) for cell in cells[0]]
        for row, values in enumerate(lists):
            if len(values) != len(lists[0]):
                raise DataError(
                    f"{table.place(row)}: {len(values)} scores, but the first row has"
                    f" {len(lists[0])}."
                )
        flat = list(chain.from_iterable(lists))
        matrix = _numbers(flat, table, np.repeat(every, len(lists[0]))).reshape(len(table), -1)
    bad = np.argwhere(np.isnan(matrix))
    if len(bad):
        row, column = bad[0].tolist()
        which = _called(table, columns[column]) if len(columns) > 1 else f", that of place {column}"
        alone = matrix.shape[1] > 1 and bool(np.isnan(matrix[:, column]).all())
        rest = " No row has one there: take the column out, or fill it." if alone else ""
        raise DataError(f"{table.place(row)}: a score is not a number{which}.{rest}")
    return matrix


def _called(table: Table, column: int) -> str:
    """Name the column that a message is about."""
    return f", in column {table.header[column]!r}" if table.header else ""


def _ranks(table: Table, column: int) -> Floats:
    """[N] the place of each row's prediction."""
    ranks = _numbers(table.columns[column], table, np.arange(len(table)))
    bad = np.flatnonzero(np.isnan(ranks))
    if len(bad):
        raise DataError(f"{table.place(int(bad[0]))}: the rank is not a number.")
    return ranks


def _grouped(rows: Samples, ranks: Floats | None = None) -> Samples:
    """One sample per file, of rows with one prediction each, which ``ranks`` order."""
    table, files = rows.table, rows.files or []
    if (rows.lengths != 1).any():
        row = int(np.flatnonzero(rows.lengths != 1)[0])
        raise DataError(f"{rows.place(row)}: no class is predicted.")
    numbers: dict[str, int] = {}
    sample = np.array([numbers.setdefault(file, len(numbers)) for file in files], dtype=np.int64)
    first = np.unique(sample, return_index=True)[1].tolist()
    labels: list[Any] | None = rows.column
    if labels is not None:
        for row, number in enumerate(sample.tolist()):
            if labels[row] != labels[first[number]]:
                raise DataError(
                    f"{rows.place(row)}: {files[row]} is of class {labels[row]} here and of class"
                    f" {labels[first[number]]} in {rows.place(first[number])}."
                )
        labels = [labels[row] for row in first]
    said = counted(len(numbers), "sample")
    log(f"{table.source}: {said} in {len(sample):,} rows, one per prediction.")
    order = np.argsort(sample, kind="stable")
    if ranks is not None:
        order = np.lexsort((ranks, sample))
        same = (np.diff(ranks[order]) == 0) & (np.diff(sample[order]) == 0)
        if same.any():
            row, other = order[int(np.flatnonzero(same)[0]) :][:2].tolist()
            raise DataError(
                f"{rows.place(other)}: {files[row]} has the same rank in {rows.place(row)}."
            )
    predicted = [rows.predicted[row] for row in order.tolist()]
    return replace(
        rows,
        lines=[table.lines[row] for row in first],
        column=labels,
        files=list(numbers),
        predicted=predicted,
        lengths=np.bincount(sample),
        scores=None if rows.scores is None else rows.scores[order],
        entry_lines=[table.lines[row] for row in order.tolist()],
    )
