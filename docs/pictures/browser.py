"""Takes the pictures of Neo4j Browser that README and docs show: `python docs/pictures/browser.py`.

A local server runs that holds hops-1, painted (`graphzsl split paint hops-1`); Chromium and
Playwright (extra dev) are installed. Each picture is what a statement of Browser's guide draws by a
click; the graph fills the window, and what is empty around it is cut off: captions are to be read
at half the width of a page.
"""

from __future__ import annotations

import io
import shutil
from math import hypot
from pathlib import Path
from typing import Any

from graphzsl.common import load_settings
from graphzsl.database import LocalServer, browser_address, query
from graphzsl.database.browser.guide import FIRST, statements

FOLDER = Path(__file__).resolve().parent
#: Name of a picture -> statement of the guide: that of its first page (around the domestic
#: cat), why hops-1 has the domestic cat, and the shells of the violin's hCorrectSet.
PICTURES = {
    "browser-around": statements(query(FIRST))[0],
    "browser-why": statements(query("see_hop_path"))[0],
    "browser-hcorrect": statements(query("see_hcorrect_set"))[2],
}
WINDOW = {"width": 820, "height": 640}
#: Points of the screen per pixel, pixels around the graph, the widest that a picture is, and how
#: many colours it has: circles, edges and captions need few.
SCALE, BORDER, WIDEST, PALETTE = 2, 8, 1300, 48
#: Hides what is not of the graph: buttons, panels.
ALONE = """() => {
  const graph = document.querySelector("svg g.node").closest("svg");
  for (const each of document.querySelectorAll("body *")) {
    if (!each.contains(graph) && !graph.contains(each)) each.style.visibility = "hidden";
  }
}"""
#: Milliseconds until circles stand still.
STILL = 5000
#: The circles [x, y, r] and the edges [x, y, x, y] of a picture, in pixels of the screen.
DRAWN = """() => {
  const at = (element, x, y) => {
    const point = new DOMPoint(x, y).matrixTransform(element.getScreenCTM());
    return [point.x, point.y];
  };
  const circles = [...document.querySelectorAll("svg g.node")].map((node) => {
    const ring = node.querySelector("circle"), radius = ring.r.baseVal.value;
    const [x, y] = at(node, 0, 0), [right] = at(node, radius, 0);
    return [x, y, right - x];
  });
  const edges = [...document.querySelectorAll("svg g.relationship")].map((edge) => {
    const box = edge.getBBox(), middle = box.y + box.height / 2;
    return [...at(edge, box.x, middle), ...at(edge, box.x + box.width, middle)];
  });
  return [circles, edges];
}"""
#: How often circles are moved off edges that are not theirs, and how far beside them, in radii.
MOVES, BESIDE = 25, 1.7


def hidden(circles: list[list[float]], edges: list[list[float]]) -> tuple[int, float, float] | None:
    """(circle, and by how much it has to move) of a circle that lies on another one, or on an edge
    which neither begins nor ends there; None where all is seen."""
    for number, (x, y, radius) in enumerate(circles):
        for other_x, other_y, other in circles[:number]:
            apart = hypot(x - other_x, y - other_y)
            if 0 < apart < (wanted := 1.1 * (radius + other)):
                away = (wanted * 1.2 - apart) / apart
                return number, away * (x - other_x), away * (y - other_y)
        for x1, y1, x2, y2 in edges:
            length = hypot(x2 - x1, y2 - y1)
            if length < 1:
                continue
            along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length
            across = ((x - x1) * (y1 - y2) + (y - y1) * (x2 - x1)) / length
            own = along < radius * 1.1 or along > length - radius * 1.1
            if own or abs(across) > radius:
                continue
            away = (BESIDE * radius - abs(across)) * (1 if across >= 0 else -1)
            return number, away * (y1 - y2) / length, away * (x2 - x1) / length
    return None


def tidy(page: Any) -> None:
    """Draw circles aside that hide a part of an edge, as a person does."""
    for _ in range(MOVES):
        circles, edges = page.evaluate(DRAWN)
        if (found := hidden(circles, edges)) is None:
            return
        number, right, down = found
        x, y, _ = circles[number]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + right, y + down, steps=8)
        page.mouse.up()
        page.wait_for_timeout(STILL // 2)


def take(browser: Any, address: str, password: str) -> bytes:
    """A picture of what the statement of an address shows, as PNG."""
    page = browser.new_page(viewport=WINDOW, device_scale_factor=SCALE)
    page.set_default_timeout(60_000)
    page.goto(address)
    page.get_by_test_id("password").fill(password)
    page.get_by_test_id("connect").click()
    page.get_by_test_id("boltaddress").wait_for(state="detached")
    page.wait_for_timeout(STILL)  # the statement of the address comes into the editor
    page.get_by_test_id("editor-Run").click()
    page.locator("svg g.node").first.wait_for()
    page.get_by_test_id("frame").first.get_by_title("Fullscreen").click()
    page.wait_for_timeout(STILL)
    page.get_by_label("zoom-to-fit").first.click()
    page.wait_for_timeout(STILL // 2)
    tidy(page)
    page.get_by_label("zoom-to-fit").first.click()
    page.wait_for_timeout(STILL // 2)
    if hidden(*page.evaluate(DRAWN)) is not None:
        print("A circle still hides a part of an edge: look at the picture.")
    boxes = [node.bounding_box() for node in page.locator("svg g.node").all()]
    left, top = (min(box[side] for box in boxes) - BORDER for side in ("x", "y"))
    right = max(box["x"] + box["width"] for box in boxes) + BORDER
    bottom = max(box["y"] + box["height"] for box in boxes) + BORDER
    page.evaluate(ALONE)
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    taken: bytes = page.screenshot(clip=clip)
    page.close()
    return taken


def small(png: bytes, path: Path) -> None:
    """Write a picture with few colours, no wider than it is shown."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.thumbnail((WIDEST, WIDEST))
    picture.quantize(PALETTE, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Take them all."""
    from playwright.sync_api import sync_playwright

    server = LocalServer(load_settings())
    state = server.start()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        for name, statement in PICTURES.items():
            png = take(chromium, browser_address(state, statement), server.password())
            small(png, FOLDER / f"{name}.png")
        chromium.close()


if __name__ == "__main__":
    main()
