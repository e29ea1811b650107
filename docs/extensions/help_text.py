"""Help of commands, as it is written for the terminal, as text for Sphinx."""

from __future__ import annotations

import re

import click
from sphinx.application import Sphinx


def help_text(app: Sphinx, ctx: click.Context, lines: list[str]) -> None:
    """Help of a command as text for Sphinx: commands and names as they are typed."""
    found: list[str] = []
    for line in typed(lines):
        if line.startswith("| "):  # examples, which keep their lines
            found += [] if found and found[-1].startswith("   ") else [".. code-block:: shell", ""]
            found.append(f"   {line[2:]}")
        else:
            found.append(line)
    lines[:] = found


def option_text(app: Sphinx, ctx: click.Context, lines: list[str]) -> None:
    """The same of the help of options."""
    lines[:] = typed(lines)


def typed(lines: list[str]) -> list[str]:
    """`this` as ``this``, which is how code is marked there, and stars as they are; neither in
    examples and in the lines of directives."""
    if not lines:
        return lines
    kept = [line for line in lines if re.match(r"\| |\s*\.\. |\s+:", line)]
    text = "\n".join("\0" if line in kept else line for line in lines)
    text = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", text)
    # file: begins an address there
    text = re.sub(r"(?<![`\w])FILE:(\w+)", r"``FILE:\1``", text)
    parts = re.split(r"(``.*?``)", text, flags=re.DOTALL)
    text = "".join(part if part[:2] == "``" else part.replace("*", r"\*") for part in parts)
    originals = iter(kept)
    return [next(originals) if line == "\0" else line for line in text.split("\n")]
