"""``graphzsl evaluate windows``: accuracy within windows of classes, and its correlation with the
property that orders them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl.cli.classes import list_entries
from graphzsl.cli.common import (
    INPUT,
    Whole,
    emit,
    note,
    option_requires,
    output_options,
    window_step_option,
)
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.connection import database
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.evaluate.result import sample_options
from graphzsl.cli.intervals import bootstrap_options, note_thin_tails
from graphzsl.cli.paths import Written, wordnet_option
from graphzsl.common import DataError, require

if TYPE_CHECKING:
    from graphzsl.data import Window
    from graphzsl.models import Ranker


@command.command()
@click.argument("models", nargs=-1, required=True, type=INPUT)
@sample_options
@click.option(
    "--by",
    help=(
        "What the windows are ordered by: ratio, train-distance or population (with --wordnet), or"
        " a wnid,value file such as frequencies."
    ),
)
@click.option(
    "--windows",
    "given",
    type=INPUT,
    help="Windows of `split windows --out`, or a folder of lists, one .txt file per window.",
)
@click.option(
    "--stored",
    multiple=True,
    help="Windows stored in the database by `split windows --store`: NAME-BY; repeat it.",
)
@click.option(
    "--size",
    type=Whole(1),
    default=100,
    show_default=True,
    help="Classes of a window that is cut here.",
)
@window_step_option
@wordnet_option("For --by, and to add the windows' own structural ratio", default=None)
@click.option(
    "--train",
    shell_complete=NAMED_CLASSES,
    help="Training classes, a file or a list by name (default: those of the first model).",
)
@click.option(
    "--figure",
    type=Written(".svg", ".png", ".pdf"),
    help="A picture of accuracy against the property: .svg, .png or .pdf.",
)
@click.option(
    "--log/--linear",
    "logarithmic",
    default=None,
    help="Scale of the property (default: log for population and files).",
)
@click.option(
    "--out",
    type=Written(".json", kind="windows"),
    required=True,
    help="The JSON file to write: windows, rows, correlations, provenance.",
)
@bootstrap_options(2000)
@output_options
def windows(
    models: tuple[Path, ...],
    features: Path | None,
    center_features: bool,
    classifiers: Path | None,
    by: str | None,
    given: Path | None,
    stored: tuple[str, ...],
    size: int,
    step: int | None,
    wordnet: Path | str | None,
    train: str | None,
    figure: Path | None,
    logarithmic: bool | None,
    out: Path,
    rounds: int,
    level: float,
    seed: int,
    output_format: str,
) -> None:
    """Accuracy of MODELS on windows of 100 classes in the order of a property, and its correlation
    with the property.

    MODELS are folders of `graphzsl train`, or .npz files with scores [N, C], classes [C] and labels
    [N] of any classifier. The candidates of a window are its classes alone. Windows are cut here
    (--by), read (--windows) or stored (--stored). Hascoet et al. (2019): word frequency in figure 3
    (r = 0.89 linear, 0.74 GCN), population in figure 5, structural ratio in figure 9.

    \b
    graphzsl evaluate windows linear sgcn --features test.npz --by population \\
      --wordnet wordnet --figure w.svg --out w.json
    """
    from graphzsl.analysis import structure_of
    from graphzsl.audit import load_hierarchy
    from graphzsl.common import manifest, sha256_text, write_result
    from graphzsl.hierarchy import wnids_where_named
    from graphzsl.metrics import TIES_RULE
    from graphzsl.models import correlations, score_windows, series_means
    from graphzsl.reports import draw

    if sum((given is not None, bool(stored))) > 1 or (by is None and given is None and not stored):
        raise click.UsageError("Give --by to cut windows here, or one of --windows and --stored.")
    has_models = any(path.suffix != ".npz" for path in models)
    option_requires(
        "features", "classifiers", when=has_models, needs="a model; an .npz has its own scores"
    )
    option_requires("center_features", when=features, needs="--features")
    option_requires(
        "size",
        "step",
        when=given is None and not stored,
        needs="windows that are cut here, with --by alone",
    )
    option_requires("logarithmic", when=figure, needs="--figure")
    if figure:
        require("matplotlib")
    entries = [_entry(path, features, center_features, classifiers) for path in models]
    training = entries[0]["train"]
    if train:
        training = wnids_where_named(list_entries(train, "train"), argument="train")
    hierarchy = load_hierarchy(wordnet) if wordnet else None
    shared = sorted(
        set.intersection(*({*each["labels"]} & {*each["candidates"]} for each in entries))
        - set(training)
    )
    values = _order(by, shared, training, hierarchy) if by else None
    if by and not values:
        raise DataError(
            f"No unseen class that all models know and that has a sample has a value of {by}. For"
            " population load populations before `graphzsl export subgraph --whole`, or give a"
            " wnid,value file."
        )
    chosen, what = _windows(given, stored, values, by, size, step)
    structure = structure_of(chosen, hierarchy, training) if hierarchy and training else {}
    rows: list[dict[str, Any]] = []
    for entry in entries:
        own = score_windows(entry["ranker"], entry["labels"], chosen, rounds, level, seed)
        rows += [{"model": entry["name"], **row, **structure.get(row["window"], {})} for row in own]
    by_model = {
        entry["name"]: [row for row in rows if row["model"] == entry["name"]] for entry in entries
    }
    related = [
        {"model": n, **row} for n, own in by_model.items() for row in correlations(own, level)
    ]
    series = [
        {"model": n, **row}
        for n, own in by_model.items()
        for row in series_means(own, rounds, level, seed)
    ]
    overlapping = sum(len(each.classes) for each in chosen) > len(
        {w for each in chosen for w in each.classes}
    )
    write_result(
        out,
        manifest(
            "windows",
            by=what,
            size=size,
            step=step or size,
            ties=TIES_RULE,
            rows=rows,
            correlations=related,
            series=series,
            overlapping=overlapping,
            windows=[asdict(window) for window in chosen],
            models=[{"model": each["name"], **each["origin"]} for each in entries],
            candidates="the classes of each window",
            train={"classes": len(training), "sha256": sha256_text("\n".join(training))},
            graph=(
                None
                if hierarchy is None
                else {
                    key: hierarchy.provenance.get(key) for key in ("hierarchy", "whole", "sources")
                }
            ),
            bootstrap={
                "rounds": rounds,
                "level": level,
                "seed": seed,
                "method": "percentile; classes resampled (series: windows)",
            },
        ),
    )
    if figure:
        log = what not in ("ratio", "train-distance") if logarithmic is None else logarithmic
        draw(rows, what, log, figure)
        note(f"The picture is {figure}.")
    emit(rows, output_format)
    note_thin_tails(rounds, level)
    for row in related:
        note(
            f"{row['model']}: {row['kind']} ({row['scale']} {what}) {row['coefficient']:.2f} "
            f"[{row['low']:.2f}, {row['high']:.2f}], p = {row['p']:.2g}, {row['windows']} windows."
        )
    if len({each.series for each in chosen}) > 1:
        for row in series:
            note(
                f"{row['model']}: hit@1 {row['hit@1']:.3f} [{row['low']:.3f}, {row['high']:.3f}] on"
                f" {row['windows']} windows of {row['series']}."
            )
    if any("tied" in row for row in rows):
        note(f"{TIES_RULE.capitalize()}. `expected` is hit@1 under random order.")
    if overlapping:
        note("The windows overlap: p and the intervals of the correlations are too small.")


def _entry(
    path: Path, features: Path | None, center: bool, classifiers: Path | None
) -> dict[str, Any]:
    """Data of one model: name, candidates, labels of the samples, ranker, training classes,
    provenance."""
    from graphzsl.audit import provenance_of, read_predictions
    from graphzsl.common import read_npz
    from graphzsl.data import load_test_samples
    from graphzsl.models import class_row_samples, load_model, model_ranker, score_ranker

    if path.suffix == ".npz":
        checked = read_predictions(path)
        scores, names = read_npz(
            path, "scores", "classes", expected="scores [N, C], classes [C] and labels [N]"
        )
        candidates = [str(name) for name in names]
        ranker: Ranker = score_ranker(scores, candidates, checked.labels)
        return {
            "name": path.stem,
            "candidates": candidates,
            "labels": checked.labels,
            "ranker": ranker,
            "train": [],
            "origin": checked.metadata,
        }
    if (features is None) == (classifiers is None):
        raise click.UsageError(f"{path} is a model: give one of --features and --classifiers.")
    trained, manifest = load_model(path)
    train = list(manifest.get("train") or [])
    if classifiers:
        training = set(train)
        samples = class_row_samples(
            classifiers, train, [name for name in trained.wnids if name not in training]
        )
    else:
        assert features
        samples = load_test_samples(features, manifest, train, trained.wnids, centred=center)
    ranker = model_ranker(trained, trained.features(samples), samples.labels)
    origin = {
        "provenance": provenance_of(manifest, train, trained.wnids),
        "features": samples.metadata,
    }
    return {
        "name": path.name,
        "candidates": trained.wnids,
        "labels": samples.labels,
        "ranker": ranker,
        "train": train,
        "origin": origin,
    }


def _order(by: str, classes: list[str], train: list[str], hierarchy: Any) -> dict[str, float]:
    """wnid -> value that orders the windows, for the classes whose value is known."""
    import numpy as np

    from graphzsl.hierarchy import Path as HopDistance
    from graphzsl.hierarchy import structural_ratios
    from graphzsl.names import class_values

    if by not in ("ratio", "train-distance", "population"):
        wanted = set(classes)
        return {wnid: value for wnid, value in class_values(Path(by)).items() if wnid in wanted}
    if hierarchy is None:
        raise click.UsageError(
            f"--by {by} needs --wordnet: wordnet, or a folder of `graphzsl export subgraph"
            " --whole`."
        )
    if by == "population":
        known = hierarchy.populations
        return {wnid: float(known[wnid]) for wnid in classes if wnid in known}
    if not train:
        raise click.UsageError(f"--by {by} needs the training classes: give --train.")
    ratios = structural_ratios(hierarchy, HopDistance(hierarchy), train, classes)
    numbers = ratios.ratio if by == "ratio" else ratios.train_distance
    return {
        wnid: float(number)
        for wnid, number in zip(ratios.wnids, numbers, strict=True)
        if np.isfinite(number)
    }


def _windows(
    given: Path | None,
    stored: tuple[str, ...],
    values: dict[str, float] | None,
    by: str | None,
    size: int,
    step: int | None,
) -> tuple[list[Window], str]:
    """(windows, name of the property that orders them)."""
    from graphzsl.data import Window, cut_windows, read_windows, tied_classes, with_means

    name = Path(by).stem if by else ""
    if stored:
        from graphzsl.analysis import stored_windows

        windows = stored_windows(database(), stored)
    elif given:
        windows = read_windows(given)
    else:
        cut = cut_windows(values or {}, size, step)
        windows = [
            Window(
                f"{name}-{number:03d}", wnids, mean, name, name, tied_classes(values or {}, wnids)
            )
            for number, (wnids, mean) in enumerate(cut, 1)
        ]
    windows = with_means(windows, values, name) if values else windows
    return windows, ", ".join(sorted({window.by for window in windows}))
