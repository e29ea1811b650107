"""Tables for people: within the terminal, numbers whole, shares in per cent, few rows upright."""

from __future__ import annotations

import csv
import fcntl
import json
import math
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphzsl.cli import main
from graphzsl.cli.columns import KINDS, Kind, cells, formatted, kind, number
from graphzsl.cli.evaluate.windows import COLUMNS
from graphzsl.cli.options import output_options
from graphzsl.cli.output import emit, show
from graphzsl.cli.tables import table_lines, wrap
from graphzsl.data import Samples, save_samples
from graphzsl.sources import class_lists
from graphzsl.sources.published import list_path

WIDTH = 80


def _lines(rows: list[dict[str, Any]], width: int = WIDTH, command: str = "") -> list[str]:
    return [click.unstyle(line) for line in table_lines(rows, list(rows[0]), width, command)]


def _checked(lines: list[str], rows: list[dict[str, Any]], width: int, command: str = "") -> None:
    """No line is wider than the terminal, and every number stands on one line."""
    assert max(map(len, lines)) <= width, [line for line in lines if len(line) > width]
    _, found = cells(rows, list(rows[0]), command)
    for cell in (cell for row in found for cell in row if cell.number):
        assert any(cell.text in line for line in lines), cell.text


COMPARED = {
    "first": "linear.samples.parquet",
    "second": "closest.samples.parquet",
    "both": 66,
    "only_first": 50,
    "only_second": 10,
    "neither": 74,
    "samples": 200,
    "error_first": 0.42,
    "error_second": 0.62,
    "z": 5.163977794943222,
    "p": 1.616380e-07,
    "p_one_sided": 8.08190e-08,
    "difference": 0.2,
    "difference_low": 0.13,
    "difference_high": 0.27,
    "level": 0.95,
    "interval_first": [0.35, 0.49],
    "interval_second": [0.55, 0.685],
    "separate": True,
}


def test_one_row_of_many_columns_stands_upright() -> None:
    assert _lines([COMPARED]) == [
        "first         linear.samples.parquet",
        "second        closest.samples.parquet",
        "both          66",
        "only_first    50",
        "only_second   10",
        "neither       74",
        "samples       200",
        "error_first   42.0 % [35.0, 49.0]",
        "error_second  62.0 % [55.0, 68.5]",
        "z             5.16",
        "p             1.6e-07",
        "p_one_sided   8.1e-08",
        "difference    20.0 % [13.0, 27.0]",
        "level         95 %",
        "separate      yes",
    ]


def test_a_number_among_measures_is_not_broken() -> None:
    wide = {"name": "x" * 12, "accuracy": -10_000_000, "low": -1_000_000, "hops": 123_456_789}
    rows = [{"measure": -7.34376237344696e-197, **wide}, {"measure": "hit@1", **wide}] * 4
    for width in range(30, 90):
        _checked(_lines(rows, width), rows, width)


def test_one_row_that_would_fit_a_line_stands_upright_too() -> None:
    row = {"classes": 12, "samples": 120, "left_out": [], "seed": 0}
    assert _lines([row]) == ["classes   12", "samples   120", "left_out", "seed      0"]
    assert _lines([{"name": "a", "classes": 5}])[0] == "name  classes"


def test_two_rows_stand_side_by_side() -> None:
    rows = [
        {"name": name, "structural_ratio": ratio, "classes": classes, "train": "ilsvrc2012"}
        | {f"{what}_distance_mean": 1.71234567 for what in ("train", "test", "another")}
        for name, ratio, classes in (("hops-1", 0.616365, 1548), ("all", 0.7, 20842))
    ]
    assert _lines(rows) == [
        "name                   hops-1      all",
        "structural_ratio       0.616       0.700",
        "classes                1,548       20,842",
        "train                  ilsvrc2012  ilsvrc2012",
        "train_distance_mean    1.712       1.712",
        "test_distance_mean     1.712       1.712",
        "another_distance_mean  1.712       1.712",
    ]


