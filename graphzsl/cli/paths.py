"""Files that commands write, whose suffix must say what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphzsl.errors import DataError
from graphzsl.output_format import checked_suffix


class Written(click.Path):
    """A file to write; another suffix than the given ones is a usage error, so that no file holds something else than its name says."""

    def __init__(self, *suffixes: str):
        super().__init__(path_type=Path, dir_okay=False)
        self.suffixes = suffixes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        try:
            checked_suffix(path, self.suffixes)
        except DataError as error:
            self.fail(str(error), param, ctx)
        return path
