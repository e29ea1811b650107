"""Origin of a published benchmark: checks that its training classes, its universe and its numbers
of images are unchanged, by a database or by shipped data. Rows of ``verify``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.benchmark.contents import lines
from graphzsl.benchmark.folder import (
    WITH_DATABASE,
    counts_are_shipped,
    known_populations,
    shipped_list,
)
from graphzsl.benchmark.inputs import StoredInputs
from graphzsl.benchmark.publish import sources_of
from graphzsl.benchmark.recipe_checks import named, row_of
from graphzsl.common.errors import DataError, SplitError
from graphzsl.common.files import sha256_text
from graphzsl.common.wording import counted
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.hierarchy.lexicon import Lexicon

Row = dict[str, Any]


@dataclass(frozen=True)
class Origin:
    """Source data of a folder, read from a database or, without one, from shipped data."""

    folder: Path
    described: Mapping[str, Any]
    database: Database | None

    def training(self, training: Sequence[str]) -> Row:
        """Row of the training classes: whether they are those of the class set named in the
        manifest."""
        name, check = self.described["train"], "training classes"
        try:
            listed = self._members(name)
        except (DataError, SplitError) as error:
            return row_of(check, None, f"not checked: {str(error).removesuffix('.')}")
        other = {*listed} ^ {*training}
        if not other:
            return row_of(check, True, f"those of {name}")
        differ = counted(len(other), "class differs", "classes differ")
        if self.database is None:
            told = f"training_classes.txt: {differ} from the shipped list {name}: {min(other)}"
            return row_of(check, False, told)
        told = f"not checked: {differ} from {name} as it is loaded here"
        return row_of(check, None, f"{told}. Verify where the published one is loaded")

    def universe(self, test: Sequence[str], lexicon: Lexicon) -> tuple[list[str] | None, Row]:
        """(the universe, or None if it cannot be read as it was; its row)."""
        name = self.described["universe"]
        try:
            universe = self._universe()
        except (DataError, SplitError) as error:
            told = f"not checked: {str(error).removesuffix('.')}"
            return None, row_of("universe", None, told)
        outside = sorted({*test} - {*universe})
        if not outside:
            told = f"all test classes are in {name}, which is as it was"
            return universe, row_of("universe", True, told)
        told = f"{counted(len(outside), 'test class is', 'test classes are')} not in {name}"
        return universe, row_of("universe", False, f"{told}, such as {named(lexicon, outside[0])}")

    def populations(self, test: Sequence[str]) -> tuple[dict[str, int] | None, Row]:
        """(images of the test classes, or None if they cannot be read; their row). The images are
        the database's if it has the same source, else the shipped ones or those of the folder's
        table."""
        check, source = "populations", self.described["sources"].get("populations")
        loaded = sources_of(self.database, "") if self.database else {}
        if self.database and loaded.get("populations") == source:
            found = StoredInputs(self.database).populations_of(test)
            return found, row_of(check, True, "counted by the database")
        try:
            found = known_populations(self.folder, self.described, test)
        except DataError as error:
            return None, row_of("classes.csv", False, str(error))
        if counts_are_shipped(self.described):
            told = "those of ImageNet's Fall 2011 release that are shipped"
            return found, row_of(check, True, told)
        if not found:
            return found, row_of(check, True, "there are none")
        told = "images are of a source that is not at hand, and classes.csv is taken at its word"
        return found, row_of(check, None, f"not checked: {told}; {WITH_DATABASE}")

    def _members(self, name: str) -> list[str]:
        """The classes of a set; DataError or SplitError where it is not at hand."""
        return shipped_list(name) if self.database is None else members(self.database, name)

    def _universe(self) -> list[str]:
        """The universe as it was published; DataError or SplitError where it is not at hand."""
        name = self.described["universe"]
        universe = self._members(name)
        if sha256_text(lines(universe)) != self.described["universe_sha256"]:
            raise DataError(
                f"the universe {name} has other classes here than where this was published. Verify"
                " where that one is loaded"
            )
        return universe
