"""`graphzsl look` and wide tables on terminals of 80 and of 200 columns."""

from __future__ import annotations

from dataclasses import replace

import click
import pytest
from click.testing import CliRunner

from graphzsl.analysis import Named, SynsetPage
from graphzsl.analysis.synsets.from_database import Neighbourhood, Sense, Training
from graphzsl.cli import main
from graphzsl.cli.look import page_lines
from graphzsl.cli.tables import table_lines

#: As much as a synset of WordNet has: depression.n.01 and its like.
NEAR = [Named(f"n0{at}000000", f"a_synset_with_a_long_name.n.{at:02}") for at in range(1, 9)]
PAGE = SynsetPage(
    wnid="n00000001",
    name="a_synset.n.01",
    words=[f"word number {at} of it" for at in range(12)],
    gloss="what it is, said at length, " * 9,
    lexname="noun.artifact",
    depth=7,
    word="synset",
    other_senses=[Sense(each.wnid, each.name, "a gloss", is_class=True) for each in NEAR],
    hypernyms=NEAR[:1],
    way_up=NEAR[:5],
    hyponyms=NEAR,
    descendants=1234,
    population=None,
    inherited_population=None,
    class_sets=[f"a-class-set-{at}" for at in range(9)],
    training=Training("ilsvrc2012", None, []),
    hcorrect_set=Neighbourhood("imagenet-fall11", 5, 1, NEAR[:6]),
)


@pytest.mark.parametrize("columns", [80, 150])
def test_look_in_a_pipe_heeds_columns(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = CliRunner().invoke(main, ["look", "dog", "--format", "table"])
    assert columns - 20 < max(map(len, done.stdout.splitlines())) <= columns


@pytest.mark.parametrize("width", [80, 200])
def test_look_fits_and_uses_the_terminal(width: int) -> None:
    lines = list(page_lines(PAGE, width))
    assert width - 30 < max(map(len, lines)) <= width
    assert lines[0].startswith("a_synset.n.01  n00000001  word number 0 of it, word")
    # a name and its wnid stay together, wherever a line ends
    for each in NEAR[:1]:
        assert any(f"{each.name} {each.wnid}" in line for line in lines)
    assert len([line for line in lines if line.startswith("hyponyms")]) == 1


def test_look_shows_more_in_a_wide_terminal() -> None:
    """Three lines hold two names each of 80 columns, and of 200 all that are listed."""
    narrow, wide = (" ".join(page_lines(PAGE, width)) for width in (80, 200))
    assert "…" in narrow
    assert "…" not in wide
    assert "and 2 more" in wide
    assert "11 of it" in narrow, "no word is lost"
    assert len(list(page_lines(PAGE, 200))) < len(list(page_lines(PAGE, 80)))


def test_a_word_that_no_line_holds_is_broken_in_the_head_alone() -> None:
    page = replace(PAGE, words=["w" * 150])
    assert max(map(len, page_lines(page, 80))) <= 80


def test_a_wide_table_is_one_line_per_row_at_200_columns_and_fits_80() -> None:
    rows = [
        {
            "wnid": f"n0{at}000000",
            "name": f"a_synset_with_a_name.n.{at:02}",
            "closest_name": f"a_training_class.n.{at:02}",
            "hops": at,
            "hit@1": 0.125,
            "hit@5": 0.5,
            "population": 1000 + at,
            "depth": 9,
            "samples": 50,
            "universe": "imagenet-fall11",
        }
        for at in range(10)
    ]
    wide, narrow = (
        [click.unstyle(line) for line in table_lines(rows, list(rows[0]), width)]
        for width in (200, 80)
    )
    assert max(map(len, narrow)) <= 80 < max(map(len, wide)) <= 200
    for row in rows:
        (line,) = (line for line in wide if row["wnid"] in line)
        assert line.split()[1:3] == [row["name"], row["closest_name"]]
        assert any(str(row["wnid"]) in each for each in narrow)
