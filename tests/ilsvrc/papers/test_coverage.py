"""Every id of the papers has a line, and what a line names is there."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click
import pytest

import graphzsl
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.database import library
from graphzsl.ilsvrc import COVERAGE_COLUMNS, systems, tables
from graphzsl.ilsvrc.papers import System, system
from graphzsl.ilsvrc.papers.coverage import PATH, read_systems
from tests.ilsvrc.papers.page import PAGE, page_with_sections

TESTS = Path(__file__).resolve().parents[2]
#: Letter of an id -> how many the paper has: DeViSE, GOZ, Poodle, GBU, ILSVRC.
NUMBERS = {"D": 15, "G": 46, "P": 18, "X": 33, "I": 59}


def test_every_id_has_a_line_in_its_order() -> None:
    expected = [f"{letter}{n:02}" for letter, last in NUMBERS.items() for n in range(1, last + 1)]
    assert [each.id for each in systems()] == expected
    assert len(expected) == 171


def _problem_of_command(text: str) -> str | None:
    """What is wrong with the words of a command behind ``graphzsl``, if anything."""
    words, command = text.split(), main
    context = click.Context(main)
    found: click.Command = command
    while words and isinstance(found, click.Group):
        child = found.get_command(context, words[0])
        if child is None:
            return f"there is no command {words[0]!r} in {text!r}" if words[0][0] != "-" else None
        found, _ = child, words.pop(0)
    if isinstance(found, click.Group) and not found.invoke_without_command:
        return f"{text!r} is a group"
    options = {option for each in found.params for option in each.opts}
    for word in words:
        if word.startswith("-"):
            if word not in options:
                return f"{text!r} has no option {word}"
        elif text.startswith("query run "):
            if word not in library():
                return f"there is no query {word}"
        elif not text.startswith("study papers show ") or not tables(word):
            return f"{text!r}: nothing is called {word}"
    return None


def _problem_of_name(text: str) -> str | None:
    """What is wrong with a dotted name below graphzsl, if anything."""
    parts, value = text.split("."), graphzsl
    for end in range(len(parts), 0, -1):
        try:
            value = import_module(".".join(("graphzsl", *parts[:end])))
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith("graphzsl"):
                pytest.skip(f"{error.name} is not installed")
            continue
        for name in parts[end:]:
            if not hasattr(value, name):
                return f"{value.__name__} has no {name}"
            value = getattr(value, name)
        return None
    return f"there is no graphzsl.{text}"


def problems_of(each: System) -> list[str]:
    """What is wrong with a line."""
    found = []
    for place, full in zip(each.where, each.places, strict=True):
        is_command = full.startswith("graphzsl ")
        said = _problem_of_command(place) if is_command else _problem_of_name(place)
        found += [said] if said else []
    found += [f"there is no tests/{test}" for test in each.tests if not (TESTS / test).is_file()]
    if each.state == "here" and not (each.where and each.tests):
        found.append("it is here without a place or a test")
    if each.state == "partly" and not (each.where and each.why):
        found.append("it is partly here without a place, or without saying what is missing")
    if each.state == "not here" and (each.where or each.tests or each.ours or not each.why):
        found.append("it is not here: no place, test or figure, and a reason")
    if each.state == "here" and each.why:
        found.append("it is here, and something is missing")
    if each.ours and not each.tests:
        found.append("a figure of ours has no test")
    return found


@pytest.mark.parametrize("each", systems(), ids=lambda each: each.id)
def test_a_line_names_what_is_there(each: System) -> None:
    assert problems_of(each) == []


def test_what_has_a_printed_table_says_how_to_print_it() -> None:
    for each in systems():
        assert (f"study papers show {each.id}" in each.where) == bool(tables(each.id)), each.id


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("D01|here|w|split nothing|analysis/test_words.py|-|-|-", "no command 'nothing'"),
        (
            "D01|here|w|nothing.at.all|analysis/test_words.py|-|-|-",
            "there is no graphzsl.nothing.at.all",
        ),
        ("D01|here|w|metrics.nothing|analysis/test_words.py|-|-|-", "metrics has no nothing"),
        ("D01|here|w|audit --nothing|analysis/test_words.py|-|-|-", "no option --nothing"),
        ("D01|here|w|query run nothing|analysis/test_words.py|-|-|-", "no query nothing"),
        ("D01|here|w|study papers show D09|analysis/test_words.py|-|-|-", "nothing is called D09"),
        ("D01|here|w|audit|analysis/test_nothing.py|-|-|-", "no tests/analysis/test_nothing.py"),
        ("D01|here|w|audit|-|-|-|-", "here without a place or a test"),
        ("D01|partly|w|audit|-|-|-|-", "without saying what is missing"),
        ("D01|not here|w|-|-|-|-|-", "and a reason"),
    ],
)
def test_a_wrong_line_is_noticed(line: str, problem: str, tmp_path: Path) -> None:
    head = PATH.read_text(encoding="utf-8").splitlines()[0]
    path = tmp_path / "systems.tsv"
    path.write_text(head + "\n" + line.replace("|", "\t") + "\n")
    (each,) = read_systems(path)
    assert problem in "; ".join(problems_of(each))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["D01\there"], r"systems\.tsv:2: 2 cells, and the header has 8"),
        (["D01\tperhaps" + "\t-" * 6], "'perhaps' is not a state; known are here, partly"),
        (["Z01\there" + "\t-" * 6], "'Z01' is a duplicate, or is not an id"),
        (["D01\there" + "\t-" * 6] * 2, r"systems\.tsv:3: 'D01' is a duplicate"),
    ],
)
def test_a_table_that_cannot_be_read(lines: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "systems.tsv"
    path.write_text("\n".join(["\t".join(COVERAGE_COLUMNS), *lines]))
    with pytest.raises(DataError, match=message):
        read_systems(path)


def test_an_unknown_id_has_near_ones() -> None:
    assert system("x21").paper == "Xian et al. 2017"
    with pytest.raises(DataError, match=r"no id 'X210'\. Did you mean X21"):
        system("X210")
    with pytest.raises(DataError, match=r"no state 'hre'\. Did you mean here"):
        systems("hre")


def test_the_page_has_a_line_for_every_id() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page_with_sections(text), "write it anew: python -m tests.ilsvrc.papers.page"
    lines = text.split("<!-- systems: begins -->")[1]
    for each in systems():
        assert lines.count(f"\n| {each.id} | ") == 1
