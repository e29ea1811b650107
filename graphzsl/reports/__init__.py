"""Evaluations as one self-contained HTML page: table, plots, provenance."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError
from graphzsl.evaluation.averages import average, expected_value
from graphzsl.evaluation.run_files import is_evaluation, read_run
from graphzsl.evaluation.run_identity import groups, question, seed_of
from graphzsl.extras import is_installed
from graphzsl.files import checked_suffix, now, read_json, write_text
from graphzsl.metrics import EXPECTED
from graphzsl.metrics.names import display_order, is_share

#: Said where matplotlib is missing: the tables are whole without it.
NO_PLOTS = "No plots: they need matplotlib, pip install 'graphzsl[plots]'."
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")


def write_report(paths: Sequence[Path | str], out: Path | str, title: str = "Runs") -> int:
    """Write one HTML page of evaluated runs, with tables and curves; it needs no network.

    Without matplotlib the page has no plots, and says so.

    Args:
        paths: JSON files of runs (``Evaluation.save``, `graphzsl evaluate`).
        out: the page, ending in .html.
        title: its heading.

    Returns:
        The number of runs.

    Raises:
        DataError: a file is not a run, or there is none.

    >>> predictions = gz.Predictions.from_ranked([["cat"], ["dog"]], labels=["cat", "dog"])
    >>> gz.evaluate(predictions).save("run.json")
    >>> gz.write_report(["run.json"], "report.html")
    1
    """
    out = Path(out)
    checked_suffix(out, (".html",))
    from jinja2 import Environment

    runs = [_run(path) for path in dict.fromkeys(Path(path).resolve() for path in paths)]
    if not runs:
        raise DataError(
            "There is no run to report. Give JSON files of `graphzsl evaluate`, or folders of them."
        )
    template = (files("graphzsl.reports") / "page.html").read_text(encoding="utf-8")
    page = Environment(autoescape=True).from_string(template)
    tasks = [_task(members) for members in _by(runs, "question").values()]
    _tell_apart(tasks)
    text = page.render(
        title=title,
        created_at=now(),
        tasks=tasks,
        runs=runs,
        no_plots="" if is_installed("matplotlib") else NO_PLOTS,
    )
    write_text(out, text)
    return len(runs)


def is_run(path: Path) -> bool:
    """Whether a JSON file is a run of ``graphzsl evaluate``; DataError where it is not JSON at
    all."""
    return is_evaluation(read_json(path))


def _run(path: Path) -> dict[str, Any]:
    run = read_run(path)
    provenance = run.get("provenance") or {}
    features = run.get("features") or {}
    task = run.get("task") or features.get("task") or "predictions"
    if "features" in features:
        task += f": {features['features']}"
    simulated = bool(run.get("simulated") or features.get("simulated"))
    name = run.get("run") or path.stem
    return {
        **run,
        "question": question(run),
        "task": task + (" (simulated)" if simulated else ""),
        "model": run.get("model_label") or provenance.get("model") or name,
        "run": name,
        "provenance_text": json.dumps(provenance, indent=1, sort_keys=True),
    }


def _task(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """One table: the runs that answer one question."""
    named = _named(groups(runs))
    first = runs[0]
    split = (first.get("split_definition") or {}).get("name") or str(
        first.get("split", "")
    ).partition(":")[0]
    differences = [
        f"split {split}" if split else "",
        f"{first['candidates']:,} candidates",
        first.get("setting") or "",
    ]
    names = _metric_names(runs)
    return {
        "name": ", ".join([first["task"], *filter(None, differences)]),
        "rows": _rows(named, names),
        "metrics": names,
        "plots": _plots(named, names),
        "ties": "; ".join(sorted({run["ties"] for run in runs})),
        "candidates_sha256": (
            ((first.get("provenance") or {}).get("candidates") or {}).get("sha256", "")
        ),
    }


def _tell_apart(tasks: list[dict[str, Any]]) -> None:
    """Tables of different questions under one heading get the checksum of their candidates, or else
    a number."""
    for name in {task["name"] for task in tasks}:
        same = [task for task in tasks if task["name"] == name]
        checksums = [task["candidates_sha256"][:8] for task in same]
        distinct = len(set(checksums)) == len(same)
        for number, task in enumerate(same, 1):
            if len(same) > 1:
                which = f"classes {checksums[number - 1]}…" if distinct else f"question {number}"
                task["name"] += f" ({which})"


def _named(entries: list[list[dict[str, Any]]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """(name, runs) of each row: the model, and what tells it from the others of that name, or else
    the run's own name."""
    sections = []
    for members in entries:
        alike = [other for other in entries if other[0]["model"] == members[0]["model"]]
        sections.append(
            (members[0]["model"] + _difference(members[0], [other[0] for other in alike]), members)
        )
    for place, (name, members) in enumerate(sections):
        if [each for each, _ in sections].count(name) > 1:
            sections[place] = (f"{name} · {members[0]['run']}", members)
    return sections


