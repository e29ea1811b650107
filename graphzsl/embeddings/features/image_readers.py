"""Images as people have them.

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

Tars are read by timm, webdatasets by ``webdataset``, data sets by ``datasets``. Hidden files and
folders (``.ipynb_checkpoints``) hold no classes.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import check_class_names, named_twice, shown, text_problem
from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.reading.bounds import is_file
from graphzsl.common.reading.tar_files import check_tar
from graphzsl.embeddings.features.folders import class_images, is_hidden, say_hidden
from graphzsl.embeddings.features.hugging_face import open_hugging_face
from graphzsl.embeddings.features.image_source import ImageSource, suffixes
from graphzsl.embeddings.features.shards import find_shards
from graphzsl.names.name_lists import read_name_list
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
    check_source(text, split=split, image_key=image_key, label_key=label_key)
    for prefix, opened in ((SHARDS, _shards), (HUGGING_FACE, _hugging_face)):
        if text.startswith(prefix):
            return opened(text, split, image_key, label_key)
    path = Path(source)
    if path.is_file():
        return _tars(path)
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


def check_source(source: str, **keys: str | None) -> None:
    """DataError for what cannot be a source of images, before anything in it is listed.

    Args:
        source: what ``open_images`` takes.
        keys: ``split``, ``image_key`` and ``label_key``, as far as they are given.
    """
    prefix = next((each for each in (SHARDS, HUGGING_FACE) if source.startswith(each)), "")
    if prefix and not source.removeprefix(prefix).strip("/ "):
        what = "FOLDER, the folder of its shards" if prefix == SHARDS else "NAME, a data set"
        raise DataError(f"{source} names nothing: expected {prefix}{what}.")
    for name, value in keys.items():
        if value is None:
            continue
        if not prefix:
            raise DataError(
                f"{source} has no {name}: that is for {SHARDS}FOLDER and {HUGGING_FACE}NAME alone.",
                argument=name,
            )
        if name != "split" and ("," in value or not value.strip()):
            raise DataError(
                f"{value!r} is no {name}: one key was expected, without a comma"
                f"{'; several are separated by ;' * (name == 'image_key' and prefix == SHARDS)}.",
                argument=name,
            )
    path = Path(source)
    if not prefix and not path.is_dir() and not (path.is_file() and path.suffix == ".tar"):
        raise DataError(
            f"{path} is not a folder; expected one folder of images per class, a .tar of such"
            f" folders, {SHARDS}FOLDER or {HUGGING_FACE}NAME."
        )


def _folders(path: Path) -> ImageSource:
    names = class_images(path)
    folders = [child for child in sorted(path.iterdir()) if child.is_dir()]
    folders = [child for child in folders if not is_hidden(child.name)]
    if not names:
        if folders:
            raise _no_image(folders[0])
        raise DataError(f"{path} has no folder of images; expected one per class.")
    folder_of: dict[str, str] = {}
    labels = []
    for name in names:
        place, slash, _ = name.rpartition("/")
        if not slash:
            raise DataError(
                f"{path / name} lies in no class folder: its class is not known. Move it."
            )
        label = place.rpartition("/")[2]
        known = folder_of.setdefault(label, place)
        if known != place:
            raise DataError(
                f"{label} is a folder in two places, {path / known} and {path / place}: name the"
                " folder that holds the classes once."
            )
        labels.append(label)
    filled = {name.partition("/")[0] for name in names}
    empty = next((child for child in folders if child.name not in filled), None)
    if empty is not None:
        raise _no_image(empty)
    return _sorted(path, "folders", None, names, labels, list(range(len(names))))


def _no_image(folder: Path) -> DataError:
    return DataError(f"{folder} holds no image ({suffixes()}).")


def _tars(path: Path) -> ImageSource:
    from timm.data.readers.reader_image_in_tar import ReaderImageInTar

    # timm's reader ends at a damaged header as if nothing followed
    for tar in [path] if path.is_file() else sorted(path.glob("*.tar")):
        check_tar(tar, IMAGE_SUFFIXES)
    try:
        with _more_suffixes():
            # its cache of what large tars hold would be a pickle beside them
            reader = ReaderImageInTar(str(path), cache_tarinfo=False)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise DataError(f"{path}: not a tar of images ({error}).") from None
    except ValueError:
        raise DataError(f"{path} holds no image ({suffixes()}).") from None
    class_of = {number: name for name, number in reader.class_name_to_idx.items()}
    names, labels, order, hidden = [], [], [], []
    for row, (file, tar, inner) in enumerate(reader.samples):
        name = "/".join(part for part in (tar, inner and inner.name, file.name) if part)
        if is_hidden(name):
            hidden.append(name)
            continue
        label = class_of[int(reader.targets[row])]
        if label in ("", "."):
            raise DataError(f"{path}: {file.name} lies in no class folder.")
        names.append(name)
        labels.append(label)
        order.append(row)
    say_hidden(path, hidden)
    if not names:
        raise DataError(f"{path} holds no image ({suffixes()}).")
    return _sorted(path, "tar", reader, names, labels, order)


def _sorted(
    path: Path, kind: str, reader: Any, names: list[str], labels: list[str], rows: list[int]
) -> ImageSource:
    check_class_names(sorted(set(labels)), f"{path}: classes")
    before = ""
    for name in sorted(names):
        if name == before:
            raise DataError(f"{path}: the image {shown(name)} is there twice. Write it once.")
        if problem := text_problem(name):
            raise DataError(f"{path}: the name of an image {problem}. Rename it.")
        before = name
    order = sorted(range(len(names)), key=lambda row: (labels[row], names[row]))
    return ImageSource(
        str(path),
        kind,
        reader,
        [names[row] for row in order],
        [labels[row] for row in order],
        sorted(set(labels)),
        [rows[row] for row in order] if reader is not None else [],
    )


def _shards(
    text: str, split: str | None, image_key: str | None, label_key: str | None
) -> ImageSource:
    folder = Path(text.removeprefix(SHARDS))
    return ImageSource(
        text,
        "webdataset",
        find_shards(folder, split, image_key, label_key),
        classes=_classnames(folder),
    )


def _classnames(folder: Path) -> list[str]:
    """The names of a webdataset's classes, by number; none where it has no such file."""
    for each in (folder, folder.resolve().parent):
        if is_file(each / CLASSNAMES):
            entries = read_name_list(each / CLASSNAMES).entries
            found = [str(entry.wnid or entry.name) for entry in entries]
            check_class_names(found, str(each / CLASSNAMES))
            if twice := named_twice(found):
                raise DataError(
                    f"{each / CLASSNAMES}: two classes are called {twice!r}. Give each a name of"
                    " its own, or take the file away: classes are called by their numbers then."
                )
            return found
    return []


def _hugging_face(
    text: str, split: str | None, image_key: str | None, label_key: str | None
) -> ImageSource:
    found = open_hugging_face(
        text.removeprefix(HUGGING_FACE), split or "test", image_key or "image", label_key or "label"
    )
    return ImageSource(text, "datasets", found, classes=found.classes)


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
