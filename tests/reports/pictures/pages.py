"""What tests read of a page, pages open in Chromium, and names that would break one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import graphzsl as gz
from graphzsl.hierarchy import Hierarchy

#: A name that would end a script, an attribute or a title, and one of other signs.
HOSTILE = "</script><script>window.bad = 1</script>\"'<!--&amp;]]>"
STRANGE = "naïve 犬 \\u2028 \\u003c ${x} `"


WIDE, NARROW = {"width": 1600, "height": 1000}, {"width": 400, "height": 800}
#: Where the icicle's first box, that of the zoomed synset, is read.
BOXES = """() => Object.fromEntries([...document.querySelectorAll('.gz-icicle [data-i]')].map(
    each => [each.dataset.i, {height: Number(each.getAttribute('height')),
             x: Number(each.getAttribute('x')), fill: each.getAttribute('fill')}]))"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def data_of(html: str) -> dict[str, Any]:
    """What the script of a page reads."""
    data: dict[str, Any] = json.loads(html.split('json">', 1)[1].split("</script>", 1)[0])
    return data


def hostile_picture() -> gz.Picture:
    edges = [(HOSTILE, "thing"), (STRANGE, "thing"), ("dog", "thing")]
    names = {HOSTILE: HOSTILE, STRANGE: STRANGE}
    hierarchy = Hierarchy.from_edges(edges, names=names)
    return gz.picture([HOSTILE, STRANGE, "dog"], train=["dog"], title=HOSTILE, hierarchy=hierarchy)


class Page:
    """A page that is open, and what it said and asked for."""

    def __init__(self, chromium: Any, path: Path, **options: Any) -> None:
        self.tab = chromium.new_page(**options)
        self.tab.set_default_timeout(20_000)
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.on("pageerror", lambda error: self.problems.append(str(error)))
        self.tab.on("console", lambda message: self.problems.append(message.text))
        self.tab.goto(path.as_uri())
        self.tab.locator(".gz-icicle rect").first.wait_for()
        self.data = data_of(path.read_text(encoding="utf-8"))

    def focus(self) -> str:
        """What a screen reader says of the synset in focus."""
        own = self.tab.locator(".gz-chart").get_attribute("aria-activedescendant")
        return str(self.tab.locator(f"#{own}").inner_text())

    def zoomed(self) -> str:
        return str(self.tab.locator(".gz-crumbs [aria-current]").inner_text())

    def boxes(self) -> dict[str, Any]:
        """Label of a box -> what is drawn of it."""
        drawn = self.tab.evaluate(BOXES)
        return {self.data["name"][int(at)].partition(".")[0]: box for at, box in drawn.items()}

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)


def roles_of(data: dict[str, Any]) -> dict[str, str]:
    """Synset -> its role in a picture."""
    return {
        wnid: data["kinds"][role] for wnid, role in zip(data["wnid"], data["role"], strict=True)
    }