def test_a_table_has_a_rule_under_its_head_and_wraps_texts_between_words() -> None:
    rows = [
        {"name": f"list-{n}", "classes": 1000 * n, "what": "the classes of the challenge, in order"}
        for n in range(1, 8)
    ]
    assert _lines(rows, 40)[:4] == [
        "name    classes  what",
        "─" * 40,
        "list-1    1,000  the classes of the",
        "                 challenge, in order",
    ]


def test_a_long_list_is_cut_and_counted() -> None:
    members = [f"n{n:08}" for n in range(2835)]
    rows = [{"label": "organism", "classes": 2835, "members": members}] * 8
    lines = _lines(rows)
    assert "10 of 2,835: n00000000," in lines[2]
    _checked(lines, rows, WIDTH)
    assert formatted(["a", "b"]).text == "a, b"


@pytest.mark.parametrize(
    ("value", "what", "text"),
    [
        (0.725, Kind.SHARE, "72.5 %"),
        (-0.0001, Kind.SHARE, "0.0 %"),
        (0.999, Kind.CONFIDENCE, "99.9 %"),
        (1.61638e-07, Kind.P, "1.6e-07"),
        (0.04321, Kind.P, "0.043"),
        (-0.12345, Kind.COEFFICIENT, "-0.12"),
        (0.616365, Kind.RATIO, "0.616"),
        (4294967295, Kind.NAME, "4294967295"),
        (1756.25, Kind.NUMBER, "1,756.2"),
        (14197122, Kind.NUMBER, "14,197,122"),
        (0.616365, Kind.NUMBER, "0.6164"),
        (float("nan"), Kind.NUMBER, ""),
        (float("inf"), Kind.RATIO, "∞"),
    ],
)
def test_digits(value: float, what: Kind, text: str) -> None:
    assert number(value, what) == text


def test_the_kind_of_a_column() -> None:
    assert kind("per_class", {"metric": "hit@1"}) is Kind.SHARE
    assert kind("per_class", {"metric": "mean_rank"}) is Kind.NUMBER
    assert kind("value", {"measure": "structural ratio, pruned hierarchy"}) is Kind.RATIO
    assert kind("value", {"measure": "spread: largest branch share"}) is Kind.SHARE
    assert kind("max-ratio", {"measure": "structural_ratio"}) is Kind.RATIO
    grid = "graphzsl evaluate grid"
    assert {kind(name, command=grid) for name in ("hit@1", "hit@1 expected", "ausuc")} == {
        Kind.SHARE
    }
    assert {kind(f"mean_rank{end}", command=grid) for end in ("", " sd", " expected")} == {
        Kind.NUMBER
    }
    assert kind("median", command="graphzsl study ilsvrc accuracy") is Kind.SHARE
    assert kind("median") is Kind.NUMBER
    shares = "accuracy recall questions_saved other_classes_share up_to_here hit@1 hp@10 gap"
    assert {kind(name) for name in shares.split()} == {Kind.SHARE}
    assert kind("populations") is Kind.NUMBER
    assert formatted(True).text == "yes"
    assert {each for _, each in KINDS} | {Kind.NUMBER} == set(Kind)


def test_intervals_and_deviations_join_their_values() -> None:
    rows = [
        {"metric": "hit@1", "per_class": 0.725, "per_sample": 0.7, "interval": [0.7131, 0.7369]},
        {"metric": "mean_rank", "per_class": 12.3456, "per_sample": 12.0, "interval": [12.0, 13.0]},
        {"metric": "generalized ausuc", "per_class": 0.2},
    ]
    names, found = cells(rows, list(rows[0]))
    assert names == ["metric", "per_class", "per_sample"]
    assert [row[1].text for row in found] == ["72.5 % [71.3, 73.7]", "12.35 [12, 13]", "20.0 %"]
    averaged = [{"model": "eszsl", "seeds": 10, "hit@1": 0.2531, "hit@1 sd": 0.0126, "h": None}]
    names, found = cells(averaged, list(averaged[0]), "graphzsl evaluate grid")
    assert (names, found[0][1].text, found[0][2].text) == (
        ["model", "seeds", "hit@1", "h"],
        "10",
        "25.3 ± 1.3 %",
    )


