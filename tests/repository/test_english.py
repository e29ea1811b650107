"""Docstrings open with a verb or a noun of the field."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import graphzsl

RIDDLE = re.compile(r"(What|Whether|The same|Of|Such)\b")


def test_docstrings_open_with_a_verb_or_a_noun() -> None:
    openings, documented = [], 0
    for path in sorted(Path(graphzsl.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                text = ast.get_docstring(node) or ""
                documented += bool(text)
                if RIDDLE.match(text):
                    openings.append(f"{path.name}: {text.splitlines()[0]}")
    assert documented > 2000
    assert openings == []
