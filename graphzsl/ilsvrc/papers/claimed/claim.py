"""A claim, and how one is written down: a function of the tables that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from graphzsl.common.wording import counted
from graphzsl.ilsvrc.papers.printed import PrintedTable, table


@dataclass(frozen=True)
class Verdict:
    """Whether the printed numbers support a claim.

    Args:
        supported: whether they do.
        found: what they say.

    >>> str(gz.papers.claims("X30")[0].verdict())
    'supported'
    """

    supported: bool
    found: str

    def __str__(self) -> str:
        return "supported" if self.supported else "not supported"


#: From the tables of a claim to its verdict.
Check = Callable[..., Verdict]


@dataclass(frozen=True, eq=False)
class Claim:
    """What a paper says of its tables, or a statement that they answer.

    Args:
        name: what it is called here.
        system: the id that it belongs to.
        tables: the names of the tables that it is about.
        place: where the paper says it; None is a reading of the tables, which the paper does not
            spell out.
        statement: in words of ours.
        check: a function of these tables; its verdict.

    >>> gz.papers.claims("goz-table-3")[0].verdict().found
    'GCN, generalized, 1-hop: 2.3 is printed for 3.32'
    """

    name: str
    system: str
    tables: tuple[str, ...]
    place: str | None
    statement: str
    check: Check

    def verdict(self, *tables: PrintedTable) -> Verdict:
        """The verdict from the printed tables, or from these in their place."""
        return self.check(*(tables or (table(name) for name in self.tables)))

    def row(self) -> dict[str, Any]:
        """What is said of it in one row, with its verdict."""
        verdict = self.verdict()
        return {
            "id": self.system,
            "claim": self.name,
            "table": ", ".join(self.tables),
            "place": self.place or "a reading",
            "statement": self.statement,
            "verdict": str(verdict),
            "found": verdict.found,
        }

    def __repr__(self) -> str:
        return f"<Claim {self.name} of {self.system}: {self.statement}>"


def unsupported(listed: Iterable[Claim]) -> tuple[list[Claim], str]:
    """Those that the printed numbers do not support, and a sentence with how many they are."""
    found = [claim for claim in listed if not claim.verdict().supported]
    readings = sum(claim.place is None for claim in found)
    said = counted(len(found) - readings, "claim of a paper", "claims of the papers")
    more = counted(readings, "reading", "readings")
    return found, f"The printed numbers do not support {said}, and {more} of ours."


class Claims(list[Claim]):
    """The claims of a paper, in the order in which they are written down."""

    def of(
        self, system: str, *tables: str, place: str | None, statement: str
    ) -> Callable[[Check], Check]:
        """Add a function of these tables as a claim; its name with hyphens is that of the claim."""

        def add(check: Check) -> Check:
            name = check.__name__.strip("_").replace("_", "-")
            self.append(Claim(name, system, tables, place, statement, check))
            return check

        return add
