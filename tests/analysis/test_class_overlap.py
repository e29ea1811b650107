"""Two lists of classes against each other: by hand on the mini WordNet, and on WordNet against
networkx."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.analysis import class_overlap, meant_classes, overlap_counts
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.common.class_entries import of_classes
from graphzsl.hierarchy import Hierarchy, HierarchyVocabulary
from graphzsl.sources.imagenet import listed_classes
from tests.command import run as graphzsl
from tests.conftest import Command
from tests.mini import MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges(), names={row.wnid: row.name for row in MINI.rows})


def _overlap(one: list[str], other: list[str]) -> list[dict[str, Any]]:
    """Of classes by their names in the tree."""
    nodes = HierarchyVocabulary(DAG)
    sides = [meant_classes(nodes, of_classes(MINI.named(*names))) for names in (one, other)]
    return class_overlap(DAG, *sides)


@pytest.mark.parametrize(
    ("name", "relation", "hops", "closest", "above", "below"),
    [
        ("horse", "same", 0, "horse", 1, 0),  # the pony is among the others too
        ("mammal", "above", 1, "horse", 2, 0),
        ("animal", "above", 2, "horse", 3, 0),
        ("bird", "above", 2, "vulture", 1, 0),
        ("pony", "same", 0, "pony", 0, 1),
        ("hawk", "beside", 2, "vulture", 0, 0),
        ("dog", "beside", 2, "horse", 0, 0),
        ("poodle", "apart", 3, "horse", 0, 0),
    ],
)
def test_how_a_class_stands_to_another_list(
    name: str, relation: str, hops: int, closest: str, above: int, below: int
) -> None:
    (row,) = _overlap([name], ["vulture", "horse", "pony"])
    assert row == {
        "class": MINI[name],
        "reading": "1 of 1",
        "wnid": MINI[name],
        "name": f"{name}.n.01",
        "relation": relation,
        "hops": hops,
        "closest": MINI[closest],
        "closest_name": f"{closest}.n.01",
        "above": above,
        "below": below,
    }


def test_of_several_closest_classes_the_smallest_wnid_is_shown() -> None:
    (row,) = _overlap(["mammal"], ["zebra", "cat", "horse"])
    assert (row["closest"], row["above"]) == (min(MINI.named("zebra", "cat", "horse")), 3)


def test_relations_are_counted() -> None:
    rows = _overlap(["horse", "hawk", "dog", "mammal"], ["vulture", "horse", "pony"])
    counts = {row["relation"]: (row["classes"], row["share"]) for row in overlap_counts(rows)}
    assert counts == {
        "same": (1, 0.25),
        "above": (1, 0.25),
        "below": (0, 0),
        "beside": (2, 0.5),
        "apart": (0, 0),
        "not in the hierarchy": (0, 0),
        "unknown name": (0, 0),
    }


@pytest.fixture(scope="module")
def wordnet() -> Hierarchy:
    return Hierarchy.load()


def test_thousands_of_classes_are_what_networkx_finds(wordnet: Hierarchy) -> None:
    rng = np.random.default_rng(0)
    train = sorted(rng.choice(listed_classes("ilsvrc2012"), 100, replace=False).tolist())
    others = sorted(rng.choice(listed_classes("imagenet-fall11"), 300, replace=False).tolist())
    others += [train[0], *sorted(wordnet.ancestors(train[0]))[:3]]
    rows = class_overlap(
        wordnet, {wnid: [wnid] for wnid in dict.fromkeys(others)}, {wnid: [wnid] for wnid in train}
    )
    up = networkx.DiGraph()
    children, parents = wordnet.up.nonzero()
    names = wordnet.wnids
    up.add_edges_from((names[c], names[p]) for c, p in zip(children, parents, strict=True))
    ways = up.to_undirected()
    away = networkx.multi_source_dijkstra_path_length(ways, set(train))
    below = {wnid: networkx.descendants(up, wnid) for wnid in {*others, *train}}
    for row in rows:
        wnid = row["wnid"]
        above = sum(wnid in below[other] for other in train)
        under = len(below[wnid] & set(train))
        near = set(up[wnid]) & {parent for other in train for parent in up[other]}
        expected = next(
            name
            for name, holds in (
                ("same", wnid in train),
                ("above", above),
                ("below", under),
                ("beside", near),
                ("apart", True),
            )
            if holds
        )
        assert (row["relation"], row["hops"]) == (expected, away[wnid])
        assert (row["above"], row["below"]) == (above, under)
        assert row["closest"] in train
    for row in rows[:30]:
        assert networkx.shortest_path_length(ways, row["wnid"], row["closest"]) == row["hops"]
    assert {row["relation"] for row in rows} == {"same", "above", "below", "beside", "apart"}


def test_names_are_read_as_data_sets_write_them(wordnet: Hierarchy) -> None:
    """Xian et al.'s proposed test classes of AWA: no class of ILSVRC is one, horse is above one."""
    texts = ("grizzly+bear", "001.Laysan_Albatross", "Dog.n.1", "n02121620", "no such")
    meanings = meant_classes(HierarchyVocabulary(wordnet), of_classes(texts))
    assert meanings["grizzly+bear"] == [wordnet.wnid("grizzly.n.01")]
    assert (meanings["Dog.n.1"], meanings["n02121620"]) == (["n02084071"], ["n02121620"])
    assert meanings["no such"] == []
    (senses,) = meant_classes(HierarchyVocabulary(wordnet), of_classes(["seal"])).values()
    # the order of WordNet's index: sealing wax is a seal's first sense there
    assert [wordnet.names[wnid] for wnid in senses][:2] == ["sealing_wax.n.01", "seal.n.02"]
    assert len(senses) == 9


