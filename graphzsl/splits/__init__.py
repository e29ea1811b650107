"""Splits: built by a query, stored as class sets with their provenance, checked, explained and
compared."""

from graphzsl.splits.check import check_split
from graphzsl.splits.compare import diff, explain, group_differences
from graphzsl.splits.hops import hop_split, split_name
from graphzsl.splits.store import (
    Split,
    export_split,
    load_split,
    resolve_name,
    split_properties,
    store_split,
)

__all__ = [
    "Split",
    "check_split",
    "diff",
    "explain",
    "export_split",
    "group_differences",
    "hop_split",
    "load_split",
    "resolve_name",
    "split_name",
    "split_properties",
    "store_split",
]
