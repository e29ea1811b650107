"""Types of parameters: what a text on the command line may be, and the error where it is not."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from graphzsl import embeddings, sources, splits
from graphzsl.cli.connection import database
from graphzsl.common import (
    DataError,
    SettingsError,
    check_folder_name,
    check_replaceable,
    check_result,
    check_writable,
    checked_suffix,
    decimal,
    shown,
    unsigned,
    whole,
)

#: Names the hierarchy of WordNet's own files.
WORDNET = "wordnet"
#: Turns the hierarchy off where there would be one by default.
NONE = "none"
#: An existing file to read.
INPUT = click.Path(exists=True, path_type=Path)
#: An existing file to read, and no folder.
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class Whole(click.IntRange):
    """A whole number in a range, in ASCII digits as in files: click takes those of every script,
    and ``1_0``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and whole(value.strip()) is None:
            self.fail(f"{shown(value)} is not a valid integer.", param, ctx)
        return super().convert(value, param, ctx)


class Real(click.FloatRange):
    """A number in a range, in ASCII digits; nan and the infinities, which click finds in many a
    range, are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and decimal(value) is None:
            self.fail(f"{shown(value)} is not a valid number.", param, ctx)
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return found


#: What every generator of random numbers can start from; gensim's takes nothing larger.
SEED = Whole(0, 2**32 - 1)


class Read(click.ParamType):
    """A text that a function reads, whose error is a usage error.

    Args:
        name: what --help calls the value.
        read: takes the text; raises ValueError or SettingsError.
    """

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name, self.read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except (ValueError, SettingsError) as error:
            self.fail(str(error), param, ctx)


def _numbers(text: str) -> list[int]:
    found = []
    for part in text.split(","):
        if not (number := unsigned(part.strip())):
            raise ValueError(
                f"{shown(part.strip())} is not a whole number of at least 1. Write one, or several"
                " with commas between them, such as 1,5."
            )
        found.append(number)
    return found


def _weights(text: str) -> list[float]:
    numbers = [decimal(part) for part in text.split(",")]
    found = [each for each in numbers if each is not None and math.isfinite(each) and each > 0]
    if len(found) < len(numbers):
        raise ValueError("expected numbers above 0, separated by commas")
    return found


def _confidence(text: str) -> float:
    share = decimal(text)
    if share is None:
        raise ValueError(f"{shown(text)} is not a valid number.")
    if 0 < share < 1:
        return share
    hint = f": write {share / 100:g} for {share:g} %" if 1 < share < 100 else ""
    raise ValueError(f"{text} is not between 0 and 1{hint}.")


def _new_name(text: str) -> str:
    # --store without a name takes the option behind it
    if not text.strip() or text.startswith("-"):
        raise ValueError(f"expected a name, not {text!r}")
    return text


def _device(text: str) -> str:
    if not re.fullmatch(r"auto|cpu|mps|cuda(:\d+)?", text):
        raise ValueError(f"{text!r} is not auto, cpu, cuda, cuda:N or mps")
    return text


def _scheduler(text: str) -> str:
    from graphzsl.common import check_scheduler

    check_scheduler(text)
    return text


#: Whole numbers of at least 1, separated by commas.
NUMBERS = Read("N,N,…", _numbers)
#: Finite numbers above 0, separated by commas.
WEIGHTS = Read("W,W,…", _weights)
#: A share between 0 and 1, both excluded; 95 is answered with how to write 95 %.
CONFIDENCE = Read("share", _confidence)
#: A name to store data under.
NEW_NAME = Read("NAME", _new_name)
#: One of several GPUs is cuda:1.
DEVICE = Read("auto|cpu|cuda|mps", _device)
#: Processes of this machine, or a scheduler of Dask.
SCHEDULER = Read("local:N|tcp://HOST:PORT", _scheduler)


class Synset(click.ParamType):
    """A noun synset by its wnid, its name or a word that no other synset has; the value is its
    wnid.

    ``of`` is the eager parameter of the command that names a split or class set: if both are
    wrong, the error is about that parameter.
    """

    name = "SYNSET"

    def __init__(self, of: str | None = None) -> None:
        self.of = of

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        text = str(value)
        if sources.WNID.match(text):
            return text
        from graphzsl.database import require_class_set, resolve_wnid

        db = database()
        if ctx is not None and self.of is not None and ctx.params.get(self.of):
            require_class_set(db, splits.resolve_name(ctx.params[self.of]))
        return resolve_wnid(db, text)


class Written(click.Path):
    """A file to write; another suffix than the given ones is a usage error, so that no file holds
    something else than its name says.

    With ``dash``, - is stdout. ``kind`` is what the JSON file will call itself: a file that is
    something else is not replaced.
    """

    def __init__(self, *suffixes: str, dash: bool = False, kind: str | None = None):
        super().__init__(path_type=Path, dir_okay=False, allow_dash=dash)
        self.suffixes, self.kind = suffixes, kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        if self.allow_dash and str(path) == "-":
            return path
        try:
            checked_suffix(path, self.suffixes)
            check_writable(path)
            if self.kind is not None:
                check_result(path, self.kind)
        except DataError as error:
            self.fail(str(error), param, ctx)
        return path


class FileOrFolder(Written):
    """A file to write, or, by a name without a suffix, a folder, which is filled part by part: what
    it may hold already is for the command to say."""

    name = "FILE|FOLDER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(value))
        if path.suffix or path.is_file():
            return super().convert(value, param, ctx)
        try:
            check_writable(path)
        except DataError as error:
            self.fail(str(error), param, ctx)
        return path


class Folder(click.Path):
    """A folder to write; the name of an existing file, one that ends as files do, or a folder that
    may not be replaced, is a usage error.

    ``kind`` is what the manifest will call it; without one (a folder for many things) nothing is
    replaced.
    """

    def __init__(self, kind: str | None = None) -> None:
        super().__init__(path_type=Path, file_okay=False)
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        try:
            check_folder_name(path)
            check_writable(path)
            if self.kind is not None:
                check_replaceable(path, self.kind)
        except DataError as error:
            self.fail(str(error), param, ctx)
        return path


class NameOrFile(click.Path):
    """One of some names, or an existing file to read; a file of that name comes first. Names are
    texts, files are paths."""

    def __init__(self, *names: str) -> None:
        super().__init__(exists=True, path_type=Path)
        self.names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) in self.names and not Path(str(value)).exists():
            return str(value)
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            known = ", ".join(self.names)
            self.fail(f"{str(value)!r} is neither {known} nor an existing file", param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names, and files."""
        names = [CompletionItem(name) for name in self.names if name.startswith(incomplete)]
        return names + super().shell_complete(ctx, param, incomplete)


class HierarchyFolder(click.Path):
    """A folder of an exported hierarchy to read, or the word wordnet where there is no such folder:
    all of WordNet from its own files. Where it is ``optional`` the word none is one, too."""

    def __init__(self, optional: bool = False) -> None:
        super().__init__(exists=True, path_type=Path)
        self.words = (WORDNET, NONE) if optional else (WORDNET,)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) in self.words and not Path(str(value)).exists():
            return str(value)
        return super().convert(value, param, ctx)


class _FileOr(click.Path):
    """An existing file or folder, or a text that is something else by a mark in it; a text."""

    def __init__(self, is_other: Callable[[str], bool]) -> None:
        super().__init__(exists=True)
        self.is_other = is_other

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = str(value)
        return text if self.is_other(text) else str(super().convert(text, param, ctx))


def _is_data_set(text: str) -> bool:
    return text.startswith((embeddings.SHARDS, embeddings.HUGGING_FACE))


#: An existing file, or a URL such as s3://bucket/file, which the command opens.
FILE_OR_URL = _FileOr(lambda text: "://" in text)
#: A folder or a tar that exists; wds/FOLDER or hfds/NAME.
IMAGES = _FileOr(_is_data_set)
