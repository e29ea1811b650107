"""The tables of the data model in docs/design.md, against what a database holds."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from graphzsl.database import Database, ingest
from graphzsl.hierarchy import Hierarchy
from graphzsl.splits import hop_split
from tests.conftest import Command
from tests.mini import MiniWordNet

PAGE = Path(__file__).parents[2] / "docs" / "design.md"


def _rows() -> list[tuple[str, str]]:
    """(first cell, properties) of each row of the two tables."""
    part = PAGE.read_text().partition("## The data model")[2].partition("Hierarchies, wherever")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| ")]
    return [(row[0], row[1]) for row in rows]


def _named(text: str) -> set[str]:
    return {*re.findall(r"`([a-z_0-9]+)`", text)}


def _documented() -> dict[str, set[str]]:
    """Labels of a node, or type of an edge -> properties."""
    found: dict[str, set[str]] = {}
    of_class_sets: set[str] = set()
    for element, properties in _rows():
        if edge := re.search(r"-\[:(\w+)\]->", element):
            found[edge[1]] = _named(properties)
        elif labels := re.search(r"`\(:([\w:]+)\)`", element):
            found[labels[1]] = _named(properties)
        else:
            of_class_sets |= _named(properties) - {"parameter_images"}
    return {**found, "ClassSet": of_class_sets}


def _stored(database: Database) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for kind in ("node", "rel"):
        name = f"{kind}Type"
        for row in database.query(f"CALL db.schema.{kind}TypeProperties()"):
            labels = re.findall(r"`(\w+)`", row[name])
            # Synset before Concept, as in the table
            element = ":".join(sorted(labels, key=lambda label: label == "Concept"))
            found[element] |= {row["propertyName"]} - {None}
    return found


def test_every_label_type_and_property_is_in_the_table(
    mini_database: Database, mini: MiniWordNet, run: Command, tmp_path: Path
) -> None:
    """And nothing is in the table that the commands do not make."""
    pytest.importorskip("wordfreq")
    table = tmp_path / "table.tsv"
    table.write_text("".join(f"{wnid}\t{n}\n" for wnid, n in mini.populations.items()))
    ingest.load_populations(mini_database, table)
    table.write_text(f"{mini['dog']}\tfa11misc\nfa11misc\tfall11\n")
    ingest.load_hierarchy(mini_database, table)
    ingest.load_packaged_frequencies(mini_database, "wordfreq")
    ingest.load_relations(mini_database, mini)  # type: ignore[arg-type]
    for name, kept in (("train", mini_training(mini)), ("universe", mini.universe())):
        table.write_text("\n".join(kept))
        ingest.load_class_set(mini_database, name, table, replace=True)
    split = hop_split(mini_database, 1, train="train", universe="universe", name="mine")
    split.store(mini_database)
    sources = {"sources": {"wordnet": "mini"}}
    nodes = Hierarchy.from_edges(mini.edges(), provenance=sources)
    given = {"train": mini_training(mini), "universe": mini.universe()}
    hop_split(nodes, 1, **given, name="of files").store(mini_database)
    run("split", "windows", "mine", "--by", "ratio", "--size", "2", "--store", "ratio")
    run(
        "study",
        "populations",
        "filter",
        "--above",
        "300",
        "--universe",
        "universe",
        "--store",
        "many",
    )
    run(
        "study",
        "words",
        "meaning",
        "--universe",
        "universe",
        "--rule",
        "single",
        "--store",
        "meant",
    )
    recipe = tmp_path / "built.toml"
    recipe.write_text('name = "built"\nuniverse = "universe"\ntrain = "train"\nsize = 6\n')
    run("split", "build", str(recipe))
    recipe.write_text(
        'name = "far"\nuniverse = "universe"\ntrain = "train"\nlevels = 2\nsize = 4\n'
        'rank_by = "path"\n'
    )
    run("split", "build", str(recipe))
    stored, documented = _stored(mini_database), _documented()
    parameters = {name for name in stored["ClassSet"] if name.startswith("parameter_")}
    assert parameters == {"parameter_images"}
    stored["ClassSet"] -= parameters
    assert stored == documented


def mini_training(mini: MiniWordNet) -> list[str]:
    """The training classes of the mini WordNet."""
    from tests.mini import TRAIN

    return mini.named(*TRAIN)
