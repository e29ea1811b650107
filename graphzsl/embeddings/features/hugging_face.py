"""Images of a data set of Hugging Face's ``datasets``."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.progress import on_terminal
from graphzsl.common.reading.bounds import open_file
from graphzsl.embeddings.features.hub import hub_or_cache

#: What helps where the hub does not answer.
_WITHOUT_HUB = (
    ". The hub of Hugging Face does not answer: give the folder of a copy, hfds/FOLDER, or name in"
    " HF_HOME the cache of a machine that has it."
)


@dataclass(frozen=True, eq=False)
class HuggingFaceImages:
    """The rows of one split, with images as they are stored.

    Args:
        rows: of ``datasets``; ``image_key`` holds the bytes or the path of an image.
        image_key: the column of the images.
        label_key: the column of their classes.
        classes: the names of the class numbers; empty where it has none.
    """

    rows: Any
    image_key: str
    label_key: str
    classes: list[str]

    def __len__(self) -> int:
        return len(self.rows)

    def row(self, number: int) -> tuple[Callable[[], Any], Any]:
        """(what opens the image, its class); ValueError where one of them is missing."""
        row = self.rows[number]
        image, label = row[self.image_key], row[self.label_key]
        if not image or not (image.get("bytes") or image.get("path")):
            raise ValueError(f"has no image ({self.image_key!r} is empty)")
        if label is None:
            raise ValueError(f"has no class ({self.label_key!r} is empty)")
        content = image.get("bytes")
        if content:
            return lambda: io.BytesIO(content), label
        return lambda: open_file(image["path"]), label


def open_hugging_face(name: str, split: str, image_key: str, label_key: str) -> HuggingFaceImages:
    """The images of a data set by its name, or of a folder of one; nothing that it holds is run.

    Raises:
        DataError: it cannot be had, or has no such split or column.
    """
    import datasets
    import pyarrow as pa

    failures = (
        datasets.exceptions.DatasetsError,
        RuntimeError,
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        pa.ArrowException,
    )
    hub = nullcontext(True) if Path(name).exists() else hub_or_cache()
    try:
        with _bars(datasets), hub as has_hub:
            rows = datasets.load_dataset(name, split=split)
    except failures as error:
        raise DataError(
            f"datasets cannot give {name!r}, split {split!r}: {_first_cause(error)}"
            f"{'' if has_hub else _WITHOUT_HUB}"
        ) from None
    columns = list(rows.column_names)
    for argument, key in (("image_key", image_key), ("label_key", label_key)):
        if key not in columns:
            raise DataError(
                f"{name} has no column {key!r}; it has {', '.join(columns)}.", argument=argument
            )
    feature = rows.features[label_key]
    try:
        rows = rows.cast_column(image_key, datasets.Image(decode=False))
    except failures:
        raise DataError(
            f"{name}: the column {image_key!r} holds no images, but {rows.features[image_key]}.",
            argument="image_key",
        ) from None
    return HuggingFaceImages(
        rows, image_key, label_key, list(getattr(feature, "names", None) or ())
    )


@contextmanager
def _bars(datasets: Any) -> Iterator[None]:
    """Progress bars of ``datasets`` on a terminal alone, as ours."""
    if on_terminal() or datasets.are_progress_bars_disabled():
        yield
        return
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        datasets.enable_progress_bars()


def _first_cause(error: BaseException) -> str:
    """First cause of an error, in one line: for a damaged file ``datasets`` says only that
    something failed."""
    while error.__cause__ is not None:
        error = error.__cause__
    lines = str(error).strip("'\"").splitlines() or [type(error).__name__]
    return " ".join(line.strip() for line in lines[:3])[:300]