def test_a_word_longer_than_the_line_is_broken_behind_a_slash() -> None:
    path = "/home/someone/with/a/long/path/to/the/place/where/runs/are/linear.classes.parquet"
    lines = wrap(f"{path} and more words", 40)
    assert lines[0] == "/home/someone/with/a/long/path/to/the/"
    assert " ".join(lines).replace("/ ", "/") == f"{path} and more words"
    assert max(map(len, lines)) <= 40


def test_names_of_synsets_are_broken_behind_underscores_alone() -> None:
    name = "german_short-haired_pointer.n.01"
    assert wrap(f"n02100210 {name}", 19) == ["n02100210 german_", "short-haired_", "pointer.n.01"]
    row = {"wnid": "n02100210", "name": name, "closest": "n02093428", "closest_name": "boxer.n.04"}
    others = {"relation": "apart", "reading": "1 of 2", "class": "a pointer", "hops": 4}
    for width in (70, 80, 100):
        words = " ".join(_lines([row | others] * 7, width)).split()
        assert {"n02100210", "n02093428", "boxer.n.04"} <= {*words}
        assert not [word for word in words if word.endswith(("-", "."))]


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.floats(-1e6, 1e6),
    st.text("abc defghi_/-.,", max_size=90),
    st.lists(st.text("n0123456789", min_size=1, max_size=9), max_size=30),
)
NAMES = """
name wnid classes per_class interval accuracy low high p structural_ratio description reason
train_distance_mean any_part_of_speech_share members hops k metric measure value
"""


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(NAMES.split()), min_size=1, max_size=12, unique=True).flatmap(
        lambda names: st.lists(
            st.fixed_dictionaries(dict.fromkeys(names, VALUES)), min_size=1, max_size=9
        )
    ),
    st.integers(60, 220),
)
def test_no_table_is_wider_than_the_terminal(rows: list[dict[str, Any]], width: int) -> None:
    _checked(_lines(rows, width), rows, width)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs on 240 samples of 12 classes, and what they were made of."""
    path = tmp_path_factory.mktemp("tables")
    rng = np.random.default_rng(0)
    classes = list_path("ilsvrc2012").read_text().split()[:12]
    labels = np.arange(240) % 12
    save_samples(
        Samples(rng.normal(size=(240, 4)).astype(np.float32), [classes[i] for i in labels], {}),
        path / "samples.npz",
    )
    for name, better in (("linear", 2.0), ("a-network-with-a-rather-long-name", 0.5)):
        scores = rng.normal(size=(240, 12))
        scores[np.arange(240), labels] += better
        np.savez(path / f"{name}.npz", scores=scores, classes=classes, labels=labels)
        out = ("--out", str(path / f"{name}.json"))
        done = CliRunner().invoke(
            main, ["audit", str(path / f"{name}.npz"), "--rounds", "200", *out]
        )
        assert done.exit_code == 0, done.output
    (path / "values.csv").write_text(
        "wnid,value\n" + "".join(f"{wnid},{2**n}\n" for n, wnid in enumerate(classes))
    )
    (path / "factors.csv").write_text(
        "sample,semantic,accuracy\n0,0,0.31\n0,1,0.42\n1,0,0.44\n1,1,0.61\n"
    )
    return path


LONG = "a-network-with-a-rather-long-name"
#: Commands that print a table and need no database; in a folder with two runs.
COMMANDS = (
    "query list",
    "split recipes",
    "load class-set --list",
    "train --list",
    "study ilsvrc annotate --images 20",
    "study ilsvrc annotate --images 20 --present 2",
    f"evaluate compare linear.json {LONG}.json --rounds 200",
    f"evaluate compare linear.json {LONG}.json --rounds 200 --unpaired",
    f"evaluate relative {LONG}.json linear.json",
    f"evaluate relative {LONG}.json linear.json --each",
    "evaluate agreement linear.classes.parquet",
    f"evaluate agreement linear.json {LONG}.json --effects",
    "evaluate attribute factors.csv",
    "evaluate windows linear.npz --by values.csv --size 4 --out w.json",
    f"study ilsvrc accuracy linear.classes.parquet {LONG}.classes.parquet",
    f"study ilsvrc accuracy linear.classes.parquet {LONG}.classes.parquet --each",
    "study ilsvrc accuracy linear.classes.parquet --extremes 2",
    "study ilsvrc accuracy-by linear.classes.parquet --by values.csv --bins 2 --rounds 200",
    f"study ilsvrc correlate values.csv {LONG}.classes.parquet --rounds 200",
    "split samples balance samples.npz --per-class 10 --out balanced.npz",
    "split samples split samples.npz --out parts",
)


def test_names_share_a_column_with_their_wnids_before_a_table_falls_apart() -> None:
    row = {
        "class": "antelope",
        "reading": "1 of 1",
        "wnid": "n02419796",
        "name": "antelope.n.01",
        "relation": "above a training class",
        "hops": 1,
        "closest": "n02422106",
        "closest_name": "hartebeest.n.01",
    }
    assert _lines([row] * 7)[:4] == [
        "class     reading  wnid               relation           hops  closest",
        "─" * 80,
        "antelope  1 of 1   n02419796          above a training      1  n02422106",
        "                   antelope.n.01      class                    hartebeest.n.01",
    ]
    assert _lines([row], 200)[2].split() == ["wnid", "n02419796"]
    lists = {**row, "closest": ["n02422106", "n02419797"], "closest_name": ["a.n.01", "b.n.01"]}
    assert not any("n02422106 a.n.01" in line for line in _lines([lists] * 7, 120))


def test_a_list_of_splits_is_a_table_at_80_columns() -> None:
    split = ("hops-1", "split", 1548, "ilsvrc2012", "imagenet-fall11", "wordnet", 1, None)
    given = ("ilsvrc2012", "list", 1000, *[None] * 4, "imagenet12_synsets.txt")
    names = ("name", "kind", "size", "train", "universe", "hierarchy", "max_hops", "source")
    lines = _lines([dict(zip(names, each, strict=True)) for each in [split, given] * 4])
    assert lines[1].split() == ["name", "kind", "size", *names[3:6], "hops", "source"]
    assert len(lines) == 3 + 2 * 8, "two lines a row, no blocks"


@pytest.mark.parametrize("command", COMMANDS)
def test_tables_of_commands_fit_80_columns(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    saved = folder / "saved.json"
    words = command.split()
    done = CliRunner().invoke(main, [*words, "--format", "table", "--save", str(saved)])
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    rows = json.loads(saved.read_text())
    assert rows
    if words[1] == "windows":
        rows = [{name: row[name] for name in COLUMNS if name in row} for row in rows]
        assert len(lines) == 2 + len(rows), "a line for each window"
    assert not any(line.endswith(("...", "…")) for line in lines)
    _checked(lines, rows, WIDTH, " ".join(words[: 3 if words[0] == "study" else 2]))


def test_formats_for_programs_keep_every_digit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    command = f"evaluate compare linear.json {LONG}.json --rounds 200 --format".split()
    found = json.loads(CliRunner().invoke(main, [*command, "json"]).stdout)
    line = CliRunner().invoke(main, [*command, "jsonl"]).stdout
    assert [json.loads(line)] == found
    assert set(found[0]) == set(COMPARED)
    assert found[0]["p"] == float(repr(found[0]["p"]))
    assert 0 < found[0]["p"] < 1e-3
    (row,) = csv.DictReader(CliRunner().invoke(main, [*command, "csv"]).stdout.splitlines())
    assert float(row["difference_low"]) == pytest.approx(found[0]["difference_low"], rel=1e-5)
    assert json.loads(row["interval_first"]) == found[0]["interval_first"]


def _on_a_terminal(columns: int, **own: str) -> str:
    """What a command writes to a pseudo-terminal of its own size, as a person sees it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    unset = {"COLUMNS", "NO_COLOR"}
    environment = {key: value for key, value in os.environ.items() if key not in unset}
    process = subprocess.Popen(
        [sys.executable, "-m", "graphzsl", "load", "class-set", "--list"],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**environment, "TERM": "xterm", **own},
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    assert process.wait() == 0
    os.close(ours)
    return said.decode()


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_a_terminal_gets_a_table_of_its_width(columns: int, folder: Path) -> None:
    lines = click.unstyle(_on_a_terminal(columns)).splitlines()
    longest = max(map(len, lines))
    # whole, the table has some 165 columns
    assert min(columns - 12, 150) < longest <= columns
    assert re.fullmatch("─+", lines[1])
    assert any(line.split()[:1] == ["ilsvrc2012"] for line in lines)
    assert len(lines) > len(class_lists())


