"""Structure, selections and leakage on the mini WordNet: queries against searches in memory, and
what must be refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphzsl import splits
from graphzsl.analysis import split_report
from graphzsl.common.errors import SplitError
from graphzsl.database import Database, members, query, read_hierarchy, store_class_set
from graphzsl.database.class_sets import put_class_set
from graphzsl.hierarchy import Hierarchy
from graphzsl.splits.store import store_split
from tests.mini import MiniWordNet


def test_outcome_candidates_are_ancestors_and_descendants(
    mini_database: Database, mini: MiniWordNet
) -> None:
    for edges in ("wordnet", "hypernym"):
        graph = read_hierarchy(mini_database, edges)
        universe = set(mini.universe()) & set(graph.wnids)
        rows = mini_database.rows(
            query("outcome_candidates", hierarchy=edges), split="universe", among="universe"
        )
        expected = {
            wnid: (
                sorted(graph.ancestors(wnid) & universe),
                sorted(graph.descendants(wnid) & universe),
            )
            for wnid in sorted(universe)
        }
        assert {row["wnid"]: (row["parents"], row["children"]) for row in rows} == {
            k: v for k, v in expected.items() if v[0] or v[1]
        }


def test_bins_of_classes_below(
    mini_database: Database, mini: MiniWordNet, hierarchy: Hierarchy
) -> None:
    roots = mini.named("animal", "artifact")
    rows = mini_database.rows(query("classes_below"), class_set="universe", wnids=roots)
    expected = {
        (root, wnid)
        for root in roots
        for wnid in (hierarchy.descendants(root) | {root}) & set(mini.universe())
    }
    assert {(row["root"], row["wnid"]) for row in rows} == expected


def test_levels_above_a_class(mini_database: Database, mini: MiniWordNet) -> None:
    rows = {
        row["wnid"]: row
        for row in mini_database.rows(query("levels_above"), wnid=mini["toy_poodle"])
    }
    assert rows[mini["dog"]]["edges"] == 2
    assert rows[mini["animal"]]["edges"] == 4
    assert rows[mini["toy_poodle"]]["edges"] == 0


def test_selections_never_replace_lists(mini_database: Database, mini: MiniWordNet) -> None:
    store_class_set(mini_database, "some", mini.named("dog"), {})
    store_class_set(mini_database, "some", mini.named("cat"), {})
    assert members(mini_database, "some") == mini.named("cat")
    with pytest.raises(SplitError, match="does not replace"):
        store_class_set(mini_database, "universe", mini.named("dog"), {})
    with pytest.raises(SplitError, match="does not replace"):
        store_split(mini_database, splits.Split("train", [], "train", "universe", "wordnet"), {})


def test_the_report_says_what_a_split_gives_away(
    mini_database: Database, mini: MiniWordNet
) -> None:
    put_class_set(
        mini_database,
        "mixed",
        mini.named("raptor", "pony", "zebra", "cat", "bird"),
        {"kind": "list"},
    )
    put_class_set(mini_database, "two", mini.named("vulture", "horse"), {"kind": "list"})
    rows = {row["measure"]: row for row in split_report(mini_database, "mixed", "two")}
    assert rows["classes that are training classes"]["value"] == 0
    assert rows["classes above a training class"]["value"] == 2
    assert rows["classes below a training class"]["share"] == 1 / 5
    assert (
        rows["solvable by structure alone (expected hit@1 from the closest training classes)"][
            "value"
        ]
        == 2 / 5
    )
    with pytest.raises(SplitError, match="no class set"):
        split_report(mini_database, "nothing")


def test_overlap_of_names_wnids_and_sets(
    mini_database: Database,
    mini: MiniWordNet,
    in_mini_wordnet: None,
    command: Callable[..., Any],
    tmp_path: Path,
) -> None:
    """Training classes vulture and horse; the tree says the rest. Crane and queen have several
    meanings, unicorn none."""
    put_class_set(mini_database, "two", mini.named("vulture", "horse"), {"kind": "list"})
    path = tmp_path / "names.txt"
    path.write_text(
        f"001.Toy_Poodle\nsports+car\nchesspiece\ncrane\nunicorn\n{mini['pony']}\n/q/queen/regnant\n"
    )
    answer = command("split", "overlap", str(path), "two", "--each", "--format", "json")
    assert answer.exit_code == 0, answer.output
    rows = json.loads(answer.stdout)
    seen = [(row["class"], row["reading"], row["wnid"], row["relation"]) for row in rows]
    horse, vulture = mini["horse"], mini["vulture"]
    assert seen == [
        ("001.Toy_Poodle", "1 of 1", mini["toy_poodle"], "apart"),
        ("sports+car", "1 of 1", mini["sports_car"], "apart"),
        ("chesspiece", "1 of 1", mini["chesspiece"], "apart"),
        ("crane", "1 of 2", mini["crane"], "apart"),
        ("crane", "2 of 2", mini["lifting_truck"], "apart"),
        ("unicorn", None, None, "unknown name"),
        (mini["pony"], "1 of 1", mini["pony"], "below"),
        ("/q/queen/regnant", "1 of 1", mini["queen_regnant"], "apart"),
    ]
    by_wnid = {row["wnid"]: row for row in rows}
    assert (by_wnid[mini["pony"]]["hops"], by_wnid[mini["pony"]]["closest"]) == (1, horse)
    assert (by_wnid[mini["crane"]]["hops"], by_wnid[mini["crane"]]["closest_name"]) == (
        3,
        "vulture.n.01",
    )
    assert f"7 classes of {path} against two: 1 below, 5 apart, 1 unknown name." in answer.stderr
    put_class_set(mini_database, "asked", [vulture, mini["raptor"], mini["hawk"]], {"kind": "list"})
    answer = command("split", "overlap", "asked", "two", "--each", "--format", "json")
    assert [row["relation"] for row in json.loads(answer.stdout)] == [
        "same",
        "above",
        "beside",
    ]
    put_class_set(mini_database, "leaky", [vulture, mini["hawk"]], {"kind": "list"})
    report = {row["measure"]: row for row in split_report(mini_database, "leaky", "two")}
    assert report["classes that are training classes"]["value"] == 1
    assert report["classes that are training classes"]["share"] == 0.5
