"""Rows as a pandas DataFrame; pandas is imported when one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphzsl.errors import DataError

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]


def to_frame(rows: Sequence[dict[str, Any]], columns: Sequence[str] = ()) -> pandas.DataFrame:
    """A DataFrame of rows with these columns (default: those of the first row); DataError where
    pandas is not installed."""
    try:
        import pandas
    except ImportError:
        raise DataError(
            "A DataFrame needs pandas, which is not installed: pip install pandas."
        ) from None
    return pandas.DataFrame(list(rows), columns=list(columns or (rows[0] if rows else ())))
