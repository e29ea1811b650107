"""Takes the pictures of a report, and of pictures of the hierarchy, that README and docs show:
`python docs/pictures/report.py RUNS`.

RUNS are those of six models on hidden classes of ILSVRC 2012, which `graphzsl demo` (`make demo`)
writes: runs/demo/runs/hidden-classes. Chromium and Playwright (extra dev) are installed; no server
runs.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
#: Widths of windows.
WIDE, NARROW = 1200, 400
#: Points of the screen per pixel of a wide and of a narrow picture.
SCALE = {WIDE: 1, NARROW: 1.5}
#: Pixels kept around what is shown, and milliseconds until a page has drawn itself.
BORDER, STILL = 12, 500


def report_page(browser: Any, page_of: Path, width: int, scheme: str) -> Any:
    """A tab with a page, as wide as it is shown."""
    size = {"width": width, "height": 1000}
    page = browser.new_page(viewport=size, color_scheme=scheme, device_scale_factor=SCALE[width])
    page.goto(page_of.as_uri())
    page.wait_for_timeout(STILL)
    return page


def top(found: Any) -> float:
    """Where an element begins, from the top of the page."""
    return float(found.bounding_box()["y"])


def cut(page: Any, start: float, stop: float, path: Path, right: float | None = None) -> None:
    """Write what stands between two heights of a page, up to its right end or another one."""
    from PIL import Image

    width = right or page.viewport_size["width"]
    area = {"x": 0, "y": start, "width": width, "height": stop - start}
    png = page.screenshot(full_page=True, clip=area)
    # all colours: bands and boxes of few pixels would get those of others
    Image.open(io.BytesIO(png)).convert("RGB").save(path, optimize=True)
    page.close()


def take_report(browser: Any, report: Path) -> None:
    """The head on a light page, hierarchy and classes on a dark one, models on a narrow one."""
    page = report_page(browser, report, WIDE, "light")
    cut(page, 0, top(page.locator(".plots figure").nth(2)) - BORDER, FOLDER / "report-light.png")
    page = report_page(browser, report, WIDE, "dark")
    start = top(page.locator("h3", has_text="branches of the hierarchy").first) - BORDER
    stop = top(page.locator(".classes tbody tr").nth(9))
    cut(page, start, stop, FOLDER / "report-dark.png")
    page = report_page(browser, report, NARROW, "light")
    start = top(page.locator(".task h3").first) - BORDER
    stop = top(page.locator(".plots figure").nth(1)) - BORDER
    cut(page, start, stop, FOLDER / "report-narrow.png")


def take_picture(browser: Any, picture: Path) -> None:
    """hops-1 below the mammals, with the bear in focus."""
    page = report_page(browser, picture, WIDE, "light")
    search = page.get_by_role("combobox").first
    for name in ("carnivore.n.01", "bear.n.01"):
        search.fill(name)
        page.locator(".gz-found li").first.wait_for()
        search.press("Enter")
        page.wait_for_timeout(STILL)
    search.fill("")
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.wait_for_timeout(STILL)
    foot = page.locator(".gz-legend").first.bounding_box()
    cut(page, 0, foot["y"] + foot["height"] + BORDER, FOLDER / "picture-hops-1.png")


def take_audit(browser: Any, picture: Path) -> None:
    """Where the instruments among the sample's classes are recognised."""
    page = report_page(browser, picture, WIDE, "light")
    page.evaluate("document.activeElement.blur()")
    icicle = page.locator(".gz-icicle").first.bounding_box()
    foot = page.locator(".gz-legend").first.bounding_box()
    stop, right = foot["y"] + foot["height"] + BORDER, icicle["x"] + icicle["width"] + BORDER
    cut(page, icicle["y"] - 1, stop, FOLDER / "picture-sample.png", right)


def graphzsl(*words: str) -> None:
    """Run a command."""
    subprocess.run([sys.executable, "-m", "graphzsl", *words], check=True)


def hierarchy_pages(folder: Path) -> tuple[Path, Path]:
    """The pages of hops-1 and of the audited sample, made from what is shipped."""
    pages = hops, audit = folder / "hops-1.html", folder / "sample.html"
    run = str(folder / "sample.json")
    graphzsl("picture", "hops-1", "--out", str(hops))
    graphzsl("audit", "sample", "--out", run)
    graphzsl("picture", run, "--root", "instrumentality.n.03", "--out", str(audit))
    return pages


def main(runs: str) -> None:
    """Make all pages, and take all pictures of them."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder, "report.html")
        title = ("--title", "Hidden classes of ILSVRC 2012")
        graphzsl("report", runs, "--out", str(report), *title)
        picture, audit = hierarchy_pages(Path(folder))
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        take_report(chromium, report)
        take_picture(chromium, picture)
        take_audit(chromium, audit)
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1])
