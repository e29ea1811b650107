"""``graphzsl study ilsvrc labelling``: how labels are made and checked."""

# each adds its commands to the group
from graphzsl.cli.ilsvrc.labelling import classes, judged, votes
from graphzsl.cli.ilsvrc.labelling.group import command

__all__ = ["classes", "command", "judged", "votes"]
