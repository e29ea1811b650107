"""The two programs of docs/clip.md that audit one set of logits: the same numbers, and the lines
that they take."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphzsl as gz

TEXT = (Path(__file__).parents[2] / "docs" / "clip.md").read_text()


def _program(name: str) -> str:
    found = re.search(rf"<!-- {name} -->\n```python\n(.*?)```", TEXT, re.DOTALL)
    assert found, name
    return found[1]


def _counts(code: str) -> tuple[int, int]:
    """(lines that are not empty, statements)."""
    return sum(1 for line in code.splitlines() if line.strip()), len(ast.parse(code).body)


def test_the_lines_are_counted_right() -> None:
    rows = re.findall(r"^\| (lines of code|statements) \| (\d+) \| (\d+) \|$", TEXT, re.MULTILINE)
    counts = zip(_counts(_program("theirs")), _counts(_program("ours")), strict=True)
    said = {name: (int(theirs), int(ours)) for name, theirs, ours in rows}
    assert said == dict(zip(("lines of code", "statements"), counts, strict=True))


def test_both_programs_give_the_same(
    clip_benchmark: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    random = np.random.default_rng(0)
    classes = ["n02084071", "n02121620", "n01503061", "n02958343", "n01440764", "n01443537"]
    targets = np.concatenate([np.arange(6), random.integers(0, 6, 60)])
    logits = random.normal(size=(66, 6)).astype(np.float32)
    logits[np.arange(66), targets] += 1
    np.savez(tmp_path / "logits.npz", logits=logits, targets=targets, classes=classes)
    monkeypatch.chdir(tmp_path)
    found: dict[str, dict[str, Any]] = {"theirs": {}, "ours": {}}
    for name, variables in found.items():
        exec(compile(_program(name), f"{name} of clip.md", "exec"), variables)
    theirs, result = found["theirs"], found["ours"]["result"]
    assert isinstance(result, gz.Evaluation)
    expected = [theirs["acc1"], theirs["acc5"]]
    assert [result[f"hit@{k}"].per_sample for k in (1, 5)] == pytest.approx(expected)
    recall = theirs["balanced_accuracy_score"](theirs["targets"], theirs["first"])
    assert result["hit@1"].per_class == pytest.approx(recall)
    by_class = {row["wnid"]: row["hit@1"] for row in result.class_rows()}
    report = capsys.readouterr().out
    for wnid in classes:
        shown = re.search(rf"{wnid} +[\d.]+ +([\d.]+)", report)
        assert shown
        assert float(shown[1]) == pytest.approx(by_class[wnid], abs=5e-4)
