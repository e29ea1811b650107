"""Texts of word vectors as they are published: words with blanks, prefixes, packed files."""

from __future__ import annotations

import gzip
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

from graphzsl.common import DataError
from graphzsl.data import read_vectors
from graphzsl.data.word_vectors import word_vector

DOG, CAT = [0.25, 0.5, -1.25], [-0.75, 0.125, 2.0]
ROWS = "dog 0.25 0.5 -1.25\ncat -0.75 0.125 2.0\n"


def check(path: Path) -> None:
    vectors = read_vectors(path)
    for word, expected in (("dog", DOG), ("cat", CAT)):
        found = word_vector(vectors, word)
        assert found is not None
        assert found.tolist() == expected


def test_words_with_blanks(tmp_path: Path) -> None:
    """GloVe 840B has 1,000 such words; the numbers at the end of a line are the vector."""
    path = tmp_path / "glove.840B.txt"
    lines = ROWS.splitlines()
    path.write_text(f"{lines[0]}\n. . . 1 2 3\nat name@domain.com 4 5 6\n{lines[1]}\n")
    check(path)
    assert read_vectors(path)[". . ."].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("cat 1 2", "line 3 has 2 numbers behind 'cat', others have 3"),
        ("cat 1 2 x", "line 3: 'cat' has what is no number"),
        ("cat 1 2 inf", "the vector of 'cat' has a number that is not finite"),
        ("cat 1 2 1e300", "the vector of 'cat' has a number that is not finite"),
    ],
)
def test_a_line_of_other_numbers_is_refused(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "v.txt"
    path.write_text(f"dog 1 2 3\na b 1 2 3\n{line}\n")
    with pytest.raises(DataError, match=said):
        read_vectors(path)


def test_a_text_that_ends_before_its_header_says_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text(f"3 3\n{ROWS}")
    with pytest.raises(DataError, match="it has 2 rows of 3 numbers, its header promises 3"):
        read_vectors(path)


def test_texts_are_read_as_gensim_reads_them(tmp_path: Path) -> None:
    """Bit by bit, whatever the size of a number."""
    models = pytest.importorskip("gensim.models")
    random = np.random.default_rng(0)
    rows = random.standard_normal((50, 7)) * 10.0 ** random.integers(-9, 9, (50, 7))
    path = tmp_path / "v.txt"
    path.write_text(
        "".join(f"w{n} {' '.join(map(repr, row))}\n" for n, row in enumerate(rows.tolist()))
    )
    theirs = models.KeyedVectors.load_word2vec_format(str(path), binary=False, no_header=True)
    ours = read_vectors(path)
    assert ours.index_to_key == theirs.index_to_key
    assert np.array_equal(ours.vectors, theirs.vectors)
    assert ours.most_similar("w7", topn=1) == theirs.most_similar("w7", topn=1)


def test_english_words_of_numberbatch(tmp_path: Path) -> None:
    path = tmp_path / "numberbatch.txt"
    english = "".join(f"/c/en/{line}\n" for line in ROWS.splitlines())
    path.write_text(f"3 3\n{english}/c/de/hund 1 2 3\n")
    check(path)


def test_packed_vectors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows of a packed file are not counted as lines of it."""
    path = tmp_path / "g.txt.gz"
    path.write_bytes(gzip.compress(ROWS.encode()))
    check(path)
    assert not capsys.readouterr().err
    path.write_bytes(gzip.compress(ROWS.encode())[:-12])
    with pytest.raises(DataError, match=r"neither word2vec .*\(Compressed file ended before"):
        read_vectors(path)
    with zipfile.ZipFile(tmp_path / "g.zip", "w") as file:
        file.writestr("g.txt", ROWS)
    with pytest.raises(DataError, match=r"g\.zip is a ZIP archive: unpack it"):
        read_vectors(tmp_path / "g.zip")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("2 3\ncaf\xe9 1 2 3\ncaf\xe8 4 5 6\n".encode("latin-1"), "can't decode byte 0xe9"),
        (b"2 3\na 1 2 3\nb 4 5 6\nc 7 8 9\n", "it has 3 rows of 3 numbers, its header promises 2"),
        (b"0 3\n", "promises 0 vectors"),
        (b"-1 3\na 1 2 3\n", "promises -1 vectors"),
        (b"3 3\na 1 2 3\na x y z\nb 7 8 9\n", "line 3: 'a' has what is no number"),
        (b"x " * 60 + b"\n" + b"a\n" * 200, "201 rows of 59 numbers need more than"),
    ],
    ids=["latin-1", "more rows", "no rows", "fewer than none", "no number", "wide"],
)
def test_texts_that_are_no_vectors(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "v.txt").write_bytes(content)
    with pytest.raises(DataError, match=re.escape(said)):
        read_vectors(tmp_path / "v.txt")


def test_blank_lines_and_folders(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("2 3\na 1 2 3\nb 4 5 6\n\n")
    assert read_vectors(tmp_path / "v.txt").index_to_key == ["a", "b"]
    with pytest.raises(DataError, match="cannot be read"):
        read_vectors(tmp_path)