def test_the_command_needs_no_server(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "a.txt", tmp_path / "b.txt"
    mine.write_text("poodle.n.01\nn02084071\ntoy_poodle.n.01\nunicorn horn\n")
    theirs.write_text("# dogs\nstandard poodle\nn02084071\nno such thing\n")
    rows = graphzsl("split", "overlap", str(mine), str(theirs), "--each")
    seen = [(r["class"], r["relation"], r["hops"], r["closest_name"]) for r in rows]
    assert seen == [
        ("poodle.n.01", "above", 1, "dog.n.01"),
        ("n02084071", "same", 0, "dog.n.01"),
        ("toy_poodle.n.01", "below", 2, "dog.n.01"),
        ("unicorn horn", "unknown name", None, None),
    ]
    assert rows[1]["above"] == 1
    summary = graphzsl("split", "overlap", "imagenet-a", "ilsvrc2012")
    same = {"relation": "same", "classes": 200, "share": 1.0, "several": 0, "of_several": []}
    assert summary[0] == same


@pytest.mark.parametrize("kind", ["json", "table"])
def test_a_summary_says_which_words_have_several_meanings(tmp_path: Path, kind: str) -> None:
    """Both cranes are classes of the 1,000; a bass is none of them."""
    path = tmp_path / "a.txt"
    path.write_text("crane\nbass\ndog.n.01\ngoldfish\n")
    arguments = ["split", "overlap", str(path), "ilsvrc2012", "--format", kind]
    done = CliRunner().invoke(main, arguments)
    said = " ".join(done.stderr.split())
    assert "2 of 4 classes of" in said
    assert "count once, by the first relation that one of them has: crane (5), bass (8)." in said
    if kind == "table":
        assert re.search(r"same +2 +50.0 % +1\n", done.stdout)
    else:
        rows = {row["relation"]: row for row in json.loads(done.stdout)}
        assert (rows["same"]["several"], rows["same"]["of_several"]) == (1, ["crane"])
        assert sum(row["several"] for row in rows.values()) == 2
    done = CliRunner().invoke(main, ["split", "overlap", "imagenet-a", str(path)])
    assert "have several meanings, and are there with all of them: crane (5)" in " ".join(
        done.stderr.split()
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n02084071\nn99999999\n", "a.txt:2: n99999999 is not a node"),
        ("dog\nn0208\n", "a.txt:2: 'n0208' is not a wnid"),
        ("dog\ndogg.n.01\n", "a.txt:2: 'dogg.n.01' is not a node"),
        ("dog\ndog.n.99\ncatt.n.1\n", "Did you mean dog.n.01"),
        ("dog.n.99\ncatt.n.1\n", "a.txt:2: 'catt.n.1' is not a node"),
        ("dog\n\ndog\n", "a.txt:3: n02084071 (dog.n.01) is there twice: line 1 and line 3"),
        (
            "dog.n.01\nn02084071\nn02084072\n",
            "a.txt:2: n02084071 (dog.n.01) is there twice: line 1 as 'dog.n.01' and line 2 as",
        ),
        (
            "German shepherd\nn02106662\n",
            "a.txt:2: n02106662 (german_shepherd.n.01) is there twice",
        ),
        ("\n", "a.txt is empty"),
    ],
)
def test_lists_that_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text)
    for arguments in ((str(path), "imagenet-a"), ("imagenet-a", str(path))):
        (row,) = graphzsl("split", "overlap", *arguments, code=1)
        assert said in row["said"]


def test_what_is_no_list(tmp_path: Path) -> None:
    (row,) = graphzsl("split", "overlap", "ilsvrc2012", "nothing", code=1)
    assert "'nothing' is neither a file, nor a shipped list (ilsvrc2012" in row["said"]
    assert "awa-proposed" in row["said"]
    with pytest.raises(DataError, match="empty"):
        meant_classes(HierarchyVocabulary(DAG), [])


def test_stored_class_sets_against_files(run: Command, tmp_path: Path) -> None:
    """Training classes vulture, toy poodle, horse, …: a poodle is above one, a pony below one."""
    folder = str(tmp_path / "graph")
    run("export", "subgraph", "--whole", "--set", "train", "--out", folder)
    path = tmp_path / "a.txt"
    path.write_text("poodle.n.01\npony.n.01\n")
    given = ("--wordnet", folder, "--each", "--format", "csv")
    said = run("split", "overlap", str(path), "train", *given)
    assert [line.split(",")[4] for line in said.stdout.splitlines()[1:]] == ["above", "below"]
    assert "2 classes of " in said.stderr
    out = tmp_path / "d.npy"
    run("export", "distances", "--set", "train", "--wordnet", folder, "--out", str(out))
    assert np.load(out).shape == (7, 7)
    unknown = run("split", "overlap", "nothing", "train", "--wordnet", folder, code=1)
    assert "nor a class set of the database" in unknown.stderr
