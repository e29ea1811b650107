"""Images as people have them, opened through timm's readers.

==================  ==============================================================================
given as            what it is
==================  ==============================================================================
``FOLDER``          a folder per class, at any depth; a class is the name of its innermost folder
``FILE.tar``        the same in a tar, or a tar of one tar per class
``FOLDER``          with tars alone in it: one tar per class, or tars with a folder per class
``wds/FOLDER``      shards of a webdataset; ``.cls`` holds class numbers, ``classnames.txt`` in the
                    folder or above it their names
``hfds/NAME``       a data set of Hugging Face's ``datasets``, by its name or a folder of it
==================  ==============================================================================
"""

from __future__ import annotations

import logging
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphzsl.data.name_lists import read_name_list
from graphzsl.errors import DataError
from graphzsl.extras import require
from graphzsl.features.image_source import SHARD_LOG, ImageSource, suffixes
from graphzsl.sources.populations import IMAGE_SUFFIXES

#: What stands before the name of a data set of another kind than folders and tars.
SHARDS, HUGGING_FACE = "wds/", "hfds/"
#: Names of the classes of a webdataset, in the order of its class numbers.
CLASSNAMES = "classnames.txt"


def open_images(
    source: Path | str,
    *,
    split: str | None = None,
    image_key: str | None = None,
    label_key: str | None = None,
) -> ImageSource:
    """Images of a folder, tars, a webdataset or a data set of Hugging Face; none is read yet.

    Args:
        source: see the table above.
        split: the split of a ``datasets`` data set (default: test); of a webdataset a split of its
            ``_info.json``, or its shards, ``val-{00..63}.tar`` (default: every tar).
        image_key: what holds the image (default: image; of a webdataset ``jpg;png;webp``).
        label_key: what holds the class (default: label; of a webdataset ``.cls``, else a key of
            its JSON).

    Returns:
        The images; those of folders and tars sorted by class and name.

    Raises:
        DataError: there is nothing of the kind, a class folder without an image, an image outside
            of any class folder, or a class folder that lies in two places.
        MissingExtra: timm, webdataset or datasets is not installed.
    """
    text = str(source)
    require_reader(text)
    if text.startswith(SHARDS):
        return _shards(text, split, image_key, label_key)
    if text.startswith(HUGGING_FACE):
        return _hugging_face(text, split or "test", image_key or "image", label_key or "label")
    given = {"split": split, "image_key": image_key, "label_key": label_key}
    for name, value in given.items():
        if value is not None:
            raise DataError(
                f"{text} has no {name}: that is for {SHARDS}FOLDER and {HUGGING_FACE}NAME alone.",
                argument=name,
            )
    path = Path(source)
    if path.is_file() and path.suffix == ".tar":
        return _tars(path)
    if not path.is_dir():
        raise DataError(
            f"{path} is not a folder; expected one folder of images per class, a .tar of such"
            f" folders, {SHARDS}FOLDER or {HUGGING_FACE}NAME."
        )
    children = [child for child in path.iterdir() if not child.name.startswith(".")]
    if any(child.suffix == ".tar" for child in children) and not any(
        child.is_dir() for child in children
    ):
        return _tars(path)
    return _folders(path)


def require_reader(source: str) -> None:
    """MissingExtra where what reads this source is not installed."""
    if source.startswith(SHARDS):
        require("webdataset")
    if source.startswith(HUGGING_FACE):
        require("datasets")
    require("timm", "PIL", extra="images")


def _folders(path: Path) -> ImageSource:
    from timm.data.readers.reader_image_folder import ReaderImageFolder

    empty = DataError(f"{path} has no folder of images; expected one per class.")
    try:
        reader = ReaderImageFolder(str(path), input_key=";".join(sorted(IMAGE_SUFFIXES)))
    except RuntimeError:
        if below := sorted(child for child in path.iterdir() if child.is_dir()):
            raise _no_image(below[0]) from None
        raise empty from None
    files = [Path(file) for file, _ in reader.samples]
    names = [file.relative_to(path).as_posix() for file in files]
    labels = [file.parent.name for file in files]
    folder_of: dict[str, Path] = {}
    for file, name, label in zip(files, names, labels, strict=True):
        if "/" not in name:
            raise DataError(f"{file} lies in no class folder: its class is not known. Move it.")
        known = folder_of.setdefault(label, file.parent)
        if known != file.parent:
            raise DataError(
                f"{label} is a folder in two places, {known} and {file.parent}: name the folder"
                " that holds the classes once."
            )
    filled = {name.partition("/")[0] for name in names}
    for child in sorted(path.iterdir()):
        if child.is_dir() and child.name not in filled:
            raise _no_image(child)
    return _sorted(path, "folders", reader, names, labels)


