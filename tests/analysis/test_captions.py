"""Nouns of captions, what they make relevant, and the classes that a vocabulary mentions: on the
figure of Wang et al. 2014 and a few captions written for these tests."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import nltk
import numpy as np
import pytest
from click.testing import CliRunner, Result

from graphzsl.analysis import mentioned_classes, relevance_of_captions
from graphzsl.analysis.granularity.nouns import Nouns, nouns_by_lookup, nouns_by_tagger
from graphzsl.cli import main
from graphzsl.common import DataError, load_settings
from graphzsl.hierarchy import Lexicon
from graphzsl.sources import WordNet, wordnet_folder
from tests.cli.test_help import examples
from tests.command import for_programs

#: Captions that make dog 5, road 2, pavement 1 and street 1: the gold standard of figure 1.
FIGURE_1 = [
    "A white dog runs across the road .",
    "A dog is sitting on the pavement",
    "The dogs are in the street, running",
    "One dog jumps over a road",
    "A dog",
]
#: Two images in Flickr8k's form; these captions are not Flickr8k's.
FLICKR = "".join(f"dog.jpg#{number}\t{text}\n" for number, text in enumerate(FIGURE_1)) + (
    "bear.jpg#0\tA polar bear near two men\nbear.jpg#1\t Children sit on a sidewalk .\n"
)


@pytest.fixture(scope="module")
def wordnet() -> WordNet:
    return WordNet(wordnet_folder(load_settings()))


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.load()


@pytest.fixture(scope="module")
def lookup(wordnet: WordNet) -> Nouns:
    return nouns_by_lookup(wordnet)


def test_relevance_of_the_papers_example(lookup: Nouns, lexicon: Lexicon) -> None:
    (found,) = relevance_of_captions([FIGURE_1], lookup, lexicon.synsets_of)
    assert found == {"dog": 5, "road": 2, "pavement": 1, "street": 1}
    assert list(found) == ["dog", "road", "pavement", "street"]


def test_nouns_of_one_synset_have_the_largest_relevance() -> None:
    """b shares a synset with a and one with c; a and c share none."""
    synsets = {"a": {1}, "b": {1, 2}, "c": {2}, "d": set()}
    captions = [["a b", "a", "a c", "d d"], [], ["b"]]
    found = relevance_of_captions(captions, lambda text: set(text.split()), lambda n: synsets[n])
    assert found == [{"a": 3, "b": 3, "c": 1, "d": 1}, {}, {"b": 1}]


def test_sharing_a_synset_against_all_pairs() -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        synsets = {f"n{n}": set(random.integers(0, 8, 2).tolist()) for n in range(8)}
        texts = [" ".join(random.choice([*synsets], 3)) for _ in range(5)]
        split: list[set[str]] = [set(text.split()) for text in texts]
        counts = Counter(noun for nouns in split for noun in nouns)
        expected = {
            one: max(counts[other] for other in counts if synsets[one] & synsets[other])
            for one in counts
        }
        (found,) = relevance_of_captions(
            [texts], lambda text: set(text.split()), synsets.__getitem__
        )
        assert found == expected


@pytest.mark.parametrize(
    ("sentence", "nouns"),
    [
        ("Two men and a woman's glasses", {"man", "woman", "glass"}),
        ("A building behind a painting", {"building", "painting"}),
        ("He is sitting, standing and running in it", set()),
        ("She plays and jumps; a black cat wears a hat", {"cat", "hat"}),
        ("children on swings", {"child"}),  # swing is tagged as a verb more often
        ("GEESE at 3 a.m.", {"goose", "m"}),
        ("A dog eats", {"dog"}),  # eats is a noun that is never tagged, eat a verb 78 times
        ("dogs fighting, two dogs playing", {"dog"}),  # 25 and 12 beside 159 and 246
        (
            "clothes and glasses beside a bus, a wing, a bed",
            {"clothes", "glass", "bus", "wing", "bed"},
        ),
        ("a meeting", set()),  # 39 beside 231
        ("", set()),
    ],
)
def test_nouns_that_are_looked_up(lookup: Nouns, sentence: str, nouns: set[str]) -> None:
    assert lookup(sentence) == nouns


@pytest.fixture
def tagger_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NLTK's own tagger, trained on five sentences, where NLTK looks for the one that it ships."""
    from nltk.tag.perceptron import PerceptronTagger

    tagged = [
        "children/NNS on/IN swings/NNS",
        "a/DT child/NN swings/VBZ on/IN a/DT building/NN",
        "Rex/NNP runs/VBZ after/IN the/DT frisbees/NNS",
        "the/DT white/JJ dogs/NNS run/VBP",
        "two/CD dogs/NNS are/VBP building/VBG snowmen/NNS",
    ]
    sentences = [[tuple(word.split("/")) for word in line.split()] for line in tagged]
    data = tmp_path / "nltk_data"
    folder = data / "taggers" / "averaged_perceptron_tagger_eng"
    folder.mkdir(parents=True)
    monkeypatch.setattr(nltk.data, "path", [str(data), *nltk.data.path])
    tagger = PerceptronTagger(load=False)
    tagger.train(sentences, nr_iter=20)
    tagger.save_to_json(lang="eng", loc=str(folder))


