"""Three ways from an answer in words to a class, on the answers of tests/names/data that were
judged by hand, and how long 50,000 different answers take.

``python -m tests.benchmarks answers``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from graphzsl.common.compute import Compute
from graphzsl.embeddings.text import encode, packaged_encoder
from graphzsl.hierarchy import Lexicon, word_key
from graphzsl.names import class_names
from graphzsl.names.answers import AnswerMapper
from graphzsl.sources.imagenet import listed_classes

ANSWERS = Path("tests/names/data/answers.tsv")


def substring(lexicon: Lexicon, classes: list[str]) -> Callable[[str], tuple[str, ...]]:
    """The class whose longest word stands in the answer; none where no word does."""
    words = {
        word_key(word): wnid for wnid in classes for word in lexicon.words_of(lexicon.index[wnid])
    }
    order = sorted(words, key=len, reverse=True)

    def find(answer: str) -> tuple[str, ...]:
        text = f" {word_key(answer)} "
        return next(((words[word],) for word in order if f" {word} " in text), ())

    return find


def similarity(classes: list[str], answers: list[str]) -> Callable[[str], tuple[str, ...]]:
    """The class whose name is the nearest to the answer by MiniLM, always one."""
    names = [class_names(classes).of_class[wnid] for wnid in classes]
    compute = Compute("auto")
    rows, columns = (encode(each, packaged_encoder(), compute) for each in (answers, names))
    best = dict(zip(answers, np.argmax(rows @ columns.T, axis=1).tolist(), strict=True))
    return lambda answer: (classes[best[answer]],)


def bench_answers() -> None:
    """Answers right, and seconds."""
    lexicon, classes = Lexicon.load(), listed_classes("ilsvrc2012")
    rows = [line.split("\t") for line in ANSWERS.read_text().splitlines()[1:]]
    mapper = AnswerMapper(classes)
    answers = [answer for answer, _ in rows]
    ways: dict[str, Callable[[str], tuple[str, ...]]] = {
        "graphzsl": lambda answer: mapper(answer).wnids,
        "longest word of a class in the answer": substring(lexicon, classes),
        "nearest name by MiniLM": similarity(classes, answers),
    }
    for way, find in ways.items():
        right = sum(
            " ".join(lexicon.names[lexicon.index[wnid]] for wnid in find(answer)) == names
            for answer, names in rows
        )
        print(f"{way:40} {right:4} of {len(rows)} ({100 * right / len(rows):.1f} %)")
    many = [f"The image shows {each} by wall {at}." for at in range(500) for each in answers]
    started = time.perf_counter()
    for answer in many[:50_000]:
        mapper(answer)
    print(f"50,000 different answers in {time.perf_counter() - started:.1f} s")
