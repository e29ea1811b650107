"""Class names that other people wrote, as wnids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from graphzsl.data.class_naming import class_names
from graphzsl.data.name_check import QUALIFIER
from graphzsl.data.name_lists import read_name_list
from graphzsl.errors import DataError
from graphzsl.hierarchy.lexicon import Lexicon, word_key
from graphzsl.sources.imagenet import listed_classes
from graphzsl.sources.tables import WNID

#: Names that an error lists.
_SHOWN = 3
#: A sense is by far the most usual one where it was tagged so often, and so many times as often as
#: any other class's.
_USUAL = 5


class NameMatcher:
    """Which class of a set a name means.

    A wnid and the name of a synset (dog.n.01) mean that synset. Else a name means, in this order,
    the class that ``names`` gives it to; the only class of the set that has it among its words; of
    several, the one whose sense is by far the most usual (tagged in text five times or more, and
    five times as often as the others together: the cat is the animal); or the class that
    ``class_names`` would call so. Of "tench, Tinca tinca" all parts must be words of the class;
    "kite (bird of prey)" is a kite that has the qualifier above it or in its gloss. Case, hyphens
    and underscores do not count.

    Args:
        classes: the set: a shipped list, a file, or the wnids.
        names: the names that the classifier knew the classes by: a file in a format of
            ``read_name_list``, with wnids or in the order of ``classes``.
        lexicon: WordNet's nouns; by default the cached ones.

    Raises:
        DataError: ``names`` cannot be read, or does not fit the classes.
    """

    def __init__(
        self,
        classes: str | Path | Iterable[str] = "ilsvrc2012",
        names: str | Path | None = None,
        lexicon: Lexicon | None = None,
    ):
        self.lexicon = lexicon or Lexicon.load()
        self._positions = self.lexicon.resolve(listed_classes(classes))
        self._of_key: dict[str, set[int]] = {}
        for position in self._positions:
            for word in self.lexicon.words_of(position):
                self._of_key.setdefault(word_key(word), set()).add(position)
        self._given: dict[str, set[int]] = {}
        if names is not None:
            self._read(names)

    @cached_property
    def _qualified(self) -> dict[str, set[int]]:
        """What ``class_names`` calls classes whose words do not tell them apart."""
        wnids = [self.lexicon.wnids[position] for position in self._positions]
        found = class_names(wnids, lexicon=self.lexicon)
        rows = zip(found.names, found.added, self._positions, strict=True)
        return {word_key(name): {position} for name, added, position in rows if added}

    def _read(self, path: str | Path) -> None:
        listed = read_name_list(path, size=len(self._positions))
        if listed.has_wnids:
            positions = self.lexicon.resolve([str(entry.wnid) for entry in listed.entries])
        elif len(listed.entries) == len(self._positions):
            positions = self._positions
        else:
            raise DataError(
                f"{path} holds {len(listed.entries):,} names and no wnids, and there are"
                f" {len(self._positions):,} classes."
            )
        for entry, position in zip(listed.entries, positions, strict=True):
            if entry.name is None:
                raise DataError(f"{path}: {entry.place} has no name.")
            # the exact spelling first: torchvision has a Cardigan and a cardigan
            for key in {entry.name, f"{word_key(entry.name)}\n"}:
                self._given.setdefault(key, set()).add(position)

    def meant(self, name: str) -> list[str]:
        """The classes that a name may mean: one where it is clear, none where it is unknown."""
        if WNID.match(name):
            return [name]
        position = self.lexicon.named.get(name)
        if position is not None:
            return [self.lexicon.wnids[position]]
        return sorted(self.lexicon.wnids[each] for each in self._matches(name))

    def _matches(self, name: str) -> set[int]:
        key = word_key(name)
        for given in (self._given.get(name), self._given.get(f"{key}\n")):
            if given:
                return given
        if found := self._of_key.get(key):
            return self._most_usual(found, key)
        if found := self._qualified.get(key):
            return found
        if "," in name:
            parts = [self._of_key.get(word_key(part), set()) for part in name.split(",")]
            return set.intersection(*parts)
        if qualifier := QUALIFIER.search(name):
            base = word_key(name[: qualifier.start()])
            return {each for each in self._of_key.get(base, ()) if self._fits(each, qualifier[1])}
        return set()

    def _most_usual(self, positions: set[int], key: str) -> set[int]:
        """The one whose sense of the word is by far the most usual, else all of them."""
        counts = {
            position: max(
                sense.count
                for sense in self.lexicon.senses_of(position)
                if word_key(sense.text) == key
            )
            for position in positions
        }
        best = max(sorted(positions), key=counts.__getitem__)
        others = sum(count for position, count in counts.items() if position != best)
        return {best} if counts[best] >= _USUAL * max(1, others) else positions

    def _fits(self, position: int, qualifier: str) -> bool:
        """Whether a qualifier is a word of an ancestor, or stands in the gloss."""
        key = word_key(qualifier)
        words_of = self.lexicon.words_of
        above = {
            word_key(word) for each in self.lexicon.ancestors(position) for word in words_of(each)
        }
        return key in above or f" {key} " in f" {word_key(self.lexicon.gloss(position))} "

    def wnids(self, names: Sequence[str]) -> list[str]:
        """The wnid of each name; several names may mean one class.

        Raises:
            DataError: names that no class has, with near ones, or names that several classes have.
        """
        meant = {name: self.meant(name) for name in names}
        if all(len(wnids) == 1 for wnids in meant.values()):
            return [meant[name][0] for name in names]
        raise DataError(self.unclear(names))

    def unclear(self, names: Sequence[str]) -> str:
        """What is to be said of names that mean no class, or several."""
        meant = {name: self.meant(name) for name in names}
        unknown = [name for name, wnids in meant.items() if not wnids]
        several = [name for name, wnids in meant.items() if len(wnids) > 1]
        said = []
        if unknown:
            listed = ", ".join(map(self._with_near, unknown[:_SHOWN]))
            more = " …" if len(unknown) > _SHOWN else ""
            said.append(
                f"{len(unknown):,} of {len(meant):,} class names are unknown among the"
                f" {len(self._positions):,} classes: {listed}{more}"
            )
        for name in several[:_SHOWN]:
            classes = ", ".join(map(self._called, meant[name][:_SHOWN]))
            said.append(f"{name!r} may mean {classes}{' …' * (len(meant[name]) > _SHOWN)}")
        if len(several) > _SHOWN:
            said.append(f"{len(several):,} names may mean several classes")
        return (
            f"{'; '.join(said)}. Say what the names mean (names: a list of wnids and names, each"
            " name once), or predict wnids or class numbers."
        )

    def _called(self, wnid: str) -> str:
        return f"{wnid} ({self.lexicon.names[self.lexicon.index[wnid]]})"

    def _with_near(self, name: str) -> str:
        near = get_close_matches(word_key(name), self._of_key, 1, 0.7)
        meant = self.meant(near[0]) if near else []
        return f"{name!r}" + (f" (near {near[0]!r}: {self._called(meant[0])})" if meant else "")
