"""Tables and claims of five papers: ``gz.papers``.

The tables are data, each claim has the verdict of the printed numbers, and each of the 171 things
that the papers define says where it is in this package. Tests compute the verdicts, and the rows
beside the tables, again::

    gz.papers.table("gbu-table-4").to_frame()
    [claim for claim in gz.papers.claims("X30") if not claim.verdict().supported]
    gz.papers.system("D09").where

An id is a letter for the paper and a number: D Frome et al. 2013 (DeViSE), G Hascoet et al. 2019
(GOZ), P Wang et al. 2014, X Xian et al. 2017 (GBU), I Russakovsky et al. 2015 (ILSVRC).
"""

from graphzsl.ilsvrc.papers.claimed import Claim, Verdict, claims
from graphzsl.ilsvrc.papers.coverage import System, system, systems
from graphzsl.ilsvrc.papers.printed import PrintedTable, ours, table, tables
from graphzsl.ilsvrc.papers.sizes import size_of

__all__ = [
    "Claim",
    "PrintedTable",
    "System",
    "Verdict",
    "claims",
    "ours",
    "size_of",
    "system",
    "systems",
    "table",
    "tables",
]
