"""A run in shards is the run in one: every number, the samples and the classes, byte by byte."""

from __future__ import annotations

import json
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from graphzsl.audit import Part, Predictions, merged, read_shard, shard_of
from graphzsl.audit.merging import joined
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.data import save_samples
from tests.cli.test_help import examples
from tests.problems import mini_problem, mini_samples, save_experiment
from tests.schemas import fits

#: What two runs differ in that are the same.
VOLATILE = ("created_at", "run")


def _run(*arguments: object, code: int = 0) -> Result:
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code == code, done.output
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model, samples of its candidates and of training classes, and scores with ties."""
    folder = tmp_path_factory.mktemp("shards")
    save_experiment(folder)
    samples = mini_samples(each=30, noise=1.0)
    save_samples(samples, folder / "images.npz")
    task, rows = mini_problem()
    rows.save(folder / "all.safetensors")
    unseen = samples.select(task.candidates)
    scores = (unseen.features @ rows.rows(task.candidates)[:, :-1].T).round()
    np.savez(
        folder / "scores.npz",
        scores=scores,
        classes=np.array(task.candidates),
        labels=np.array(unseen.labels),
    )
    lines = [
        ",".join([label, *(task.candidates[column] for column in np.argsort(-row)[:6])])
        for label, row in zip(unseen.labels, scores, strict=True)
    ]
    (folder / "lists.csv").write_text("\n".join(lines))
    (folder / "some.txt").write_text("\n".join(task.candidates[:8]))
    (folder / "chosen.txt").write_text("\n".join([*task.train, *task.candidates]))
    given = {
        "semantics": "embeddings.safetensors",
        "classifiers": "classifiers.safetensors",
        "graph": "graph",
        "train": "train.txt",
        "candidates": "chosen.txt",
        "out": "closest",
    }
    options = [(f"--{name}", folder / file) for name, file in given.items()]
    _run("train", "closest", "--generalized", *(word for pair in options for word in pair))
    return folder


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 32 samples, so that a few hundred make several shards."""
    monkeypatch.setattr("graphzsl.audit.scored_blocks._BLOCK_SAMPLES", 32)


def _files(run: Path) -> tuple[dict[str, Any], bytes, bytes]:
    result = json.loads(run.read_text())
    # the names of the files beside it are that of the run
    for key in ("class_table", "samples_file"):
        result[key].pop("file")
    kept = {key: value for key, value in result.items() if key not in VOLATILE}
    beside = [run.with_suffix(suffix) for suffix in (".samples.parquet", ".classes.parquet")]
    return kept, *(path.read_bytes() for path in beside)


#: Words of a command, how many shards it is done in, and whether candidates tie.
CASES = {
    "a model": (("evaluate", "model", "all.safetensors", "--features", "images.npz"), 5, False),
    "the generalized setting": (
        ("evaluate", "model", "closest", "--features", "images.npz", "--missing", "miss"),
        7,
        True,
    ),
    "scores": (("audit", "scores.npz"), 11, True),
    "scores, generalized": (("audit", "scores.npz", "--train", "some.txt"), 3, True),
    "lists": (("audit", "lists.csv", "--missing", "miss"), 4, False),
}