def test_no_color_is_heeded() -> None:
    assert "\x1b[" in _on_a_terminal(80)
    plain = _on_a_terminal(80, NO_COLOR="1")
    assert "\x1b" not in plain
    assert "ilsvrc2012" in plain
    assert "\x1b" not in _on_a_terminal(80, TERM="dumb")


@pytest.mark.parametrize("output_format", ["csv", "jsonl"])
def test_a_terminal_gets_no_commands_from_values(
    output_format: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"name": "a\x1b[31m\x9b2Jb\u202e"}]
    show(rows, output_format)
    assert "\x9b" in capsys.readouterr().out, "a program gets every value as it is"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    show(rows, output_format)
    assert not {*"\x1b\x9b\u202e"} & {*capsys.readouterr().out}


def test_names_of_class_sets_are_never_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphzsl.cli.split.hops import _whole

    columns = ["name", "kind", "size", "train", "universe", "hierarchy", "max_hops", "source"]
    own = ("hops-2@release", "split", 7824, "ilsvrc2012", "imagenet-fall11", "release", 2, None)
    other = ("imagenet-fall11", "list", 21841, None, None, None, None, "imagenet-fall11.txt")
    rows = [dict(zip(columns, each, strict=True)) for each in (own, other, own, own)] * 2
    monkeypatch.setenv("COLUMNS", "80")
    assert _whole(rows, columns) == columns[:-1]
    monkeypatch.setenv("COLUMNS", "200")
    assert _whole(rows, columns) == columns
    for width in (50, 60, 70, 80, 90):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = "\n".join(table_lines(rows, _whole(rows, columns), width))
        for name in ("hops-2@release", "imagenet-fall11", "ilsvrc2012"):
            assert name in lines, width


