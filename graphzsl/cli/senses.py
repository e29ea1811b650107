"""--senses: what a word of a list means that several noun synsets have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from graphzsl.common import Entry

F = TypeVar("F", bound=Callable[..., Any])
#: Where a context holds what the option says; commands without it refuse such words.
_SENSES, _READ = "graphzsl.senses", "graphzsl.senses.read"
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
            "A word in a file of classes that several synsets have: refuse it, or take the class"
            " that `graphzsl audit` reads it as, which stderr names; where that is not clear"
            " either, it is refused."
        ),
    )(function)


def _remember(context: click.Context, parameter: click.Parameter, value: str) -> None:
    context.meta[_SENSES] = value


def as_meant(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The classes of a list, with wnids in place of words where --senses usual is given."""
    if _chosen() != USUAL:
        return entries
    from graphzsl.names import in_usual_senses

    # a list that a command reads twice is spoken of once
    read = click.get_current_context().meta.setdefault(_READ, {})
    key = tuple(entries)
    if key not in read:
        read[key] = in_usual_senses(entries)
    meant: Sequence[Entry] = read[key]
    return meant


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
            f"{error.message}\nOr give --senses usual: where one sense is by far the most usual"
            " among ImageNet's classes, a word means that one, as in `graphzsl audit`.",
            argument=error.argument,
        ) from None


def _chosen() -> str | None:
    context = click.get_current_context(silent=True)
    return context.meta.get(_SENSES) if context else None
