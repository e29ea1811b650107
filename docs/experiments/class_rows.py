"""The tables and the figure of class rows and images in docs/results.md, from the runs of the
grids here.

    python docs/experiments/class_rows.py collect runs/rows-lite0 runs/rows-lite1 … runs/images …
    python docs/experiments/class_rows.py blocks runs/rows-lite0 runs/rows-lite1 …
    python docs/experiments/class_rows.py neighbours runs/rows-lite0 runs/rows-lite1 …
    python docs/experiments/class_rows.py ends runs/rows-lite0 … runs/images … runs/frequency
    python docs/experiments/class_rows.py kinds runs/semantics
    python docs/experiments/class_rows.py validation runs/validation
    python docs/experiments/class_rows.py tables
    python docs/experiments/class_rows.py figure

``collect`` writes the rows of some grids to class_rows.csv beside this file, in place of those it
has of the same splits and models: a row for each grid, split, model and metric, with the interval
over the distinct hidden classes of all seeds, those of a branch as one, and how far the model is
behind the best one of those that are collected with it. ``blocks`` writes blocks.csv: hit@1 of
every model in ten disjoint blocks of the classes that a split hides, a class counting once however
many seeds hide it, a branch in one block. ``neighbours`` writes neighbours.csv: by how much hit@1
of a model is ahead of the next one of all networks. ``ends`` writes to ends.csv, in place of the
rows it has of the same grids, in how many runs validation chose an end of what was tried. ``kinds``
writes kinds.csv: hit@1 of every model with every kind of class embeddings, and its difference to
the same model with the first kind. ``validation`` writes validation.csv: mean hit@1 and its
standard deviation over draws of the validation classes. ``tables`` and ``figure`` read them.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphzsl.metrics.significance import Friedman
from graphzsl.reports.differences import units_of

DATA = Path(__file__).with_name("class_rows.csv")
BLOCKS = Path(__file__).with_name("blocks.csv")
NEIGHBOURS = Path(__file__).with_name("neighbours.csv")
ENDS = Path(__file__).with_name("ends.csv")
KINDS = Path(__file__).with_name("kinds.csv")
VALIDATION = Path(__file__).with_name("validation.csv")
#: The two ends of the dial.
BOTH = ("random", "branches")
#: Blocks of the hidden classes of a split.
NUMBER = 10
FIGURE = Path(__file__).parents[1] / "structural-ratio.svg"
#: What is kept of a run's metrics.
METRICS = ("hit@1", "hit@5", "hp@5", "lca_height@1", "mean_rank", "ts", "tr", "h", "ausuc")
#: What is kept of a row of the report's table.
NUMBERS = ("structural_ratio", "mean", "low", "high", "behind", "behind low", "behind high")
KEPT = ("model", "metric", *NUMBERS[1:], "test", "seeds", "candidates", "note")
#: The columns of a difference to the next model.
AHEAD = ("ahead", "ahead low", "ahead high")
#: The columns of a difference to the first kind of class embeddings.
GAIN = ("gain", "gain low", "gain high")
NETWORKS = {
    "rows-lite0": "EfficientNet-Lite0",
    "rows-lite1": "EfficientNet-Lite1",
    "rows-lite2": "EfficientNet-Lite2",
    "rows-mobilenet": "MobileNet v1",
}
#: Kinds of class embeddings -> their column; the others are compared with the first.
COLUMNS = {
    "minilm": "MiniLM",
    "cupl": "CuPL",
    "minilm-graph": "MiniLM + graph",
    "lsi": "LSI",
    "glove": "GloVe",
}
#: What the tables of the generalized setting show.
GENERALIZED = ("h", "ts", "tr", "ausuc")
#: Models that try two values of each option.
NOTHING_BETWEEN = {"exem"}
#: Models of the figure, best first.
SHOWN = ("graph-exem", "graph-linear", "eszsl", "conse", "closest-eszsl", "closest")

Row = dict[str, Any]
#: Class -> values of it.
Hits = dict[str, list[float]]


def collected(folders: Sequence[Path]) -> Iterator[Row]:
    """Rows of some grids' runs; shares are fractions."""
    from graphzsl.reports import questions_of, read_files, runs_in
    from graphzsl.reports.table import value_rows

    for folder in folders:
        for task, headline in questions_of(read_files(runs_in([folder])[0])):
            documents = [run.document for run in task.runs]
            ratio = np.mean([document["structural_ratio"] for document in documents])
            # nothing is compared with a model that is not as its paper has it
            has_notes = any(document.get("note") for document in documents)
            kept = [name for name in KEPT if not (has_notes and name.startswith("behind"))]
            place = {
                "grid": folder.name,
                "split": documents[0]["split_definition"]["name"],
                "structural_ratio": round(float(ratio), 4),
            }
            for row in value_rows(task, headline):
                if row["metric"] in METRICS:
                    yield place | {name: row[name] for name in kept}


