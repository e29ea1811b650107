"""Check that a folder of features is continued as it was begun: with the same images, network and
options."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256_text
from graphzsl.common.wording import listed
from graphzsl.data.feature_folder import part_name
from graphzsl.embeddings.features.image_source import ImageSource

#: What a worker does: the number of a part, and its images: rows, or a shard of a webdataset.
Task = tuple[int, tuple[int, int] | str]


def states(images: ImageSource, tasks: Sequence[Task]) -> list[str]:
    """State of each part, which changes with its images even under the same names: size and
    modification time of its files, its shard or its tars."""
    if images.kind == "datasets":  # which has a state of its own
        return [str(getattr(images.reader.rows, "_fingerprint", ""))] * len(tasks)
    # many parts may have images of the same tar
    stated = cache(_stated) if images.kind == "tar" else _stated
    texts = ("\n".join(map(stated, _files(images, task))) for task in tasks)
    return [sha256_text(text)[:16] for text in texts]


def _stated(file: Path) -> str:
    found = file.stat()
    return f"{found.st_size} {found.st_mtime_ns}"


def _files(images: ImageSource, task: Task) -> list[Path]:
    """The files that the images of a part are read from."""
    place, chosen = Path(images.place), task[1]
    if isinstance(chosen, str):
        return [images.reader.folder / chosen]
    names = images.names[slice(*chosen)]
    if images.kind != "tar":
        return [place / name for name in names]
    tars = {name.partition("/")[0] for name in names}
    return [place] if place.is_file() else [place / tar for tar in sorted(tars)]


def checksum_of_images(images: ImageSource) -> str:
    """The checksum of what images are called."""
    return sha256_text(json.dumps([images.names, images.labels, len(images), images.classes]))


def check_continued(
    out: Path,
    kept: dict[str, Any],
    described: dict[str, Any],
    images: ImageSource,
    tasks: Sequence[Task],
    finished: bool,
) -> None:
    """Check that a folder goes on as it was begun; images of parts that are not there yet may have
    been mended meanwhile.

    Args:
        out: the folder.
        kept: what it says that it is made of.
        described: what it would be made of now.
        images: what ``tasks`` are parts of.
        tasks: the parts.
        finished: whether all parts are there.

    Raises:
        DataError: the folder is made of something else, which is named.
    """
    begun = f"{out} {'holds' if finished else 'is begun with'} features of"
    remedy = "Name another folder, or remove this one."
    had, has = _told(kept), _told(described)
    for name in [*has, *(name for name in had if name not in has)]:
        if had.get(name) != has.get(name):
            values = f"{_said(had.get(name))}, now {_said(has.get(name))}"
            raise DataError(f"{begun} another {name} ({values}). {remedy}")
    now = described["files"]
    before = kept.get("files")
    if not isinstance(before, list) or len(before) != len(now):
        raise DataError(f"{begun} images whose state cannot be read. {remedy}")
    there = [finished or (out / part_name(number)).exists() for number, _ in tasks]
    for task, was, became, is_there in zip(tasks, before, now, there, strict=True):
        if is_there and was != became:
            files = [path.name for path in _files(images, task)] or [images.place]
            raise DataError(
                f"{begun} images that have changed since under the same names: those of"
                f" {part_name(task[0])} ({listed(files, 3)}). {remedy}"
            )


def _told(made_of: dict[str, Any]) -> dict[str, Any]:
    """Facts to compare, under their names in messages; ``files`` are compared apart."""
    told: dict[str, Any] = {}
    for key, value in made_of.items():
        if isinstance(value, dict):
            called = "version of " if key == "versions" else ""
            told |= {f"{called}{inner}": each for inner, each in value.items()}
        elif key != "files":
            told[key] = value
    return told


def _said(value: Any) -> str:
    return "none" if value is None else repr(value)
