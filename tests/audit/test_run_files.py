"""A run's JSON is checked by one reader: what is missing is named, with the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.audit import read_run_samples
from graphzsl.audit.class_table import read_class_table
from graphzsl.audit.run_files import read_run
from graphzsl.audit.runs import read_training_classes
from graphzsl.cli import main
from graphzsl.common import DataError
from tests.reports.test_report import evaluation as _run


def _invoke(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    return done.exit_code, done.output


def _changed(place: str, value: Any) -> dict[str, Any]:
    """A run with another ``value`` at ``place`` (keys joined by /); None: without that key."""
    run = found = json.loads(json.dumps(_run(4)))
    *parents, last = place.split("/")
    for name in parents:
        found = found[name]
    if value is None:
        del found[last]
    else:
        found[last] = value
    return run


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("metrics", None, "'metrics' is missing"),
        ("metrics", [1], "'metrics' is [1], not an object"),
        ("metrics/hit@1", None, "'metrics/hit@1' is missing"),
        ("metrics/hit@5/per_class", None, "'metrics/hit@5/per_class' is missing"),
        ("metrics/hit@5/per_class", "much", "'metrics/hit@5/per_class' is 'much', not a number"),
        (
            "metrics/hit@5/per_class_interval",
            [1],
            "'metrics/hit@5/per_class_interval' is [1], not a list of 2",
        ),
        ("candidates", "ten", "'candidates' is 'ten', not a whole number"),
        ("samples", None, "'samples' is missing"),
        ("ties", None, "'ties' is missing"),
        ("provenance", 3, "'provenance' is 3, not an object"),
        ("provenance/train", [1], "'provenance/train' is [1], not an object"),
        ("provenance/candidates", True, "'provenance/candidates' is True, not an object"),
        ("groups", {"hops": [{"group": " ", "hit@1": 1}]}, "'groups/hops/0/group' is ' '"),
        ("generalized", {"hit@1": {}}, "'generalized/hit@1/per_class' is missing"),
    ],
)
def test_a_damaged_run_is_named_with_what_it_lacks(
    place: str, value: Any, said: str, tmp_path: Path
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.json").write_text(json.dumps(_run(4, model=name)))
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps(_changed(place, value)))
    others = [tmp_path / f"{name}.json" for name in ("a", "b", "c")]
    for arguments in (
        ("report", path, "--out", tmp_path / "page.html"),
        ("report", tmp_path, "--out", tmp_path / "page.html"),
        ("evaluate", "agreement", path, *others),
        ("evaluate", "agreement", *others[:1], path, "--effects"),
    ):
        code, output = _invoke(*arguments)
        assert (code, "damaged.json" in output, said in output) == (1, True, True), output


def test_a_whole_run_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(_run(4)))
    assert read_run(path)["candidates"] == 10
    path.write_text(json.dumps(_changed("metrics/hit@1/per_sample_sd", None)))
    assert read_run(path)["candidates"] == 10, "only effect sizes need it"
    code, output = _invoke("evaluate", "agreement", path, path, "--effects")
    assert (code, "'metrics/hit@1/per_sample_sd' is missing" in output) == (1, True)
    path.write_text("[1]")
    with pytest.raises(DataError, match=r"a\.json is not a run"):
        read_run(path)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (b'["cat", "d\xffg"]', "candidates: not UTF-8"),
        (b'{"cat": 1}', "not a list. Evaluate again"),
        (b'["cat", 3]', "candidate: entry 1 is 3, and a name is a text"),
    ],
)
def test_the_lists_of_samples_are_checked(tmp_path: Path, held: bytes, said: str) -> None:
    labels = ["cat", "dog", "cat"]
    made = gz.Predictions.from_scores(np.eye(3)[:, :2] + 0.1, ["cat", "dog"], labels)
    gz.evaluate(made).save(tmp_path / "r.json")
    path = tmp_path / "r.samples.parquet"
    table = pq.read_table(path)
    assert read_run_samples(path).candidates == ["cat", "dog"]
    pq.write_table(
        table.replace_schema_metadata({**table.schema.metadata, b"candidates": held}), path
    )
    with pytest.raises(DataError, match=rf"r\.samples\.parquet: .*{said}"):
        read_run_samples(path)
    of_train = said.replace("candidates", "train").replace("candidate", "training class")
    pq.write_table(table.replace_schema_metadata(None), path)
    with pytest.raises(DataError, match=r"its metadata name no candidates\. Expected the samples"):
        read_run_samples(path)
    pq.write_table(table.replace_schema_metadata({b"train": held}), path)
    with pytest.raises(DataError, match=rf"r\.samples\.parquet: .*{of_train}"):
        read_training_classes(path)


def test_samples_of_a_run_without_training_classes_name_none(tmp_path: Path) -> None:
    gz.evaluate(gz.Predictions.from_scores(np.eye(2), ["cat", "dog"], ["cat", "dog"])).save(
        tmp_path / "r.json"
    )
    path = tmp_path / "r.samples.parquet"
    assert b"train" not in pq.read_schema(path).metadata
    assert read_training_classes(path) == []


def test_predictions_in_samples_are_names(tmp_path: Path) -> None:
    made = gz.Predictions.from_scores(np.eye(2), ["cat", "dog"], ["cat", "dog"])
    gz.evaluate(made).save(tmp_path / "r.json")
    path = tmp_path / "r.samples.parquet"
    table = pq.read_table(path)
    place = table.schema.names.index("predicted")
    for wrong, said in ((pa.array([b"cat", None]), "is b'cat'"), (["cat", "d\u202eg"], "U\\+202E")):
        pq.write_table(table.set_column(place, "predicted", pa.array(wrong)), path)
        with pytest.raises(DataError, match=rf"r\.samples\.parquet: predicted: entry .*{said}"):
            read_run_samples(path)


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("wrong", [b"dog", b"cat"], "wrong holds binary and not texts"),
        ("hit@1", ["1", "0"], "hit@1 holds string and not numbers"),
        ("samples", [[1], [2]], "samples holds list.* and not numbers"),
        ("wnid", ["cat", None], "wnid: entry 1 is None"),
    ],
)
def test_the_table_of_classes_holds_what_it_should(
    tmp_path: Path, column: str, values: list[Any], said: str
) -> None:
    scores = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    made = gz.Predictions.from_scores(scores, ["cat", "dog"], ["cat", "dog", "dog"])
    gz.evaluate(made).save(tmp_path / "r.json")
    path = tmp_path / "r.classes.parquet"
    read = read_class_table(path)
    assert (read["wnid"], read["hit@1"], read["wrong"]) == (
        ["cat", "dog"],
        [1.0, 0.5],
        [None, "cat"],
    )
    table = pq.read_table(path)
    place = table.schema.names.index(column)
    pq.write_table(table.set_column(place, column, pa.array(values)), path)
    with pytest.raises(DataError, match=rf"r\.classes\.parquet: {said}"):
        read_class_table(path)


def test_predictions_are_no_run_and_how_they_become_one(tmp_path: Path) -> None:
    path = tmp_path / "clip.csv"
    path.write_text("label,pred\ndog,dog\n")
    done = CliRunner().invoke(main, ["report", str(path), "--out", str(tmp_path / "r.html")])
    assert done.exit_code == 1
    assert "clip.csv is no run, which is JSON. `graphzsl audit` makes one" in " ".join(
        done.stderr.split()
    )
