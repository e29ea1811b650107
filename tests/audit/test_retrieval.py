"""DeViSE's word-level retrieval, by hand and against its plain form."""

from __future__ import annotations

import numpy as np
import pytest

from graphzsl.audit import Terms, as_predictions, retrieve
from graphzsl.audit.evaluate import evaluate
from graphzsl.audit.evaluation_options import EvaluationOptions as Options
from graphzsl.common import DataError
from tests.problems import mini_subgraph

#: crane names two synsets; bird and lift are others
TERMS = Terms(
    ["crane", "bird", "lift", "dog"],
    np.array([[1, 0], [0.9, 0.1], [0.5, 0.5], [0, 1]], np.float32),
    [["n1", "n2"], ["n1", "n3"], ["n2"], ["n4"]],
)


def test_words_are_expanded_to_synsets_in_order() -> None:
    queries = np.array([[2.0, 0], [0, 3.0]], np.float32)
    assert retrieve(queries, TERMS, 3) == [["n1", "n2", "n3"], ["n4", "n2", "n1"]]
    assert retrieve(queries, TERMS, 1) == [["n1"], ["n4"]]
    assert retrieve(queries, TERMS, 10) == [
        ["n1", "n2", "n3", "n4"],
        ["n4", "n2", "n1", "n3"],
    ], "no words are left"


def test_strict_keeps_four_words_a_place() -> None:
    words = [f"w{number}" for number in range(12)]
    vectors = np.stack([[1, number / 10] for number in range(12)]).astype(np.float32)
    terms = Terms(words, vectors, [["a"]] * 8 + [["b"], ["c"], ["d"], ["e"]])
    query = np.array([[1.0, 0.0]], np.float32)
    assert retrieve(query, terms, 2, strict=True) == [["a"]], "the first 8 words name one synset"
    assert retrieve(query, terms, 2) == [["a", "b"]], "N doubles"


def test_strict_takes_all_four_words_a_place() -> None:
    """k = 2 takes 8 words: the eighth is the first that names another synset."""
    words = [f"w{number}" for number in range(9)]
    vectors = np.stack([[1, number / 10] for number in range(9)]).astype(np.float32)
    terms = Terms(words, vectors, [["a"]] * 7 + [["b"], ["c"]])
    assert retrieve(np.array([[1.0, 0.0]], np.float32), terms, 2, strict=True) == [["a", "b"]]


def test_one_random_synset_a_word() -> None:
    query = np.repeat(np.array([[1.0, 0]], np.float32), 200, axis=0)
    lists = retrieve(query, TERMS, 1, expand="one", seed=3)
    firsts = {found[0] for found in lists}
    assert firsts == {"n1", "n2"}
    assert lists == retrieve(query, TERMS, 1, expand="one", seed=3)
    with pytest.raises(DataError, match="expand is all or one"):
        retrieve(query, TERMS, 1, expand="some")
    with pytest.raises(DataError, match="Query vectors of 3 dimensions"):
        retrieve(np.ones((1, 3), np.float32), TERMS, 1)


def test_terms_come_from_the_words_of_the_candidates() -> None:
    graph = mini_subgraph()
    candidates = graph.wnids[:20]
    words = {word for wnid in candidates for word in graph.words[graph.index[wnid]]}
    vectors = {word.lower(): np.array([len(word), 1.0]) for word in sorted(words)[::2]}
    terms = Terms.from_graph(graph, vectors, candidates)
    assert {word.lower() for word in terms.words} <= set(vectors)
    for word, synsets in zip(terms.words, terms.synsets, strict=True):
        assert synsets == [
            wnid for wnid in sorted(candidates) if word in graph.words[graph.index[wnid]]
        ]
    with pytest.raises(DataError, match="No word of the candidates"):
        Terms.from_graph(graph, {}, candidates)


def test_lists_are_evaluated() -> None:
    found = as_predictions([["n1", "n2"], ["n4"]], ["n2", "n1"], ["n1", "n2", "n3", "n4"], 2)
    assert found.rank.tolist() == [2, 3]
    result = evaluate(found, Options(rounds=10))["metrics"]
    assert (result["hit@1"]["per_class"], result["hit@2"]["per_class"]) == (0, 0.5)
    assert "hit@5" not in result


def test_lists_with_training_classes_are_evaluated_on_both_sides() -> None:
    lists, labels = [["n1", "n2"], ["n4"], ["n3"], ["n2", "n1"]], ["n1", "n4", "n4", "n1"]
    found = as_predictions(lists, labels, ["n1", "n2", "n3", "n4"], 2, seen=["n0", "n3", "n4"])
    assert found.seen == ["n3", "n4"], "n0 is not a candidate"
    result = evaluate(found, Options(rounds=10))
    assert result["samples"] == 2
    assert result["generalized"]["hit@1"]["per_class"] == {"ts": 0.5, "tr": 0.5, "h": 0.5}
    assert result["generalized"]["hit@2"]["per_class"] == {
        "ts": 1,
        "tr": 0.5,
        "h": pytest.approx(2 / 3),
    }


def test_lists_are_cut_at_k_and_k_at_the_places_that_are_kept() -> None:
    classes = [f"c{number:02}" for number in range(40)]
    found = as_predictions([classes, classes[::-1]], ["c02", "c39"], classes, 2)
    assert found.top.tolist() == [[0, 1], [39, 38]]
    assert found.rank.tolist() == [3, 1], "a miss stands behind the list"
    with pytest.raises(DataError, match="k is at most 20, the places that are kept of a sample"):
        as_predictions([classes], ["c24"], classes, 30)