@pytest.mark.usefixtures("tagger_data")
def test_nouns_that_are_tagged(wordnet: WordNet) -> None:
    """What lookup cannot tell: nouns and verbs of one form."""
    nouns = nouns_by_tagger(wordnet)
    assert nouns("children on swings") == {"child", "swing"}
    assert nouns("a child swings on a building") == {"child", "building"}
    assert nouns("two dogs are building snowmen") == {"dog", "snowman"}
    assert nouns("Rex runs after the frisbees") == {"rex", "frisbee"}


def test_a_tagger_without_data_offers_the_other_rule(
    wordnet: WordNet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    with pytest.raises(DataError, match=r"averaged_perceptron_tagger_eng is not installed\. Run"):
        nouns_by_tagger(wordnet)
    Path(tmp_path / "c.txt").write_text(FLICKR)
    said = _run("relevance", str(tmp_path / "c.txt"), "--out", str(tmp_path / "r.jsonl"), code=1)
    assert "look words up in WordNet" in said.stderr
    assert "(--nouns wordnet)." in said.stderr
    assert not (tmp_path / "r.jsonl").exists()


def test_classes_of_a_vocabulary_by_hand(wordnet: WordNet) -> None:
    words = {
        "bear": ["bear"],
        "polar": ["ice bear", "polar bear"],
        "kennel": ["doghouse", "kennel"],
        "dog": ["dog", "domestic dog"],
        "goose": ["goose"],
        "hotdog": ["hot dog"],
    }
    texts = ["Polar bears and the geese;", "a polar-bear", "hot", "dog"]
    found = mentioned_classes(texts, words, wordnet)
    assert [(each.wnid, each.words, each.occurrences) for each in found] == [
        ("bear", ["bear"], 2),
        ("polar", ["polar bear"], 2),
        ("dog", ["dog"], 1),
        ("goose", ["goose"], 1),  # hot and dog are two words of the vocabulary
    ]
    assert mentioned_classes(["nothing"], words, wordnet) == []


def test_classes_of_a_vocabulary_against_a_search_word_by_word(
    wordnet: WordNet, lexicon: Lexicon
) -> None:
    """Single words in their base form, of 400 synsets."""
    random = np.random.default_rng(0)
    places = random.choice(len(lexicon.wnids), 400, replace=False).tolist()
    words = {lexicon.wnids[place]: lexicon.words_of(place) for place in places}
    single = sorted({w for own in words.values() for w in own if w.isalpha() and w.isascii()})
    vocabulary = {str(word) for word in random.choice(single, 50, replace=False)}
    lower = {word.lower() for word in vocabulary}
    expected = {wnid for wnid, own in words.items() if lower & {word.lower() for word in own}}
    found = {each.wnid for each in mentioned_classes(sorted(vocabulary), words, wordnet)}
    assert expected <= found
    # others have a word that the vocabulary has in an inflected form
    for each in mentioned_classes(sorted(vocabulary), words, wordnet):
        if each.wnid not in expected:
            bases = {lemma for word in lower for lemma in wordnet.lemmas(word)}
            assert {word.lower() for word in each.words} & bases


@pytest.mark.thorough("examples of help texts, run")
def test_the_examples_of_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("captions.txt").write_text(FLICKR)
    said = _run(*examples("study granularity relevance")[0])
    assert "2 samples, 7 nouns: relevance.jsonl." in said.stderr
    lines = [json.loads(line) for line in _lines("relevance.jsonl")]
    assert lines[0] == {"dog": 5, "road": 2, "pavement": 1, "street": 1}
    # bear is tagged as a verb more often
    assert lines[1] == {"child": 1, "man": 1, "sidewalk": 1}
    Path("order.txt").write_text("bear.jpg\ndog.jpg\nbear.jpg\n")
    out = ("--nouns", "wordnet", "--out", "other.jsonl", "--order", "order.txt")
    _run("relevance", "captions.txt", *out)
    assert [json.loads(line) for line in _lines("other.jsonl")] == [
        lines[1],
        lines[0],
        lines[1],
    ], "a row for each line of the order"
    first, second = examples("study granularity vocabulary")
    Path("set.txt").write_text("dog.n.01\nbear.n.01\nice bear\nsiamese cat\n")
    said = _run(*first, "--set", "set.txt")  # the example's set takes seconds
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    assert [row["wnid"] for row in rows] == ["n02084071", "n02131653", "n02134084"]
    assert Path("captioned.txt").read_text().split() == [row["wnid"] for row in rows]
    (row,) = [row for row in rows if row["wnid"] == "n02134084"]
    assert (row["name"], row["words"], row["occurrences"]) == ("ice_bear.n.01", ["polar bear"], 1)
    assert "0 of 1,000 classes have a word there." in _run(*second).stderr
    Path("order.txt").write_text("cat.jpg\n")
    failed = _run("relevance", "captions.txt", *out, code=1)
    assert "order.txt:1: 'cat.jpg' has no captions in captions.txt." in failed.stderr
    failed = _run("vocabulary", "order.txt", "--set", "set.txt", "--out", "no.txt", code=1)
    assert "No class has a word there" in failed.stderr
    assert not Path("no.txt").exists()


def _lines(name: str) -> list[str]:
    return Path(name).read_text().splitlines()


def _run(*arguments: str, code: int = 0) -> Result:
    words = arguments if arguments[0] == "study" else ("study", "granularity", *arguments)
    result = CliRunner().invoke(main, for_programs(*words))
    assert result.exit_code == code, result.output
    return result