def rows_of(path: Path = DATA) -> list[Row]:
    """The rows of a file, numbers as numbers."""
    numbers = {*NUMBERS, *AHEAD, *GAIN}
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {name: float(text) if name in numbers and text else text for name, text in row.items()}
            for row in csv.DictReader(file)
        ]


def in_blocks(folders: Sequence[Path]) -> Iterator[Row]:
    """A row for each grid, split, model and block: mean hit@1 of the block's classes, each the mean
    over the seeds that hide it."""
    from graphzsl.reports import questions_of, read_runs

    for folder in folders:
        for task, _ in questions_of(read_runs([folder])):
            runs = [*task.runs]
            split = runs[0].document["split_definition"]["name"]
            if split not in BOTH:
                continue
            hits = hits_by_class(runs, lambda run: run.document["model_label"])
            classes = sorted(next(iter(hits.values())))
            for number, block in enumerate(_blocks(units_of(runs, classes))):
                for model, values in hits.items():
                    mean = np.mean([np.mean(values[classes[place]]) for place in block])
                    place = {"grid": folder.name, "split": split, "model": model}
                    yield place | {"block": number, "classes": len(block), "mean": float(mean)}


def of_neighbours(folders: Sequence[Path]) -> Iterator[Row]:
    """A row for each grid, split and model but the last, in the order of hit@1 over all grids: the
    difference to the next model."""
    from graphzsl.reports import questions_of, read_runs
    from graphzsl.reports.differences import difference

    of_split: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for folder in folders:
        for task, _ in questions_of(read_runs([folder])):
            split = task.entries[0].documents[0]["split_definition"]["name"]
            of_split[split][folder.name] = {entry.name: entry for entry in task.entries}
    for split in BOTH:
        means: dict[str, float] = defaultdict(float)
        for entries in of_split[split].values():
            for model, entry in entries.items():
                means[model] += entry.mean("hit@1")
        order = sorted(means, key=lambda model: -means[model])
        for grid, entries in of_split[split].items():
            for model, following in pairwise(order):
                lead = difference(entries[model], entries[following], "hit@1")
                numbers = zip(AHEAD, (lead.mean, lead.low, lead.high), strict=True)
                place = {"grid": grid, "split": split, "model": model, "next": following}
                yield place | dict(numbers)


def of_ends(folders: Sequence[Path]) -> Iterator[Row]:
    """A row for each grid, split, kind of class embeddings, model and end of what it tried that
    validation chose in some of its runs."""
    from graphzsl.reports import read_runs

    for folder in folders:
        ends: Counter[tuple[str, ...]] = Counter()
        for run in read_runs([folder]):
            found = run.document
            provenance = found["provenance"]
            split = found["split_definition"]["name"]
            if split not in BOTH:
                continue
            for option, end in provenance["validation"].get("at_end_of_grid", {}).items():
                value, kind = f"{provenance['options'][option]:g}", found["semantics_name"]
                ends[split, kind, found["model_label"], option, value, end] += 1
        names = ("split", "semantics", "model", "option", "value", "end")
        for end, runs in sorted(ends.items()):
            yield {"grid": folder.name, **dict(zip(names, end, strict=True)), "runs": runs}


def hits_by_class(runs: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, Hits]:
    """Key of runs -> class -> its hit@1 in each of these runs that hides it."""
    hits: dict[Any, Hits] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        for wnid, value in (run.by_class("hit@1") or {}).items():
            hits[key(run)][wnid].append(value)
    return hits


def of_kinds(folder: Path) -> Iterator[Row]:
    """A row for each split, model and kind of class embeddings: hit@1, and its gain over the same
    model with the first kind."""
    from graphzsl.reports import questions_of, read_files, runs_in
    from graphzsl.reports.differences import difference, interval_over_classes

    for task, _ in questions_of(read_files(runs_in([folder])[0])):
        split = task.entries[0].documents[0]["split_definition"]["name"]
        entries = {
            (entry.documents[0]["model_label"], entry.documents[0]["semantics_name"]): entry
            for entry in task.entries
        }
        for (model, kind), entry in entries.items():
            row = {"split": split, "model": model, "kind": kind, "mean": entry.mean("hit@1")}
            row["low"], row["high"] = interval_over_classes(entry, "hit@1")
            gain = difference(entry, entries[model, next(iter(COLUMNS))], "hit@1")
            yield row | {"gain": gain.mean, "gain low": gain.low, "gain high": gain.high}


