"""``graphzsl study ilsvrc labelling``: how labels are made and checked."""

# each adds its commands to the group
from graphzsl.cli.ilsvrc.labelling import classes, judged, votes

__all__ = ["classes", "judged", "votes"]
