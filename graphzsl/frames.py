"""Rows as a pandas DataFrame; pandas is imported when one is made."""

from __future__ import annotations

from collections.abc import Sequence
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
