"""The shipped facts are the published ones."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.errors import DataError
from graphzsl.files import sha256
from graphzsl.sources.hierarchy import HUBS, read_hierarchy
from graphzsl.sources.imagenet import named_classes, read_class_list
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import (
    FOLDER,
    class_lists,
    hierarchy_path,
    list_path,
    populations_path,
    published,
)


@pytest.mark.parametrize("name", published())
def test_checksum_and_rows(name: str) -> None:
    found = published()[name]
    assert sha256(found.path) == found.sha256
    read = {"list": read_class_list, "populations": read_populations, "hierarchy": read_hierarchy}
    assert len(read[found.kind](found.path)) == found.rows  # type: ignore[operator]
    assert found.kind != "list" or f"{found.rows:,}" in found.title
    assert found.source
    assert found.licence
    assert b"\r" not in found.path.read_bytes()


def test_the_folder_holds_nothing_else() -> None:
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert files == {"__init__.py", "SOURCES.toml", *(found.file for found in published().values())}


def test_lists_are_those_of_timm() -> None:
    """Where the timm package is installed: every list that its source calls timm's."""
    spec = find_spec("timm")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("the timm package is not installed")
    folder = Path(spec.submodule_search_locations[0]) / "data" / "_info"
    compared = 0
    for found in class_lists().values():
        _, named, file = found.source.partition("timm/data/_info/")
        if named:
            assert found.path.read_text() == (folder / file).read_text(), found.name
            compared += 1
    assert compared == len(class_lists()) - 2  # all but the published splits


def test_the_facts_fit_together() -> None:
    """Populations are of the Fall 2011 classes; the hierarchy knows all of those but 29; the
    published splits are unseen classes of it, and 2-hops is a part of 3-hops."""
    lists = {name: named_classes(name) for name in class_lists()}
    fall, train = set(lists["imagenet-fall11"]), set(lists["ilsvrc2012"])
    populations = {wnid: images for _, wnid, images in read_populations(populations_path())}
    assert list(populations) == sorted(fall)
    assert sum(populations.values()) == 14_197_114
    nodes = {name for _, *edge in read_hierarchy(hierarchy_path()) for name in edge}
    assert (len(nodes), nodes >= set(HUBS), len(fall - train - nodes)) == (32_297, True, 29)
    two, three = set(lists["published-2-hops"]), set(lists["published-3-hops"])
    assert two < three < fall - train
    assert len(fall - train) == 20_842


def test_an_unknown_list_names_the_known_ones() -> None:
    with pytest.raises(DataError, match=r"no ImageNet list 'imagenet'.*published-2-hops"):
        list_path("imagenet")
    with pytest.raises(DataError, match=r"neither a file nor an ImageNet list.*ilsvrc2012"):
        named_classes("imagenet")


def test_the_lists_are_listed() -> None:
    done = CliRunner().invoke(main, ["load", "class-set", "--list", "--format", "csv"])
    assert done.exit_code == 0
    for name, found in class_lists().items():
        assert name in done.stdout
        assert found.title.replace('"', '""') in done.stdout
