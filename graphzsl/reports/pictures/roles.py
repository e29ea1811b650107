"""The roles of classes in a picture, and their colours: those of Neo4j Browser's style."""

from __future__ import annotations

from functools import cache

from graphzsl.database.browser.style import style

#: Roles of classes, and what each is in words. ``Class`` is for classes without roles.
CLASS_ROLES = {
    "Unseen": "unseen class",
    "Training": "training class",
    "Candidate": "other candidate",
    "Class": "class",
}
#: The role of what is above a class that is no mere candidate, and of all other synsets.
ABOVE, NOTHING = "Ancestor", ""
#: Role -> the selector of the style whose colour it has.
_SELECTORS = {
    "Unseen": "node.Unseen",
    "Training": "node.Training",
    "Candidate": "node.Candidate",
    "Class": "node.ClassSet",
    ABOVE: "node.Ancestor",
    NOTHING: "node",
}


@cache
def colours() -> dict[str, str]:
    """Role -> its colour, as ``#RRGGBB``, from ``cypher/browser/style.grass``."""
    known = style()
    return {role: known[selector]["color"] for role, selector in _SELECTORS.items()}
