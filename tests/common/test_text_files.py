"""Text that people write: UTF-8 with and without a mark; all else is called what it is, by every
reader of such files."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import graphzsl as gz
from graphzsl.audit import read_predictions
from graphzsl.benchmark import read_configurations, read_recipe
from graphzsl.clip import config as clip_config
from graphzsl.common import DataError, GraphZSLError, SettingsError, load_settings, read_lines
from graphzsl.common.files import read_json
from graphzsl.common.text_files import decoded, open_text, read_text, read_toml
from graphzsl.database import find_statement
from graphzsl.models.runs import grid_config
from graphzsl.names import class_name_column
from graphzsl.names.class_texts import read_class_texts
from graphzsl.names.name_lists import read_name_list
from graphzsl.sources.imagenet import read_class_list

LATIN = "the caf\xe9".encode("latin-1")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("dog\n".encode("utf-16"), "x is UTF-16; save it as UTF-8."),
        (codecs.BOM_UTF16_BE + "dog\n".encode("utf-16-be"), "x is UTF-16; save it as UTF-8."),
        ("dog\n".encode("utf-16-le"), "x is UTF-16; save it as UTF-8."),
        ("dog\n".encode("utf-16-be"), "x is UTF-16; save it as UTF-8."),
        ("dog\n".encode("utf-32"), "x is UTF-32; save it as UTF-8."),
        (b"dog\ncat\0\n", "x:2: a NUL byte (byte 7), which no text has: the file is damaged"),
        (b"dog\n" + LATIN, "x:2: not UTF-8 text (unexpected end of data at byte 11). Save it as"),
        (codecs.BOM_UTF8 + LATIN, "x:1: not UTF-8 text (unexpected end of data at byte 10)."),
    ],
)
def test_what_is_no_utf_8_is_called_what_it_is(content: bytes, said: str) -> None:
    with pytest.raises(DataError) as error:
        decoded(content, "x")
    assert str(error.value).startswith(said)


def test_utf_8_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for content in (b"", b"a", "caf\xe9\r\ndog\rcat\n".encode(), "\u4e2d\u6587\n".encode() * 200):
        for mark in (b"", codecs.BOM_UTF8):
            path.write_bytes(mark + content)
            # pathlib is the oracle, for the ends of lines too
            assert read_text(path) == path.read_text(encoding="utf-8-sig")
            with path.open(encoding="utf-8-sig", newline="") as file:
                assert open_text(path).readlines() == file.readlines()


#: What reads text that people write -> the name of a file of it.
READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "recipe": ("r.toml", read_recipe),
    "clip": ("c.toml", clip_config.read_config),
    "grid": ("g.toml", grid_config.read_config),
    "classes": ("c.txt", read_class_list),
    "lines": ("l.txt", read_lines),
    "names": ("n.txt", read_name_list),
    "names as JSON": ("n.json", read_name_list),
    "texts of classes": ("t.json", read_class_texts),
    "JSON": ("x.json", read_json),
    "predictions as CSV": ("p.csv", read_predictions),
    "predictions as TSV": ("p.tsv", read_predictions),
    "predictions as text": ("p.txt", read_predictions),
    "predictions as JSON": ("p.json", read_predictions),
    "predictions as JSON lines": ("p.jsonl", read_predictions),
    "a table of classes": ("t.csv", class_name_column),
    "configurations": ("a.csv", read_configurations),
    "Cypher": ("q.cypher", lambda path: find_statement(str(path))),
}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_says_so(name: str, tmp_path: Path) -> None:
    file, read = READERS[name]
    path = tmp_path / file
    for content, said in (
        ('name = "dog"\n'.encode("utf-16"), f"{path} is UTF-16; save it as UTF-8."),
        (b'name = "dog\0"\n', f"{path}:1: a NUL byte (byte 11), which no text has"),
    ):
        path.write_bytes(content)
        with pytest.raises(GraphZSLError) as error:
            read(path)
        assert str(error.value).startswith(said)


def test_the_mark_of_windows_editors_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(codecs.BOM_UTF8 + b'name = "dog"\r\n')
    assert read_recipe(path).name == "dog"
    assert read_toml(path).given == {"name": "dog"}
    path.write_bytes(codecs.BOM_UTF8 + b'out = "r"\r\nmodels = 3\ndata = "d"\n')
    with pytest.raises(SettingsError, match=r"x\.toml:2: \[models\] is a table, not 3\.$"):
        grid_config.read_config(path)
    path.write_bytes(codecs.BOM_UTF8 + b"bolt_port = 7690\r\n")
    monkeypatch.setattr("graphzsl.common.settings.config_path", lambda: path)
    assert load_settings().bolt_port == 7690
    path.write_bytes("bolt_port = 7690".encode("utf-16"))
    with pytest.raises(SettingsError, match=r"is UTF-16; save it as UTF-8\. Correct or delete"):
        load_settings()
    assert gz.Settings().bolt_port == 7687


def test_what_is_no_toml_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    for text, line in (("a = 1\nb = \n", 2), ('a = 1\nb = "', 2), ("a = 1\na = 2\nb = 3\n", 2)):
        path.write_text(text)
        with pytest.raises(SettingsError, match=rf"x\.toml:{line}: not valid TOML: "):
            read_toml(path)
    path.write_text("a = " + "[" * 10000)
    with pytest.raises(SettingsError, match="too deep in each other"):
        read_toml(path)
    with pytest.raises(DataError, match="does not exist"):
        read_toml(tmp_path / "none.toml")


#: Texts with a number in them, and the line of it.
WITH_A_NUMBER = [
    ("a = 1\nhide = {}\n", 2),
    ("[splits]\nx = [1, [2, {}]]\n", 2),
    ("[[runs]]\na = 1\n\n[[runs]]\na = {{ b = {} }}\n", 5),
]


@pytest.mark.parametrize(("text", "line"), WITH_A_NUMBER)
@pytest.mark.parametrize("number", ["inf", "-inf", "nan", "1e400"])
def test_numbers_that_are_not_finite_are_refused(
    tmp_path: Path, text: str, line: int, number: str
) -> None:
    (tmp_path / "a.toml").write_text(text.format(number))
    with pytest.raises(SettingsError, match=rf"a\.toml:{line}: the number .* is not finite"):
        read_toml(tmp_path / "a.toml")


@pytest.mark.parametrize(("text", "line"), WITH_A_NUMBER)
@pytest.mark.parametrize("number", ["0x" + "f" * 4000, "-1" + "0" * 400, "0b" + "1" * 20_000])
def test_numbers_that_python_does_not_write_are_refused(
    tmp_path: Path, text: str, line: int, number: str
) -> None:
    """TOML has hexadecimal ones, which have no limit in Python; a message could not show them."""
    path = tmp_path / "a.toml"
    path.write_text(text.format(number))
    with pytest.raises(SettingsError, match=rf"a\.toml:{line}: a number of more than 300 digits"):
        read_toml(path)
    path.write_text(text.format(10**299))
    assert read_toml(path).given


#: A text with a character that acts on what stands around it, as each file has it -> its reader,
#: and where the message says that it is.
FREE: dict[str, tuple[str, str, Callable[[Path], Any], str]] = {
    "doc of a recipe": ("r.toml", 'name = "r"\ndoc = "a\\u0000b"', read_recipe, ":2: 'doc' holds"),
    "reason of a recipe": (
        "r.toml",
        'name = "r"\n\n[[exclude]]\nreason = "\u202ex"\nsynsets = ["dog"]',
        read_recipe,
        ":4: 'reason' holds",
    ),
    "model of a run": (
        "c.toml",
        'out = "o"\nmodel = "\\u0000"',
        clip_config.read_config,
        ":2: 'model' holds",
    ),
    "option of a grid": (
        "g.toml",
        '[models."\\u001bx"]',
        grid_config.read_config,
        ":1: '\\x1bx' holds",
    ),
    "name in lines": ("n.txt", "dog\nc\u2066at\u2069\n", read_name_list, ":2: the name"),
    "unseen character": ("n.json", '["cat", "ca\\u200bt"]', read_name_list, ": entry 2: the name"),
    "template": (
        "t.json",
        '["a {c}.", "\\u001b[31ma {c}."]',
        read_class_texts,
        ": A template: the n",
    ),
}


@pytest.mark.parametrize("name", FREE)
def test_free_texts_hold_nothing_that_acts_on_a_line(name: str, tmp_path: Path) -> None:
    file, content, read, said = FREE[name]
    path = tmp_path / file
    path.write_text(content, encoding="utf-8")
    with pytest.raises(GraphZSLError, match=r"U\+(0000|001B|200B|202E|2066)") as error:
        read(path)
    assert str(error.value).startswith(f"{path}{said}")
    path.write_text('name = "r"\ndoc = """\ta\n\u200fb\u200e"""', encoding="utf-8")
    assert read_toml(path).given["doc"] == "\ta\n\u200fb\u200e", "tabs, lines and marks stay"


def test_sentences_of_others_are_read_without_what_acts_on_a_line(tmp_path: Path) -> None:
    """One of a million is no reason to refuse the file."""
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"n02084071": ["It\x92s a\x1b[2J dog.", "\u202aIt\u202c\nbarks."]}))
    found = read_class_texts(path).of_key
    assert found == {"n02084071": ["It s a [2J dog.", " It \nbarks."]}
