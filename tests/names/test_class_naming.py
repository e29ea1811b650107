"""Names of classes; expected values are read off WordNet's data.noun and index.sense by hand."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from graphzsl.common import DataError
from graphzsl.hierarchy import Lexicon
from graphzsl.names import check_names, class_names, rule_rows
from graphzsl.names.class_naming import DEFAULT_RULE, every_rule, qualified_names, shared_names
from graphzsl.sources import class_lists
from graphzsl.sources.imagenet import listed_classes

#: What they share is prepared at length, once on one worker.
pytestmark = pytest.mark.xdist_group("test_class_naming")

BIRD, MACHINE, DOG = "n02012849", "n03126707", "n02084071"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.load()


@pytest.mark.parametrize(
    ("wnid", "first", "meaning"),
    [
        # projectile%1:06:00:: 1 2, missile%1:06:00:: 2 4: the second sense of missile
        ("n04008634", "projectile", "projectile"),
        ("n03773504", "missile", "missile"),
        # Cardigan is the second sense of the word, after the jacket
        ("n02113186", "Cardigan", "Cardigan Welsh corgi"),
        # both words have one sense: WordNet's order
        ("n04356056", "sunglasses", "sunglasses"),
        ("n02106662", "German shepherd", "German shepherd"),
    ],
)
def test_a_rule_picks_a_word(lexicon: Lexicon, wnid: str, first: str, meaning: str) -> None:
    for rule, expected in (("first", first), ("meaning", meaning)):
        assert class_names([wnid], rule, lexicon).names == [expected]
        assert class_names([wnid], f"{rule}+parent+gloss", lexicon).names == [expected]


def test_only_names_that_classes_share_are_qualified(lexicon: Lexicon) -> None:
    wnids = [MACHINE, DOG, BIRD]
    plain = class_names(wnids, "meaning", lexicon)
    assert plain.names == ["crane", "dog", "crane"]
    assert plain.shared == {"crane": [MACHINE, BIRD]}
    assert "2 share a name" in repr(plain)
    parent = class_names(wnids, "meaning+parent", lexicon)
    # 03126707 @ 03664675 lifting_device; 02012849 @ 02000954 wading_bird
    assert parent.names == ["crane (lifting device)", "dog", "crane (wading bird)"]
    assert (parent.added, parent.shared) == (["parent", "", "parent"], {})
    gloss = class_names(wnids, "first+gloss", lexicon)
    assert gloss.names == [
        "crane (lifts and moves heavy objects)",
        "dog",
        "crane (large long-necked wading bird)",
    ]
    assert class_names([BIRD], lexicon=lexicon).names == ["crane"], "alone it is unique"


def test_another_word_is_one_that_no_other_class_has(lexicon: Lexicon) -> None:
    # 02808440 bathtub, bathing tub, bath, tub; 04493381 tub, vat
    tubs = ["n02808440", "n04493381"]
    assert class_names(tubs, "meaning", lexicon).names == ["tub", "tub"]
    found = class_names(tubs, "meaning+word", lexicon)
    assert (found.names, found.added) == (["bathtub", "vat"], ["word", "word"])
    # 03710637 maillot; 03710721 maillot, tank suit: the first has no other word, and is qualified
    suits = ["n03710637", "n03710721"]
    assert class_names(suits, DEFAULT_RULE, lexicon).names == ["maillot (tights)", "tank suit"]


def test_a_word_that_another_class_is_better_known_by_is_not_enough(lexicon: Lexicon) -> None:
    # lark n 4: 01573074 (meadowlark, lark) before 01527617 (lark), which has no other word
    lark, meadowlark = "n01527617", "n01573074"
    assert class_names([lark, meadowlark], "first", lexicon).shared == {}
    found = class_names([lark, meadowlark], DEFAULT_RULE, lexicon)
    assert found.names == ["lark (oscine)", "meadowlark"]
    assert class_names([lark], DEFAULT_RULE, lexicon).names == ["lark"]
    # munition n 2: 04566257 (weaponry, munition) first, which is above 03799610 (munition)
    above = class_names(["n03799610", "n04566257"], "first+parent", lexicon)
    assert above.names == ["munition", "weaponry"]


@pytest.mark.parametrize("name", class_lists())
def test_own_names_of_every_shipped_list_are_sound(lexicon: Lexicon, name: str) -> None:
    found = class_names(name, lexicon=lexicon)
    assert found.shared == {}
    assert check_names(found.of_class, name, lexicon=lexicon).findings == []


def test_every_name_is_made_as_it_says(lexicon: Lexicon) -> None:
    """All of Fall 2011, against the words, parents and definitions that WordNet gives."""
    wnids = listed_classes("imagenet-fall11")
    plain = class_names(wnids, "first", lexicon).of_class
    found = class_names(wnids, DEFAULT_RULE, lexicon)
    sharing = {
        wnid for group in shared_names(wnids, list(plain.values())).values() for wnid in group
    }
    changed = {wnid for wnid, added in zip(wnids, found.added, strict=True) if added}
    assert sharing < changed
    of_word: dict[str, list[tuple[int, int, str]]] = {}
    for wnid in wnids:
        for sense in lexicon.senses_of(lexicon.index[wnid]):
            key = sense.text.casefold().replace("-", " ")
            of_word.setdefault(key, []).append((sense.number, -sense.count, wnid))
    for wnid in set(wnids) - sharing:
        first = min(of_word[plain[wnid].casefold().replace("-", " ")])[2]
        related = lexicon.related(lexicon.index[first], lexicon.index[wnid])
        assert (wnid in changed) == (not related), wnid
    words = Counter(
        word.casefold().replace("-", " ")
        for wnid in wnids
        for word in {each.casefold().replace("-", " ") for each in _words(lexicon, wnid)}
    )
    for wnid, name, added in zip(wnids, found.names, found.added, strict=True):
        word, _, rest = name.removesuffix(")").partition(" (")
        if added == "word":
            assert name in _words(lexicon, wnid)
            assert words[name.casefold().replace("-", " ")] == 1
            continue
        assert word == plain[wnid]
        if added == "parent":
            position = lexicon.index[wnid]
            above: list[int] = []
            for _ in range(3):
                above += lexicon.hypernyms(position)
                position = (
                    lexicon.hypernyms(position)[0] if lexicon.hypernyms(position) else position
                )
            assert rest in {each for at in above for each in lexicon.words_of(at)}
        if added == "gloss":
            definition = lexicon.gloss(lexicon.index[wnid])
            assert rest.split()[0] in definition
            assert rest.split()[-1] in definition
        assert added != "wnid" or rest == wnid
    # echidna n 2: two synsets with one definition and one parent's name
    assert [wnid for wnid, added in zip(wnids, found.added, strict=True) if added == "wnid"] == [
        "n01872401",
        "n01872772",
    ]


def _words(lexicon: Lexicon, wnid: str) -> list[str]:
    return lexicon.words_of(lexicon.index[wnid])


@pytest.mark.parametrize("name", ["ilsvrc2012", "imagenet-fall11", "imagenet-21k-goog"])
@pytest.mark.parametrize("rule", [rule for rule in every_rule() if "+" in rule])
def test_every_rule_that_adds_something_is_unique(lexicon: Lexicon, name: str, rule: str) -> None:
    classes = listed_classes(name)
    found = class_names(classes, rule, lexicon)
    assert found.wnids == classes, "in the order of the wnids"
    # stricter than the rule's own comparison: letters and digits alone
    spelt = Counter("".join(filter(str.isalnum, each.casefold())) for each in found.names)
    same_letters = [each for each, times in spelt.items() if times > 1]
    assert len(set(found.names)) == len({each.casefold() for each in found.names}) == len(classes)
    assert len(same_letters) < 30, "ice-cream and icecream are two names"
    assert all(
        each == each.strip() and "\t" not in each and "\n" not in each for each in found.names
    )


def test_a_name_does_not_depend_on_the_order_or_on_unrelated_classes(lexicon: Lexicon) -> None:
    classes = listed_classes("imagenet-fall11")
    expected = class_names(classes, lexicon=lexicon).of_class
    mixed = random.Random(0).sample(classes, len(classes))
    found = class_names(mixed, lexicon=lexicon)
    assert found.of_class == expected
    assert found.wnids == mixed
    group = [BIRD, MACHINE]
    assert (
        class_names([*group, DOG], lexicon=lexicon).names[:2]
        == class_names(group, lexicon=lexicon).names
    )


def test_a_parent_that_is_called_the_same_is_passed_by(lexicon: Lexicon) -> None:
    # 03649459 court @ 08329453 court @ 08163792 assembly: both are courts of assemblies
    courts = ["n03649459", "n08329453"]
    found = class_names(courts, "first+parent", lexicon)
    assert found.names == [f"court ({wnid})" for wnid in courts]
    assert next(qualified_names(lexicon, lexicon.index[courts[0]], "first")) == "court (assembly)"
    assert class_names(courts, "first+word", lexicon).names == ["lawcourt", "tribunal"]


def test_rules_and_classes_that_are_wrong(lexicon: Lexicon) -> None:
    for rule in ("", "last", "meaning+", "meaning+parent+parent", "+parent", "first+wnid"):
        with pytest.raises(DataError, match="There is no rule"):
            class_names([DOG], rule, lexicon)
    with pytest.raises(DataError, match="list of classes is empty"):
        class_names([], lexicon=lexicon)
    with pytest.raises(DataError, match="neither a file nor an ImageNet list"):
        class_names("ilsvrc2021", lexicon=lexicon)
    with pytest.raises(DataError, match="is there twice"):
        class_names([DOG, DOG], lexicon=lexicon)


def test_shared_names_ignore_case_hyphens_and_underscores() -> None:
    names = ["Ice-cream", "ice cream", "ice_cream", "icecream"]
    assert shared_names(list("abcd"), names) == {"Ice-cream": ["a", "b", "c"]}


def test_the_rows_of_rules_count_what_the_names_are(lexicon: Lexicon) -> None:
    rows = {row["rule"]: row for row in rule_rows([BIRD, MACHINE, DOG], lexicon)}
    assert list(rows) == every_rule()
    assert rows["first"]["shared_names"] == 1
    assert rows["first"]["classes_that_share"] == 2
    assert rows["meaning+parent"]["with_parent"] == 2
    assert rows["meaning+gloss"]["with_gloss"] == 2
    assert all(row["shared_names"] == 0 for rule, row in rows.items() if "+" in rule)
