"""The nearest words of a word, by a loop over all of them, and from files and the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.data import open_vectors
from graphzsl.embeddings import nearest_words, neighbours

RANDOM = np.random.default_rng(7)
WORDS = [f"w{number}" for number in range(30)]
VALUES = RANDOM.normal(size=(30, 6)).astype(np.float32)
VALUES[3] = 0
#: As near to w1 as w5 is.
VALUES[9] = VALUES[5] * 2


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    rows = zip(WORDS, VALUES, strict=True)
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows))
    return path


def test_neighbours_are_those_of_a_loop(vectors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gensim")
    monkeypatch.setattr(neighbours, "_BLOCK", 7)
    rows = nearest_words(open_vectors(vectors), ["w1", "w20"], k=8)
    assert len(rows) == 2 * 9
    for word in ("w1", "w20"):
        own = VALUES[WORDS.index(word)]
        similar = {
            other: float(own @ row / np.linalg.norm(own) / np.linalg.norm(row))
            for other, row in zip(WORDS, VALUES, strict=True)
            if other not in (word, "w3")
        }
        expected = sorted(
            similar, key=lambda other: (-round(similar[other], 5), WORDS.index(other))
        )
        listed = [row for row in rows if row["word"] == word]
        assert [row["neighbour"] for row in listed] == [word, *expected[:8]]
        assert [row["rank"] for row in listed] == list(range(9))
        assert [row["similarity"] for row in listed[1:]] == pytest.approx(
            [similar[other] for other in expected[:8]], abs=1e-6
        )


def test_equal_similarity_keeps_the_order_of_the_file(vectors: Path) -> None:
    pytest.importorskip("gensim")
    rows = nearest_words(open_vectors(vectors), ["w1"], k=28)
    order = [row["neighbour"] for row in rows]
    assert order.index("w9") == order.index("w5") + 1
    assert nearest_words(open_vectors(vectors), ["w1"], k=29)[-1]["neighbour"] == "w3", "no length"


def test_many_words_of_one_vector_keep_their_order(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    path = tmp_path / "same.txt"
    # every third word is as near, in three steps
    words = [(f"w{number}", 1 + number * 7 % 3) for number in range(600)]
    path.write_text("dog 1 0\n" + "".join(f"{word} 1 {far}\n" for word, far in words))
    rows = nearest_words(open_vectors(path), ["dog"], k=500)
    expected = [word for word, _ in sorted(words, key=lambda each: each[1])][:500]
    assert [row["neighbour"] for row in rows] == ["dog", *expected]


def test_a_word_has_100_neighbours_unless_said_otherwise(tmp_path: Path) -> None:
    """As in figure 4 of the paper: 100 and the word itself."""
    pytest.importorskip("gensim")
    path = tmp_path / "many.txt"
    rows = np.random.default_rng(0).normal(size=(120, 3))
    path.write_text("".join(f"v{n} {' '.join(map(str, row))}\n" for n, row in enumerate(rows)))
    assert len(nearest_words(open_vectors(path), ["v0"])) == 101
    done = CliRunner().invoke(
        main,
        ["study", "words", "neighbours", "v0", "v1", "--vectors", str(path), "--format", "jsonl"],
    )
    assert done.exit_code == 0, done.output
    assert len(done.stdout.splitlines()) == 2 * 101


def test_the_plane_holds_what_it_can_of_the_distances(vectors: Path) -> None:
    """No plane through the mean leaves less of the unit vectors' squared lengths out: compared with
    the eigenvalues of their covariance."""
    pytest.importorskip("gensim")
    rows = nearest_words(open_vectors(vectors), ["w1", "w20"], k=10)
    units = np.stack([VALUES[WORDS.index(row["neighbour"])] for row in rows]).astype(float)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    eigenvalues = np.linalg.eigvalsh(np.cov(units.T))[::-1]
    places = np.array([(row["x"], row["y"]) for row in rows])
    assert np.var(places, axis=0, ddof=1) == pytest.approx(eigenvalues[:2], rel=1e-4)
    assert np.cov(places.T)[0, 1] == pytest.approx(0, abs=1e-6)
    assert (places[np.argmax(np.abs(places), axis=0), [0, 1]] > 0).all()


@pytest.mark.parametrize(
    ("words", "k", "message"),
    [
        (["w1", "w200"], 5, r"'w200' has no word vector\. Did you mean w20"),
        (["w3"], 5, "'w3' has no word vector"),
        (["w1", "w2", "w1"], 5, "The word 'w1' is there twice"),
        (["w1"], 30, "There are 30 words: k is between 1 and 29"),
        (["w1"], 0, "k is between 1 and 29"),
    ],
)
def test_what_is_wrong_is_named(vectors: Path, words: list[str], k: int, message: str) -> None:
    pytest.importorskip("gensim")
    with pytest.raises(DataError, match=message):
        nearest_words(open_vectors(vectors), words, k)


def test_the_command_draws_a_picture(vectors: Path, tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    pytest.importorskip("matplotlib")
    options = ("w1", "w20", "--vectors", str(vectors), "-k", "5", "--format", "jsonl")
    for name in ("a.svg", "b.svg"):
        done = CliRunner().invoke(
            main, ["study", "words", "neighbours", *options, "--figure", str(tmp_path / name)]
        )
        assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows == nearest_words(open_vectors(vectors), ["w1", "w20"], 5)
    drawn = (tmp_path / "a.svg").read_text()
    assert drawn == (tmp_path / "b.svg").read_text()
    # 6 marks of each word, and one of each in the legend
    assert drawn.count('<use xlink:href="#') >= 14
    wrong = CliRunner().invoke(
        main, ["study", "words", "neighbours", "w1", *options[2:4], "-k", "99"]
    )
    assert "k is between 1 and 29 (-k 99)." in wrong.stderr
    assert wrong.exit_code == 1
