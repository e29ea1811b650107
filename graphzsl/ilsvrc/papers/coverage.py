"""The 171 things that the five papers define: which of them are here, where, and which test holds
them to what is published."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from graphzsl.common.errors import DataError
from graphzsl.common.files import read_lines
from graphzsl.common.wording import counted, did_you_mean, near

PATH = Path(__file__).parent / "systems.tsv"
#: What a line may say: computed here for any data; some of it; nothing.
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


@cache
def _all() -> dict[str, System]:
    return {each.id: each for each in read_systems(PATH)}


def systems(state: str | None = None) -> list[System]:
    """All of them, in the order of the papers.

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
    """One of them by its id.

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
            f"There is no id {name!r}.{did_you_mean(near(name, _all()))} `graphzsl papers systems`"
            " lists all."
        )
    return found


def read_systems(path: Path) -> list[System]:
    """The lines of a table of systems; DataError names file and line of a wrong one."""
    lines = read_lines(path)
    names = [field.name for field in fields(System)]
    found: dict[str, System] = {}
    for number, text in lines[1:]:
        cells = text.split("\t")
        if len(cells) != len(names):
            raise DataError(
                f"{path}:{number}: expected {', '.join(names)}, separated by tabs; got"
                f" {counted(len(cells), 'cell')}."
            )
        one, state, what, where, tests, *rest = cells
        if one in found or one[:1] not in PAPERS:
            raise DataError(f"{path}:{number}: {one!r} is there twice, or is not an id.")
        if state not in STATES:
            raise DataError(
                f"{path}:{number}: {state!r} is not a state; known are {', '.join(STATES)}."
            )
        found[one] = System(
            one,
            state,
            what,
            _parts(where),
            _parts(tests),
            *(None if text == "-" else text for text in rest),
        )
    return list(found.values())


def _parts(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(part.strip() for part in text.split(";"))
