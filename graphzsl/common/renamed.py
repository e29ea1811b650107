"""Arguments that had other names once: who still writes these is told the new ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from graphzsl.common.errors import DataError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def renamed_arguments(
    **new: str,
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """A decorator: a call with an old name of an argument is a DataError that says the new one.

    Args:
        new: old name -> new name.

    >>> from graphzsl.common.renamed import renamed_arguments
    >>> @renamed_arguments(level="confidence")
    ... def interval(confidence=0.95):
    ...     return confidence
    >>> interval(level=0.9)
    Traceback (most recent call last):
    graphzsl.DataError: interval: level is now confidence.
    """

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @wraps(function)
        def checked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            old = [name for name in new if name in kwargs]
            if old:
                said = ", and ".join(f"{name} is now {new[name]}" for name in old)
                raise DataError(f"{function.__name__}: {said}.", argument=new[old[0]])
            return function(*args, **kwargs)

        return checked

    return decorate
