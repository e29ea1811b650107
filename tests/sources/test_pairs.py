"""Tables with two columns: edges, counts, frequencies, in the order and form that people have."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.sources.frequencies import read_frequencies
from graphzsl.sources.hierarchy import read_hierarchy
from graphzsl.sources.populations import read_populations

PLANT, HOUSEPLANT = "n00017222", "n12992868"
CANINE, DOG, POODLE = "n02083346", "n02084071", "n02113335"
EDGES = {(HOUSEPLANT, PLANT), (DOG, CANINE)}
#: Ancestors of WordNet's, by hand.
ABOVE = {(PLANT, HOUSEPLANT), (CANINE, DOG), (DOG, POODLE), (CANINE, POODLE)}


def is_above(one: str, other: str) -> bool:
    return (one, other) in ABOVE


@pytest.mark.parametrize(
    "text",
    [
        f"{HOUSEPLANT},{PLANT}\n{DOG},{CANINE}\n",
        f"child,parent\n{HOUSEPLANT},{PLANT}\n{DOG},{CANINE}\n",
        f"parent,child\n{PLANT},{HOUSEPLANT}\n{CANINE},{DOG}\n",
        f"parent\tchild\n{PLANT}\t{HOUSEPLANT}\n{CANINE}\t{DOG}\n",
        f"{PLANT} {HOUSEPLANT}\n{CANINE} {DOG}\n",
        f"hypernym;hyponym\n{PLANT};{HOUSEPLANT}\n{CANINE};{DOG}\n",
        f"{PLANT},{HOUSEPLANT}\n{CANINE},{DOG}\n",
    ],
)
def test_the_parent_is_what_the_header_or_wordnet_calls_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(text)
    assert {row[1:] for row in read_hierarchy(path, is_above)} == EDGES


def test_a_turned_table_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "is_a.txt"
    path.write_text(f"{CANINE} {DOG}\n{DOG} {POODLE}\nn00000001 n00000002\n")
    assert read_hierarchy(path, is_above)[2] == (3, "n00000002", "n00000001")
    said = " ".join(capsys.readouterr().err.split())
    assert "the parent stands first, as WordNet has it in 2 lines." in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"child,parent\n{CANINE},{DOG}\n", ":2: WordNet has n02083346 above n02084071"),
        (f"{DOG},{CANINE}\n{DOG},{POODLE}\n", ":2: WordNet has n02084071 above n02113335"),
        (f"{DOG}\n", ":1: expected child and parent"),
    ],
)
def test_edges_that_contradict_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(text)
    with pytest.raises(DataError) as error:
        read_hierarchy(path, is_above)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", f'{{"{DOG}": 1300, "{CANINE}": 5}}'),
        ("a.csv", f"synset,count\n{DOG},1300\n{CANINE},5\n"),
        ("a.csv", f"count,synset\n1300,{DOG}\n5,{CANINE}\n"),
        ("a.csv", f"wnid,images\n{DOG},1300\n{CANINE},5\n"),
        ("a.txt", f"   1300 {DOG}\n      5 {CANINE}\n"),
        ("a.txt", f"{DOG}\t1300\n{CANINE}\t5\n"),
    ],
)
def test_counts_of_images_in_all_the_forms(tmp_path: Path, name: str, text: str) -> None:
    """The third but last is what ``uniq -c`` writes."""
    (tmp_path / name).write_text(text)
    assert [row[1:] for row in read_populations(tmp_path / name)] == [(DOG, 1300), (CANINE, 5)]


@pytest.mark.parametrize(
    "text", ["dog,7\nice_cream,3\n", "dog 7\nice_cream 3\n", "7 dog\n3 ice cream\n"]
)
def test_frequencies_of_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    assert [row[1:] for row in read_frequencies(tmp_path / "a.txt")] == [
        ("dog", 7),
        ("ice cream", 3),
    ]


def test_a_count_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(f'{{\n"{DOG}": 3,\n"{CANINE}": -1}}')
    with pytest.raises(DataError, match=r"a\.json:3: images must be a whole number"):
        read_populations(path)
    path.write_text(f'{{"{DOG}": [3]}}')
    with pytest.raises(DataError, match="expected an object of names and numbers"):
        read_populations(path)
