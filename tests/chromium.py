"""A real Chromium for the tests of pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
#: Whether a test that finds no Chromium fails: CI asks for that where it has installed one.
NEEDED = os.environ.get("GRAPHZSL_NEED_CHROMIUM") == "1"


def require_chromium() -> str:
    """Chromium's program. Where there is none the test is skipped, or fails where one is needed."""
    if CHROMIUM:
        return CHROMIUM
    if NEEDED:
        pytest.fail("Chromium is not found, and GRAPHZSL_NEED_CHROMIUM is 1.")
    pytest.skip("Chromium is not installed")


def chromium() -> Iterator[Any]:
    """Chromium for a fixture that yields from it; skips where there is none."""
    program = require_chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()
