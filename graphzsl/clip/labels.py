"""Candidates of the classes of images or features: a source may call its classes by wnid, by class
number or by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.wording import counted
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.spelling import word_key
from graphzsl.names.name_matching import NameMatcher
from graphzsl.sources.tables import WNID


class LabelReader:
    """The candidates that labels mean.

    Labels that are candidates, and wnids, mean themselves. Numbers are positions from 0 in the
    order of the candidates. Names mean the class whose name in the prompts they are, or else what
    ``NameMatcher`` finds among the candidates.

    Args:
        candidates: [C] the classes, in the order of the head's columns.
        names: class -> its name in the prompts, as far as it is known.
        place: what messages call the source.
        lexicon: WordNet's nouns; by default those of the package, where names need them.
    """

    def __init__(
        self,
        candidates: Sequence[str],
        names: Mapping[str, str] | None = None,
        place: str = "the source",
        lexicon: Lexicon | None = None,
    ):
        self.candidates, self.place = list(candidates), place
        self.names = dict(names or {})
        self._known = set(self.candidates)
        self._lexicon = lexicon
        self._named: dict[str, list[str]] = {}
        for wnid, name in self.names.items():
            if wnid in self._known:
                self._named.setdefault(word_key(name), []).append(wnid)
        self._meant: dict[str, str] = {}
        #: How the labels were read: ``wnids``, ``class numbers`` or ``names``.
        self.language = ""

    def learn(self, labels: Sequence[str], *, of_all: bool = False) -> None:
        """Find out what these labels mean, and say how they were read.

        ``of_all`` says that they are the names of all class numbers of the source, in their order:
        where some names are not clear, and there are as many as candidates, the numbers count, if
        every name that is clear stands at its candidate's.

        Raises:
            DataError: names that mean no candidate or several, or a number without a class.
        """
        distinct = list(dict.fromkeys(labels))
        if not distinct:
            raise DataError(f"{self.place}: there is no sample.")
        try:
            language, meant = self._read(distinct)
        except DataError:
            one_each = len(distinct) == len(labels) == len(self.candidates)
            if not (of_all and one_each) or not all(
                self._alone(label) in (None, candidate)
                for label, candidate in zip(labels, self.candidates, strict=True)
            ):
                raise
            language, meant = "class numbers", self.candidates
        self._meant |= dict(zip(distinct, meant, strict=True))
        self.language = language
        order = ", positions from 0 in the candidates" if language == "class numbers" else ""
        count = counted(len(distinct), "class", "classes")
        log(f"{count} of {self.place} read as {language}{order}.")

    def check_known(self) -> None:
        """Raise DataError for a label that was learnt and means no candidate."""
        stray = [label for label, meant in self._meant.items() if meant not in self._known]
        if stray:
            raise DataError(
                f"{self.place}: {counted(len(stray), 'class is', 'classes are')} none of the"
                f" {len(self.candidates):,} candidates, e.g. {stray[0]}. Leave their samples out,"
                " give candidates that hold them, or count them as missed.",
                argument="missing",
                value="miss",
            )

    def of(self, label: str) -> str:
        """Candidate that a label means; a label that was not learnt before is learnt alone."""
        if label not in self._meant:
            language, (meant,) = self._read([label])
            if not self.language:
                self.language = language
                log(f"The classes of {self.place} are read as {language}.")
            elif language != self.language:
                raise DataError(
                    f"{self.place}: the class {label!r} is one of {language}; those before it are"
                    f" {self.language}."
                )
            self._meant[label] = meant
        return self._meant[label]

    def _read(self, labels: list[str]) -> tuple[str, list[str]]:
        """(the language, the candidate that each label means)."""
        if all(label in self._known or WNID.match(label) for label in labels):
            are_wnids = all(map(WNID.match, self.candidates))
            return "wnids" if are_wnids else "the candidates' names", labels
        numbers = [number for label in labels if (number := unsigned(label)) is not None]
        if len(numbers) == len(labels):
            return "class numbers", self._numbered(numbers)
        unclear = [label for label in labels if self._by_name(label) is None]
        found: dict[str, str] = {}
        if unclear:
            if not all(map(WNID.match, self.candidates)):
                raise DataError(
                    f"{self.place}: {counted(len(unclear), 'class', 'classes')} of"
                    f" {len(labels):,}, e.g. {shown(unclear[0])}, are not among the"
                    f" {len(self.candidates):,} candidates, such as {self.candidates[0]!r}."
                )
            try:
                found = dict(zip(unclear, self._matcher.wnids(unclear), strict=True))
            except DataError as error:
                said = str(error).partition(". Say what")[0]
                raise DataError(
                    f"{self.place}: {said}. Call them by wnid, by class number, or as the prompts"
                    " do."
                ) from None
        return "names", [found.get(label) or self._by_name(label) or label for label in labels]

    def _by_name(self, label: str) -> str | None:
        if label in self._known or WNID.match(label):
            return label
        wnids = self._named.get(word_key(label), [])
        return wnids[0] if len(wnids) == 1 else None

    def _alone(self, label: str) -> str | None:
        """The one candidate that a name means; None if it is not clear."""
        own = self._by_name(label)
        if own is not None or not all(map(WNID.match, self.candidates)):
            return own
        meant = self._matcher.meant(label)
        return meant[0] if len(meant) == 1 else None

    @cached_property
    def _matcher(self) -> NameMatcher:
        return NameMatcher(self.candidates, lexicon=self._lexicon)

    def _numbered(self, numbers: list[int]) -> list[str]:
        count = len(self.candidates)
        if max(numbers) >= count:
            from_one = max(numbers) == count and min(numbers) > 0
            raise DataError(
                f"{self.place}: there is no class {max(numbers)}: class numbers count the"
                f" {count:,} candidates from 0."
                f"{' These seem to count from 1.' if from_one else ''}"
            )
        return [self.candidates[number] for number in numbers]
