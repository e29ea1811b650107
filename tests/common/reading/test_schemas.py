"""The schemas of what graphzsl writes: real documents fit them, damaged ones do not, and a
validator of JSON Schema says the same of both."""

from __future__ import annotations

import copy
import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open

import graphzsl as gz
from graphzsl.audit.hcorrect_files import load_hcorrect
from graphzsl.audit.run_files import read_run
from graphzsl.common import DataError, ModelError, manifest
from graphzsl.common.reading.schema import VERSION, VERSION_KEY, check_document, problem, schema_of
from graphzsl.data import CLASSIFIERS, ClassMatrix, Subgraph, save_subgraph
from graphzsl.data.subgraph import KIND
from graphzsl.models import load_model
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.training import save
from tests.fuzz.damage.texts import tree
from tests.fuzz.targets import own
from tests.schemas import fits

KINDS = sorted(
    json.loads(path.read_text())["properties"]["kind"]["const"]
    for path in (Path(gz.__file__).parent / "schemas").glob("*.schema.json")
)
#: Kind -> the test that writes one and holds it against its schema.
ELSEWHERE = {
    "ancestors": "database/test_names.py",
    "classes": "benchmark/test_levels.py",
    "clip run": "clip/test_run.py",
    "closest": "database/test_engines.py",
    "distances": "hierarchy/test_class_distances.py",
    "features": "embeddings/features/test_feature_parts.py",
    "frequencies": "benchmark/test_benchmark.py",
    "samples split": "audit/test_relative.py",
    "shard": "audit/test_shards.py",
    "superclasses": "hierarchy/test_cuts.py",
    "tree": "hierarchy/test_trees.py",
    "windows": "models/test_windows.py",
}
#: What a file of arrays says of itself: no JSON document.
IN_ARRAYS = {"image features"}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Kind -> what graphzsl writes as it."""
    folder = tmp_path_factory.mktemp("documents")
    found: dict[str, list[Any]] = {}
    for name, make, file in (
        ("subgraph", own.make_subgraph, "manifest.json"),
        ("dataset", own.make_dataset, "manifest.json"),
        ("model", own.make_model, "manifest.json"),
        ("hcorrect", own.make_hcorrect, "manifest.json"),
        ("evaluation", own.make_run, "run.json"),
        ("benchmark", own.make_benchmark, "manifest.json"),
    ):
        (folder / name).mkdir()
        make(folder / name)
        found[name] = [json.loads((folder / name / file).read_text())]
    own.make_parts(folder)
    found["class embeddings"] = [
        _in_header(folder / name) for name in ("joined.safetensors", "one.safetensors")
    ]
    rows = np.ones((6, 4), np.float32)
    metadata = manifest(CLASSIFIERS, model="conse")
    ClassMatrix(list(own.WNIDS), rows, metadata).save(folder / "rows.safetensors")
    found["classifiers"] = [_in_header(folder / "rows.safetensors")]
    labels = ["n02084071", "n02121620", "n01503061"]
    scores = np.random.default_rng(0).random((3, 3))
    generalized = gz.Predictions.from_scores(scores, labels, labels, seen=labels[:1])
    gz.evaluate(generalized, train=labels[:1]).save(folder / "generalized.json")
    found["evaluation"].append(json.loads((folder / "generalized.json").read_text()))
    return found


def _in_header(path: Path) -> Any:
    with safe_open(path, "np") as file:
        return json.loads(file.metadata()["manifest"])


def test_every_kind_is_written_by_a_test(documents: dict[str, list[Any]]) -> None:
    assert sorted([*documents, *ELSEWHERE]) == KINDS
    for kind, path in ELSEWHERE.items():
        text = (Path(__file__).parents[2] / path).read_text()
        assert re.search(rf'\bfit(s|ting)\(.*(kind|"{kind}")\)', text), (kind, path)


def test_every_kind_has_a_schema() -> None:
    """Whatever the package calls a document: ``manifest("kind"``, or a constant of its module."""
    called = r'manifest\(\s*(?:database, path, |out,\s+)?"([^"]+)"'
    found = set()
    for path in Path(gz.__file__).parent.rglob("*.py"):
        text = path.read_text()
        found |= {*re.findall(called, text), *re.findall(r'^KIND = "([^"]+)"$', text, re.M)}
    assert {"windows", "closest", "benchmark", "evaluation"} <= found
    assert {each for each in found if each not in KINDS} == IN_ARRAYS


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_fits(kind: str, documents: dict[str, list[Any]]) -> None:
    for document in documents.get(kind, []):
        assert check_document(document, kind, Path("x"), "document", "") is document
        fits(document, kind)
    assert documents["evaluation"][0][VERSION_KEY] == VERSION


@pytest.mark.parametrize("kind", [each for each in KINDS if each not in ELSEWHERE])
def test_a_validator_says_the_same(kind: str, documents: dict[str, list[Any]]) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = schema_of(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    rng, refused = random.Random(0), 0
    for written in documents[kind]:
        validator.validate(written)
        document = _fractional(written)
        for _ in range(300):
            damaged = tree(copy.deepcopy(document), rng)
            if _has_whole_float(damaged):  # 1.0 is an integer there, and not here
                continue
            ours = problem(damaged, schema)
            theirs = list(validator.iter_errors(damaged))
            assert bool(ours) == bool(theirs), (ours, theirs[:1])
            refused += bool(ours)
    assert refused > 20


def _fractional(value: Any) -> Any:
    """The same with a fraction in every float."""
    if isinstance(value, dict):
        return {key: _fractional(each) for key, each in value.items()}
    if isinstance(value, list):
        return list(map(_fractional, value))
    return value + 0.25 if isinstance(value, float) and value.is_integer() else value


def _has_whole_float(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_has_whole_float, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float) and value.is_integer()


def test_a_newer_version_is_said(tmp_path: Path, documents: dict[str, list[Any]]) -> None:
    path = tmp_path / "run.json"
    newer = documents["evaluation"][0] | {VERSION_KEY: VERSION + 1, "graphzsl": "9.1"}
    path.write_text(json.dumps(newer))
    with pytest.raises(DataError, match=r"run\.json was written by a newer version .*'9\.1'"):
        read_run(path)
    unversioned = {key: value for key, value in newer.items() if key != VERSION_KEY}
    path.write_text(json.dumps(unversioned))
    assert read_run(path)["samples"] == unversioned["samples"], "absent: 1"


def test_texts_that_act_on_a_line_are_refused(
    tmp_path: Path, documents: dict[str, list[Any]]
) -> None:
    """Provenance of a run is shown in tables, and is a page of a report."""
    path = tmp_path / "run.json"
    run = documents["evaluation"][0]
    for key, value in (("provenance", {"by": "a\x1b[31m"}), ("source", ["\u202eb"]), ("\x9b", 1)):
        path.write_text(json.dumps({**run, key: value}))
        with pytest.raises(DataError, match=r"run\.json:\d+: .* U\+(001B|202E|009B) in this run"):
            read_run(path)


def test_manifests_that_are_none(tmp_path: Path) -> None:
    """No object, no kind, no files, files that are a list: one line each."""
    readers: list[tuple[Any, str]] = [
        (Subgraph.load, "subgraph"),
        (gz.ZeroShotDataset.load, "dataset"),
        (load_hcorrect, "hcorrect"),
        (load_model, "model"),
    ]
    (tmp_path / "hcorrect.parquet").write_bytes(b"")
    for read, kind in readers:
        for document in (
            *([], None, 3, "x", {}, {"kind": None}, {"kind": []}),
            *({"kind": kind}, {"kind": kind, "files": []}, {"kind": kind, "files": {"a": 1}}),
        ):
            (tmp_path / "manifest.json").write_text(json.dumps(document))
            with pytest.raises((DataError, ModelError)) as error:
                read(tmp_path)
            assert str(tmp_path) in str(error.value)
            assert "\n" not in str(error.value)


def test_a_model_whose_files_were_changed_or_damaged_is_refused(tmp_path: Path) -> None:
    rows = gz.ClassMatrix(["a", "b"], np.ones((2, 3), np.float32), {"kind": "classifiers"})
    save(tmp_path / "m", ZeroShotModel(rows), manifest("model", model="eszsl"))
    assert load_model(tmp_path / "m")[0].wnids == ["a", "b"]
    gz.ClassMatrix(["a", "c"], rows.values, rows.metadata).save(
        tmp_path / "m" / "classifiers.safetensors"
    )
    with pytest.raises(DataError, match=r"classifiers\.safetensors is missing or is not the file"):
        load_model(tmp_path / "m")
    for damaged in ({"train": 5}, {"train": [5]}, {"model": []}, {"options": 5}):
        path = tmp_path / "rows.safetensors"
        gz.ClassMatrix(["a", "b"], rows.values, rows.metadata | damaged).save(path)
        with pytest.raises(DataError, match=rf"rows\.safetensors: '{next(iter(damaged))}[/0]*' is"):
            load_model(path)
    for maps in (0, -1, 2, 1.5):
        with pytest.raises(ModelError, match="one classifier per candidate or more"):
            ZeroShotModel(rows, maps=maps)  # type: ignore[arg-type]


def test_a_graph_without_its_columns_names_them(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from graphzsl.common import sha256

    edges = np.array([[1], [0]])
    graph = Subgraph(["a", "b"], ["A", "B"], [[], []], ["", ""], edges, {}, manifest(KIND))
    save_subgraph(graph, tmp_path / "g")
    nodes = tmp_path / "g" / "nodes.parquet"
    path = tmp_path / "g" / "manifest.json"
    described = json.loads(path.read_text())
    for table, message in (
        (pq.read_table(nodes).drop_columns("lexname"), r"no column lexname; it has wnid, .*"),
        (pa.table({"wnid": ["a", "b"]}), r"no column name; it has wnid\."),
    ):
        pq.write_table(table, nodes)
        described["files"]["nodes.parquet"] = sha256(nodes)
        path.write_text(json.dumps(described))
        with pytest.raises(DataError, match=rf"nodes\.parquet: {message} Export the graph again"):
            Subgraph.load(tmp_path / "g")


@pytest.mark.parametrize("kind", ["MERONYM", ["HYPERNYM"], None, 1])
def test_a_type_of_edges_that_is_none(tmp_path: Path, kind: Any) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from graphzsl.common import sha256

    edge = np.array([[1], [0]])
    graph = Subgraph(["a", "b"], ["A", "B"], [[], []], ["", ""], edge, {}, manifest(KIND))
    save_subgraph(graph, tmp_path / "g")
    edges, path = tmp_path / "g" / "edges.parquet", tmp_path / "g" / "manifest.json"
    pq.write_table(pa.table({"child": [1], "parent": [0], "type": [kind]}), edges)
    described = json.loads(path.read_text())
    described["files"]["edges.parquet"] = sha256(edges)
    path.write_text(json.dumps(described))
    with pytest.raises(DataError, match=r"g: edge_types: .* is not HYPERNYM or INSTANCE_HYPERNYM"):
        Subgraph.load(tmp_path / "g")
