"""A picture of a run says of its classes what the run's own table says of them, on all of
WordNet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.hierarchy import Hierarchy
from graphzsl.sources import class_lists
from graphzsl.sources.imagenet import listed_classes
from tests.audit.kinds import ranked
from tests.reports.pictures.pages import data_of, roles_of

#: A lionet is a young lion, the training class; a kitty, a pooch, a ship and a cat.
UNSEEN = ["n02129530", "n02122298", "n02084732", "n04194289", "n02121620"]
#: Training classes that have samples, none of them close to a lionet: an eagle and a tench.
TESTED = ["n01614925", "n01440764"]


def audit(train: Any, tested: Sequence[str] = ()) -> gz.Evaluation:
    """Each class has one sample, and the first is taken for all."""
    wnids = [*UNSEEN, *tested]
    predictions = ranked([[wnids[0]] for _ in wnids], labels=wnids, candidates=wnids)
    return gz.evaluate(predictions, train=train, rounds=10)


def shown(data: dict[str, Any]) -> dict[str, tuple[int, set[str], int]]:
    """Class -> hops, the closest classes that are named, and how many are as close."""
    return {
        data["wnid"][int(at)]: (hops, {data["wnid"][place] for place in places}, ties)
        for at, (hops, ties, *places) in data["closest"].items()
    }


def keys_of(data: dict[str, Any]) -> set[str]:
    return {each["key"] for each in data["values"]}


@pytest.mark.parametrize("tested", [TESTED, []])
def test_hops_and_closest_classes_are_those_of_the_table(
    tested: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether two of a thousand training classes have samples, or none."""
    monkeypatch.chdir(tmp_path)
    result = audit("ilsvrc2012", tested)
    result.save("run.json")
    done = CliRunner().invoke(main, ["picture", "run.json", "--out", "page.html"])
    assert not done.exit_code, done.output
    of_file = data_of(Path("page.html").read_text(encoding="utf-8"))
    for data in (of_file, data_of(gz.picture(result).html)):
        found = shown(data)
        assert found.keys() == set(UNSEEN)
        for row in result.class_rows():
            if row["wnid"] in UNSEEN:
                hops, named, ties = found[row["wnid"]]
                assert (hops, ties) == (row["hops"], row["closest_ties"])
                assert row["closest"] in named
        # by WordNet's files: a lionet is a kind of lion, one hop below it
        assert found["n02129530"] == (1, {"n02129165"}, 1)
        assert keys_of(data) >= {"accuracy", "ratio"}
        roles = roles_of(data)
        assert {roles[wnid] for wnid in UNSEEN} == {"Unseen"}
        assert sum(role == "Training" for role in roles.values()) == 1000


def test_the_ratio_is_that_of_all_training_classes() -> None:
    """As a picture of the same classes, which is given their list, has it."""
    of_list = data_of(gz.picture(UNSEEN, train="ilsvrc2012").html)
    ratios = []
    for data in (data_of(gz.picture(audit("ilsvrc2012", TESTED)).html), of_list):
        own = next(each["own"] for each in data["values"] if each["key"] == "ratio")
        ratios.append({data["wnid"][int(at)]: value for at, value in own.items()})
    assert ratios[0] == ratios[1]


