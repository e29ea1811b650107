"""``import graphzsl as gz``: its names, what importing costs, the examples of the docstrings, and
what its objects show of themselves."""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import re
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl import models
from graphzsl.cli import main
from graphzsl.data.subgraph import save_subgraph
from graphzsl.hierarchy import wordnet as wordnet_nouns
from graphzsl.models.base.options import Hyperparameters
from graphzsl.models.base.zero_shot_model import example_model
from tests.clip.conftest import save_tiny, tiny_config
from tests.formats.test_formats import _v73, _xlsa17
from tests.mini import MiniWordNet
from tests.problems import mini_subgraph, mini_task

#: Names whose examples need a server; they run in tests/face/test_face_database.py.
OF_THE_DATABASE = {
    "Database",
    "closest_classes",
    "connect",
    "hcorrect_sets",
    "hop_split",
    "load_split",
}
ERRORS = {name for name in gz.__all__ if name.endswith("Error")}
#: Names that are modules, and what those offer.
MODULES = {"hierarchical", "papers"}
INSIDE = {f"{module}.{name}" for module in MODULES for name in getattr(gz, module).__all__}
OTHERS = sorted({*gz.__all__, *INSIDE} - ERRORS - MODULES - {"__version__"})


def test_importing_it_imports_nothing_heavy() -> None:
    code = """
import sys
import graphzsl as gz
heavy = ("torch", "neo4j", "pandas", "numpy", "scipy", "pyarrow", "nltk", "click")
dir(gz)
print([name for name in heavy if name in sys.modules])
gz.DataError, gz.Settings
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "[]"]


def test_every_name_is_there_once() -> None:
    assert sorted({*gz._HOMES, *MODULES}) == sorted({*gz.__all__} - {"__version__"})
    assert set(gz._MODULES) == MODULES
    for name in MODULES:
        assert set(getattr(gz, name).__all__) <= set(dir(getattr(gz, name)))
    assert set(gz.__all__) <= set(dir(gz))
    for name in gz.__all__:
        assert getattr(gz, name) is not None, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = gz.nothing
    found: dict[str, Any] = {}
    exec("from graphzsl import *", found)
    assert set(gz.__all__) <= set(found)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(gz.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname: f"{node.module}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {name: f"graphzsl.{home}" for name, home in gz._HOMES.items()}


def test_errors_have_their_public_name() -> None:
    for name in ERRORS:
        error = getattr(gz, name)
        assert issubclass(error, gz.GraphZSLError)
        assert f"{error.__module__}.{error.__qualname__}" == f"graphzsl.{name}"


@pytest.mark.parametrize("name", OTHERS)
def test_every_public_name_is_explained_with_an_example(name: str) -> None:
    found = attrgetter(name)(gz)
    assert ">>>" in found.__doc__, f"{name} has no example"
    if not isinstance(found, type):
        assert "Raises:" in found.__doc__, name


def _sections(value: Any) -> dict[str, list[str]]:
    """Section of a docstring -> its lines, without their indent."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in inspect.cleandoc(value.__doc__ or "").splitlines():
        if re.fullmatch(r"[A-Z][a-z]+:", line):
            lines = sections.setdefault(line[:-1], [])
        elif line.startswith("    "):
            lines.append(line[4:])
        elif line:
            lines = []
    return sections


def lacks(value: Any) -> list[str]:
    """What the docstring of a function or class lacks: a parameter's entry in Args, in their
    order; Returns where a function returns something."""
    sections = _sections(value)
    names = [name.lstrip("*") for name in inspect.signature(value).parameters]
    entries = [line.partition(":")[0] for line in sections.get("Args", []) if line[:1] != " "]
    lacking = [f"Args: {name}" for name in names if name not in entries]
    lacking += [f"no parameter {entry}" for entry in entries if entry not in names]
    if not lacking and entries != names:
        lacking.append("the order of the parameters")
    returns = None if isinstance(value, type) else inspect.signature(value).return_annotation
    if returns not in (None, "None") and not sections.get("Returns"):
        lacking.append("Returns")
    return lacking


@pytest.mark.parametrize("name", OTHERS)
def test_every_public_name_says_what_it_takes_and_returns(name: str) -> None:
    """Functions, classes and the constructors of classes."""
    value = attrgetter(name)(gz)
    constructors = [
        getattr(value, each)
        for each, member in (vars(value).items() if isinstance(value, type) else ())
        if isinstance(member, classmethod) and not each.startswith("_")
    ]
    assert {each.__qualname__: lacks(each) for each in (value, *constructors) if lacks(each)} == {}


