"""The word labels of the classes of a set, read once: what the analyses of words work on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphzsl.common.errors import DataError


@dataclass(frozen=True)
class Label:
    """A word label of a class. ``sense_number`` ranks the word's noun senses from 1; ``frequency``
    and ``other_senses``, those in other parts of speech, are None where they are unknown."""

    wnid: str
    text: str
    rank: int
    sense_number: int
    sense_count: int
    frequency: int | None
    other_senses: int | None

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

    def polysemy(self) -> list[dict[str, Any]]:
        """Number of classes, labels and labels of one word that share a word: rows of a unit, its
        total and the counts that share it with another class, with another noun synset, and with
        any part of speech, None where that is unknown. Case is ignored; a class counts when one of
        its labels does.

        Reference:
            Hascoet et al. 2019, section 4.2.2 (half of the labels, 38 % of the classes); Frome et
            al. 2013, appendix A.2.
        """
        shared: dict[str, tuple[bool, bool, bool | None]] = {}
        for word, labels in self.of_word.items():
            is_namesake = word in self.namesakes
            others = [label.other_senses for label in labels if label.other_senses is not None]
            is_any = is_namesake or max(others) > 0 if others else None
            shared[word] = (len({label.wnid for label in labels}) > 1, is_namesake, is_any)
        units = {
            "class": [{label.key for label in labels} for labels in self.of_class.values()],
            "label": [{word} for word in shared],
            "single-word label": [{word} for word in shared if " " not in word],
        }
        rows: list[dict[str, Any]] = []
        for unit, members in units.items():
            rows.append({"unit": unit, "total": len(members)})
            for at, column in enumerate(("other_classes", "other_synsets", "any_part_of_speech")):
                is_known = all(values[at] is not None for values in shared.values())
                count = sum(any(shared[word][at] for word in words) for words in members)
                rows[-1][column] = count if is_known else None
        return rows

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
