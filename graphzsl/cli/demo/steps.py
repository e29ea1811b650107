"""How much the demo computes, and how its steps are shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import click

#: One or two of each family; docs/experiments has them all.
DEMO_MODELS = ("graph-exem", "sgcn", "graph-linear", "eszsl", "conse", "closest")


@dataclass(frozen=True)
class Scale:
    """How much the demo computes; the paper's GCN is 2048 wide and trains 3,000 epochs."""

    seeds: int = 3
    gcn_hidden: int = 384
    gcn_epochs: int = 100
    semantics: str = "text"
    full: bool = False
    models: tuple[str, ...] = DEMO_MODELS

    @property
    def label(self) -> str:
        """How the GCN differs from the paper's; empty when it does not."""
        return (
            ""
            if self.full
            else (
                f"smaller than the paper's: {self.gcn_hidden} hidden units, at most"
                f" {self.gcn_epochs} epochs"
            )
        )


FULL = Scale(seeds=10, gcn_hidden=2048, gcn_epochs=3000, full=True)


@contextmanager
def step(title: str) -> Iterator[None]:
    """Print what is done, and how long it took."""
    click.echo(f"• {title} …")
    started = time.perf_counter()
    yield
    click.echo(f"    {time.perf_counter() - started:.1f} s")
