"""How stages grow with samples, classes and text, at four sizes of each, on random numbers: without
a database. ``SCALE`` divides all sizes, for trying out."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from tests.benchmarks.cost import Cost, cost, exponent

SCALE = int(os.environ.get("SCALE", "1"))
SAMPLES = [size // SCALE for size in (12_500, 25_000, 50_000, 100_000)]
CLASSES = [size // SCALE for size in (2_730, 5_460, 10_920, 21_841)]
TEXT = [size // SCALE for size in (8, 16, 32, 64)]
#: Dimensions of features, and of class embeddings.
DIMENSIONS, EMBEDDING = 2_048, 384
RESULT, PLOT = Path("runs/scale.json"), Path("runs/scale.svg")


def bench_scale() -> None:
    """Processor seconds and memory of each stage against samples, classes and text."""
    found: list[dict[str, Any]] = []
    for axis, sizes, stages in (
        ("samples", SAMPLES, _by_samples),
        ("classes", CLASSES, _by_classes),
        ("MB of text", TEXT, _by_text),
    ):
        click.echo(f"{axis}: {sizes}; load {os.getloadavg()}", err=True)
        rows: dict[str, list[Cost]] = {}
        for size in sizes:
            for stage, took in stages(size):
                rows.setdefault(stage, []).append(took)
                click.echo(f"{axis} {size:,} {stage}: {took}", err=True)
        _table(axis, sizes, rows)
        found += [
            {"axis": axis, "sizes": sizes, "stage": stage, "costs": [vars(each) for each in costs]}
            for stage, costs in rows.items()
        ]
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(json.dumps(found, indent=1))
    plot(found)


def _table(axis: str, sizes: list[int], rows: dict[str, list[Cost]]) -> None:
    click.echo(f"| {axis} | {' | '.join(f'{size:,}' for size in sizes)} | exponent | memory |")
    click.echo("|---|" + "---|" * (len(sizes) + 2))
    for stage, costs in rows.items():
        shown = " | ".join(f"{each.cpu:.3g} s" for each in costs)
        grows = exponent(sizes[: len(costs)], [each.cpu for each in costs])
        memory = max(each.memory for each in costs)
        click.echo(f"| {stage} | {shown} | {grows:.2f} | {memory:,.0f} MB |")


def plot(found: list[dict[str, Any]]) -> None:
    """Processor seconds against each size, one panel for each."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot
    from matplotlib.ticker import FixedLocator, NullLocator

    pyplot.rcParams["svg.fonttype"] = "none"
    names = list(dict.fromkeys(row["axis"] for row in found))
    figure, panels = pyplot.subplots(1, len(names), figsize=(4.2 * len(names), 5.2), squeeze=False)
    for axes, name in zip(panels[0], names, strict=True):
        rows = [row for row in found if row["axis"] == name]
        for row, mark in zip(rows, "osD^vPX*", strict=False):
            times = [each["cpu"] for each in row["costs"]]
            axes.loglog(row["sizes"][: len(times)], times, marker=mark, label=row["stage"])
        axes.set(xlabel=name, ylabel="seconds of one core")
        axes.xaxis.set_major_locator(FixedLocator(rows[0]["sizes"]))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticklabels([f"{size:,}" for size in rows[0]["sizes"]], fontsize=8)
        axes.grid(alpha=0.3)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(PLOT, metadata={"Date": None})
    click.echo(f"{PLOT} is written.", err=True)


def _random() -> np.random.Generator:
    return np.random.default_rng(0)


def _model(classes: list[str]) -> Any:
    from graphzsl.data.class_matrix import ClassMatrix
    from graphzsl.models.base.zero_shot_model import ZeroShotModel

    values = _random().standard_normal((len(classes), DIMENSIONS + 1), dtype=np.float32)
    return ZeroShotModel(ClassMatrix(classes, values, {}))


def _samples(classes: list[str], count: int) -> Any:
    from graphzsl.data.samples import Samples

    random = _random()
    features = random.standard_normal((count, DIMENSIONS), dtype=np.float32)
    return Samples(features, random.choice(classes, count).tolist(), {})


def _listed(name: str) -> list[str]:
    from graphzsl.sources.imagenet import read_class_list
    from graphzsl.sources.published import list_path

    return [wnid for _, wnid in read_class_list(list_path(name))]


