"""Files of classes in the forms that people hold: recognised, read, or named for what they are.

Expected classes are those that each file names by its own meaning.
"""

from __future__ import annotations

import gzip
import json
import pickle
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphzsl.common import DataError
from graphzsl.hierarchy import Lexicon
from graphzsl.hierarchy.resolver import resolve_all
from graphzsl.names.name_lists import read_name_list
from graphzsl.sources import class_entries
from graphzsl.sources.imagenet import listed_classes
from graphzsl.sources.wordnet_versions import other_id

TENCH, GOLDFISH, SHARK = "n01440764", "n01443537", "n01484850"
DOG, CAT = "n02084071", "n02121620"
THREE = [TENCH, GOLDFISH, SHARK]
NAMES = ["tench", "goldfish", "great white shark"]

#: name of the file, its text: all of them hold THREE, by wnid.
WNIDS = {
    "one line, blanks": ("a.txt", f"{TENCH} {GOLDFISH} {SHARK}\n"),
    "one line, commas": ("a.csv", f"{TENCH},{GOLDFISH},{SHARK}"),
    "one line, tabs": ("a.tsv", f"{TENCH}\t{GOLDFISH}\t{SHARK}"),
    "two lines": ("a.txt", f"{TENCH}, {GOLDFISH}\n{SHARK}\n"),
    "names of synsets": ("a.txt", f"tench.n.01 goldfish.n.01\n{SHARK}\n"),
    "comments": ("a.txt", f"# fish\n{TENCH}  # a fish\n\n{GOLDFISH} goldfish\n{SHARK}\n"),
    "capital letters": ("a.txt", "N01440764\nN01443537\nN01484850\n"),
    "folders": ("a.txt", f"{TENCH}/\n./{GOLDFISH}\n{SHARK}.tar\n"),
    "devkit": ("a.txt", f"{TENCH} 1 tench\n{GOLDFISH} 2 goldfish\n{SHARK} 3 great_white_shark\n"),
    "colons": ("a.txt", f"{TENCH} : tench\n{GOLDFISH} : goldfish\n{SHARK} : great white shark\n"),
    "numbers before": ("a.txt", f"0 {TENCH}\n1 {GOLDFISH}\n2 {SHARK}\n"),
    "number, wnid, name": ("a.csv", f"0,{TENCH},tench\n1,{GOLDFISH},goldfish\n2,{SHARK},shark\n"),
    "header": ("a.csv", f"id,synset,images\n1,{TENCH},5\n2,{GOLDFISH},6\n3,{SHARK},7\n"),
    "keras": (
        "a.json",
        json.dumps({"0": [TENCH, "tench"], "1": [GOLDFISH, "goldfish"], "2": [SHARK, "shark"]}),
    ),
    "wnid to number": ("a.json", json.dumps({SHARK: 2, TENCH: 0, GOLDFISH: 1})),
    "counts": ("a.json", json.dumps({TENCH: 1300, GOLDFISH: 900, SHARK: 1300})),
    "wnid to words": ("a.json", json.dumps({each: ["a word", "another"] for each in THREE})),
    "id2label": ("config.json", json.dumps({"model": "x", "id2label": dict(enumerate(THREE))})),
    "objects": ("a.json", json.dumps([{"id": 1, "synset": each, "name": "x"} for each in THREE])),
    "python": ("wnids.py", f"import os\nwnids = ['{TENCH}', '{GOLDFISH}', '{SHARK}']\n"),
    "ordered": ("a.txt", f"OrderedDict([('{TENCH}', 0), ('{GOLDFISH}', 1), ('{SHARK}', 2)])"),
    "yaml": (
        "a.yaml",
        f"path: x\nnames: [tench]\nmap:\n  {TENCH}: a\n  {GOLDFISH}: b\n  {SHARK}: c\n",
    ),
    "label map": (
        "a.pbtxt",
        "".join(
            f'entry {{\n  target_class: {at}\n  target_class_string: "{wnid}"\n}}\n'
            for at, wnid in enumerate(THREE, 1)
        ),
    ),
    "label map of detection": (
        "a.txt",
        "".join(f"item {{ name: '{wnid}' id: {at} }}\n" for at, wnid in enumerate(THREE)),
    ),
}


@pytest.mark.parametrize("kind", WNIDS)
def test_wnids_in_all_the_forms(kind: str, tmp_path: Path) -> None:
    name, text = WNIDS[kind]
    (tmp_path / name).write_text(text)
    assert resolve_all(tmp_path / name) == THREE


