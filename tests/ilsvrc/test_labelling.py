"""Audits, costs, merged classes, lists and queries: by hand on the mini WordNet, and what is
published about WordNet 3.0."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy
from graphzsl.ilsvrc import (
    audit_sample,
    classes_below,
    inherited,
    list_changes,
    merge_classes,
    plan_of,
    plan_rows,
    scene_queries,
)
from graphzsl.ilsvrc.labelling.cost import Plan
from graphzsl.ilsvrc.labelling.merging import LEFT_OUT, OUTSIDE, TOO_LARGE, incomplete_images
from graphzsl.sources import read_labels
from graphzsl.sources.imagenet import listed_classes
from tests.mini import MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges(), names={row.wnid: row.name for row in MINI.rows})


@pytest.fixture(scope="module")
def wordnet() -> Hierarchy:
    return Hierarchy.load()


# audits


def test_classes_below_a_synset_by_the_shortest_way_down() -> None:
    classes = MINI.named("animal", "dog", "poodle", "toy_poodle", "bee", "oak", "zebra")
    found = classes_below(DAG, MINI.named("animal", "dog"), classes)
    # dog is below domestic animal and below mammal; a class is below the first root alone
    assert {each.wnid: (each.root, each.depth) for each in found} == {
        MINI[name]: (MINI["animal"], depth)
        for name, depth in (
            ("animal", 0),
            ("dog", 2),
            ("bee", 2),
            ("poodle", 3),
            ("zebra", 3),
            ("toy_poodle", 4),
        )
    }
    assert [each.depth for each in found] == [0, 2, 2, 3, 3, 4]
    with pytest.raises(DataError, match=r"None of the 7 classes is at or below .*\(garment"):
        classes_below(DAG, MINI.named("garment"), classes)


def test_a_sample_is_spread_over_depths() -> None:
    below = classes_below(DAG, MINI.named("animal", "artifact"), MINI.universe())
    there = Counter((each.root, each.depth) for each in below)
    assert list(there.values()) == [1, 2, 7, 14, 7, 3, 6, 5]
    drawn = audit_sample(below, 16)
    assert len(set(drawn)) == 16
    # one of each, a second of all but the first, and one is left for the first that has a third
    got = Counter((each.root, each.depth) for each in drawn)
    assert [got[at] for at in there] == [1, 2, 3, 2, 2, 2, 2, 2]
    assert drawn == audit_sample(below, 16)
    assert set(drawn) != set(audit_sample(below, 16, seed=1))
    everything = audit_sample(below, 1000)
    assert everything == below
    by_depth = Counter((each.root, each.depth) for each in audit_sample(below, 3, per_depth=True))
    assert by_depth == Counter({at: min(3, size) for at, size in there.items()})
    with pytest.raises(DataError, match="2 classes cannot be of 8 depths"):
        audit_sample(below, 2)


def test_the_audited_subtrees_of_imagenet(wordnet: Hierarchy) -> None:
    """Fall 2011 has 1,138 classes at or below mammal, at depths to 9, and 481 vehicles, to 7."""
    roots = [wordnet.wnid(name) for name in ("mammal.n.01", "vehicle.n.01")]
    found = classes_below(wordnet, roots, listed_classes("imagenet-fall11"))
    assert [sum(each.root == root for each in found) for root in roots] == [1138, 481]
    assert [max(each.depth for each in found if each.root == root) for root in roots] == [9, 7]
    drawn = audit_sample(found, 80)
    assert len(drawn) == 80
    assert {(each.root, each.depth) for each in drawn} == {(e.root, e.depth) for e in found}


# costs


def test_every_label_costs_eighty_times_one() -> None:
    """Section 3.3.3: 60,000 images of 200 labels against 150,000 of one."""
    every, one = plan_rows([plan_of("60000x200"), plan_of("150000×1")])
    assert (every["questions"], every["times"]) == (12_000_000, 80)
    assert (one["questions"], one["times"]) == (150_000, 1)
    (timed,) = plan_rows([Plan(3600, 2.5)], votes=3, seconds=2)
    assert (timed["questions"], timed["hours"]) == (27_000, 15)
    for wrong in ("60000", "x", "0x5", "5x-1", "5xnan", "1.5x2", "1_0x2", "٣x2", "10x2_0"):
        with pytest.raises(DataError, match="is not a plan"):
            plan_of(wrong)


# merged classes

FINE = MINI.named("toy_poodle", "beagle", "tabby", "car", "sports_car", "oak", "laptop")


def test_fine_classes_go_to_the_nearest_class_above() -> None:
    into = MINI.named("dog", "cat", "car", "monitor", "animal")
    scale = dict(zip(MINI.named("beagle", "tabby"), (0.6, 0.5), strict=True))
    merged = merge_classes(DAG, FINE, into, scale, without=MINI.named("laptop", "beagle"))
    assert {each.wnid: (each.into, each.reason) for each in merged.classes} == {
        MINI["toy_poodle"]: (MINI["dog"], None),
        MINI["beagle"]: (None, TOO_LARGE),
        MINI["tabby"]: (MINI["cat"], None),
        MINI["car"]: (MINI["car"], None),
        MINI["sports_car"]: (MINI["car"], None),
        MINI["oak"]: (None, OUTSIDE),
        MINI["laptop"]: (None, LEFT_OUT),
    }
    assert merged.overlapping == MINI.named("dog", "cat")
    # car is a class itself, dog and cat are above one; nothing goes to monitor and animal
    assert merged.counts() == {
        "classes": 7,
        "too_large": 1,
        "left_out": 1,
        "outside": 1,
        "merged": 4,
        "into": 5,
        "same": 1,
        "above": 2,
        "without": 2,
        "consistent": False,
        "disjoint": False,
    }
    assert merged.members()[MINI["car"]] == MINI.named("car", "sports_car")
    with pytest.raises(DataError, match="from 0 to 1"):
        merge_classes(DAG, FINE, into, {FINE[0]: 60.0})
    with pytest.raises(DataError, match="is to be left out, but is not among the 7 classes"):
        merge_classes(DAG, FINE, into, without=MINI.named("king"))


def test_the_detection_classes_are_classes_or_above_them(wordnet: Hierarchy) -> None:
    """Sections 3.3.1 and 6.3.4: 200 classes without overlap, each a class of the 1,000 or above
    one. The paper has 494 fine classes before merging; 483 are at or below one of the 200."""
    train, detection = (listed_classes(name) for name in ("ilsvrc2012", "ilsvrc-detection"))
    counts = merge_classes(wordnet, train, detection).counts()
    assert (counts["same"], counts["above"], counts["without"]) == (150, 50, 0)
    assert (counts["consistent"], counts["disjoint"]) == (True, True)
    assert (counts["merged"], counts["outside"]) == (483, 517)
    # every one inherits a value (section 6.3.4)
    values = inherited(wordnet, dict.fromkeys(train, 1.0))
    assert all(values[wnid][0] == 1 for wnid in detection)
    # no class of the 1,000 is above a detection class, so that none is merged by halves
    own = set(train)
    assert not any(wordnet.ancestors(wnid) & own for wnid in detection)


def test_images_of_merged_classes_are_annotated_again() -> None:
    into_of = {MINI[fine]: MINI["dog"] for fine in ("toy_poodle", "beagle", "dog")}
    labels = [
        ("a", MINI["beagle"]),
        ("b", MINI["dog"]),  # all dogs are annotated
        ("c", MINI["beagle"]),
        ("c", MINI["dog"]),
        ("d", MINI["toy_poodle"]),
        ("d", MINI["beagle"]),
        ("d", MINI["beagle"]),
        ("e", MINI["oak"]),
    ]
    found = incomplete_images(labels, into_of)
    assert [(each.image, each.into, each.annotated) for each in found] == [
        ("a", MINI["dog"], [MINI["beagle"]]),
        ("d", MINI["dog"], sorted(MINI.named("toy_poodle", "beagle"))),
    ]


def test_images_of_simulated_annotations_say_so(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    for cell in ("yes", "no"):
        path.write_text(f"image,class,simulated\na,{MINI['beagle']},{cell}\n")
        (found,) = incomplete_images(read_labels(path), {MINI["beagle"]: MINI["dog"]})
        assert (found.image, found.simulated) == ("a", cell == "yes")


# lists and queries


def test_lists_change_from_year_to_year() -> None:
    rows = list_changes({"2010": "abcd", "2011": "bcde", "2012": "cdef"})
    assert rows == [
        {"from": "2010", "to": "2011", "kept": ["b", "c", "d"], "gone": ["a"], "new": ["e"]},
        {"from": "2011", "to": "2012", "kept": ["c", "d", "e"], "gone": ["b"], "new": ["f"]},
        {"from": "2010", "to": "2012", "kept": ["c", "d"], "gone": None, "new": None},
    ]
    assert len(list_changes({"1": "a", "2": "b"})) == 1
    with pytest.raises(DataError, match="two lists"):
        list_changes({"2010": "a"})


def test_printed_changes_of_the_lists_fit_together() -> None:
    """Section 3.1.1: of 1,000 classes 321 changed after 2010 and 90 after 2011, and 639 are in all
    years. Lists of which all this is true: 40 of the 90 were there from 2010 on."""
    first, second = ([f"{year}-{number:03}" for number in range(321)] for year in (10, 11))
    always = [f"always-{number:03}" for number in range(679)]
    third = [*always[40:], *second[50:], *(f"12-{number:02}" for number in range(90))]
    lists = {"2010": [*first, *always], "2011": [*second, *always], "2012": third}
    assert {name: len(wnids) for name, wnids in lists.items()} == dict.fromkeys(lists, 1000)
    one, other, whole = list_changes(lists)
    assert (one["kept"], one["gone"], one["new"]) == (always, first, second)
    assert (len(other["gone"]), len(other["new"])) == (90, 90)
    assert (len(whole["kept"]), whole["gone"], whole["new"]) == (639, None, None)


def test_queries_are_pairs_of_names() -> None:
    words = {"a": "tiger", "b": "lion", "c": "water bottle"}
    every = scene_queries(words)
    assert [row["query"] for row in every] == [
        "tiger lion",
        "tiger water bottle",
        "lion water bottle",
    ]
    assert every[2]["wnids"] == ["b", "c"]
    drawn = scene_queries(words, 2, seed=3)
    assert len(drawn) == 2
    assert [row for row in every if row in drawn] == drawn
    assert len(scene_queries(dict.fromkeys(map(str, range(200)), "x"))) == 19_900
    with pytest.raises(DataError, match="3 classes have 3 pairs, fewer than 4"):
        scene_queries(words, 4)
    with pytest.raises(DataError, match="two classes or more"):
        scene_queries({"a": "tiger"})
