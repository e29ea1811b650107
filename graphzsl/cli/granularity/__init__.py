"""``graphzsl study granularity``: semantic groups and captions, hedging, superclasses."""

# each adds its commands to the group
from graphzsl.cli.granularity import captions, hedging, semantic_groups, superclasses, tiers
from graphzsl.cli.granularity.group import command

__all__ = ["captions", "command", "hedging", "semantic_groups", "superclasses", "tiers"]