def test_numbers_that_are_not_shares_are_not_shown_in_per_cent() -> None:
    def texts(row: dict[str, Any], command: str) -> list[str]:
        return [cell.text for cell in cells([row], list(row), command)[1][0]]

    ranks = {"entry": "clip", "mean": 12.62, "median": 9.0, "max": 130.0}
    assert texts(ranks, "graphzsl study ilsvrc accuracy") == ["clip", "12.62", "9", "130"]
    assert texts({"mean": 0.1262}, "graphzsl study ilsvrc accuracy") == ["12.6 %"]
    assert texts({"wnid": "n1", "accuracy": 1300.0}, "graphzsl study ilsvrc accuracy")[1] == "1,300"
    spread = {"mean_rank": 30.2, "mean_rank validation sd": 1.7, "hit@1 validation sd": 0.004}
    assert texts(spread, "graphzsl evaluate grid") == ["30.2", "1.7", "0.4 %"]
    own = {"first": 1756.2, "d": 3, "k": 5, "bound": 2}
    assert texts(own, "graphzsl query run") == ["1,756.2", "3", "5", "2"]


def test_what_is_not_known_is_null_or_an_empty_cell(capsys: pytest.CaptureFixture[str]) -> None:
    """A mean of nothing, in a table, in JSON, which has no nan, and in CSV."""
    rows = [{"name": "a", "mean": math.nan, "ends": [math.nan, 1.0]}, {"name": "b", "mean": 1.5}]
    texts = {}
    for output_format in ("json", "jsonl", "csv", "table"):
        with click.Context(click.Command("x")):
            emit(rows, output_format)
        texts[output_format] = capsys.readouterr().out
    first = {"name": "a", "mean": None, "ends": [None, 1.0]}
    assert json.loads(texts["json"])[0] == first
    assert json.loads(texts["jsonl"].splitlines()[0]) == first
    assert texts["csv"].splitlines()[1] == 'a,,"[null, 1.0]"'
    assert "nan" not in texts["table"]


