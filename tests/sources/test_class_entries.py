"""Lists of classes in all the forms that people have them in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import graphzsl as gz
from graphzsl.clip import make_prompts
from graphzsl.common import DataError
from graphzsl.hierarchy.resolver import resolve_all, wnids_where_named
from graphzsl.names.name_lists import read_name_list
from graphzsl.sources import class_entries
from graphzsl.sources.imagenet import read_class_list
from graphzsl.sources.listed_classes import Listed
from tests.audit.kinds import evaluated

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
        evaluated([DOG], [[DOG]], candidates=path, rounds=10)
    with pytest.raises(DataError, match=r"class 1: n02084071 .*is there twice"):
        evaluated([DOG], [[DOG]], candidates=["dog.n.01", DOG, CAT], rounds=10)


def test_numbers_are_no_words() -> None:
    """0 is not zero.n.02."""
    scores = [[0.9, 0.1], [0.2, 0.8]]
    with pytest.raises(DataError, match="valid, class 0: '7' is a number, such as"):
        evaluated([DOG, CAT], scores, candidates=[DOG, CAT], valid=[7], rounds=10)
    for train in ([0, None], [0, float("nan")]):
        with pytest.raises(DataError, match="train, class 1: a class is a text"):
            evaluated([DOG, CAT], scores, candidates=[DOG, CAT], train=train, rounds=10)
    with pytest.raises(DataError, match="train, class 0: '0' is a number, such as"):
        evaluated([DOG, CAT], scores, candidates=[DOG, CAT], train=[0, 1], rounds=10)


def test_prompts_read_a_generator_once(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text(f"{DOG} dog\n{CAT} cat\n")
    assert make_prompts((each for each in (DOG, CAT)), names).classes == [DOG, CAT]


def test_a_set_has_no_order_for_scores() -> None:
    """Its order is another one in each process, and so was hit@1."""
    wordnet = gz.Hierarchy.load()
    for given in ({DOG, CAT}, frozenset({DOG, CAT})):
        with pytest.raises(DataError, match="candidates is a set"):
            evaluated([DOG, CAT], [[0.9, 0.1], [0.2, 0.8]], candidates=given, rounds=10)
        with pytest.raises(DataError, match="classes is a set"):
            gz.hierarchical.precision_recall_f(wordnet, [0], [1], classes=given)
    run = evaluated([DOG], [[0.9, 0.1]], candidates=[DOG, CAT], valid={CAT, DOG}, rounds=10)
    assert run["hit@1"].per_sample == 1


def test_class_numbers_in_a_file_are_no_words(tmp_path: Path) -> None:
    path = tmp_path / "numbers.txt"
    path.write_text("0\n1\n1.5\n")
    with pytest.raises(DataError, match=r"numbers\.txt:1: '0' is a number") as error:
        wnids_where_named(path)
    assert "numbers.txt:3: '1.5' is a number" in str(error.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", f"dog,{DOG}\ncat,{CAT}\n"),
        ("a.csv", f"name,wnid\ndog,{DOG}\ncat,{CAT}\n"),
        ("a.csv", f'label,wnid,count\n0,{DOG},5\n1,"{CAT}",6\n'),
        ("a.tsv", f"# a comment\nindex\tsynset\n0\t{DOG}\n1\t{CAT}\n"),
        ("a.csv", f"class,count\n{DOG},5\n{CAT},6\n"),
        ("a.csv", f"wnid,parent\n{DOG},n02083346\n{CAT},n02120997\n"),
        ("a.txt", f"{DOG} {CAT}\n"),
        ("a.json", f'["{DOG}", "{CAT}"]'),
        ("a.txt", f'\ufeff[\n "{DOG}",\n "{CAT}"\n]\n'),
    ],
)
def test_wnids_where_other_tools_write_them(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert [entry.text for entry in class_entries(tmp_path / name)] == [DOG, CAT]


def test_places_in_tables_and_json(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"name,wnid\n\ndog,{DOG}\nhound,{DOG}\n")
    with pytest.raises(DataError, match=r"a\.csv:4: .* is there twice: line 3 and line 4"):
        resolve_all(path)
    path = tmp_path / "a.json"
    path.write_text('["dog.n.01", "dogg.n.01"]')
    with pytest.raises(DataError, match=r"a\.json: entry 2: 'dogg\.n\.01' is not a noun synset"):
        resolve_all(path)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"dog": 0.5}', "a.json: the keys 'dog' are neither wnids"),
        ("a.txt", f"{DOG}, a domestic {CAT}\n{CAT}\n", f"a.txt:1: {CAT} stands behind {DOG}"),
        ("a.json", "[1, 2]", "a.json: entry 1: expected a name, not the number 1"),
        ("a.json", "[]", "a.json is empty"),
        ("a.json", f"{DOG}\n", "a.json: not valid JSON"),
        ("a.csv", f"dog,{DOG}\ncat\n", f"a.csv:1: 'dog,{DOG}' has {DOG} behind something else"),
        ("a.csv", f"dog,{DOG}\n{CAT},cat\n", "a.csv:1: 'dog,"),
        ("a.csv", f"n0208407,dog\n{CAT},cat\n", "a.csv:1: 'n0208407' is not a wnid"),
    ],
)
def test_other_tables_and_json_are_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError) as error:
        resolve_all(tmp_path / name)
    assert said in str(error.value)


@pytest.mark.parametrize("head", ["synset", "name", "Class", '"label"', "name,class", "species"])
def test_what_a_column_is_called_is_no_class(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], head: str
) -> None:
    """A list that a table's only column was written to."""
    path = tmp_path / "mine.csv"
    path.write_text(f"{head}\ntench\ngoldfish\n")
    assert [(entry.text, entry.at) for entry in class_entries(path)] == [
        ("tench", "line 2"),
        ("goldfish", "line 3"),
    ]
    said = " ".join(capsys.readouterr().err.split())
    assert f"mine.csv:1: {head!r} is read as a header" in said
    # a class that is called so has no wnid to be written
    assert "write a line with the word wnid above it." in said
    path.write_text(f"wnid\n{head}\ntench\ngoldfish\n")
    assert [entry.text for entry in class_entries(path)] == [head.strip('"'), "tench", "goldfish"]
    assert not capsys.readouterr().err