def over_draws(folder: Path) -> Iterator[Row]:
    """A row for each split and model of the table of a grid with validation seeds."""
    with (folder / "table.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield {
                "split": row["split"],
                "model": row["model"],
                "mean": row["hit@1"],
                "spread": row["hit@1 validation sd"],
            }


def _blocks(units: NDArray[np.int64]) -> list[list[int]]:
    """Places of classes in blocks: whole branches or single classes, the largest first and else in
    random order, each to the block that is smallest so far."""
    members = [np.flatnonzero(units == unit).tolist() for unit in range(units.max() + 1)]
    order = np.random.default_rng(0).permutation(len(members))
    blocks: list[list[int]] = [[] for _ in range(NUMBER)]
    for unit in sorted(order.tolist(), key=lambda unit: -len(members[unit])):
        min(blocks, key=len).extend(members[unit])
    return blocks


def table_of_ranks(blocks: Sequence[Row], split: str) -> tuple[list[str], Friedman]:
    """Mean ranks of the models in networks × blocks and in the blocks alone, all networks together;
    and Friedman's test of the latter, since networks share classes."""
    rows = [row for row in blocks if row["split"] == split]
    models = list(dict.fromkeys(row["model"] for row in rows))
    value = {(row["grid"], row["block"], row["model"]): row["mean"] for row in rows}
    grids, numbers = (list(dict.fromkeys(row[name] for row in rows)) for name in ("grid", "block"))
    cube = np.array([[[value[g, n, m] for m in models] for n in numbers] for g in grids])
    every, test = (
        Friedman.from_scores(models, scores)
        for scores in (cube.reshape(-1, len(models)), cube.mean(axis=0))
    )
    lines = ["| model | networks × blocks | blocks |", "|---|---|---|"]
    for place in np.argsort(test.mean_ranks, kind="stable"):
        ranks = (f"{each.mean_ranks[place]:.2f}" for each in (every, test))
        lines.append(f"| {models[place]} | {' | '.join(ranks)} |")
    return lines, test


def ends_of(
    ends: Sequence[Row], grids: Container[str], values: Sequence[str] = BOTH, by: str = "split"
) -> str:
    """Sentence below a table of some grids: for each model the ends that validation chose, each
    with its runs in every split, or with other ``values`` of another column."""
    runs: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for row in ends:
        if row["grid"] in grids and row[by] in values:
            end = f"{row['option']} {row['value']}, the {row['end']}"
            runs[row["model"]][end, row[by]] += int(row["runs"])
    told = []
    for model, own in sorted(runs.items()):
        texts = (
            f"{end} ({', '.join(str(own[end, value]) for value in values)})"
            for end in sorted({end for end, _ in own})
        )
        told.append(f"`{model}` {' and '.join(texts)}")
    return "; ".join(told)


def marked(ends: Sequence[Row], grids: Container[str], splits: Container[str] = BOTH) -> set[str]:
    """Models for which validation chose an end in some run, and those that try nothing else."""
    own = {row["model"] for row in ends if row["grid"] in grids and row["split"] in splits}
    return own | NOTHING_BETWEEN


def table_of_leads(neighbours: Sequence[Row], split: str) -> list[str]:
    """hit@1 by which a model is ahead of the next one: a row for each pair, a column for each
    network, the best first."""
    cells = {
        (row["model"], row["next"], row["grid"]): row for row in neighbours if row["split"] == split
    }
    lines = [f"| model | ahead of | {' | '.join(NETWORKS.values())} |", "|---" * 6 + "|"]
    for model, following in dict.fromkeys((model, following) for model, following, _ in cells):
        shown = (_shown(cells[model, following, grid], AHEAD) for grid in NETWORKS)
        lines.append(f"| {model} | {following} | {' | '.join(shown)} |")
    return lines


