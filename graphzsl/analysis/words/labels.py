"""The word labels of the classes of a set, read once: what the analyses of words work on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from graphzsl.common.errors import DataError

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Label:
    """A word label of a class. ``sense_number`` ranks the word's noun senses from 1; ``frequency``
    is None where it is unknown."""

    wnid: str
    text: str
    rank: int
    sense_number: int
    sense_count: int
    frequency: int | None
    other_senses: int

    @property
    def key(self) -> str:
        """The word without its case: ``Crane`` and ``crane`` are one word."""
        return self.text.lower()


@dataclass(frozen=True)
class Words:
    """Labels of a universe of classes, and which words name several noun synsets of all WordNet."""

    universe: str
    labels: list[Label]
    namesakes: dict[str, list[str]]

    @cached_property
    def of_class(self) -> dict[str, list[Label]]:
        """wnid -> its labels, in WordNet's order."""
        labels_of: dict[str, list[Label]] = defaultdict(list)
        for label in self.labels:
            labels_of[label.wnid].append(label)
        return dict(labels_of)

    @cached_property
    def of_word(self) -> dict[str, list[Label]]:
        """Word without case -> the labels of the universe that carry it."""
        labels_of: dict[str, list[Label]] = defaultdict(list)
        for label in self.labels:
            labels_of[label.key].append(label)
        return dict(labels_of)

    def frequencies(self, reducer: str = "max") -> dict[str, int]:
        """wnid -> frequency of its labels: their ``max``, ``mean`` (rounded down), ``min``, or the
        ``first`` one's.

        Labels of unknown frequency (phrases, where a package of single words was loaded) do not
        count: a class is absent when none of its labels has one, or when its first has none and
        that decides. DataError when no label has one.
        """
        if all(label.frequency is None for label in self.labels):
            raise DataError(
                f"No word of {self.universe} has a frequency. Count some with `graphzsl study"
                " frequencies count` and load them with `graphzsl load frequencies`, or load those"
                " of a package: `graphzsl load frequencies wordfreq`."
            )
        reduce = LABEL_REDUCERS[reducer]
        known = {
            wnid: [
                label.frequency
                for label in (labels[:1] if reducer == "first" else labels)
                if label.frequency is not None
            ]
            for wnid, labels in self.of_class.items()
        }
        return {wnid: reduce(values) for wnid, values in known.items() if values}


#: How the frequencies of a class's labels become one number. The literature is silent; a class
#: survives a filter by any label: max.
LABEL_REDUCERS: dict[str, Callable[[list[int]], int]] = {
    "max": max,
    "min": min,
    "mean": lambda values: sum(values) // len(values),
    "first": lambda values: values[0],
}
