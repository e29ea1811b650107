"""What is asked in ``import graphzsl as gz``: hierarchies, predictions, evaluations, and what
objects show of themselves."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.data import save_subgraph
from tests.audit.kinds import evaluated, ranked
from tests.mini import MiniWordNet
from tests.problems import letters, mini_subgraph


def test_arrays_as_a_data_set() -> None:
    data = letters()
    counts = {part: int((data.parts == part).sum()) for part in ("train", "test_seen")}
    assert counts == {"train": 48, "test_seen": 12}, "a fifth of each seen class is held out"
    assert len(data.test_samples().labels) == 20
    arrays = data.samples.features, data.samples.labels, data.semantics
    again = gz.ZeroShotDataset.from_arrays(
        *arrays, seen=list("abcdef"), unseen=list("gh"), parts=data.parts
    )
    assert (again.parts == data.parts).all()
    with pytest.raises(gz.DataError, match="1 duplicate class in seen and unseen: 'a'"):
        gz.ZeroShotDataset.from_arrays(*arrays, seen=list("ab"), unseen=list("a"))
    with pytest.raises(gz.DataError, match="no class embedding for 1 class of 3: 'z'"):
        gz.ZeroShotDataset.from_arrays(*arrays, seen=list("ab"), unseen=list("z"))
    with pytest.raises(gz.DataError, match="c has samples but is neither seen nor unseen"):
        gz.ZeroShotDataset.from_arrays(*arrays, seen=list("ab"), unseen=list("gh"))
    with pytest.raises(gz.DataError, match="holds class embeddings, and does not say whose: give"):
        gz.ZeroShotDataset.from_arrays(
            *arrays[:2], arrays[2].values, seen=list("ab"), unseen=list("gh")
        )
    with pytest.raises(gz.DataError, match="held_out is a share"):
        gz.ZeroShotDataset.from_arrays(*arrays, seen=list("ab"), unseen=list("g"), held_out=1)
    with pytest.raises(gz.DataError, match="must be numbers"):
        gz.Samples.from_arrays([[1, 2], [3]], ["a", "b"])
    with pytest.raises(gz.DataError, match="all of one length"):
        gz.ClassMatrix.from_rows({"a": [1, 2], "b": [3]})


@pytest.mark.usefixtures("in_mini_wordnet")
def test_the_hierarchy_of_the_nouns(mini: MiniWordNet) -> None:
    built = gz.Hierarchy.load()
    expected = gz.Hierarchy.from_edges(mini.edges(), [row.wnid for row in mini.rows])
    assert (built.wnids, built.whole) == (expected.wnids, True)
    assert (built.up != expected.up).nnz == 0
    assert built.names == {row.wnid: row.name for row in mini.rows}


def test_questions_of_one_class(in_mini_wordnet: None, mini: MiniWordNet) -> None:
    found = gz.Hierarchy.load()
    poodle, beagle, dog, cat = mini.named("poodle", "beagle", "dog", "cat")
    near = found.hcorrect_set(poodle, k=2, valid=[poodle, beagle, dog, cat])
    assert (near.members, near.radius) == ([poodle, dog], 1)
    assert found.hcorrect_set(dog, k=1).members == [dog]
    closest = found.closest(dog, train=[poodle, beagle, cat])
    assert (closest.hops, closest.closest) == (1, sorted([poodle, beagle]))
    outcomes = [found.outcome(poodle, each) for each in (poodle, dog, cat)]
    assert outcomes == ["correct", "parent", "unrelated"]
    assert found.outcome(dog, poodle) == "child"
    assert found.wnid("dog.n.01") == found.wnid(dog) == dog
    assert found.hcorrect_set("dog.n.01", k=1) == found.hcorrect_set(dog, k=1)
    assert found.closest("dog.n.01", train=[poodle]) == found.closest(dog, train=[poodle])
    with pytest.raises(
        gz.DataError, match=r"poodel\.n\.01' is not .* Did you mean poodle\.n\.01\?"
    ):
        found.wnid("poodel.n.01")


def test_the_lowest_common_ancestor_of_two_classes(
    in_mini_wordnet: None, mini: MiniWordNet
) -> None:
    found = gz.Hierarchy.load()
    common = found.lowest_common_ancestor("poodle.n.01", mini["beagle"])
    assert (common, found.names[common]) == (mini["dog"], "dog.n.01")
    assert found.lca_height("poodle.n.01", "beagle.n.01") == 2, "dog, poodle, toy poodle"
    assert found.lowest_common_ancestor("poodle.n.01", "dog.n.01") == mini["dog"]
    assert found.lowest_common_ancestor("dog.n.01", "dog.n.01") == mini["dog"]
    assert found.lca_height("dog.n.01", "dog.n.01") == 0
    among = found.heights_among(mini.named("dog", "cat"))
    assert found.lca_height("dog.n.01", "cat.n.01", among) == 1
    two = gz.Hierarchy.from_edges([("a", "b")], ["a", "b", "c"])
    assert two.lowest_common_ancestor("a", "c") is None
    with pytest.raises(gz.DataError, match="no common ancestor"):
        two.lca_height("a", "c")


def test_of_several_lowest_common_ancestors_the_lowest_counts() -> None:
    """x and y are below both p, of height 2, and q, of height 1, neither of which is above the
    other; and below r, of height 1 too."""
    edges = [("x", "q"), ("y", "q"), ("x", "p"), ("y", "p"), ("z", "w"), ("w", "p")]
    found = gz.Hierarchy.from_edges([*edges, ("x", "r"), ("y", "r")])
    assert found.lowest_common_ancestors("x", "y") == {"p", "q", "r"}
    assert found.lowest_common_ancestors("x", "z") == {"p"}
    assert found.lowest_common_ancestors("x", "x") == {"x"}
    assert found.lowest_common_ancestor("x", "y") == "q"
    assert found.lca_height("x", "y") == 1
    assert found.lowest_common_ancestor("x", "y", {"p": 1, "q": 2, "r": 3}) == "p"


def test_an_unknown_wnid_always_raises(in_mini_wordnet: None, mini: MiniWordNet) -> None:
    found = gz.Hierarchy.load()
    dog, no = mini["dog"], "n99999999"
    for ask in (
        lambda: found.outcome(no, no),
        lambda: found.outcome(dog, no),
        lambda: found.outcome(no, dog),
        lambda: found.lca_height(no, no),
        lambda: found.lowest_common_ancestor(dog, no),
        lambda: found.hcorrect_set(no, 1),
        lambda: found.hcorrect_set(dog, 1, valid=[dog, no]),
        lambda: found.closest(no, train=[dog]),
        lambda: found.closest(dog, train=[no]),
        lambda: found.ancestors(no),
        lambda: found.hops_from([no]),
    ):
        with pytest.raises(gz.DataError, match="n99999999 is not a node"):
            ask()
    with pytest.raises(gz.SplitError, match="not a valid label"):
        found.hcorrect_set(dog, 1, valid=[mini["cat"]])


SCORES = np.array([[0.9, 0.1, 0.0], [0.4, 0.6, 0.0], [0.7, 0.3, 0.9], [0.2, 0.5, 0.5]])


CLASSES, LABELS = ["ant", "bee", "cat"], ["ant", "bee", "bee", "cat"]


LISTS = [["ant", "bee"], ["bee"], ["cat", "ant"], ["bee", "cat"]]


def test_arrays_and_files_are_the_same_predictions(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", scores=SCORES, classes=CLASSES, labels=LABELS)
    result = gz.evaluate(tmp_path / "x.npz", wordnet=None, rounds=50)
    given = gz.evaluate(gz.Predictions.from_scores(SCORES, CLASSES, LABELS), rounds=50)
    assert gz.Predictions.from_scores(SCORES, CLASSES, [0, 1, 1, 2]).labels == LABELS
    assert result.manifest["metrics"] == given.manifest["metrics"]
    assert list(result) == list(result.manifest["metrics"])
    assert result["hit@1"].per_class == pytest.approx((1 + 0.5 + 0) / 3)
    assert result["hit@1"].expected == pytest.approx((1 + 0.5 + 0.5) / 3), "cat ties with bee"
    low, high = result["hit@1"].interval
    assert 0 <= low <= result["hit@1"].per_class <= high <= 1
    assert "hit@1" in result
    assert "hit@7" not in result
    with pytest.raises(KeyError, match="no metric 'hit@7'"):
        _ = result["hit@7"]
    rows = [",".join([label, *row]) for label, row in zip(LABELS, LISTS, strict=True)]
    (tmp_path / "x.csv").write_text("\n".join(rows))
    given = gz.evaluate(ranked(LISTS, LABELS), rounds=50)
    table = gz.evaluate(tmp_path / "x.csv", wordnet=None, rounds=50)
    assert given.manifest["metrics"] == table.manifest["metrics"]


@pytest.mark.parametrize(
    ("scores", "candidates", "labels", "said"),
    [
        (SCORES[:, :2], CLASSES, LABELS, "there are 2 columns of scores for 3 candidates"),
        (SCORES, ["ant", "bee", "bee"], LABELS, "bee is there twice: class 1 and class 2"),
        (SCORES, CLASSES, ["ant", "bee", "bee", "cow"], "the true class cow is none of the 3"),
        (SCORES, CLASSES, [0, 1, 1, 3], "label 3 of sample 3"),
        (SCORES * np.nan, CLASSES, LABELS, "is not a number"),
        ([["a"]], ["ant"], ["ant"], "must be numbers"),
    ],
)
def test_wrong_arrays_are_refused(scores: Any, candidates: Any, labels: Any, said: str) -> None:
    with pytest.raises(gz.DataError, match=said):
        gz.Predictions.from_scores(scores, candidates, labels)


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ([["ant"]], "1 lists do not fit 2 labels"),
        ([[], ["ant"]], "sample 0: expected the true class and at least one prediction"),
        ([["ant", "ant"], ["ant"]], "sample 0: ant is predicted twice"),
        ([["cow"], ["ant"]], "sample 0: the predicted class 'cow' is none of the 3 candidates"),
    ],
)
def test_wrong_lists_are_refused(lists: list[list[str]], said: str) -> None:
    with pytest.raises(gz.DataError, match=said):
        ranked(lists, ["ant", "bee"], CLASSES)


def _without_time(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text())
    return {key: value for key, value in found.items() if key != "created_at"}


def test_a_saved_result_is_the_json_of_the_command(tmp_path: Path, mini: MiniWordNet) -> None:
    manifest = {"kind": "subgraph", "whole": True}
    save_subgraph(replace(mini_subgraph(), manifest=manifest), tmp_path / "graph")
    names = mini.named("poodle", "beagle", "dog", "cat")
    random = np.random.default_rng(0)
    labels = [names[at] for at in random.integers(0, 4, 40)]
    np.savez(tmp_path / "x.npz", scores=random.normal(size=(40, 4)), classes=names, labels=labels)
    (tmp_path / "train.txt").write_text("\n".join(mini.named("cat", "horse")))
    one, two = (tmp_path / name / "run.json" for name in ("one", "two"))
    one.parent.mkdir()
    options = ["--wordnet", tmp_path / "graph", "--train", tmp_path / "train.txt"]
    command = ["audit", tmp_path / "x.npz", *options, "--valid", "devise"]
    done = CliRunner().invoke(main, [str(part) for part in (*command, "--out", one)])
    assert not done.exit_code, done.output
    result = gz.evaluate(
        tmp_path / "x.npz",
        train=tmp_path / "train.txt",
        wordnet=tmp_path / "graph",
        valid="devise",
    )
    result.save(two)
    assert _without_time(one) == _without_time(two)
    for suffix in (".samples.parquet", ".classes.parquet"):
        assert one.with_suffix(suffix).read_bytes() == two.with_suffix(suffix).read_bytes()
    assert result.generalized is not None
    assert {"parent", "hp@2", "mean_rank"} <= set(result)
    assert [row["wnid"] for row in result.class_rows()] == sorted(names)


def test_an_audit_needs_no_database(
    in_mini_wordnet: None, mini: MiniWordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dog, poodle = mini.named("dog", "poodle")
    Path("x.csv").write_text(f"{poodle},{dog}\n{dog},{dog}\n")
    command = ["audit", "x.csv", "--wordnet", "wordnet", "--out", "run.json"]
    done = CliRunner().invoke(main, command)
    assert not done.exit_code, done.output
    assert json.loads(Path("run.json").read_text())["metrics"]["parent"]["per_class"] == 0.5
    gz.evaluate("x.csv", wordnet="wordnet").save("again.json")
    again = _without_time(Path("again.json"))
    assert again["metrics"] == _without_time(Path("run.json"))["metrics"]
    command[4] = "nowhere"
    assert CliRunner().invoke(main, command).exit_code == 2


def test_options_without_effect_are_refused(tmp_path: Path) -> None:
    found = gz.Predictions.from_scores(SCORES, CLASSES, LABELS)
    with pytest.raises(gz.DataError, match="Predictions are read already"):
        gz.evaluate(found, candidates=CLASSES)
    with pytest.raises(gz.DataError, match="needs a whole hierarchy"):
        gz.evaluate(found, valid=CLASSES)
    with pytest.raises(gz.DataError, match="numbered needs candidates"):
        gz.evaluate(tmp_path / "x.csv", numbered=True)


def test_frames() -> None:
    pandas = pytest.importorskip("pandas")
    lists = [[*row, None][:2] for row in LISTS]
    expected = gz.evaluate(ranked(LISTS, LABELS), rounds=50)
    frame = pandas.DataFrame(lists, columns=["top1", "top2"]).assign(label=LABELS, id=range(4))
    plain = pandas.DataFrame([[label, *row] for label, row in zip(LABELS, lists, strict=True)])
    numbers = plain.map(lambda name: CLASSES.index(name) if name in CLASSES else None)
    for found in (
        gz.evaluate(frame, wordnet=None, rounds=50),
        gz.evaluate(plain, wordnet=None, rounds=50),
        gz.evaluate(numbers, candidates=CLASSES, numbered=True, wordnet=None, rounds=50),
    ):
        assert found.manifest["metrics"] == expected.manifest["metrics"]
    with pytest.raises(
        gz.DataError, match=r"DataFrame:0: the predicted class .ant. is none of the 1 candidate"
    ):
        gz.evaluate(frame, candidates=["bee"], wordnet=None)
    table = expected.to_frame()
    assert list(table.columns) == ["metric", "per_class", "per_sample", "low", "high", "expected"]
    assert table["per_class"][0] == expected["hit@1"].per_class
    assert list(expected.to_frame("classes")["wnid"]) == CLASSES
    split = gz.Split("mine", ["n00000001"], "train", "universe", "wordnet")
    # made of a wnid alone: nothing says what it is called
    assert split.to_frame().to_dict("list") == {"wnid": ["n00000001"], "name": [""]}


def test_frames_without_pandas_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    result = gz.evaluate(gz.Predictions.from_scores(SCORES, CLASSES, LABELS), rounds=5)
    with pytest.raises(gz.GraphZSLError, match=r"pip install .graphzsl\[notebook\]"):
        result.to_frame()


def _objects() -> list[Any]:
    data = letters()
    predictions = gz.Predictions.from_scores(SCORES, CLASSES, LABELS)
    result = gz.evaluate(predictions, rounds=5)
    wnids = [f"n{number:08d}" for number in range(3000)]
    split = gz.Split("hops-2", wnids, "ilsvrc2012", "imagenet-fall11", "wordnet", 2)
    hierarchy = gz.Hierarchy.from_edges([(wnid, wnids[0]) for wnid in wnids[1:]])
    return [
        data,
        data.samples,
        data.semantics,
        mini_subgraph(),
        predictions,
        result,
        result["hit@1"],
        split,
        hierarchy,
        hierarchy.hcorrect_set(wnids[0], k=2000),
        hierarchy.closest(wnids[0], train=wnids[1:]),
        gz.train("eszsl", data, tune=False),
        gz.Settings(),
    ]


def test_every_object_shows_itself_on_one_line() -> None:
    for each in _objects():
        said = repr(each)
        assert said.startswith("<")
        assert said.endswith(">")
        assert "\n" not in said
        assert len(said) < 160, said
        if isinstance(each, gz.Split):
            assert said == "<Split hops-2: 3,000 unseen classes, training classes ilsvrc2012>"


def test_objects_can_be_compared() -> None:
    for one, other in zip(_objects(), _objects(), strict=True):
        assert isinstance(one == other, bool)


def test_tables_of_notebooks() -> None:
    result = gz.evaluate(gz.Predictions.from_scores(SCORES, CLASSES, LABELS), rounds=5)
    html = result._repr_html_()
    assert html.count("<tr>") == 1 + len(result)
    assert "hit@1" in html
    wnids = [f"n{number:08d}" for number in range(40)]
    hierarchy = gz.Hierarchy.from_edges([(wnid, wnids[0]) for wnid in wnids[1:]])
    html = hierarchy.closest(wnids[0], train=wnids[1:])._repr_html_()
    assert "<th>wnid</th><th>name</th><th>hops</th><th>closest</th><th>closest_name</th>" in html
    assert html.count("<tr>") == 1 + 20 + 1
    assert "… and 19 more" in html
    near = hierarchy.hcorrect_set(wnids[1], k=2)
    assert near.rows()[0] == {
        **{"wnid": wnids[1], "name": "", "k": 2},
        **{"member": wnids[1], "member_name": ""},
    }
    assert "member" in near._repr_html_()
    html = gz.Split("<b>", ["n00000001"], "train", "universe", "wordnet")._repr_html_()
    assert "&lt;b&gt;" in html
    assert "n00000001" in html


def test_too_few_candidates_are_counted_before_their_names_are_read() -> None:
    with pytest.raises(gz.DataError, match=r"there are 2 columns of scores for 1 candidate\."):
        evaluated(["tench", "hen"], np.eye(2), candidates=["tench"])
