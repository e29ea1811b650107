"""The page: whatever names hold, one file without requests; what the command and the face take and
refuse."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.data import Subgraph, save_subgraph
from graphzsl.database import Database
from graphzsl.database.class_sets import put_class_set
from graphzsl.sources.hierarchy import read_hierarchy
from graphzsl.sources.published import hierarchy_path
from graphzsl.splits import hop_split
from tests.audit.kinds import evaluated
from tests.cli.test_help import examples
from tests.conftest import Command
from tests.mini import TRAIN, MiniWordNet
from tests.reports.pictures.pages import HOSTILE, STRANGE, data_of, hostile_picture, roles_of
from tests.reports.pictures.test_tree import UNSEEN, mini_hierarchy


def test_no_name_ends_a_script_or_begins_a_tag() -> None:
    html = hostile_picture().html
    assert "window.bad = 1</script>" not in html
    # the data and the program, and their two ends
    assert len(re.findall(r"<script\b", html)) == len(re.findall(r"</script", html)) == 2
    assert "<!--" not in html
    assert set(data_of(html)["wnid"]) == {"thing", HOSTILE, STRANGE, "dog"}
    title = re.search(r"<title>(.*?)</title>", html, re.DOTALL)
    assert title
    assert unescape(title[1]) == HOSTILE


def test_in_a_notebook_it_is_a_frame_of_its_own() -> None:
    picture = hostile_picture()
    frame = picture._repr_html_()
    match = re.fullmatch(
        r'<iframe title="([^"]*)" sandbox="allow-scripts" .* srcdoc="([^"]*)"></iframe>',
        frame,
        re.DOTALL,
    )
    assert match
    assert unescape(match[1]) == HOSTILE
    assert unescape(match[2]) == picture.html


def test_shown_outside_of_a_notebook_it_opens(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    picture = hostile_picture()
    picture.show()
    (page,) = tmp_path.iterdir()
    assert opened == [page.as_uri()]
    assert page.read_text(encoding="utf-8") == picture.html
    picture.show()
    assert len(list(tmp_path.iterdir())) == 2, "the browser may not have read the first yet"
    os.utime(page, (0, 0))
    picture.show()
    assert len(list(tmp_path.iterdir())) == 2
    assert not page.exists()


def test_a_page_names_nothing_outside_of_it() -> None:
    html = hostile_picture().html
    assert not re.findall(r"\b(?:src|href)\s*=|@import|url\(|fetch\(|XMLHttp|import\(", html)
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", html))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a namespace
    assert "default-src 'none'" in html


def test_a_list_and_its_roles(draw: Callable[..., Result], lists: None, mini: MiniWordNet) -> None:
    said = draw("mine.txt", "--train", "train.txt", "--universe", "universe.txt").stderr
    assert "56 classes" in said
    html = Path("page.html").read_text(encoding="utf-8")
    assert "9 unseen classes, 7 training classes (train), 40 other candidates (universe)." in html
    data = data_of(html)
    kinds = roles_of(data)
    assert {wnid for wnid, kind in kinds.items() if kind == "Unseen"} == set(mini.named(*UNSEEN))
    assert {wnid for wnid, kind in kinds.items() if kind == "Training"} == set(mini.named(*TRAIN))
    place = data["wnid"].index(mini["lifting_truck"])
    assert data["words"][place] == "lifting truck; crane"
    assert data["gloss"][place] == "a mini lifting truck"
    koko_below = {mini["king_arthur"], mini["koko"]}
    assert not koko_below & kinds.keys(), "instances that are no classes are left out"


def test_plain_classes_a_root_and_a_title(
    draw: Callable[..., Result], lists: None, mini: MiniWordNet
) -> None:
    draw("train.txt", "--train", "none", "--root", "living thing", "--title", "Alive & well")
    html = Path("page.html").read_text(encoding="utf-8")
    assert "<h1>Alive &amp; well</h1>" in html
    data = data_of(html)
    assert data["wnid"][0] == mini["living_thing"]
    assert [data["kinds"][role] for role in data["role"]].count("Class") == 5


def test_classes_of_a_hierarchy_of_ones_own(draw: Callable[..., Result]) -> None:
    """cat and oak, and above them animal, plant and thing: five nodes, none of WordNet's."""
    nodes = ["animal", "cat", "dog", "oak", "plant", "thing"]
    edges = np.array([[1, 2, 3, 0, 4], [0, 0, 4, 5, 5]])  # children, parents
    words = [[node] for node in nodes]
    save_subgraph(Subgraph(nodes, nodes, words, [""] * 6, edges, {}, {}), Path("own"))
    Path("classes.txt").write_text("cat\noak\n")
    own = ("classes.txt", "--wordnet", "own")
    assert draw(*own, "--train", "none").stderr.startswith("2 classes, 5 synsets in page.html.")
    data = data_of(Path("page.html").read_text(encoding="utf-8"))
    assert sorted(data["wnid"]) == ["animal", "cat", "oak", "plant", "thing"]
    # the training classes by default are WordNet's
    assert draw(*own, code=1).stderr.endswith("The option is --train.\n")


