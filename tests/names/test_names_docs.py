"""The tables of docs/names.md are what the code says, and its commands run."""

from __future__ import annotations

import re
import shlex
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.hierarchy import Lexicon
from graphzsl.names import check_names, rule_rows
from tests.pages import DOCUMENT

#: What they share is prepared at length, once on one worker.
pytestmark = pytest.mark.xdist_group("test_names_docs")

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "names.md").read_text()


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.load()


def _cells(row: dict[str, object]) -> list[str]:
    shared, classes = row["shared_names"], row["classes_that_share"]
    kinds = ("other_word", "with_parent", "with_gloss", "with_wnid")
    added = " / ".join(f"{row[kind]:,}" for kind in kinds)
    return [f"{shared:,} ({classes:,})", "–"] if shared else ["0", added]


def test_the_table_of_rules(lexicon: Lexicon) -> None:
    found = {
        cells[0].strip("*`"): cells[1:]
        for line in TEXT.splitlines()
        if len(cells := [cell.strip() for cell in line.strip("|").split("|")]) == 5
    }
    small, large = (rule_rows(name, lexicon) for name in ("ilsvrc2012", "imagenet-fall11"))
    for one, other in zip(small, large, strict=True):
        assert found[one["rule"]] == [*_cells(one), *_cells(other)]


#: (list, its options) -> package and version that the table names.
LISTS = {
    "clip_benchmark:datasets/en_classnames.json": ("clip-benchmark", "1.6.2"),
    "open_clip:zero_shot_metadata.py --key IMAGENET_CLASSNAMES": ("open_clip_torch", "3.3.0"),
    "torchvision:models/_meta.py --key _IMAGENET_CATEGORIES": ("torchvision", "0.29.2"),
    "timm:data/_info/imagenet_synset_to_lemma.txt --ignore-others": ("timm", "1.0.31"),
}


@pytest.mark.parametrize("text", LISTS)
def test_the_table_of_lists(lexicon: Lexicon, text: str) -> None:
    path, *options = text.split()
    name, known = LISTS[text]
    if find_spec(path.split(":")[0]) is None:
        pytest.skip(f"{name} is not installed")
    if version(name).split("+")[0] != known:
        pytest.skip(f"the table is of {name} {known}, not {version(name)}")
    (line,) = (line for line in TEXT.splitlines() if f"`{text}`" in line and line[0] == "|")
    key = options[1] if "--key" in options else None
    others = "--ignore-others" in options
    counts = check_names(path, key=key, ignore_others=others, lexicon=lexicon).counts
    every = check_names(path, key=key, ignore_others=others, first_senses=True, lexicon=lexicon)
    kinds = ("duplicate", "another class", "another synset", "first sense")
    expected = [*(counts[kind] for kind in kinds), every.counts["first sense"]]
    assert [int(cell) for cell in line.strip("|").split("|")[1:]] == expected
    assert sum(counts.values()) == sum(counts[kind] for kind in kinds), "and nothing else"


@DOCUMENT
def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my-wnids.txt").write_text("n02084071\nn02121620\n")
    Path("labels.txt").write_text("boy\npickup_truck\n")
    lines = re.findall(r"^graphzsl names.*", TEXT, re.MULTILINE)
    assert lines
    for line in lines:
        words = shlex.split(line, comments=True)[1:]
        if find_spec("clip_benchmark") is None and {"openai", "cupl", "--language"} & {*words}:
            continue
        done = CliRunner().invoke(main, words)
        assert (done.exit_code, bool(done.output)) == (0, True), (line, done.output)
