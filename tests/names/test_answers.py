"""Answers in words and what they name, judged by hand."""

from __future__ import annotations

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
