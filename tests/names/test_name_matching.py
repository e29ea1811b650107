"""Names that other people wrote, as wnids: looked up by hand in WordNet and ImageNet's list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.hierarchy import word_key
from graphzsl.names.name_matching import NameMatcher
from graphzsl.sources.imagenet import listed_classes

TENCH, CRANE_BIRD, CRANE_MACHINE, DOG = "n01440764", "n02012849", "n03126707", "n02084071"
#: The ten classes of CIFAR-10, as its files call them, and Fall 2011's wnids for them.
CIFAR = {
    "airplane": "n02691156",
    "automobile": "n02958343",
    "bird": "n01503061",
    "cat": "n02121620",
    "deer": "n02430045",
    "dog": DOG,
    "frog": "n01639765",
    "horse": "n02374451",
    "ship": "n04194289",
    "truck": "n04490091",
}


@pytest.fixture(scope="module")
def matcher() -> NameMatcher:
    return NameMatcher("ilsvrc2012")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("tench", [TENCH]),
        ("Tench", [TENCH]),
        ("tench, Tinca tinca", [TENCH]),
        ("Tinca_tinca", [TENCH]),
        (TENCH, [TENCH]),
        ("dog.n.01", [DOG]),
        ("german shepherd", ["n02106662"]),
        ("kite (bird of prey)", ["n01608432"]),
        ("crane (wading bird)", [CRANE_BIRD]),
        ("crane", [CRANE_BIRD, CRANE_MACHINE]),
        ("construction crane", []),
        ("crane (bird)", [CRANE_BIRD]),
        ("polecat", ["n02443114", "n02445715"]),  # the polecat, and the skunk
        ("Cardigan", ["n02113186", "n02963159"]),  # the corgi, and the jacket
        ("kite (toy)", []),
        ("tench, hen", []),
        ("tench, not a word", []),
        ("", []),
    ],
)
def test_what_a_name_means(matcher: NameMatcher, name: str, meant: list[str]) -> None:
    assert matcher.meant(name) == meant


def test_two_names_may_mean_one_class(matcher: NameMatcher) -> None:
    assert matcher.wnids(["tench", "Tinca tinca"]) == [TENCH, TENCH]


def test_names_of_another_data_set() -> None:
    assert NameMatcher("imagenet-fall11").wnids(list(CIFAR)) == list(CIFAR.values())


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["tench", "goldfsh"], r"1 of 2 class names .*'goldfsh' \(near 'goldfish': n01443537"),
        (["tench", "crane"], r"'crane' may mean n02012849 \(crane\.n\.05\), n03126707"),
        (["a", "b", "xyzzy", "yzzyx"], r"4 of 4 .* 'xyzzy', 'yzzyx'\. Say what"),
        ([f"xy{number}zzy" for number in range(12)], r"12 of 12 .* 'xy9zzy', and 2 more\. Say"),
    ],
)
def test_names_that_are_not_clear_are_refused(
    matcher: NameMatcher, names: list[str], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        matcher.wnids(names)


@pytest.mark.parametrize("classes", ["ilsvrc2012", "imagenet-fall11"])
def test_no_word_of_a_class_means_another_class_alone(classes: str) -> None:
    """But where another class's sense is by far the more usual one."""
    matcher = NameMatcher(classes)
    lexicon = matcher.lexicon
    for wnid in listed_classes(classes)[::7]:
        for sense in lexicon.senses_of(lexicon.index[wnid]):
            meant = matcher.meant(sense.text)
            if wnid in meant:
                continue
            ((position, count),) = [
                (lexicon.index[each], other.count)
                for each in meant
                for other in lexicon.senses_of(lexicon.index[each])
                if word_key(other.text) == word_key(sense.text)
            ]
            assert count >= 5 * max(1, sense.count), (wnid, sense.text, lexicon.wnids[position])


def test_a_list_of_names_decides(tmp_path: Path) -> None:
    """In the order of the classes, or with wnids; what it says goes before WordNet's words."""
    classes = [CRANE_BIRD, CRANE_MACHINE, TENCH]
    plain = tmp_path / "names.txt"
    plain.write_text("crane\nconstruction crane\ngoldfish\n")
    matcher = NameMatcher(classes, plain)
    assert matcher.wnids(["goldfish", "crane", "construction crane"]) == [
        TENCH,
        CRANE_BIRD,
        CRANE_MACHINE,
    ]
    keyed = tmp_path / "names.json"
    keyed.write_text(json.dumps({CRANE_MACHINE: "crane", CRANE_BIRD: "stork"}))
    assert NameMatcher(classes, keyed).wnids(["crane", "tench"]) == [CRANE_MACHINE, TENCH]
    plain.write_text("crane\ngoldfish\n")
    with pytest.raises(DataError, match="holds 2 names and no wnids, and there are 3 classes"):
        NameMatcher(classes, plain)
    plain.write_text("Cardigan\ncardigan\ntench\n")
    matcher = NameMatcher([CRANE_BIRD, CRANE_MACHINE, TENCH], plain)
    assert matcher.wnids(["cardigan", "Cardigan"]) == [CRANE_MACHINE, CRANE_BIRD], "as spelt"
    assert matcher.meant("CARDIGAN") == [CRANE_BIRD, CRANE_MACHINE]
    plain.write_text("crane\ngoldfish\n")
    keyed.write_text(json.dumps([CRANE_MACHINE, CRANE_BIRD, TENCH]))
    with pytest.raises(DataError, match="entry 1 has no name"):
        NameMatcher(classes, keyed)
