"""The examples of docs/predictions.md give what stands below them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.pages import DOCUMENT

PAGE = Path(__file__).parents[2] / "docs" / "predictions.md"
_FILE = re.compile(r"^`([\w.]+)`\n\n```(?:csv|json)\n(.*?)```", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"```python\n(.*?)```\n\n```\n(.*?)```", re.DOTALL)


@DOCUMENT
def test_the_examples_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PAGE.read_text()
    monkeypatch.chdir(tmp_path)
    files = _FILE.findall(text)
    assert len(files) == text.count("```csv") + text.count("```json") == 5
    for name, content in files:
        Path(name).write_text(content)
    names: dict[str, Any] = {}
    examples = _CODE.findall(text)
    assert len(examples) == text.count("```python") == 12
    for code, expected in examples:
        exec(compile(code, PAGE.name, "exec"), names)
        assert capsys.readouterr().out == expected
