"""Words of messages: nouns that go with a number, names that go with a wnid."""

from __future__ import annotations

from collections.abc import Mapping


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 hop``, ``2 hops``, ``1,548 classes``."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def called(wnid: str, names: Mapping[str, str]) -> str:
    """``n02084071 (dog.n.01)``, and the wnid alone where there is no name."""
    return f"{wnid} ({names[wnid]})" if names.get(wnid) else wnid
