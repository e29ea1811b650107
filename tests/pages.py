"""The examples of a page of docs/, of the README, or of cypher/README.md, run in the order in
which they stand.

Blocks of ``python`` run in one namespace per page, and a block of ``text`` directly behind one is
what it prints. A ``console`` holds commands behind ``$`` and what they print on a terminal of 100
columns; every line of ``bash`` is a command that must succeed. In front of a block, ``<!-- file:
NAME -->`` writes it to a file, ``<!-- server -->`` says that it takes a database with WordNet, and
``<!-- not run: WHY -->`` why nothing runs it.
"""

from __future__ import annotations

import ast
import contextlib
import html
import io
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from graphzsl.cli import main

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
#: Page -> the test that runs its blocks that are not marked ``not run: WHY``.
OTHERS = {
    "adding-a-model": "tests/repository/test_docs.py",
    "analysis": "tests/end_to_end/test_tour.py",
    "clip": "tests/clip/test_docs.py",
    "connect": "tests/end_to_end/test_connect.py",
    "names": "tests/names/test_names_docs.py",
    "predictions": "tests/audit/test_prediction_docs.py",
    "tour": "tests/end_to_end/test_tour.py",
}
#: The first words of what analysis.md makes of simulated predictions, which takes no database.
SIMULATED = (
    "import csv\nimport numpy",
    "graphzsl evaluate windows simulated.npz",
    "graphzsl audit simulated.npz",
)
#: The first line of the structural ratios of analysis.md, which take no database.
RATIOS = ("import graphzsl as gz\nfrom graphzsl.hierarchy import structural_ratios",)
#: Page of these -> the first lines of the blocks that its test runs, where those are not all.
RUN_THERE = {
    "adding-a-model": ("# graphzsl/models/hybrid/nearest_meaning.py", "import torch"),
    "analysis": (
        "graphzsl split overlap awa-standard",
        *SIMULATED,
        *RATIOS,
    ),
    "clip": (  # the last two by tests/clip/test_peer.py
        "import json",
        "import numpy as np\nimport torch\nfrom clip_benchmark",
        'import graphzsl as gz\n\nresult = gz.evaluate("logits.npz")',
    ),
    "tour": ("graphzsl load wordnet",),
}
#: `make test` runs the README's blocks, `make test-all` those of the other pages.
DOCUMENT = pytest.mark.thorough("pages of the documentation")
#: Languages whose blocks are run; others are files and what is printed.
RUN = ("bash", "console", "python")
_BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$"
    r"(?:\n\n^```text\n(?P<output>.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    """A block of code of a page."""

    language: str
    text: str
    output: str | None
    mark: str


def pages() -> list[Path]:
    """The two READMEs and the pages whose blocks are run here, in the order of their names."""
    own = sorted(path for path in DOCS.glob("*.md") if path.stem not in OTHERS)
    return [ROOT / "README.md", ROOT / "cypher" / "README.md", *own]


def parameters(found: Sequence[Path]) -> list[Any]:
    """Pages as parameters of a test; all but the README are left to `make test-all`."""
    return [
        pytest.param(page, id=name_of(page), marks=() if page == ROOT / "README.md" else DOCUMENT)
        for page in found
    ]


def name_of(page: Path) -> str:
    """A page's place in the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The blocks of code of a page."""
    found = _BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [
        Block(each["language"], each["text"], each["output"], each["mark"] or "") for each in found
    ]


def needs_a_server(block: Block) -> bool:
    """Whether a block takes a database with WordNet."""
    return block.mark == "server"


def run_page(
    page: Path, monkeypatch: pytest.MonkeyPatch, *, server: bool, only: tuple[str, ...] = ("",)
) -> Iterator[tuple[Block, str]]:
    """(block, what it printed) of the blocks of a page that need a server, or of those that need
    none; in the current folder. ``only`` are the first words of the blocks that are run."""
    monkeypatch.setenv("COLUMNS", "100")
    names: dict[str, Any] = {}
    for block in blocks(page):
        if block.mark.startswith("file: "):
            Path(block.mark.removeprefix("file: ")).write_text(block.text, encoding="utf-8")
        elif not block.text.startswith(only) or block.language not in RUN:
            continue
        elif needs_a_server(block) == server and not block.mark.startswith("not run: "):
            yield block, _run(block, names)


def expected(block: Block) -> str:
    """What the page says that a block prints."""
    return block.text if block.language == "console" else (block.output or "")


def _run(block: Block, names: dict[str, Any]) -> str:
    if block.language == "python":
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block.text, "page", "exec"), names)
        return said.getvalue()
    if block.language == "console":
        lines = [line[2:] for line in block.text.splitlines() if line.startswith("$ ")]
        return "\n".join(f"$ {line}\n{command(line, table=True)}" for line in lines)
    if block.language == "bash":
        for line in re.sub(r"\\\n", "", block.text).splitlines():
            if line.strip() and not line.startswith("#"):
                command(line)
    return ""


def command(line: str, *, table: bool = False) -> str:
    """What a command of graphzsl prints to stdout; it must succeed. ``table``: as on a terminal."""
    program, *words = shlex.split(line, comments=True)
    assert program == "graphzsl", line
    file = words.pop() if words[-2:-1] == [">"] else None
    words = words[:-1] if file else words
    if table and "--format" not in words and _has_formats(words):
        words += ["--format", "table"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, f"{line}\n{done.output}"
    if file:
        Path(file).write_text(done.stdout, encoding="utf-8")
    return "" if file else done.stdout


def recorded(name: str) -> list[str]:
    """The lines of a recording of docs/pictures/terminal.py: the command, and what it printed; the
    empty one at the end is left out."""
    svg = (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    lines: dict[str, str] = {}
    for number, text in re.findall(r'-line-(\d+)\)">(.*?)</text>', svg, re.DOTALL):
        lines[number] = lines.get(number, "") + html.unescape(text)
    return [line.replace("\xa0", " ").rstrip() for line in lines.values()][:-1]


def _has_formats(words: list[str]) -> bool:
    command: click.Command | None = main
    for word in words:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word)
    assert command is not None, words
    return any("--format" in parameter.opts for parameter in command.params)


def run_notebook(path: Path, *, fill: bool = False) -> Iterator[tuple[list[Any], list[Any]]]:
    """(outputs in the file, outputs of running it) of every cell of code, in one namespace, as
    text: what it prints, and what its last expression is. ``fill`` writes them into the file."""
    content = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            found = _run_cell("".join(cell["source"]), names)
            yield cell["outputs"], found
            cell["outputs"] = found
    if fill:
        text = json.dumps(content, indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


def _run_cell(source: str, names: dict[str, Any]) -> list[Any]:
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    outputs: list[Any] = []
    if said.getvalue():
        lines = said.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        shown = {"text/plain": [repr(value)]}
        outputs.append(
            {
                "data": shown,
                "execution_count": None,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs
