"""``graphzsl split``: splits and benchmarks, and what can be asked of them."""

from graphzsl.cli.split import build, hops, structure  # noqa: F401  (each adds its commands to the group)
from graphzsl.cli.split.group import command

__all__ = ["command"]