#: name of the file, its text: NAMES in this order, without wnids.
NAMED = {
    "numbers": ("a.txt", "0 tench\n1 goldfish\n2 great white shark\n"),
    "numbers and colons": ("a.txt", "1: tench\n2: goldfish\n3: great white shark\n"),
    "another order": ("a.txt", "1) goldfish\n2) great white shark\n0) tench\n"),
    "python": ("a.txt", "{0: 'tench',\n 1: 'goldfish',\n 2: 'great white shark'}\n"),
    "index and name": ("a.csv", "index,name\n0,tench\n1,goldfish\n2,great white shark\n"),
    "printname": ("a.csv", "file,,printname\na,,tench\nb,,goldfish\nc,,great white shark\n"),
    "name to number": ("a.json", '{"great white shark": 2, "tench": 0, "goldfish": 1}'),
    "id2label": ("config.json", json.dumps({"id2label": dict(enumerate(NAMES))})),
    "names of a yaml": (
        "a.yml",
        "nc: 3\nnames:\n  0: tench\n  1: goldfish\n  2: great white shark\n",
    ),
    "several lists of python": ("a.py", f"other = ['a', 'b']\nnames = {NAMES!r}\n"),
}


@pytest.mark.parametrize("kind", NAMED)
def test_names_in_all_the_forms(kind: str, tmp_path: Path) -> None:
    name, text = NAMED[kind]
    (tmp_path / name).write_text(text)
    found = read_name_list(tmp_path / name, size=3)
    assert [str(each.name) for each in found.entries] == NAMES
    if kind != "several lists of python":
        assert [each.text for each in class_entries(tmp_path / name)] == NAMES


def test_rows_of_images_are_classes_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "images.csv"
    path.write_text("image_location,class\na/1.jpg,tench\na/2.jpg,tench\nb/1.jpg,goldfish\n")
    assert [each.text for each in class_entries(path)] == ["tench", "goldfish"]
    said = capsys.readouterr().err
    assert "3 rows of images, of 2 classes" in " ".join(said.split())


#: name of the file, its content -> what the refusal says.
OTHERS = {
    "notebook": (
        "a.ipynb",
        b'{"cells": [], "nbformat": 4}',
        "is a Jupyter notebook. Save the list",
    ),
    "web page": ("a.txt", b"<!DOCTYPE html><html><body>tench</body></html>", "is a page of HTML"),
    "pickle": ("a.pkl", pickle.dumps([TENCH]), "is a pickle, which can run code and is not read"),
    "pickle of another name": ("a.txt", pickle.dumps([TENCH]), "is a pickle"),
    "gzip": ("a.txt", gzip.compress(TENCH.encode()), "is packed by gzip; unpack it"),
    "numpy": ("a.txt", b"\x93NUMPY\x01\x00", "is an array of NumPy. Save the list as text"),
    "empty": ("a.txt", b" \n\n", "is empty; expected one class per line"),
    "no text": ("a.txt", b"tench\x00", "a NUL byte"),
    "a second wnid": ("a.txt", f"{TENCH} and not {GOLDFISH}".encode(), f"{GOLDFISH} stands behind"),
    "a wnid behind": ("a.txt", f"a dog {DOG}\ncat\n".encode(), f"has {DOG} behind something else"),
    "yaml twice": ("a.yaml", b"names:\n  0: a\n  0: b\n", "the key '0' is there twice"),
    "python twice": ("a.txt", b"{0: 'tench', 0: 'hen'}", "the key '0' is there twice"),
    "python twice, as number and text": ("a.txt", b"{0: 'tench', '0': 'hen'}", "the key '0' is"),
    "json twice": ("a.json", b'{"0": "tench", "0": "hen"}', "has the key '0' twice"),
    "yaml alias": ("a.yaml", b"a: &x [b]\nnames: *x\n", "an alias of YAML"),
    "several lists": ("a.json", b'{"seen": ["a", "b"], "unseen": ["c", "d"]}', "several lists"),
    "numbers lack one": ("a.json", b'{"0": "a", "2": "b"}', "the class numbers 0 to 2 lack 1"),
    "code": ("a.py", b"names = [__import__('os').name]", "assigns no list of texts"),
}


#: Files in which the dog is class 1 and the cat class 0, written in the other order.
NUMBERED = {
    "a.csv": "id,name\n1,dog\n0,cat\n",
    "b.csv": "name,index\ndog,1\ncat,0\n",
    "c.csv": "class_index,class_name\n2,dog\n1,cat\n",
    "d.csv": "index,wnid\n1,n02084071\n0,n02121620\n",
    "e.csv": "1,n02084071\n0,n02121620\n",
    "f.txt": "1 dog\n0 cat\n",
    "g.json": '{"dog": 1, "cat": 0}',
    "h.json": '[{"id": 1, "name": "dog"}, {"id": 0, "name": "cat"}]',
    "i.jsonl": '{"id": 1, "name": "dog"}\n{"id": 0, "name": "cat"}\n',
    "j.csv": "id,name\n7,cat\n3,dog\n",  # no positions
}


@pytest.mark.parametrize("name", NUMBERED)
def test_classes_are_in_the_order_of_their_numbers(name: str, tmp_path: Path) -> None:
    """Columns of scores have the places that the numbers say."""
    path = tmp_path / name
    path.write_text(NUMBERED[name])
    assert resolve_all(path) == ["n02121620", "n02084071"]


