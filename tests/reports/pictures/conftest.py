"""A folder with the mini WordNet for `graphzsl picture`, and a picture open in Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main
from graphzsl.reports import Listed, picture_of
from graphzsl.reports.pictures.subjects import Subject, of_classes
from graphzsl.reports.pictures.tree import Values
from tests.chromium import chromium as real_chromium
from tests.mini import TRAIN, MiniWordNet
from tests.reports.pictures.pages import (
    WIDE,
    Page,
)
from tests.reports.pictures.test_tree import UNSEEN, mini_hierarchy


@pytest.fixture
def files(in_mini_wordnet: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, where the mini WordNet stands for WordNet's own files."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def draw(files: Path) -> Callable[..., Result]:
    def command(*arguments: str, code: int = 0) -> Result:
        done = CliRunner().invoke(main, ["picture", *arguments, "--out", "page.html"])
        assert done.exit_code == code, done.output
        return done

    return command


@pytest.fixture
def lists(files: Path, mini: MiniWordNet) -> None:
    for name, wnids in (
        ("mine", mini.named(*UNSEEN)),
        ("train", mini.named(*TRAIN)),
        ("universe", mini.universe()),
    ):
        Path(f"{name}.txt").write_text("".join(f"{wnid}\n" for wnid in wnids))


@pytest.fixture(scope="module")
def subject(mini: MiniWordNet) -> Subject:
    """The classes one hop from the training classes; poodle and pony have accuracies."""
    lists = Listed("mine", mini.named(*UNSEEN)), Listed("train", mini.named(*TRAIN))
    found = of_classes(mini_hierarchy(mini), *lists, None)
    accuracy = {mini["poodle"]: 1.0, mini["pony"]: 0.0}
    found.values["accuracy"] = Values("accuracy (hit@1)", accuracy, "share")
    return found


@pytest.fixture(scope="module")
def path(subject: Subject, mini: MiniWordNet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("picture") / "mine.html"
    picture_of(subject, mini_hierarchy(mini)).save(path)
    return path


chromium = pytest.fixture(scope="module")(real_chromium)


@pytest.fixture
def page(chromium: Any, path: Path) -> Iterator[Page]:
    opened = Page(chromium, path, viewport=WIDE, color_scheme="light")
    yield opened
    assert opened.requests == [path.as_uri()], "a request leaves the page"
    assert opened.problems == []
    opened.tab.close()
