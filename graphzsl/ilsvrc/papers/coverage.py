"""Systems, the 171 things that the five papers define: which are here, where, and which test holds
them to what is published."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.wording import did_you_mean, near
from graphzsl.sources.printed_rows import printed_rows

PATH = Path(__file__).parent / "systems.tsv"
#: Columns of the file, in the order of ``System.row``.
COVERAGE_COLUMNS = ("id", "state", "what", "where", "why", "published", "ours", "tests")
#: States of a system: computed here for any data; some of it; nothing.
STATES = ("here", "partly", "not here")
#: Letter of an id -> its paper.
PAPERS = {
    "D": "Frome et al. 2013",
    "G": "Hascoet et al. 2019",
    "P": "Wang et al. 2014",
    "X": "Xian et al. 2017",
    "I": "Russakovsky et al. 2015",
}


@dataclass(frozen=True)
class System:
    """A measure, model, protocol or analysis of a paper, and where it is.

    Args:
        id: a letter for the paper and a number.
        state: here, partly, or not here.
        what: in a few words.
        where: commands as behind ``graphzsl``, and dotted names below it; ``places`` has them in
            full.
        tests: files below ``tests`` in the source.
        published: the paper's figure, where it prints one.
        ours: the figure here, which a test computes.
        why: what is missing, and why.

    >>> gz.papers.system("I21").places
    ('graphzsl.metrics.hits', 'graphzsl audit -k')
    """

    id: str
    state: str
    what: str
    where: tuple[str, ...]
    tests: tuple[str, ...]
    published: str | None
    ours: str | None
    why: str | None

    @property
    def paper(self) -> str:
        """The paper that defines it."""
        return PAPERS[self.id[0]]

    @property
    def places(self) -> tuple[str, ...]:
        """``where`` in full: commands behind ``graphzsl``, and dotted names."""
        return tuple(
            f"graphzsl {each}" if " " in each or "." not in each else f"graphzsl.{each}"
            for each in self.where
        )

    def row(self) -> dict[str, Any]:
        """The system in one row, with its places in full."""
        cells = asdict(self) | {"where": list(self.places), "tests": list(self.tests)}
        return {column: cells[column] for column in COVERAGE_COLUMNS}


@cache
def _all() -> dict[str, System]:
    return {each.id: each for each in read_systems(PATH)}


def systems(state: str | None = None) -> list[System]:
    """Systems, in the order of the papers.

    Args:
        state: only those that are ``here``, ``partly`` here or ``not here``.

    Returns:
        Systems.

    Raises:
        DataError: there is no such state, or the shipped file is damaged.

    >>> len(gz.papers.systems())
    171
    """
    if state is not None and state not in STATES:
        raise DataError(
            f"There is no state {state!r}.{did_you_mean(near(state, STATES))} Known are"
            f" {', '.join(STATES)}."
        )
    return [each for each in _all().values() if state in (None, each.state)]


def system(name: str) -> System:
    """System by its id.

    Args:
        name: such as X21.

    Returns:
        What it is, and where.

    Raises:
        DataError: there is no such id.

    >>> gz.papers.system("X20").where
    ('metrics.per_class',)
    """
    found = _all().get(name.upper())
    if found is None:
        raise DataError(
            f"There is no id {name!r}.{did_you_mean(near(name, _all()))} `graphzsl study papers"
            " systems` lists all."
        )
    return found


def systems_of(text: str) -> list[System]:
    """System of an id, or all of the paper of a letter; DataError where there is none."""
    if len(text) > 1:
        return [system(text)]
    if text.upper() not in PAPERS:
        known = ", ".join(f"{letter} ({paper})" for letter, paper in PAPERS.items())
        raise DataError(f"There is no paper with the letter {text!r}. Known are {known}.")
    return [each for each in systems() if each.id[0] == text.upper()]


def is_system(name: str) -> bool:
    """Answer whether there is a system of that id."""
    return name.upper() in _all()


def read_systems(path: Path) -> list[System]:
    """Rows of a table of systems; DataError names file and line of a wrong one."""
    found: dict[str, System] = {}
    for row in printed_rows(path, COVERAGE_COLUMNS):
        name = row.text("id")
        if name in found or name[0] not in PAPERS:
            raise DataError(f"{path}:{row.line}: {name!r} is a duplicate, or is not an id.")
        found[name] = System(
            name,
            row.one_of("state", STATES),
            row.text("what"),
            _parts(row.known("where")),
            _parts(row.known("tests")),
            row.known("published"),
            row.known("ours"),
            row.known("why"),
        )
    return list(found.values())


def _parts(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";")) if text else ()
