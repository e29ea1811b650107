"""Images of a folder of class folders."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.sources.populations import IMAGE_SUFFIXES


def class_images(root: Path) -> list[str]:
    """The images of a folder, at any depth, as paths within it; links are followed.

    Hidden files and folders (``.git``, ``.ipynb_checkpoints``) hold no classes: they are left out,
    and it is said. Folders without an image are in no path.

    Raises:
        DataError: a folder cannot be read, or is a link to one that it lies in.
    """
    found: list[str] = []
    hidden: list[str] = []
    _collect(root, "", {_identity(root)}, found, hidden)
    say_hidden(root, hidden)
    return found


def is_hidden(name: str) -> bool:
    """True if a file or one of its folders is hidden: its name begins with a dot, or is one that
    macOS adds to an archive."""
    return any(_is_hidden(part) for part in PurePosixPath(name).parts if part != "..")


def _is_hidden(part: str) -> bool:
    return part.startswith(".") or part == "__MACOSX"


def say_hidden(place: Path | str, hidden: list[str]) -> None:
    """Say that hidden files and folders were left out, where there are such."""
    if hidden:
        count = counted(len(hidden), "hidden file or folder", "hidden files and folders")
        log(f"{place}: {count} left out, e.g. {min(hidden)}.")


def _collect(
    folder: Path,
    inside: str,
    above: set[tuple[int, int]],
    found: list[str],
    hidden: list[str],
) -> None:
    try:
        entries = list(os.scandir(folder))
        for entry in entries:
            name, is_folder = inside + entry.name, entry.is_dir()
            is_image = os.path.splitext(entry.name)[1].lower() in IMAGE_SUFFIXES
            if _is_hidden(entry.name):
                hidden += [name] if is_folder or is_image else []
            elif is_folder:
                own = _identity(Path(entry.path))
                if own in above:
                    raise DataError(
                        f"{entry.path} is a link to a folder that it lies in. Remove the link."
                    )
                _collect(Path(entry.path), f"{name}/", above | {own}, found, hidden)
            elif is_image:
                found.append(name)
    except OSError as error:
        raise DataError(
            f"{error.filename or folder} cannot be read: {error.strerror}. Mend it, or take it"
            " away."
        ) from None


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino
