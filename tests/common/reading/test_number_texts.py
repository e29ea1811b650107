"""Numbers of tables: in ASCII digits, of a length that somebody wrote, and found in one pass."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from graphzsl import read_predictions
from graphzsl.audit.class_names import positions_as_names
from graphzsl.audit.formats.table import elements
from graphzsl.clip import LabelReader
from graphzsl.common import DataError, ModelError, SettingsError, decimal, unsigned, whole
from graphzsl.common.reading.number_texts import DECIMAL, FRACTION
from graphzsl.embeddings.features.processes import started
from graphzsl.models import Range, whole_numbers
from graphzsl.names.name_lists import read_name_list
from graphzsl.sources.frequencies import read_frequencies
from graphzsl.sources.populations import read_populations
from graphzsl.sources.tables import read_values

#: What Python's ``int`` or ``float`` read and nobody writes into a table.
UNUSUAL = ("1_0", "٣", "１２", "9" * 5000, "0" * 1200 + "1")


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", 12), ("+12", 12), ("-0", 0), ("007", 7), ("9" * 30, 10**30 - 1)]
    + [(text, None) for text in (*UNUSUAL, "", "1.0", "1e3", "²", "x", "+", "--1", " 1")],
)
def test_whole_numbers(text: str, value: int | None) -> None:
    assert whole(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", 12), ("007", 7)] + [(text, None) for text in (*UNUSUAL, "", "+12", "-0", "²", "x")],
)
def test_numbers_without_a_sign(text: str, value: int | None) -> None:
    assert unsigned(text) == value


@pytest.mark.parametrize("number", UNUSUAL)
def test_every_number_that_a_text_holds_is_a_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    names = tmp_path / "names.json"
    names.write_text(f'{{"{number}": "cat"}}', encoding="utf-8")
    monkeypatch.setenv("WORLD_SIZE", number)
    refused: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (
            DataError,
            "line 1: .* is not a position from 0 to 1 in the candidates",
            lambda: positions_as_names(["0", number], ["cat", "dog"], "line {}".format),
        ),
        (
            ModelError,
            "whole numbers, each at least 0, not ",
            lambda: whole_numbers(f"0,{number}", Range(least=0), distinct=False),
        ),
        (SettingsError, "a launcher sets it to a number of processes", started),
        (
            DataError,
            "are neither wnids .* nor class numbers",
            lambda: read_name_list(names),
        ),
        (
            DataError,
            "are not among the 2 candidates",
            lambda: LabelReader(["cat", "dog"]).learn([number]),
        ),
    ]
    for kind, said, read in refused:
        with pytest.raises(kind, match=said) as error:
            read()
        assert len(str(error.value)) < 600


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1.0), ("-.5", -0.5), ("5.", 5.0), (" 1e-3 ", 0.001), ("INF", math.inf)]
    + [(text, None) for text in (*UNUSUAL, "1_0.5", "1e١", "", "x", "0x10")],
)
def test_decimal_numbers(text: str, value: float | None) -> None:
    assert decimal(text) == value


def test_the_longest_float_is_a_number() -> None:
    smallest = 5e-324
    text = f"{Decimal(smallest):f}"
    assert len(text) == 1076
    assert decimal("-" + text) == -smallest


@pytest.mark.parametrize("part", ["9", "1.", "0", ".", "1e"])
def test_a_long_cell_is_looked_at_once(part: str) -> None:
    """16,000 nines and a letter took a minute, and a million an age."""
    for text in (part * 1_000_000 + "x", "1." + part * 1_000_000 + "x"):
        assert not DECIMAL.fullmatch(text)
        assert not FRACTION.fullmatch(text)
    usual = {"1": False, "1.0": False, "1.05": True, ".5": True, "5e-1": True, "1e5": False}
    for text, has_fraction in usual.items():
        assert DECIMAL.fullmatch(text)
        assert bool(FRACTION.fullmatch(text)) is has_fraction


@pytest.mark.parametrize("cell", [*UNUSUAL, "9" * 100_000 + "x"])
def test_scores_are_usual_numbers(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "p.csv"
    for row in (f"cat,{cell},0.2\ndog,0.1,0.2\n", f"dog,0.1,0.2\ncat,{cell},0.2\n"):
        path.write_text("label,cat,dog\n" + row, encoding="utf-8")
        with pytest.raises(DataError) as refused:
            read_predictions(path)
        assert len(str(refused.value)) < 500


def test_lists_in_a_cell_are_read_in_one_pass() -> None:
    """Each quote that nothing closes was looked at up to the end of the cell: 400,000 of them."""
    assert elements('[\'a\', "b\'s", c d, "e\\"f"]') == ["a", "b's", "c", "d", 'e"f']
    assert elements("[it's, 'a b]") == ["it", "s, ", "a", "b"]
    assert elements('[a, \'b, "c d", e]') == ["a", "b", "c d", "e"]
    assert elements("[" + '\\"' * 400_000 + "x]") == ["\\"] * 400_000 + ["x"]
    assert elements("[" + "'\\" * 400_000 + "]")[:2] == ["\\", "\\"]


@pytest.mark.parametrize("number", UNUSUAL)
def test_tables_have_usual_numbers(tmp_path: Path, number: str) -> None:
    path = tmp_path / "x.csv"
    for read, row in (
        (read_populations, "n02084071"),
        (read_frequencies, "dog"),
        (read_values, "n02084071"),
    ):
        path.write_text(f"{row},{number}\n", encoding="utf-8")
        with pytest.raises(DataError, match=r"x\.csv:1: .* number") as refused:
            read(path)
        assert len(str(refused.value)) < 300


def test_messages_repeat_the_beginning_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    for line in ("x" * 10_000 + ",5", "x" * 10_000):
        path.write_text(line + "\n")
        with pytest.raises(DataError, match=r"x\.csv:1: .*'xxx") as refused:
            read_populations(path)
        assert len(str(refused.value)) < 400
