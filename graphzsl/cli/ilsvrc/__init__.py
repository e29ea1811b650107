"""``graphzsl ilsvrc``: what Russakovsky et al. (2015) do with the hierarchy."""

# each adds its commands to the group
from graphzsl.cli.ilsvrc import accuracy, properties
from graphzsl.cli.ilsvrc.group import command

__all__ = ["accuracy", "command", "properties"]
