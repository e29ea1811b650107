"""Wall times and ratios."""

from __future__ import annotations

import time
from collections.abc import Callable

import click


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def line(what: str, ours: float, peer: str, theirs: float, note: str = "") -> None:
    """One result: our time, the peer's, and the ratio."""
    ratio = ours / theirs if ours > theirs else theirs / ours
    word = "times the peer's time" if ours > theirs else "times faster"
    click.echo(f"{what}: {ours:.3g} s; {peer}: {theirs:.3g} s; {ratio:.2f} {word}{note}")


def wordnet_source() -> object:
    from graphzsl.common import load_settings
    from graphzsl.sources import WordNet, wordnet_folder

    return WordNet(wordnet_folder(load_settings()))
