"""Rows as a pandas DataFrame, which is imported when one is made, and as the table of a notebook;
frames and series of pandas that others give, whose rows have an index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from numbers import Integral
from typing import TYPE_CHECKING, Any

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.progress import log
from graphzsl.common.wording import counted

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]
    import pyarrow


def to_frame(rows: Sequence[dict[str, Any]], columns: Sequence[str] = ()) -> pandas.DataFrame:
    """A DataFrame of rows with these columns (default: those of the first row); MissingExtra where
    pandas is not installed."""
    require("pandas")
    import pandas

    return pandas.DataFrame(list(rows), columns=list(columns or (rows[0] if rows else ())))


def as_table(frame: Any) -> pyarrow.Table:
    """A table of Arrow from a DataFrame of pandas or polars, or from such a table; DataError for
    another object. An index of pandas is no column."""
    import pyarrow

    if isinstance(frame, pyarrow.Table):
        return frame
    if hasattr(frame, "to_arrow"):  # polars
        return frame.to_arrow()
    if not hasattr(frame, "iloc") or not hasattr(frame, "columns"):
        raise DataError(f"A frame is a DataFrame or a table of Arrow, not {type(frame).__name__}.")
    check_one_level(frame.columns)
    try:
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    except (pyarrow.ArrowException, ValueError, TypeError) as error:
        raise DataError(f"The frame cannot be read: {str(error).splitlines()[0]}") from None


def in_order_of(first: Any, second: Any, called: tuple[str, str]) -> Any:
    """``second`` with its rows in the order of ``first``, where both are of pandas and have the
    same index in another order; stderr says so. Anything else as it is.

    An index that counts rows from 0 on says nothing: rows go by their places then, and stderr says
    so where the other index has the same numbers in another order.

    Args:
        first: true classes.
        second: what is said of the same samples.
        called: what messages call the two.

    Raises:
        DataError: the two are of other samples by their indices.
    """
    if not (hasattr(first, "iloc") and hasattr(second, "iloc")):
        return second
    one, other = first.index, second.index
    if one.equals(other):
        return second
    same = len(one) == len(other) and one.is_unique and other.is_unique and one.isin(other).all()
    counts = [_counts_rows(index) for index in (one, other)]
    if any(counts):
        if same:
            unordered, counted_one = called[counts[0]], called[counts[1]]
            log(
                f"{unordered} has an index in another order than {counted_one}, which counts rows:"
                f" rows go by their places. Where the index counts, give both one:"
                f" {unordered}.sort_index()."
            )
        return second
    if same:
        log(f"{called[1]} is put in the order of {called[0]}, by their indices.")
        return second.reindex(one)
    if one.is_unique and other.is_unique:
        lacking = [*one[~one.isin(other)], *other[~other.isin(one)]]
        side = called[1] if len(one) and lacking[0] in set(one) else called[0]
        why = (
            f"{counted(len(lacking), 'row is', 'rows are')} in one of them only; {side} has no row"
            f" {lacking[0]!r}"
        )
    else:
        side, index = (called[1], other) if one.is_unique else (called[0], one)
        why = f"{side} has the row {index[index.duplicated()][0]!r} twice"
    raise DataError(
        f"The indices of {called[0]} and {called[1]} differ, and {why}. Give both one index; or,"
        f" where rows go by their places, {called[0]}.reset_index(drop=True) and"
        f" {called[1]}.reset_index(drop=True)."
    )


def named_columns(values: Any) -> list[str] | None:
    """The names of a frame's columns, of pandas, polars or Arrow; None for another object, and for
    columns that are numbered from 0 on. Other whole numbers, such as those of columns that were put
    in another order, are names.

    DataError for columns of several levels.
    """
    columns = getattr(values, "column_names", getattr(values, "columns", None))
    if columns is None or not hasattr(values, "shape") or len(values.shape) != 2:
        return None
    check_one_level(columns)
    names = list(columns)
    if names != [*range(len(names))] and all(isinstance(name, Integral) for name in names):
        return [str(name) for name in names]
    return names if names and all(isinstance(name, str) for name in names) else None


def places_of_columns(values: Any, names: Sequence[str], called: str) -> list[int] | None:
    """The place of each name among a frame's columns, where these have the names, or the numbers
    of their places, in another order. None where columns go by their places: they are not named,
    have this order, or other names altogether. stderr says which, unless nothing differs.

    Args:
        values: what may be a frame.
        names: what the columns stand for.
        called: what messages call the names.

    Raises:
        DataError: some columns have these names and others do not.
    """
    own = named_columns(values)
    if own is None or own == list(names):
        return None
    numbers = [str(place) for place in range(len(names))]
    if set(own).isdisjoint(names) and set(own) == set(numbers):
        names = numbers
    if set(own).isdisjoint(names):
        log(
            f"the columns of the scores, such as {own[0]!r}, are not called by the {called}: they"
            " go by their places."
        )
        return None
    place_of = {name: place for place, name in enumerate(own)}
    lacking = next((name for name in names if name not in place_of), None)
    if lacking is not None:
        called_so = set(names)
        stray = next((name for name in own if name not in called_so), own[0])
        raise DataError(
            f"the scores have no column {lacking!r}, which is among the {called}; they have"
            f" {stray!r}. Name the columns by the {called}; or, where they go by their places, give"
            " an array: scores.to_numpy()."
        )
    log(f"the columns of the scores are put in the order of the {called}, by their names.")
    return [place_of[name] for name in names]


def check_one_level(columns: Any) -> None:
    """DataError for columns of pandas with several levels: which of them names a class is not
    known."""
    levels = getattr(columns, "nlevels", 1)
    if levels > 1:
        raise DataError(
            f"the columns of the DataFrame have {levels} levels. Keep the one that names them:"
            " frame.columns = frame.columns.get_level_values(-1)."
        )


def _counts_rows(index: Any) -> bool:
    """True if an index is the one that pandas makes for rows without one."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


class Tabular:
    """Base of results with ``rows``: a DataFrame of them, and in a notebook a table under its
    ``repr``."""

    #: Rows that a notebook shows.
    SHOWN = 20

    def rows(self) -> list[dict[str, Any]]:
        """One dict per row, all with the same keys."""
        raise NotImplementedError

    def to_frame(self) -> pandas.DataFrame:
        """``rows`` as a pandas DataFrame; MissingExtra where pandas is not installed."""
        return to_frame(self.rows())

    def _repr_html_(self) -> str:
        rows = self.rows()
        head = _row(rows[0], "th") if rows else ""
        shown = "".join(_row(row.values(), "td") for row in rows[: self.SHOWN])
        more = len(rows) - self.SHOWN
        rest = f"<tr><td>… and {more:,} more</td></tr>" if more > 0 else ""
        caption = escape(repr(self)[1:-1])
        return f"<table><caption>{caption}</caption>{head}{shown}{rest}</table>"


def _row(values: Iterable[Any], cell: str) -> str:
    texts = (format(each, ".4g") if isinstance(each, float) else str(each) for each in values)
    return f"<tr>{''.join(f'<{cell}>{escape(text)}</{cell}>' for text in texts)}</tr>"
