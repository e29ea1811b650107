"""Folders and labels by wnid, class number or name, as candidates."""

from __future__ import annotations

import pytest

from graphzsl.clip import LabelReader
from graphzsl.common import DataError
from tests.clip.conftest import BIRD, CAR, CAT, CLASSES, DOG

NAMES = dict(zip(CLASSES, ["hound", "house cat", "bird", "car"], strict=True))


@pytest.mark.parametrize(
    ("labels", "meant", "language"),
    [
        ([BIRD, DOG], [BIRD, DOG], "wnids"),
        (["3", "0"], [CAR, DOG], "class numbers"),
        (["hound", "House_Cat"], [DOG, CAT], "names"),  # as the prompts call them
        (["dog", "cat.n.01"], [DOG, CAT], "names"),  # as WordNet does
        (["automobile", BIRD], [CAR, BIRD], "names"),
    ],
)
def test_the_language_of_labels(
    labels: list[str], meant: list[str], language: str, capfd: pytest.CaptureFixture[str]
) -> None:
    reader = LabelReader(CLASSES, NAMES, "val")
    reader.learn(labels)
    assert [reader.of(label) for label in labels] == meant
    assert reader.language == language
    assert f"2 classes of val read as {language}" in capfd.readouterr().err


def test_own_names_need_no_wordnet() -> None:
    reader = LabelReader(["widget", "gadget"], {"widget": "a big widget"}, "val")
    reader.learn(["gadget", "widget"])
    assert reader.of("widget") == "widget"
    with pytest.raises(DataError, match=r"1 class of 2, e\.g\. 'gizmo', are not among the 2"):
        reader.learn(["gizmo", "widget"])


def test_labels_that_mean_nothing() -> None:
    for labels, said in (
        (["0", "4"], "there is no class 4: class numbers count the 4 candidates from 0."),
        (["1", "2", "3", "4"], "These seem to count from 1"),
        (["dog", "unheard-of"], "val: 1 of 2 class names is unknown among the 4 classes"),
    ):
        with pytest.raises(DataError) as error:
            LabelReader(CLASSES, place="val").learn(labels)
        assert said in str(error.value)


def test_labels_of_other_classes() -> None:
    reader = LabelReader(CLASSES, place="val")
    reader.learn([DOG, "n00000009", "n00000008"])
    with pytest.raises(DataError, match=r"2 classes are none of the 4 candidates, e\.g\. n00"):
        reader.check_known()


def test_labels_one_by_one() -> None:
    """Of shards, whose class numbers come with the images."""
    reader = LabelReader(CLASSES, place="shards")
    assert [reader.of(label) for label in ("1", "1", "0")] == [CAT, CAT, DOG]
    with pytest.raises(DataError, match="is one of names; those before it are class numbers"):
        reader.of("dog")


def test_numbers_count_where_the_names_of_all_classes_are_not_clear() -> None:
    reader = LabelReader(CLASSES, place="shards")
    names = ["puppy love", "cat", "bird", "car"]
    with pytest.raises(DataError, match="unknown"):
        LabelReader(CLASSES).learn(names)
    with pytest.raises(DataError, match="unknown"):
        LabelReader(CLASSES).learn(names[:3], of_all=True)
    reader.learn(names, of_all=True)
    assert [reader.of(name) for name in names] == CLASSES
    assert reader.language == "class numbers"
    with pytest.raises(DataError, match="unknown"):  # the cat stands where the bird should
        LabelReader(CLASSES).learn(["puppy love", "bird", "cat", "car"], of_all=True)
