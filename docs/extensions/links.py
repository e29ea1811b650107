"""Texts of the repository as texts of the site: their links, and the signs of Markdown."""

from __future__ import annotations

import os
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
#: Where pages are written that are made from the code.
FOLDER = DOCS / "generated"
#: Files and folders of the repository outside docs/ -> the page of docs/ that shows them.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "generated/contributing.md",
    "CHANGELOG.md": "generated/changelog.md",
    "pyproject.toml": "generated/extras.md",
    "cypher": "generated/cypher.md",
    "cypher/README.md": "generated/cypher.md",
    "benchmarks": "generated/benchmark-default.md",
    "benchmarks/default": "generated/benchmark-default.md",
    "benchmarks/default/README.md": "generated/benchmark-default.md",
    "benchmarks/max-ratio": "generated/benchmark-max-ratio.md",
    "benchmarks/max-ratio/README.md": "generated/benchmark-max-ratio.md",
}
_LINK = re.compile(r"\[([^\]\[]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def site_links(text: str, source: Path, page: Path) -> str:
    """The text of ``source``, a file of the repository, as ``page`` of docs/ shows it: relative
    links lead to the pages of the site, and else to the files themselves; where a link is called
    by the file's name it gets the title of the page."""

    def replaced(match: re.Match[str]) -> str:
        words, target, anchor = match.groups()
        if re.match(r"[a-z]+:", target):
            return match[0]
        path = (source.parent / target).resolve()
        if not path.is_relative_to(ROOT) or not path.exists():
            return match[0]
        known = PAGES.get(path.relative_to(ROOT).as_posix())
        path = DOCS / known if known else path
        shown = "" if words == Path(target).name and path.suffix == ".md" else words
        return f"[{shown}]({os.path.relpath(path, page.parent)}{anchor or ''})"

    return _LINK.sub(replaced, text)


def copied(file: str, page: str) -> str:
    """A file of the repository as a page."""
    return site_links((ROOT / file).read_text(encoding="utf-8"), ROOT / file, FOLDER / page)


def prose(text: str) -> str:
    """Text of a header, with what Markdown would read as its own signs written out."""
    return re.sub(r"([*_|<>$\[\]])", r"\\\1", text)
