"""``graphzsl study ilsvrc``: what Russakovsky et al. (2015) do with the hierarchy, and its
challenge's tasks on boxes."""

# each adds its commands to the group
from graphzsl.cli.ilsvrc import accuracy, boxes, labelling, properties, published
from graphzsl.cli.ilsvrc.group import command

__all__ = ["accuracy", "boxes", "command", "labelling", "properties", "published"]
