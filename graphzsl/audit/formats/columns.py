"""Columns of a table that hold the true class, the predicted ones, their scores and the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphzsl.audit.formats.roles import TAXA, place, plain, role
from graphzsl.audit.formats.table import Table, is_listed, text, texts
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import decimal, unsigned
from graphzsl.common.wording import counted, did_you_mean, listed, near

_PREFIX = re.compile(r"(score|prob|logit)s?[_: .-]+", re.IGNORECASE)
_LOOKED_AT = 100  #: rows in which numbers with a fraction are looked for


@dataclass(frozen=True)
class Columns:
    """Numbers of columns.

    ``predicted`` are best first; empty where ``scores`` hold those of all classes. ``classes``
    names these, or is None where they have no names. ``positions`` says that the predictions are
    numbers of a network's outputs, whatever the caller says; ``long``, that a sample has one row
    per prediction, which its score or else ``rank`` orders.
    """

    truth: int | None = None
    predicted: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    file: int | None = None
    rank: int | None = None
    positions: bool = False
    classes: list[str] | None = None
    long: bool = False


@dataclass(frozen=True)
class ColumnNames:
    """Columns that the caller names: the true class, the predictions, best first, their scores."""

    label: str | None = None
    predicted: Sequence[str] = ()
    score: str | None = None

    @property
    def every(self) -> list[str]:
        """All of them."""
        return [each for each in (self.label, *self.predicted, self.score) if each is not None]


def columns_of_table(
    table: Table,
    classes: Sequence[str] | None,
    truth: str | None,
    numbered: bool,
    named: ColumnNames = ColumnNames(),
) -> Columns:
    """Find the columns by their names.

    Without a header the first cell is the true class, unless labels are given, and the others are
    the predictions, best first. A header names the true class (truth, target, label, wnid, …) and
    the predictions: pred, prediction, top1, top2, …, first, second, …, or else the one column that
    is not an id, a file or a score. Where it names no prediction, but a file and a score,
    ``label``, ``class``, ``wnid`` or ``index`` is what was predicted, as timm and transformers
    write it. Columns called 0, 1, 2, … hold scores of all classes.

    Args:
        table: the table.
        classes: the candidates, if they are known.
        truth: column, folder or labels where the caller says it, else None.
        numbered: the caller says that classes are positions.
        named: columns that the caller names.

    Raises:
        DataError: the header names no predictions, several that may be those of several models, or
            no true classes where a column must have them.
    """
    if table.header is None:
        if named.every:
            raise DataError(
                f"{table.source} has no header, so its columns have no names.",
                argument="label_column" if named.label else "pred_column",
            )
        columns = list(range(len(table.columns)))
        return Columns(predicted=columns) if truth == "labels" else Columns(0, columns[1:])
    names = [plain(name) for name in table.header]
    roles = [role(name) for name in names]
    _take_named(table, named, roles)
    if named.label and truth == "labels":
        raise DataError(
            "The true classes are given, and a column of them, too: one of both counts.",
            argument="label_column",
        )
    if named.score and len(named.predicted) > 1:
        raise DataError(
            "One column of scores is of one column of predictions, not of several.",
            argument="score_column",
        )
    files = [column for column, kind in enumerate(roles) if kind == "file"]
    samples = [column for column, kind in enumerate(roles) if kind == "sample"]
    in_order = [table.header.index(name) for name in named.predicted]
    found = Columns(
        truth=_truth(roles),
        predicted=in_order or _ordered(table, roles, "predicted"),
        scores=_ordered(table, roles, "score"),
        file=next(iter(files), None),
        rank=_first(roles, "rank"),
    )
    unknown = [column for column, kind in enumerate(roles) if not kind and names[column]]
    of_pybioclip = {"file_name", "kingdom", "score"} <= set(names) and not named.predicted
    if of_pybioclip:
        taxon = max(names.index(taxon) for taxon in TAXA if taxon in names)
        found = replace(found, truth=_first(roles, "truth"), predicted=[taxon])
    elif not found.predicted:
        found = _without_predictions(table, found, roles, unknown, classes, truth, numbered)
    elif not named.predicted:
        _refuse_several_models(table, found.predicted, unknown)
        _refuse_gaps(table, found.predicted, unknown)
        _say_misspelt(table, unknown)
    if not found.predicted and not found.scores:
        raise DataError(
            f"{_head(table)}: the header names no column of predictions. Name them top1, top2, … or"
            " prediction; or say which column it is.",
            argument="pred_column",
        )
    if found.truth is None and truth == "column":
        raise no_truth(table)
    if found.truth is not None and truth in (None, "column") and not of_pybioclip:
        _refuse_other_truth(table, found, roles)
    named_by = [*files, *samples]
    if found.file is None or found.file in found.predicted:
        found = replace(found, file=next((c for c in named_by if c not in found.predicted), None))
    return _one_row_per_prediction(table, found)


#: Role that a column is given -> the roles of others that say nothing beside it.
_LIKE = {"truth": ("truth", "label"), "predicted": ("predicted", "score"), "score": ("score",)}


def _take_named(table: Table, named: ColumnNames, roles: list[str]) -> None:
    """Give the columns that the caller names their roles, and take these from all others."""
    chosen = (
        ("label_column", "truth", [named.label] if named.label else []),
        ("pred_column", "predicted", [*named.predicted]),
        ("score_column", "score", [named.score] if named.score else []),
    )
    header = table.header or []
    taken = {name for _, _, names in chosen for name in names}
    for argument, kind, names in chosen:
        if not names:
            continue
        for name in names:
            if name not in header:
                offer = did_you_mean(near(name, header, 1))
                raise DataError(
                    f"{_head(table)}: no column is called {name!r}; there are {listed(header)}."
                    f"{offer}",
                    argument=argument,
                )
        for column, each in enumerate(roles):
            if each in _LIKE[kind] and header[column] not in taken:
                roles[column] = "skipped"
        for name in names:
            roles[header.index(name)] = kind


def _refuse_other_truth(table: Table, found: Columns, roles: list[str]) -> None:
    """DataError where two columns may hold the true classes, and differ in a row; a column of
    numbers beside one of names says the same in two ways."""
    taken = found.truth or 0
    for other, kind in enumerate(roles):
        if kind not in ("truth", "label") or other in (taken, *found.predicted):
            continue
        first, second = texts(table.columns[taken]), texts(table.columns[other])
        pairs = enumerate(zip(first, second, strict=True))
        row = next((row for row, (one, two) in pairs if one and two and one != two), None)
        numbered = [
            all(unsigned(each) is not None for each in own if each) for own in (first, second)
        ]
        if row is not None and numbered[0] == numbered[1]:
            both = " and ".join(_name(table, column) for column in sorted((taken, other)))
            raise DataError(
                f"{table.place(row)}: {both} may each hold the true class, and differ here. Say"
                " which column it is.",
                argument="label_column",
            )


#: A name that says that a column holds predictions, such as those of a model beside its own.
_SAYS_PREDICTED = re.compile(r"(?:^|_)(?:preds?|predictions?|predicted|guess)(?:_|$)")


def _refuse_several_models(table: Table, columns: list[int], unknown: list[int]) -> None:
    """DataError where two columns of predictions are of one place, or one of the ``unknown`` says
    that it holds predictions, and has classes of theirs: those of two models."""
    places = [place(_name(table, column)) for column in columns]
    if len(set(places)) < len(places):
        raise _which(table, columns)
    named = [column for column in unknown if _SAYS_PREDICTED.search(plain(_name(table, column)))]
    if not named:
        return
    classes = {text(cell) for column in columns for cell in table.columns[column]} - {""}
    others = [
        column for column in named if not classes.isdisjoint(map(text, table.columns[column]))
    ]
    if others:
        raise _which(table, sorted((*columns, *others)))


def _which(table: Table, columns: Sequence[int]) -> DataError:
    said = listed([_name(table, column) for column in columns])
    return DataError(
        f"{_head(table)}: {said} may each hold predictions, of several models. Say which column is"
        " to be evaluated; or, where they are one model's, best first, name them top1, top2, …",
        argument="pred_column",
    )


def _refuse_gaps(table: Table, predicted: list[int], unknown: list[int]) -> None:
    """DataError where the numbered columns of predictions leave out a place, such as top1, top3:
    what stands behind it would count as a place better than it is."""
    places = {place(_name(table, column)) for column in predicted}
    # a single column may be called top5 and hold five
    if len(predicted) == 1 and is_listed(table.columns[predicted[0]]):
        return
    first = min(places) if min(places) < 2 else 1
    lacking = next((each for each in range(first, max(places)) if each not in places), None)
    if lacking is None:
        return
    named = ", ".join(_name(table, column) for column in predicted)
    best = re.sub(r"\d+\Z", "", _name(table, predicted[-1])) + str(lacking)
    close = near(best, [_name(table, column) for column in unknown], 1)
    meant = f" Is it {close[0]!r}?" if close else ""
    raise DataError(
        f"{_head(table)}: the columns of predictions are {named}, and the one of place {lacking}"
        f" is not there.{meant} Name them from 1 on without a gap."
    )


def _say_misspelt(table: Table, unknown: list[int]) -> None:
    """Log columns that are not read and are spelt nearly as one that would be."""
    known = [f"top{number}" for number in range(1, 11)] + ["prediction", "predicted", "score"]
    for column in unknown:
        name = _name(table, column)
        if close := near(plain(name), known, 1):
            log(f"{table.source}: the column {name!r} is not read; is {close[0]!r} meant?")


def no_truth(table: Table, why: str = "") -> DataError:
    """The error for a table in which nothing says what is true."""
    given = listed(table.header or ())
    reads = (
        f"none of {given} is a candidate, and as a header it names"
        if table.guessed
        else f"the columns {given} name"
    )
    return DataError(
        f"{_head(table)}: {reads} no column of true classes. Name it label, true, truth, target or"
        f" wnid; or give a file of labels.{why}",
        argument="labels",
    )


def _head(table: Table) -> str:
    return f"{table.source}:1" if table.guessed else table.source


def _first(roles: Sequence[str], wanted: str) -> int | None:
    return next((column for column, kind in enumerate(roles) if kind == wanted), None)


def _truth(roles: Sequence[str]) -> int | None:
    """The true class: a name that says nothing else counts before one that may be either."""
    return _first(roles, "label" if "truth" not in roles else "truth")


def _ordered(table: Table, roles: Sequence[str], kind: str) -> list[int]:
    found = [column for column, each in enumerate(roles) if each == kind]
    return sorted(found, key=lambda column: place((table.header or [])[column]))


def _without_predictions(
    table: Table,
    found: Columns,
    roles: list[str],
    unknown: list[int],
    classes: Sequence[str] | None,
    truth: str | None,
    numbered: bool,
) -> Columns:
    """The columns of a table that has none that is called a prediction."""
    label, index = _first(roles, "label"), _named(table, "index")
    true = _first(roles, "truth")
    several = {kind: _ordered(table, roles, f"{kind}_i") for kind in ("label", "index")}
    scored = bool(found.scores) and (found.file is not None or index is not None)
    if several["index"] and (numbered or not several["label"]):
        return replace(found, predicted=several["index"], positions=True)
    if several["label"]:
        return replace(found, predicted=several["label"])
    if (
        not unknown
        and index is not None
        and scored
        and (numbered or label is None)
        and _one_score_each(table, found, index)
    ):
        given = None if truth != "column" and true is None and label is None else found.truth
        return replace(found, truth=given, predicted=[index], positions=True)
    elsewhere = truth in ("folder", "labels")
    one_of_them = (scored and found.file is not None) or elsewhere
    if label is not None and one_of_them and not unknown and _one_score_each(table, found, label):
        return replace(found, truth=true, predicted=[label])
    if len(unknown) > 1 and {_name(table, each) for each in unknown} == {
        str(place) for place in range(len(unknown))
    }:
        by_number = sorted(unknown, key=lambda each: int(_name(table, each)))
        return replace(found, scores=by_number, positions=True)
    true_column = found.truth if truth != "labels" else None
    if by_class := _scores_by_class(table, unknown, classes, true_column):
        return replace(found, scores=list(by_class), classes=list(by_class.values()))
    if unknown:
        if label is not None and _is_long(table, replace(found, predicted=[label])):
            return replace(found, truth=true, predicted=[label])
        _refuse_numbers(table, unknown, classes, found.truth)
        if len(unknown) > 1:
            is_known = found.truth is not None or truth is not None or found.file is not None
            raise _which(table, unknown) if is_known else no_truth(table)
        log(f"{table.source}: the column {_name(table, unknown[0])!r} holds the predictions.")
        return replace(found, predicted=unknown)
    # scores of all classes without their names: one list per row, or numbered columns
    return found if _of_all(table, found) else replace(found, scores=[])


def _refuse_numbers(
    table: Table, columns: list[int], classes: Sequence[str] | None, true_column: int | None
) -> None:
    """DataError for columns that would be predictions, and hold numbers with a fraction: scores
    under a name that says nothing, or is misspelt."""
    true = () if true_column is None else map(text, table.columns[true_column])
    known = {*(classes or ()), *true}
    for column in columns:
        cells = [cell for cell in map(text, table.columns[column]) if cell and cell not in known]
        numbers = [_number(cell) for cell in cells[:_LOOKED_AT]]
        if None in numbers or not any(map(_has_fraction, numbers)):
            continue
        name = _name(table, column)
        close = near(plain(name), ["score", "prob", "probability", "logit", "confidence"], 1)
        meant = f" Is {close[0]!r} meant?" if close else ""
        raise DataError(
            f"{_head(table)}: the column {name!r} holds numbers such as {cells[0]}, which are no"
            f" classes.{meant} Name scores score, and predictions prediction or top1, top2, …"
        )


def _has_fraction(value: float | None) -> bool:
    return value is not None and value == value and not value.is_integer()


def _one_score_each(table: Table, found: Columns, column: int) -> bool:
    """True if a column can be predicted classes: each prediction has a score of its own, rather
    than one score for every class."""
    return is_listed(table.columns[column]) or not _of_all(table, found)


def _of_all(table: Table, found: Columns) -> bool:
    if len(found.scores) == 1:
        return is_listed(table.columns[found.scores[0]])
    return len(found.scores) > 1 and len({place(_name(table, c)) for c in found.scores}) > 1


def _name(table: Table, column: int) -> str:
    return (table.header or [])[column]


def _named(table: Table, name: str) -> int | None:
    names = [plain(each) for each in table.header or ()]
    return names.index(name) if name in names else None


def _scores_by_class(
    table: Table, columns: list[int], classes: Sequence[str] | None, true_column: int | None
) -> dict[int, str] | None:
    """Column -> the class that it is called by, where the cells of all are numbers; None otherwise.
    Where every one of ``classes`` has a column, other columns are skipped.

    Whole numbers may be ranked lists of class numbers: they are scores where the columns are called
    by ``classes``, or by all true classes.
    """
    if not len(table):
        return None
    names = [_name(table, column) for column in columns]
    short = [_PREFIX.sub("", name, count=1) for name in names]
    wanted = set(classes or ())
    for called in (names, short) if classes is not None else ():
        if wanted.issubset(called):
            kept = [place for place, name in enumerate(called) if name in wanted]
            if skipped := [name for place, name in enumerate(names) if place not in kept]:
                said = counted(len(skipped), "column")
                log(f"{table.source}: {said} skipped, not of a class: {', '.join(skipped[:5])}.")
            columns, names = [columns[place] for place in kept], [called[place] for place in kept]
            break
    else:
        if all(_PREFIX.match(name) for name in names):
            names = short
    if len(columns) < 2:
        return None
    # a cell of a score may be missing, of which the reader of scores names row and column
    firsts = [table.columns[column][0] for column in columns]
    if any(text(cell) and _number(cell) is None for cell in firsts) or not any(map(text, firsts)):
        return None
    fractions = (
        _has_fraction(value)
        for column in columns
        for value in map(_number, table.columns[column][:_LOOKED_AT])
    )
    named = classes is not None and set(classes) <= set(names)
    if not named and true_column is not None:
        named = set(map(text, table.columns[true_column])) <= set(names)
    return dict(zip(columns, names, strict=True)) if named or any(fractions) else None


def _number(cell: object) -> float | None:
    return decimal(text(cell))


def _is_long(table: Table, found: Columns) -> bool:
    """True if some sample has several rows, each with one class and its score."""
    if found.file is None or len(found.predicted) != 1 or len(found.scores) != 1:
        return False
    columns = [table.columns[column] for column in (*found.predicted, *found.scores)]
    if any(is_listed(column) for column in columns):
        return False
    names = table.columns[found.file]
    return len(set(map(text, names))) < len(names)


def _one_row_per_prediction(table: Table, found: Columns) -> Columns:
    """The columns, marked ``long`` if a sample has several rows; DataError if nothing orders
    these."""
    if _is_long(table, found):
        return replace(found, long=True)
    if found.file is None or any(is_listed(table.columns[c]) for c in found.predicted):
        return found
    if not found.predicted or (len(found.predicted) > 1 and found.rank is None):
        return found
    first: dict[str, int] = {}
    for row, name in enumerate(map(text, table.columns[found.file])):
        if not name or first.setdefault(name, row) == row:
            continue
        if found.rank is not None and len(found.predicted) == 1:
            return replace(found, scores=[], long=True)
        several = ", ".join(_name(table, column) for column in found.predicted)
        why = (
            f"and several columns hold a prediction ({several}). Keep one of them"
            if len(found.predicted) > 1
            else "and no column of scores or of ranks orders its predictions. Name one score or"
            " rank; or give every sample a name of its own"
        )
        raise DataError(
            f"{table.place(row)}: {name!r} ({_name(table, found.file)}) is there in"
            f" {table.place(first[name])} too, {why}."
        )
    return found
