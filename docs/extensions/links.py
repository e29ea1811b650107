"""Links of the pages, which are those of the repository, as links of the site."""

from __future__ import annotations

import os
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
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
