"""Scales of the demo, and its steps on the terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import click

#: One or two of each family; docs/experiments has them all.
DEMO_MODELS = ("graph-exem", "sgcn", "graph-linear", "eszsl", "conse", "closest")


@dataclass(frozen=True)
class Scale:
    """An amount of what the demo computes.

    ``gcn`` are options of the GCN, whose defaults are the paper's. ``predicted`` are the models
    that learn from all classes at the end, ``unseen`` the class set that they predict.
    """

    seeds: int = 3
    gcn: Mapping[str, float] = field(
        default_factory=lambda: {"hidden": 256, "epochs": 40, "check_every": 40, "lr": 0.003}
    )
    semantics: str = "text"
    models: tuple[str, ...] = DEMO_MODELS
    predicted: tuple[str, ...] = ("eszsl",)
    unseen: str = "hops-1"

    @property
    def label(self) -> str:
        """Difference of the GCN from the paper's; empty when there is none."""
        if not self.gcn:
            return ""
        hidden, epochs = self.gcn["hidden"], self.gcn["epochs"]
        return f"smaller than the paper's: {hidden} hidden units, {epochs} epochs"


FULL = Scale(seeds=10, gcn={}, predicted=DEMO_MODELS, unseen="all")


@contextmanager
def step(title: str) -> Iterator[None]:
    """Print what is done, and how long it took."""
    click.echo(f"• {title} …")
    started = time.perf_counter()
    yield
    click.echo(f"    {time.perf_counter() - started:.1f} s")
