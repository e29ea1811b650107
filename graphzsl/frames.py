"""Rows as a pandas DataFrame, which is imported when one is made, and as the table of a
notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from graphzsl.extras import require

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]


def to_frame(rows: Sequence[dict[str, Any]], columns: Sequence[str] = ()) -> pandas.DataFrame:
    """A DataFrame of rows with these columns (default: those of the first row); MissingExtra where
    pandas is not installed."""
    require("pandas")
    import pandas

    return pandas.DataFrame(list(rows), columns=list(columns or (rows[0] if rows else ())))


class Tabular:
    """What has ``rows``: a DataFrame of them, and in a notebook a table under its ``repr``."""

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
