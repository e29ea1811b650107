"""Files of class embeddings side by side."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.data import EMBEDDINGS, ClassMatrix
from graphzsl.embeddings import join_embeddings, part_names
from graphzsl.sources.wordnet_content import KNOWN_FILES


def _parts() -> dict[str, ClassMatrix]:
    one = {"a": [3.0, 4.0], "b": [0.0, 2.0], "c": [0.0, 0.0]}
    other = {"b": [5.0, 0.0, 0.0], "a": [0.0, 1.0, 0.0], "d": [0.0, 0.0, 9.0]}
    return {
        "one": ClassMatrix.from_rows(one, {"semantics": "glosses", "missing": ["d"]}),
        "other": ClassMatrix.from_rows(other, {"semantics": "hierarchy"}),
    }


def test_parts_are_normalised_and_stand_side_by_side() -> None:
    matrix, dropped = join_embeddings(_parts())
    assert matrix.wnids == ["a", "b"]
    assert matrix.values == pytest.approx(np.array([[0.6, 0.8, 0, 1, 0], [0, 1, 1, 0, 0]]))
    assert dropped == ["d"], "c has a row of zeros, which no part counts"
    said = matrix.metadata
    assert (said["semantics"], said["dimensions"], said["missing"]) == ("joined", 5, ["d"])
    assert said["parts"] == [
        {
            "file": "one",
            "weight": 1.0,
            "dimensions": 2,
            "of": {"kind": EMBEDDINGS, "semantics": "glosses"},
        },
        {
            "file": "other",
            "weight": 1.0,
            "dimensions": 3,
            "of": {"kind": EMBEDDINGS, "semantics": "hierarchy"},
        },
    ]


def test_weights_multiply_their_part() -> None:
    matrix, _ = join_embeddings(_parts(), [2, 0.5])
    assert matrix.values == pytest.approx(np.array([[1.2, 1.6, 0, 0.5, 0], [0, 2, 0.5, 0, 0]]))
    for weights in ([1.0], [1.0, 0.0], [1.0, -1.0], [1.0, np.nan]):
        with pytest.raises(DataError, match="2 parts need as many weights above 0"):
            join_embeddings(_parts(), weights)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1.0, np.inf], "as many weights above 0, not 1.0, inf"),
        ([1e30, 1e30], "Weights lie between 1e-06 and 1e+06"),
        ([1e-300, 1.0], "Weights lie between 1e-06 and 1e+06"),
        ([1.0, 1e-4], "other would count for less than float32 can hold"),
    ],
)
def test_weights_that_would_lose_a_part(weights: list[float], said: str) -> None:
    with pytest.raises(DataError, match=re.escape(said)):
        join_embeddings(_parts(), weights)


NLTK, DEBIAN = KNOWN_FILES["data.noun"]


def _from(name: str, **metadata: object) -> ClassMatrix:
    return ClassMatrix.from_rows({"a": [1.0], "b": [2.0]}, {"semantics": name, **metadata})


def test_parts_of_other_wordnets_are_refused(capfd: pytest.CaptureFixture[str]) -> None:
    """A wnid is an offset into one file; two builds of WordNet 3.0 have the same offsets."""
    one = _from("x", sources={"wordnet": NLTK}, graph={"nodes": "1"})
    other = _from("y", sources={"wordnet": "f" * 64}, graph={"nodes": "1"})
    with pytest.raises(
        DataError, match=f"one and other are of different WordNets .*{NLTK[:12]} and f"
    ):
        join_embeddings({"one": one, "other": other})
    own = _from("own vectors, of no graph")
    same = _from("z", sources={"wordnet": DEBIAN, "populations": "0"}, graph={"nodes": "1"})
    joined, _ = join_embeddings({"own": own, "one": one, "same": same})
    assert capfd.readouterr().err == ""
    with pytest.raises(DataError, match="joined and other are of different WordNets"):
        join_embeddings({"joined": joined, "other": other})
    release = _from("r", sources={"wordnet": NLTK}, graph={"nodes": "2"})
    join_embeddings({"one": one, "release": release})
    said = "one and release are of graphs of different nodes or hierarchies."
    assert said in capfd.readouterr().err


def test_what_a_part_lacks_is_filled_as_said() -> None:
    zero, dropped = join_embeddings(_parts(), fill="zero")
    assert (zero.wnids, dropped) == (["a", "b", "d"], [])
    assert zero.rows(["d"])[0].tolist() == [0, 0, 0, 0, 1]
    assert zero.metadata["filled"] == {"one": ["d"], "other": []}
    mean, _ = join_embeddings(_parts(), [2, 1], fill="mean")
    # the mean of (0.6, 0.8) and (0, 1), times 2
    assert mean.rows(["d"])[0] == pytest.approx([0.6, 1.8, 0, 0, 1])
    with pytest.raises(DataError, match="no filling 'median'"):
        join_embeddings(_parts(), fill="median")


def test_too_little_to_join() -> None:
    parts = _parts()
    with pytest.raises(DataError, match="at least two"):
        join_embeddings({"one": parts["one"]})
    apart = {"one": parts["one"], "d": parts["other"].among({"d"})}
    with pytest.raises(DataError, match="No class has a row in all of the files"):
        join_embeddings(apart)
    empty = {"one": parts["one"], "none": ClassMatrix.from_rows({"a": [0.0]})}
    for fill in (None, "zero", "mean"):
        with pytest.raises(DataError, match="none has no row that is not all zeros"):
            join_embeddings(empty, fill=fill)


def test_parts_are_called_by_their_files() -> None:
    assert part_names([Path("x/a.st"), Path("y/b.st")]) == ["a.st", "b.st"]
    assert part_names([Path("x/a.st"), Path("y/a.st")]) == ["x/a.st", "y/a.st"]
    with pytest.raises(DataError, match=r"x/a\.st is given twice"):
        part_names([Path("x/a.st"), Path("x/a.st")])


def test_the_command_joins_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, part in _parts().items():
        part.save(f"{name}.safetensors")
    files = ("semantics", "join", "one.safetensors", "other.safetensors", "--out", "j.safetensors")
    done = CliRunner().invoke(main, [*files, "--weights", "2,0.5"])
    assert done.exit_code == 0, done.output
    assert "2 class embeddings of 5 numbers in j.safetensors." in done.output
    assert "1 class dropped, which a file lacks (listed in the manifest), e.g. d." in done.output
    read = ClassMatrix.load("j.safetensors", EMBEDDINGS)
    assert np.array_equal(read.values, join_embeddings(_parts(), [2, 0.5])[0].values)
    done = CliRunner().invoke(main, [*files, "--fill", "mean"])
    assert "1 class that one.safetensors lacks: mean stands there, e.g. for d." in done.output
    for wrong in ("1,x", "0,1", "1,inf", ""):
        done = CliRunner().invoke(main, [*files, "--weights", wrong])
        assert (done.exit_code, "numbers above 0, separated by commas" in done.output) == (2, True)
    done = CliRunner().invoke(main, [*files, "--weights", "1"])
    assert (done.exit_code, "as many weights" in done.output) == (1, True)


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({"parts": 5}, "'parts' is 5, not a list"),
        ({"parts": [3]}, "'parts/0' is 3, not an object"),
        ({"parts": [{"of": 4}]}, "'parts/0/of' is 4, not an object"),
        ({"parts": [{"of": {"parts": [{"of": []}]}}]}, "'parts/0/of/parts/0/of' is []"),
        ({"sources": {"wordnet": [1]}}, "'sources/wordnet' is [1], not a text"),
        ({"schema_version": 2}, "was written by a newer version of graphzsl"),
    ],
)
def test_a_file_whose_manifest_is_damaged_is_not_joined(
    tmp_path: Path, metadata: dict[str, object], said: str
) -> None:
    files = [tmp_path / "one.safetensors", tmp_path / "other.safetensors"]
    for path in files:
        _from("x", **metadata).save(path)
    command = ["semantics", "join", *map(str, files), "--out", str(tmp_path / "j.safetensors")]
    done = CliRunner().invoke(main, command)
    assert (done.exit_code, str(files[0]) in done.output) == (1, True), done.output
    assert said in " ".join(done.output.split())
