"""Options of commands that read images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from graphzsl.cli.common import option_requires

F = TypeVar("F", bound=Callable[..., Any])


class Images(click.Path):
    """A folder or a tar that exists; wds/FOLDER or hfds/NAME."""

    name = "SOURCE"

    def __init__(self) -> None:
        super().__init__(exists=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from graphzsl.embeddings import HUGGING_FACE, SHARDS

        if str(value).startswith((SHARDS, HUGGING_FACE)):
            return str(value)
        return str(super().convert(value, param, ctx))


def image_options(function: F) -> F:
    """--split, --image-key and --label-key: where the images of a data set stand in it."""
    for option in (
        click.option(
            "--label-key",
            help="What holds the class in hfds/ and wds/ (default: label; .cls).",
        ),
        click.option(
            "--image-key",
            help="What holds the image in hfds/ and wds/ (default: image; jpg;png;webp).",
        ),
        click.option(
            "--split",
            help=(
                "The split of hfds/ (default: test) or wds/, or names of shards:"
                " val-{00..63}.tar (default: every tar)."
            ),
        ),
    ):
        function = option(function)
    return function


def check_workers_option(source: str) -> None:
    """Raise UsageError for --workers of a webdataset: one process reads its shards."""
    from graphzsl.embeddings import SHARDS

    option_requires(
        "workers", when=not source.startswith(SHARDS), needs="a folder, tars or hfds/NAME"
    )
