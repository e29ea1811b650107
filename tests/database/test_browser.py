"""Neo4j Browser of the local server, in a real Chromium."""

from __future__ import annotations

import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest

from graphzsl.database.client import Database
from graphzsl.database.server import LocalServer
from graphzsl.settings import Settings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--virtual-time-budget=20000",
)  # fmt: skip


def dump(url: str, profile: Path) -> str:
    """The page's DOM after its scripts ran; skips where there is no Chromium."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--dump-dom", url]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def test_neo4j_browser_opens_with_the_servers_address(
    mini_database: Database, mini_settings: Settings, tmp_path: Path
) -> None:
    state = LocalServer(mini_settings).state()
    assert state
    with urllib.request.urlopen(state.browser_url) as page:
        assert page.status == 200
    dom = dump(state.browser_url, tmp_path / "profile")
    assert "Neo4j Browser" in dom
    assert 'data-testid="connect"' in dom or "Connect URL" in dom or "password" in dom.lower(), dom[-2000:]
