"""The shipped facts are the published ones."""

from __future__ import annotations

import re
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from click.testing import CliRunner

from graphzsl.analysis import SUPERCLASS_SHAPES
from graphzsl.cli import main
from graphzsl.common import DataError, sha256
from graphzsl.sources import breeds, class_lists, tiered_imagenet
from graphzsl.sources.hierarchy import HUBS, read_hierarchy
from graphzsl.sources.imagenet import listed_classes, read_class_list
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import (
    FOLDER,
    hierarchy_path,
    list_path,
    populations_path,
    published,
)
from graphzsl.sources.superclasses import read_superclasses


@pytest.mark.parametrize("name", published())
def test_checksum_and_rows(name: str) -> None:
    found = published()[name]
    assert sha256(found.path) == found.sha256
    read = {
        "list": read_class_list,
        "order": read_class_list,
        "superclasses": read_superclasses,
        "populations": read_populations,
        "hierarchy": read_hierarchy,
        "ids": lambda path: parquet.read_table(path)["wordnet_30"],
        "names": lambda path: path.read_text(encoding="utf-8").splitlines()[1:],
    }
    assert len(read[found.kind](found.path)) == found.rows  # type: ignore[operator]
    assert found.kind != "list" or f"{found.rows:,}" in found.title
    assert found.source
    assert found.licence
    assert found.kind == "ids" or b"\r" not in found.path.read_bytes()


def test_the_folder_holds_nothing_else() -> None:
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert files == {"__init__.py", "SOURCES.toml", *(found.file for found in published().values())}


def test_lists_are_those_of_timm() -> None:
    """Every list that its source calls timm's, where the timm package is installed."""
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
    papers = ("published-", "tiered-", "ilsvrc-detection")  # lists that come with papers
    assert compared == sum(not name.startswith(papers) for name in class_lists())


def test_the_facts_fit_together() -> None:
    """Populations are of the Fall 2011 classes; the hierarchy knows all of those but 29; the
    published splits are unseen classes of it, and 2-hops is a part of 3-hops."""
    lists = {name: listed_classes(name) for name in class_lists()}
    fall, train = set(lists["imagenet-fall11"]), set(lists["ilsvrc2012"])
    populations = {wnid: images for _, wnid, images in read_populations(populations_path())}
    assert list(populations) == sorted(fall)
    assert sum(populations.values()) == 14_197_114
    nodes = {name for _, *edge in read_hierarchy(hierarchy_path()) for name in edge}
    assert (len(nodes), nodes >= set(HUBS), len(fall - train - nodes)) == (32_297, True, 29)
    two, three = set(lists["published-2-hops"]), set(lists["published-3-hops"])
    assert two < three < fall - train
    assert len(fall - train) == 20_842
    # SSB: unseen classes of ImageNet-21K-P; the Winter 2021 release lacks 20 of the hard ones
    processed = set(lists["imagenet-21k-miil"])
    easy, hard = set(lists["published-ssb-easy"]), set(lists["published-ssb-hard"])
    winter = set(lists["published-ssb-hard-winter21"])
    assert easy | hard <= processed - train
    assert (easy & hard, winter <= hard) == (set(), True)
    assert winter == hard & set(lists["imagenet-21k-miil-winter21"])
    # tieredImageNet (Ren et al. 2018, Table 1): 20, 6 and 8 superclasses of 10 to 30 classes
    tiers = tiered_imagenet()
    for part, superclasses in (("train", 20), ("val", 6), ("test", 8)):
        rows = [row for row in tiers if row.part == part]
        assert len({row.superclass for row in rows}) == superclasses
        assert [row.wnid for row in rows] == lists[f"tiered-imagenet-{part}"]
        assert {row.wnid for row in rows} <= train
    sizes = Counter(row.superclass for row in tiers)
    assert (min(sizes.values()), max(sizes.values()), len({r.wnid for r in tiers})) == (10, 30, 608)
    # BREEDS (Santurkar et al. 2021, Table 1): superclasses, and sub-classes of each side
    for shape, found in SUPERCLASS_SHAPES.items():
        rows = breeds(shape)
        drawn = Counter((row.superclass, row.part) for row in rows if row.part)
        assert len({row.superclass for row in rows}) == found.superclasses
        assert set(drawn.values()) == {found.subclasses // 2}
        assert len(drawn) == 2 * found.superclasses
        assert {row.wnid for row in rows} <= train


def test_an_unknown_list_names_the_known_ones() -> None:
    with pytest.raises(DataError, match=r"no ImageNet list 'imagenet'.*published-2-hops"):
        list_path("imagenet")
    with pytest.raises(DataError, match=r"'imagenet-fal11'. Did you mean imagenet-fall11"):
        list_path("imagenet-fal11")
    with pytest.raises(DataError, match=r"neither a file nor an ImageNet list.*ilsvrc2012"):
        listed_classes("imagenet")


def test_the_lists_are_listed() -> None:
    done = CliRunner().invoke(main, ["load", "class-set", "--list", "--format", "csv"])
    assert done.exit_code == 0
    for name, found in class_lists().items():
        assert name in done.stdout
        assert found.title.replace('"', '""') in done.stdout


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("n00000001\tn00000002\n", "superclasses.tsv:2: 2 cells, and the header has 3"),
        ('"a\nb"\tn00000001\tn00000002\n', "superclasses.tsv:2: shape "),
        (
            '\t"\nx\tn00000001\tn00000002\nx\tn00000003\tn00000004"\n',
            "superclasses.tsv:1: the name of col",
        ),
        ("entity13\t\tn00000002\n", "superclasses.tsv:2: superclass is empty"),
    ],
)
def test_a_wrong_row_of_superclasses_is_named(tmp_path: Path, rows: str, said: str) -> None:
    path = tmp_path / "superclasses.tsv"
    path.write_text("shape\tsuperclass\twnid" + "\n" * (not rows.startswith("\t")) + rows)
    with pytest.raises(DataError, match=re.escape(said)):
        read_superclasses(path)
