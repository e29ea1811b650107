"""The style of graphzsl's pictures in Neo4j Browser: ``cypher/browser/style.grass``."""

from __future__ import annotations

import re
from typing import Any

from graphzsl.database.library import folder

NAME = "style.grass"
_RULE = re.compile(r"([\w.]+)\s*\{((?:'[^']*'|[^'}])*)\}")
_PROPERTY = re.compile(r"([\w-]+):\s*('[^']*'|[^;]*);")

#: In the newer Browser, whose own circles are too small for a caption.
_RADIUS = 40


def style_text() -> str:
    """The style in GRASS, which can be dropped onto Browser's page too."""
    return (folder() / "browser" / NAME).read_text(encoding="utf-8")


def style() -> dict[str, dict[str, str]]:
    """The style as Browser stores it: selector (``node.Training``) -> property -> value."""
    return {
        selector: {name: value.strip().strip("'") for name, value in _PROPERTY.findall(properties)}
        for selector, properties in _RULE.findall(style_text())
    }


def label_styles() -> dict[str, dict[str, Any]]:
    """Colours and captions as the newer Browser stores them: label -> style. Of a node's labels the
    first one here counts, where in the style the last does."""
    found: dict[str, dict[str, Any]] = {}
    rules = style()
    for selector, rule in reversed(rules.items()):
        tag, _, label = selector.partition(".")
        if tag == "node" and label:
            key = rule.get("caption", rules["node.Synset"]["caption"]).strip("{}")
            found[label] = {
                "color": rule["color"],
                "size": _RADIUS,
                "captions": [{"type": "property", "captionKey": key}],
            }
    return found


def type_styles() -> dict[str, dict[str, Any]]:
    """Colours, widths and captions of edges as the newer Browser stores them: type -> style. A type
    without a caption of its own says what it is."""
    found: dict[str, dict[str, Any]] = {}
    for selector, rule in style().items():
        tag, _, kind = selector.partition(".")
        if tag == "relationship" and kind:
            captions = [] if rule.get("caption") == "" else [{"type": "type"}]
            width = int(rule.get("shaft-width", "1px").removesuffix("px"))
            found[kind] = {"color": rule["color"], "width": width, "captions": captions}
    return found
