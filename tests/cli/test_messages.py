"""What a command says to the wrong file or folder: one line that names what was expected, and
nothing written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.analysis.words.counting import count_labels
from graphzsl.cli import main
from graphzsl.common import DataError
from tests.analysis.test_words import MORPHOLOGY


def _run(*arguments: str, code: int) -> str:
    done = CliRunner().invoke(main, [*arguments])
    assert done.exit_code == code, done.output
    return " ".join(done.output.split())


def test_folders_say_what_was_expected_and_what_writes_it(tmp_path: Path) -> None:
    out = str(tmp_path / "x.safetensors")
    said = _run("semantics", "lsi", "--graph", str(tmp_path), "--out", out, code=1)
    assert (
        "is not the folder of a graph: it has no manifest.json. `graphzsl export subgraph`"
        " writes one." in said
    )
    said = _run("convert", "xlsa17", str(tmp_path), "--out", str(tmp_path / "data"), code=1)
    assert (
        "has no res101.mat and no att_splits.mat. Expected a folder of one data set of Xian et al."
        in said
    )
    assert list(tmp_path.iterdir()) == []


def test_another_servers_browser_is_reached_by_a_statement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://graph.example:7687")
    for arguments, name in (((), "see_around"), (("see_closest",), "see_closest")):
        shown = f"query show {name} --browser"
        assert f"`graphzsl {shown}` prints a statement" in _run("db", "browser", *arguments, code=1)
        assert "MATCH" in _run(*shown.split(), code=0)
    assert "Unset it first." in _run("db", "stop", code=1)


@pytest.mark.parametrize(
    "arguments",
    [
        ("semantics", "lsi", "--graph", ".", "--out", "a.csv"),
        ("semantics", "sentences", "--graph", ".", "--out", "a.npz"),
        ("convert", "published", "goz", "x", "--out", "a.csv"),
        ("convert", "published", "dgp-classifiers", "x", "--out", "a.npz"),
        ("convert", "class-head", "x", "--out", "a.pt"),
        ("study", "frequencies", "count", "x", "--out", "a.json"),
    ],
)
def test_a_suffix_that_says_something_else_is_refused(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_text("x")
    assert "must end in ." in _run(*arguments, code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_binary_files_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bin.bin"
    for content, why in (
        (np.random.default_rng(0).integers(1, 256, 4096).astype(np.uint8).tobytes(), "not UTF-8"),
        (b"a dog and a cat\0" * 100, "NUL bytes"),
        ("a dog and a cat".encode("utf-16"), "NUL bytes"),
    ):
        path.write_bytes(content)
        with pytest.raises(DataError, match=rf"bin\.bin is not text: it has .*{why}"):
            count_labels(path, ["dog", "cat"], MORPHOLOGY, workers=1)
    path.write_bytes(
        "the caf\xe9 has a dog and a cat, and no other animal at all".encode("latin-1")
    )
    assert count_labels(path, ["dog", "cat"], MORPHOLOGY, workers=1).counts.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("It has no class.", "It has no class (--train)."),
        ("It may mean\n  n1: a bird", "It may mean\n  n1: a bird\nThe option is --train."),
    ],
)
def test_an_option_is_no_part_of_the_last_line_of_a_list(said: str, shown: str) -> None:
    from graphzsl.cli import _with_option
    from graphzsl.common import DataError

    assert _with_option(DataError(said, argument="train"), None) == shown


def test_arguments_and_standard_input_are_utf_8() -> None:
    """A file name or a word in another encoding, which neither a database nor a page can hold."""
    done = subprocess.run(
        [sys.executable, "-m", "graphzsl", "look", b"caf\xe9"], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"'caf\\udce9' is not UTF-8. Type it anew" in done.stderr
    given = "MATCH (n:Synset {name: 'caf\xe9'}) RETURN n".encode("latin-1")
    result = CliRunner().invoke(main, ["query", "run", "-"], input=given)
    assert result.exit_code == 1
    assert "standard input:1: not UTF-8 text" in result.stderr
    assert "Traceback" not in result.stderr
