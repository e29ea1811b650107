"""A page of HTML that needs no network: saved, or shown in a notebook or a web browser."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from dataclasses import dataclass
from html import escape
from importlib import import_module
from pathlib import Path

from graphzsl.files import checked_suffix, write_text

#: Pixels of the frame in a notebook.
HEIGHT = 900


@dataclass(frozen=True, eq=False)
class Page:
    """A whole page.

    Args:
        title: its heading.
        html: the document.
    """

    title: str
    html: str

    def save(self, path: Path | str) -> None:
        """Write the page, whole or not at all.

        Raises:
            DataError: the path does not end in .html.
        """
        path = Path(path)
        checked_suffix(path, (".html",))
        write_text(path, self.html)

    def show(self) -> None:
        """Show it: in a notebook below the cell, elsewhere in the web browser."""
        if _in_notebook():
            import_module("IPython.display").display(self)
            return
        with tempfile.NamedTemporaryFile(
            "w", suffix=".html", prefix="graphzsl-", encoding="utf-8", delete=False
        ) as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())

    def _repr_html_(self) -> str:
        # a frame of its own: neither the page's style nor its script meets the notebook's
        return (
            f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" width="100%"'
            f' height="{HEIGHT}" style="border: 0" srcdoc="{escape(self.html)}"></iframe>'
        )


def _in_notebook() -> bool:
    """Whether the code runs in IPython with a front end that shows HTML."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