def _no_image(folder: Path) -> DataError:
    return DataError(f"{folder} holds no image ({suffixes()}).")


def _tars(path: Path) -> ImageSource:
    from timm.data.readers.reader_image_in_tar import ReaderImageInTar

    try:
        with _more_suffixes():
            # its cache of what large tars hold would be a pickle beside them
            reader = ReaderImageInTar(str(path), cache_tarinfo=False)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise DataError(f"{path}: not a tar of images ({error}).") from None
    except ValueError:
        raise DataError(f"{path} holds no image ({suffixes()}).") from None
    class_of = {number: name for name, number in reader.class_name_to_idx.items()}
    labels = [class_of[int(target)] for target in reader.targets]
    names = []
    for (file, tar, inner), label in zip(reader.samples, labels, strict=True):
        if not label:
            raise DataError(f"{path}: {file.name} lies in no class folder.")
        names.append("/".join(part for part in (tar, inner and inner.name, file.name) if part))
    return _sorted(path, "tar", reader, names, labels)


def _sorted(path: Path, kind: str, reader: Any, names: list[str], labels: list[str]) -> ImageSource:
    order = sorted(range(len(names)), key=lambda row: (labels[row], names[row]))
    return ImageSource(
        str(path),
        kind,
        reader,
        [names[row] for row in order],
        [labels[row] for row in order],
        sorted(set(labels)),
        order,
    )


def _shards(
    text: str, split: str | None, image_key: str | None, label_key: str | None
) -> ImageSource:
    from timm.data.readers.reader_wds import ReaderWds

    folder = Path(text.removeprefix(SHARDS))
    if not folder.is_dir():
        raise DataError(f"{folder} is not a folder; expected the shards (.tar) of a webdataset.")
    if split is None:
        tars = sorted(child.name for child in folder.glob("*.tar"))
        if not tars:
            raise DataError(f"{folder} holds no shard (.tar) of a webdataset.")
        split = "::".join(tars)
    elif ":" in split.replace("::", "") or "/" in split:
        # webdataset runs what stands behind pipe:
        raise DataError(f"{split!r} is neither a split nor names of shards.", argument="split")
    given = {"input_key": image_key, "target_key": label_key}
    keys: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    try:
        with _quiet(SHARD_LOG):
            reader = ReaderWds(str(folder.resolve()), split=split, **keys)
    except (RuntimeError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"{folder}: {error}", argument="split") from None
    for name in reader.split_info.filenames:
        if not (folder / name).is_file():
            raise DataError(f"{folder / name} does not exist; it is a shard of {split!r}.")
    return ImageSource(text, "webdataset", reader, classes=_classnames(folder))


def _classnames(folder: Path) -> list[str]:
    """The names of a webdataset's classes, by number; none where it has no such file."""
    for each in (folder, folder.resolve().parent):
        if (each / CLASSNAMES).is_file():
            entries = read_name_list(each / CLASSNAMES).entries
            return [str(entry.wnid or entry.name) for entry in entries]
    return []


def _hugging_face(text: str, split: str, image_key: str, label_key: str) -> ImageSource:
    from timm.data.readers.reader_hfds import ReaderHfds

    name = text.removeprefix(HUGGING_FACE)
    try:
        reader = ReaderHfds(name, split=split, input_key=image_key, target_key=label_key)
    except (RuntimeError, OSError, ValueError, KeyError) as error:
        said = str(error).strip("'\"").splitlines() or [type(error).__name__]
        raise DataError(f"datasets cannot give {name!r}, split {split!r}: {said[0]}") from None
    numbers = {number: each for each, number in reader.class_to_idx.items()}
    return ImageSource(
        text, "datasets", reader, classes=[numbers[each] for each in sorted(numbers)]
    )


@contextmanager
def _more_suffixes() -> Iterator[None]:
    """Let timm know the suffixes of images that we know, while it looks for some."""
    from timm.data import get_img_extensions, set_img_extensions

    before = get_img_extensions()
    set_img_extensions((*before, *sorted(IMAGE_SUFFIXES)))
    try:
        yield
    finally:
        set_img_extensions(before)


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """No message of a logger below an error."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
