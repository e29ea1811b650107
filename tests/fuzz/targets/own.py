"""Files that graphzsl writes, and reads again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from graphzsl.common import DataError
from tests.fuzz.damage.texts import json_
from tests.fuzz.target import Target, must, names
from tests.fuzz.targets.common import (
    WNIDS,
    class_matrix,
    dataset,
    made_dataset,
    matrix,
    number_tree,
    reader,
    subgraph,
    sums,
    values,
    written,
)


def make_parts(folder: Path) -> None:
    """A file of class embeddings, and one that was joined of others."""
    from graphzsl.common import manifest
    from graphzsl.data import ClassMatrix
    from graphzsl.embeddings import join_embeddings

    origin = {"graph": {"nodes": "0" * 64}, "sources": {"wordnet": "0" * 64}}
    described = manifest("class embeddings", semantics="text", missing=["n1"], **origin)
    one = ClassMatrix(WNIDS, matrix().values, described)
    one.save(folder / "one.safetensors")
    joined, _ = join_embeddings({"one": one, "other": matrix(columns=2)}, fill="zero")
    joined.save(folder / "joined.safetensors")


def _read_joined(folder: Path) -> Any:
    from graphzsl.data import EMBEDDINGS, ClassMatrix
    from graphzsl.embeddings import join_embeddings

    files = ("joined.safetensors", "one.safetensors")
    return join_embeddings({name: ClassMatrix.load(folder / name, EMBEDDINGS) for name in files})[0]


def make_subgraph(folder: Path) -> None:
    from graphzsl.common import manifest
    from graphzsl.data import Subgraph, save_subgraph
    from graphzsl.data.subgraph import KIND

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
        [0, 1, 1, 2, 2, 2],
        ["noun.Tops"] * 6,
        ["HYPERNYM"] * 5,
    )
    save_subgraph(graph, folder / "graph")
    for each in (folder / "graph").iterdir():
        each.rename(folder / each.name)
    (folder / "graph").rmdir()


def _read_subgraph(folder: Path) -> Any:
    from graphzsl.data import Subgraph

    found = Subgraph.load(folder)
    hierarchy = found.hierarchy
    must(hierarchy.positions(found.wnids).size == len(found.wnids), "nodes without a position")
    return found


def make_dataset(folder: Path) -> None:
    made_dataset().save(folder / "d")
    for each in (folder / "d").iterdir():
        each.rename(folder / each.name)
    (folder / "d").rmdir()


def _read_dataset(folder: Path) -> Any:
    from graphzsl.data import ZeroShotDataset

    return ZeroShotDataset.load(folder)


def make_model(folder: Path) -> None:
    from graphzsl.models.base.encoders import TanhNetwork
    from graphzsl.models.base.novelty import GATES
    from graphzsl.models.base.zero_shot_model import ZeroShotModel
    from graphzsl.models.training import save

    random = np.random.default_rng(0)
    fields = TanhNetwork.__dataclass_fields__
    assert GATES
    assert fields
    model = ZeroShotModel(matrix("classifiers", 4))
    del random
    save(folder / "m", model, {"kind": "model", "model": "eszsl", "train": WNIDS[:2], "seed": 0})
    for each in (folder / "m").iterdir():
        each.rename(folder / each.name)
    (folder / "m").rmdir()


def _read_model(folder: Path) -> Any:
    from graphzsl.models import load_model

    return load_model(folder)[0]


def _check_model(value: Any) -> None:
    class_matrix(value.classifiers)
    must(value.maps >= 1, "maps")


def make_hcorrect(folder: Path) -> None:
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
    sums("hcorrect.parquet")(folder)


def _read_hcorrect(folder: Path) -> Any:
    from graphzsl.audit.hcorrect_files import load_hcorrect

    return load_hcorrect(folder)[0]


def _check_hcorrect(sets: Any) -> None:
    for k, by_class in sets.items():
        must(type(k) is int and k > 0, "k")
        for wnid, members in by_class.items():
            names(members, "members")
            must(wnid in members, "a set without its class")


CSV = "file,label,top1,top2\na.jpg,cat,cat,dog\nb.jpg,dog,cat,dog\nc.jpg,owl,owl,cat\n"


def make_run(folder: Path) -> None:
    import graphzsl as gz

    (folder / "p.csv").write_text(CSV)
    gz.evaluate(gz.read_predictions(folder / "p.csv"), wordnet=None).save(folder / "run.json")
    (folder / "p.csv").unlink()


def _read_run(folder: Path) -> Any:
    from graphzsl.audit.run_files import read_run

    return read_run(folder / "run.json", deviations=True)


def _read_run_files(folder: Path) -> Any:
    from graphzsl.audit import read_run_samples

    return read_run_samples(folder / "run.json")


def _read_table_of_classes(folder: Path) -> Any:
    from graphzsl.names import class_name_column, class_values

    path = folder / "run.classes.parquet"
    return class_values(path), class_name_column(path)


def _read_report(folder: Path) -> Any:
    import graphzsl as gz

    return gz.report(folder / "run.json").html


_NODES = [(wnid, "n00000001") for wnid in WNIDS]


def make_pictured(folder: Path) -> None:
    """A run with its table of classes, whose checksum it does not have: what is damaged is read."""
    import graphzsl as gz

    hierarchy = gz.Hierarchy.from_edges(_NODES)
    ranked = [[WNIDS[2], WNIDS[3]] for _ in WNIDS[2:]]
    path = folder / "run.json"
    options = {"candidates": WNIDS[2:], "train": WNIDS[:2], "wordnet": hierarchy, "rounds": 10}
    gz.evaluate(WNIDS[2:], ranked=ranked, **options).save(path)
    run = json.loads(path.read_text())
    del run["class_table"]["sha256"]
    path.write_text(json.dumps(run))
    (folder / "run.samples.parquet").unlink()


def _read_picture(folder: Path) -> Any:
    import graphzsl as gz
    from graphzsl.hierarchy import Lexicon

    nodes = gz.Hierarchy.from_edges(_NODES)
    with patch.object(Lexicon, "load", side_effect=DataError("not read here")):
        return gz.picture(folder / "run.json", hierarchy=nodes).html


def _check_page(page: str) -> None:
    must("<script>alert" not in page and "{{7*7}}" not in page.replace("{{7*7}}", "", 99), "a page")


def make_benchmark(folder: Path) -> None:
    source = Path(__file__).parents[3] / "benchmarks" / "default"
    for name in ("manifest.json", "statistics.json", "classes.csv", "recipe.toml", "train.txt"):
        if (source / name).exists():
            content = (source / name).read_bytes()
            lines = content.split(b"\n")
            kept = b"\n".join(lines[:30]) if name.endswith((".csv", ".txt")) else content
            (folder / name).write_bytes(kept)


def _read_benchmark(folder: Path) -> Any:
    from graphzsl.benchmark import read_manifest
    from graphzsl.benchmark.folder import read_statistics
    from graphzsl.sources.named_columns import named_rows

    return (
        read_manifest(folder),
        read_statistics(folder / "statistics.json"),
        list(named_rows(folder / "classes.csv", ("wnid",), ("population",))),
    )


def make_whole_benchmark(folder: Path) -> None:
    """Of other populations than those that are shipped: its table has them."""
    source = Path(__file__).parents[3] / "benchmarks" / "default"
    for name in ("test_classes.txt", "training_classes.txt", "recipe.toml", "statistics.json"):
        content = (source / name).read_text(encoding="utf-8")
        kept = content if not name.endswith(".txt") else "\n".join(content.split("\n")[:30]) + "\n"
        (folder / name).write_text(kept, encoding="utf-8")
    described = json.loads((source / "manifest.json").read_text(encoding="utf-8"))
    described["sources"]["populations"] = "0" * 64
    (folder / "manifest.json").write_text(json.dumps(described))
    rows = (source / "classes.csv").read_text(encoding="utf-8").split("\n")[:30]
    (folder / "classes.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _read_whole_benchmark(folder: Path) -> Any:
    import graphzsl as gz
    from graphzsl.benchmark import read_manifest
    from graphzsl.benchmark.folder import known_populations, read_benchmark
    from graphzsl.sources.imagenet import read_class_list

    described = read_manifest(folder)
    test = [wnid for _, wnid in read_class_list(folder / "test_classes.txt")]
    populations = known_populations(folder, described, test)
    nodes = gz.Hierarchy.from_edges([(WNIDS[0], WNIDS[1])])
    lexicon: Any = None  # for names, which are not asked for
    read = read_benchmark(folder, described, nodes, lexicon, populations)
    must(all(type(each) is int and each >= 0 for each in populations.values()), "populations")
    names(read.test, "test")
    names(read.training, "training")
    return read.parsed


_NAMES = {"kind": "class-names", "source": "made", "classnames": {w: f"name {w}" for w in WNIDS}}


TARGETS = (
    Target(
        "class matrix",
        lambda folder: matrix().save(folder / "m.safetensors"),
        lambda folder: type(matrix()).load(folder / "m.safetensors"),
        class_matrix,
        2,
    ),
    Target("class matrices joined", make_parts, _read_joined, class_matrix),
    Target(
        "graph",
        make_subgraph,
        _read_subgraph,
        subgraph,
        2,
        fix=sums("nodes.parquet", "edges.parquet"),
    ),
    Target(
        "data set",
        make_dataset,
        _read_dataset,
        dataset,
        2,
        fix=sums("samples.npz", "class_embeddings.safetensors"),
    ),
    Target(
        "model",
        make_model,
        _read_model,
        _check_model,
        2,
        fix=sums("classifiers.safetensors", "encoder.safetensors"),
    ),
    Target(
        "hCorrectSets",
        make_hcorrect,
        _read_hcorrect,
        _check_hcorrect,
        2,
        fix=sums("hcorrect.parquet"),
    ),
    Target("run", make_run, _read_run, number_tree, 2),
    Target("samples of a run", make_run, _read_run_files),
    Target("table of classes", make_run, _read_table_of_classes, values),
    Target("report", make_run, _read_report, _check_page, 0.05),
    Target("picture of a run", make_pictured, _read_picture, _check_page, 0.3),
    Target("benchmark", make_benchmark, _read_benchmark, weight=0.5),
    Target("whole benchmark", make_whole_benchmark, _read_whole_benchmark, weight=0.5),
    Target(
        "names beside a list",
        written("c.json", json.dumps(_NAMES)),
        reader("common.files", "read_json", "c.json"),
        number_tree,
        changes={"c.json": json_},
    ),
)
