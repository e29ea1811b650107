"""Runs that several files of tests read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.made import write_counts

#: Right samples of four of lynx, oak, poodle and pug, by model and seed.
RIGHTS = {
    ("good", 0): (4, 4, 3, 1),
    ("good", 1): (4, 4, 4, 2),
    ("good", 2): (4, 4, 4, 0),
    ("alike", 0): (4, 3, 4, 0),
    ("alike", 1): (4, 3, 3, 3),
    ("alike", 2): (4, 3, 3, 2),
    ("poor", 0): (2, 3, 2, 0),
    ("poor", 1): (2, 3, 2, 1),
    ("poor", 2): (2, 2, 2, 0),
}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Three models with three seeds each; the good one is not significantly better than one of
    them."""
    for (model, seed), counts in RIGHTS.items():
        write_counts(tmp_path / "runs", model, seed, counts)
    return tmp_path / "runs"