#: What implements something of a paper.
OF_PAPERS = (
    gz.ZeroShotDataset,
    gz.Hierarchy.load,
    gz.Hierarchy.outcome,
    gz.Hierarchy.hcorrect_set,
    gz.Hierarchy.closest,
    gz.Hierarchy.heights_among,
    gz.Hierarchy.lca_height,
    gz.Hierarchy.trimmed,
    gz.Hierarchy.pruned,
    gz.clip_head,
    gz.closest_classes,
    gz.evaluate,
    gz.hcorrect_sets,
    *(getattr(gz.hierarchical, name) for name in gz.hierarchical.__all__ if name.islower()),
    gz.hop_split,
    gz.papers.size_of,
    gz.read_xlsa17,
    gz.run_clip,
    gz.train,
)


@pytest.mark.parametrize("function", OF_PAPERS, ids=lambda function: function.__qualname__)
def test_what_is_of_a_paper_names_it(function: Any) -> None:
    (line, *_) = _sections(function).get("Reference", [""])
    assert re.search(r"(19|20)\d\d", line), f"{function.__qualname__}: {line!r}"


def test_a_docstring_that_lacks_something_is_noticed() -> None:
    def undocumented(one: int, *, two: int) -> int:
        """Adds.

        Args:
            one: a number.
            three: another.
        """
        return one + two

    assert lacks(undocumented) == ["Args: two", "no parameter three", "Returns"]


def run_examples(found: Any, given: dict[str, Any]) -> None:
    """Run the examples of a docstring, and of the methods of a class."""
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    tests = doctest.DocTestFinder().find(found, "example", globs=given)
    assert any(each.examples for each in tests)
    said: list[str] = []
    for each in tests:
        runner.run(each, out=said.append)
    assert not runner.summarize(verbose=False).failed, "".join(said)


