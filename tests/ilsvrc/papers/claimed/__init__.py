"""Verdicts of the claims of five papers, computed from the printed tables."""

from __future__ import annotations

from graphzsl.ilsvrc import table
from graphzsl.ilsvrc.papers import Claim, PrintedTable, Verdict
from tests.ilsvrc.papers.claimed import frome, hascoet, russakovsky, wang, xian
from tests.ilsvrc.papers.claimed.check import CHECKS

__all__ = ["CHECKS", "frome", "hascoet", "russakovsky", "verdict", "wang", "xian"]


def verdict(claim: Claim, *tables: PrintedTable) -> Verdict:
    """Verdict of the tables that a claim is about, or of these in their place."""
    return CHECKS[claim.name](*(tables or map(table, claim.tables)))
