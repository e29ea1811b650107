"""What is read: a valid set of files for each reader, the reader, and what must hold for whatever
it accepts."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import pickle
from collections.abc import Callable
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.box_targets import BOX_TARGETS
from tests.fuzz.damage import change_of, json_, packed, text
from tests.fuzz.target import Target, must, names

WNIDS = ["n02084071", "n02121620", "n01503061", "n02512053", "n01639765", "n02159955"]


def class_matrix(value: Any) -> None:
    """Rows that are finite, and a class each."""
    names(value.wnids, "wnids")
    must(value.values.shape == (len(value.wnids), value.values.shape[1]), "shape")
    must(value.values.shape[1] > 0, "no columns")
    must(np.isfinite(value.values).all(), "not finite")


def samples(value: Any) -> None:
    """Features that are finite, and a label each."""
    names(value.labels, "labels", once=False)
    must(value.features.ndim == 2 and len(value.features) == len(value.labels), "shape")
    must(value.features.dtype == np.float32 and np.isfinite(value.features).all(), "not finite")


def subgraph(value: Any) -> None:
    """Nodes that are there once, edges between them."""
    names(value.wnids, "wnids")
    must(value.edge_index.shape[0] == 2, "edges")
    if value.edge_index.size:
        must(0 <= value.edge_index.min() <= value.edge_index.max() < len(value.wnids), "edges")
        must((value.edge_index[0] != value.edge_index[1]).all(), "an edge to itself")
    for name, members in value.class_sets.items():
        names([name], "class sets")
        names(members, name)


def dataset(value: Any) -> None:
    """Parts, lists and embeddings that fit each other."""
    samples(value.samples)
    class_matrix(value.semantics)
    names(value.train, "train")
    for members in value.tests.values():
        names(members, "test")
        must(not set(members) & set(value.train), "seen and unseen")
    for held in value.validation:
        names(held, "validation")
        must(set(held) <= set(value.train), "validation classes that are not seen")


def predictions(value: Any) -> None:
    """Labels and candidates with names, ranks from 1."""
    names(value.labels, "labels", once=False)
    names(value.candidates, "candidates")
    rank = np.asarray(value.rank)
    must(len(rank) == len(value.labels) and (rank >= 1).all(), "ranks")


def _number_tree(value: Any) -> None:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, float):
            must(np.isfinite(each), "a number that is not finite")


def wnid_rows(rows: Any) -> None:
    """Rows with wnids in ASCII."""
    for row in rows:
        for each in row:
            if isinstance(each, str) and each[:1] == "n" and each[1:].isdigit():
                must(each.isascii(), "a wnid in other digits")


def _sums(*files: str) -> Callable[[Path], None]:
    def fix(folder: Path) -> None:
        from graphzsl.files import sha256

        path = folder / "manifest.json"
        try:
            manifest = json.loads(path.read_bytes())
            manifest["files"] = {name: sha256(folder / name) for name in files}
            path.write_text(json.dumps(manifest))
        except (OSError, ValueError, TypeError, KeyError, IndexError, RecursionError):
            return

    return fix


def _matrix(kind: str = "class embeddings", columns: int = 3) -> Any:
    from graphzsl.data.class_matrix import ClassMatrix

    values = np.arange(len(WNIDS) * columns, dtype=np.float32).reshape(len(WNIDS), columns) / 7
    return ClassMatrix(WNIDS, values, {"kind": kind, "semantics": "made up"})


def _make_subgraph(folder: Path) -> None:
    from graphzsl.data.subgraph import KIND, Subgraph, save_subgraph
    from graphzsl.files import manifest

    edges = np.array([[1, 2, 3, 4, 5], [0, 0, 1, 1, 2]])
    texts = [f"name.n.0{row}" for row in range(6)]
    graph = Subgraph(
        WNIDS,
        texts,
        [["a", "b c"] for _ in WNIDS],
        ["a gloss"] * 6,
        edges,
        {"train": WNIDS[:3]},
        manifest(KIND, hierarchy="wordnet", whole=True, queries={}, sources={}),
        [1, None, 3, 4, 5, 6],
    )
    save_subgraph(graph, folder / "graph")
    for each in (folder / "graph").iterdir():
        each.rename(folder / each.name)
    (folder / "graph").rmdir()


def _read_subgraph(folder: Path) -> Any:
    from graphzsl.data.subgraph import Subgraph

    found = Subgraph.load(folder)
    hierarchy = found.hierarchy
    must(hierarchy.positions(found.wnids).size == len(found.wnids), "nodes without a position")
    return found


def _dataset() -> Any:
    from graphzsl.data.dataset import ZeroShotDataset

    random = np.random.default_rng(0)
    labels = [wnid for wnid in WNIDS for _ in range(4)]
    return ZeroShotDataset.from_arrays(
        random.normal(size=(24, 3)), labels, _matrix(), seen=WNIDS[:4], unseen=WNIDS[4:]
    )


def _make_dataset(folder: Path) -> None:
    _dataset().save(folder / "d")
    for each in (folder / "d").iterdir():
        each.rename(folder / each.name)
    (folder / "d").rmdir()


def _read_dataset(folder: Path) -> Any:
    from graphzsl.data.dataset import ZeroShotDataset

    return ZeroShotDataset.load(folder)


def _make_model(folder: Path) -> None:
    from graphzsl.models.base.encoders import TanhNetwork
    from graphzsl.models.base.novelty import GATES
    from graphzsl.models.base.zero_shot_model import ZeroShotModel
    from graphzsl.models.training import save

    random = np.random.default_rng(0)
    fields = TanhNetwork.__dataclass_fields__
    assert GATES
    assert fields
    model = ZeroShotModel(_matrix("classifiers", 4))
    del random
    save(folder / "m", model, {"kind": "model", "model": "eszsl", "train": WNIDS[:2], "seed": 0})
    for each in (folder / "m").iterdir():
        each.rename(folder / each.name)
    (folder / "m").rmdir()


def _read_model(folder: Path) -> Any:
    from graphzsl.models.base.zero_shot_model import load_model

    return load_model(folder)[0]


def _check_model(value: Any) -> None:
    class_matrix(value.classifiers)
    must(value.maps >= 1, "maps")


def _make_hcorrect(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {
            "wnid": wnid,
            "k": k,
            "members": [wnid, *WNIDS[:k]] if wnid not in WNIDS[:k] else WNIDS[:k],
        }
        for wnid in WNIDS
        for k in (2, 3)
    ]
    pq.write_table(pa.Table.from_pylist(rows), folder / "hcorrect.parquet")
    manifest = {"kind": "hcorrect", "valid": "x", "hierarchy": "wordnet", "files": {}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    _sums("hcorrect.parquet")(folder)


def _read_hcorrect(folder: Path) -> Any:
    from graphzsl.evaluation.evaluate import load_hcorrect

    return load_hcorrect(folder)[0]


def _check_hcorrect(sets: Any) -> None:
    for k, by_class in sets.items():
        must(type(k) is int and k > 0, "k")
        for wnid, members in by_class.items():
            names(members, "members")
            must(wnid in members, "a set without its class")


_CSV = "file,label,top1,top2\na.jpg,cat,cat,dog\nb.jpg,dog,cat,dog\nc.jpg,owl,owl,cat\n"


def _write(name: str, content: str | bytes) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(data)

    return make


def _make_run(folder: Path) -> None:
    import graphzsl as gz

    (folder / "p.csv").write_text(_CSV)
    gz.evaluate(gz.read_predictions(folder / "p.csv"), wordnet=None).save(folder / "run.json")
    (folder / "p.csv").unlink()


def _read_run(folder: Path) -> Any:
    from graphzsl.evaluation.run_files import read_run

    return read_run(folder / "run.json", deviations=True)


def _read_run_files(folder: Path) -> Any:
    from graphzsl.evaluation.runs import read_run_samples

    return read_run_samples(folder / "run.json")


def _read_table_of_classes(folder: Path) -> Any:
    from graphzsl.data.class_values import class_names, class_values

    path = folder / "run.classes.parquet"
    return class_values(path), class_names(path)


def _check_values(value: Any) -> None:
    names(value[0], "classes")
    must(all(np.isfinite(each) for each in value[0].values()), "not finite")


def _read_report(folder: Path) -> Any:
    from graphzsl.reports import write_report

    write_report([folder / "run.json"], folder / "out.html")
    return (folder / "out.html").read_text(encoding="utf-8")


def _check_page(page: str) -> None:
    must("<script>alert" not in page and "{{7*7}}" not in page.replace("{{7*7}}", "", 99), "a page")


def _read_predictions(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.evaluation.prediction_files import read_predictions

        return read_predictions(folder / name)

    return read


def _make_npz(folder: Path) -> None:
    random = np.random.default_rng(0)
    arrays = {"scores": random.random((5, 3)), "classes": np.array(["cat", "dog", "owl"])}
    np.savez(folder / "p.npz", labels=np.array([0, 1, 2, 0, 1]), **arrays)


def _make_topk(folder: Path) -> None:
    topk = np.array([["cat", "dog"], ["dog", "owl"]])
    np.savez_compressed(folder / "p.npz", topk=topk, labels=np.array(["cat", "owl"]))


def _make_parquet(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        dict(zip(("file", "label", "top1"), line.split(","), strict=False)) for line in _CSV.split()
    ]
    pq.write_table(pa.Table.from_pylist(rows[1:]), folder / "p.parquet")


def _samples_npz(folder: Path) -> None:
    from graphzsl.data.samples import save_samples

    save_samples(_dataset().samples, folder / "s.npz")


def _samples_parquet(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = _dataset().samples
    table = {"features": data.features.tolist(), "wnid": data.labels}
    pq.write_table(pa.table(table), folder / "s.parquet")


def _read_samples(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.data.samples import load_samples

        return load_samples(folder / name)

    return read


def _read_blocks(folder: Path) -> Any:
    from graphzsl.clip.features import file_blocks, file_labels

    path = folder / "s.parquet"
    return file_labels(path), [block.features for block in file_blocks(path)]


def _make_goz(folder: Path) -> None:
    import h5py

    random = np.random.default_rng(0)
    with h5py.File(folder / "s.h5", "w") as file:
        for wnid in WNIDS[:3]:
            options = {"compression": "gzip"} if wnid == WNIDS[0] else {}
            file.create_dataset(f"images/{wnid}", data=random.random((5, 4), np.float32), **options)
            file[f"idx/{wnid}"] = np.arange(5)


def _read_goz(folder: Path) -> Any:
    from graphzsl.formats.goz import read_goz

    return read_goz(folder / "s.h5")


def _make_gcnz(folder: Path) -> None:
    lists = {
        number: [other for other in (number - 1, number + 1) if 0 <= other < 6]
        for number in range(6)
    }
    (folder / "g.pkl").write_bytes(pickle.dumps(lists, 2))
    nodes = {str(number): wnid for number, wnid in enumerate(WNIDS)}
    (folder / "nodes.json").write_text(json.dumps(nodes))
    words = {str(number): f"a{number}, b" for number in range(6)}
    (folder / "wordntext.json").write_text(json.dumps(words))
    (folder / "corresp.json").write_text(
        json.dumps([[0, 0], [1, 0], [-1, 0], [0, 1], [1, 1], [-1, 1]])
    )


def _read_gcnz(folder: Path) -> Any:
    from graphzsl.formats.gcnz import read_gcnz_graph, read_gcnz_unseen

    graph = read_gcnz_graph(folder / "g.pkl", folder / "nodes.json", folder / "wordntext.json")
    for side in read_gcnz_unseen(folder / "corresp.json", graph.wnids):
        names(side, "side", once=False)
    return graph


def _read_goz_classes(folder: Path) -> Any:
    from graphzsl.formats.goz import read_goz_classes

    return read_goz_classes(folder / "c.pkl")


def _make_dgp(folder: Path) -> None:
    vectors = np.arange(18).reshape(6, 3).tolist()
    document = {"wnids": WNIDS, "vectors": vectors, "edges": [[1, 0], [2, 0], [3, 1]]}
    (folder / "g.json").write_text(json.dumps(document))
    split = {"train": WNIDS[:3], "test": WNIDS[3:]}
    (folder / "split.json").write_text(json.dumps(split))


def _read_dgp(folder: Path) -> Any:
    from graphzsl.formats.dgp import read_dgp_graph, read_dgp_split

    for members in read_dgp_split(folder / "split.json").values():
        names(members, "split")
    graph, embeddings, _ = read_dgp_graph(folder / "g.json")
    class_matrix(embeddings)
    return graph


def _make_pred(legacy: bool, name: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        import torch

        values = torch.arange(24.0).reshape(6, 4)
        state = {"wnids": WNIDS, "pred": torch.nn.Parameter(values) if legacy else values.half()}
        torch.save(state, folder / name, _use_new_zipfile_serialization=not legacy)

    return make


def _read_pred(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.formats.dgp import read_dgp_classifiers

        return read_dgp_classifiers(folder / name)

    return read


def _make_head(folder: Path) -> None:
    np.savez(
        folder / "h.npz", classifier=np.eye(4)[:, :3], bias=np.zeros(3), classes=["a", "b", "c"]
    )


def _read_head(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.formats.class_heads import read_class_head

        listed = folder / "names.txt"
        return read_class_head(folder / name, listed if listed.exists() else None)

    return read


def _make_npy_head(folder: Path) -> None:
    np.save(folder / "h.npy", np.eye(4, dtype=np.float32)[:, :3])
    (folder / "names.txt").write_text("a\nb\nc\n")


def _make_pt_head(folder: Path) -> None:
    import torch

    torch.save(torch.eye(4)[:, :3].bfloat16(), folder / "h.pt")
    (folder / "names.txt").write_text("a\nb\nc\n")


_MAT = {
    "features": np.arange(24.0).reshape(4, 6),
    "labels": np.array([[1.0], [1], [2], [2], [3], [3]]),
}
_SPLITS = {
    "att": np.arange(9.0).reshape(3, 3) + 1,
    "trainval_loc": np.array([[1.0], [3]]),
    "test_seen_loc": np.array([[2.0], [4]]),
    "test_unseen_loc": np.array([[5.0], [6]]),
    "allclasses_names": np.array(["ant", "bee", "cat"], dtype=object)[:, None],
}


def _make_mat5(folder: Path) -> None:
    from scipy.io import savemat

    savemat(folder / "res101.mat", _MAT, do_compression=True)
    savemat(folder / "att_splits.mat", _SPLITS)


def _make_mat73(folder: Path) -> None:
    import h5py

    for name, values in (("res101.mat", _MAT), ("att_splits.mat", _SPLITS)):
        with h5py.File(folder / name, "w") as file:
            for key, value in values.items():
                if value.dtype != object:
                    file[key] = value.T
                    continue
                refs = file.create_dataset(key, (1, len(value)), dtype=h5py.ref_dtype)
                for place, (text_,) in enumerate(value):
                    codes = np.array([[ord(letter)] for letter in text_], np.uint16)
                    refs[0, place] = file.create_dataset(f"#refs#/{place}", data=codes).ref


def _read_xlsa17(folder: Path) -> Any:
    from graphzsl.formats.xlsa17 import read_xlsa17

    return read_xlsa17(folder)


def _make_checkpoint(folder: Path) -> None:
    import torch

    torch.save({"w": torch.zeros(1000, 2), "b": torch.zeros(1000)}, folder / "c.pt")


def _read_checkpoint(folder: Path) -> Any:
    from graphzsl.features.classifiers import checkpoint_classifiers

    return checkpoint_classifiers(folder / "c.pt", "w", "b", "net")


_STRUCTURE = """<?xml version="1.0"?>
<ImageNetStructure><releaseData>fall2011</releaseData>
<synset wnid="fall11" words="all" gloss="all">
<synset wnid="n02084071" words="dog" gloss="a dog"><synset wnid="n02121620" words="cat"/></synset>
<synset wnid="n01503061" words="bird"/></synset></ImageNetStructure>
"""
_POPULATIONS = """<?xml version="1.0"?>
<ReleaseStatus><releaseData>fall2011</releaseData><images>
<synset wnid="n02084071" released="1" version="w" numImages="1200"/>
<synset wnid="n02121620" released="1" version="w" numImages="3"/></images></ReleaseStatus>
"""
_DUMP = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/"><siteinfo/>'
    + "".join(
        f"<page><title>A{number}</title><ns>0</ns><id>{number}</id><revision><id>1</id>"
        "<text>The [[dog]] and {{cat|a}} [http://a b] &lt;ref&gt;x&lt;/ref&gt;</text></revision>"
        "</page>"
        for number in range(5)
    )
    + "</mediawiki>"
)
_WORDS = "the dog and the cat sat on the mat\n" * 40


def _read_text(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.analysis.words.markup import without_markup
        from graphzsl.analysis.words.texts import ARTICLES, find_text

        text = find_text(str(folder / name))
        chunks = islice(text.chunks(), 40)
        if text.is_dump:
            return [without_markup(part) for chunk in chunks for part in chunk[0].split(ARTICLES)]
        return [len(chunk[0]) for chunk in chunks]

    return read


def _reader(module: str, function: str, name: str, *more: Any) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from importlib import import_module

        return getattr(import_module(f"graphzsl.{module}"), function)(folder / name, *more)

    return read


def _read_grid(folder: Path) -> Any:
    from graphzsl.evaluation.grid_config import read_config

    config = read_config(folder / "grid.toml")
    for section in ("models", "splits", "semantics"):
        for name in config.get(section, {}):
            path = (folder / "out" / f"{name}-0.json").resolve()
            must(path.parent == (folder / "out").resolve(), "a run that is written elsewhere")
    return config


_VOTES = f"image,class,vote\n1,{WNIDS[0]},yes\n1,{WNIDS[0]},no\n2,{WNIDS[1]},1\n"
_JUDGEMENTS = f"image,class,entry,right\n1,{WNIDS[0]},a,yes\n1,{WNIDS[0]},b,no\n2,{WNIDS[1]},a,1\n"


_GRID = """out = "runs"
classifiers = "c.safetensors"
seeds = [0, 1]
setting = "standard"

