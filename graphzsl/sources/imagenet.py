"""ImageNet class lists: by name from the timm package's data, or from a file of wnids."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from graphzsl.errors import DataError
from graphzsl.files import read_lines
from graphzsl.sources.tables import WNID, UniqueKeys, checked_wnid

#: class set name -> timm's file and what it is
LISTS = {
    "ilsvrc2012": (
        "imagenet_synsets.txt",
        "the 1,000 classes of ILSVRC 2012 (ImageNet-1k), in the challenge's order",
    ),
    "imagenet-fall11": ("imagenet22k_synsets.txt", "the 21,841 classes of the Fall 2011 release"),
    "imagenet-12k": (
        "imagenet12k_synsets.txt",
        "timm's 11,821 classes of Fall 2011 with enough images",
    ),
    "imagenet-21k-goog": (
        "imagenet21k_goog_synsets.txt",
        "the 21,843 classes of Google's ImageNet-21k models",
    ),
    "imagenet-22k-ms": (
        "imagenet22k_ms_synsets.txt",
        "the 21,842 classes of Microsoft's ImageNet-22k models",
    ),
    "imagenet-21k-miil": (
        "imagenet21k_miil_synsets.txt",
        "the 11,221 classes of ImageNet-21K-P, Fall 2011",
    ),
    "imagenet-21k-miil-winter21": (
        "imagenet21k_miil_w21_synsets.txt",
        "the 10,450 classes of ImageNet-21K-P, Winter 2021",
    ),
    "imagenet-a": ("imagenet_a_synsets.txt", "the 200 classes of ImageNet-A"),
    "imagenet-r": ("imagenet_r_synsets.txt", "the 200 classes of ImageNet-R"),
    "mini-imagenet": ("mini_imagenet_synsets.txt", "the 100 classes of mini-ImageNet"),
}


def list_path(name: str) -> Path:
    """The file of a named list inside the installed timm package (which is not imported: that takes
    seconds)."""
    if name not in LISTS:
        raise DataError(
            f"There is no ImageNet list {name!r}. Known: {', '.join(LISTS)}; or give a file of"
            " wnids."
        )
    spec = find_spec("timm")
    if spec is None or not spec.submodule_search_locations:
        raise DataError(
            "The timm package, which carries the ImageNet class lists, is not installed: pip"
            " install timm."
        )
    return Path(spec.submodule_search_locations[0]) / "data" / "_info" / LISTS[name][0]


def read_class_list(path: Path) -> list[tuple[int, str]]:
    """(line, wnid) of a file with one wnid a line; text after the wnid is a comment.

    DataError names file and line of what is no wnid, or is there twice.
    """
    once, rows = UniqueKeys(path), []
    for line, text in read_lines(path):
        wnid = checked_wnid(text.split()[0].rstrip(","), path, line)
        once.add(wnid, line)
        rows.append((line, wnid))
    if not rows:
        raise DataError(f"{path} is empty; expected one wnid a line.")
    return rows


def read_names(path: Path) -> list[str]:
    """The classes of a file with one a line: any text, each once; after a wnid the rest of the line
    is a comment."""
    once, names = UniqueKeys(path), []
    for line, text in read_lines(path):
        first = text.split()[0].rstrip(",")
        name = first if WNID.match(first) else text
        once.add(name, line)
        names.append(name)
    if not names:
        raise DataError(f"{path} is empty; expected one class a line.")
    return names


def named_classes(text: str) -> list[str]:
    """The classes of a file, or of an ImageNet list by its name."""
    if Path(text).is_file():
        return read_names(Path(text))
    if text in LISTS:
        return [wnid for _, wnid in read_class_list(list_path(text))]
    raise DataError(
        f"{text!r} is neither a file nor an ImageNet list. Known lists: {', '.join(LISTS)}."
    )