@pytest.mark.parametrize("mark", [" ", "\t", ",", ";", " ; "])
def test_whatever_separates_a_wnid_from_its_name(tmp_path: Path, mark: str) -> None:
    """The same marks in rows and in headers, for every reader of lists."""
    path = tmp_path / "mine.txt"
    path.write_text(f"{DOG}{mark}dog\n{CAT}{mark}cat\n")
    assert [wnid for _, wnid in read_class_list(path)] == [DOG, CAT]
    assert [entry.text for entry in class_entries(path)] == [DOG, CAT]
    names = [Listed("line 1", DOG, "dog"), Listed("line 2", CAT, "cat")]
    assert read_name_list(path).entries == names
    path.write_text(f"wnid{mark}name\n{DOG}{mark}dog\n{CAT}{mark}cat\n")
    assert [entry.text for entry in class_entries(path)] == [DOG, CAT]
    if mark in "\t,;":
        assert [each.name for each in read_name_list(path).entries] == ["dog", "cat"]
        path.write_text(f"name{mark}wnid\ndog{mark}{DOG}\ncat{mark}{CAT}\n")
        assert [entry.text for entry in class_entries(path)] == [DOG, CAT]
        assert [each.wnid for each in read_name_list(path).entries] == [DOG, CAT]


def test_a_first_class_is_no_header(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.txt"
    for text in ("label\n", "n07202579 label\ntench\n", "name tag\ntench\n", "tench\nname\n"):
        path.write_text(text)
        assert len(class_entries(path)) == text.count("\n")
    assert not capsys.readouterr().err


def test_quotes_around_a_line_are_those_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text('"tench"\n"ice cream, icecream"\n"the ""great"" auk"\n"n02084071" dog\n')
    assert [entry.text for entry in class_entries(path)] == [
        "tench",
        "ice cream, icecream",
        'the "great" auk',
        DOG,
    ]