def test_a_dictionary_is_read_as_a_document_is() -> None:
    for classes in ({"dog": 1, "cat": 0}, {1: "dog", 0: "cat"}):
        assert resolve_all(classes) == ["n02121620", "n02084071"]


def test_json_lines_and_names_with_wnids(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    path.write_text('{"wnid": "n02084071", "name": "dog"}\n{"wnid": "n02121620", "name": "cat"}\n')
    assert resolve_all(path) == ["n02084071", "n02121620"]
    path = tmp_path / "k.json"
    path.write_text('{"my dog": "n02084071", "my cat": "n02121620"}')
    assert resolve_all(path) == ["n02084071", "n02121620"]
    listed = read_name_list(path)
    assert [(each.wnid, each.name) for each in listed.entries] == [
        ("n02084071", "my dog"),
        ("n02121620", "my cat"),
    ]


@pytest.mark.parametrize("kind", OTHERS)
def test_other_files_are_named_for_what_they_are(kind: str, tmp_path: Path) -> None:
    name, content, said = OTHERS[kind]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as error:
        class_entries(tmp_path / name)
    assert said in str(error.value)
    assert str(tmp_path / name) in str(error.value)


def test_archives_are_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.txt", "w") as file:
        file.writestr("list.txt", TENCH)
    np.savez(tmp_path / "b.npz", wnids=np.array(THREE))
    for name in ("a.txt", "b.npz"):
        with pytest.raises(DataError, match="is a ZIP archive"):
            class_entries(tmp_path / name)


def test_partly_numbered_lists_keep_their_texts(tmp_path: Path) -> None:
    """No line is cut where the numbers are not those of classes."""
    path = tmp_path / "a.txt"
    for text in (
        "3 tench\n5 hen\n",
        "0 tench\nhen\n",
        "2001 maniacs\n",
        "0.5\n1.5\n",
        "file\nhen\n",
    ):
        path.write_text(text)
        assert [each.text for each in class_entries(path)] == text.splitlines()


@pytest.mark.parametrize(
    ("text", "wnids"),
    [
        ("oewn-01819115-n", ["n01816474"]),  # Pallas's sandgrouse, and not the cockatoo n01819115
        ("oewn-02086723-n", [DOG]),
        ("02086723-n", [DOG]),
        ("02084071-n", [DOG]),
        ("i46360", [DOG]),
        ("ili:i46593", [CAT]),
        ("oewn-99999999-n", []),
    ],
)
def test_ids_of_other_wordnets_are_translated(text: str, wnids: list[str]) -> None:
    """By the table of the Collaborative Interlingual Index; checked by hand in its Turtle."""
    found = other_id(text)
    assert found is not None
    assert found.wnids == wnids


def test_an_offset_of_two_versions_is_refused() -> None:
    """120 wnids of Fall 2011 are offsets of something else in WordNet 3.1."""
    offset = next(
        wnid[1:]
        for wnid in listed_classes("imagenet-fall11")
        if len(getattr(other_id(f"{wnid[1:]}-n"), "wnids", [])) > 1
    )
    with pytest.raises(DataError, match="is another synset in another version"):
        resolve_all([f"{offset}-n"])


def test_text_is_no_id_of_another_wordnet() -> None:
    assert [other_id(text) for text in (DOG, "dog", "i5", "iris", "02084071", "oewn-dog-n")] == [
        None
    ] * 6


#: Ways to write a list of classes as the text of a file.
FORMS = {
    "lines.txt": "\n".join,
    "line.txt": " ".join,
    "commas.csv": ",".join,
    "list.json": lambda texts: json.dumps(list(texts)),
    "numbers.json": lambda texts: json.dumps(dict(enumerate(texts))),
    "list.py": lambda texts: f"classes = {[*texts, *texts[:0]]!r}\n",
    "numbered.txt": lambda texts: "\n".join(f"{at}: {each}" for at, each in enumerate(texts)),
    "names.yaml": lambda texts: "names:\n" + "\n".join(f"- {each}" for each in texts),
}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_list_in_any_form_by_any_spelling_reads_back(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Wnids, capital letters and names of synsets, mixed."""
    lexicon = Lexicon.load()
    classes = listed_classes("imagenet-fall11")
    drawn = data.draw(
        st.lists(st.integers(0, len(classes) - 1), min_size=2, max_size=6, unique=True)
    )
    wnids = [classes[at] for at in drawn]
    spellings = [
        data.draw(st.sampled_from([wnid, wnid.upper(), lexicon.names[lexicon.index[wnid]]]))
        for wnid in wnids
    ]
    name = data.draw(st.sampled_from(sorted(FORMS)))
    path = tmp_path_factory.mktemp("form") / name
    path.write_text(FORMS[name](spellings))
    assert resolve_all(path) == wnids, re.sub(r"\s+", " ", path.read_text())
