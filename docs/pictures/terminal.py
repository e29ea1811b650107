"""Records what commands print, for README and docs: `python docs/pictures/terminal.py [NAME …]`.

Each runs on a terminal of 80 columns, and its output is drawn as NAME.svg. ``explain`` takes a
database that holds hops-1; ``demo`` keeps what is there of an earlier run, and its picture begins
with the scores.
"""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

FOLDER = Path(__file__).resolve().parent
COLUMNS = 80
#: Recording -> what is typed.
COMMANDS = {
    "audit": "graphzsl audit sample",
    "look": 'graphzsl look "german shepherd"',
    "explain": "graphzsl split explain hops-1 domestic_cat.n.01",
    "demo": "make demo",
}
#: The end of the demo that is drawn begins like this, and is followed by an empty line.
FIRST = "Hidden classes:"


def end_of(said: str) -> list[str]:
    """The lines of the scores of hidden classes, without those of single runs."""
    lines = said.splitlines()
    first = next(row for row, line in enumerate(lines) if line.startswith(FIRST))
    last = lines.index("", first)
    return ["…", *(line for line in lines[first:last] if not line.startswith("["))]


def drawn(name: str, said: str) -> str:
    """A recording as SVG, of what its command printed."""
    console = Console(width=COLUMNS, record=True, file=io.StringIO())
    shown = end_of(said) if name == "demo" else said.splitlines()
    # the last line is empty: what is drawn there loses its underscores
    for line in [f"$ {COMMANDS[name]}", *shown, ""]:
        console.print(Text(line), soft_wrap=False)
    # the fonts of the reader's own, and no script: the page stays offline
    font = "ui-monospace, Menlo, Consolas, monospace"
    svg = console.export_svg(title="graphzsl", unique_id=name)
    kept, dropped = [], False
    for line in svg.replace("Fira Code, monospace", font).splitlines():
        dropped = dropped or line.strip().startswith("@font-face")
        if not dropped:
            kept.append(line.rstrip())
        dropped = dropped and line.strip() != "}"
    return "\n".join(kept) + "\n"


def main(names: list[str]) -> None:
    """Run the commands, and write what they print."""
    for name in names or COMMANDS:
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(COMMANDS[name].replace("make", "graphzsl"))],
            env=os.environ | {"COLUMNS": str(COLUMNS)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        (FOLDER / f"{name}.svg").write_text(drawn(name, done.stdout), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
