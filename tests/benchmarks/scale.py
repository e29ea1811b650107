"""Growth of stages with samples, classes, text and images, at four sizes of each, on random
numbers: without a database. ``SCALE`` divides all sizes, for trying out."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from tests.benchmarks.cost import Cost, alone, cost
from tests.benchmarks.grown import Grown, plot, say_tables

SCALE = int(os.environ.get("SCALE", "1"))
SAMPLES = [size // SCALE for size in (12_500, 25_000, 50_000, 100_000)]
CLASSES = [size // SCALE for size in (2_730, 5_460, 10_920, 21_841)]
TEXT = [max(1, size // SCALE) for size in (8, 16, 32, 64)]
IMAGES = [size // SCALE for size in (500, 1_000, 2_000, 4_000)]
#: Dimensions of features, and of class embeddings.
DIMENSIONS, EMBEDDING = 2_048, 384
#: What stages are called that two axes have.
RANKS, METRICS = (
    "`evaluate model`: scores, lists, ranks, ties",
    "metrics and intervals, with the hierarchy",
)
#: Of timm; small, so that what is around it counts.
NETWORK = "test_resnet"
RESULT, PLOT = Path("runs/scale.json"), Path("runs/scale.svg")


def bench_scale() -> None:
    """Processor seconds and memory of each stage against samples, classes, text and images."""
    found = []
    for axis, (sizes, _) in AXES.items():
        grown = Grown(axis, sizes)
        for size in sizes:
            click.echo(f"{axis}: {size:,}; load {os.getloadavg()}", err=True)
            grown.add(alone(_stages, axis, size))
        say_tables(grown)
        found.append(grown)
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(json.dumps([asdict(each) for each in found], indent=1))
    plot(found, PLOT)


def _stages(axis: str, size: int) -> dict[str, Cost]:
    """Of one size, after a little of each, which is when libraries are imported."""
    sizes, measured = AXES[axis]
    for _ in measured(max(1, sizes[0] // 8)):
        pass
    return dict(measured(size))


def _random() -> np.random.Generator:
    return np.random.default_rng(0)


def _model(classes: list[str]) -> Any:
    from graphzsl.data import ClassMatrix
    from graphzsl.models.base.zero_shot_model import ZeroShotModel

    values = _random().standard_normal((len(classes), DIMENSIONS + 1), dtype=np.float32)
    return ZeroShotModel(ClassMatrix(classes, values, {}))


def _samples(classes: list[str], count: int) -> Any:
    from graphzsl.data import Samples

    random = _random()
    features = random.standard_normal((count, DIMENSIONS), dtype=np.float32)
    return Samples(features, random.choice(classes, count).tolist(), {})


def _listed(name: str) -> list[str]:
    from graphzsl.sources.imagenet import read_class_list
    from graphzsl.sources.published import list_path

    return [wnid for _, wnid in read_class_list(list_path(name))]


def _by_samples(size: int) -> Iterator[tuple[str, Cost]]:
    """1,000 candidates: those of ILSVRC 2012, with the hierarchy of WordNet's files."""
    from graphzsl.audit import Part, merged, read_predictions, read_shard, shard_of
    from graphzsl.audit.evaluation import evaluate_run
    from graphzsl.hierarchy import Hierarchy
    from graphzsl.models.runs.predict import predict

    classes, hierarchy = _listed("ilsvrc2012"), Hierarchy.load()
    evaluated: Callable[..., Any] = partial(
        evaluate_run, manifest={}, train=classes, hierarchy=hierarchy
    )
    model, samples = _model(classes), _samples(classes, size)
    kept: list[Any] = []
    yield (
        RANKS,
        cost(lambda: kept.append(predict(model, samples))),
    )
    yield METRICS, cost(lambda: evaluated(kept[0]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = evaluated(kept[0], rounds=100)
        yield "writing the JSON, samples and classes", cost(lambda: run.save(folder / "r.json"))
        for number in range(1, 5):
            shard = shard_of(kept[0], Part(number, 4), {}, classes, {})
            shard.save(folder / f"{number}.npz")
        paths = sorted(folder.glob("*.npz"))
        yield (
            "`evaluate merge`: reading and joining 4 shards",
            cost(lambda: merged([(str(path), read_shard(path)) for path in paths])),
        )
        lists = kept[0].top[:, :5]
        lines = (
            f"{label},{','.join(classes[column] for column in row)}\n"
            for label, row in zip(samples.labels, lists.tolist(), strict=True)
        )
        (folder / "p.csv").write_text("".join(lines))
        yield (
            "`audit` of a CSV of five predictions each",
            cost(lambda: evaluated(read_predictions(folder / "p.csv", classes))),
        )


def _by_classes(size: int) -> Iterator[tuple[str, Cost]]:
    """So many of the 21,841 classes as candidates, 2,000 samples."""
    from graphzsl.audit.evaluation import evaluate_run
    from graphzsl.data import CLASSIFIERS, EMBEDDINGS, ClassMatrix
    from graphzsl.hierarchy import Hierarchy
    from graphzsl.hierarchy.hcorrect import hcorrect_sets
    from graphzsl.models import Task, training
    from graphzsl.models.runs.predict import predict

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
    yield (
        RANKS,
        cost(lambda: kept.append(predict(model, samples))),
    )
    yield (
        METRICS,
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
        "`train eszsl`, tuned",
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
            "`study frequencies count`, plain text",
            cost(lambda: counting._count_part(shared, texts.find_text(str(path)))),
        )
        dump = Path(name) / "t-multistream.xml.bz2"
        _dump(dump, text)
        parts = texts.parts_of([texts.find_text(str(dump))])
        yield (
            "`study frequencies count`, multistream dump",
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


def _by_images(size: int) -> Iterator[tuple[str, Cost]]:
    """JPEGs of noise, of 100 classes, through a network of timm that is small, so that what is
    around it counts."""
    from click.testing import CliRunner
    from PIL import Image

    from graphzsl.cli import main
    from graphzsl.data import CLASSIFIERS, ClassMatrix
    from graphzsl.embeddings import backbone

    def run(*words: object) -> None:
        given = [*map(str, words), "--model", NETWORK, "--random", "--device", "cpu"]
        done = CliRunner().invoke(main, given)
        assert not done.exit_code, done.output

    random, classes = _random(), _listed("ilsvrc2012")[:100]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(size):
            place = folder / "images" / classes[number % len(classes)]
            place.mkdir(parents=True, exist_ok=True)
            pixels = random.integers(0, 256, (32, 32, 3), dtype=np.uint8)
            Image.fromarray(pixels).resize((256, 256)).save(place / f"{number}.jpg")
        width = int(str(backbone(NETWORK, None, False).num_features))
        rows = random.standard_normal((100, width + 1))
        matrix = ClassMatrix(classes, rows.astype(np.float32), {"kind": CLASSIFIERS})
        matrix.save(folder / "c.safetensors")
        images = folder / "images"
        convert = partial(run, "convert", "images", images, "--batch", 64, "--out")
        yield "`convert images` into one file", cost(lambda: convert(folder / "f.npz"))
        yield "`convert images` into parts", cost(lambda: convert(folder / "parts"))
        tune = partial(run, "finetune", images, "--classifiers", folder / "c.safetensors")
        yield (
            "`finetune`, an epoch",
            cost(lambda: tune("--batch", 64, "--out", folder / "w.pt")),
        )


#: What grows -> its sizes, and what measures the stages at one of them.
AXES: dict[str, tuple[list[int], Callable[[int], Iterator[tuple[str, Cost]]]]] = {
    "samples": (SAMPLES, _by_samples),
    "classes": (CLASSES, _by_classes),
    "MB of text": (TEXT, _by_text),
    "images": (IMAGES, _by_images),
}