def test_columns_that_only_some_rows_have_are_kept(tmp_path: Path) -> None:
    """As those of a recipe that chooses classes, beside one that does not."""

    @click.command()
    @output_options
    def built(output_format: str | None) -> None:
        first = {"recipe": "a", "largest_branch": "n00001740"}
        emit([first, first | {"recipe": "b", "bound": 2.5}], output_format)

    path = tmp_path / "rows.csv"
    done = CliRunner().invoke(built, ["--format", "json", "--save", str(path)])
    assert done.exit_code == 0, done.output
    assert [row.get("bound") for row in json.loads(done.stdout)] == [None, 2.5]
    assert path.read_text().splitlines()[0].split(",") == [
        "recipe",
        "largest_branch",
        "largest_branch_name",
        "bound",
    ]
    assert "2.5" in CliRunner().invoke(built, ["--format", "table"]).stdout


def _explained(wnid: str, name: str, path: list[str], names: list[str]) -> dict[str, Any]:
    hops = len(path) - 1
    told = f"it is {hops} hops from training class {path[-1]} ({names[-1]})"
    return {
        **{"wnid": wnid, "name": name, "split": "hops-1", "in": hops == 1},
        "reason": f"{told} in hierarchy wordnet; the split takes at most 1",
        **{"hops": hops, "path": path, "names": names},
    }


#: What `split explain hops-1` says of two synsets.
EXPLAINED = [
    _explained(
        "n00015388",
        "animal.n.01",
        ["n00015388", "n01905661", "n01767661", "n01768244"],
        ["animal.n.01", "invertebrate.n.01", "arthropod.n.01", "trilobite.n.01"],
    ),
    _explained("n02084071", "dog.n.01", ["n02084071", "n02110341"], ["dog.n.01", "dalmatian.n.02"]),
]


@pytest.mark.parametrize("width", [80, 100, 120])
def test_rows_that_would_be_ribbons_stand_side_by_side(width: int) -> None:
    lines = _lines(EXPLAINED, width)
    assert lines[0].split() == ["wnid", "n00015388", "n02084071"]
    reason = lines[4].partition("it is")[2]
    assert "hops from training class" in reason, "the reason has room"
    assert len(lines) < 14
    _checked(lines, EXPLAINED, width)


def test_a_wide_terminal_has_a_line_or_two_for_each() -> None:
    lines = _lines(EXPLAINED, 200)
    assert lines[0].split()[:2] == ["wnid", "name"]
    assert len(lines) <= 8


def test_the_number_of_rows_stands_under_rows_alone() -> None:
    @click.command()
    @click.argument("count", type=int)
    @output_options
    def explain(count: int, output_format: str | None) -> None:
        emit(EXPLAINED[:count], output_format, list(EXPLAINED[0]))

    def said(count: int, width: int) -> str:
        arguments = [str(count), "--format", "table"]
        return CliRunner(env={"COLUMNS": str(width)}).invoke(explain, arguments).stderr

    assert said(2, 200) == "2 rows\n"
    assert said(2, 100) == "2 rows side by side\n"
    assert said(1, 100) == "", "one row that stands upright is no line"