def _by_samples(size: int) -> Iterator[tuple[str, Cost]]:
    """1,000 candidates: those of ILSVRC 2012, with the hierarchy of WordNet's files."""
    from graphzsl.evaluation.evaluated_run import evaluate_run
    from graphzsl.evaluation.merging import merged
    from graphzsl.evaluation.predict import predict
    from graphzsl.evaluation.prediction_files import read_predictions
    from graphzsl.evaluation.shards import Part, read_shard, shard_of
    from graphzsl.hierarchy.graph import Hierarchy

    classes, hierarchy = _listed("ilsvrc2012"), Hierarchy.load()
    evaluated: Callable[..., Any] = partial(
        evaluate_run, manifest={}, train=classes, hierarchy=hierarchy
    )
    evaluated(predict(_model(classes), _samples(classes, 300)))  # what is computed once
    model, samples = _model(classes), _samples(classes, size)
    kept: list[Any] = []
    yield "predict, 1,000 candidates × 2,048", cost(lambda: kept.append(predict(model, samples)))
    yield "metrics and intervals, with the hierarchy", cost(lambda: evaluated(kept[0]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = evaluated(kept[0], rounds=100)
        yield "writing RUN.json, samples, classes", cost(lambda: run.write(folder / "r.json"))
        for number in range(1, 5):
            shard = shard_of(kept[0], Part(number, 4), {}, classes, {})
            shard.save(folder / f"{number}.npz")
        paths = sorted(folder.glob("*.npz"))
        yield (
            "reading and joining 4 shards",
            cost(lambda: merged([(str(path), read_shard(path)) for path in paths])),
        )
        lists = kept[0].top[:, :5]
        lines = (
            f"{label},{','.join(classes[column] for column in row)}\n"
            for label, row in zip(samples.labels, lists.tolist(), strict=True)
        )
        (folder / "p.csv").write_text("".join(lines))
        yield (
            "audit of a CSV of five predictions each",
            cost(lambda: evaluated(read_predictions(folder / "p.csv", classes))),
        )


def _by_classes(size: int) -> Iterator[tuple[str, Cost]]:
    """So many of the 21,841 classes as candidates, 2,000 samples."""
    from graphzsl.data.class_matrix import CLASSIFIERS, EMBEDDINGS, ClassMatrix
    from graphzsl.evaluation.evaluated_run import evaluate_run
    from graphzsl.evaluation.predict import predict
    from graphzsl.hierarchy.graph import Hierarchy
    from graphzsl.hierarchy.hcorrect import hcorrect_sets
    from graphzsl.models import training
    from graphzsl.models.base.task import Task

    random = _random()
    hierarchy = Hierarchy.load()
    known = [wnid for wnid in _listed("imagenet-fall11") if wnid in hierarchy.index]
    classes = random.permutation(known)[:size].tolist()
    yield (
        "hCorrectSets in memory, k up to 20",
        cost(lambda: list(hcorrect_sets(hierarchy, classes, classes, [1, 2, 5, 10, 20]))),
    )
    model, samples = _model(classes), _samples(classes, 2_000)
    kept: list[Any] = []
    yield "predict, 2,000 samples × 2,048", cost(lambda: kept.append(predict(model, samples)))
    yield (
        "metrics and intervals of 2,000 samples, with the hierarchy",
        cost(lambda: evaluate_run(kept[0], {}, [], hierarchy=hierarchy)),
    )
    train = classes[: size // 20]
    semantics = ClassMatrix(
        classes, random.standard_normal((size, EMBEDDING), dtype=np.float32), {"kind": EMBEDDINGS}
    )
    rows = ClassMatrix(
        train,
        random.standard_normal((len(train), DIMENSIONS + 1), dtype=np.float32),
        {"kind": CLASSIFIERS},
    )
    task = Task(None, semantics, rows, train, classes[size // 20 :])
    yield (
        "train eszsl on a twentieth of them, tuned",
        cost(lambda: training.train("eszsl", task)),
    )


def _by_text(size: int) -> Iterator[tuple[str, Cost]]:
    """MB of text made of glosses; and as many of a dump in streams."""
    from graphzsl.analysis.words import counting, texts
    from tests.benchmarks.timing import wordnet_source

    source: Any = wordnet_source()
    glosses = [row.gloss for row in source.synsets()]
    labels = source.labels()
    whole = "\n".join(glosses)
    text = (whole * (size * 1_000_000 // len(whole) + 1))[: size * 1_000_000]
    patterns = counting.Patterns(labels, source)
    shared = counting._Shared(patterns.forms, False)
    shared.counter()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "t.txt"
        path.write_text(text)
        yield (
            "count, plain text",
            cost(lambda: counting._count_part(shared, texts.find_text(str(path)))),
        )
        if size > TEXT[1]:
            return
        dump = Path(name) / "t-multistream.xml.bz2"
        _dump(dump, text)
        parts = texts.parts_of([texts.find_text(str(dump))])
        yield (
            "count, multistream dump of as much text",
            cost(lambda: [counting._count_part(shared, part) for part in parts]),
        )


def _dump(path: Path, text: str, article: int = 6_000, pages: int = 100) -> None:
    import bz2

    articles = [text[start : start + article] for start in range(0, len(text), article)]
    content, lines = bz2.compress(b"<mediawiki>"), []
    for start in range(0, len(articles), pages):
        stream = "".join(
            f"<page><title>T</title><ns>0</ns><id>{number}</id><revision><text>"
            + each.replace("&", "").replace("<", "")
            + "</text></revision></page>"
            for number, each in enumerate(articles[start : start + pages])
        )
        lines.append(f"{len(content)}:{start}:T")
        content += bz2.compress(stream.encode())
    path.write_bytes(content + bz2.compress(b"</mediawiki>"))
    index = path.with_name(path.name.replace(".xml.bz2", "-index.txt.bz2"))
    index.write_bytes(bz2.compress("\n".join(lines).encode()))
