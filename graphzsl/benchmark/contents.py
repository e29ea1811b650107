"""Files of a published benchmark, as a function of the ``Benchmark``.

``publish`` writes them, and ``verify`` computes them again and compares: whatever is in a file
follows from the classes, the recipe, the statistics and WordNet, and the same benchmark gives the
same bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.benchmark import baselines, card, croissant
from graphzsl.benchmark.record import Benchmark
from graphzsl.common.files import MANIFEST, sha256_text
from graphzsl.common.version import __version__
from graphzsl.hierarchy.distances import Path
from graphzsl.hierarchy.ratio import structural_ratios
from graphzsl.names.class_naming import DEFAULT_RULE
from graphzsl.names.name_files import names_text
from graphzsl.sources.tables import table_text

KIND = "benchmark"
#: What all other files are computed from, beside WordNet and the manifest.
BASIS = ("test_classes.txt", "training_classes.txt", "recipe.toml", "statistics.json")
#: The columns of classes.csv.
COLUMNS = (
    *("wnid", "name", "class_name", "words"),
    *("population", "train_hops", "test_hops", "structural_ratio"),
)
#: The columns of closest_training_classes.csv, as `graphzsl export closest` writes them.
CLOSEST_COLUMNS = ("wnid", "name", "hops", "closest", "closest_names")
#: With more test classes there is no file of distances: it would take more than 60 MB.
MOST_DISTANCES = 5_000
#: Decimal places of a statistic: sums in another order differ behind them.
DIGITS = 9


def contents(benchmark: Benchmark) -> dict[str, bytes]:
    """File -> its content, the manifest last."""
    rows = baselines.rows(benchmark)
    texts = {
        "test_classes.txt": lines(benchmark.test),
        "training_classes.txt": lines(benchmark.training),
        "recipe.toml": benchmark.recipe,
        "statistics.json": statistics_text(benchmark.statistics, benchmark.steps),
        "classes.csv": _classes(benchmark),
        "names.json": _names(benchmark),
        "closest_training_classes.csv": _closest(benchmark),
        "baselines.csv": table_text(baselines.COLUMNS, [[*row.values()] for row in rows]),
    }
    files = {name: text.encode() for name, text in texts.items()}
    if len(benchmark.test) <= MOST_DISTANCES:
        files["distances.npy"] = _npy(benchmark.distances)
    files["README.md"] = card.text(benchmark, rows, sorted(files)).encode()
    files["croissant.json"] = croissant.text(benchmark, files).encode()
    return {**files, MANIFEST: _manifest(benchmark, files).encode()}


def lines(wnids: Iterable[str]) -> str:
    """One wnid per line."""
    return "".join(f"{wnid}\n" for wnid in wnids)


def rounded(value: Any) -> Any:
    """The value with every number in it rounded to ``DIGITS`` places."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


def statistics_text(statistics: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> str:
    """Text of statistics.json."""
    return _json({"statistics": rounded(dict(statistics)), "steps": rounded([*map(dict, steps)])})


def _classes(benchmark: Benchmark) -> str:
    graph, lexicon = benchmark.graph, benchmark.lexicon
    ratios = structural_ratios(graph, Path(graph), benchmark.training, benchmark.test)
    rows = []
    for place, (wnid, name) in enumerate(benchmark.names.of_class.items()):
        position = lexicon.index[wnid]
        hops = (_hops(away[place]) for away in (ratios.train_distance, ratios.test_distance))
        ratio = ratios.ratio[place]
        words = "; ".join(lexicon.words_of(position))
        images = benchmark.populations.get(wnid)
        rows.append([wnid, lexicon.names[position], name, words, images, *hops, f"{ratio:g}"])
    return table_text(COLUMNS, rows)


def _hops(distance: float) -> int | str:
    """A number of hops; empty where there is no path."""
    return int(distance) if np.isfinite(distance) else ""


def _names(benchmark: Benchmark) -> str:
    provenance = {"set": benchmark.name, "rule": DEFAULT_RULE}
    return names_text(benchmark.names.of_class, "json", provenance=provenance)


def _closest(benchmark: Benchmark) -> str:
    away, lexicon = benchmark.distances[:, : len(benchmark.training)], benchmark.lexicon
    rows = []
    for wnid, hops, closest in zip(benchmark.test, away, benchmark.closest, strict=True):
        name, *names = (lexicon.names[lexicon.index[each]] for each in (wnid, *closest))
        least = int(hops.min()) if closest else ""
        rows.append([wnid, name, least, " ".join(closest), " ".join(names)])
    return table_text(CLOSEST_COLUMNS, rows)


def _manifest(benchmark: Benchmark, files: Mapping[str, bytes]) -> str:
    """Manifest without a time or a version of Python: equal benchmarks have equal manifests."""
    document = {
        "kind": KIND,
        "graphzsl": __version__,
        "name": benchmark.name,
        "train": benchmark.train,
        "universe": benchmark.universe,
        "hierarchy": benchmark.hierarchy,
        "classes": len(benchmark.test),
        "recipe_sha256": sha256_text(benchmark.recipe),
        "universe_sha256": benchmark.universe_sha256,
        "queries": dict(benchmark.queries),
        "sources": dict(benchmark.sources),
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
    return _json(document)


def _json(document: Any) -> str:
    return json.dumps(document, indent=2, sort_keys=True, allow_nan=False) + "\n"


def _npy(array: npt.NDArray[Any]) -> bytes:
    file = io.BytesIO()
    header = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue() + array.tobytes()
