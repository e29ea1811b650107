"""Claims of Russakovsky et al. (2015), ILSVRC."""

from __future__ import annotations

import math

from graphzsl.ilsvrc.papers import PrintedTable, Verdict
from graphzsl.ilsvrc.papers.printed import Row
from graphzsl.metrics.significance import Paired, separate, two_proportions
from graphzsl.sources.ilsvrc_entries import TASKS
from tests.ilsvrc.papers.cells import row_of
from tests.ilsvrc.papers.claimed.check import check
from tests.ilsvrc.papers.computed import VALIDATION_IMAGES, computed


@check
def times_better(printed: PrintedTable, entries: PrintedTable) -> Verdict:
    away, said = [], []
    for row in printed.rows():
        ends = [
            round(_best(entries, row["task"], row[f"{end}_year"], row[f"{end}_data"])["value"], 1)
            for end in ("from", "to")
        ]
        larger_is_better = TASKS[row["task"]][1]
        ratio = ends[1] / ends[0] if larger_is_better else ends[0] / ends[1]
        away.append(abs(ratio - row["printed"]))
        said.append(f"{ratio:.2f} for {row['printed']}")
    return Verdict(max(away) < 0.051, ", ".join(said))


def _best(entries: PrintedTable, task: str, year: int, data: str, place: int = 1) -> Row:
    return row_of(entries, task=task, year=year, data=data, place=place)


@check
def localization_on_provided_data(entries: PrintedTable) -> Verdict:
    ends = [round(_best(entries, "loc", year, "provided")["value"], 1) for year in (2012, 2014)]
    outside = _best(entries, "loc", 2012, "outside")["value"]
    return Verdict(
        ends == [33.5, 25.3],
        f"from {ends[0]:.1f} to {ends[1]:.1f} %; {outside:.1f} is of the entry with outside data",
    )


@check
def gain_of_algorithms(printed: PrintedTable) -> Verdict:
    row = row_of(printed, entry="algorithms alone")
    points = row["end"] - row["start"]
    # three values, each rounded by up to 0.05
    return Verdict(
        abs(points - row["printed"]) < 0.149,
        f"{row['end']} - {row['start']} = {points:.1f}, and {points - 0.1:.1f} to"
        f" {points + 0.1:.1f} before rounding",
    )


def _apart(entries: PrintedTable, task: str) -> Verdict:
    intervals = [
        (row["low"], row["high"])
        for row in (_best(entries, task, 2014, "provided", place) for place in (1, 2))
    ]
    ends = ["–" if end is None else f"{end:.2f}" for pair in intervals for end in pair]
    # of an entry of which only the lower end is held, the upper one may lie anywhere above
    first, second = ((low, math.inf if high is None else high) for low, high in intervals)
    apart = separate(first, second)
    said = f"[{ends[0]}, {ends[1]}] and [{ends[2]}, {ends[3]}]"
    return Verdict(apart, f"{said} {'do not overlap' if apart else 'overlap'}")


_APART = "The winner and the next of 2014 are different at 99.9 % (their intervals are apart): in"


@check
def winner_of_classification(entries: PrintedTable) -> Verdict:
    return _apart(entries, "cls")


@check
def winner_of_localization(entries: PrintedTable) -> Verdict:
    return _apart(entries, "loc")


@check
def winner_of_detection(entries: PrintedTable) -> Verdict:
    return _apart(entries, "det")


@check
def intervals_of_resampled_images(entries: PrintedTable) -> Verdict:
    away = []
    for row in computed(entries):
        printed = row_of(entries, task=row["task"], value=row["value"])
        away += [abs(row[end] - printed[end]) for end in ("low", "high")]
    return Verdict(max(away) <= 0.05, f"{len(away)} ends within {max(away):.3f} points")


@check
def a_person_is_better(printed: PrintedTable) -> Verdict:
    row = row_of(printed, annotator="A1")
    paired = Paired(row["both"], row["person_only"], row["network_only"], row["neither"])
    wrong = [row[part] + row["neither"] for part in ("person_only", "network_only")]
    z, p = two_proportions(wrong[0], paired.total, wrong[1], paired.total)
    return Verdict(
        round(p, 3) == row["p"],
        f"z = {z:.3f}, p = {p:.4f}; the images are the same, and McNemar's test, for pairs, has p ="
        f" {paired.mcnemar()['p_one_sided']:.4f}",
    )


@check
def errors_of_the_counts(printed: PrintedTable) -> Verdict:
    away = []
    for row in printed.rows():
        for side, part in (("person", "network_only"), ("network", "person_only")):
            error = (row[part] + row["neither"]) / row["images"] * 100
            away.append(abs(error - row[f"{side}_error"]))
    return Verdict(max(away) <= 0.05, f"{len(away)} within {max(away):.3f} points")


@check
def a_majority_of_errors(printed: PrintedTable) -> Verdict:
    row = row_of(printed, annotator="A2")
    errors = row["network_only"] + row["neither"]
    near = [count for count in range(errors + 1) if round(count / errors * 100, 1) == 48.8]
    return Verdict(
        bool(near) and near[0] * 2 > errors,
        f"48.8 % of {errors} errors are no whole number, and not half of them",
    )


@check
def images_of_both_years(printed: PrintedTable) -> Verdict:
    found = {row["year"]: row["images"] for row in computed(printed)}
    return Verdict(
        (found[2010], found[2012]) == (1_461_406, 1_431_167),
        f"{found[2010]:,} and {found[2012]:,}, training, validation and test together",
    )


@check
def shares_of_mistakes(printed: PrintedTable) -> Verdict:
    wrong = []
    for row in printed.rows():
        share = row["count"] / row["mistakes"] * 100
        if row["printed_percent"] not in (None, round(share)):
            said = f"{row['printed_percent']} % for {row['count']} of {row['mistakes']}"
            wrong.append(f"{row['entry']}, {row['type']}: {said}, {share:.1f} %")
    return Verdict(not wrong, "; ".join(wrong) or "all")


@check
def objects_per_image(printed: PrintedTable) -> Verdict:
    row = row_of(printed, part="validation")
    of_table, of_text = row["boxes"] / row["images"], row["boxes"] / VALIDATION_IMAGES
    return Verdict(
        round(of_table, 1) == 2.8,
        f"{of_table:.2f} by the table's {row['images']:,} images, {of_text:.2f} by the text's"
        f" {VALIDATION_IMAGES:,}",
    )
