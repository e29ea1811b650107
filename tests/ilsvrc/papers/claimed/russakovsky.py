"""Claims of Russakovsky et al. (2015), ILSVRC."""

from __future__ import annotations

from dataclasses import replace

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


def _in_order(entries: PrintedTable, task: str, year: int) -> list[Row]:
    """Entries with an interval, on the provided data, best first."""
    listed = [
        row
        for row in entries.rows()
        if (row["task"], row["year"], row["data"]) == (task, year, "provided")
        and row["low"] is not None
    ]
    return sorted(listed, key=lambda row: row["value"], reverse=TASKS[task][1])


def _apart(entries: PrintedTable, task: str, *years: int) -> Verdict:
    """Verdict on the intervals of the winner and of the next of each year."""
    apart, said = [], []
    for year in years:
        first, second = ((row["low"], row["high"]) for row in _in_order(entries, task, year)[:2])
        apart.append(separate(first, second))
        ends = [f"[{low:.2f}, {high:.2f}]" for low, high in (first, second)]
        what = "do not overlap" if apart[-1] else "overlap"
        said.append(f"{f'{year}: ' if len(years) > 1 else ''}{' and '.join(ends)} {what}")
    return Verdict(all(apart), "; ".join(said))


@check
def winner_of_classification(entries: PrintedTable) -> Verdict:
    return _apart(entries, "cls", 2014)


@check
def winner_of_localization(entries: PrintedTable) -> Verdict:
    return _apart(entries, "loc", 2014)


@check
def winner_of_detection(entries: PrintedTable) -> Verdict:
    return _apart(entries, "det", 2014)


@check
def earlier_winners_of_classification(entries: PrintedTable) -> Verdict:
    return _apart(entries, "cls", 2012, 2013)


@check
def earlier_winners_of_localization(entries: PrintedTable) -> Verdict:
    return _apart(entries, "loc", 2012, 2013)


@check
def earlier_winner_of_detection(entries: PrintedTable) -> Verdict:
    found = _apart(entries, "det", 2013)
    low, high = (
        row_of(entries, task="det", year=2013, entry="NEC", data="outside")[end]
        for end in ("low", "high")
    )
    winner = _in_order(entries, "det", 2013)[0]
    what = "does not overlap" if low > winner["high"] or high < winner["low"] else "overlaps"
    return replace(
        found, found=f"{found.found}; [{low:.2f}, {high:.2f}] of NEC with outside data {what}"
    )


@check
def table_8_rounds_to_the_others(entries: PrintedTable, teams: PrintedTable) -> Verdict:
    of_team = {(row["year"], row["entry"], row["data"]): row for row in _teams(teams)}
    away, alike = [], 0
    for row in entries.rows():
        team = of_team.get((row["year"], row["entry"], row["data"]))
        other = team[row["task"]] if team else None
        if row["low"] is None or not isinstance(other, float):
            continue
        if abs(row["value"] - other) < 0.0501:
            alike += 1
        else:
            away.append(f"{row['entry']}, {row['task']} {row['year']}: {row['value']} for {other}")
    return Verdict(not away, f"{alike} of {alike + len(away)}; not {', '.join(away)}")


def _teams(teams: PrintedTable) -> list[Row]:
    return [row | {"entry": row["team"]} for row in teams.rows()]


@check
def more_teams_than_in_three_years(teams: PrintedTable) -> Verdict:
    of_year = {
        year: len({row["team"] for row in teams.rows() if row["year"] == year})
        for year in range(2010, 2015)
    }
    before = sum(of_year[year] for year in (2010, 2011, 2012))
    return Verdict(
        (of_year[2013], before, of_year[2014] + 4) == (24, 21, 36),
        f"{of_year[2010]} + {of_year[2011]} + {of_year[2012]} = {before}, {of_year[2013]}, and"
        f" {of_year[2014]} and 4 that are left out",
    )


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


#: Images that ILSVRC 2014 added to the training images of detection, by the text.
_ADDED_IMAGES = 60_658


@check
def training_beside_pascal(printed: PrintedTable) -> Verdict:
    pascal = row_of(printed, part="PASCAL training")
    row = row_of(printed, year=2014)
    images, boxes = _ADDED_IMAGES / pascal["images"], row["boxes"] / pascal["boxes"]
    return Verdict(
        (round(images, 1), round(boxes, 1)) == (10.6, 35.2)
        and row["images"] - row_of(printed, year=2013)["images"] == _ADDED_IMAGES,
        f"{images:.1f} by the {_ADDED_IMAGES:,} images that 2014 adds (all {row['images']:,} are"
        f" {row['images'] / pascal['images']:.1f} times as many), {boxes:.1f}",
    )


@check
def validation_beside_pascal(printed: PrintedTable) -> Verdict:
    pascal, row = (row_of(printed, part=part) for part in ("PASCAL validation", "validation"))
    images, boxes = (row[what] / pascal[what] for what in ("images", "boxes"))
    of_text = VALIDATION_IMAGES / pascal["images"]
    return Verdict(
        (round(images, 1), round(boxes, 1)) == (3.5, 3.5),
        f"objects {boxes:.1f}; images {images:.1f} by the table's {row['images']:,}, {of_text:.1f}"
        f" by the text's {VALIDATION_IMAGES:,}",
    )


@check
def means_of_scales(printed: PrintedTable) -> Verdict:
    *pairs, mean = printed.rows()
    found = [
        sum(row[side] for row in pairs) / len(pairs) for side in ("pascal_scale", "detection_scale")
    ]
    away = [abs(one - mean[side]) for one, side in zip(found, list(mean)[2:], strict=True)]
    return Verdict(
        max(away) < 0.05,
        f"{found[0]:.2f} and {found[1]:.2f} of {len(pairs)} pairs of rounded values",
    )