def table_of_networks(rows: Sequence[Row], split: str, ends: Sequence[Row]) -> list[str]:
    """hit@1: a row for each model, a column for each network, the best first; † behind models that
    stopped at an end in this split."""
    stopped = marked(ends, NETWORKS, [split])
    cells = {
        (row["model"], row["grid"]): row
        for row in rows
        if row["metric"] == "hit@1" and row["split"] == split and row["grid"] in NETWORKS
    }
    models = dict.fromkeys(model for model, _ in cells)
    means = {model: np.mean([cells[model, grid]["mean"] for grid in NETWORKS]) for model in models}
    lines = [f"| model | {' | '.join(NETWORKS.values())} |", "|---" * 5 + "|"]
    for model in sorted(models, key=lambda model: -means[model]):
        shown = (_shown(cells[model, grid]) for grid in NETWORKS)
        lines.append(f"| {model}{'†' if model in stopped else ''} | {' | '.join(shown)} |")
    return lines


def table_of_one(
    rows: Sequence[Row],
    grid: str,
    ends: Sequence[Row],
    metrics: Sequence[str] = ("hit@1", "hit@5", "hp@5", "lca_height@1"),
) -> list[str]:
    """A row for each model of a grid, those that are not as their papers have them last; the best
    by the first metric first, † behind models that stopped at an end in one of the splits."""
    heads = [f"{split}: {metric}" for split in BOTH for metric in metrics]
    cells = {
        (row["model"], row["split"], row["metric"]): row for row in rows if row["grid"] == grid
    }
    notes = {row["model"] for row in rows if row["grid"] == grid and row["note"]}
    stopped = marked(ends, [grid])
    models = dict.fromkeys(model for model, _, _ in cells)
    order = sorted(
        models, key=lambda model: (model in notes, -cells[model, BOTH[0], metrics[0]]["mean"])
    )
    lines = [f"| model | {' | '.join(heads)} |", "|---" * (1 + len(heads)) + "|"]
    for model in order:
        shown = (
            _shown(cells[model, split, metric]) if (model, split, metric) in cells else "–"
            for split in BOTH
            for metric in metrics
        )
        marks = "*" * (model in notes) + "†" * (model in stopped)
        lines.append(f"| {model}{marks} | {' | '.join(shown)} |")
    return lines


def table_of_draws(rows: Sequence[Row], ends: Sequence[Row]) -> list[str]:
    """Mean hit@1 and its standard deviation over draws of the validation classes."""
    cells: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        cells[row["model"]] += [f"{100 * float(row[name]):.1f}" for name in ("mean", "spread")]
    stopped = marked(ends, ["validation"])
    heads = (f"{split}: {name}" for split in BOTH for name in ("mean", "spread"))
    lines = [f"| model | {' | '.join(heads)} |", "|---" * 5 + "|"]
    for model, own in cells.items():
        lines.append(f"| {model}{'†' * (model in stopped)} | {' | '.join(own)} |")
    return lines


def table_of_kinds(
    rows: Sequence[Row], split: str, names: Sequence[str] = NUMBERS[1:4]
) -> list[str]:
    """hit@1, or by ``GAIN`` its difference to the first kind: a row for each model, best first, a
    column for each kind."""
    first, *others = COLUMNS
    kinds = others if names == GAIN else [first, *others]
    cells = {(row["model"], row["kind"]): row for row in rows if row["split"] == split}
    models = dict.fromkeys(model for model, _ in cells)
    lines = [f"| model | {' | '.join(COLUMNS[kind] for kind in kinds)} |"]
    lines.append("|---" * (1 + len(kinds)) + "|")
    for model in sorted(models, key=lambda model: -cells[model, first]["mean"]):
        shown = (_shown(cells[model, kind], names) for kind in kinds)
        lines.append(f"| {model} | {' | '.join(shown)} |")
    return lines


def generalized(rows: Sequence[Row], is_calibrated: bool) -> list[Row]:
    """The rows (of class_rows.csv or ends.csv) of models with all 1,000 classes as candidates, with
    calibrated stacking or as they are."""
    own = [row for row in rows if row["grid"] == "images-generalized"]
    names = [row["model"].removesuffix("-calibrated") for row in own]
    return [
        row | {"model": name}
        for row, name in zip(own, names, strict=True)
        if (name != row["model"]) == is_calibrated
    ]


def _shown(row: Row, names: Sequence[str] = NUMBERS[1:4]) -> str:
    scale, digits = (1, 2) if row.get("metric") == "lca_height@1" else (100, 1)
    numbers = (row[name] for name in names if row[name] != "")
    # a zero has no sign
    mean, *ends = (f"{round(scale * number, digits) + 0.0:.{digits}f}" for number in numbers)
    return f"{mean} [{', '.join(ends)}]" if ends else mean


