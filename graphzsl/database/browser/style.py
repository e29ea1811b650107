"""The style of graphzsl's pictures in Neo4j Browser: ``cypher/browser/style.grass``."""

from __future__ import annotations

import re

from graphzsl.database.library import folder

NAME = "style.grass"
_RULE = re.compile(r"([\w.]+)\s*\{((?:'[^']*'|[^'}])*)\}")
_PROPERTY = re.compile(r"([\w-]+):\s*('[^']*'|[^;]*);")


def style_text() -> str:
    """The style in GRASS, which can be dropped onto Browser's page too."""
    return (folder() / "browser" / NAME).read_text(encoding="utf-8")


def style() -> dict[str, dict[str, str]]:
    """The style as Browser stores it: selector (``node.Training``) -> property -> value."""
    return {
        selector: {name: value.strip().strip("'") for name, value in _PROPERTY.findall(properties)}
        for selector, properties in _RULE.findall(style_text())
    }
