"""``graphzsl evaluate``: one model, predictions from outside, a grid of runs, or runs against each
other."""

# each adds its commands to the group
from graphzsl.cli.evaluate import analyses, grid, model, part, runs, table, windows
from graphzsl.cli.evaluate.group import command

__all__ = ["analyses", "command", "grid", "model", "part", "runs", "table", "windows"]
