"""Lists of classes in all the forms that people have them in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import graphzsl as gz
from graphzsl.clip.prompts import make_prompts
from graphzsl.errors import DataError
from graphzsl.hierarchy.resolver import wnids_where_named
from graphzsl.sources.imagenet import class_entries

DOG, CAT = "n02084071", "n02121620"


@pytest.mark.parametrize(
    "given",
    [
        [DOG, CAT],
        (each for each in (DOG, CAT)),
        np.array([DOG, CAT]),
        pd.Series([DOG, CAT]),
        pa.array([DOG, CAT]),
        pa.chunked_array([[DOG], [CAT]]),
    ],
    ids=lambda given: type(given).__name__,
)
def test_classes_one_by_one(given: Any) -> None:
    assert [entry.text for entry in class_entries(given)] == [DOG, CAT]


def test_an_array_without_an_axis_is_the_name_of_a_list() -> None:
    assert len(class_entries(np.array("ilsvrc2012"))) == 1000


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([DOG, None], "train, class 1: a class is a text, not None"),
        ([[DOG], [CAT]], rf"train, class 0: a class is a text, not \['{DOG}'\]"),
        (np.array([[DOG], [CAT]]), "train, class 1: a class is a text"),
        (b"dog", "bytes is neither a file"),
        (pd.DataFrame({"wnid": [DOG]}), "DataFrame is neither a file"),
        (7, "7 is neither a file"),
        ("", "'' is neither a file"),
        (",".join([DOG] * 100), "is neither a file"),
    ],
)
def test_what_holds_no_classes_is_refused(given: Any, said: str) -> None:
    with pytest.raises(DataError, match=said) as error:
        class_entries(given, "train")
    assert error.value.argument == "train"


def test_candidates_that_are_there_twice_are_named(tmp_path: Path) -> None:
    path = tmp_path / "candidates.txt"
    path.write_text("dog\ndog\ncat\n")
    with pytest.raises(DataError, match=r"candidates\.txt:2: dog is there twice: line 1 and line"):
        gz.evaluate([DOG], [[DOG]], candidates=path, rounds=10)
    with pytest.raises(DataError, match=r"class 1: n02084071 .*is there twice"):
        gz.evaluate([DOG], [[DOG]], candidates=["dog.n.01", DOG, CAT], rounds=10)


def test_numbers_are_no_words() -> None:
    """0 is not zero.n.02."""
    scores = [[0.9, 0.1], [0.2, 0.8]]
    with pytest.raises(DataError, match="there is no class 7"):
        gz.evaluate([DOG, CAT], scores, candidates=[DOG, CAT], valid=[7], rounds=10)
    for train in ([0, None], [0, float("nan")]):
        with pytest.raises(DataError, match="train, class 1: a class is a text"):
            gz.evaluate([DOG, CAT], scores, candidates=[DOG, CAT], train=train, rounds=10)
    with pytest.raises(DataError, match="train, class 0: there is no class 0"):
        gz.evaluate([DOG, CAT], scores, candidates=[DOG, CAT], train=[0, 1], rounds=10)


def test_prompts_read_a_generator_once(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text(f"{DOG} dog\n{CAT} cat\n")
    assert make_prompts((each for each in (DOG, CAT)), names).classes == [DOG, CAT]


def test_a_set_has_no_order_for_scores() -> None:
    """Its order is another one in each process, and so was hit@1."""
    wordnet = gz.Hierarchy.load()
    for given in ({DOG, CAT}, frozenset({DOG, CAT})):
        with pytest.raises(DataError, match="candidates is a set"):
            gz.evaluate([DOG, CAT], [[0.9, 0.1], [0.2, 0.8]], candidates=given, rounds=10)
        with pytest.raises(DataError, match="classes is a set"):
            gz.hierarchical.precision_recall_f(wordnet, [0], [1], classes=given)
    run = gz.evaluate([DOG], [[0.9, 0.1]], candidates=[DOG, CAT], valid={CAT, DOG}, rounds=10)
    assert run["hit@1"].per_sample == 1


def test_class_numbers_in_a_file_are_no_words(tmp_path: Path) -> None:
    path = tmp_path / "numbers.txt"
    path.write_text("0\n1\n1.5\n")
    with pytest.raises(DataError, match=r"numbers\.txt:1: '0' is a number") as error:
        wnids_where_named(path)
    assert "numbers.txt:3: '1.5' is a number" in str(error.value)
