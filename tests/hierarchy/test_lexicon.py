"""WordNet's words, senses and glosses; expected values are lines of its own index and data
files."""

from __future__ import annotations

from collections import Counter

import pyarrow.parquet as pq
import pytest

from graphzsl.common import load_settings
from graphzsl.hierarchy import Lexicon, word_key
from graphzsl.hierarchy.wordnet import NOUNS
from graphzsl.sources import WordNet, wordnet_folder
from graphzsl.sources.imagenet import listed_classes
from tests.hierarchy.shipped_nouns import LICENSE, license_text, nouns_table


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.load()


def _wnids(lexicon: Lexicon, positions: list[int]) -> list[str]:
    return [lexicon.wnids[each] for each in positions]


def test_senses_are_those_of_the_index(lexicon: Lexicon) -> None:
    # crane n 5 4 @ ~ #m + 5 0 10914447 10914331 09295455 03126707 02012849
    senses = ["n10914447", "n10914331", "n09295455", "n03126707", "n02012849"]
    for spelling in ("crane", "Crane", " CRANE"):
        assert _wnids(lexicon, lexicon.synsets_of(spelling)) == senses
    # two writers and a constellation are single things
    # 09053185 has a hypernym beside its instance hypernym
    assert not lexicon.instances[lexicon.index["n09053185"]]
    assert lexicon.instances[lexicon.synsets_of("crane")].tolist() == [True] * 3 + [False] * 2
    assert lexicon.synsets_of("no such word") == []
    missile = lexicon.index["n04008634"]
    # projectile%1:06:00:: 04008634 1 2 and missile%1:06:00:: 04008634 2 4
    assert [vars(each) for each in lexicon.senses_of(missile)] == [
        {"text": "projectile", "number": 1, "count": 2},
        {"text": "missile", "number": 2, "count": 4},
    ]
    assert lexicon.gloss(lexicon.index["n02012849"]).startswith("large long-necked wading bird")


def test_a_synset_has_the_names_of_all_its_words(lexicon: Lexicon) -> None:
    """As NLTK reads names."""
    reader = WordNet(wordnet_folder(load_settings()))._reader
    names = [
        f"{text.lower().replace(' ', '_')}.n.{number:02d}"
        for text, number in zip(lexicon.words[0], lexicon.sense_numbers.tolist(), strict=True)
    ]
    for name in ["polar_bear.n.01", "o.n.03", *names[::500]]:
        position = lexicon.named(name)
        assert position is not None
        assert lexicon.wnids[position] == f"n{reader.synset(name).offset():08d}", name
    for name in ("polar_bear.n.02", "polar-bear.n.01", "no_such_word.n.01", "dog.n.00"):
        assert lexicon.named(name) is None


def test_every_word_of_the_index_has_its_senses_in_its_order(lexicon: Lexicon) -> None:
    """Against index.noun, which nothing else reads here."""
    folder = wordnet_folder(load_settings())
    checked, spelt = 0, Counter[str]()
    lines = [line for line in (folder / "index.noun").open() if not line.startswith("  ")]
    for line in lines:
        spelt[word_key(line.split()[0])] += 1
    for line in lines[::50]:
        word, _, count, *rest = line.split()
        if spelt[word_key(word)] > 1:
            continue
        expected = [f"n{offset}" for offset in rest[len(rest) - int(count) :]]
        assert _wnids(lexicon, lexicon.synsets_of(word)) == expected, word
        checked += 1
    assert checked > 2000


def test_its_edges_are_those_of_the_hierarchy(lexicon: Lexicon) -> None:
    from graphzsl.hierarchy import load_wordnet

    nouns = load_wordnet()
    assert (lexicon.wnids, lexicon.names) == (nouns.wnids, nouns.names)
    edges = {
        (child, parent)
        for child in range(len(lexicon.wnids))
        for parent in lexicon.hypernyms(child)
    }
    assert edges == {(int(child), int(parent)) for child, parent in nouns.edges.T}
    dog, animal, cat = (lexicon.index[each] for each in ("n02084071", "n00015388", "n02121620"))
    assert lexicon.is_above(animal, dog)
    assert not lexicon.is_above(dog, animal)
    assert lexicon.related(dog, animal)
    assert lexicon.related(animal, dog)
    assert not lexicon.related(dog, cat)


def test_the_file_in_the_package_is_that_of_wordnets_own_files() -> None:
    folder = wordnet_folder(load_settings())
    shipped, made = pq.read_table(NOUNS), nouns_table(folder)
    assert shipped.equals(made)
    assert shipped.schema.metadata == made.schema.metadata
    assert LICENSE.read_text() == license_text(folder)
    assert "Princeton University" in LICENSE.read_text()


def test_classes_that_a_word_names(lexicon: Lexicon) -> None:
    """Frome et al. 2013, appendix A.2: a word names at most 9 classes of ImageNet (head), and crane
    is the only word of 2 of ILSVRC 2012. Their 4 words per synset are 1.86 in WordNet 3.0."""
    classes = {lexicon.index[wnid] for wnid in listed_classes("imagenet-fall11")}
    counts = Counter(
        word
        for position in classes
        for word in {word_key(word) for word in lexicon.words_of(position)}
    )
    most = max(counts.values())
    assert {word for word, count in counts.items() if count == most} == {"head", "queen"}
    assert counts["head"] == 9 == len(classes & {*lexicon.synsets_of("head")})
    train = [lexicon.index[wnid] for wnid in listed_classes("ilsvrc2012")]
    words = [lexicon.words_of(position) for position in train]
    assert words.count(["crane"]) == 2
    assert sum(map(len, words)) / len(words) == pytest.approx(1.86)
