"""Small problems that several tests of models share."""

from __future__ import annotations

import pytest

from graphzsl.models.base.task import Task
from tests.unit.models import mini_task, sample_task

#: Files whose tests train, start processes or search at length: `make test-fast` leaves them out.
SLOW = {
    "architecture",
    "benchmark",
    "class_rows",
    "ctrl_c",
    "docs",
    "experiments",
    "extras",
    "graph_models",
    "graph_training",
    "images",
    "mutants",
    "replacing",
    "selection",
    "sources",
    "ties",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark their tests slow."""
    for item in items:
        if item.path.stem.removeprefix("test_") in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def task() -> Task:
    """Classifier rows of mini WordNet classes."""
    return mini_task()


@pytest.fixture(scope="session")
def sampled() -> Task:
    """Samples of the same classes."""
    return sample_task()
