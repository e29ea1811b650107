"""Verifying a published folder: every kind of damage is found, with file and line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from graphzsl.benchmark import verify as verify_module
from graphzsl.benchmark.contents import BASIS, Benchmark, contents
from graphzsl.benchmark.verify import verify
from graphzsl.errors import DataError
from graphzsl.files import sha256
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


def test_an_undamaged_folder_is_as_published(folder: Path, benchmark_of_mini: Benchmark) -> None:
    found = _verify(folder, benchmark_of_mini)
    # the universe is no shipped list, and the recipe takes the database
    unchecked = {check for check, (ok, _) in found.items() if ok is None}
    assert unchecked == {"statistics", "recipe"}
    assert not [check for check, (ok, _) in found.items() if ok is False]


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
    assert [*_verify(folder, benchmark_of_mini)] == ["files"]
    ok, detail = _verify(folder, benchmark_of_mini)["files"]
    assert ok is False
    assert said in detail


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
    ("recipe.toml", _replace("exclude = [", "exclude = "), "lists"),
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
    monkeypatch.setattr(verify_module, "__version__", "9.9")
    monkeypatch.setattr("graphzsl.benchmark.card.__version__", "9.9")
    found = _verify(folder, benchmark_of_mini)
    assert found["README.md"][0] is None
    assert "written by graphzsl" in found["README.md"][1]
    assert found["classes.csv"][0]


def test_a_damaged_manifest_is_an_error(folder: Path, benchmark_of_mini: Benchmark) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    for text, message in (
        ("{", "not valid JSON"),
        ("[]", "not a benchmark"),
        (json.dumps({**manifest, "files": None}), "needs files"),
        (json.dumps({**manifest, "hierarchy": 3}), "needs files"),
    ):
        path.write_text(text)
        with pytest.raises(DataError, match=message):
            _verify(folder, benchmark_of_mini)
    del manifest["files"]["names.json"]
    path.write_text(json.dumps(manifest))
    assert _verify(folder, benchmark_of_mini)["files"] == (
        False,
        "manifest.json does not list names.json",
    )


def test_other_hierarchies_take_the_database(folder: Path, benchmark_of_mini: Benchmark) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"wordnet",', '"hypernym",'))
    found = _verify(folder, benchmark_of_mini)
    assert found["disjoint"][0] is None
    assert "classes.csv" not in found


def test_a_hierarchy_that_there_is_not_is_refused(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "hierarchy": "wordnet-2"}))
    with pytest.raises(
        DataError, match="names the hierarchy 'wordnet-2', which is none of wordnet"
    ):
        verify(folder)
