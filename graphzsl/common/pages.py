"""A page of HTML that needs no network: saved, or shown in a notebook or a web browser."""

from __future__ import annotations

import tempfile
import time
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from importlib import import_module
from pathlib import Path

from graphzsl.common.files import checked_suffix, write_text
from graphzsl.common.progress import in_notebook

#: Pixels of the frame in a notebook.
HEIGHT = 900
#: What begins the name of a file that a web browser is given, and the seconds after which it has
#: been read.
_SHOWN, _READ_BY_THEN = "graphzsl-shown-", 3600.0


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
        if in_notebook():
            import_module("IPython.display").display(self)
            return
        # the web browser may not have read it when this process ends, so the next one removes it
        for earlier in Path(tempfile.gettempdir()).glob(f"{_SHOWN}*.html"):
            with suppress(OSError):
                if earlier.stat().st_mtime < time.time() - _READ_BY_THEN:
                    earlier.unlink()
        with tempfile.NamedTemporaryFile(
            "w", suffix=".html", prefix=_SHOWN, encoding="utf-8", delete=False
        ) as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())

    def _repr_html_(self) -> str:
        # a frame of its own: neither the page's style nor its script meets the notebook's
        return (
            f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" width="100%"'
            f' height="{HEIGHT}" style="border: 0" srcdoc="{escape(self.html)}"></iframe>'
        )
