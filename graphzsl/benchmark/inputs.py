"""Inputs of a recipe: class sets, hierarchy and populations, from a database or from files
alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from graphzsl.analysis.words import from_lexicon
from graphzsl.analysis.words.from_database import first_words, read_words
from graphzsl.analysis.words.labels import Words
from graphzsl.common.errors import DataError
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.database.ingest import frequency_scale
from graphzsl.database.library import query
from graphzsl.database.names import DatabaseVocabulary
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.vocabulary import Vocabulary
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import populations_path
from graphzsl.splits.compare import compared_classes
from graphzsl.splits.populations import require_populations


@dataclass(frozen=True)
class StoredInputs:
    """Data that is loaded into a database; each hierarchy is read once."""

    database: Database
    _hierarchies: dict[str, Hierarchy] = field(default_factory=dict, repr=False, compare=False)

    @property
    def frequency_scale(self) -> str:
        """File and scale of the loaded frequencies."""
        return frequency_scale(self.database)

    @property
    def vocabulary(self) -> Vocabulary:
        """The stored synsets."""
        return DatabaseVocabulary(self.database)

    def words(self, universe: str) -> Words:
        """The stored labels of a set."""
        return read_words(self.database, universe)

    def first_words(self) -> Mapping[str, str]:
        """The stored first words."""
        return first_words(self.database)

    def members(self, name: str) -> list[str]:
        """The classes of a stored set."""
        return members(self.database, name)

    def listed(self, name: str) -> Collection[str]:
        """The classes of a stored set, of a shipped list that is not loaded, or of a file."""
        return compared_classes(self.database, Path(name) if Path(name).is_file() else name)[1]

    def hierarchy(self, kind: str) -> Hierarchy:
        """The stored hierarchy."""
        if kind not in self._hierarchies:
            self._hierarchies[kind] = read_hierarchy(self.database, kind)
        return self._hierarchies[kind]

    def populations(self, universe: str) -> Mapping[str, int]:
        """The populations that are loaded."""
        return require_populations(self.database, universe)

    def populations_of(self, wnids: Sequence[str]) -> dict[str, int]:
        """The populations that are loaded of these classes."""
        rows = self.database.rows_in_batches(query("synset_properties"), sorted(wnids))
        return {row["wnid"]: row["population"] for row in rows if row["population"] is not None}


@dataclass(frozen=True)
class FileInputs:
    """Files and shipped data: no database, and no frequencies of words.

    Args:
        whole: the hierarchy, which knows its kind and perhaps populations; else those of ImageNet's
            Fall 2011 release count.
        read: gives the classes of a file or of a list by its name.
        lexicon: gives WordNet's words; by default those of the package.
    """

    whole: Hierarchy
    read: Callable[[str], list[str]]
    lexicon: Callable[[], Lexicon] = Lexicon.load

    @property
    def frequency_scale(self) -> str:
        """Raise DataError: frequencies are in the database."""
        raise DataError(
            "frequencies of words are in the database. Build the recipe there, not from files."
        )

    @property
    def vocabulary(self) -> Vocabulary:
        """The nodes of the hierarchy."""
        return self.whole.vocabulary

    def words(self, universe: str) -> Words:
        """The labels of a set, without frequencies."""
        return from_lexicon.words_of(self.lexicon(), universe, self.members(universe))

    def first_words(self) -> Mapping[str, str]:
        """WordNet's first words."""
        return from_lexicon.first_words(self.lexicon())

    def members(self, name: str) -> list[str]:
        """The classes of a file or a list."""
        return self.read(name)

    def listed(self, name: str) -> Collection[str]:
        """The classes of a file or a list."""
        return self.read(name)

    def hierarchy(self, kind: str) -> Hierarchy:
        """The hierarchy; DataError when it is another one."""
        own = self.whole.provenance.get("hierarchy", "wordnet")
        if own != kind:
            raise DataError(
                f"the hierarchy that is read is {own}, not {kind}. Build the recipe in the"
                " database, or from a folder that `graphzsl export subgraph` wrote with it."
            )
        return self.whole

    def populations(self, universe: str) -> Mapping[str, int]:
        """The populations of the hierarchy or of Fall 2011; DataError where none of the universe's
        classes has one."""
        known = self._populations
        found = {wnid: known[wnid] for wnid in self.members(universe) if wnid in known}
        if not found:
            raise DataError(f"No class of {universe} has a population in ImageNet's Fall 2011.")
        return found

    def populations_of(self, wnids: Sequence[str]) -> dict[str, int]:
        """The populations that are known of these classes."""
        known = self._populations
        return {wnid: known[wnid] for wnid in sorted(wnids) if wnid in known}

    @cached_property
    def _populations(self) -> Mapping[str, int]:
        if self.whole.populations:
            return self.whole.populations
        return {wnid: images for _, wnid, images in read_populations(populations_path())}


#: Data that the steps of a recipe read; methods raise DataError or SplitError for missing data.
Inputs = StoredInputs | FileInputs
