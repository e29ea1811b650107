"""Class names that other people wrote, as wnids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

from graphzsl.data.class_naming import class_names
from graphzsl.data.name_lists import read_name_list
from graphzsl.errors import DataError
from graphzsl.hierarchy.lexicon import Lexicon, word_key
from graphzsl.sources.imagenet import listed_classes
from graphzsl.sources.tables import WNID

#: A qualifier at the end of a name: "kite (bird of prey)".
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")
#: Names that an error lists.
_SHOWN = 3


class NameMatcher:
    """Which class of a set a name means.

    A wnid and the name of a synset (dog.n.01) mean that synset. Else a name means the class that
    ``names`` gives it to, that ``class_names`` would call so, or the only class of the set that has
    it among its words; of "tench, Tinca tinca" each part is read, of "kite (bird of prey)" the word
    before the brackets where the whole is unknown. Case, hyphens and underscores do not count.

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
        self._own = self._own_names()
        self._given = {} if names is None else self._read(names)

    def _own_names(self) -> dict[str, set[int]]:
        wnids = [self.lexicon.wnids[position] for position in self._positions]
        found = class_names(wnids, lexicon=self.lexicon)
        return {
            word_key(name): {position}
            for name, position in zip(found.names, self._positions, strict=True)
        }

    def _read(self, path: str | Path) -> dict[str, set[int]]:
        listed = read_name_list(path, size=len(self._positions))
        if not listed.has_wnids and len(listed.entries) != len(self._positions):
            raise DataError(
                f"{path} holds {len(listed.entries):,} names and no wnids; the set has"
                f" {len(self._positions):,} classes."
            )
        found: dict[str, set[int]] = {}
        for entry, position in zip(listed.entries, self._places(listed.entries), strict=True):
            if entry.name is None:
                raise DataError(f"{path}: {entry.place} has no name.")
            found.setdefault(word_key(entry.name), set()).add(position)
        return found

    def _places(self, entries: Sequence[object]) -> list[int]:
        wnids = [getattr(entry, "wnid", None) for entry in entries]
        if None in wnids:
            return self._positions
        return self.lexicon.resolve([str(wnid) for wnid in wnids])

    def meant(self, name: str) -> list[str]:
        """The classes that a name may mean: one where it is clear, none where it is unknown."""
        if WNID.match(name):
            return [name]
        position = self.lexicon.named.get(name)
        if position is not None:
            return [self.lexicon.wnids[position]]
        return sorted(self.lexicon.wnids[each] for each in self._matches(name))

    def _matches(self, name: str) -> set[int]:
        for known in (self._given, self._own, self._of_key):
            if found := known.get(word_key(name)):
                return found
        parts = [self._of_key.get(word_key(part), set()) for part in name.split(",")]
        shared = [part for part in parts if part]
        if len(parts) > 1 and shared:
            return set.intersection(*shared) or set.union(*shared)
        return self._of_key.get(word_key(_QUALIFIER.sub("", name)), set())

    def wnids(self, names: Sequence[str]) -> list[str]:
        """The wnid of each name; several names may mean one class.

        Raises:
            DataError: names that no class has, with near ones, or a name that several classes have.
        """
        unknown, found = [], []
        for name in names:
            meant = self.meant(name)
            if len(meant) > 1:
                raise DataError(
                    f"{name!r} may mean {', '.join(map(self._called, meant[:_SHOWN]))}. Give the"
                    " names that the classifier knew its classes by, or wnids."
                )
            unknown += [] if meant else [name]
            found += meant
        if unknown:
            raise DataError(self._unknown(unknown, len(names)))
        return found

    def _called(self, wnid: str) -> str:
        return f"{wnid} ({self.lexicon.names[self.lexicon.index[wnid]]})"

    def _unknown(self, unknown: Sequence[str], total: int) -> str:
        known = [*self._given, *self._own, *self._of_key]
        said = []
        for name in unknown[:_SHOWN]:
            near = get_close_matches(word_key(name), known, 1, 0.7)
            meant = self._called(self.meant(near[0])[0]) if near and self.meant(near[0]) else ""
            said.append(f"{name!r}" + (f" (near {near[0]!r}: {meant})" if meant else ""))
        return (
            f"{len(unknown):,} of {total:,} class names are no words of the"
            f" {len(self._positions):,} classes: {', '.join(said)}"
            f"{' …' if len(unknown) > _SHOWN else ''}. Give the names that the classifier knew its"
            " classes by, or wnids."
        )
