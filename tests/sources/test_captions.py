"""Captions and vocabularies as they are read, and what of them is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.sources import read_captions, read_vocabulary


def test_captions_of_flickr8k_and_of_json_lines(tmp_path: Path) -> None:
    table, lists = tmp_path / "c.token.txt", tmp_path / "c.jsonl"
    table.write_text("b.jpg#0\tA dog .\na.jpg#0\t A cat\nb.jpg#1\tTwo\tdogs\n")
    assert read_captions(table) == {"b.jpg": ["A dog .", "Two\tdogs"], "a.jpg": ["A cat"]}
    lists.write_text('["A dog", "Dogs"]\n[]\n')
    assert read_captions(lists) == {"0": ["A dog", "Dogs"], "1": []}
    assert read_vocabulary(table) == ["A dog .", "A cat", "Two\tdogs"]
    assert read_vocabulary(lists) == ["A dog", "Dogs"]
    lists.write_text('{"polar bear": 3, "dog": 0.5}\n')
    table.write_text("# words\ndog\n\npolar bear\n")
    assert read_vocabulary(lists) == ["polar bear", "dog"]
    assert read_vocabulary(table) == ["dog", "polar bear"]


def test_control_characters_of_captions_become_spaces(tmp_path: Path) -> None:
    table, lists = tmp_path / "c.token.txt", tmp_path / "c.jsonl"
    table.write_text("a.jpg#0\tA \x1b[31mdog\nb.jpg#0\tIt\x92s \u202ea cat\n", encoding="utf-8")
    lists.write_text('["A \\u001b[31mdog"]\n', encoding="utf-8")
    assert read_captions(table) == {"a.jpg": ["A  [31mdog"], "b.jpg": ["It s  a cat"]}
    assert read_vocabulary(table) == ["A  [31mdog", "It s  a cat"]
    assert read_captions(lists)["0"] == read_vocabulary(lists) == ["A  [31mdog"]


def test_a_line_ends_at_its_break_alone(tmp_path: Path) -> None:
    """Python's splitlines ends one at U+0085, U+2028 and form feeds too, which JSON writes raw."""
    table, lists = tmp_path / "c.token.txt", tmp_path / "c.jsonl"
    table.write_text("a.jpg#0\tone\u2028dog\r\nb.jpg#0\ttwo\n", encoding="utf-8")
    lists.write_text('["one\u2028dog", "a\x85cat"]\n["two"]', encoding="utf-8")
    assert read_captions(table) == {"a.jpg": ["one\u2028dog"], "b.jpg": ["two"]}
    assert read_captions(lists) == {"0": ["one\u2028dog", "a cat"], "1": ["two"]}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("c.txt", "a.jpg#0\tdog\na.jpg\tcat\n", "c.txt:2: expected IMAGE#NUMBER, a tab"),
        (
            "c.txt",
            "a#0\tdog\n# no\na#0\tcat\n",
            "caption 0 of 'a' is there twice: line 1 and line 3",
        ),
        ("c.txt", "", "holds no captions"),
        ("c.jsonl", '["dog"]\n{"dog": 1}\n', "c.jsonl:2: expected a list of captions"),
        ("c.jsonl", "[1]\n", "c.jsonl:1: expected a list of captions"),
        ("c.jsonl", "[\n", "c.jsonl:1"),
    ],
)
def test_wrong_captions(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=said):
        read_captions(tmp_path / name)


def test_an_empty_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("# nothing\n")
    with pytest.raises(DataError, match="holds no words"):
        read_vocabulary(tmp_path / "v.txt")
