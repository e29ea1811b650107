"""Pictures of matplotlib as files: whole or not there, and the same bytes from the same picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphzsl.common.files import atomic_write, checked_suffix

#: What a picture can be written as.
PICTURES = (".svg", ".png", ".pdf")


def save_picture(figure: Any, path: Path, dpi: int = 150) -> None:
    """Write a figure as .svg, .png or .pdf by the ending of ``path``; DataError for another
    ending."""
    from matplotlib import rc_context

    kind = checked_suffix(path, PICTURES).removeprefix(".")
    stamp = {"Date": None} if kind == "svg" else {"CreationDate": None} if kind == "pdf" else {}
    with atomic_write(path) as partial, rc_context({"svg.hashsalt": "graphzsl"}):
        figure.savefig(partial, format=kind, dpi=dpi, metadata=stamp)
