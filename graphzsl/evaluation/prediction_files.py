"""Predictions from outside: files and DataFrames of any classifier."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError
from graphzsl.evaluation.prediction_tables import ranked_of_frame, read_ranked
from graphzsl.evaluation.predictions import Predictions, from_rows
from graphzsl.files import read_npz, sha256


def read_predictions(
    path: Path | str,
    classes: Sequence[str] | None = None,
    seen: Sequence[str] = (),
    numbered: bool = False,
    missing: str = "error",
) -> Predictions:
    """Predictions from outside: scores or ranked lists of any classifier.

    ``.npz``: ``scores`` [N, C], ``classes`` [C] and ``labels`` [N], names or positions in
    ``classes``; never unpickled. Other files are tables (``read_ranked`` says which columns count),
    comma or tab; an empty cell ends a list. Scores can tie; lists cannot.

    Args:
        path: the file.
        classes: the candidates of a table (default: every name in it).
        seen: the training classes, for the generalized setting.
        numbered: cells of a table are positions from 0 in ``classes``.
        missing: what a true class is that is not a candidate: error, or miss (its samples count, as
            missed).

    Returns:
        The predictions, with the file's name and checksum.

    Raises:
        DataError: names the file, and its line or key.

    >>> _ = Path("clip.csv").write_text("cat,cat,dog\\ndog,cat,dog\\n")
    >>> gz.read_predictions("clip.csv")
    <Predictions: 2 samples of 2 classes, 2 candidates, lists of 2>
    """
    path = Path(path)
    if path.suffix == ".npz":
        return _read_scores(path, seen, missing)
    rows = read_ranked(path, classes, numbered)
    metadata = {"predictions": path.name, "sha256": sha256(path)}
    return from_rows(rows, classes, f"{path}:", seen, missing, metadata)


def predictions_of_frame(
    frame: Any,
    classes: Sequence[str] | None = None,
    seen: Sequence[str] = (),
    numbered: bool = False,
    missing: str = "error",
) -> Predictions:
    """The same of a pandas DataFrame: columns as in a table with a header, or, where they have no
    names, the true class first."""
    rows = ranked_of_frame(frame, classes, numbered)
    metadata = {"predictions": "a DataFrame"}
    return from_rows(rows, classes, "DataFrame:", seen, missing, metadata)


def _read_scores(path: Path, seen: Sequence[str], missing: str) -> Predictions:
    expected = "scores [N, C], classes [C] and labels [N]"
    scores, names, labels = read_npz(path, "scores", "classes", "labels", expected=expected)
    metadata = {"predictions": path.name, "sha256": sha256(path)}
    try:
        return Predictions.from_scores(
            scores, names, labels, seen=seen, missing=missing, metadata=metadata
        )
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
