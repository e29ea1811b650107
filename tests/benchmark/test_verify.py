"""Verifying a published folder: every kind of damage is found, with file and line."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphzsl.benchmark import conclusion, verify
from graphzsl.benchmark.contents import BASIS, contents
from graphzsl.benchmark.differences import first_difference
from graphzsl.benchmark.record import Benchmark
from graphzsl.benchmark.statistics import OF_BRANCHES, is_number
from graphzsl.common import DataError, sha256
from tests.mini import MiniWordNet

Damage = Callable[[Path], object]


@pytest.fixture
def folder(tmp_path: Path, benchmark_of_mini: Benchmark) -> Path:
    for name, content in contents(benchmark_of_mini).items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def _verify(folder: Path, benchmark: Benchmark) -> dict[str, tuple[bool | None, str]]:
    rows = verify(folder, None, benchmark.lexicon, benchmark.graph)
    return {row["check"]: (row["ok"], row["detail"]) for row in rows}


def _replace(old: str, new: str) -> Damage:
    def damage(path: Path) -> None:
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    return damage


def _swap(number: int) -> Damage:
    """A line and the next change places."""

    def damage(path: Path) -> None:
        lines = path.read_text().splitlines(keepends=True)
        lines[number - 1], lines[number] = lines[number], lines[number - 1]
        path.write_text("".join(lines))

    return damage


def _line(number: int, text: str) -> Damage:
    def damage(path: Path) -> None:
        lines = path.read_text().splitlines(keepends=True)
        lines[number - 1 : number] = [text]
        path.write_text("".join(lines))

    return damage


def _number(path: Path) -> None:
    hops = np.load(path)
    hops[2, 3] = 9
    np.save(path, hops)


def _delete(path: Path) -> None:
    path.unlink()


def _manifest(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")


def test_an_undamaged_folder_is_as_published(folder: Path, benchmark_of_mini: Benchmark) -> None:
    found = _verify(folder, benchmark_of_mini)
    # neither class set is a shipped list, and so the recipe takes the database
    unchecked = {check for check, (ok, _) in found.items() if ok is None}
    # nor are the images of the cat those of a source that is known
    own = {"training classes", "universe", "populations", "steps", "recipe"}
    assert unchecked == {*own, *OF_BRANCHES}
    assert not [check for check, (ok, _) in found.items() if ok is False]
    for check in unchecked:
        assert found[check][1].startswith(("not checked: ", "not run: "))
    assert "verify with a database" in found["recipe"][1]
    rows = verify(folder, None, benchmark_of_mini.lexicon, benchmark_of_mini.graph)
    made = len(rows) - len(unchecked)
    assert f"as published in what was checked: {made} of {len(rows)} checks. Not" in conclusion(
        folder, rows
    )


#: (file, how it is damaged, what is said of it)
DAMAGE = [
    ("classes.csv", _replace("laptop,laptop", "laptop,tablet"), "classes.csv:7: "),
    ("classes.csv", _line(3, ""), "classes.csv:3: "),
    ("names.json", _swap(14), "names.json:14: "),
    ("test_classes.txt", _line(7, "n00001009\n"), "test_classes.txt:7: 'n00001009', expected its"),
    ("test_classes.txt", _line(6, ""), "test_classes.txt:6: the file ends, expected 'n0000"),
    ("test_classes.txt", _swap(2), "test_classes.txt:2: "),
    ("closest_training_classes.csv", _replace(",3,", ",4,"), "closest_training_classes.csv:"),
    ("README.md", _replace("# graphzsl mine", "# graphzsl yours"), "README.md:25: "),
    ("baselines.csv", _replace("0.166667", "0.5"), "baselines.csv:2: "),
    ("distances.npy", _number, "distances.npy: row 3, column 4 is 9, expected "),
    ("distances.npy", lambda path: path.write_bytes(b"\x80\x04."), "distances.npy is not an array"),
    (
        "distances.npy",
        lambda path: np.save(path, np.zeros((2, 2))),
        "distances.npy: float64 [2, 2]",
    ),
    ("croissant.json", _replace("text/csv", "text/tsv"), "croissant.json:"),
    ("training_classes.txt", _line(3, ""), "training_classes.txt is changed"),
    ("recipe.toml", _replace("For a test", "For me"), "recipe.toml is changed"),
    ("statistics.json", _replace('"classes": 6', '"classes": 7'), "statistics.json is changed"),
    *((name, _delete, f"{name} is missing") for name in (*BASIS, "names.json", "README.md")),
]


@pytest.mark.parametrize(("name", "damage", "said"), DAMAGE)
def test_damage_is_found_with_its_place(
    folder: Path, benchmark_of_mini: Benchmark, name: str, damage: Damage, said: str
) -> None:
    damage(folder / name)
    found = _verify(folder, benchmark_of_mini)
    failed = {check for check, (ok, _) in found.items() if ok is False}
    assert failed == {"files", name}
    assert said in found[name][1]
    # what was not checked behind it is said, check by check
    unmade = {check for check, (ok, _) in found.items() if ok is None}
    assert {"wnids", "disjoint", "croissant", "steps", "recipe"} <= unmade


def test_several_damaged_files_keep_their_places(
    folder: Path, benchmark_of_mini: Benchmark
) -> None:
    _swap(2)(folder / "test_classes.txt")
    _swap(14)(folder / "names.json")
    _replace("# graphzsl mine", "# graphzsl yours")(folder / "README.md")
    found = _verify(folder, benchmark_of_mini)
    assert found["files"][1].startswith("3 of 11 files differ from manifest.json: README.md, ")
    assert found["test_classes.txt"][1].startswith("test_classes.txt:2: 'n")
    assert found["names.json"][1].startswith("names.json:14: ")
    assert found["README.md"][1].startswith("README.md:25: ")


def test_other_files_are_noticed(folder: Path, benchmark_of_mini: Benchmark) -> None:
    (folder / ".gitattributes").write_text("* -text\n")
    assert _verify(folder, benchmark_of_mini)["other files"] == (
        True,
        "none but hidden ones: .gitattributes",
    )
    (folder / "test_classes (1).txt").write_text("n00001009\n")
    ok, detail = _verify(folder, benchmark_of_mini)["other files"]
    assert ok is False
    assert "test_classes (1).txt is not a file of a benchmark: remove it" in detail
    (folder / "test_classes (1).txt").unlink()
    _manifest(folder, lambda manifest: manifest["files"].update({"more.csv": "0" * 64}))
    ok, detail = _verify(folder, benchmark_of_mini)["other files"]
    assert ok is False
    assert "manifest.json:10 lists more.csv" in detail


def test_the_manifest_is_held_against_the_recipe(
    folder: Path, benchmark_of_mini: Benchmark
) -> None:
    _manifest(folder, lambda manifest: manifest.update(train="ilsvrc2012", universe="all"))
    ok, detail = _verify(folder, benchmark_of_mini)["manifest"]
    assert ok is False
    line = (folder / "manifest.json").read_text().splitlines().index('  "train": "ilsvrc2012",') + 1
    assert f"manifest.json:{line} says train 'ilsvrc2012', recipe.toml:4 'train'; " in detail
    assert "says universe 'all', recipe.toml:3 'universe'" in detail


#: The same behind a manifest that has the checksum of the damaged file -> the check that fails.
ADAPTED = [
    ("classes.csv", _replace("laptop,laptop", "laptop,tablet"), "croissant"),
    ("classes.csv", _replace("laptop,laptop", "laptop,tablet"), "classes.csv"),
    ("names.json", _swap(14), "names.json"),
    ("test_classes.txt", _swap(2), "names.json"),
    ("closest_training_classes.csv", _replace(",3,", ",4,"), "closest_training_classes.csv"),
    ("README.md", _replace("# graphzsl mine", "# graphzsl yours"), "README.md"),
    ("distances.npy", _number, "distances.npy"),
    ("baselines.csv", _replace("0.166667", "0.5"), "baselines.csv"),
    ("croissant.json", _replace("text/csv", "text/tsv"), "croissant.json"),
    ("statistics.json", _replace('"classes": 6', '"classes": 7'), "README.md"),
    ("statistics.json", lambda path: path.write_text("[]"), "statistics.json"),
    ("statistics.json", _replace('"classes": 6', '"classes": "x"'), "statistics.json"),
    ("statistics.json", _replace('"rule": ', '"role": '), "statistics.json"),
    ("recipe.toml", _replace("For a test", "For me"), "README.md"),
    ("recipe.toml", _replace("[[exclude]]", "[[exclude]"), "recipe.toml"),
    ("test_classes.txt", _line(5, "n99999999\n"), "wnids"),
    ("test_classes.txt", _line(5, "tench\n"), "lists"),
    ("training_classes.txt", _line(2, "n00001030\nn00001030\n"), "lists"),
]


@pytest.mark.parametrize(("name", "damage", "failing"), ADAPTED)
def test_damage_is_found_behind_a_changed_manifest(
    folder: Path, benchmark_of_mini: Benchmark, name: str, damage: Damage, failing: str
) -> None:
    damage(folder / name)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][name] = sha256(folder / name)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")
    found = _verify(folder, benchmark_of_mini)
    assert found["files"][0], "the checksums are those of the files"
    assert found[failing][0] is False


def test_a_class_among_the_training_classes_or_below_another(
    folder: Path, benchmark_of_mini: Benchmark, mini: MiniWordNet
) -> None:
    for wnid, failing in ((mini["horse"], "in one list"), (mini["insect"], "disjoint")):
        path, manifest_path = folder / "test_classes.txt", folder / "manifest.json"
        path.write_text("".join(f"{each}\n" for each in sorted({*benchmark_of_mini.test, wnid})))
        manifest = json.loads(manifest_path.read_text())
        manifest["files"][path.name] = sha256(path)
        manifest_path.write_text(json.dumps(manifest))
        assert _verify(folder, benchmark_of_mini)[failing][0] is False


def test_a_card_of_another_version_is_left_to_its_checksum(
    folder: Path, benchmark_of_mini: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("graphzsl.benchmark.verify"), "__version__", "9.9")
    monkeypatch.setattr("graphzsl.benchmark.card.__version__", "9.9")
    found = _verify(folder, benchmark_of_mini)
    assert found["README.md"][0] is None
    assert "verify with that version" in found["README.md"][1]
    assert found["classes.csv"][0]


#: (keys that lead to a value, what somebody wrote there, what is said)
MANIFESTS = [
    (("files",), None, "'files' is None, not an object"),
    (("files", "names.json"), 3, "'files/names.json' is 3, not a text"),
    (("files", "names.json"), "abc", "is 'abc', not a SHA-256 of 64 hexadecimal digits"),
    (("hierarchy",), 3, "'hierarchy' is 3, not a text"),
    (("hierarchy",), "wordnet-2", "'wordnet-2', not one of wordnet, hypernym, release"),
    (("hierarchy",), [], "'hierarchy' is [], not a text"),
    (("train",), 7, "'train' is 7, not a text"),
    (("classes",), "six", "'classes' is 'six', not a whole number"),
    (("sources",), ["wordnet"], "'sources' is ['wordnet'], not an object"),
    (("queries",), {"adjacency": None}, "'queries/adjacency' is None, not a text"),
    (("universe_sha256",), None, "'universe_sha256' is None, not a text"),
]


@pytest.mark.parametrize(("keys", "value", "said"), MANIFESTS)
def test_a_damaged_manifest_names_line_and_remedy(
    folder: Path,
    benchmark_of_mini: Benchmark,
    keys: tuple[str, ...],
    value: object,
    said: str,
) -> None:
    def damage(manifest: dict[str, Any]) -> None:
        for key in keys[:-1]:
            manifest = manifest[key]
        manifest[keys[-1]] = value

    _manifest(folder, damage)
    with pytest.raises(DataError) as error:
        _verify(folder, benchmark_of_mini)
    told = str(error.value)
    assert told.startswith(f"{folder / 'manifest.json'}:")
    assert said in told
    assert told.endswith("or publish the benchmark again.")
    text = (folder / "manifest.json").read_text().splitlines()
    at = int(told.split(":")[1])
    changed = next(iter(value)) if isinstance(value, dict) else keys[-1]
    assert text[at - 1].lstrip().startswith(f'"{changed}":')


def test_a_manifest_without_a_key(folder: Path, benchmark_of_mini: Benchmark) -> None:
    path = folder / "manifest.json"
    whole = path.read_text()
    for text, message in (
        ("{", "not valid JSON"),
        ("[]", "not a benchmark"),
        (json.dumps({"kind": "benchmark"}), ":1: 'files' is missing in this manifest. Take the"),
    ):
        path.write_text(text)
        with pytest.raises(DataError, match=message):
            _verify(folder, benchmark_of_mini)
    path.write_text(whole)
    _manifest(folder, lambda manifest: manifest["files"].pop("names.json"))
    assert _verify(folder, benchmark_of_mini)["names.json"] == (
        False,
        "manifest.json:3 does not list names.json",
    )


#: (file, how somebody damaged it, the check that fails, what is said): behind a manifest with its
#: checksum.
WRITTEN_BY_HAND = [
    ("statistics.json", _replace('"classes": 6', '"classes": "x"'), "classes must be a number"),
    ("statistics.json", _replace('"classes": 6', '"classes": true'), "classes must be a number"),
    ("statistics.json", _replace('"rule": "all', '"role": "all'), "rule of a step must be a text"),
    ("statistics.json", _replace('"kept": 50', '"kept": 5.5'), "must be a whole number, not 5.5"),
    ("statistics.json", _replace('"steps"', '"stairs"'), "steps must be a list of objects"),
    ("statistics.json", lambda path: path.write_text("[]"), "an object with statistics and steps"),
    ("classes.csv", _replace("population,", "images,"), "the column population is missing"),
    ("classes.csv", _replace(",200,", ",many,"), "must be a whole number of at least 0, not"),
    ("classes.csv", _replace(",200,", ",١٢,"), "must be a whole number of at least 0, not '١٢'"),
    (
        "classes.csv",
        _replace(",200,", f",{'9' * 50},"),
        "must be a whole number of at least 0, not",
    ),
    ("classes.csv", _replace(",200,", ",200,7,"), "9 cells, and the header has 8"),
]


@pytest.mark.parametrize(("name", "damage", "said"), WRITTEN_BY_HAND)
def test_what_was_written_by_hand_is_named_with_its_line(
    folder: Path, benchmark_of_mini: Benchmark, name: str, damage: Damage, said: str
) -> None:
    damage(folder / name)
    _manifest(folder, lambda manifest: manifest["files"].update({name: sha256(folder / name)}))
    found = _verify(folder, benchmark_of_mini)
    ok, detail = found[name]
    assert ok is False
    assert re.match(rf"{re.escape(str(folder / name))}:\d+: ", detail)
    assert said in detail
    assert "Take the folder from where it came from" in detail
    assert not re.search("Error|NoneType|invalid literal|could not convert", str(found))


def test_other_hierarchies_take_the_database(
    tmp_path: Path, folder: Path, benchmark_of_mini: Benchmark
) -> None:
    """Every check that a wordnet hierarchy has is a row, with why it was not made."""
    recipe = benchmark_of_mini.recipe.replace("\n\n[[", '\nhierarchy = "hypernym"\n\n[[', 1)
    other = replace(benchmark_of_mini, hierarchy="hypernym", recipe=recipe)
    (tmp_path / "other").mkdir()
    for name, content in contents(other).items():
        (tmp_path / "other" / name).write_bytes(content)
    found = _verify(tmp_path / "other", benchmark_of_mini)
    assert found.keys() == _verify(folder, benchmark_of_mini).keys()
    assert not [check for check, (ok, _) in found.items() if ok is False]
    for check in ("disjoint", "classes.csv", "structural_ratio", "steps", "recipe", "croissant"):
        ok, detail = found[check]
        assert ok is None
        assert "hierarchy hypernym is in the database alone: verify with a database" in detail


#: What may stand in a file by mistake.
PIECES = (b"\xff", b"null", b"\n", b",", b'"', b"[]", b"{}", b"1e999", b"n00001009\n", b"\x00")


def _spoiled(content: bytes, rng: random.Random) -> bytes:
    """A piece more, a piece less, lines in another order, or something else altogether."""
    at, piece = rng.randrange(len(content)), rng.choice(PIECES)
    lines = content.split(b"\n")
    rng.shuffle(lines)
    ways = (
        content[:at] + piece + content[at:],
        content[:at] + content[at + rng.randrange(1, 40) :],
        b"\n".join(lines),
        piece,
    )
    return rng.choice(ways)


@pytest.mark.parametrize("with_checksum", [False, True])
def test_whatever_is_spoiled_something_fails(
    folder: Path, benchmark_of_mini: Benchmark, with_checksum: bool
) -> None:
    """Files in any state, with their checksums or without: rows, each check once, or an error that
    names the manifest."""
    files, rng = contents(benchmark_of_mini), random.Random(0)
    for name in [*sorted(files)] * 5:
        for each, content in files.items():
            (folder / each).write_bytes(content)
        spoiled = {each: _spoiled(files[each], rng) for each in {name, rng.choice(sorted(files))}}
        for each, content in spoiled.items():
            (folder / each).write_bytes(content)
        if spoiled.items() <= files.items():
            continue  # a line that only changed places with itself
        if with_checksum and "manifest.json" not in spoiled:
            checksums = {each: sha256(folder / each) for each in spoiled}
            _manifest(folder, lambda manifest, own=checksums: manifest["files"].update(own))
        rows, refused = [], ""
        try:
            rows = verify(folder, None, benchmark_of_mini.lexicon, benchmark_of_mini.graph)
        except DataError as error:
            refused = str(error)
        if refused:
            assert "manifest.json" in refused
            continue
        checks = [row["check"] for row in rows]
        assert len(checks) == len({*checks})
        assert [row for row in rows if row["ok"] is False], sorted(spoiled)


@pytest.mark.parametrize("content", [b"PK\3\4 and no archive", None], ids=["damaged", "archive"])
def test_an_archive_in_place_of_an_array_is_said(tmp_path: Path, content: bytes | None) -> None:
    array, archive = tmp_path / "a.npy", tmp_path / "a.npz"
    np.save(array, np.zeros((2, 2)))
    np.savez(archive, a=np.zeros((2, 2)))
    found = content or archive.read_bytes()
    said = first_difference("distances.npy", found, array.read_bytes())
    assert said.startswith("distances.npy is ")


@pytest.mark.parametrize(
    ("value", "expected"), [(10**400, False), (7, True), (1.5, True), (float("nan"), False)]
)
def test_numbers_of_a_damaged_file(value: float, expected: bool) -> None:
    assert is_number(value) is expected


def test_what_differs_far_in_a_line_is_shown() -> None:
    same = "a sentence that is longer than what is shown of a line, " * 3
    said = first_difference("README.md", f"{same}500".encode(), f"{same}501".encode())
    assert "500'" in said
    assert "501'" in said
