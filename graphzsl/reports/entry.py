"""An entry of a table: the runs of one model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphzsl.audit.averages import Average, average, values_of
from graphzsl.reports.runs import ReportedRun


@dataclass(frozen=True, eq=False)
class Entry:
    """A row: the runs of one model, which differ by their seeds alone; ``place`` gives it colour
    and mark."""

    name: str
    runs: list[ReportedRun]
    place: int = 0

    @property
    def documents(self) -> list[dict[str, Any]]:
        """The JSON of every run."""
        return [run.document for run in self.runs]

    @property
    def draws_classes(self) -> bool:
        """True if every run's seed draws the test classes."""
        return all("of" in (run.get("split_definition") or {}) for run in self.documents)

    @property
    def hides_branches(self) -> bool:
        """True if a run's seed hid whole branches, whose classes resemble each other."""
        return any(run.get("hidden_branches") for run in self.documents)

    @cached_property
    def values(self) -> list[dict[str, float]]:
        """Metric -> per-class value, for every run."""
        return [values_of(run.document) | _semantic(run.document) for run in self.runs]

    def has(self, metric: str) -> bool:
        """True if every run has a metric."""
        return all(metric in values for values in self.values)

    def averaged(self, metric: str) -> Average:
        """Mean and spreads of a metric over seeds."""
        return average(self.documents, [values[metric] for values in self.values])

    def mean(self, metric: str) -> float:
        """Mean of a metric over seeds."""
        return self.averaged(metric).mean


def _semantic(document: dict[str, Any]) -> dict[str, float]:
    """The ends of the semantic interval, where a run has one."""
    ends = (document.get("semantic_interval") or {}).get("per_class", ())
    return dict(zip(("semantic_low", "semantic_high"), ends, strict=False))