@pytest.mark.parametrize("name", [name for name in OTHERS if name not in OF_THE_DATABASE])
def test_the_examples_of_docstrings(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(models, "_registered", {})
    _xlsa17(tmp_path / "xlsa17" / "data" / "AWA2", _v73)
    if name == "clip_head":
        save_tiny(tmp_path / "tiny", tiny_config())
    model = gz.train("eszsl", _letters()) if "odel" in name else None
    run_examples(attrgetter(name)(gz), {"gz": gz, "model": model, "Path": Path})


def _letters() -> gz.ZeroShotDataset:
    """Eight classes in four dimensions, whose samples lie around their class embeddings."""
    random = np.random.default_rng(0)
    embeddings = {name: random.normal(size=4) for name in "abcdefgh"}
    labels = [name for name in "abcdefgh" for _ in range(10)]
    features = [embeddings[name] + 0.1 * random.normal(size=4) for name in labels]
    return gz.ZeroShotDataset.from_arrays(
        features, labels, embeddings, seen=list("abcdef"), unseen=list("gh")
    )


def test_arrays_as_a_data_set() -> None:
    data = _letters()
    counts = {part: int((data.parts == part).sum()) for part in ("train", "test_seen")}
    assert counts == {"train": 48, "test_seen": 12}, "a fifth of each seen class is held out"
    assert len(data.test_samples().labels) == 20
    arrays = data.samples.features, data.samples.labels, data.semantics
    again = gz.ZeroShotDataset.from_arrays(
        *arrays, seen=list("abcdef"), unseen=list("gh"), parts=data.parts
    )
    assert (again.parts == data.parts).all()
    with pytest.raises(gz.DataError, match="a is both a training class and in test"):
        gz.ZeroShotDataset.from_arrays(*arrays, seen=list("ab"), unseen=list("a"))
    with pytest.raises(gz.DataError, match="no class embedding for z"):
        gz.ZeroShotDataset.from_arrays(*arrays, seen=list("ab"), unseen=list("z"))
    with pytest.raises(gz.DataError, match="c has samples but is neither seen nor unseen"):
        gz.ZeroShotDataset.from_arrays(*arrays, seen=list("ab"), unseen=list("gh"))
    with pytest.raises(gz.DataError, match="does not say whose rows it holds"):
        gz.ZeroShotDataset.from_arrays(
            *arrays[:2], arrays[2].values, seen=list("ab"), unseen=list("gh")
        )
    with pytest.raises(gz.DataError, match=r"load takes settings, not .release."):
        gz.Hierarchy.load("release")  # type: ignore[arg-type]
    with pytest.raises(gz.DataError, match="held_out is a share"):
        gz.ZeroShotDataset.from_arrays(*arrays, seen=list("ab"), unseen=list("g"), held_out=1)
    with pytest.raises(gz.DataError, match="must be numbers"):
        gz.Samples.from_arrays([[1, 2], [3]], ["a", "b"])
    with pytest.raises(gz.DataError, match="all of one length"):
        gz.ClassMatrix.from_rows({"a": [1, 2], "b": [3]})


# The hierarchy


class _Mini(MiniWordNet):
    def __init__(self, folder: Path) -> None:
        super().__init__()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> gz.Settings:
    """Settings whose WordNet files are the mini WordNet."""
    monkeypatch.setattr("graphzsl.sources.wordnet.WordNet", _Mini)
    monkeypatch.setattr("graphzsl.sources.wordnet_files.wordnet_folder", lambda settings: tmp_path)
    return replace(gz.load_settings(), cache=tmp_path / "cache")


def test_the_hierarchy_is_cached(
    files: gz.Settings, mini: MiniWordNet, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = gz.Hierarchy.load(files)
    expected = gz.Hierarchy.from_edges(mini.edges(), [row.wnid for row in mini.rows])
    assert (built.wnids, built.whole) == (expected.wnids, True)
    assert (built.up != expected.up).nnz == 0
    assert built.names == {row.wnid: row.name for row in mini.rows}
    path = wordnet_nouns.cache_path(files)
    assert [each.name for each in path.parent.iterdir()] == [path.name]

    def never(folder: Path) -> Any:
        raise AssertionError("the cache was not read")

    monkeypatch.setattr("graphzsl.sources.wordnet.WordNet", never)
    again = gz.Hierarchy.load(files)
    assert (again.wnids, again.names) == (built.wnids, built.names)
    assert (again.up != built.up).nnz == 0
    assert again.provenance == built.provenance
    monkeypatch.setattr("graphzsl.sources.wordnet.WordNet", _Mini)
    path.write_bytes(path.read_bytes()[:200])
    assert gz.Hierarchy.load(files).wnids == built.wnids, "it is built anew"
    assert gz.Hierarchy.load(files).names == built.names


def test_questions_of_one_class(files: gz.Settings, mini: MiniWordNet) -> None:
    found = gz.Hierarchy.load(files)
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


def test_an_unknown_wnid_always_raises(files: gz.Settings, mini: MiniWordNet) -> None:
    found = gz.Hierarchy.load(files)
    dog, no = mini["dog"], "n99999999"
    for ask in (
        lambda: found.outcome(no, no),
        lambda: found.outcome(dog, no),
        lambda: found.outcome(no, dog),
        lambda: found.lca_height(no, no, {}),
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


# Evaluation

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
    ranked = gz.evaluate(gz.Predictions.from_ranked(LISTS, LABELS), rounds=50)
    table = gz.evaluate(tmp_path / "x.csv", wordnet=None, rounds=50)
    assert ranked.manifest["metrics"] == table.manifest["metrics"]


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
    "lists", [[["ant"]], [[], ["ant"]], [["ant", "ant"], ["ant"]], [["cow"], ["ant"]]]
)
def test_wrong_lists_are_refused(lists: list[list[str]]) -> None:
    with pytest.raises(gz.DataError, match=r"do not fit|expected candidates, each once"):
        gz.Predictions.from_ranked(lists, ["ant", "bee"], CLASSES)


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
    files: gz.Settings, mini: MiniWordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHZSL_CACHE", str(files.cache))
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
    expected = gz.evaluate(gz.Predictions.from_ranked(LISTS, LABELS), rounds=50)
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
    assert split.to_frame().to_dict("list") == {"wnid": ["n00000001"]}


def test_frames_without_pandas_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    result = gz.evaluate(gz.Predictions.from_scores(SCORES, CLASSES, LABELS), rounds=5)
    with pytest.raises(gz.GraphZSLError, match=r"pip install .graphzsl\[notebook\]"):
        result.to_frame()


# Models


def test_a_model_is_trained_kept_and_asked(tmp_path: Path) -> None:
    data = _letters()
    model = gz.train("eszsl", data, generalized=True)
    assert model.candidates == list("abcdefgh")
    assert model.train == list("abcdef")
    result = gz.evaluate(model.predict(data.test_samples(generalized=True)), rounds=50)
    assert result.generalized is not None
    assert "ausuc" in result.generalized
    assert result.manifest["provenance"]["model"] == "eszsl"
    model.save(tmp_path / "eszsl")
    again = gz.load_model(tmp_path / "eszsl")
    features = data.samples.features
    assert again.scorer.scores(features) == pytest.approx(model.scorer.scores(features))
    unseen = model.predict(data.test_samples(), candidates="gh")
    assert unseen.candidates == ["g", "h"]


def test_options_are_typed() -> None:
    data = _letters()
    model = gz.train("eszsl", data, gamma=np.float64(10.0), tune=False)
    assert model.options["gamma"] == 10.0
    with pytest.raises(gz.ModelError, match="no option 'gama'"):
        gz.train("eszsl", data, gama=1.0)
    with pytest.raises(gz.ModelError, match="gamma is a number"):
        gz.train("eszsl", data, gamma="10")
    with pytest.raises(gz.ModelError, match="no model 'nothing'"):
        gz.train("nothing", data)
    with pytest.raises(gz.DataError, match="a ZeroShotDataset or a Task"):
        gz.train("eszsl", [1, 2])  # type: ignore[arg-type]


def test_sequences_are_options_too() -> None:
    powers: Any
    for powers in ((0, 1), [0, 1], np.array([0, 1]), range(2), "0,1"):
        model = gz.train("graph-linear", mini_task(), powers=powers, tune=False)
        assert model.manifest["options"] == {"ridge": 8.0, "powers": "0,1"}, "as files hold it"
        assert model.manifest["given_options"] == {"powers": "0,1"}
        assert model.options == {"ridge": 8.0, "powers": (0, 1)}
    with pytest.raises(gz.ModelError, match=r"^powers are different whole numbers, each at least"):
        gz.train("graph-linear", mini_task(), powers=(0, 0))


def test_a_model_s_options_train_it_again(tmp_path: Path) -> None:
    gz.train("graph-linear", mini_task(), powers=(0, 2)).save(tmp_path / "model")
    assert '"powers": "0,2"' in (tmp_path / "model" / "manifest.json").read_text()
    first = gz.load_model(tmp_path / "model")
    again = gz.train("graph-linear", mini_task(), **first.options)
    assert again.options == first.options
    assert (again.scorer.classifiers.values == first.scorer.classifiers.values).all()


class NearestMean:
    """Nearest mean: every candidate's row is its class embedding."""

    Options = Hyperparameters
    GRID = [{}]  # noqa: RUF012

    @staticmethod
    def fit(task: Any, options: Any) -> Any:
        return example_model(task, task.candidate_semantics, model="nearest-mean")


def test_a_model_of_your_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_registered", {})
    gz.register_model("nearest-mean", NearestMean)
    data = _letters()
    model = gz.train("nearest-mean", data)
    assert (model.manifest["family"], model.manifest["model"]) == ("own", "nearest-mean")
    assert gz.evaluate(model.predict(data.test_samples()), rounds=5)["hit@1"].per_class == 1
    data.save(tmp_path / "data")
    command = ["train", "nearest-mean", "--data", tmp_path / "data", "--out", tmp_path / "model"]
    done = CliRunner().invoke(main, [str(part) for part in command])
    assert not done.exit_code, done.output
    assert gz.load_model(tmp_path / "model").manifest["model"] == "nearest-mean"
    listed = CliRunner().invoke(main, ["model", "list", "--format", "jsonl"]).output
    assert "Nearest mean: every candidate's row" in listed


def test_models_that_lack_something_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_registered", {})
    for module, said in (
        (type("M", (), {}), "needs a frozen dataclass Options"),
        (type("M", (), {"Options": Hyperparameters}), "needs GRID"),
        (type("M", (), {"Options": Hyperparameters, "GRID": [{}]}), "needs a function fit"),
        ("nothing.at.all", "cannot be imported"),
    ):
        with pytest.raises(gz.ModelError, match=said):
            gz.register_model("mine", module)
    with pytest.raises(gz.ModelError, match="is a model of graphzsl"):
        gz.register_model("eszsl", NearestMean)


def test_an_installed_package_brings_models(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("theirs", "graphzsl.models.compatibility.eszsl", models.ENTRY_POINTS)
    monkeypatch.setattr(models, "_installed", lambda: {"theirs": entry})
    assert "theirs" in models.known_models()
    assert gz.train("theirs", _letters()).manifest["family"] == "own"


# What objects show


def _objects() -> list[Any]:
    data = _letters()
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
            assert said == "<Split hops-2: 3,000 classes, train ilsvrc2012>"


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
    assert "<th>wnid</th><th>hops</th><th>closest</th>" in html
    assert html.count("<tr>") == 1 + 20 + 1
    assert "… and 19 more" in html
    near = hierarchy.hcorrect_set(wnids[1], k=2)
    assert near.rows()[0] == {"wnid": wnids[1], "k": 2, "member": wnids[1]}
    assert "member" in near._repr_html_()
    html = gz.Split("<b>", ["n00000001"], "train", "universe", "wordnet")._repr_html_()
    assert "&lt;b&gt;" in html
    assert "n00000001" in html


def test_too_few_candidates_are_counted_before_their_names_are_read() -> None:
    with pytest.raises(gz.DataError, match=r"there are 2 columns of scores for 1 candidate\."):
        gz.evaluate(["tench", "hen"], np.eye(2), candidates=["tench"])
