"""Words that go with a number."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 hop``, ``2 hops``, ``1,548 classes``."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