def draw(rows: Sequence[Row]) -> None:
    """hit@1 against structural ratio, a panel for each network."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "graphzsl", "svg.fonttype": "none"})
    figure, panels = plt.subplots(1, 4, figsize=(13, 3.8), sharey=True, layout="constrained")
    for panel, (grid, name) in zip(panels, NETWORKS.items(), strict=True):
        for marker, model in zip("osD^vx", SHOWN, strict=True):
            own = sorted(
                (
                    row
                    for row in rows
                    if (row["grid"], row["model"], row["metric"]) == (grid, model, "hit@1")
                ),
                key=lambda row: row["structural_ratio"],
            )
            x, y, low, high = (
                np.array([row[key] for row in own])
                for key in ("structural_ratio", "mean", "low", "high")
            )
            panel.errorbar(
                x,
                100 * y,
                [100 * (y - low), 100 * (high - y)],
                marker=marker,
                label=model,
                capsize=2,
            )
        panel.set(title=name, xlabel="structural ratio of the hidden classes", ylim=(0, 85))
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("hit@1, % of 200 candidates")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    figure.savefig(FIGURE, metadata={"Date": None})


def _write(path: Path, rows: Sequence[Row]) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    what, *given = sys.argv[1:] or [""]
    folders = [Path(each) for each in given]
    if what == "collect" and given:
        found = [*collected(folders)]
        keys = ("grid", "split", "model")
        places = {tuple(row[key] for key in keys) for row in found}
        kept = [row for row in rows_of() if tuple(row[key] for key in keys) not in places]
        _write(DATA, sorted([*kept, *found], key=lambda row: (row["grid"], row["split"])))
    elif what == "blocks" and given:
        _write(BLOCKS, [*in_blocks(folders)])
    elif what == "neighbours" and given:
        _write(NEIGHBOURS, [*of_neighbours(folders)])
    elif what == "kinds" and len(folders) == 1:
        _write(KINDS, [*of_kinds(folders[0])])
    elif what == "validation" and len(folders) == 1:
        _write(VALIDATION, sorted(over_draws(folders[0]), key=lambda row: row["split"] != "random"))
    elif what == "ends" and given:
        own = {folder.name for folder in folders}
        kept = [row for row in rows_of(ENDS) if row["grid"] not in own]
        found = [*kept, *of_ends(folders)]
        _write(ENDS, sorted(found, key=lambda row: row["grid"]))
    elif what == "tables":
        rows, neighbours, ends = rows_of(), rows_of(NEIGHBOURS), rows_of(ENDS)
        for split in BOTH:
            print("\n".join([f"hit@1, {split}:", "", *table_of_networks(rows, split, ends), ""]))
            print("\n".join([*table_of_leads(neighbours, split), ""]))
        print("\n".join([*table_of_one(rows, "rows-lite0", ends), "", ends_of(ends, NETWORKS)]))
        print("\n".join(["", *table_of_one(rows, "slow-models", ends)]))
        for split in BOTH:
            lines, test = table_of_ranks(rows_of(BLOCKS), split)
            print("\n".join(["", f"ranks, {split}:", *lines]))
            statistic, p = test.test()
            found = f"chi-squared {statistic:.1f}, p {p:.1e}, "
            print(f"{found}critical difference {test.critical_difference():.2f}")
        print("\n".join(["", *table_of_one(rows, "images", ends), "", ends_of(ends, ["images"])]))
        for is_calibrated in (False, True):
            own, stopped = (generalized(each, is_calibrated) for each in (rows, ends))
            table = table_of_one(own, "images-generalized", stopped, GENERALIZED)
            table += ["", ends_of(stopped, ["images-generalized"])]
            print("\n".join(["", "calibrated:" if is_calibrated else "as they are:", *table]))
        draws = table_of_draws(rows_of(VALIDATION), ends)
        print("\n".join(["", *draws, "", ends_of(ends, ["validation"])]))
        print("\n".join(["", *table_of_one(rows, "graph-targets", ends, ["hit@1"])]))
        for split in BOTH:
            for names in (NUMBERS[1:4], GAIN):
                table = table_of_kinds(rows_of(KINDS), split, names)
                print("\n".join(["", f"kinds, {split}, {names[0]}:", *table]))
    elif what == "figure":
        draw(rows_of())
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
