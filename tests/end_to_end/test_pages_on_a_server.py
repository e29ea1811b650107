"""What pages and notebooks of docs/ do with a database, done with all of WordNet."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphzsl.common import Settings
from graphzsl.database import Database
from tests.end_to_end.test_tour import own_environment
from tests.pages import (
    DOCS,
    DOCUMENT,
    blocks,
    command,
    expected,
    needs_a_server,
    pages,
    parameters,
    recorded,
    run_notebook,
    run_page,
)

PAGES = [page for page in pages() if any(map(needs_a_server, blocks(page)))]


@pytest.fixture(autouse=True)
def _in_its_folder(
    full_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # what `db browser` opens and copies
    monkeypatch.setattr("webbrowser.open", lambda _: True)
    monkeypatch.setattr("pyperclip.copy", lambda _: None)
    for name, value in own_environment(full_settings).items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("page", parameters(PAGES))
def test_the_examples_of_a_page(
    full_database: Database, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for block, said in run_page(page, monkeypatch, server=True):
        assert said == expected(block), block.text


def test_the_recording_of_an_explanation(
    full_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    command("graphzsl split hops --max-hops 1")
    typed, *said = recorded("explain")
    assert said == command(typed.removeprefix("$ "), table=True).splitlines()


@DOCUMENT
def test_the_notebook_of_splits(full_database: Database) -> None:
    for shown, found in run_notebook(DOCS / "notebooks" / "splits.ipynb"):
        assert found == shown
