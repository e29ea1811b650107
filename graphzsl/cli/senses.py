"""--senses: what a word of a list means that several noun synsets have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
#: Where a context holds what the option says; commands without it refuse such words.
_SENSES = "graphzsl.senses"
REFUSE, USUAL = "refuse", "usual"


def senses_option(function: F) -> F:
    """--senses of commands that take a list of words."""
    return click.option(
        "--senses",
        type=click.Choice([REFUSE, USUAL]),
        default=REFUSE,
        show_default=True,
        expose_value=False,
        callback=_remember,
        help=(
            "A word in a file of classes with several synsets of which none is clearly meant:"
            " refuse it, or take the one whose sense is tagged most often in text, which stderr"
            " names."
        ),
    )(function)


def _remember(context: click.Context, parameter: click.Parameter, value: str) -> None:
    context.meta[_SENSES] = value


def is_usual() -> bool:
    """True if the command was given --senses usual."""
    return _chosen() == USUAL


@contextmanager
def senses_named() -> Iterator[None]:
    """Name --senses in an error about words of several synsets, if the command has the option and
    ``usual`` was not chosen."""
    from graphzsl.hierarchy import SeveralMeanings

    try:
        yield
    except SeveralMeanings as error:
        if _chosen() != REFUSE:
            raise
        raise SeveralMeanings(
            f"{error.message}\nOr give --senses usual: an open word is read in the sense that is"
            " tagged most often in text.",
            argument=error.argument,
        ) from None


def _chosen() -> str | None:
    context = click.get_current_context(silent=True)
    return context.meta.get(_SENSES) if context else None
