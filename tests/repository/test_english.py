"""Docstrings open with a verb or a noun of the field."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import graphzsl

#: Words that open a riddle anywhere, and those that do in the package.
ASKS = r"How|Where|Which|Why"
RIDDLE = rf"({ASKS}|What|Whether|The same|Of|Such)\b"


@pytest.mark.parametrize(
    ("folder", "riddle"),
    [(Path(graphzsl.__file__).parent, RIDDLE), (Path(__file__).parents[1], rf"({ASKS})\b")],
)
def test_docstrings_open_with_a_verb_or_a_noun(folder: Path, riddle: str) -> None:
    openings, documented = [], 0
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                text = ast.get_docstring(node) or ""
                documented += bool(text)
                if re.match(riddle, text):
                    openings.append(f"{path.name}: {text.splitlines()[0]}")
    assert documented > 1000
    assert openings == []
