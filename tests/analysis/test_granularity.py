"""Semantic groups, NDCG and superclasses, on the mini WordNet and the paper's worked example."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from graphzsl.analysis import Shape, draw_superclasses
from graphzsl.analysis.granularity.groups import (
    group,
    naturalness,
    ndcg,
    relevance_of_classes,
    relevance_of_words,
    shuffled,
    translate,
)
from graphzsl.analysis.granularity.superclasses import most_specific, superclasses_at
from graphzsl.common import DataError
from graphzsl.common.errors import SplitError
from graphzsl.hierarchy import Hierarchy
from graphzsl.ilsvrc.papers.printed import table
from tests.mini import MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges())
CLASSES = sorted(wnid for wnid in DAG.wnids if not DAG.descendants(wnid))
NAMES = {row.wnid: row.words[0] for row in MINI.rows}
COUNTS = dict(
    zip(
        MINI.named("dog", "animal", "poodle", "bird", "entity"), (1000, 300, 5, 400, 1), strict=True
    )
)
NATURAL = naturalness(COUNTS, DAG.wnids)


def test_lambda_trades_naturalness_against_distance() -> None:
    toy = MINI["toy_poodle"]
    assert translate(DAG, CLASSES, NATURAL, 0.0) == CLASSES
    for weight in np.linspace(0, 1, 11):
        (head,) = translate(DAG, [toy], NATURAL, float(weight))
        candidates = {
            wnid: DAG.ancestor_distances(DAG.positions([toy]))[0, DAG.index[wnid]] - 1
            for wnid in DAG.ancestors(toy) | {toy}
        }
        value = {
            wnid: weight * NATURAL[DAG.index[wnid]] - (1 - weight) * edges
            for wnid, edges in candidates.items()
        }
        assert value[head] == pytest.approx(max(value.values()))
    assert translate(DAG, [toy], NATURAL, 1.0) == MINI.named("dog")
    with pytest.raises(DataError, match="between 0 and 1"):
        translate(DAG, [toy], NATURAL, 1.5)


def test_fewest_edges_up_follow_the_shortest_way() -> None:
    rows = DAG.ancestor_distances(DAG.positions([MINI["cat"]]))
    assert rows[0, DAG.index[MINI["cat"]]] == 1
    # over domestic animal, not over mammal and chordate
    assert rows[0, DAG.index[MINI["animal"]]] == 1 + 2
    assert rows[0, DAG.index[MINI["dog"]]] == 0


def test_groups_with_the_same_label_are_merged() -> None:
    both = MINI.named("lifting_truck", "crane")
    names = {**NAMES, MINI["lifting_truck"]: "crane"}
    assert group(both, both, names).labels == ["crane"]
    assert len(group(both, both, names, merge=False).labels) == 2


def test_group_scores_are_maxima() -> None:
    groups = group(CLASSES, translate(DAG, CLASSES, NATURAL, 0.8), NAMES)
    assert len(groups.labels) < len(CLASSES)
    scores = np.random.default_rng(0).random((4, len(CLASSES)))
    for number in range(len(groups.labels)):
        assert (
            groups.scores(scores)[:, number].tolist()
            == scores[:, groups.group == number].max(axis=1).tolist()
        )


def test_random_groups_have_the_number_and_the_sizes_of_the_semantic_ones() -> None:
    names = {**NAMES, MINI["lifting_truck"]: "crane", MINI["bird"]: "dog"}
    for weight in (0.5, 0.8, 1.0):
        heads = translate(DAG, CLASSES, NATURAL, weight)
        semantic = group(CLASSES, heads, names)
        control = group(CLASSES, shuffled(heads, 1), names)
        assert len(semantic.labels) < len(set(heads)), "labels merge groups"
        assert control.labels == semantic.labels
        assert control.sizes.tolist() == semantic.sizes.tolist()
        assert control.group.tolist() != semantic.group.tolist()


def test_random_groups_are_the_semantic_ones_where_no_class_has_moved() -> None:
    """Table 1 of Wang et al. prints .3450 for both at λ = 0 and 0.1, where 1,372 classes are 1,294
    groups: classes with the same first word share a group in the control too."""
    names = {**NAMES, MINI["lifting_truck"]: "crane"}
    heads = translate(DAG, CLASSES, NATURAL, 0.0)
    semantic = group(CLASSES, heads, names)
    assert len(semantic.labels) == len(CLASSES) - 1
    for seed in range(5):
        control = group(CLASSES, shuffled(heads, seed), names)
        assert control.group.tolist() == semantic.group.tolist()
    (first, *_) = table("poodle-table-1").rows()
    assert first["semantic"] == first["random"]


def test_a_class_alone_in_both_groupings_keeps_its_label() -> None:
    heads = ["a", "b", "c", "x", "x", "y", "y", "y"]
    drawn = {tuple(shuffled(heads, seed)) for seed in range(200)}
    assert len(drawn) > 100
    for one in drawn:
        assert sorted(one) == sorted(heads)
        assert all(one[place] == head for place, head in enumerate("abc") if one[place] in "abc")
    assert {one[3] for one in drawn} == set("abcxy")


def test_fewer_groups_as_lambda_grows() -> None:
    sizes = [
        len(group(CLASSES, translate(DAG, CLASSES, NATURAL, weight / 10), NAMES).labels)
        for weight in range(11)
    ]
    assert sizes == sorted(sizes, reverse=True)


def test_the_paper_is_credited_to_its_authors() -> None:
    """Semantic groups are by Wang, Yan, Aker and Gaizauskas (2014), wherever a file names them."""
    root = Path(__file__).parents[2]
    files = [
        path
        for folder in ("graphzsl", "cypher", "docs")
        for path in (root / folder).rglob("*")
        if path.suffix in {".py", ".cypher", ".md"}
    ]
    naming = {f"{path.parent.name}/{path.name}": path.read_text(encoding="utf-8") for path in files}
    assert not [name for name, text in naming.items() if "Mathews" in text]
    for name in (
        "granularity/groups.py",
        "granularity/group.py",
        "granularity/levels_above.cypher",
        "granularity/naturalness.cypher",
        "docs/analysis.md",
    ):
        assert re.search("Wang.* 2014", naming[name]), name


#: Figure 1 of Wang et al. 2014: λ -> (groups, rank of dog, of sidewalk, of road, printed score).
#: The first two ranks can be read off the lists, road's is below them.
FIGURE_1 = {
    0.0: (1294, 17, 20, 255, 0.241),
    0.3: (1105, 3, 17, 255, 0.480),
    0.5: (817, 1, 7, 255, 0.941),
    0.8: (474, 1, 6, 174, 0.943),
    1.0: (368, 1, 6, 127, 0.944),
}


@pytest.mark.parametrize("weight", FIGURE_1)
def test_ndcg_of_the_papers_example(weight: float) -> None:
    """The gold standard is dog 5, road 2, pavement (its group is called sidewalk) 1, street 1.

    Equation 4: gains 2^R − 1 are 31, 3, 1, 1, so IDCG = 31/log₂2 + 3/log₂3 + 1/log₂4 + 1/log₂5 =
    33.823. Road and street are below the printed part of the lists. Two ranks, 255 and 256, the
    same for the first three λ, give their printed scores to the last digit; at 0.8 and 1.0, where
    there are fewer groups, both stand higher. What is printed alone gives all five to 0.02.
    """
    groups, dog, sidewalk, road, printed = FIGURE_1[weight]
    ideal = 31 + 3 / np.log2(3) + 1 / 2 + 1 / np.log2(5)
    assert ideal == pytest.approx(33.8235, abs=1e-4)
    relevance = np.zeros((1, groups))
    (
        relevance[0, dog - 1],
        relevance[0, sidewalk - 1],
        relevance[0, road - 1],
        relevance[0, road],
    ) = (
        5,
        1,
        2,
        1,
    )
    value, left_out = ndcg(-np.arange(float(groups))[None], relevance)
    known = 31 / np.log2(1 + dog) + 1 / np.log2(1 + sidewalk)
    assert known / ideal == pytest.approx(printed, abs=0.02)
    gain = known + 3 / np.log2(1 + road) + 1 / np.log2(2 + road)
    assert value == pytest.approx(gain / ideal)
    assert value == pytest.approx(printed, abs=5e-4)
    assert left_out == 0


def test_ndcg_stops_at_k_and_its_ideal_too() -> None:
    """Ranks 1, 2, 3 hold relevances 1, 0, 2: (1 + 3/2) / (3 + 1/log₂3) for all of them, 1 / (3 +
    1/log₂3) for k = 2."""
    scores, relevance = np.array([[0.9, 0.5, 0.1]]), np.array([[1.0, 0, 2]])
    ideal = 3 + 1 / np.log2(3)
    assert ndcg(scores, relevance)[0] == pytest.approx(2.5 / ideal)
    assert ndcg(scores, relevance, k=2)[0] == pytest.approx(1 / ideal)


def test_ndcg_counts_ties_against_the_ranking_and_leaves_out_what_has_nothing_relevant() -> None:
    scores, relevance = np.zeros((2, 3)), np.array([[1.0, 0, 0], [0, 0, 0]])
    assert ndcg(scores, relevance) == (pytest.approx(1 / np.log2(4)), 1)
    assert ndcg(scores, relevance, k=1) == (0.0, 1)
    with pytest.raises(DataError, match="relevant"):
        ndcg(scores, np.zeros((2, 3)))


def test_words_give_their_relevance_to_the_groups_they_match() -> None:
    classes = MINI.named("crane", "lifting_truck", "tabby", "siamese")
    groups = group(classes, MINI.named("crane", "lifting_truck", "cat", "cat"), NAMES)
    words = {row.wnid: row.words for row in MINI.rows}
    found = relevance_of_words(groups, words, [{"Crane": 4, "tabby": 1, "siamese": 3, "road": 5}])
    by_label = dict(zip(groups.labels, found[0], strict=True))
    assert by_label == {"cat": 3, "crane": 2, "lifting truck": 2}  # crane names both: half each
    assert relevance_of_classes(groups, [classes[3]])[0].tolist() == [1, 0, 0]
    with pytest.raises(DataError, match="not among"):
        relevance_of_classes(groups, ["n00000000"])


def test_superclasses_of_a_level_by_hand() -> None:
    """Below r are a (p and q, two classes each) and b (two classes): level 1 is a, then b; level 2
    is p and q."""
    tree = {"r": "ab", "a": "pq", "b": ["b1", "b2"], "p": ["p1", "p2"], "q": ["q1", "q2"]}
    hierarchy = Hierarchy.from_edges(
        [(child, parent) for parent, children in tree.items() for child in children]
    )
    classes = ["b1", "b2", "p1", "p2", "q1", "q2"]
    assert list(superclasses_at(hierarchy, classes, "r", 1, 2).items()) == [
        ("a", classes[2:]),
        ("b", classes[:2]),
    ]
    assert superclasses_at(hierarchy, classes, "r", 2, 2) == {"p": ["p1", "p2"], "q": ["q1", "q2"]}
    assert superclasses_at(hierarchy, classes, "r", 1, 3) == {"a": classes[2:]}


def test_superclasses_are_disjoint_and_large_enough() -> None:
    for level in range(1, 8):
        found = superclasses_at(DAG, CLASSES, "n00001740", level, 2)
        taken = [wnid for members in found.values() for wnid in members]
        assert len(taken) == len(set(taken))
        assert all(
            set(members) <= DAG.descendants(wnid) and len(members) >= 2
            for wnid, members in found.items()
        )
    specific = most_specific(DAG, CLASSES, "n00001740", 2)
    assert MINI["dog"] not in specific  # poodle has two classes of its own
    assert MINI["poodle"] in specific
    drawn = draw_superclasses(DAG, CLASSES, Shape(MINI["animal"], 3, 2), seed=3)
    assert drawn == draw_superclasses(DAG, CLASSES, Shape(MINI["animal"], 3, 2), seed=3)
    for row in drawn:
        assert (len(row.source), len(row.target)) == (1, 1)
        assert sorted(row.source + row.target) == row.classes
    with pytest.raises(SplitError, match="disjoint superclasses"):
        draw_superclasses(DAG, CLASSES, Shape(MINI["animal"], 3, 20))
    with pytest.raises(SplitError, match="is below"):
        superclasses_at(DAG, MINI.named("oak"), MINI["animal"], 1, 1)
