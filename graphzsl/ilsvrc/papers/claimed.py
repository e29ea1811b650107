"""Claims of the papers about their tables, each with the verdict of the printed numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted
from graphzsl.ilsvrc.papers.coverage import is_system, system
from graphzsl.ilsvrc.papers.printed import PrintedTable, table, tables
from graphzsl.sources.printed_rows import printed_rows

PATH = Path(__file__).parent / "claims.tsv"
#: Columns of the file, and of ``Claim.row``.
CLAIM_COLUMNS = ("id", "claim", "table", "place", "statement", "verdict", "found")
#: Place of a statement that no paper makes and its tables answer.
READING = "a reading"
#: Text of a verdict -> whether the printed numbers support the claim.
VERDICTS = {"supported": True, "not supported": False}


@dataclass(frozen=True)
class Verdict:
    """Verdict of the printed numbers on a claim.

    Args:
        supported: whether they support it.
        found: what they say.

    >>> str(gz.papers.claims("X30")[0].verdict())
    'supported'
    """

    supported: bool
    found: str

    def __str__(self) -> str:
        return "supported" if self.supported else "not supported"


@dataclass(frozen=True)
class Claim:
    """Claim of a paper about its tables, or a statement that they answer.

    Args:
        name: what it is called here.
        system: the id that it belongs to.
        tables: the names of the tables that it is about.
        place: where the paper says it; None is a reading of the tables, which the paper does not
            spell out.
        statement: in words of ours.
        supported: whether the printed numbers support it.
        found: what they say.

    >>> gz.papers.claims("goz-table-3")[0].verdict().found
    'GCN, generalized, 1-hop: 2.3 is printed for 3.32'
    """

    name: str
    system: str
    tables: tuple[str, ...]
    place: str | None
    statement: str
    supported: bool
    found: str

    def verdict(self) -> Verdict:
        """Verdict of the printed tables; a test computes it from them."""
        return Verdict(self.supported, self.found)

    def row(self) -> dict[str, Any]:
        """The claim in one row, with its verdict."""
        return {
            "id": self.system,
            "claim": self.name,
            "table": ", ".join(self.tables),
            "place": self.place or READING,
            "statement": self.statement,
            "verdict": str(self.verdict()),
            "found": self.found,
        }

    def __repr__(self) -> str:
        return f"<Claim {self.name} of {self.system}: {self.statement}>"


@cache
def _all() -> tuple[Claim, ...]:
    return tuple(read_claims(PATH))


def claims(about: str | None = None) -> list[Claim]:
    """Claims, in the order of the papers.

    Args:
        about: only those about a table, by its name, or a system, by its id, such as X30.

    Returns:
        Claims, each with its verdict. None where none is about it.

    Raises:
        DataError: there is no such table or id, or a shipped file is damaged.

    >>> [claim.name for claim in gz.papers.claims("X30")]
    ['populated-is-easier', 'five-thousand-are-hard']
    """
    if about is None:
        return list(_all())
    name = about.upper() if is_system(about) else table(about).name
    return [claim for claim in _all() if name in (claim.system, *claim.tables)]


def tables_with_claims(about: str) -> tuple[list[PrintedTable], list[Claim]]:
    """Tables of an id, or the one of that name, and the claims about them, those of the id first.

    Raises:
        DataError: there is no such table or id, or no table of the id is held here.
    """
    if not is_system(about):
        named = table(about)
        return [named], claims(named.name)
    found, printed = system(about), tables(about)
    if not printed:
        where = f" It is computed by {', '.join(found.places)}." if found.where else ""
        hint = f" `graphzsl study papers claims {found.id}` has what is said of it."
        raise DataError(
            f"{found.id} ({found.what}) has no printed table here.{where}"
            f"{hint if claims(about) else ''}"
        )
    names = {each.name for each in printed}
    listed = [claim for claim in _all() if claim.tables[0] in names]
    return printed, sorted(listed, key=lambda claim: claim.system != found.id)


def unsupported(listed: Iterable[Claim]) -> tuple[list[Claim], str]:
    """Claims that the printed numbers do not support, and a sentence with how many they are."""
    found = [claim for claim in listed if not claim.supported]
    readings = sum(claim.place is None for claim in found)
    said = counted(len(found) - readings, "claim of a paper", "claims of the papers")
    more = counted(readings, "reading", "readings")
    return found, f"The printed numbers do not support {said}, and {more} of ours."


def read_claims(path: Path) -> list[Claim]:
    """Rows of a table of claims; DataError names file and line of a wrong one."""
    return [
        Claim(
            row.text("claim"),
            row.text("id"),
            tuple(row.text("table").split(", ")),
            None if row.text("place") == READING else row.text("place"),
            row.text("statement"),
            VERDICTS[row.one_of("verdict", VERDICTS)],
            row.text("found"),
        )
        for row in printed_rows(path, CLAIM_COLUMNS)
    ]