def _difference(run: dict[str, Any], alike: list[dict[str, Any]]) -> str:
    if len(alike) == 1:
        return ""
    options = [(other.get("provenance") or {}).get("given_options") or {} for other in alike]
    mine = (run.get("provenance") or {}).get("given_options") or {}
    differing = sorted(
        {key for each in options for key in each if len({str(o.get(key)) for o in options}) > 1}
    )
    parts = [f"{key} {mine[key]}" for key in differing if key in mine]
    if len({other.get("semantics_name") for other in alike}) > 1 and run.get("semantics_name"):
        parts.append(run["semantics_name"])
    return f" ({', '.join(parts)})" if parts else ""


def _by(runs: list[dict[str, Any]], key: str) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for run in runs:
        groups[run[key]].append(run)
    return dict(groups)


def _metric_names(runs: list[dict[str, Any]]) -> list[str]:
    """The metrics that any run has: hit@k, then hp@k, each by k, then the rest."""
    names = list(dict.fromkeys(name for run in runs for name in run["metrics"]))
    return sorted(names, key=display_order)


def _rows(
    named: list[tuple[str, list[dict[str, Any]]]], metrics: list[str]
) -> list[dict[str, Any]]:
    """One row per entry: mean and spreads over its seeds; with a single run, its bootstrap
    interval.

    Best hit@1 first.
    """
    rows = []
    for name, members in named:
        first = members[0]
        cells = [_cell(members, metric) for metric in metrics]
        rows.append(
            {
                "model": name,
                "runs": len(members),
                "cells": cells,
                "candidates": first["candidates"],
                "samples": first["samples"],
                "note": first.get("note", ""),
                "seeds": _seeds(members),
            }
        )
    return sorted(rows, key=lambda row: -float(row["cells"][0]["value"] or 0))


def _seeds(members: list[dict[str, Any]]) -> str:
    """The seeds, and validation seeds, of the runs of a row, in words."""
    seeds_of = {
        "seeds": [seed_of(run) for run in members],
        "validation seeds": [run.get("validation_seed") for run in members],
    }
    known = {
        name: sorted({str(seed) for seed in seeds if seed is not None})
        for name, seeds in seeds_of.items()
    }
    return "; ".join(f"{name} {', '.join(seeds)}" for name, seeds in known.items() if seeds)


def _cell(members: list[dict[str, Any]], metric: str) -> dict[str, str]:
    """Value, spread and per-sample value; empty where a run has not the metric."""
    if not all(metric in run["metrics"] for run in members):
        return {"value": "", "note": "", "sample": ""}
    scale = 100 if is_share(metric) else 1
    averaged, sample = (
        average(members, [scale * run["metrics"][metric][kind] for run in members])
        for kind in ("per_class", "per_sample")
    )
    if len(members) > 1:
        spreads = (
            (averaged.seed_spread, ""),
            (averaged.validation_spread, " over validation seeds"),
        )
        note = ", ".join(f"± {spread:.1f}{over}" for spread, over in spreads if spread is not None)
    else:
        low, high = members[0]["metrics"][metric]["per_class_interval"]
        note = f"[{scale * low:.1f}, {scale * high:.1f}]"
    if any(EXPECTED in run["metrics"][metric] for run in members):
        means = [scale * expected_value(run, metric) for run in members]
        note += f"; {average(members, means).mean:.1f} under random ties"
    return {"value": f"{averaged.mean:.1f}", "note": note, "sample": f"{sample.mean:.1f}"}


def _plots(named: list[tuple[str, list[dict[str, Any]]]], metrics: list[str]) -> list[str]:
    plots: list[str] = []
    if not is_installed("matplotlib"):
        return plots
    for prefix, label in (("hit@", "hit@k, per class (%)"), ("hp@", "hp@k, per class (%)")):
        names = [name for name in metrics if name.startswith(prefix)]
        if names:
            plots.append(_plot(named, names, label))
    return plots


def _plot(named: list[tuple[str, list[dict[str, Any]]]], names: list[str], label: str) -> str:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.2, 3.8), layout="constrained")
    axes = figure.subplots()
    ticks = [int(name.partition("@")[2]) for name in names]
    for mark, (model, members) in zip(_MARKS * 9, named, strict=False):
        own = [name for name in names if all(name in run["metrics"] for run in members)]
        ks = [int(name.partition("@")[2]) for name in own]
        means = [
            average(members, [100 * run["metrics"][name]["per_class"] for run in members])
            for name in own
        ]
        spreads = [each.seed_spread for each in means if each.seed_spread is not None]
        spread = spreads if len(spreads) == len(means) else None
        axes.errorbar(
            ks, [each.mean for each in means], yerr=spread, marker=mark, capsize=2, label=model
        )
    axes.set_xscale("log")
    axes.set_xticks(ticks, [str(k) for k in ticks])
    axes.minorticks_off()
    axes.set_xlabel("k")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]
