"""Large integer programs, solved once for all tests and workers.

HiGHS is deterministic, and takes most of the time of a shipped recipe: what it says of a program is
kept under the checksum of that program. All else of a recipe runs anew every time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock

from graphzsl.benchmark import class_selection

#: What only the selection of a recipe tells: running the recipe again checks it.
OF_SELECTION = (
    *("bound", "simple_bound", "gap", "tied_classes", "tied_candidates"),
    *("nearly_tied_classes", "nearly_tied_candidates", "ties_cut_by"),
)
#: Programs of fewer candidates are solved every time.
LARGE = 500


def solve_once(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have the answers to large programs kept in a folder."""
    program: Any = class_selection._Program
    bound, solve = program.bound, program.solve

    def bound_once(self: Any) -> tuple[float, bool]:
        def relaxed() -> dict[str, Any]:
            value, left_out = bound(self)
            return {"value": value, "left_out": left_out, "promising": self.promising}

        if self.count < LARGE:
            return bound(self)
        found = _kept(folder, "bound", self, relaxed)
        self.promising = found["promising"]
        return float(found["value"]), bool(found["left_out"])

    def solve_once(self: Any) -> Any:
        if self.count < LARGE:
            return solve(self)
        found = _kept(folder, "solve", self, lambda: {"chosen": solve(self)})
        return found["chosen"]

    patch.setattr(program, "bound", bound_once)
    patch.setattr(program, "solve", solve_once)


def _kept(
    folder: Path, what: str, program: Any, answer: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    limits = program.constraints
    parts = (limits.A.data, limits.A.indices, limits.A.indptr, limits.lb, limits.ub)
    key = hashlib.sha256(f"{what} {program.size} {program.gap}".encode())
    for part in (*parts, program.worth, program.promising):
        key.update(np.ascontiguousarray(part).tobytes())
    path = folder / f"{key.hexdigest()}.npz"
    with FileLock(path.with_suffix(".lock")):
        if not path.exists():
            found = answer()
            if any(value is None for value in found.values()):
                return found
            np.savez(path, **found)
        with np.load(path) as file:
            return {name: file[name] for name in file.files}
