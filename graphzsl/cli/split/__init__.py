"""``graphzsl split``: splits and benchmarks, and what can be asked of them."""

# each adds its commands to the group
from graphzsl.cli import samples
from graphzsl.cli.split import build, hops, overlap, paint, structure
from graphzsl.cli.split.group import command

command.add_command(samples.command)

__all__ = ["build", "command", "hops", "overlap", "paint", "structure"]