[semantics]
glosses = "glosses.safetensors"

[splits.hidden]
of = "ilsvrc2012"
hide = 0.2

[models.eszsl]
ridge = 1.0
gamma = 0.5

[models.fast]
model = "conse"
"""
_CLIP = """set = "ilsvrc2012"
model = "ViT-B-32"
pretrained = "weights.safetensors"
out = "run.json"
images = "val"

[compute]
batch = 8
"""


def _make_recipe(folder: Path) -> None:
    from graphzsl.benchmark.recipe import find_recipe

    (folder / "r.toml").write_text(find_recipe("default").text)


def _make_benchmark(folder: Path) -> None:
    source = Path(__file__).parents[2] / "benchmarks" / "default"
    for name in ("manifest.json", "statistics.json", "classes.csv", "recipe.toml", "train.txt"):
        if (source / name).exists():
            content = (source / name).read_bytes()
            lines = content.split(b"\n")
            kept = b"\n".join(lines[:30]) if name.endswith((".csv", ".txt")) else content
            (folder / name).write_bytes(kept)


def _read_benchmark(folder: Path) -> Any:
    from graphzsl.benchmark.folder import read_manifest, read_rows, read_statistics

    return (
        read_manifest(folder),
        read_statistics(folder / "statistics.json"),
        read_rows(folder / "classes.csv", "wnid", "population"),
    )


def _make_vectors(binary: bool) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        from gensim.models import KeyedVectors

        vectors = KeyedVectors(4)
        vectors.add_vectors(["dog", "cat", "owl"], np.arange(12.0).reshape(3, 4))
        name = "v.bin" if binary else "v.txt"
        vectors.save_word2vec_format(str(folder / name), binary=binary)

    return make


def _check_vectors(value: Any) -> None:
    must(np.isfinite(value.vectors).all(), "not finite")
    must(value.vectors.shape[1] > 0, "no columns")


_WINDOWS = "\n".join(
    json.dumps({"name": f"w{n}", "mean": n / 3, "classes": WNIDS[n : n + 3]}) for n in range(3)
)
_CAPTIONS = {
    "kind": "class-descriptions",
    "descriptions": {WNIDS[0]: ["a dog", "an animal"], WNIDS[1]: ["x"]},
}
_NAMES = {"kind": "class-names", "source": "made", "classnames": {w: f"name {w}" for w in WNIDS}}


TARGETS: tuple[Target, ...] = (
    Target(
        "class matrix",
        lambda folder: _matrix().save(folder / "m.safetensors"),
        lambda folder: type(_matrix()).load(folder / "m.safetensors"),
        class_matrix,
        2,
    ),
    Target(
        "graph",
        _make_subgraph,
        _read_subgraph,
        subgraph,
        2,
        fix=_sums("nodes.parquet", "edges.parquet"),
    ),
    Target(
        "data set",
        _make_dataset,
        _read_dataset,
        dataset,
        2,
        fix=_sums("samples.npz", "class_embeddings.safetensors"),
    ),
    Target(
        "model",
        _make_model,
        _read_model,
        _check_model,
        2,
        fix=_sums("classifiers.safetensors", "encoder.safetensors"),
    ),
    Target(
        "hCorrectSets",
        _make_hcorrect,
        _read_hcorrect,
        _check_hcorrect,
        2,
        fix=_sums("hcorrect.parquet"),
    ),
    Target("run", _make_run, _read_run, _number_tree, 2),
    Target("samples of a run", _make_run, _read_run_files),
    Target("table of classes", _make_run, _read_table_of_classes, _check_values),
    Target("report", _make_run, _read_report, _check_page, 0.05),
    Target("predictions, csv", _write("p.csv", _CSV), _read_predictions("p.csv"), predictions, 2),
    Target("predictions, npz of scores", _make_npz, _read_predictions("p.npz"), predictions, 2),
    Target("predictions, npz of lists", _make_topk, _read_predictions("p.npz"), predictions),
    Target("predictions, parquet", _make_parquet, _read_predictions("p.parquet"), predictions),
    Target(
        "predictions, json",
        _write(
            "p.json",
            json.dumps(
                [
                    {"file": f"{n}.jpg", "label": "cat", "top1": "dog", "top2": "cat"}
                    for n in range(4)
                ]
            ),
        ),
        _read_predictions("p.json"),
        predictions,
        2,
    ),
    Target(
        "predictions, json lines",
        _write(
            "p.jsonl",
            "\n".join(json.dumps({"label": "cat", "prediction": ["cat", "dog"]}) for _ in range(4)),
        ),
        _read_predictions("p.jsonl"),
        predictions,
    ),
    Target("samples, npz", _samples_npz, _read_samples("s.npz"), samples, 2),
    Target("samples, parquet", _samples_parquet, _read_samples("s.parquet"), samples),
    Target("blocks of features", _samples_parquet, _read_blocks),
    Target("GOZ", _make_goz, _read_goz, samples, 0.4),
    Target(
        "GOZ's classes",
        lambda folder: (folder / "c.pkl").write_bytes(pickle.dumps(WNIDS, 4)),  # type: ignore[arg-type, return-value]
        _read_goz_classes,
        lambda value: names(value, "classes"),
        2,
    ),
    Target("GCNZ", _make_gcnz, _read_gcnz, subgraph, 2),
    Target("DGP", _make_dgp, _read_dgp, subgraph, 2),
    Target("DGP's classifiers", _make_pred(False, "p.pred"), _read_pred("p.pred"), class_matrix),
    Target("DGP's classifiers, old", _make_pred(True, "p.old"), _read_pred("p.old"), class_matrix),
    Target("class head, npz", _make_head, _read_head("h.npz"), class_matrix),
    Target("class head, npy", _make_npy_head, _read_head("h.npy"), class_matrix, 2),
    Target("class head, torch", _make_pt_head, _read_head("h.pt"), class_matrix),
    Target("checkpoint", _make_checkpoint, _read_checkpoint, class_matrix, 0.5),
    Target("xlsa17, MATLAB 5", _make_mat5, _read_xlsa17, dataset, 0.3),
    Target(
        "xlsa17, MATLAB 7.3",
        _make_mat73,
        _read_xlsa17,
        dataset,
        0.3,
        changes=dict.fromkeys(("res101.mat", "att_splits.mat"), change_of(Path("x.h5"))),
    ),
    Target(
        "release hierarchy",
        _write("s.xml", _STRUCTURE),
        _reader("sources.hierarchy", "read_hierarchy", "s.xml"),
        wnid_rows,
        2,
    ),
    Target(
        "hierarchy, table",
        _write(
            "s.tsv",
            "child\tparent\n" + "\n".join(f"{a}\t{b}" for a, b in pairwise(WNIDS)),
        ),
        _reader("sources.hierarchy", "read_hierarchy", "s.tsv"),
        wnid_rows,
    ),
    Target(
        "populations",
        _write("s.xml", _POPULATIONS),
        _reader("sources.populations", "read_populations", "s.xml"),
        wnid_rows,
    ),
    Target(
        "populations, table",
        _write("s.csv", "wnid,images\n" + "\n".join(f"{wnid},{n}" for n, wnid in enumerate(WNIDS))),
        _reader("sources.populations", "read_populations", "s.csv"),
        wnid_rows,
    ),
    Target(
        "frequencies",
        _write("s.tsv", "word\tfrequency\ndog\t10\ncat\t3\nhot dog\t1\n"),
        _reader("sources.frequencies", "read_frequencies", "s.tsv"),
    ),
    Target(
        "values by class",
        _write("s.csv", "\n".join(f"{wnid},{n / 7}" for n, wnid in enumerate(WNIDS))),
        _reader("data.class_values", "class_values", "s.csv"),
        lambda value: _check_values((value,)),
    ),
    Target(
        "superclasses",
        _write(
            "s.tsv", "shape\tsuperclass\tname\twnid\tpart\n" + f"a\tb\tc\t{WNIDS[0]}\ttrain\n" * 3
        ),
        _reader("sources.superclasses", "read_superclasses", "s.tsv"),
    ),
    Target(
        "class list",
        _write("c.txt", "# classes\n" + "\n".join(f"{wnid} a name" for wnid in WNIDS)),
        _reader("sources.imagenet", "read_names", "c.txt"),
        # lists that number their names have a tab behind the number
        lambda value: names([each.replace("\t", " ") for each in value], "classes"),
        2,
    ),
    Target(
        "class list, json",
        _write("c.json", json.dumps(WNIDS)),
        _reader("sources.imagenet", "read_names", "c.json"),
        lambda value: names(value, "classes"),
    ),
    Target(
        "class texts",
        _write("c.json", json.dumps({wnid: [f"a {wnid}", "b"] for wnid in WNIDS})),
        _reader("data.class_texts", "read_class_texts", "c.json"),
    ),
    Target(
        "name list",
        _write("c.json", json.dumps(["dog", "barn owl", "cat"])),
        _reader("data.name_lists", "read_name_list", "c.json"),
    ),
    Target(
        "name list, text",
        _write("c.txt", "dog\ncat\nbarn owl\nhot dog\n"),
        _reader("data.name_lists", "read_name_list", "c.txt"),
    ),
    Target(
        "descriptions",
        _write("c.json", json.dumps(_CAPTIONS)),
        _reader(
            "data.class_descriptions",
            "read_descriptions",
            "c.json",
            {WNIDS[0]: "dog", WNIDS[1]: "cat"},
        ),
    ),
    Target(
        "templates",
        _write("c.txt", "a photo of a {}.\na drawing of the {}.\n"),
        _reader("clip.prompts", "read_templates", "c.txt"),
    ),
    Target(
        "templates, json",
        _write("c.json", json.dumps({"imagenet": ["the {}", "my {}"]})),
        _reader("clip.prompts", "read_templates", "c.json"),
    ),
    Target(
        "windows", _write("w.jsonl", _WINDOWS), _reader("data.windows", "read_windows", "w.jsonl")
    ),
    Target(
        "relevance",
        _write("r.txt", "\n".join(json.dumps({"dog": 1.0, "cat": 0.2}) for _ in range(3))),
        _reader("analysis.granularity.inputs", "read_relevance", "r.txt", 3),
        _number_tree,
        changes={"r.txt": change_of(Path("x.jsonl"))},
    ),
    Target(
        "captions",
        _write("c.txt", "a.jpg#0\tA dog .\na.jpg#1\tTwo dogs\nb.jpg#0\tA cat\n"),
        _reader("sources.captions", "read_captions", "c.txt"),
    ),
    Target(
        "captions, json lines",
        _write("c.jsonl", '["A dog", "Two dogs"]\n["A cat"]\n'),
        _reader("sources.captions", "read_captions", "c.jsonl"),
    ),
    Target(
        "vocabularies",
        _write("v.jsonl", '{"dog": 2}\n["A cat"]\n'),
        _reader("sources.captions", "read_vocabulary", "v.jsonl"),
    ),
    Target(
        "scores of words",
        _make_npz,
        _reader("analysis.granularity.inputs", "read_scores", "p.npz"),
        lambda value: must(np.isfinite(value[0]).all(), "not finite"),
    ),
    Target(
        "configurations",
        _write("c.csv", "a,b,accuracy\n0,0,0.1\n0,1,0.2\n1,0,0.3\n1,1,0.9\n"),
        _reader("benchmark.attribution", "read_configurations", "c.csv"),
    ),
    Target(
        "votes",
        _write("v.csv", _VOTES),
        _reader("sources.judgements", "read_votes", "v.csv"),
        lambda value: names(value.of_class, "classes") if "" not in value.of_class else None,
    ),
    Target(
        "judgements",
        _write("j.csv", _JUDGEMENTS),
        _reader("sources.judgements", "read_judgements", "j.csv", ("class", "entry")),
        lambda value: names(
            (text for row in value.rows for text in (row.image, row.label, row.entry)),
            "texts",
            once=False,
        ),
    ),
    Target(
        "mistakes",
        _write("m.tsv", "image\ttype\ttrue\tpredicted\n1\tsmall\tdog\tcat\n2\t\tcat\tdog\n"),
        _reader("sources.judgements", "read_mistakes", "m.tsv"),
        changes={"m.tsv": change_of(Path("x.csv"))},
    ),
    Target(
        "submissions",
        _write("s.csv", "task,data,team,value\ncls,provided,A,6.5\ndet,outside,B,40\n"),
        _reader("sources.leaderboard", "read_submissions", "s.csv"),
        lambda value: must(np.isfinite([each.value for each in value]).all(), "not finite"),
    ),
    Target(
        "flags",
        _write("c.csv", "row,wnid,asked,right,good\n0,n02084071,1,1,1\n1,n02121620,1,0,0\n"),
        _reader("benchmark.sample_selection", "read_flags", "c.csv", WNIDS[:2]),
    ),
    Target(
        "recipe", _make_recipe, _reader("benchmark.recipe", "read_recipe", "r.toml"), weight=0.5
    ),
    Target("grid", _write("grid.toml", _GRID), _read_grid, weight=2),
    Target(
        "CLIP run",
        _write("c.toml", _CLIP),
        _reader("clip.config", "read_config", "c.toml"),
        weight=2,
    ),
    Target(
        "settings",
        _write("s.toml", 'heap = "1g"\nbolt_port = 7687\nuri = ""\n'),
        _reader("settings", "_read_file", "s.toml"),
    ),
    Target("benchmark", _make_benchmark, _read_benchmark, weight=0.5),
    Target(
        "text", _write("t.txt", _WORDS), _read_text("t.txt"), weight=0.5, changes={"t.txt": text}
    ),
    Target(
        "text, gzip",
        _write("t.gz", gzip.compress(_WORDS.encode())),
        _read_text("t.gz"),
        changes={"t.gz": packed(text, gzip.compress, gzip.decompress)},
    ),
    Target(
        "text, bzip2",
        _write("t.bz2", bz2.compress(_WORDS.encode())),
        _read_text("t.bz2"),
        weight=0.5,
        changes={"t.bz2": packed(text, bz2.compress, bz2.decompress)},
    ),
    Target(
        "text, xz",
        _write("t.xz", lzma.compress(_WORDS.encode())),
        _read_text("t.xz"),
        weight=0.5,
        changes={"t.xz": packed(text, lzma.compress, lzma.decompress)},
    ),
    Target("dump", _write("d.xml", _DUMP), _read_text("d.xml"), weight=0.5),
    Target(
        "dump, bzip2",
        _write("d.xml.bz2", bz2.compress(_DUMP.encode())),
        _read_text("d.xml.bz2"),
        weight=0.3,
        changes={"d.xml.bz2": packed(text, bz2.compress, bz2.decompress)},
    ),
    Target(
        "word vectors",
        _make_vectors(False),
        _reader("semantics.vectors", "read_vectors", "v.txt"),
        _check_vectors,
        0.5,
    ),
    Target(
        "word vectors, binary",
        _make_vectors(True),
        _reader("semantics.vectors", "read_vectors", "v.bin"),
        _check_vectors,
        0.5,
    ),
    Target(
        "packaged vectors",
        lambda folder: np.save(folder / "v.npy", np.ones((4, 3), np.float32)),
        _reader("semantics.packaged_vectors", "_matrix", "v.npy", 3),
        lambda value: must(value.shape[1] == 3, "columns"),
    ),
    Target(
        "names beside a list",
        _write("c.json", json.dumps(_NAMES)),
        _reader("files", "read_json", "c.json"),
        _number_tree,
        changes={"c.json": json_},
    ),
    *BOX_TARGETS,
)
