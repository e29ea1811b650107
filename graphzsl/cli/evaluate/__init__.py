"""``graphzsl evaluate``: one model, predictions from outside, a grid of runs, or runs against each other."""

from graphzsl.cli.evaluate import analyses, model, runs, windows  # noqa: F401  (each adds its commands to the group)
from graphzsl.cli.evaluate.group import command

__all__ = ["command"]
