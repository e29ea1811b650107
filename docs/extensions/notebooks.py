"""Notebooks as pages: text as it is, code as blocks, and the outputs that the file holds."""

from __future__ import annotations

import json
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx


def notebook_text(content: dict[str, Any]) -> str:
    """The cells of a notebook as Markdown."""
    found = []
    for cell in content["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            found.append(source)
            continue
        found.append(f"```python\n{source}\n```")
        found += [output_text(output) for output in cell["outputs"]]
    return "\n\n".join(found) + "\n"


def output_text(output: dict[str, Any]) -> str:
    """What a cell printed or showed, as text."""
    text = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
    return "```text\n" + "".join(text).rstrip("\n") + "\n```"


class NotebookParser(MystParser):
    """Reads an .ipynb file."""

    supported = ("ipynb",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse the notebook as the Markdown that it amounts to."""
        super().parse(notebook_text(json.loads(inputstring)), document)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}
