"""Every way by which names of classes enter has the same check: one line of ``ENTRIES`` each."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

import graphzsl as gz
from graphzsl.analysis import read_scores
from graphzsl.common import DataError
from graphzsl.data import load_samples, read_windows
from graphzsl.embeddings import open_images, read_class_head, read_dgp_graph, read_goz
from graphzsl.ilsvrc.boxes.classes import box_classes
from graphzsl.ilsvrc.boxes.readers.choice import source_of
from graphzsl.names.class_texts import read_class_texts
from graphzsl.names.class_values import read_class_rows
from graphzsl.sources import class_entries, read_labels
from graphzsl.sources.imagenet import read_names
from graphzsl.sources.superclasses import read_superclasses
from tests.audit.kinds import evaluated, ranked

#: Names of classes as people have them, in many scripts and with what these need.
RIGHT = [
    "Côte d'Ivoire",
    "antelope",
    "001.Black_footed_Albatross",
    "grizzly+bear",
    "n02084071",
    "犬",
    "كلب",
    "כֶּלֶב",
    "می‌روم",  # with a ZWNJ
    "क्‍ष",  # with a ZWJ
    "അവന്‍",  # with a ZWJ at its end, behind a virama
    "👩‍🔬",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "❤️",
]
#: What is wrong with a list -> the list.
WRONG = {
    "a zero-width space": ["dog", "c\u200bat"],
    "a soft hyphen": ["dog", "c\u00adat"],
    "a soft hyphen behind a digit": ["cat10", "cat1\u00ad0"],
    "a tag": ["dog", "cat\U000e0041"],
    "a word joiner": ["dog", "\u2060cat"],
    "a joiner in Latin": ["dog", "c\u200dat"],
    "a selector behind a letter": ["dog", "cat\ufe0f"],
    "a change of direction": ["dog", "c\u202eat"],
    "a control character": ["dog", "c\x07at"],
    "a mark of direction": ["dog", "كلب\u200f"],
    "digits of another script": ["dog", "n٠٠٠٠١٠٠٠"],
    "another composition": ["Co\u0302te", "C\u00f4te"],
    "another space": ["hot dog", "hot\u00a0dog"],
    "two spaces": ["hot dog", "hot  dog"],
}
ROWS = np.eye(20, dtype=np.float32)


def _rows(names: list[str]) -> Any:
    return ROWS[: len(names), : len(names)]


def _lines(names: list[str], path: Path) -> Path:
    path.write_text("\n".join(names) + "\n", encoding="utf-8")
    return path


def _json(value: Any, path: Path) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def _table(names: list[str], path: Path, head: str, behind: str = "") -> Path:
    return _lines([head, *(f"image{at}.jpg,{name}{behind}" for at, name in enumerate(names))], path)


def _npz(path: Path, **arrays: Any) -> Path:
    np.savez(path, **arrays)
    return path


def _parquet(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def _data(names: list[str], seen: list[str], unseen: list[str]) -> Any:
    vectors = gz.ClassMatrix([*map(str, range(len(names)))], _rows(names), {})
    return gz.ZeroShotDataset.from_arrays(ROWS[:1], ["0"], vectors, seen=seen, unseen=unseen)


def _subgraph(names: list[str], sets: Any) -> Any:
    return gz.Subgraph(names, [], [], [], np.zeros((2, 0), np.int64), sets, {})


def _of_boxes(path: Path) -> Any:
    labels = [row.label for row in source_of(path).rows() if row.label]
    return box_classes([(str(path), labels)])


def _coco(names: list[str], path: Path) -> Path:
    categories = [{"id": at, "name": name} for at, name in enumerate(names, 1)]
    return _json({"images": [], "annotations": [], "categories": categories}, path)


def _hdf5(names: list[str], path: Path) -> Path:
    with h5py.File(path, "w") as file:
        for name in names:
            file[f"images/{name}"] = ROWS[:2]
    return path


def _folders(names: list[str], path: Path) -> Path:
    for name in names:
        (path / name).mkdir(parents=True)
        Image.new("RGB", (2, 2)).save(path / name / "1.png")
    return path


def _scores(names: list[str], **more: Any) -> Any:
    labels = [str(at) for at in range(len(names))]
    given = {"candidates": labels, "labels": labels, **more}
    return gz.Predictions.from_scores(_rows(names), **given)


def _dgp(names: list[str], path: Path) -> Path:
    return _json({"wnids": names, "vectors": _rows(names).tolist(), "edges": []}, path)


def _evaluated(names: list[str], **more: Any) -> Any:
    return evaluated(names, [[name] for name in names], wordnet=None, rounds=1, **more)


def _frame(names: list[str]) -> Any:
    frame = pandas.DataFrame({"label": names, "predicted": names})
    return gz.evaluate(frame, wordnet=None, rounds=1)


def _window(names: list[str], path: Path) -> Any:
    return read_windows(_lines([json.dumps({"name": "a", "mean": 1.0, "classes": names})], path))


def _cut(names: list[str]) -> Any:
    pets = gz.Hierarchy.from_edges([(str(at), "all") for at in range(len(names))])
    superclasses = {str(at): name for at, name in enumerate(names)}
    return gz.hierarchical.cut_accuracy(pets, ["0"], ["1"], superclasses)


#: What is given -> how names of classes enter by it, with a folder for files.
ENTRIES: dict[str, Callable[[list[str], Path], Any]] = {
    "a file of lines": lambda names, at: read_names(_lines(names, at / "c.txt")),
    "a JSON list": lambda names, at: read_names(_json(names, at / "c.json")),
    "a list": lambda names, at: class_entries(names),
    "an array": lambda names, at: class_entries(np.array(names)),  # type: ignore[arg-type]
    "a series": lambda names, at: class_entries(pandas.Series(names)),
    "ends of edges": lambda names, at: gz.Hierarchy.from_edges([(name, "x") for name in names]),
    "parents of edges": lambda names, at: gz.Hierarchy.from_edges([("x", name) for name in names]),
    "nodes": lambda names, at: gz.Hierarchy.from_edges([], names),
    "an edge and a node": lambda names, at: gz.Hierarchy.from_edges([(names[0], "x")], names[1:]),
    "a subgraph": lambda names, at: _subgraph(names, {}),
    "a class set": lambda names, at: _subgraph(["x"], {"set": names}),
    "samples": lambda names, at: gz.Samples.from_arrays(_rows(names), names),
    "samples of an .npz": lambda names, at: load_samples(
        _npz(at / "s.npz", features=_rows(names), labels=np.array(names))
    ),
    "samples of a .parquet": lambda names, at: load_samples(
        _parquet(at / "s.parquet", features=_rows(names).tolist(), label=names)
    ),
    "class embeddings": lambda names, at: gz.ClassMatrix(names, _rows(names), {}),
    "rows by class": lambda names, at: gz.ClassMatrix.from_rows(
        dict(zip(names, _rows(names), strict=True))
    ),
    "a class head": lambda names, at: read_class_head(
        _npz(at / "h.npz", classifier=_rows(names), classes=np.array(names))
    ),
    "candidates": lambda names, at: _scores(
        names, candidates=names, labels=[names[0]] * len(names)
    ),
    "true classes": lambda names, at: _scores(names, labels=names, missing="miss"),
    "candidates and true classes": lambda names, at: _scores(
        names, candidates=[names[0], *map(str, range(len(names) - 1))], labels=names, missing="miss"
    ),
    "seen classes": lambda names, at: _scores(names, seen=names),
    "ranked lists": lambda names, at: ranked([names], [names[0]]),
    "candidates of lists": lambda names, at: ranked([names[:1]], names[:1], names),
    "lists beside candidates": lambda names, at: ranked(
        [names[:1]], [names[-1]], [names[0], "x"], missing="miss"
    ),
    "seen classes of lists": lambda names, at: ranked([["x"]], ["x"], seen=names),
    "evaluated arrays": lambda names, at: _evaluated(names),
    "evaluated candidates": lambda names, at: _evaluated(names[:1], candidates=names),
    "training classes": lambda names, at: _evaluated(names[:1], train=names),
    "an evaluated frame": lambda names, at: _frame(names),
    "an evaluated table": lambda names, at: gz.evaluate(
        _lines(["label,predicted", *(f"{name},{name}" for name in names)], at / "p.csv"),
        wordnet=None,
        rounds=1,
    ),
    "superclasses of classes": lambda names, at: _cut(names),
    "a table of classes": lambda names, at: read_class_rows(
        _parquet(at / "t.parquet", wnid=names), ("wnid",)
    ),
    "labels of images": lambda names, at: read_labels(_table(names, at / "l.csv", "image,class")),
    "published superclasses": lambda names, at: read_superclasses(
        _table(names, at / "p.csv", "wnid,superclass")
    ),
    "boxes of a table": lambda names, at: _of_boxes(
        _table(names, at / "b.csv", "image,class,x1,y1,x2,y2", ",1,1,5,5")
    ),
    "categories of COCO": lambda names, at: box_classes(
        [("coco", [*_categories(_coco(names, at / "c.json")).values()])]
    ),
    "keys of texts": lambda names, at: gz.ClassMatrix(
        [*read_class_texts(_json({name: ["a text."] for name in names}, at / "d.json")).of_key],
        _rows(names),
        {},
    ),
    "a window": lambda names, at: _window(names, at / "w.jsonl"),
    "windows of a folder": lambda names, at: read_windows(_lines(names, at / "w.txt").parent),
    "scores with classes": lambda names, at: read_scores(
        _npz(at / "g.npz", scores=_rows(names), classes=np.array(names))
    ),
    "scores with labels": lambda names, at: read_scores(
        _npz(
            at / "g.npz",
            scores=_rows(names)[:, :1],
            classes=np.array(["x"]),
            labels=np.array(names),
        )
    ),
    "a graph of DGP": lambda names, at: read_dgp_graph(_dgp(names, at / "dgp.json")),
    "features of GOZ": lambda names, at: read_goz(_hdf5(names, at / "g.hdf5")),
    "folders of images": lambda names, at: open_images(_folders(names, at / "images")),
    "a data set's seen classes": lambda names, at: _data(names, names, ["x"]),
    "a data set's unseen classes": lambda names, at: _data(names, ["x"], names),
}
#: Entries where a right list is refused for another reason: classes without an embedding.
OF_OTHERS = {"a data set's seen classes", "a data set's unseen classes"}


def _categories(path: Path) -> dict[str, str]:
    source: Any = source_of(path)
    list(source.rows())
    return dict(source.categories)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("fault", WRONG)
def test_what_is_no_name_enters_nowhere(entry: str, fault: str, tmp_path: Path) -> None:
    names = WRONG[fault]
    with pytest.raises(DataError, match=r"invisible|looks like|digits other|there twice") as error:
        ENTRIES[entry](names, tmp_path)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize("entry", sorted({*ENTRIES} - OF_OTHERS))
def test_names_of_all_scripts_enter_everywhere(entry: str, tmp_path: Path) -> None:
    ENTRIES[entry](list(RIGHT), tmp_path)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_either_composition_is_a_name(form: Any) -> None:
    names = [unicodedata.normalize(form, name) for name in ("Côte", "犬", "कुत्ता")]
    assert gz.ClassMatrix(names, _rows(names), {}).wnids == names


@pytest.mark.parametrize("name", ["cat ", " cat", "cat\u00a0", "\u3000cat"])
def test_spaces_around_a_name_are_said_or_taken_away(name: str, tmp_path: Path) -> None:
    """Lists of classes are read without them; structures say where they are."""
    assert [entry.text for entry in class_entries(["dog", name])] == ["dog", "cat"]
    with pytest.raises(DataError, match=r"c\.txt:2: cat is there twice"):
        read_names(_lines(["cat", name], tmp_path / "c.txt"))
    for build in (
        lambda: gz.ClassMatrix(["dog", name], ROWS[:2], {}),
        lambda: gz.Samples.from_arrays(ROWS[:2], ["dog", name]),
        lambda: gz.Hierarchy.from_edges([("dog", name)]),
        lambda: gz.Predictions.from_scores(ROWS[:2, :2], ["dog", name], ["dog", "dog"]),
        lambda: _subgraph(["dog", name], {}),
        lambda: _subgraph(["dog"], {"set": ["dog", name]}),
    ):
        with pytest.raises(DataError, match="begins or ends in a space; take it away"):
            build()
