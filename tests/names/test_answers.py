"""Answers in words and what they name, judged by hand."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from graphzsl.hierarchy import Lexicon
from graphzsl.names.answers import STEPS, AnswerMapper
from graphzsl.names.free_text import read_answer
from graphzsl.sources.imagenet import listed_classes

#: Answers in the styles of vision-language models, and the synsets that they name, by reading them
#: with WordNet's glosses; several where the answer leaves it open, none where it names nothing.
ANSWERS = [
    line.split("\t")
    for line in (Path(__file__).parent / "data" / "answers.tsv").read_text().splitlines()[1:]
]
WHITE, SEA_LION, DOG = "n01484850", "n02077923", "n02084071"


@pytest.fixture(scope="module")
def mapper() -> AnswerMapper:
    return AnswerMapper(listed_classes("ilsvrc2012"))


def test_answers_name_what_they_are_read_as(mapper: AnswerMapper) -> None:
    names, index = mapper.lexicon.names, mapper.lexicon.index
    found = {
        text: " ".join(names[index[wnid]] for wnid in mapper(text).wnids) for text, _ in ANSWERS
    }
    assert found == dict(ANSWERS)


@pytest.mark.parametrize(
    ("answer", "wnids", "step"),
    [
        ("a great white shark", [WHITE], "candidate"),
        ("great white sharks", [WHITE], "candidate"),
        ("GREAT-WHITE SHARK!", [WHITE], "candidate"),
        ("a great whyte shark", [WHITE], "spelling"),
        ("a dog", [DOG], "above"),
        ("a wooden dog", [DOG], "above"),
        ("a metal colander", ["n03066849"], "head noun"),
        ("an axolotl dog", [DOG], "above"),
        ("a sea lion pup", [SEA_LION], "candidate"),
        ("xyzzy", [], ""),
        ("", [], ""),
    ],
)
def test_each_step_is_written_down(
    answer: str, wnids: list[str], step: str, mapper: AnswerMapper
) -> None:
    found = mapper(answer)
    assert list(found.wnids) == wnids
    assert found.step == step
    assert found.step in STEPS
    assert bool(found.why)


def test_given_names_come_first(mapper: AnswerMapper) -> None:
    named = AnswerMapper([WHITE, SEA_LION], {"Jaws": WHITE, "dog": SEA_LION}, Lexicon.load())
    assert named("This is Jaws.").wnids == (WHITE,)
    assert (named("a dog").wnids, named("a dog").step) == ((SEA_LION,), "given name")
    assert mapper("This is Jaws.").wnids != (WHITE,)


def test_candidates_decide_what_a_word_means() -> None:
    device, rodent = "n03793489", "n02330245"
    assert AnswerMapper([device])("a mouse on a desk").wnids == (device,)
    assert AnswerMapper([DOG])("a mouse on a desk").wnids == (rodent,)


@pytest.mark.parametrize(
    ("answer", "things"),
    [
        ("It is a hen.", [["hen"]]),
        ("hen (Gallus gallus), also called biddy", [["hen", "biddy", "Gallus gallus"]]),
        ("a hen or a cock", [["hen"], ["cock"]]),
        ("hen or another bird", [["hen"]]),
        ("not a hen but a cock", [["cock"]]),
        ("I cannot help with that.", []),
        ("a cup of tea", [["tea"]]),
        ('[{"answer": "hen"}]', [["hen"]]),
    ],
)
def test_the_frame_is_taken_off(answer: str, things: list[list[str]]) -> None:
    assert read_answer(answer, lambda text: False).things == things


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("Two oranges on a wooden table", "orange.n.01"),
        ("It is a zebra, not a horse.", "zebra.n.01"),
        ("A zebra's head", "zebra.n.01"),
        ("kitten heel", "heel.n.01"),
        ("It's definitely not a tench", ""),
        ("Clearly not a tench.", ""),
        ("It is neither a tench nor a shark", ""),
        ("a fish other than a tench", "fish.n.01"),
        ("Looks like a beagle.", "beagle.n.01"),
        ("The bird seems to be a bald eagle", "bald_eagle.n.01"),
        ("The bird is most likely a bald eagle", "bald_eagle.n.01"),
        ("I would go with goldfish", "goldfish.n.01"),
        ("It looks more like a goldfish", "goldfish.n.01"),
        ("two geese", "goose.n.01"),
        ("oxen", "ox.n.01"),
        ("a hen's egg", "egg.n.01"),
        ("a human skull", "skull.n.01"),
        ("The answer is\ncollie", "collie.n.01"),
        ("a ram", "ram.n.05"),
        ("a fluffy white puppy sitting on grass", "puppy.n.01"),
        ("two brown lambs", "lamb.n.01"),
        ("sea lion pups", "sea_lion.n.01"),
        ("It", ""),
        ("The answer is (C).", ""),
        ("<think>It has stripes, so maybe a tiger", ""),
        ("The vehicle shown is a yellow taxi cab.", "cab.n.03"),
        ("a man holding a tench", "tench.n.01"),
        ("The image shows two men with beards holding up a large tench.", "tench.n.01"),
        ("A person with a Siberian husky", "siberian_husky.n.01"),
        ("A hand holding a hammer", "hammer.n.02"),
        ("a man with big ears", "man.n.01"),
        ("a woman with a man", "woman.n.01"),
        ("a man with no hat", "man.n.01"),
        ("a man holding an object", "man.n.01"),
        ("a groom with a horse", "groom.n.01"),
        ("a dog with a ball", "dog.n.01"),
    ],
)
def test_words_that_look_like_others(answer: str, name: str, mapper: AnswerMapper) -> None:
    names, index = mapper.lexicon.names, mapper.lexicon.index
    assert " ".join(names[index[wnid]] for wnid in mapper(answer).wnids) == name


def _words(mapper: AnswerMapper) -> dict[str, str]:
    """Words of candidates that alone name their class -> wnid."""
    words_of, index = mapper.lexicon.words_of, mapper.lexicon.index
    owned = {
        word.replace("_", " "): wnid
        for wnid in sorted(mapper.candidates)
        for word in words_of(index[wnid])
        if word == word.lower()
    }
    return {word: wnid for word, wnid in owned.items() if mapper(word).wnids == (wnid,)}


#: Sunglasses are no sunglass, a lens that makes fire.
_OWN_PLURALS = {"sunglasses"}


def test_plurals_name_what_their_words_name(mapper: AnswerMapper) -> None:
    """By the rules of English: -es behind a hiss, -ies for -y behind a consonant, else -s."""
    wrong = set()
    for word, wnid in _words(mapper).items():
        plural = re.sub(r"([^aeiou])ys$", r"\1ies", f"{word}s")
        plural = re.sub(r"(s|x|z|ch|sh)s$", r"\1es", plural)
        if mapper(plural).wnids != (wnid,):
            wrong.add(plural)
    assert wrong == _OWN_PLURALS


FRAMES = (
    *("It looks like a {} to me.", "It is a {}, not a horse.", "Certainly! The image shows a {}."),
    *("In the image, we see a {}.", "In this image, we can see a {} in a field."),
    *("You are looking at a {}.", "I think this is a {} because of its shape."),
    *("Here we have a {}.", "we see a {} here", "My guess is a {}.", "What you see is a {}."),
    *("I would classify this as a {}.", "This can be identified as a {}.", "### Answer\n{}"),
    *("The most prominent object is a {}, which is in the center.", "the {} outdoors"),
    *("The type of object is {}.", "<think></think>{}", "It's a horse?</think>\n\nA {}."),
    "<think>\nThe image shows something, maybe a horse.\n</think>\n\n{}",
    *("The image shows a {}.", "In the image there is a {}.", "Sure! This is a {}."),
    *("The correct answer is: {}", "(B) {}", "**{}**", "a cute {}", "a {} on a table"),
)


@pytest.mark.parametrize("frame", FRAMES)
def test_names_in_a_frame(frame: str, mapper: AnswerMapper) -> None:
    words = random.Random(0).sample([*_words(mapper).items()], 60)
    wrong = [word for word, wnid in words if mapper(frame.format(word)).wnids != (wnid,)]
    assert len(wrong) <= 3, wrong


def test_the_row_says_who_holds_the_thing(mapper: AnswerMapper) -> None:
    assert mapper("a man with a tench").why == "'tench' by candidate, in place of 'man'"
