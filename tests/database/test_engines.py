"""Two ways to the same files: the search in memory, and the server's, by the queries of the
library."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphzsl.common.files import read_json
from graphzsl.database import NEO4J_VERSION, Database, export_closest, export_hcorrect, query
from graphzsl.database.class_sets import put_class_set
from tests.another_neo4j import VERSION
from tests.mini import MiniWordNet
from tests.schemas import fitting

KINDS = ("jsonl", "parquet")


def _closest(
    database: Database,
    universe: str,
    hierarchy: str,
    folder: Path,
    train: str,
    suffixes: tuple[str, ...] = KINDS,
) -> None:
    """Both engines: the same bytes, and manifests that differ in what the engine is."""
    for suffix in suffixes:
        paths = {engine: folder / f"{engine}.{suffix}" for engine in ("memory", "cypher")}
        for engine, path in paths.items():
            assert export_closest(database, train, universe, path, hierarchy, engine) > 0
        assert paths["memory"].read_bytes() == paths["cypher"].read_bytes()
    _same_but_for_the_engine(
        *(path.with_name(path.name + ".manifest.json") for path in paths.values()), "neighbours"
    )


def _hcorrect(
    database: Database,
    valid: str,
    hierarchy: str,
    folder: Path,
    ks: list[int],
    kinds: tuple[str, ...] = KINDS,
) -> None:
    for kind in kinds:
        folders = {engine: folder / f"{engine}-{kind}" for engine in ("memory", "cypher")}
        for engine, path in folders.items():
            assert export_hcorrect(database, valid, ks, path, hierarchy, kind, engine) > 0
        assert len({(path / f"hcorrect.{kind}").read_bytes() for path in folders.values()}) == 1
    _same_but_for_the_engine(*(path / "manifest.json" for path in folders.values()), "neighbours")


def _same_but_for_the_engine(memory: Path, cypher: Path, name: str) -> None:
    kind = read_json(memory)["kind"]
    one, other = fitting(memory, kind), fitting(cypher, kind)
    assert (one.pop("engine"), other.pop("engine")) == ("memory", "cypher")
    statement = query(name, hierarchy=other["hierarchy"])
    assert other.pop("queries") == {name: statement.sha256}
    assert list(one.pop("queries")) == ["adjacency"]
    digests = [list(manifest.pop("files").values()) for manifest in (one, other)]
    assert digests[0] == digests[1]
    assert {key: value for key, value in one.items() if key != "created_at"} == {
        key: value for key, value in other.items() if key != "created_at"
    }


@pytest.mark.parametrize("hierarchy", ["wordnet", "hypernym"])
def test_both_engines_write_the_same_files(
    mini_database: Database, mini: MiniWordNet, hierarchy: str, tmp_path: Path
) -> None:
    """With ``hypernym`` koko has no edge, and so no closest class and no shell but its own."""
    put_class_set(mini_database, "some", [*mini.universe(), mini["koko"]], {"kind": "list"})
    _closest(mini_database, "some", hierarchy, tmp_path, "train")
    _hcorrect(mini_database, "some", hierarchy, tmp_path, [1, 2, 5, 20])


@pytest.mark.parametrize("hierarchy", ["wordnet", "release"])
@pytest.mark.thorough("all of WordNet, asked in two ways")
def test_both_engines_write_the_same_files_of_the_real_graph(
    full_database: Database, hierarchy: str, tmp_path: Path
) -> None:
    _closest(full_database, "imagenet-fall11", hierarchy, tmp_path, "ilsvrc2012", ("jsonl",))
    _hcorrect(full_database, "ilsvrc2012", hierarchy, tmp_path, [1, 2, 5, 10, 20], ("parquet",))


def test_auto_is_queries_for_few_classes(
    mini_database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "closest.jsonl"
    export_closest(mini_database, "train", "universe", path)
    assert read_json(tmp_path / "closest.jsonl.manifest.json")["engine"] == "cypher"
    assert "Searched by the library's queries: 56 classes." in capsys.readouterr().err
    written = path.read_bytes()
    monkeypatch.setattr("graphzsl.database.export.QUERIED", 55)
    export_closest(mini_database, "train", "universe", path)
    assert read_json(tmp_path / "closest.jsonl.manifest.json")["engine"] == "memory"
    assert "Searched in memory: 56 classes are more than 55." in capsys.readouterr().err
    assert path.read_bytes() == written
    export_hcorrect(mini_database, "train", [2], tmp_path / "sets")
    assert read_json(tmp_path / "sets" / "manifest.json")["engine"] == "cypher"


def test_the_server_is_the_one_that_was_asked_for(mini_database: Database) -> None:
    (row,) = mini_database._driver.execute_query(
        "SHOW SETTINGS YIELD name, value WHERE name = 'db.query.default_language' RETURN value"
    ).records or [{"value": "CYPHER_5"}]
    expected = ("CYPHER_25", VERSION) if VERSION else ("CYPHER_5", NEO4J_VERSION)
    assert (row["value"], mini_database.check()) == expected
