"""``graphzsl granularity``: semantic groups, re-ranking by them, superclasses."""

# each adds its commands to the group
from graphzsl.cli.granularity import semantic_groups, superclasses, tiers
from graphzsl.cli.granularity.group import command

__all__ = ["command", "semantic_groups", "superclasses", "tiers"]
