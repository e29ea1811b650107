"""The benchmarks that are shipped as folders: verified without a server, and readable by others."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from collections.abc import Iterable
from contextlib import chdir
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.benchmark import conclusion, find_recipe, read_manifest, verify
from graphzsl.benchmark.contents import contents
from graphzsl.benchmark.folder import known_populations, read_benchmark
from graphzsl.benchmark.statistics import OF_BRANCHES
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy, Lexicon
from tests.solved import OF_SELECTION

pytestmark = pytest.mark.thorough("the shipped benchmarks, built anew")

SHIPPED = Path(__file__).resolve().parents[2] / "benchmarks"
NAMES = ("default", "max-ratio")
#: Some of what is checked of every benchmark.
CHECKED = {
    *("files", "other files", "manifest", "wnids", "disjoint", "classes.csv", "distances.npy"),
    *("croissant", "populations", "universe", "training classes", "steps", "recipe"),
    *("structural_ratio", *OF_SELECTION, *OF_BRANCHES),
}


@pytest.fixture(scope="module")
def known() -> tuple[Lexicon, Hierarchy]:
    return Lexicon.load(), Hierarchy.load()


@pytest.fixture(scope="module")
def verified(
    known: tuple[Lexicon, Hierarchy], solved_once: None
) -> dict[str, list[dict[str, Any]]]:
    return {name: verify(SHIPPED / name, None, *known) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_benchmark_is_as_published(
    name: str, verified: dict[str, list[dict[str, Any]]]
) -> None:
    """Without a database nothing is left unchecked: the recipes run from WordNet's files."""
    rows = {row["check"]: row["ok"] for row in verified[name]}
    assert rows.keys() >= CHECKED
    assert {check for check, ok in rows.items() if not ok} == set(), verified[name]
    told = conclusion(SHIPPED / name, verified[name])
    assert told.endswith(f"is as published: all of {len(rows)} checks.")


def test_the_words_are_those_of_the_recipes() -> None:
    """The default's limits and judgement of classes are its own."""
    cards = {name: (SHIPPED / name / "README.md").read_text() for name in NAMES}
    assert "judged by name and gloss" in cards["default"]
    assert "told apart by its looks" in cards["default"]
    assert "judged by name" not in cards["max-ratio"]
    assert "## What is left out" not in cards["max-ratio"]
    assert "huddle in a few branches" in cards["max-ratio"]


