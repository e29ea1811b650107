"""Takes the picture of the demo's end that quick-start.md shows:
`python docs/pictures/demo.py [OPTIONS of graphzsl demo]`.

It runs the demo, which keeps what is there of an earlier one, on a terminal of 100 columns, and
draws what is said from the scores on up to the report.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

FOLDER = Path(__file__).resolve().parent
COLUMNS = 100
#: The first line of the picture begins like this; the last one is followed by an empty one.
FIRST = "Hidden classes:"


def end_of(said: str) -> list[str]:
    """The lines of the scores of hidden classes, without those of single runs."""
    lines = said.splitlines()
    first = next(row for row, line in enumerate(lines) if line.startswith(FIRST))
    last = lines.index("", first)
    return [line for line in lines[first:last] if not line.startswith("[")]


def main() -> None:
    """Run it, and write demo.svg."""
    done = subprocess.run(
        [sys.executable, "-m", "graphzsl", "demo", *sys.argv[1:]],
        env=os.environ | {"COLUMNS": str(COLUMNS)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    console = Console(width=COLUMNS, record=True, file=io.StringIO())
    for line in ["$ make demo", "…", *end_of(done.stdout)]:
        console.print(Text(line), soft_wrap=False)
    # the fonts of the reader's own, and no script: the page stays offline
    font = "ui-monospace, Menlo, Consolas, monospace"
    drawn = console.export_svg(title="graphzsl").replace("Fira Code, monospace", font)
    kept, dropped = [], False
    for line in drawn.splitlines():
        dropped = dropped or line.strip().startswith("@font-face")
        if not dropped:
            kept.append(line)
        dropped = dropped and line.strip() != "}"
    (FOLDER / "demo.svg").write_text("\n".join(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
