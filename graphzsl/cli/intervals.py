"""Options of bootstrap intervals, and the remark on one that rests on too few draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from graphzsl.cli.common import Whole, note, seed_option
from graphzsl.common import decimal, shown

F = TypeVar("F", bound=Callable[..., Any])


class Confidence(click.ParamType):
    """A share between 0 and 1, both excluded; 95 is answered with how to write 95 %."""

    name = "share"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        share = decimal(str(value))
        if share is None:
            self.fail(f"{shown(value)} is not a valid number.", param, ctx)
        if 0 < share < 1:
            return share
        hint = f": write {share / 100:g} for {share:g} %" if 1 < share < 100 else ""
        self.fail(f"{value} is not between 0 and 1{hint}.", param, ctx)


def bootstrap_options(rounds: int, or_none: bool = False) -> Callable[[F], F]:
    """--rounds, --confidence and --seed, with this many rounds by default; ``or_none`` lets
    --rounds be 0, for no intervals."""

    def decorate(function: F) -> F:
        for option in (
            seed_option("Seed of the bootstrap."),
            click.option(
                "--confidence",
                "level",
                type=Confidence(),
                default=0.95,
                show_default=True,
                help="Confidence of the intervals, e.g. 0.999.",
            ),
            click.option(
                "--rounds",
                type=Whole(min=0 if or_none else 1),
                default=rounds,
                show_default=True,
                help="Bootstrap rounds; 0 for no intervals." if or_none else "Bootstrap rounds.",
            ),
        ):
            function = option(function)
        return function

    return decorate


def note_thin_tails(rounds: int, level: float) -> None:
    """A line for the person where fewer than ten draws lie beyond each end of an interval, or where
    there are no rounds and no intervals."""
    from graphzsl.metrics import TAIL_DRAWS, rounds_needed, tail_draws

    if not rounds:
        note("No intervals: --rounds is 0.")
        return
    if tail_draws(rounds, level) < TAIL_DRAWS:
        note(
            f"Warning: each end of a {100 * level:g} % interval rests on"
            f" {tail_draws(rounds, level):g} of the {rounds:,} bootstrap draws. Give --rounds"
            f" {rounds_needed(level)} or more."
        )