@pytest.mark.parametrize("case", CASES)
def test_shards_make_the_run_of_one_process(
    folder: Path, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ties, seen classes and misses, a hierarchy, intervals of values with an order."""
    monkeypatch.chdir(folder)
    words, count, ties = CASES[case]
    against = ("--wordnet", "whole", "--rounds", "200", "--seed", "3")
    one, several = tmp_path / "one.json", tmp_path / "several.json"
    _run(*words, *against, "--out", one)
    whole = _files(one)
    assert whole[0]["samples"] > 100
    assert ties == any(
        "expected_under_random_ties" in each for each in whole[0]["metrics"].values()
    )
    for number in range(1, count + 1):
        _run(*words, "--out", several, "--shard", f"{number}/{count}")
    shards = sorted(tmp_path.glob("several.shard-*.npz"), reverse=True)
    assert len(shards) == count
    with np.load(shards[0]) as stored:
        fits(json.loads(str(stored["manifest"])), "shard")
    _run("evaluate", "merge", *shards, *against, "--out", several)
    assert _files(several) == whole


def test_the_default_hierarchy_is_that_of_the_command(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of predictions WordNet where classes are its synsets, but where names were taken as they
    are; of a model none."""
    monkeypatch.chdir(tmp_path)
    Path("own.csv").write_text("cat,cat,dog\ndog,cat,dog\ncat,dog,cat\n")
    for number in (1, 2):
        _run("audit", "own.csv", "--wordnet", "none", "--out", "o.json", "--shard", f"{number}/2")
    shards = sorted(Path().glob("o.shard-*"))
    _run("evaluate", "merge", *shards, "--out", "o.json")
    _run("audit", "own.csv", "--wordnet", "none", "--out", "whole.json")
    assert _files(Path("o.json")) == _files(Path("whole.json"))
    assert "hierarchy" not in json.loads(Path("o.json").read_text())


def _shards(count: int = 3, options: dict[str, Any] | None = None) -> list[Any]:
    scores = np.arange(40).reshape(10, 4) % 7 * 1.0
    predictions = Predictions.from_scores(scores, list("abcd"), list("abcdabcdab"), seen=["b"])
    return [
        shard_of(predictions, Part(number, count), {"model": "m"}, ["b"], options or {})
        for number in range(1, count + 1)
    ]


@given(st.integers(1, 400), st.integers(1, 9), st.integers(1, 40))
def test_parts_are_all_samples_once_in_whole_blocks(samples: int, count: int, block: int) -> None:
    if -(-samples // block) < count:
        with pytest.raises(DataError, match="make at most"):
            Part(1, count).rows(samples, block)
        return
    parts = [Part(number, count).rows(samples, block) for number in range(1, count + 1)]
    assert [row for part in parts for row in part] == list(range(samples))
    assert all(part.start % block == 0 and len(part) for part in parts)
    sizes = [-(-len(part) // block) for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_a_shard_is_read_as_it_was_written(tmp_path: Path) -> None:
    for number, shard in enumerate(_shards()):
        shard.save(tmp_path / f"{number}.npz")
        read = read_shard(tmp_path / f"{number}.npz")
        assert (read.sums, read.shared) == (shard.sums, shard.shared)
        own, other = shard.predictions, read.predictions
        for name in ("candidates", "labels", "seen", "complete", "metadata"):
            assert getattr(own, name) == getattr(other, name), name
        for k in (1, 2, 4):
            crossing = [
                [(row, begin, columns.tolist()) for row, begin, columns in each.ties.crossing(k)]
                for each in (own, other)
            ]
            assert crossing[0] == crossing[1]
        assert np.array_equal(own.sides.margin, other.sides.margin)


def test_a_shard_is_of_this_version_and_its_options_may_be_numbered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard = _shards(options={"options": {2: 1, 10: 3}})[0]
    shard.save(tmp_path / "one.npz")
    assert read_shard(tmp_path / "one.npz").options == {"options": {"2": 1, "10": 3}}
    monkeypatch.setattr("graphzsl.audit.shards.__version__", "0.0.1")
    with pytest.raises(DataError, match="damaged, or of another version of graphzsl"):
        read_shard(tmp_path / "one.npz")


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    shards = _shards()

    def refused(*given: Any) -> str:
        with pytest.raises(DataError) as error:
            merged([(f"{place}.npz", each) for place, each in enumerate(given)])
        return str(error.value)

    assert "Of 3 shards is 1 missing: shard '2/3'" in refused(shards[0], shards[2])
    assert "are 2 missing: shards '1/3', '2/3'" in refused(shards[2])
    assert "1.npz and 2.npz are the same shard" in refused(shards[0], shards[2], shards[2])
    other = _shards(options={"missing": "miss"})
    assert "differ in the options (missing: 'miss' and None)" in refused(shards[0], other[1])
    assert "differ in the number of shards (2 and 3)" in refused(shards[0], _shards(2)[1])
    assert "There is no shard" in refused()
    whole = merged([(str(place), each) for place, each in enumerate(reversed(shards))])
    assert whole.predictions.labels == list("abcdabcdab")


def test_damage_is_noticed(tmp_path: Path) -> None:
    """A byte anywhere, the end cut off, arrays of another shard, another file."""
    shards = _shards()
    path = tmp_path / "s.npz"
    shards[0].save(path)
    content = path.read_bytes()
    random = np.random.default_rng(0)
    for place in random.integers(0, len(content), 150).tolist():
        damaged = bytearray(content)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        read = None
        with suppress(DataError):
            read = read_shard(path)
        if read is not None:  # in a place that says nothing, such as the time of an entry
            assert read.shared == shards[0].shared
            assert np.array_equal(read.predictions.rank, shards[0].predictions.rank)
    path.write_bytes(content[:-40])
    with pytest.raises(DataError, match=str(path)):
        read_shard(path)
    with np.load(_saved(shards[0], path)) as first:
        arrays = dict(first)
    for name, value in {
        "rank": arrays["rank"] + 3,
        "top": arrays["top"] + 9,
        "labels": arrays["labels"][:-1],
        "longer": arrays["longer"] + 4,
        "candidates": arrays["candidates"][::-1],
    }.items():
        np.savez(path, **{**arrays, name: value})
        with pytest.raises(DataError, match=r"s.npz is damaged"):
            read_shard(path)
    lists: dict[str, Any] = {
        "bytes": np.array([b"a", b"b", b"c", b"d"]),
        "numbers": np.arange(4),
        "columns": np.array([["a"], ["b"], ["c"], ["d"]]),
        "twice": np.array(["a", "a", "c", "d"]),
        "turned": np.array(["\u202ea", "b", "c", "d"]),
    }
    for name, value in [
        *((name, value) for name in ("candidates", "seen", "classes") for value in lists.values()),
        *((name, np.full(arrays[name].shape, np.nan)) for name in ("top", "rank", "start", "ends")),
        ("margin", np.full(arrays["margin"].shape, "x")),
    ]:
        np.savez(path, **{**arrays, name: value})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(DataError, match=r"s\.npz"):
                read_shard(path)
    np.savez(path, features=np.zeros((2, 2)))
    with pytest.raises(DataError, match="manifest is not in the archive"):
        read_shard(path)


def _saved(shard: Any, path: Path) -> Path:
    shard.save(path)
    return path


def test_joined_ties_are_kept_once() -> None:
    """Every sample of a constant classifier ties the same candidates."""
    scores = np.zeros((6, 30))
    names = [f"c{number:02}" for number in range(30)]
    whole = Predictions.from_scores(scores, names, names[:6])
    parts = [shard_of(whole, Part(number, 3), {}, [], {}).predictions for number in (1, 2, 3)]
    assert len(joined(parts).ties.groups) == 1


def test_the_command_says_what_is_wrong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    model = ("evaluate", "model", "all.safetensors", "--features", "images.npz", "--out", "r.json")
    for wrong, said in {
        "9/8": "is not a part such as 2/8",
        "0/8": "is not a part such as 2/8",
        "1": "is not a part such as 2/8",
    }.items():
        assert said in " ".join(_run(*model, "--shard", wrong, code=2).output.split())
    said = _run(*model, "--shard", "1/500", code=1).output
    assert "of which 32 are scored at once, make at most" in " ".join(said.split())
    said = _run(*model, "--shard", "1/2", "--rounds", "5", code=2).output
    assert "--rounds has no effect here" in said
    said = _run("audit", "scores.npz", "--shard", "1/2", code=2).output
    assert "--shard has no effect here: it needs --out" in said
    said = _run("evaluate", "merge", "scores.npz", "--out", "r.json", code=1).output
    assert "manifest is not in the archive" in said


def test_the_examples_of_the_help_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, file in (("linear", "closest"), ("images.npz", "images.npz"), ("wordnet", "whole")):
        Path(name).symlink_to(folder / file)
    model = ("evaluate", "model", "linear", "--features", "images.npz", "--out", "linear.json")
    for number in (1, 2):
        _run(*model, "--shard", f"{number}/2")
    (words,) = examples("evaluate merge")
    _run(*(file for word in words for file in (sorted(map(str, Path().glob(word))) or [word])))
    assert Path("linear.classes.parquet").exists()
