"""Published data that are shipped: ImageNet's class lists, populations and hierarchy, and the
literature's splits and superclasses. ``SOURCES.toml`` names source, licence, size and checksum of
each."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shlex import quote

from graphzsl.common.errors import DataError
from graphzsl.common.wording import did_you_mean, near

FOLDER = Path(__file__).parent
#: What the literature calls a hop split -> its name by the true distance: those names count one hop
#: too many (Hascoet et al. 2019, appendix A). The list published under such a name is
#: ``published-NAME``, and holds other classes.
LITERATURE_NAMES = {"2-hops": "hops-1", "3-hops": "hops-2"}


@dataclass(frozen=True)
class Published:
    """One file of the folder; ``rows`` counts what it lists, ``sha256`` is of the whole file."""

    name: str
    file: str
    #: list, names, superclasses, populations, hierarchy, order or versions
    kind: str
    title: str
    source: str
    licence: str
    rows: int
    sha256: str

    @property
    def path(self) -> Path:
        """Path of the file in the installed package."""
        return FOLDER / self.file


@cache
def published() -> dict[str, Published]:
    """Name -> every file that is shipped."""
    text = (FOLDER / "SOURCES.toml").read_text(encoding="utf-8")
    return {name: Published(name, **fields) for name, fields in tomllib.loads(text).items()}


def class_lists() -> dict[str, Published]:
    """Name -> the lists among them: class sets that need no file."""
    return {name: data for name, data in published().items() if data.kind == "list"}


def named_sets() -> dict[str, Published]:
    """Data set -> the list of its class names with the synsets that they mean."""
    return {
        name.removeprefix("names-"): data
        for name, data in published().items()
        if data.kind == "names"
    }


def list_path(name: str) -> Path:
    """The file of a list; DataError names the known ones, or what loads a file of that name."""
    lists = class_lists()
    if name not in lists and Path(name).is_file():
        raise DataError(
            f"There is no ImageNet list {name!r}: it is a file. Run {loading(name)}.",
        )
    if name not in lists:
        raise DataError(
            f"There is no ImageNet list {name!r}.{did_you_mean(near(name, lists))} Known:"
            f" {', '.join(lists)}; or give a file of classes."
        )
    return lists[name].path


def loading(file: str) -> str:
    """The command that makes a class set of a file."""
    return f"`graphzsl load class-set {quote(Path(file).stem)} --file {quote(file)}`"


def populations_path() -> Path:
    """Images per class of the Fall 2011 release."""
    return published()["imagenet-fall11-populations"].path


def hierarchy_path() -> Path:
    """The edges of the Fall 2011 release's own hierarchy."""
    return published()["imagenet-fall11-hierarchy"].path


def said_of_literature(name: str) -> str:
    """Sentence on the meaning of a name of ``LITERATURE_NAMES`` and the list published under it."""
    listed = class_lists()[f"published-{name}"]
    return (
        f'What the literature calls "{name}" is {LITERATURE_NAMES[name]} by its definition; the'
        f" list of {listed.rows:,} classes published as that is {listed.name}."
    )
