"""Lines of keys and entries of TOML wherever they stand, and all that is wrong in one error."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from graphzsl.common import SettingsError
from graphzsl.common.text_files import parsed_toml
from graphzsl.common.toml_problems import Problem, line_of_entry, line_of_key, refusal

TEXT = """# size = 9
name = "r"
doc = \"\"\"
size = 7
\"\"\"
exclude_sets = [
  "a",  # "b"
  # "b"
  "b",
]
"si\\u007ae" = 5

[[exclude]]
synsets = ["n00001024 person"]

[[exclude]]
# both
reason = "size"
synsets = ["n00001005 bird",
  "n00001030 drone"]

[card]
limits = []
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 2),
        (("doc",), 3),
        (("exclude_sets",), 6),
        # neither the comment nor the words of the document, but the key, however it is spelled
        (("size",), 11),
        (("exclude", 0, "synsets"), 14),
        (("exclude", 1, "reason"), 18),
        (("exclude", 1, "synsets"), 19),
        (("card", "limits"), 23),
        (("absent",), 1),
        (("exclude", 2, "reason"), 1),
    ],
)
def test_the_line_of_a_key(path: tuple[str | int, ...], line: int) -> None:
    assert line_of_key(TEXT, *path) == line


def test_the_line_of_an_entry() -> None:
    # the comment of line 8 does not count
    assert line_of_entry(TEXT, "b", 8) == 9
    assert line_of_entry(TEXT, "n00001030", 13) == 20
    assert line_of_entry(TEXT, "n99999999", 13) == 13


def test_problems_are_said_in_the_order_of_their_lines() -> None:
    problems = [
        Problem(("card", "limits"), "too few"),
        Problem((), "the file lacks a key"),
        Problem(("exclude_sets",), "no set 'a'. Did you mean 'c'?", "a"),
        Problem(("exclude", 1, "synsets"), "may mean\n  n1: a bird"),
        # what is found twice is said once
        Problem((), "the file lacks a key"),
    ]
    said = [(19, "said itself"), (2, "said itself too")]
    error = refusal(problems, TEXT, lambda line: f"f:{line}", said)
    assert str(error).splitlines() == [
        "f:1: the file lacks a key.",
        "said itself too",
        "f:7: no set 'a'. Did you mean 'c'?",
        "f:19: may mean",
        "  n1: a bird",
        "said itself",
        "f:23: too few.",
    ]


def test_places_in_long_files_are_found_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file was read again up to each of its lines: a thousand times what it holds."""
    keys = [f"k{number}" for number in range(1000)]
    text = "".join(f"{key} = 1\n" for key in keys) + "long = [\n" + "  1,\n" * 900 + "]\n"
    parsed: list[int] = []
    whole = tomllib.loads

    def counted(part: str) -> dict[str, Any]:
        parsed.append(len(part))
        return whole(part)

    monkeypatch.setattr("graphzsl.common.toml_problems.tomllib.loads", counted)
    problems = [Problem((key,), f"there is no {key}", key) for key in (*keys, "long")]
    error = refusal(problems, text, lambda line: f"f:{line}")
    assert sum(parsed) <= len(text)
    said = str(error).splitlines()
    assert said[19:] == ["f:20: there is no k19.", "981 more problems."]
    assert line_of_key(text, "long", 899) == 1001


#: By hand: brackets and quotes in texts and comments, keys with dots, tables in lists of tables.
MIXED = '''a = """x
["""
b.c = [1,  # ]
  [3, {x = 1}]]
"e\\"[" = "["
v = '[' # '
[[t]]
x = 1
[t.s]
y = 2
[[t.u]]
z = 1
[[t.u]]
z = """
[[t]]
"""
[[t]]
[[t.u]]
z = 3
[ k . "l.m" ]
w = """ a"""""
n = 1
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("b", "c", 1, 1, "x"), 3),
        (('e"[',), 5),
        (("v",), 6),
        (("t",), 7),
        (("t", 0, "s", "y"), 10),
        (("t", 0, "u", 1), 13),
        (("t", 0, "u", 1, "z"), 14),
        (("t", 1), 17),
        (("t", 1, "u", 0, "z"), 19),
        (("k", "l.m"), 20),
        (("k", "l.m", "n"), 22),
    ],
)
def test_the_line_of_a_key_among_texts_and_tables(path: tuple[str | int, ...], line: int) -> None:
    assert line_of_key(MIXED, *path) == line


@pytest.mark.parametrize("begin", ["", "[", "[[", "  "])
def test_a_key_of_very_many_parts_is_refused_at_once(begin: str) -> None:
    text = "a = 1\n" + begin + "a." * 150_000 + "a = 1\n"
    with pytest.raises(SettingsError, match=r"x\.toml:2: .* a key of more than 100 parts"):
        parsed_toml(text, lambda line: f"x.toml:{line}")
