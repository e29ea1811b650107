"""Small problems that several tests of models share."""

from __future__ import annotations

import pytest

from graphzsl.models.base.task import Task
from tests.unit.models import mini_task, sample_task


@pytest.fixture(scope="session")
def task() -> Task:
    """Classifier rows of mini WordNet classes."""
    return mini_task()


@pytest.fixture(scope="session")
def sampled() -> Task:
    """Samples of the same classes."""
    return sample_task()