def test_a_class_and_a_hop_split_by_name(
    draw: Callable[..., Result], lists: None, mini: MiniWordNet
) -> None:
    lists_too = ("--train", "train.txt", "--universe", "universe.txt")
    draw("toy poodle", *lists_too)
    data = data_of(Path("page.html").read_text(encoding="utf-8"))
    assert data["wnid"][data["focus"]] == mini["toy_poodle"]
    said = " ".join(draw("crane", *lists_too).stderr.split())  # the bird is tagged more often
    assert f"'crane' as {mini['crane']} (crane.n.01)" in said
    data = data_of(Path("page.html").read_text(encoding="utf-8"))
    assert data["wnid"][data["focus"]] == mini["crane"]
    draw("hops-1", *lists_too, "--colour", "ratio")
    data = data_of(Path("page.html").read_text(encoding="utf-8"))
    ratios = next(each for each in data["values"] if each["key"] == "ratio")
    assert {data["wnid"][int(at)] for at in ratios["own"]} == set(mini.named(*UNSEEN))
    assert data["colour"] == "ratio"


@pytest.mark.parametrize(("alias", "true"), [("2-hops", "hops-1"), ("3-hops", "hops-2")])
def test_the_literatures_name_of_a_hop_split_is_understood_and_explained(
    alias: str, true: str, draw: Callable[..., Result], lists: None
) -> None:
    """Hascoet et al. 2019, appendix A: one hop less than the name says; the lists that were
    published under these names have 1,549 and 7,860 classes."""
    lists_too = ("--train", "train.txt", "--universe", "universe.txt")
    draw(true, *lists_too)
    drawn = data_of(Path("page.html").read_text(encoding="utf-8"))
    said = " ".join(draw(alias, *lists_too).stderr.split())
    assert data_of(Path("page.html").read_text(encoding="utf-8")) == drawn
    number = {"2-hops": "1,549", "3-hops": "7,860"}[alias]
    assert (
        f'What the literature calls "{alias}" is {true} by its definition; the list of {number}'
        f" classes published as that is published-{alias}."
    ) in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("mine.txt", "--colour", "accuracy"),
            "The accuracy of these classes is not known: it needs a run of `graphzsl evaluate`."
            " Colour by role or ratio (--colour).",
        ),
        (("mine.txt", "--root", "rose"), "No class of the picture is at or below"),
        (("mine.txt", "--root", "rosse"), "'rosse' is not a node of the hierarchy"),
        (("hops-1", "--train", "none"), "the training classes are none. Name a list (--train)."),
        (
            ("hops-9", "--universe", "train.txt"),
            "the farthest class of train is 0 hops from train.",
        ),
        (("hops-9", "--universe", "universe.txt"), "the farthest class of universe is"),
        (("mien",), "a hop split (hops-1, hops-2, …, all), nor a class"),
        (("hosp-1",), "Did you mean hops-1? Shipped lists: "),
        (("wrong.txt",), "wrong.txt:2: n00000009 is not a node"),
        (("run.json",), "run.json:1: 'metrics' is missing in this run."),
        (("list.json",), "list.json: expected a list of names or wnids, such as"),
        (("mine.txt", "--train", "tarin.txt"), "'tarin.txt' is neither a file, nor a shipped list"),
    ],
)
def test_what_cannot_be_drawn_is_said_and_nothing_is_written(
    draw: Callable[..., Result],
    lists: None,
    mini: MiniWordNet,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    Path("wrong.txt").write_text(f"{mini['dog']}\nn00000009\n")
    Path("run.json").write_text('{"kind": "evaluation"}')
    Path("list.json").write_text("{}")
    own = () if "--train" in arguments else ("--train", "train.txt")
    others = () if "--universe" in arguments else ("--universe", "none")
    if arguments[0].startswith("hops") and not others:
        own = ("--train", "train.txt")
    elif arguments == ("hops-1", "--train", "none"):
        others = ("--universe", "universe.txt")
    assert said in draw(*arguments, *own, *others, code=1).stderr
    assert not Path("page.html").exists()


def test_without_out_a_page_is_called_as_what_it_is_of(
    lists: None, mini: MiniWordNet, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ("--train", "train.txt", "--universe", "universe.txt")

    def command(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["picture", *arguments, *own])

    for given, page in (("hops-1", "hops-1"), ("toy poodle", "toy-poodle"), ("mine.txt", "mine")):
        done = command(given)
        assert (done.exit_code, f"in {page}.html" in done.stderr) == (0, True), done.output
        assert Path(f"{page}.html").is_file()
    assert command("hops-1").exit_code == 0, "its own page is replaced"
    Path("hops-1.html").write_text("mine", encoding="utf-8")
    done = command("hops-1")
    assert (done.exit_code, Path("hops-1.html").read_text()) == (1, "mine")
    assert "hops-1.html is there, and was not written by `graphzsl picture`" in done.stderr


def test_a_text_too_long_for_a_file_is_no_class() -> None:
    with pytest.raises(gz.DataError, match="neither a file, nor a shipped list"):
        gz.picture("a" * 300)


def test_a_folder_that_is_a_word_too_is_no_class(
    draw: Callable[..., Result], lists: None, mini: MiniWordNet
) -> None:
    Path("dog").mkdir()
    Path("dog/a.json").write_text("{}")
    said = draw("dog", "--train", "none", "--universe", "none", code=1).stderr
    assert "'dog' is a folder here, and a word" in said
    assert "such as dog/a.json; or for the class its wnid or its name, dog.n.01" in said
    assert draw("dog.n.01", "--train", "train.txt", "--universe", "none")


def test_a_part_says_that_it_is_one(draw: Callable[..., Result], lists: None) -> None:
    draw("mine.txt", "--train", "train.txt", "--root", "animal")
    html = Path("page.html").read_text(encoding="utf-8")
    assert "<h1>mine: animal and below, unseen and training classes in the hierarchy</h1>" in html
    assert "Shown: 10 of 16 classes, those at or below animal. What follows is of all." in html


def test_another_suffix_is_refused(files: Path) -> None:
    done = CliRunner().invoke(main, ["picture", "dog", "--out", "page.svg"])
    assert done.exit_code == 2
    assert ".html" in done.stderr


@pytest.mark.thorough("examples of help texts, run")
def test_the_examples_of_help_run(
    mini: MiniWordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On all of WordNet, without a server."""
    monkeypatch.chdir(tmp_path)
    Path("classes.txt").write_text("n02084071\ncat.n.01\ncar.n.01  a comment\n")
    Path("runs").mkdir()
    evaluated(["tench", "hen"], [["tench"], ["tench"]], rounds=10).save("runs/linear.json")
    ran = list(examples("picture"))
    for words in ran:
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.output
    pages = {
        path.stem: data_of(path.read_text(encoding="utf-8")) for path in tmp_path.glob("*.html")
    }
    assert len(pages) == len(ran) == 5
    # the sizes of the table of published splits in docs/reproduction.md
    hops = pages["hops-1"]
    assert [hops["below"][role][0] for role in ("Unseen", "Training")] == [1548, 1000]
    assert hops["wnid"][0] == "n00001740"
    dogs = pages["dogs"]
    assert (dogs["wnid"][0], dogs["colour"]) == ("n02084071", "ratio")
    shepherd = pages["shepherd"]
    assert shepherd["wnid"][shepherd["focus"]] == "n02106662"
    assert pages["classes"]["below"] == {"Class": pages["classes"]["below"]["Class"]}
    assert pages["linear"]["values"][0]["own"].keys() == pages["linear"]["facts"]["samples"].keys()


def test_a_stored_split_has_its_own_lists(
    run: Command, mini_database: Database, mini: MiniWordNet, files: Path
) -> None:
    split = hop_split(mini_database, 1, train="train", universe="universe", name="stored one")
    split.store(mini_database)
    put_class_set(mini_database, "a list", mini.named("dog", "cat"), {"kind": "list"})
    run("picture", "stored one", "--out", "page.html")
    html = Path("page.html").read_text(encoding="utf-8")
    assert "9 unseen classes, 7 training classes (train), 40 other candidates (universe)." in html
    run("picture", "a list", "--train", "train", "--out", "list.html")
    assert "2 unseen classes, 7 training classes (train)." in Path("list.html").read_text()
    # the object knows the names of its lists, which are not shipped ones
    lists = {"train": mini.named(*TRAIN), "universe": mini.universe()}
    shown = gz.picture(split, **lists, hierarchy=mini_hierarchy(mini))
    assert data_of(shown.html)["below"]["Unseen"][0] == 9
    with pytest.raises(gz.DataError, match="'train' is neither a file nor an ImageNet list"):
        gz.picture(split)


def test_a_split_is_measured_in_its_own_hierarchy(
    run: Command, mini_database: Database, mini: MiniWordNet, files: Path
) -> None:
    """Edges to single things do not count in hypernym: koko is no neighbour of the gorilla."""
    split = hop_split(mini_database, 1, train="train", universe="universe", hierarchy="hypernym")
    split.store(mini_database)
    rows = json.loads(run("split", "report", split.name, "--format", "json").stdout)
    (ratio,) = (row["value"] for row in rows if row["measure"] == "structural ratio")
    run("picture", split.name, "--out", "page.html")
    html = Path("page.html").read_text(encoding="utf-8")
    said = f"Structural ratio {ratio:.3f}: mean over the unseen classes, by hops"
    assert f"{said} of hierarchy hypernym." in html
    assert "are in hierarchy hypernym (the edges in the database)" in html
    assert data_of(html)["measured"] == "hypernym"
    # without the database its edges are not known, and the page says so
    lists = {"train": mini.named(*TRAIN), "universe": mini.universe()}
    html = gz.picture(split, **lists, hierarchy=mini_hierarchy(mini)).html
    assert "hops and ratios here are WordNet&#39;s instead" in html


def test_a_split_of_the_release_is_measured_in_the_release() -> None:
    """Three leaves of the release's hub are 2 edges from each other, a ratio of 2 / 2; in WordNet
    they are no neighbours."""
    edges = {(c, p) for _, c, p in read_hierarchy(hierarchy_path())}
    above = {parent for _, parent in edges}
    others = {child for child, parent in edges if parent != "fa11misc"}
    inner = above | others
    hub = sorted(child for child, _ in edges if child not in inner)[:3]
    split = gz.Split("three@release", hub[:2], "ilsvrc2012", "imagenet-fall11", "release")
    html = gz.picture(split, train=hub[2:], universe="none").html
    assert "Structural ratio 1.000: mean over the unseen classes, by hops of hierarchy rel" in html
    data = data_of(html)
    hops = {data["wnid"][int(at)]: known[0] for at, known in data["closest"].items()}
    assert hops == dict.fromkeys(hub[:2], 2)
    same = gz.Split("three", hub[:2], "ilsvrc2012", "imagenet-fall11", "wordnet")
    assert "hierarchy release" not in gz.picture(same, train=hub[2:], universe="none").html


def test_the_example_of_the_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "looking.md").read_text("utf-8")
    found = re.search(
        r"<!-- picture -->\s*```python\n(.*?)```\s*```text\n(.*?)```", text, re.DOTALL
    )
    assert found
    monkeypatch.chdir(tmp_path)
    exec(compile(found[1], "looking.md", "exec"), {})
    assert capsys.readouterr().out == found[2]
    run = data_of(Path("run.html").read_text(encoding="utf-8"))
    assert run["values"][0]["own"].keys() == run["facts"]["samples"].keys()
