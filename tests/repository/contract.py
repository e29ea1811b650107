"""Promises that may move and not change while rooms are rewritten: documented commands with their
output, schemas, doctests, expected answers of the mini database, published comparisons, verdicts of
claims.

``contract.txt`` has a line for each: its kind, its name, and the first digits of a checksum of what
it promises. ``python -m tests.repository.contract`` writes it anew, for a change that is meant; the
difference then shows which promises changed.
"""

from __future__ import annotations

import ast
import doctest
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.pages import DOCS, ROOT, blocks

RECORD = Path(__file__).with_name("contract.txt")
PACKAGE = ROOT / "graphzsl"
#: A block of commands behind ``$`` and what they print.
_CONSOLE = re.compile(r"^```(?:console)?\n(\$ .*?)^```$", re.DOTALL | re.MULTILINE)
#: Tests whose expected values were counted by hand, or stand in papers.
EXPECTED = (
    "database/test_mini.py",
    "audit/test_published_comparisons.py",
    "metrics/test_metrics.py",
    "metrics/test_ties.py",
    "ilsvrc/papers/test_claims.py",
    "ilsvrc/papers/test_printed.py",
    "end_to_end/test_tour.py",
    "end_to_end/test_demo.py",
)


@cache
def contract() -> list[str]:
    """Lines of ``contract.txt``, sorted."""
    found = (*_documents(), *_schemas(), *_doctests(), *_expected())
    return sorted({f"{kind}\t{name}\t{_digest(text)}" for kind, name, text in found})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _documents() -> Iterator[tuple[str, str, str]]:
    """Commands of all pages with what they print, and examples in Python that print."""
    for page in (ROOT / "README.md", ROOT / "cypher" / "README.md", *DOCS.glob("*.md")):
        for text in _CONSOLE.findall(page.read_text(encoding="utf-8")):
            for printed in f"\n{text}".split("\n$ ")[1:]:
                command, _, output = printed.partition("\n")
                yield "command", command, output.strip()
        for block in blocks(page):
            if block.language in ("bash", "python") and block.output:
                kind = "command" if block.language == "bash" else "python"
                yield kind, block.text.strip().splitlines()[-1].strip(), block.output


def _schemas() -> Iterator[tuple[str, str, str]]:
    for path in (PACKAGE / "schemas").glob("*.json"):
        yield "schema", path.name, path.read_text(encoding="utf-8")


def _doctests() -> Iterator[tuple[str, str, str]]:
    parser = doctest.DocTestParser()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                for example in parser.get_examples(ast.get_docstring(node) or ""):
                    if example.want:
                        yield "doctest", example.source.strip().splitlines()[0], example.want


def _expected() -> Iterator[tuple[str, str, str]]:
    """Tests and constants of ``EXPECTED``, without docstrings and without the places of modules."""
    for name in EXPECTED:
        tree = ast.parse((ROOT / "tests" / name).read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield "test", f"{Path(name).stem}.{node.name}", _without_places(node)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                yield "test", f"{Path(name).stem}.{ast.unparse(target)}", _without_places(node)
    claims = PACKAGE / "ilsvrc" / "papers" / "claims.tsv"
    for line in claims.read_text(encoding="utf-8").splitlines()[1:]:
        yield "claim", line.partition("\t")[0], line


def _without_places(node: ast.AST) -> str:
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef):
            inner.body = [each for each in inner.body if not _is_place(each)] or [ast.Pass()]
        elif isinstance(inner, ast.Constant) and str(inner.value).startswith("graphzsl."):
            inner.value = "graphzsl"
    return ast.unparse(node)


def _is_place(node: ast.stmt) -> bool:
    """True for an import or a docstring."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


if __name__ == "__main__":
    RECORD.write_text("".join(f"{line}\n" for line in contract()), encoding="utf-8")
