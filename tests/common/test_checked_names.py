"""Names: of classes in files and structures, of sets, runs and models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.analysis import read_scores
from graphzsl.cli import main
from graphzsl.common import DataError, shown
from graphzsl.common.checked_names import check_classes, check_name, name_problem, names_of_array
from graphzsl.data import load_samples
from graphzsl.models import known_models
from graphzsl.sources.imagenet import read_names
from tests.audit.kinds import evaluated, ranked

#: A text -> what is said of it.
WRONG: list[tuple[Any, str]] = [
    ("", "is empty"),
    ("  ", "is empty"),
    (None, "is None, and a name is a text"),
    (b"n00001000", "is b'n00001000', and a name is a text"),
    (float("nan"), "is nan, and a name is a text"),
    (3, "is 3, and a name is a text"),
    ("a\0b", "holds the invisible character U+0000"),
    ("a\nb", "holds the invisible character U+000A"),
    ("\u202etac", "holds the invisible character U+202E"),
    ("a\u2066b", "holds the invisible character U+2066"),
    ("\ud800", "holds the invisible character U+D800"),
    ("n٠٠٠٠١٠٠٠", "is a wnid in digits other than 0 to 9"),
    ("N02084071", "is a wnid with a capital N; write n02084071"),
    (" dog", "begins or ends in a space"),
    ("c\u200bat", "holds the invisible character U+200B"),
    ("cat\U000e0041", "holds the invisible character U+E0041"),
    ("x" * 1001, "has 1,001 letters; 1,000 are the most"),
]


@pytest.mark.parametrize(("name", "said"), WRONG)
def test_what_is_no_name(name: Any, said: str) -> None:
    assert said in (name_problem(name) or "")
    with pytest.raises(DataError, match=r"^wnids: entry 1 ") as error:
        check_classes(["cat", name])
    assert len(str(error.value)) < 300, "a message repeats no long text"


@pytest.mark.parametrize(
    "name", ["dog", "hot dog", "n02084071", "犬", "كلب", "chien-loup's", "café"]
)
def test_what_is_a_name(name: str) -> None:
    assert name_problem(name) is None
    check_name(name, "a set")


@pytest.mark.parametrize(
    "name", ["a\u202eb\nc", "\u202etac", "c\u200bat", "a\nb", "", " clip", "x" * 201]
)
def test_runs_and_models_have_names_that_people_can_tell_from_others(
    name: str, tmp_path: Path
) -> None:
    said = name_problem(name, 200)
    assert said is not None
    with pytest.raises(DataError) as refused:
        evaluated(["tench"], [["tench"]], wordnet=None, name=name)
    assert f"The name of a run {said}." in str(refused.value)
    out = tmp_path / "run.json"
    done = CliRunner().invoke(main, ["audit", "sample", "--name", name, "--out", str(out)])
    assert (done.exit_code, done.output) == (1, f"Error: The name of a run {said} (--name).\n")
    assert not out.exists()
    with pytest.raises(gz.ModelError) as wrong:
        gz.register_model(name, "graphzsl.models.compatibility.eszsl")
    assert f"The name of a model {said}." in str(wrong.value)
    assert name not in known_models()


def test_a_run_keeps_its_name() -> None:
    for name in ("CLIP ViT-B/32, 80 prompts", "模型", "modèle"):
        found = evaluated(["tench"], [["tench"]], wordnet=None, rounds=5, name=name)
        assert found.manifest["provenance"]["model"] == name


def test_lists_of_classes() -> None:
    for given in ("abcdef", {"a": 1}, {"a"}, 3, None, b"abc"):
        with pytest.raises(DataError, match=r"^wnids must be a list of classes, not"):
            check_classes(given)
    with pytest.raises(DataError, match="cat is there twice"):
        check_classes(["cat", "dog", "cat"])
    with pytest.raises(DataError, match=r"The name of a class set .* begins or ends in a space"):
        check_name("ilsvrc2012 ", "a class set")
    with pytest.raises(DataError, match=r"has 70,000 letters; 200 are the most"):
        check_name("x" * 70_000, "a split")
    assert len(shown("x" * 10_000_000)) < 100


@pytest.mark.parametrize(
    "names",
    [
        ["cop", "\u0441\u043e\u0440"],  # English and Russian
        ["α-helix", "β-helix", "a-globin"],
        ["CD-програвач", "програвач", "CD"],
        ["Ё", "Ë"],
        ["犬 dog", "dog"],
    ],
)
def test_names_of_other_scripts_stay(names: list[str]) -> None:
    check_classes(names)
    check_classes(names[::-1])


def test_names_of_arrays() -> None:
    assert names_of_array(np.array([b"cat", b"dog"]), "x") == ["cat", "dog"]
    assert names_of_array(np.array([1, 2]), "x") == ["1", "2"]
    assert names_of_array(["cat"], "x") == ["cat"]
    for wrong in (np.array([1.5]), np.array([True]), [None], [b"\xff"], "cat", np.array("cat"), 3):
        with pytest.raises(DataError, match=r"^x(:| must)"):
            names_of_array(wrong, "x")


ROWS = np.ones((2, 3), np.float32)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: gz.ClassMatrix("ab", ROWS, {}), "wnids must be a list"),  # type: ignore[arg-type]
        (lambda: gz.ClassMatrix({"a": 1, "b": 2}, ROWS, {}), "wnids must be a list"),  # type: ignore[arg-type]
        (lambda: gz.ClassMatrix(["a", 2], ROWS, {}), "entry 1 is 2"),  # type: ignore[list-item]
        (lambda: gz.ClassMatrix(["a", "b"], ROWS[:, :0], {}), "no columns"),
        (lambda: gz.ClassMatrix(["a", "b"], ROWS.astype(str), {}), "holds numbers"),  # type: ignore[arg-type]
        (lambda: gz.Samples.from_arrays(ROWS, ["a", None]), "entry 1 is None"),  # type: ignore[list-item]
        (lambda: gz.Samples.from_arrays(ROWS, ["a", ""]), "entry 1 is empty"),
        (lambda: gz.Samples(ROWS, ["a", "b\n"], {}), "U\\+000A"),
        (lambda: _graph(["a", "a"]), "a is there twice"),
        (lambda: _graph(["a", None]), "entry 1 is None"),
        (lambda: _graph(["a", "b"], edges=[[0], [0]]), "a has an edge to itself"),
        (lambda: _graph(["a", "b"], edges=[[0], [2]]), "a node that is not there"),
        (lambda: _graph(["a", "b"], words="ab"), "words must be a list"),
        (lambda: _graph(["a", "b"], words=["ab", "c"]), "words: that of a is 'ab'"),
        (lambda: _graph(["a", "b"], sets={"x": "ab"}), "class set x must be a list"),
        (lambda: _graph(["a", "b"], sets={"x\n": ["a"]}), "The name of a class set"),
        (lambda: _graph(["a", "b"], sets=["a"]), "class_sets must be a dictionary"),
        (lambda: _known(names={"a": 5}), "names: that of 'a' is 5, and a name is a text"),
        (lambda: _known(names={"a": ["A"]}), "names: that of 'a' is \\['A'\\], and a name is a"),
        (lambda: _known(names={"a": "A", "b": None}), "names: that of 'b' is None"),
        (lambda: _known(names={"a": "A", "b": "b\n"}), "that of 'b' 'b.*' holds the .* U\\+000A"),
        (lambda: _known(names=None), "names must be a dictionary, not None"),
        (lambda: _known(names=["A", "B"]), "names must be a dictionary, not \\['A', 'B'\\]"),
        (lambda: _known(populations=None), "populations must be a dictionary, not None"),
        (lambda: _known(provenance="mine"), "provenance must be a dictionary, not 'mine'"),
        (lambda: _graph(["a", "b"], names=["A", "b\n"]), "names: that of 'b' 'b.*' holds"),
        (lambda: _data(["cat", "cat"], ["owl"]), "cat is there twice"),
        (lambda: _data(["cat", 3], ["owl"]), "no class embedding for 1 class of 3: '3'"),
        (lambda: _data(["cat", "dog"], ["owl", ""]), "unseen, class 1: the class is empty"),
        (lambda: gz.Predictions.from_scores([[1, 0]], ["a", "b\0c"], ["a"]), "U\\+0000"),
        (lambda: ranked([["a\u202e"]], ["a"]), "U\\+202E"),
    ],
)
def test_structures_refuse_what_is_no_name(build: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        build()


def _graph(
    wnids: Any, edges: Any = ((1,), (0,)), words: Any = (), sets: Any = None, names: Any = ()
) -> Any:
    given = list(words) if isinstance(words, tuple) else words
    sets = {} if sets is None else sets
    return gz.Subgraph(wnids, list(names), given, [], np.array(edges), sets, {})


def _known(**known: Any) -> gz.Hierarchy:
    return gz.Hierarchy.from_edges([("a", "b")], **known)


def test_a_name_that_is_not_known_is_empty() -> None:
    assert _known(names={"a": "dog.n.01", "b": ""}).wnid("dog.n.01") == "a"
    assert _known(names={"a": "dog.n.01", "c": "dog.n.01"}).names["a"] == "dog.n.01"


def _data(seen: Any, unseen: Any) -> Any:
    vectors = {"cat": [1, 0], "dog": [0, 1], "owl": [1, 1]}
    return gz.ZeroShotDataset.from_arrays(ROWS, ["cat", "owl"], vectors, seen=seen, unseen=unseen)


def test_validation_classes_are_training_classes() -> None:
    from dataclasses import replace

    data = _data(["cat"], ["owl"])
    with pytest.raises(DataError, match=r"validation classes 1: owl is not a training class"):
        replace(data, validation=[["owl"]])


def test_files_refuse_what_is_no_name(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"features": [[1.0], [2.0]], "wnid": ["n02084071", None]}), tmp_path / "s.parquet"
    )
    with pytest.raises(DataError, match=r"s\.parquet: wnid: entry 1 is None"):
        load_samples(tmp_path / "s.parquet")
    np.savez(tmp_path / "s.npz", features=ROWS, labels=np.array([b"cat", b"dog"]))
    assert load_samples(tmp_path / "s.npz").labels == ["cat", "dog"]
    (tmp_path / "c.txt").write_text("cat\na\u202eb\n")
    with pytest.raises(DataError, match=r"c\.txt:2: the class .* U\+202E"):
        read_names(tmp_path / "c.txt")
    (tmp_path / "c.json").write_text('["cat", ""]')
    with pytest.raises(DataError, match=r"c\.json: entry 2: the class is empty"):
        read_names(tmp_path / "c.json")


def test_hcorrect_sets_that_make_no_sense(tmp_path: Path) -> None:
    import json

    from graphzsl.audit.hcorrect_files import load_hcorrect
    from graphzsl.common import sha256

    def written(rows: list[dict[str, Any]]) -> Path:
        path = tmp_path / "hcorrect.parquet"
        pq.write_table(pa.Table.from_pylist(rows), path)
        manifest = {"kind": "hcorrect", "files": {path.name: sha256(path)}}
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
        return tmp_path

    good = {"wnid": "a", "k": 2, "members": ["a", "b"]}
    assert load_hcorrect(written([good]))[0] == {2: {"a": ["a", "b"]}}
    for change, said in (
        ({"k": 0}, "k is 0"),
        ({"k": None}, "k is None"),
        ({"k": "2"}, "k is '2'"),
        ({"members": None}, "members must be a list"),
        ({"members": ["b"]}, "the hCorrectSet of a lacks a itself"),
        ({"members": ["a", "a"]}, "a is there twice"),
        ({"wnid": None}, "entry 0 is None"),
    ):
        with pytest.raises(DataError, match=rf"hcorrect\.parquet: row 0.*{said}"):
            load_hcorrect(written([good | change]))
    with pytest.raises(DataError, match="row 1: the hCorrectSet of a for k = 2 is there twice"):
        load_hcorrect(written([good, {**good, "members": ["a", "c"]}]))


#: Two ways to write one letter: a letter with an accent, and a letter and an accent.
NFC, NFD = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    ("unseen", "labels", "said"),
    [
        (["cat", NFD], ["dog", "cat"], r"^test: entry 1 'cafe.*looks like"),
        (["cat"], ["cat", "dog", NFD], r"^labels of samples: entry 2 'cafe.*looks like"),
    ],
)
def test_of_two_lists_the_second_is_named_with_the_place_in_it(
    unseen: list[str], labels: list[str], said: str
) -> None:
    matrix = gz.ClassMatrix(["dog", NFC, "cat"], np.eye(3), {})
    with pytest.raises(DataError, match=said):
        gz.ZeroShotDataset.from_arrays(
            np.eye(3)[: len(labels)], labels, matrix, seen=["dog", NFC], unseen=unseen
        )


def test_of_scores_the_labels_are_named(tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    classes, labels = np.array(["dog", NFC]), np.array(["dog", NFD, "dog"])
    np.savez(path, scores=np.zeros((3, 2)), classes=classes, labels=labels)
    with pytest.raises(DataError, match=r"s\.npz: labels: entry 1 'cafe.*looks like"):
        read_scores(path)
    np.savez(path, scores=np.zeros((3, 2)), classes=classes, labels=["dog", "dog"])
    with pytest.raises(DataError, match=r"2 labels do not fit scores of shape \(3, 2\)"):
        read_scores(path)
