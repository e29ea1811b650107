"""What papers say of their tables, each with a verdict from the printed numbers."""

from __future__ import annotations

from graphzsl.common.errors import DataError
from graphzsl.common.wording import did_you_mean, near
from graphzsl.ilsvrc.papers.claimed import frome, hascoet, russakovsky, wang, xian
from graphzsl.ilsvrc.papers.claimed.claim import Claim, Verdict, unsupported
from graphzsl.ilsvrc.papers.coverage import systems
from graphzsl.ilsvrc.papers.printed import tables

__all__ = ["Claim", "Verdict", "claims", "unsupported"]


def claims(about: str | None = None) -> list[Claim]:
    """Claims, in the order of the papers.

    Args:
        about: only those about a table, by its name, or a system, by its id, such as X30.

    Returns:
        Claims; ``claim.verdict()`` computes whether the printed numbers support one. None where
        none is about it.

    Raises:
        DataError: there is no such table or id; a shipped file is damaged, when a verdict is
            computed.

    >>> [claim.name for claim in gz.papers.claims("X30")]
    ['populated-is-easier', 'five-thousand-are-hard']
    """
    found = [claim for paper in (frome, hascoet, wang, xian, russakovsky) for claim in paper.CLAIMS]
    if about is None:
        return found
    names, ids = ([each.name for each in tables()], [each.id for each in systems()])
    if about.lower() not in names and about.upper() not in ids:
        raise DataError(
            f"There is no table or id {about!r}.{did_you_mean(near(about, [*names, *ids]))}"
            " `graphzsl papers` lists tables, `graphzsl papers systems` ids."
        )
    return [
        claim for claim in found if about.upper() == claim.system or about.lower() in claim.tables
    ]
