"""What papers say of their tables, each with a verdict from the printed numbers."""

from __future__ import annotations

from graphzsl.papers.claimed import frome, hascoet, russakovsky, wang, xian
from graphzsl.papers.claimed.claim import Claim, Verdict

__all__ = ["Claim", "Verdict", "claims"]


def claims(about: str | None = None) -> list[Claim]:
    """Claims, in the order of the papers.

    Args:
        about: only those about a table, by its name, or a system, by its id, such as X30.

    Returns:
        Claims; ``claim.verdict()`` computes whether the printed numbers support one.

    Raises:
        DataError: a shipped file is damaged, when a verdict is computed.

    >>> [claim.name for claim in gz.papers.claims("X30")]
    ['populated-is-easier', 'five-thousand-are-hard']
    """
    found = [claim for paper in (frome, hascoet, wang, xian, russakovsky) for claim in paper.CLAIMS]
    if about is None:
        return found
    return [
        claim for claim in found if about.upper() == claim.system or about.lower() in claim.tables
    ]
