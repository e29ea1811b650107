"""Options of what computes: the device, its precision, and the backbone of images."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from graphzsl.cli.common import INPUT, Whole

F = TypeVar("F", bound=Callable[..., Any])


class Device(click.ParamType):
    """auto, cpu, cuda or mps; one of several GPUs is cuda:1."""

    name = "auto|cpu|cuda|mps"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        if not re.fullmatch(r"auto|cpu|mps|cuda(:\d+)?", str(value)):
            self.fail(f"{value!r} is not auto, cpu, cuda, cuda:N or mps", param, ctx)
        return str(value)


class Scheduler(click.ParamType):
    """local:N, or the address of a scheduler of Dask."""

    name = "local:N|tcp://HOST:PORT"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        from graphzsl.common import SettingsError, check_scheduler

        try:
            check_scheduler(str(value))
        except SettingsError as error:
            self.fail(str(error), param, ctx)
        return str(value)


scheduler_option = click.option(
    "--scheduler",
    type=Scheduler(),
    help=(
        "Hand parts of the work to processes of Dask: N of this machine, or those of a running"
        " scheduler (docs/cluster.md)."
    ),
)


device_option = click.option(
    "--device",
    type=Device(),
    default="auto",
    show_default=True,
    help="Where to compute.",
)
precision_option = click.option(
    "--precision",
    type=click.Choice(["float32", "bfloat16"]),
    default="float32",
    show_default=True,
    help="Of dense products.",
)


def compute_options(function: F) -> F:
    """--device and --precision."""
    return device_option(precision_option(function))


workers_option = click.option(
    "--workers",
    type=Whole(0),
    default=0,
    show_default=True,
    help="Processes that read and decode images.",
)


images_at_once_option = click.option(
    "--batch", type=Whole(1), default=64, show_default=True, help="Images at once."
)


def backbone_options(function: F) -> F:
    """--model, --checkpoint and --pretrained or --random: a timm network and its weights."""
    for option in (
        click.option(
            "--pretrained/--random",
            default=True,
            show_default=True,
            help="Random weights are for trying things out.",
        ),
        click.option(
            "--checkpoint",
            type=INPUT,
            help="Its weights (.safetensors or .pt); without it timm looks for pretrained ones.",
        ),
        click.option("--model", required=True, help="A timm model, e.g. resnet50."),
    ):
        function = option(function)
    return function