@pytest.mark.parametrize("name", NAMES)
def test_the_card_names_what_words_do_not_tell_apart(
    name: str, known: tuple[Lexicon, Hierarchy]
) -> None:
    """By loops over the tables beside it."""
    card = (SHIPPED / name / "README.md").read_text().partition("## Known limits")[2]
    with (SHIPPED / name / "classes.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    words = {row["wnid"]: set(_keys(row["words"].split("; "))) for row in rows}
    alike = [
        (one, other)
        for one, other in combinations(words, 2)
        if 2 * len(words[one] & words[other]) >= min(len(words[one]), len(words[other]))
    ]
    assert f"{len(alike)} pairs of test classes share half or more" in card
    listed = re.findall(r"\((n\d{8})\) and [^;]*? \((n\d{8}); both are", card)
    assert listed == alike
    lexicon = known[0]
    training = (SHIPPED / name / "training_classes.txt").read_text().split()
    taught = {each for wnid in training for each in lexicon.words_of(lexicon.index[wnid])}
    keys = set(_keys(taught))
    called = [row["wnid"] for row in rows if _keys([row["class_name"]])[0] in keys]
    assert f"{len(called)} test classes are called in `names.json` by a word of" in card
    assert re.findall(r"\((n\d{8}); training class", card) == called
    if name == "default":
        assert {
            ("n07724492", "n11986729"),
            ("n07724654", "n11987126"),
            ("n04390977", "n04559451"),
            ("n07756325", "n12164881"),
        } <= set(alike), "seen by eye"
        assert called == ["n07731952", "n12160857"]


def _keys(words: Iterable[str]) -> list[str]:
    return [word.casefold().replace("-", " ").replace("_", " ") for word in words]


@pytest.mark.parametrize("name", NAMES)
def test_it_was_built_by_the_shipped_recipe(name: str) -> None:
    assert (SHIPPED / name / "recipe.toml").read_text() == find_recipe(name).text


def test_a_recipe_that_is_no_text_is_named(
    tmp_path: Path, known: tuple[Lexicon, Hierarchy]
) -> None:
    folder = tmp_path / "max-ratio"
    shutil.copytree(SHIPPED / "max-ratio", folder)
    (folder / "recipe.toml").write_bytes(b"kind = 1\n\xff")
    with pytest.raises(DataError, match=r"recipe\.toml:2: not UTF-8 text"):
        read_benchmark(folder, read_manifest(folder), known[1], known[0], {})


@pytest.mark.parametrize("name", NAMES)
def test_the_lines_of_the_card_run(name: str) -> None:
    """What the card shows to Python, in its folder."""
    (code,) = re.findall(r"```python\n(.*?)```", (SHIPPED / name / "README.md").read_text(), re.S)
    found: dict[str, Any] = {}
    with chdir(SHIPPED / name):
        exec(code, found)
    classes = [row["wnid"] for row in found["rows"]]
    assert classes == Path(SHIPPED / name / "test_classes.txt").read_text().split()
    assert list(found["names"]) == classes == sorted(classes)
    assert len(set(found["names"].values())) == 500
    assert found["hops"].shape == (500, 1500)
    nearest = [float(row["train_hops"]) for row in found["rows"]]
    assert found["hops"][:, :1000].min(axis=1).tolist() == nearest
    ratios = [float(row["structural_ratio"]) for row in found["rows"]]
    told = json.loads((SHIPPED / name / "statistics.json").read_text())["statistics"]
    assert np.mean(ratios) == pytest.approx(told["structural_ratio"], abs=1e-4)


@pytest.mark.parametrize("train", ["ilsvrc2012", "my-train"])
def test_the_commands_of_the_card_run_for_one_who_has_the_folder_alone(
    train: str,
    tmp_path: Path,
    known: tuple[Lexicon, Hierarchy],
    solved_once: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a server, and without the class set that the training classes were."""
    shipped = SHIPPED / "max-ratio"
    described = {**read_manifest(shipped), "train": train}
    test = (shipped / "test_classes.txt").read_text().split()
    images = known_populations(shipped, described, test)
    made = read_benchmark(shipped, described, known[1], known[0], images)
    assert 'train = "ilsvrc2012"' in made.recipe
    recipe = made.recipe.replace('train = "ilsvrc2012"', f'train = "{train}"')
    for name, content in contents(replace(made, recipe=recipe)).items():
        (tmp_path / name).write_bytes(content)
    # files beside it whose names begin with a dot are none of the benchmark's
    rows = [f"{wnid},{test[0]}" for wnid in test]
    predictions = tmp_path / ".predictions.csv"
    predictions.write_text("\n".join(["label,top1", *rows]))
    monkeypatch.setenv("GRAPHZSL_HOME", str(tmp_path / ".home"))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setattr(
        "graphzsl.database.server.LocalServer.start", lambda *_: pytest.fail("started")
    )
    (block,) = re.findall(r"```bash\n(.*?)```", (tmp_path / "README.md").read_text(), re.S)
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert [command[:2] for command in commands] == [["graphzsl", "audit"], ["graphzsl", "split"]]
    with chdir(tmp_path):
        for _, *command in commands:
            given = [predictions.name if part == "predictions.csv" else part for part in command]
            done = CliRunner().invoke(main, given)
            assert done.exit_code == 0, done.output
            # groups by hops are from the training classes
            if command[0] == "audit":
                done = CliRunner().invoke(main, [*given, "--format", "json"])
                assert re.search(r'"hit@1, \d+ hops?"', done.stdout), done.output


def test_the_default_benchmark_is_what_the_documents_say() -> None:
    told = json.loads((SHIPPED / "default" / "statistics.json").read_text())["statistics"]
    row = (
        f"| `default` | {told['structural_ratio']:.3f} | {told['bound']:.3f} |"
        f" {told['effective_branches']:.1f} | {told['largest_branch_share']:.0%} |"
    ).replace("%", " %")
    assert row in (SHIPPED.parent / "docs/benchmarks.md").read_text()
    assert (
        f"R = {told['structural_ratio']:.3f}" in (SHIPPED.parent / "docs/analysis.md").read_text()
    )


@pytest.mark.parametrize("name", NAMES)
def test_croissant_is_valid(name: str) -> None:
    """By the reference implementation of the standard."""
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    found = mlcroissant.Dataset(jsonld=SHIPPED / name / "croissant.json")
    assert not found.metadata.ctx.issues.errors
    assert not found.metadata.ctx.issues.warnings
    assert found.metadata.name == f"graphzsl-{name}"
    records = list(found.records("classes"))
    assert len(records) == 500
    with (SHIPPED / name / "classes.csv").open(encoding="utf-8") as file:
        first = next(csv.DictReader(file))
    told = {key.split("/")[1]: value for key, value in records[0].items()}
    assert told["wnid"].decode() == first["wnid"]
    assert told["population"] == int(first["population"])
    assert isinstance(told["train_hops"], int)
    assert told["train_hops"] == int(first["train_hops"])
    assert len(list(found.records("closest_training_classes"))) == 500


#: (file, how it is damaged, what is said of it), where what it was is shipped.
DAMAGE = [
    ("training_classes.txt", "n01484850\n", "", "training_classes.txt:3: "),
    ("recipe.toml", "= 300", "= 9", "recipe.toml:10: 'population_above = 9', expected"),
    ("statistics.json", '"branches": 119', '"branches": 120', "statistics.json:5: '"),
]


@pytest.mark.parametrize(("name", "old", "new", "said"), DAMAGE)
def test_damage_is_found_with_its_line(
    tmp_path: Path,
    known: tuple[Lexicon, Hierarchy],
    name: str,
    old: str,
    new: str,
    said: str,
) -> None:
    shutil.copytree(SHIPPED / "default", tmp_path / "copy")
    path = tmp_path / "copy" / name
    assert path.read_text().count(old) == 1
    path.write_text(path.read_text().replace(old, new))
    rows = {row["check"]: row for row in verify(tmp_path / "copy", None, *known)}
    assert (rows["files"]["ok"], rows[name]["ok"]) == (False, False)
    assert rows[name]["detail"].startswith(said)


def test_the_command_ends_with_3(tmp_path: Path) -> None:
    shutil.copytree(SHIPPED / "default", tmp_path / "copy")
    path = tmp_path / "copy" / "names.json"
    path.write_text(path.read_text().replace("striped killifish", "cat"))
    command = ["split", "verify", str(tmp_path / "copy"), "--offline", "--format", "json"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 3
    assert "names.json:" in done.stdout
    assert "striped killifish" in done.stdout


def test_a_table_folds_what_was_not_checked(
    tmp_path: Path, known: tuple[Lexicon, Hierarchy]
) -> None:
    """Into one row, which says how it can be; JSON has every check."""
    folder = tmp_path / "copy"
    shutil.copytree(SHIPPED / "default", folder)
    path = folder / "test_classes.txt"
    path.write_text(path.read_text().replace("n0", "n1", 1))
    command = ["split", "verify", str(folder), "--offline", "--format"]
    table = CliRunner(env={"COLUMNS": "200"}).invoke(main, [*command, "table"])
    document = CliRunner().invoke(main, [*command, "json"])
    assert table.exit_code == document.exit_code == 3
    rows = json.loads(document.stdout)
    unchecked = [row for row in rows if row["ok"] is None]
    assert len(unchecked) > 30
    lines = [line for line in table.stdout.splitlines() if "not checked" in line]
    assert len(lines) == 1
    assert lines[0].startswith(f"{len(unchecked)} checks")
    assert "not checked: files are not as published. Mend what failed" in lines[0]
    # where a database is what lacks, the row says so
    from graphzsl.cli.split.build import _unchecked_folded

    why = "the class set x is not a shipped list: verify with a database where it is loaded"
    others = [
        {"check": name, "ok": None, "detail": detail}
        for name, detail in (
            ("bound", f"not checked: only the recipe tells, which was not run: {why}"),
            ("branches", "not checked: the universe was not either"),
            ("largest", "not checked: the universe was not either"),
            ("recipe", f"not run: {why}"),
        )
    ]
    good = {"check": "wnids", "ok": True, "detail": "all"}
    assert _unchecked_folded([others[0], good, *others[1:]]) == [
        good,
        {
            "check": "4 checks",
            "ok": None,
            "detail": f"not checked: {why} (--format json has each with its reason)",
        },
    ]
    assert _unchecked_folded(others[:3]) == others[:3]
