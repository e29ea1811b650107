"""The result of an evaluation on one screen, for ``graphzsl audit`` and ``graphzsl evaluate``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from graphzsl.cli.output import emit, is_table, keep, note, note_thin_tails
from graphzsl.cli.tables import table_lines, terminal_width
from graphzsl.common import counted, unsigned

if TYPE_CHECKING:
    from graphzsl.audit import Evaluation, Mistakes

#: What a person reads first of the generalized setting.
GENERALIZED = ("generalized ts", "generalized tr", "generalized h", "generalized ausuc")
#: How other headlines begin: groups, and what somebody asked for.
ASKED = ("hit@1, ", "accuracy at ", "hF, ", "information, ", "lca_height, ")
#: List length of the headlines, where none is given.
HEADLINE_K = 5
#: Heights from which on mistakes are counted together.
BORDERS = (1, 2, 4, 7)
#: Confusions that are shown where each is of one sample.
FEW = 5
#: No line of the page is wider.
WIDEST = 120


def show_evaluation(
    run: Evaluation, output_format: str, out: Path | None, ks: Iterable[int] | None = None
) -> None:
    """Print the page of a run, or one row per metric in other formats, and note what else a reader
    needs."""
    rows = metric_rows(run.manifest)
    ties = ["expected", "tied"] if any("expected" in row for row in rows) else []
    if is_table(output_format):
        keep(rows)
        click.echo("\n".join([*_of_unseen(run), *_page(run, rows, ks)]))
    else:
        emit(rows, output_format, ["metric", "per_class", "per_sample", "interval", *ties])
        if run.manifest.get("generalized"):
            note("Samples of seen classes enter generalized tr, h and ausuc alone.")
    if ties:
        note(
            f"{run.manifest['ties'].capitalize()}. `expected` is the per-class mean under random"
            " order, `tied` the share of samples it changes."
        )
    seen = len(run.predictions.seen)
    if seen and seen == run.manifest["candidates"]:
        note(
            f"No candidate is unseen: all {seen:,} are training classes, and the result is of them"
            " alone."
        )
    _note_run(run.manifest, out)


def _of_unseen(run: Evaluation) -> Iterator[str]:
    """Lines that say of which samples the metrics are, where they are not of all."""
    result = run.manifest
    if not result.get("generalized"):
        return
    others = len(run.predictions.labels) - result["samples"]
    said = (
        f"Of unseen classes alone: {counted(result['samples'], 'sample')} of"
        f" {counted(result['classes'], 'class', 'classes')}. Generalized tr, h and ausuc alone have"
        f" the {counted(others, 'sample')} of training classes, too."
    )
    yield from [*wrap(said, min(terminal_width(), WIDEST)), ""]


def _page(
    run: Evaluation, metrics: Iterable[dict[str, Any]], ks: Iterable[int] | None
) -> Iterator[str]:
    """Lines that a person reads first: headlines among the rows of ``metrics`` with the lengths
    ``ks`` of lists (default: 5, and the length of the given lists), mistakes, confusions."""
    width = min(terminal_width(), WIDEST)
    lengths = {HEADLINE_K}
    if not run.predictions.complete:
        lengths.add(run.predictions.top.shape[1])
    headlines = {f"{kind}@{k}" for kind in ("hit", "hp") for k in (1, *(ks or lengths))}
    headlines = {*GENERALIZED, *headlines}
    rows = [row for row in metrics if row["metric"] in headlines or row["metric"].startswith(ASKED)]
    yield from table_lines(rows, _columns(rows), width)
    if run.mistakes is not None and run.mistakes.count:
        yield ""
        yield from _mistakes(run.mistakes, width)
    found = [
        {
            "true": row.get("true_name") or row["true"],
            "taken for": row.get("predicted_name") or row["predicted"],
            "samples": row["samples"],
            "share": row["share"],
            **(
                {"both are": row["common_name"], "height": row["height"]} if "height" in row else {}
            ),
        }
        for row in run.confusions()
    ]
    if found:
        often = [row for row in found if row["samples"] > 1]
        yield ""
        if often:
            yield "Most often taken for another:"
        else:
            every = len(run.confusions(len(run.predictions.labels)))
            yield (
                "No class is taken twice for the same other;"
                f" {min(FEW, every)} of {counted(every, 'single mistake')}:"
            )
        yield from _confusions(often or found[:FEW], width)


def _confusions(rows: list[dict[str, Any]], width: int) -> list[str]:
    """The table of confusions. Where it is too narrow for whole names, columns are left out, which
    a line below it says."""
    lines: list[str] = []
    without: tuple[str, ...] = ()
    for without in ((), ("both are",), ("both are", "height"), ("both are", "height", "samples")):
        columns = [name for name in rows[0] if name not in without]
        lines = table_lines(rows, columns, width)
        text = "\n".join(lines)
        names = [name for name in ("true", "taken for", "both are") if name in columns]
        are_blocks = "" in lines  # which stands between rows in blocks
        if not are_blocks and all((row[name] or "") in text for row in rows for name in names):
            break
    left = [name for name in without if name in rows[0]]
    if left:
        quoted = ", ".join(f'"{name}"' for name in left)
        lines.append(f"A wider terminal also shows {quoted}.")
    return lines


def _columns(rows: Iterable[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(column for row in rows for column in row))


def _mistakes(mistakes: Mistakes, width: int) -> Iterator[str]:
    wrong, related = mistakes.count / mistakes.samples, mistakes.related or 0
    random = mistakes.random_height
    text = (
        f"{counted(mistakes.count, 'mistake')} ({100 * wrong:.1f} % of samples),"
        f" {100 * related:.1f} % of them a class above or below the true one. Height of the lowest"
        f" common ancestor with the truth: {mistakes.mean_height:.1f} on average"
        f"{'' if random is None else f' (a random class: {random:.1f})'}."
    )
    yield from wrap(text, width)
    groups = []
    for low, high in zip(BORDERS, [*BORDERS[1:], None], strict=True):
        share = sum(
            part
            for height, part in mistakes.heights.items()
            if low <= height and (high is None or height < high)
        )
        last = "or more" if high is None else f"to {high - 1}"
        groups.append({"height": str(low) if high == low + 1 else f"{low} {last}", "share": share})
    yield from table_lines(groups, _columns(groups), width)


def _note_run(result: dict[str, Any], out: Path | None) -> None:
    """Note the remaining facts of a run, and its folder."""
    bootstrap = result["bootstrap"]
    if result["classes"] > 1:
        note_thin_tails(bootstrap["rounds"], bootstrap["level"])
    else:
        note("No intervals: of one class there is nothing to resample.")
    if certain := certain_metrics(result):
        note(
            f"Not shown: {', '.join(certain)}. A list of that length holds all"
            f" {counted(result['candidates'], 'candidate')}, whatever is predicted."
        )
    if "decoded" in result:
        found = result["decoded"]
        note(
            f"Decoded: {found['changed']:.1%} of the answers differ from the most probable class,"
            f" {found['above']:.1%} are above some classes. Where probabilities are not calibrated,"
            " they can be worse."
        )
    note(
        f"{counted(result['samples'], 'sample')} of"
        f" {counted(result['classes'], 'class', 'classes')},"
        f" {counted(result['candidates'], 'candidate')}{f'; in {out}' if out else ''}."
    )


def certain_metrics(result: dict[str, Any]) -> list[str]:
    """hit@k, hp@k and heights of lists that hold every candidate, whatever is predicted."""
    from graphzsl.metrics import is_certain

    return [name for name in result["metrics"] if is_certain(name, result["candidates"])]


def metric_rows(result: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per metric that says something, see ``certain_metrics``."""
    from graphzsl.metrics import EXPECTED

    certain = {*certain_metrics(result)}
    rows = [_row(name, value) for name, value in result["metrics"].items() if name not in certain]
    if "semantic_interval" in result:
        ends = {"from": 0, "to": 1}
        rows += [
            _row(f"semantic accuracy {end}", result["semantic_interval"], at)
            for end, at in ends.items()
        ]
    generalized = result.get("generalized", {})
    if "hit@1" in generalized:
        rows += [
            _row(f"generalized {name}", generalized["hit@1"], name) for name in ("ts", "tr", "h")
        ]
    if "ausuc" in generalized:
        row = {"metric": "generalized ausuc", "per_class": generalized["ausuc"]}
        rows.append(
            row | ({"expected": generalized[EXPECTED]["ausuc"]} if EXPECTED in generalized else {})
        )
    for level in result.get("at", ()):
        rows.append({"metric": f"accuracy at {level['name']}", "per_sample": level["accuracy"]})
    if "decoded" in result:
        found = result["decoded"]
        parts = {"before": "most probable class", "after": "decoded", "difference": "difference"}
        rows += [_row(f"{found['title']}, {called}", found[key]) for key, called in parts.items()]
    for kind, groups in result.get("groups", {}).items():
        for group in groups:
            name = str(group["group"])
            if kind == "hops" and (hops := unsigned(name)) is not None:
                name = counted(hops, "hop")
            row = {"metric": f"hit@1, {name}", "per_class": group["hit@1"]}
            expected = group.get(EXPECTED, {})
            rows.append(row | ({"expected": expected["hit@1"]} if "hit@1" in expected else {}))
    return rows


def _row(name: str, value: dict[str, Any], part: int | str | None = None) -> dict[str, Any]:
    """A metric, or a ``part`` of its values; `expected` and `tied` where ties decide it."""
    from graphzsl.metrics import EXPECTED

    def picked(each: dict[str, Any], kind: str) -> Any:
        return each[kind] if part is None else each[kind][part]

    row = {"metric": name} | {kind: picked(value, kind) for kind in ("per_class", "per_sample")}
    if value.get("per_class_interval") is not None:
        row["interval"] = value["per_class_interval"]
    if EXPECTED in value:
        row["expected"] = picked(value[EXPECTED], "per_class")
    if "tied_samples" in value.get(EXPECTED, {}):
        row["tied"] = value[EXPECTED]["tied_samples"]
    return row
