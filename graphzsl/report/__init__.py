"""Evaluations as one self-contained HTML page: table, plots, provenance."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.errors import DataError
from graphzsl.files import now, read_json, write_text

_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")


def write_report(paths: Sequence[Path], out: Path, title: str) -> int:
    """Write the page; files that are no evaluations are refused by name. Returns the number of runs."""
    from jinja2 import Environment

    runs = [_run(path) for path in paths]
    if not runs:
        raise DataError("There is no run to report. Give JSON files of `graphzsl evaluate`, or folders of them.")
    template = (files("graphzsl.report") / "page.html").read_text(encoding="utf-8")
    page = Environment(autoescape=True).from_string(template)
    tasks = [
        {"name": task, "rows": _rows(members), "metrics": _metric_names(members), "plots": _plots(members)}
        for task, members in _by(runs, "task").items()
    ]
    write_text(out, page.render(title=title, created_at=now(), tasks=tasks, runs=runs, ties=runs[0]["ties"]))
    return len(runs)


def _run(path: Path) -> dict[str, Any]:
    found = read_json(path)
    if not isinstance(found, dict) or found.get("kind") != "evaluation":
        raise DataError(f"{path} is not a run of `graphzsl evaluate`.")
    provenance = found.get("provenance") or {}
    features = found.get("features") or {}
    task = found.get("task") or features.get("task") or f"samples of {features.get('features', 'unknown')}"
    name = found.get("run") or path.stem
    simulated = bool(found.get("simulated") or features.get("simulated"))
    return {**found, "task": task + (" (simulated)" if simulated else ""), "model": found.get("model_label") or provenance.get("model") or name,
            "run": name, "provenance_text": json.dumps(provenance, indent=1, sort_keys=True)}  # fmt: skip


def _by(runs: list[dict[str, Any]], key: str) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for run in runs:
        groups[run[key]].append(run)
    return dict(groups)


def _metric_names(runs: list[dict[str, Any]]) -> list[str]:
    """The metrics that all runs have: hit@k, then hp@k, each by k, then the rest."""
    names = [name for name in runs[0]["metrics"] if all(name in run["metrics"] for run in runs)]
    order = {"hit": 0, "hp": 1}
    return sorted(names, key=lambda name: (order.get(name.partition("@")[0], 2), int(name.partition("@")[2] or 0)))


def _rows(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row a model: mean and spread over its runs; with a single run, its bootstrap interval."""
    rows = []
    for model, members in _by(runs, "model").items():
        cells = []
        for name in _metric_names(runs):
            scale = 1 if name == "mean_rank" or name.startswith("lca_height") else 100
            values = scale * np.array([run["metrics"][name]["per_class"] for run in members])
            if len(members) > 1:
                note = f"± {values.std(ddof=1):.1f}"
            else:
                low, high = members[0]["metrics"][name]["per_class_interval"]
                note = f"[{scale * low:.1f}, {scale * high:.1f}]"
            sample = scale * float(np.mean([run["metrics"][name]["per_sample"] for run in members]))
            cells.append({"value": f"{values.mean():.1f}", "note": note, "sample": f"{sample:.1f}"})
        first = members[0]
        rows.append({"model": model, "runs": len(members), "cells": cells, "candidates": first["candidates"], "samples": first["samples"],
                     "label": first.get("label", ""), "seeds": sorted({str((r.get("provenance") or {}).get("seed", "")) for r in members})})  # fmt: skip
    return sorted(rows, key=lambda row: -float(row["cells"][0]["value"]))


def _plots(runs: list[dict[str, Any]]) -> list[str]:
    plots = []
    for prefix, label in (("hit@", "hit@k, per class (%)"), ("hp@", "hp@k, per class (%)")):
        names = [name for name in _metric_names(runs) if name.startswith(prefix)]
        if names:
            plots.append(_plot(runs, names, label))
    return plots


def _plot(runs: list[dict[str, Any]], names: list[str], label: str) -> str:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.2, 3.8), layout="constrained")
    axes = figure.subplots()
    ks = [int(name.partition("@")[2]) for name in names]
    for mark, (model, members) in zip(_MARKS * 9, _by(runs, "model").items(), strict=False):
        values = 100 * np.array([[run["metrics"][name]["per_class"] for name in names] for run in members])
        spread = values.std(axis=0, ddof=1) if len(members) > 1 else None
        axes.errorbar(ks, values.mean(axis=0), yerr=spread, marker=mark, capsize=2, label=model)
    axes.set_xscale("log")
    axes.set_xticks(ks, [str(k) for k in ks])
    axes.minorticks_off()
    axes.set_xlabel("k")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]
