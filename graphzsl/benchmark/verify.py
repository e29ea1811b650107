"""Re-checking a published benchmark: every file against its checksum, against WordNet and against
what it is computed from, every statistic, and the recipe run again. What was not checked says
so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from graphzsl.benchmark import croissant
from graphzsl.benchmark.build import Built
from graphzsl.benchmark.contents import BASIS, contents
from graphzsl.benchmark.differences import first_difference, where_changed
from graphzsl.benchmark.folder import (
    as_published,
    files_of,
    other_files,
    read_benchmark,
    read_classes,
    read_manifest,
    read_statistics,
)
from graphzsl.benchmark.origin import Origin
from graphzsl.benchmark.recipe import Recipe, read_recipe
from graphzsl.benchmark.recipe_checks import (
    check_classes,
    check_statistics,
    check_steps,
    row_of,
)
from graphzsl.benchmark.record import Benchmark
from graphzsl.benchmark.rerun import rerun
from graphzsl.common.errors import DataError, SettingsError
from graphzsl.common.files import MANIFEST, read_json
from graphzsl.common.progress import step
from graphzsl.common.reading.json_places import line_of_value
from graphzsl.common.version import __version__
from graphzsl.common.wording import counted
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.imagenet import read_class_list

Rows = list[dict[str, Any]]
#: Files whose words may change with graphzsl while the benchmark stays the same.
WORDED = ("README.md", "croissant.json", MANIFEST)
#: Checks that were not made, of which a sentence names so many.
_NAMED = 6
#: The checks that do not depend on what is in the folder, in their order.
CHECKS = (
    *("files", "other files", "recipe.toml", "manifest", "lists", "wnids", "in one list"),
    *("training classes", "universe", "populations", "disjoint"),
)


def verify(
    folder: Path,
    database: Database | None = None,
    lexicon: Lexicon | None = None,
    hierarchy: Hierarchy | None = None,
) -> Rows:
    """Check a published folder.

    All files against their checksums; the manifest against the recipe; the classes against WordNet
    and each other; classes, names, distances, closest training classes, baselines, card and
    Croissant's checksums against what they are computed from; and the recipe run again, whose
    classes, statistics and steps must come out. The recipe can only run where the sources that it
    reads are: in a database with the same checksums, or without one where they are WordNet and what
    is shipped.

    Args:
        folder: what ``publish`` wrote.
        database: where WordNet and the class sets are loaded; None checks what needs none.
        lexicon: WordNet's nouns; by default those of the package.
        hierarchy: all of WordNet, where there is no database; by default that of the package.

    Returns:
        A row per check: ``check``, ``ok`` (None: was not checked here), ``detail``, which names
        file and line of what differs, and why something was not checked and where it can be.

    Raises:
        DataError: the folder is not that of a benchmark.
    """
    described = read_manifest(folder)
    checked = _Verification(folder, described, database, lexicon or Lexicon.load(), hierarchy)
    stopped = checked.run()
    done = {row["check"] for row in checked.rows}
    for name in checked.planned():
        if name not in done:
            checked.add(name, None, f"not checked: {stopped}")
    return checked.rows


@dataclass(eq=False)
class _Verification:
    """The rows of a folder, as far as they are made."""

    folder: Path
    described: Mapping[str, Any]
    database: Database | None
    lexicon: Lexicon
    whole: Hierarchy | None
    rows: Rows = field(default_factory=list)

    def add(self, name: str, ok: bool | None, detail: str) -> None:
        """Add a row."""
        self.rows.append(row_of(name, ok, detail))

    def planned(self) -> Iterator[str]:
        """The names of all checks of this folder."""
        yield from CHECKS
        yield from sorted({*files_of(self.described), MANIFEST} - {*BASIS})
        yield "croissant"
        try:
            yield from read_statistics(self.folder / "statistics.json")[0]
        except DataError:
            yield "statistics.json"
        yield from ("steps", "recipe")

    def run(self) -> str:
        """Run all checks; returns the reason if one of them leaves nothing to go on with."""
        if not self.files():
            return "files are not as published"
        recipe = self.recipe()
        if recipe is None:
            return "recipe.toml cannot be read"
        lists = self.lists()
        if lists is None:
            return "the lists cannot be read"
        test, training = lists
        if not self.classes(test, training):
            return "some of the classes are none"
        where = Origin(self.folder, self.described, self.database)
        universe, row = where.universe(test, self.lexicon)
        populations, counted_by = where.populations(test)
        self.rows += [where.training(training), row, counted_by]
        if populations is None:
            return "classes.csv cannot be read"
        if self.graph is None:
            return (
                f"the hierarchy {self.described['hierarchy']} is in the database alone: verify with"
                " a database where it is loaded"
            )
        self.disjoint(self.graph, test, training, recipe.disjoint)
        try:
            benchmark = read_benchmark(
                self.folder, self.described, self.graph, self.lexicon, populations
            )
        except DataError as error:
            self.add("statistics.json", False, str(error))
            return "statistics.json cannot be read"
        try:
            self.computed(benchmark)
        except DataError as error:  # such as a class that is not in this hierarchy
            self.add("classes.csv", False, str(error))
            return "the files cannot be computed again"
        built, why = self.rebuilt()
        with step("computing the statistics again"):
            self.rows += check_statistics(self.folder, benchmark, universe, built, why)
        self.rows += [
            check_steps(self.folder, benchmark, built, why),
            check_classes(benchmark, built, why),
        ]
        return ""

    @cached_property
    def graph(self) -> Hierarchy | None:
        """Hierarchy that distances are measured in; None if only a database would have it."""
        if self.database is not None:
            nodes: list[str] = []
            for name in BASIS[:2]:
                try:
                    nodes += read_classes(self.folder / name)
                except DataError:
                    continue  # the checks of the lists say so
            nodes = [wnid for wnid in nodes if wnid in self.lexicon.index]
            return read_hierarchy(self.database, self.described["hierarchy"], nodes)
        if self.described["hierarchy"] != "wordnet":
            return None
        return self.whole or Hierarchy.load()

    def files(self) -> bool:
        """Check every file against its checksum, and the folder for other files."""
        names = files_of(self.described)
        changed = [name for name in names if not as_published(self.folder, self.described, name)]
        unknown = sorted(self.described["files"].keys() - {*names})
        manifest = self.folder / MANIFEST
        good = f"the {len(names)} files have the checksums of {MANIFEST}"
        verb = "differs" if len(changed) == 1 else "differ"
        bad = f"{len(changed)} of {len(names)} files {verb} from {MANIFEST}"
        self.add("files", not changed, f"{bad}: {', '.join(changed)}" if changed else good)
        others, hidden = other_files(self.folder)
        wrong = [f"{name} is not a file of a benchmark: remove it" for name in others]
        wrong += [
            f"{MANIFEST}:{line_of_value(manifest, 'files', name)} lists {name}, which is not a file"
            " of a benchmark"
            for name in unknown
        ]
        besides = f"none but hidden ones: {', '.join(hidden)}" if hidden else "none"
        self.add("other files", not wrong, "; ".join(wrong) or besides)
        if changed:
            details = where_changed(
                self.folder, self.described, changed, self.graph, self.lexicon, self.rebuilt
            )
            for name, detail in details.items():
                self.add(name, False, detail)
        return not changed

    def rebuilt(self) -> tuple[Built | None, str]:
        """Run the recipe again; (what it gives, or None and why it cannot be run)."""
        assert self.graph is not None
        training = read_classes(self.folder / "training_classes.txt")
        with step("running the recipe again"):
            return rerun(
                self.folder, self.described, training, self.database, self.graph, self.lexicon
            )

    def recipe(self) -> Recipe | None:
        """The recipe, and the manifest against it."""
        try:
            recipe = read_recipe(self.folder / "recipe.toml")
        except SettingsError as error:
            self.add("recipe.toml", False, str(error))
            return None
        self.add("recipe.toml", True, "a recipe")
        wrong = [
            f"{MANIFEST}:{line_of_value(self.folder / MANIFEST, key)} says {key}"
            f" {self.described[key]!r}, {Path(recipe.where(key)).name} {getattr(recipe, key)!r}"
            for key in ("name", "train", "universe", "hierarchy")
            if self.described[key] != getattr(recipe, key)
        ]
        same = "name, training classes, universe and hierarchy are the recipe's"
        self.add("manifest", not wrong, "; ".join(wrong) or same)
        return recipe

    def lists(self) -> tuple[list[str], list[str]] | None:
        """The two lists of classes."""
        try:
            test, training = (read_classes(self.folder / name) for name in BASIS[:2])
        except DataError as error:
            self.add("lists", False, str(error))
            return None
        told = f"{len(test):,} test classes and {len(training):,} training classes"
        self.add("lists", True, told)
        return test, training

    def classes(self, test: Sequence[str], training: Sequence[str]) -> bool:
        """Check that all of the classes are synsets, and are in one list only; True if all are
        synsets."""
        unknown = [
            f"{name}:{line}: {wnid} is not a synset of WordNet 3.0"
            for name in BASIS[:2]
            for line, wnid in read_class_list(self.folder / name)
            if wnid not in self.lexicon.index
        ]
        self.add("wnids", not unknown, unknown[0] if unknown else "all are synsets of WordNet 3.0")
        if not unknown:
            both = len(set(test) & set(training))
            told = counted(both, "class is", "classes are")
            self.add("in one list", not both, f"{told} in both lists")
        return not unknown

    def disjoint(
        self, graph: Hierarchy, test: Sequence[str], training: Sequence[str], asked: bool
    ) -> None:
        """Check that no test class is above or below another test class or a training class; if the
        recipe does not ask for that, only count the pairs."""
        try:
            inside = graph.related(graph.positions(test))
            both = graph.related(graph.positions([*test, *training]))
        except DataError as error:
            self.add("disjoint", False, str(error))
            return
        across = both[: len(test), len(test) :].nnz + both[len(test) :, : len(test)].nnz
        detail = f"{inside.nnz} pairs within the test classes, {across} with training classes"
        if asked:
            self.add("disjoint", not inside.nnz + across, detail)
        else:
            self.add("disjoint", True, f"not asked for by the recipe: {detail}")

    def computed(self, benchmark: Benchmark) -> None:
        """Every file that follows from others, computed again."""
        with step("computing its files again"):
            expected = contents(benchmark)
        version = self.described["graphzsl"]
        for name in sorted(expected.keys() - {*BASIS}):
            path = self.folder / name
            found = path.read_bytes() if path.is_file() else b""
            if found == expected[name]:
                self.add(name, True, "as computed")
            elif version != __version__ and name in WORDED:
                told = f"its words are those of graphzsl {version}: verify with that version"
                self.add(name, None, f"not checked: {told}")
            else:
                self.add(name, False, first_difference(name, found, expected[name]))
        self.checksums()

    def checksums(self) -> None:
        """The checksums in croissant.json."""
        path = self.folder / "croissant.json"
        try:
            document = read_json(path)
        except DataError as error:
            self.add("croissant", False, str(error))
            return
        told = croissant.checksums(document)
        files = {name: self.described["files"][name] for name in files_of(self.described)}
        del files["croissant.json"]
        wrong = sorted(name for name in {*files, *told} if told.get(name) != files.get(name))
        if not wrong:
            self.add("croissant", True, f"{len(told)} checksums are those of the files")
            return
        line = line_of_value(path, *croissant.place_of(document, wrong[0]))
        told_of = "another checksum of" if wrong[0] in told else "no checksum of"
        self.add("croissant", False, f"croissant.json:{line}: {told_of} {wrong[0]}")


def conclusion(folder: Path, rows: Rows) -> str:
    """Sum up the rows in a sentence."""
    failed = [row["check"] for row in rows if row["ok"] is False]
    unchecked = [row["check"] for row in rows if row["ok"] is None]
    made = f"{len(rows) - len(unchecked)} of {len(rows)} checks"
    if failed:
        return f"{folder} is not as published: {', '.join(failed)}. {made} were made."
    if not unchecked:
        return f"{folder} is as published: all of {len(rows)} checks."
    more = f" and {len(unchecked) - _NAMED} more" if len(unchecked) > _NAMED else ""
    return (
        f"{folder} is as published in what was checked: {made}. Not checked here:"
        f" {', '.join(unchecked[:_NAMED])}{more}."
    )