@pytest.mark.parametrize("tested", [TESTED, []])
def test_training_classes_that_nobody_knows_are_those_of_the_table(
    tested: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine of a list of one's own: without its samples, a run has their checksum alone."""
    monkeypatch.chdir(tmp_path)
    train = ["n02129165", "n02123045", *TESTED, *listed_classes("ilsvrc2012")[500:505]]
    result = audit(train, tested)
    result.save("run.json")
    Path("run.samples.parquet").unlink()
    data = data_of(gz.picture("run.json").html)
    said = data["facts"]["closest training class"]
    rows = {row["wnid"]: row for row in result.class_rows() if row["wnid"] in UNSEEN}
    assert {data["wnid"][int(at)] for at in said} == rows.keys()
    for at, text in said.items():
        row = rows[data["wnid"][int(at)]]
        assert text.startswith(f"{row['hops']} hop")
        assert row["closest_name"].partition(".")[0].replace("_", " ") in text.lower()
    lionet = next(text for at, text in said.items() if data["wnid"][int(at)] == "n02129530")
    assert lionet == "1 hop: lion"
    assert not data["closest"]
    assert "ratio" not in keys_of(data)
    # the object has them, and what follows from them
    known = data_of(gz.picture(result).html)
    assert shown(known)["n02129530"] == (1, {"n02129165"}, 1)
    assert "ratio" in keys_of(known)
    assert known["kinds"].count("Training") == 1
    # all of a list that has samples are known
    whole = data_of(gz.picture(audit(TESTED, TESTED)).html)
    assert "ratio" in keys_of(whole)


@pytest.mark.parametrize(
    ("tested", "lacking"),
    [(TESTED, "7 of them are not known"), ([], "they are not known"), (None, "")],
)
def test_training_classes_that_are_not_known_are_counted(
    tested: list[str] | None, lacking: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine, two or none of which have samples, by what the run says of itself; where the file of
    its samples is there, all are known."""
    monkeypatch.chdir(tmp_path)
    train = ["n02129165", "n02123045", *TESTED, *listed_classes("ilsvrc2012")[500:505]]
    audit(train, TESTED if tested is None else tested).save("run.json")
    if lacking:
        Path("run.samples.parquet").unlink()
    done = CliRunner().invoke(main, ["picture", "run.json", "--out", "page.html"])
    assert not done.exit_code, done.output
    page = Path("page.html").read_text(encoding="utf-8")
    for text in (done.stderr, page):
        assert ("The run learned from 9 training classes; " in text) == bool(lacking)
        assert lacking in text
        assert ("--train" in text) == bool(lacking)
    asked = CliRunner().invoke(main, ["picture", "run.json", "--train", "none"])
    assert "learned from 9" not in asked.stderr, "nobody asked for them"


def test_a_class_is_called_the_same_wherever_it_is_named() -> None:
    """What it is taken for, and the closest training class of a table, as boxes call them."""
    result = audit("ilsvrc2012", TESTED)
    data = data_of(gz.picture(result, train="none").html)
    wrong = {data["wnid"][int(at)]: said for at, said in data["facts"]["often taken for"].items()}
    assert wrong["n02084732"] == "lionet, 100.0 %"
    assert not [text for of in data["facts"].values() for text in of.values() if ".n.0" in text]


@pytest.mark.parametrize("tested", [TESTED, []])
def test_a_run_elsewhere_has_its_own_training_classes(
    tested: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another folder has the run's three files, and no list of its training classes."""
    monkeypatch.chdir(tmp_path)
    train = ["n02129165", "n02123045", *TESTED, *listed_classes("ilsvrc2012")[500:505]]
    result = audit(train, tested)
    result.save("run.json")
    data = data_of(gz.picture("run.json").html)
    # by WordNet's files: a lionet is one hop below the lion, which has no sample here
    assert shown(data)["n02129530"] == (1, {"n02129165"}, 1)
    roles = roles_of(data)
    assert {wnid for wnid, role in roles.items() if role == "Training"} == set(train)
    assert "ratio" in keys_of(data)
    assert shown(data) == shown(data_of(gz.picture(result).html))
    Path("run.json").rename("other.json")
    assert shown(data_of(gz.picture("other.json").html)) == shown(data)


def test_samples_of_other_training_classes_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the samples hold counts where it has the checksum of the run."""
    monkeypatch.chdir(tmp_path)
    audit(["n02129165", "n02123045"]).save("run.json")
    audit(["n02123045", "n04194289"]).save("other.json")
    Path("other.samples.parquet").rename("run.samples.parquet")
    assert not data_of(gz.picture("run.json").html)["closest"]


def test_damaged_samples_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    audit(["n02129165", "n02123045"]).save("run.json")
    Path("run.samples.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(gz.GraphZSLError, match=r"run\.samples\.parquet.*name the training classes"):
        gz.picture("run.json")
    gz.picture("run.json", train=["n02129165", "n02123045"])


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("samples", "3.0", "not a whole number"),
        ("samples", 1.5, "not a whole number"),
        ("hops", "two", "not a whole number"),
        ("closest_ties", [1], "not a whole number"),
        ("samples", b"1e+308", "not a whole number"),
        ("hops", "1_0", "not a whole number"),
        ("hit@1", "half", "not a number"),
    ],
)
def test_a_table_without_a_checksum_is_refused_where_a_number_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: str, value: object, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = audit("ilsvrc2012")
    result.save("run.json")
    run = json.loads(Path("run.json").read_text(encoding="utf-8"))
    del run["class_table"]["sha256"]
    Path("run.json").write_text(json.dumps(run), encoding="utf-8")
    rows = [row | {column: value} for row in result.class_rows()]
    pq.write_table(pa.Table.from_pylist(rows), "run.classes.parquet")
    done = CliRunner().invoke(main, ["picture", "run.json", "--out", "page.html"])
    assert done.exit_code == 1
    text = " ".join(done.output.split())
    assert f"run.classes.parquet: {column} of {rows[0]['wnid']} is {value!r}, {said}." in text


def test_a_table_that_pandas_wrote_again_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole numbers beside empty cells have a point there."""
    monkeypatch.chdir(tmp_path)
    result = audit("ilsvrc2012", TESTED)
    result.save("run.json")
    run = json.loads(Path("run.json").read_text(encoding="utf-8"))
    run["class_table"] = {"file": "run.csv"}
    Path("run.json").write_text(json.dumps(run), encoding="utf-8")
    pd.DataFrame(result.class_rows()).to_csv("run.csv", index=False)
    assert ".0," in Path("run.csv").read_text(encoding="utf-8")
    assert shown(data_of(gz.picture("run.json").html)) == shown(data_of(gz.picture(result).html))


def test_training_classes_without_samples_can_be_left_out() -> None:
    data = data_of(gz.picture(audit("ilsvrc2012", TESTED), train="none").html)
    roles = roles_of(data)
    assert {wnid for wnid, role in roles.items() if role == "Training"} == set(TESTED)
    said = {data["wnid"][int(at)]: t for at, t in data["facts"]["closest training class"].items()}
    assert said["n02129530"] == "1 hop: lion"


def test_a_folder_of_runs_is_answered_with_what_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of its runs, or the page of all; a near word would be no help."""
    monkeypatch.chdir(tmp_path)
    Path("runs4").mkdir()
    for name in ("one", "two"):
        audit(TESTED, TESTED).save(Path("runs4") / f"{name}.json")
    Path("runs4/broken.json").write_text("{")
    said = CliRunner().invoke(main, ["picture", "runs4"]).stderr
    assert "folder of 2 runs" in said
    assert "`graphzsl picture runs4/one.json`" in said
    assert "`graphzsl report runs4`" in said
    assert "Did you mean" not in said


def test_every_shipped_list_is_known_by_its_checksum() -> None:
    from graphzsl.common.files import sha256_text
    from graphzsl.reports.pictures.training import learned_by

    for name in class_lists():
        wnids = listed_classes(name)
        said = {"classes": len(wnids), "sha256": sha256_text("\n".join(wnids))}
        found = learned_by(said, ())
        assert found is not None
        assert set(found.wnids) == set(wnids)
    assert learned_by({"classes": 2, "sha256": "0" * 64}, ()) is None
    assert Hierarchy.load().index.keys() >= set(listed_classes("ilsvrc2012"))
