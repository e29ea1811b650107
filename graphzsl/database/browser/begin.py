"""A script that gives Neo4j's two Browsers their settings, style and saved statements before they
start.

They keep them in the page's storage. The commands for the same (``:config``, ``:style``)
leave a frame each in front of the first picture, and none saves a statement.
"""

from __future__ import annotations

import json
from importlib.resources import files

from graphzsl.common.files import sha256_text
from graphzsl.database.browser.guide import EXAMPLES, Own, pages, statements
from graphzsl.database.browser.style import label_styles, style, type_styles

#: Edges that a statement did not ask for are left out, so that none is drawn twice. Two frames
#: stay, since a pinned one would leave no room for another. Nothing is played at the start, and
#: nothing reported.
_SETTINGS = {
    "autoComplete": False,
    "maxFrames": 2,
    "initCmd": "",
    "allowCrashReports": False,
    "allowUserStats": False,
}
_FOLDER = {"id": "graphzsl", "name": "graphzsl"}


def begin_script(own: Own = EXAMPLES) -> str:
    """The script; ``own`` as in the guide."""
    saved = [
        {"id": f"graphzsl-{entry.name}-{number}", "folder": _FOLDER["id"], "content": text}
        for entry in pages()
        for number, text in enumerate(statements(entry, own))
    ]
    content = {
        "look": {
            "settings": _SETTINGS,
            "style": style(),
            "labels": label_styles(),
            "types": type_styles(),
        },
        "saved": {"folder": _FOLDER, "statements": saved},
    }
    versions = {name: sha256_text(json.dumps(part))[:16] for name, part in content.items()}
    text = (files("graphzsl.database.browser") / "begin.js").read_text(encoding="utf-8")
    return text.replace('"OWN"', json.dumps({**content, "versions": versions}))
