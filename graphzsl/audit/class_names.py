"""Names of classes as columns of the candidates, and numbers as names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.wording import did_you_mean, near
from graphzsl.hierarchy.spelling import looks_like_wnid, slips_of_wnid

Ints = npt.NDArray[np.int64]
#: Names as they stand in a file -> names of classes, in the same order.
Rename = Callable[[list[str]], list[str]]


def near_candidate(name: str, candidates: Sequence[str]) -> str:
    """``" Did you mean 'tench'?"``: the candidate that a class is spelt nearly as; of wnids one
    that a single slip is away."""
    if looks_like_wnid(name):
        known = set(candidates)
        found = [each for each in slips_of_wnid(name) if each in known][:1]
    else:
        found = near(name, candidates, 1)
    return did_you_mean([repr(each) for each in found])


def whole_numbers(classes: npt.NDArray[Any], what: Callable[[int], str]) -> npt.NDArray[Any]:
    """Floats that are whole numbers as integers: among true and predicted classes and candidates
    1.0 is 1, whatever stands beside it. Any other array as it is.

    Args:
        classes: an array of classes; its first axis counts samples, or candidates.
        what: what a message calls the class in a row.

    Raises:
        DataError: names the row of a number that is not whole, or missing.
    """
    if classes.dtype.kind != "f":
        return classes
    values = classes.astype(np.float64)
    # from 2**53 on two whole numbers can be one float
    wrong = ~((np.abs(values) < 2**53) & (values == np.trunc(values)))
    if wrong.any():
        first = tuple(np.argwhere(wrong)[0])
        called = what(int(first[0]))
        if np.isnan(classes[first]):
            raise DataError(f"{called} is missing.")
        raise DataError(f"{called} is {classes[first]}, neither a name nor a whole number.")
    return classes.astype(np.int64)


def columns_of(names: Sequence[str], candidates: Sequence[str]) -> Ints:
    """[N] column of each name, -1 where it is not a candidate."""
    index = {name: column for column, name in enumerate(candidates)}
    return np.array([index.get(name, -1) for name in names], dtype=np.int64)


def positions_as_names(
    cells: Sequence[Any], classes: Sequence[str], where: Callable[[int], str]
) -> list[str]:
    """Positions from 0 in ``classes`` -> names; DataError says ``where`` the first other cell
    is."""
    named: dict[Any, str] = {}
    for cell in dict.fromkeys(cells):
        position = unsigned(str(cell))
        if position is None or position >= len(classes):
            raise DataError(
                f"{where(cells.index(cell))}: {shown(cell)} is not a position from 0 to"
                f" {len(classes) - 1:,} in the candidates."
            )
        named[cell] = classes[position]
    return [named[cell] for cell in cells]
