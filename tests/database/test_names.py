"""Names that are not there, answers that are empty, sets that others need: each is said, none is a
silent nothing."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from graphzsl import splits
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.common.errors import SplitError
from graphzsl.database import Database, members, query, store_class_set
from graphzsl.database import export as exports
from graphzsl.database.class_sets import put_class_set
from graphzsl.database.names import DatabaseVocabulary
from graphzsl.database.query_file import with_literals
from graphzsl.hierarchy.resolver import resolve_all
from graphzsl.splits.store import split_properties
from tests.conftest import Command
from tests.mini import MiniWordNet
from tests.schemas import fitting


def _names(database: Database) -> set[str]:
    return {row["name"] for row in database.rows(query("class_sets"))}


# what a load may replace, and what may be deleted


@pytest.fixture
def mine(mini_database: Database, mini: MiniWordNet, tmp_path: Path) -> Path:
    """A file of two classes, and a split ``mine`` on the mini sets."""
    splits.hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    path = tmp_path / "two.txt"
    path.write_text("\n".join(mini.named("dog", "cat")))
    return path


def test_a_load_never_replaces_a_split(run: Command, mini_database: Database, mine: Path) -> None:
    before = splits.load_split(mini_database, "mine")
    refused = run("load", "class-set", "mine", "--file", str(mine), code=1)
    assert "'mine' is a split" in refused.stderr
    assert "--replace" in refused.stderr
    assert splits.load_split(mini_database, "mine") == before
    run("load", "class-set", "mine", "--file", str(mine), "--replace")
    assert split_properties(mini_database, "mine")["kind"] == "list"


def test_a_list_is_loaded_again_without_a_word(
    run: Command, mini_database: Database, mine: Path
) -> None:
    for _ in range(2):
        run("load", "class-set", "list", "--file", str(mine))
    assert len(members(mini_database, "list")) == 2


def test_a_split_is_deleted_and_says_what_it_was(
    run: Command, mini_database: Database, mine: Path
) -> None:
    said = run("split", "delete", "mine").stderr
    # raptor, poodle, domestic animal, mammal, pony, machine, tree, car, bee (counted by hand in
    # test_mini.py)
    for part in (
        "split mine",
        "9 classes",
        "train train",
        "universe universe",
        "hierarchy wordnet",
        "query hop_split",
    ):
        assert part in said
    assert _names(mini_database) == {"train", "universe"}
    assert mini_database.rows(query("graph_counts"))  # the synsets stay
    assert "no class set 'mine'" in run("split", "delete", "mine", code=1).stderr


def test_what_others_derive_from_is_not_deleted_silently(
    run: Command, mini_database: Database, mini: MiniWordNet, mine: Path
) -> None:
    put_class_set(
        mini_database,
        "part",
        mini.named("pony"),
        {"kind": "selection", "parameters": {"of": "mine"}},
    )
    for name, dependants in (("train", "mine"), ("universe", "mine"), ("mine", "part")):
        refused = run("split", "delete", name, code=1).stderr
        assert f"{dependants} " in refused.partition("derived from it: ")[2]
        assert "--force" in refused
        assert name in _names(mini_database)
    run("split", "delete", "train", "--force")
    assert _names(mini_database) == {"universe", "mine", "part"}
    run("split", "delete", "part")


def test_split_delete_deletes_lists_too(run: Command, mini_database: Database, mine: Path) -> None:
    refused = run("split", "delete", "universe", code=1).stderr
    assert "'universe' is not deleted, because of what is derived from it: mine (split)" in refused
    assert "universe" in _names(mini_database)
    said = run("split", "delete", "universe", "--force").stderr
    assert said.startswith("Deleted list universe: 56 classes")
    assert "universe" not in _names(mini_database)


# unknown names, in Python and on the command line


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        (
            "hop_split",
            {"train": "trian", "universe": "universe"},
            "no class set 'trian'. Did you mean train?",
        ),
        ("difference", {"class_set": "universe", "without": "hops-77"}, "no class set 'hops-77'"),
        (
            "union",
            {"class_sets": ["train", "univers"]},
            "no class set 'univers'. Did you mean universe?",
        ),
        ("members", {"class_set": "hops-77"}, "Known: train, universe"),
        ("ancestors", {"wnid": "n99999999"}, "n99999999 is not a noun synset of WordNet 3.0"),
        (
            "synsets_of_word",
            {"text": "quen"},
            "No noun synset has the word 'quen'. Did you mean queen",
        ),
    ],
)
def test_an_unknown_name_is_an_error(
    run: Command, mini_database: Database, name: str, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises((SplitError, DataError)) as caught:
        mini_database.rows(query(name), **parameters)
    assert message in str(caught.value)
    pairs = [
        f"{key}={','.join(value) if isinstance(value, list) else value}"
        for key, value in parameters.items()
    ]
    done = run("query", "run", name, *[part for pair in pairs for part in ("-p", pair)], code=1)
    assert message in done.stderr
    assert not done.stdout


def test_a_name_in_place_of_a_wnid(
    run: Command, mini_database: Database, mini: MiniWordNet
) -> None:
    with pytest.raises(DataError) as caught:
        mini_database.rows(query("ancestors"), wnid="dog")
    assert f"{mini['dog']} (dog.n.01)" in str(caught.value)
    with pytest.raises(DataError) as caught:
        mini_database.rows(query("synset_properties"), wnids=[mini["cat"], "poodel"])
    assert "'poodel' is not a noun synset of WordNet 3.0" in str(caught.value)
    assert f"{mini['poodle']} (poodle.n.01)" in str(caught.value)
    done = run("query", "run", "ancestors", "-p", "wnid=dog.n.01", "--format", "jsonl")
    expected = mini_database.rows(query("ancestors"), wnid=mini["dog"])
    assert [json.loads(line) for line in done.stdout.splitlines()] == expected
    assert len(expected) == 7
    done = run(
        "query",
        "run",
        "synset_properties",
        "-p",
        f"wnids=dog.n.01,{mini['cat']}",
        "--format",
        "jsonl",
    )
    assert [json.loads(line)["wnid"] for line in done.stdout.splitlines()] == mini.named(
        "dog", "cat"
    )


def test_split_explain_takes_names_and_offers_wnids(
    run: Command, mini_database: Database, mini: MiniWordNet, mine: Path
) -> None:
    offered = run("split", "explain", "mine", "dogg", code=1).stderr
    assert f"Did you mean {mini['dog']} (dog.n.01)?" in offered
    row = json.loads(run("split", "explain", "mine", "pony.n.01", "--format", "jsonl").stdout)
    assert (row["wnid"], row["in"]) == (mini["pony"], True)
    assert row["reason"].startswith("it is 1 hop from training class"), "one hop is not a plural"
    far = json.loads(run("split", "explain", "mine", "rose.n.01", "--format", "jsonl").stdout)
    assert " hops from training class" in far["reason"]


@pytest.mark.parametrize(
    "command",
    [
        ("split", "explain", "nothing", "dogg"),
        ("split", "paint", "--around", "dogg", "nothing"),
        ("study", "ilsvrc", "bins", "--natural", "dogg", "--set", "nothing"),
    ],
)
def test_a_missing_split_is_said_before_a_missing_synset(
    run: Command, mini_database: Database, command: tuple[str, ...]
) -> None:
    assert "There is no class set 'nothing'" in run(*command, code=1).stderr


def test_words_ignore_case(mini_database: Database, mini: MiniWordNet) -> None:
    """``Arthur`` is a word of one king only; sense numbers count without case, so one answer holds
    all of them."""
    rows = mini_database.rows(query("synsets_of_word"), text="aRTHUR")
    assert [(row["wnid"], row["text"]) for row in rows] == [(mini["king_arthur"], "Arthur")]


@pytest.mark.parametrize(
    "value",
    [
        "it's",
        'say "$x"',
        "a\\b",
        "\\",
        "\\'",
        "\\u0027 OR 1",
        "line\nbreak",
        "é 犬 \U0001f415",
        "n.01 // no",
    ],
)
def test_values_written_into_a_statement_are_the_values(
    mini_database: Database, value: str
) -> None:
    for whole in (value, [value, 1, 0.5, True], {"key": value}):
        text = with_literals("RETURN $x AS x, '$x' AS same", {"x": whole})
        (record,) = mini_database._driver.execute_query(text, database_="neo4j").records
        assert (record["x"], record["same"]) == (whole, "$x")


# empty answers


def test_an_empty_database_says_so(run: Command, mini_database: Database) -> None:
    mini_database._driver.execute_query("MATCH (n) DETACH DELETE n", database_="neo4j")
    done = run("db", "check", code=1)
    assert "The database is empty" in done.stderr
    assert "graphzsl load wordnet" in done.stderr
    assert not done.stdout
    done = run("split", "hops", "--max-hops", "1", code=1)
    assert (
        "There is no class set 'ilsvrc2012': run `graphzsl load class-set ilsvrc2012`"
        in done.stderr
    )
    done = run("query", "run", "members", "-p", "class_set=own", code=1)
    assert "graphzsl load class-set own --file" in done.stderr
    done = run("query", "run", "members", "-p", "class_set=hops-2", code=1)
    assert "There is no class set 'hops-2': run `graphzsl split hops --max-hops 2`" in done.stderr
    done = run("split", "build", "default", code=1)
    assert "recipe default, line " in done.stderr
    assert ".toml" not in done.stderr, "the path of an installed package helps nobody"


def test_a_split_of_no_class_is_not_stored(
    run: Command, mini_database: Database, mini: MiniWordNet
) -> None:
    put_class_set(mini_database, "far", mini.named("rose"), {"kind": "list"})
    done = run("split", "hops", "--max-hops", "1", "--train", "train", "--universe", "far", code=1)
    assert "has no class" in done.stderr
    assert _names(mini_database) == {"train", "universe", "far"}
    with pytest.raises(SplitError, match="has no class"):
        store_class_set(mini_database, "none", [], {})


def test_exports_of_nothing_are_refused(
    run: Command, mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    out = tmp_path / "closest.jsonl"
    done = run(
        "export", "closest", "--train", "universe", "--universe", "train", "--out", str(out), code=1
    )
    assert "every class of train is a training class of universe" in done.stderr
    put_class_set(mini_database, "koko", mini.named("koko"), {"kind": "list"})
    arguments = (
        "export",
        "closest",
        "--train",
        "train",
        "--universe",
        "koko",
        "--hierarchy",
        "hypernym",
    )
    done = run(*arguments, "--out", str(out), code=1)
    assert "no training class of train reaches a class of koko in hierarchy hypernym" in done.stderr
    folder = tmp_path / "sets"
    done = run("export", "hcorrect", "--valid", "train", "-k", "2,8", "--out", str(folder), code=1)
    assert "k = 8 is more than the 7 valid labels of train" in done.stderr
    run("export", "hcorrect", "--valid", "train", "-k", "2,7", "--out", str(folder))
    assert list(tmp_path.iterdir()) == [folder]


# the suffix decides the format


def test_the_suffix_of_an_export_decides_its_format(
    run: Command, mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    for suffix in ("jsonl", "csv", "parquet"):
        sets = ("--train", "train", "--universe", "universe")
        run("export", "closest", *sets, "--out", str(tmp_path / f"closest.{suffix}"))
        run("export", "ancestors", "--set", "train", "--out", str(tmp_path / f"ancestors.{suffix}"))
    fitting(tmp_path / "ancestors.csv.manifest.json", "ancestors")
    for name in ("closest", "ancestors"):
        rows = [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text().splitlines()]
        assert pq.read_table(tmp_path / f"{name}.parquet").to_pylist() == rows
        table = list(csv.DictReader((tmp_path / f"{name}.csv").read_text().splitlines()))
        flat = {key: " ".join(v) if isinstance(v, list) else str(v) for key, v in rows[0].items()}
        assert (len(table), table[0]) == (len(rows), flat)
        assert len(rows) > 20


@pytest.mark.parametrize("engine", ["memory", "cypher"])
def test_exports_have_a_name_beside_every_wnid(
    run: Command, mini_database: Database, mini: MiniWordNet, tmp_path: Path, engine: str
) -> None:
    put_class_set(mini_database, "few", mini.named("poodle", "toy_poodle"), {"kind": "list"})
    closest, sets = tmp_path / "closest.csv", tmp_path / "sets"
    run(
        *("export", "closest", "--train", "train", "--universe", "universe"),
        *("--engine", engine, "--out", str(closest)),
    )
    run(
        *("export", "hcorrect", "--valid", "few", "-k", "2", "--kind", "jsonl"),
        *("--engine", engine, "--out", str(sets)),
    )
    table = {row["name"]: row for row in csv.DictReader(closest.read_text().splitlines())}
    # mammal, a hypernym of dog and of horse, is next to the training class horse alone
    assert list(table["mammal.n.01"].items()) == [
        ("wnid", mini["mammal"]),
        ("name", "mammal.n.01"),
        ("hops", "1"),
        ("closest", mini["horse"]),
        ("closest_names", "horse.n.01"),
    ]
    lines = (sets / "hcorrect.jsonl").read_text().splitlines()
    (row,) = (row for row in map(json.loads, lines) if row["name"] == "poodle.n.01")
    assert list(row.items()) == [
        ("wnid", mini["poodle"]),
        ("name", "poodle.n.01"),
        ("k", 2),
        ("members", mini.named("poodle", "toy_poodle")),
        ("member_names", ["poodle.n.01", "toy_poodle.n.01"]),
        ("radius", 1),
        ("exhausted", False),
    ]


def test_exported_ancestors_have_names(
    run: Command, mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    out = tmp_path / "ancestors.csv"
    run("export", "ancestors", "--set", "train", "--out", str(out))
    lines = out.read_text().splitlines()
    assert lines[0] == "wnid,name,ancestor,ancestor_name,hops"
    assert f"{mini['vulture']},vulture.n.01,{mini['raptor']},raptor.n.01,1" in lines


def test_another_suffix_is_refused_before_anything_is_read(
    mini_database: Database, tmp_path: Path
) -> None:
    mini_database_is_not_asked: Any = None
    for call in (
        lambda path: exports.export_closest(mini_database_is_not_asked, "train", "universe", path),
        lambda path: exports.export_ancestors(mini_database_is_not_asked, "train", path),
    ):
        for name in ("a.xyz", "a", "a.json"):
            with pytest.raises(DataError, match=r"must end in \.jsonl, \.csv or \.parquet"):
                call(tmp_path / name)
    with pytest.raises(DataError, match=r"must end in \.txt"):
        splits.export_split(mini_database_is_not_asked, "mine", tmp_path / "a.csv")
    assert list(tmp_path.iterdir()) == []


# the release hierarchy where it is not loaded, and names that are only shown


def test_a_query_on_the_release_hierarchy_says_that_it_is_not_loaded(
    run: Command, mini_database: Database
) -> None:
    for name, parameters in (
        ("ancestors", ["-p", "wnid=dog.n.01"]),
        ("hop_split", ["-p", "train=train", "-p", "universe=universe"]),
        ("adjacency", []),
    ):
        said = run("query", "run", name, *parameters, "-p", "hierarchy=release", code=1).stderr
        assert "The release hierarchy is not loaded. Run `graphzsl load hierarchy`." in said
    statement = query("neighbours", hierarchy="release")
    with pytest.raises(DataError, match="release hierarchy is not loaded"):
        mini_database.rows(statement, wnids=[])


def test_names_of_a_query_that_is_shown_are_checked(run: Command) -> None:
    said = run("query", "show", "hop_split", "-p", "train=trian", code=1).stderr
    assert "There is no class set 'trian'. Did you mean train?" in said
    said = run("query", "show", "ancestors", "--browser", "-p", "wnid=n99999999", code=1).stderr
    assert "n99999999 is not a noun synset" in said
    said = run("query", "show", "ancestors", "-p", "hierarchy=release", code=1).stderr
    assert "The release hierarchy is not loaded" in said
    shown = run("query", "show", "hop_split", "-p", "train=train")
    assert "{name: 'train'}" in shown.stdout
    assert "{name: 'imagenet-fall11'}" in shown.stdout, "the header's example is not checked"


def test_a_query_is_shown_without_a_database(tmp_path: Path) -> None:
    for environment in ({"GRAPHZSL_HOME": str(tmp_path)}, {"NEO4J_URI": "bolt://localhost:9"}):
        arguments = ["query", "show", "hop_split", "-p", "train=trian"]
        shown = CliRunner(env=environment).invoke(main, arguments)
        assert (shown.exit_code, "{name: 'trian'}" in shown.stdout) == (0, True)
        assert "were not checked" in shown.stderr
    assert not (tmp_path / "neo4j").exists(), "no server was started"


@pytest.mark.parametrize("wrong", ["n0212", "n123456789", "N99999999", "n99999999"])
def test_overlap_names_what_is_not_a_wnid(
    run: Command, in_mini_wordnet: None, tmp_path: Path, wrong: str
) -> None:
    path = tmp_path / "classes.txt"
    path.write_text(f"dog\nno such thing\n{wrong}\n")
    refused = run("split", "overlap", str(path), "train", code=1)
    assert wrong.lower() in refused.stderr
    assert refused.stdout == ""
    path.write_text("dog.n.01\nTabby.n.1\nno such thing\n")
    named = run("split", "overlap", str(path), "train", "--each", "--format", "csv").stdout
    rows = {row["class"]: row for row in csv.DictReader(io.StringIO(named))}
    assert {name: row["name"] for name, row in rows.items()} == {
        "dog.n.01": "dog.n.01",
        "Tabby.n.1": "tabby.n.01",
        "no such thing": "",
    }
    assert rows["no such thing"]["relation"] == "unknown name"
    path.write_text("dog.n.01\ndog.n.77\n")
    refused = run("split", "overlap", str(path), "train", code=1)
    assert "classes.txt:2: 'dog.n.77' is not a node of the hierarchy" in refused.stderr
    path.write_text("dog\nno such thing\n")
    assert "1 unknown name" in run("split", "overlap", str(path), "train").stderr


def test_a_stored_class_set_is_a_list_wherever_one_is_asked_for(
    run: Command, mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    put_class_set(mini_database, "three", mini.named("dog", "cat", "bird"), {"kind": "list"})
    table = tmp_path / "p.csv"
    dog, cat, bird = mini.named("dog", "cat", "bird")
    table.write_text(f"{dog},{dog},{cat}\n{bird},{cat},{bird}\n")
    for option in ("--train", "--candidates"):
        done = run("audit", str(table), option, "three", "--wordnet", "none")
        assert "hit@1" in done.stdout
    refused = run("audit", str(table), "--train", "thre", code=1)
    assert "nor a class set of the database. Did you mean three? (--train)" in refused.stderr


def test_long_lists_of_words_are_read_at_once(
    mini_database: Database, mini: MiniWordNet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each unknown word took several queries: 21,841 of them ten minutes."""
    asked: list[str] = []
    rows = type(mini_database).rows

    def counted(self: Database, statement: Any, /, **parameters: Any) -> list[dict[str, Any]]:
        asked.append(statement.name)
        return rows(self, statement, **parameters)

    monkeypatch.setattr(type(mini_database), "rows", counted)
    texts = [*(f"qwx{at}" for at in range(150)), *(f"dogg{at}.n.01" for at in range(150))]
    with pytest.raises(DataError, match="And 290 more are wrong, of 303 classes"):
        resolve_all(["dog.n.01", mini["cat"], "bird", *texts], DatabaseVocabulary(mini_database))
    assert len(asked) < 60
