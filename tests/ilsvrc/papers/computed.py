"""Rows beside a printed table, computed from it or from the data that are shipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from graphzsl.ilsvrc import table as find_table
from graphzsl.ilsvrc.papers import PrintedTable, size_of
from graphzsl.ilsvrc.papers.printed import Row
from graphzsl.metrics import (
    false_negative_ratio,
    harmonic_mean,
    interval_of_counts,
    semantic_interval,
)
from graphzsl.metrics.significance import Friedman, Paired, two_proportions
from graphzsl.sources.ilsvrc_entries import TASKS
from graphzsl.sources.imagenet import listed_classes
from tests.ilsvrc.papers.cells import column_of
from tests.ilsvrc.papers.language import (
    frequent_classes,
    populations,
    populations_by_branch,
    rare_labels,
    similarities,
)

#: The attribute data sets, in the order of the columns.
DATA_SETS = ("sun", "cub", "awa", "apy")
#: Splits by population, and how many classes each has.
SIZES = (500, 1000, 5000)
#: Images that the intervals of classification and localization are of (Russakovsky et al. 2015,
#: section 6.2), and the rounds of their bootstrap: the paper's 20,000 "until convergence" leave
#: ends of a 99.9 % interval with a standard deviation of up to 0.014 points.
IMAGES, ROUNDS = 100_000, 100_000
#: Task, year and data of the best entry.
_Best = tuple[str, int, str]
#: Validation images of the detection set by the text (the same, section 3.3.4), whose ratios fit
#: them alone; Table 4 has another number.
VALIDATION_IMAGES = 20_121


def computed(table: PrintedTable) -> list[Row]:
    """Rows beside a table, with columns of their own; empty where nothing is computed."""
    compute = _COMPUTED.get(table.name)
    return compute(table) if compute else []


def friedman(table: PrintedTable, columns: Sequence[str], models: str = "method") -> Friedman:
    """Friedman's test of a table's methods, each column an observation."""
    return Friedman.from_scores(
        column_of(table, models), np.array([column_of(table, column) for column in columns], float)
    )


def mean_ranks(table: PrintedTable, columns: Sequence[str]) -> dict[str, float]:
    """Method -> mean of its ranks in these columns, 1 for the largest."""
    found = friedman(table, columns)
    return dict(zip(found.models, found.mean_ranks.tolist(), strict=True))


@cache
def unseen_populations() -> npt.NDArray[np.int64]:
    """Images of every class of Fall 2011 that is none of the 1,000, most first; all have one."""
    train = set(listed_classes("ilsvrc2012"))
    images = [number for wnid, number in populations().items() if wnid not in train]
    return np.sort(np.array(images, np.int64))[::-1]


def split_columns(part: str) -> list[str]:
    """The columns of one part of a table by data sets, such as ``ps`` or ``h``."""
    return [f"{data_set}_{part}" for data_set in DATA_SETS]


def _sizes(table: PrintedTable) -> list[Row]:
    rows = []
    for row in table.rows():
        seen = row["ps_train"] + row["ps_test_seen"]
        images = row["ss_train"] + row["ss_test"]
        by_images, by_classes = size_of(images, row["classes"])
        rows.append(
            {
                "data_set": row["data_set"],
                "ss_images": images,
                "ps_images": seen + row["ps_test_unseen"],
                "held_out_share": row["ps_test_seen"] / seen,
                "size_by_images": by_images,
                "size_by_classes": by_classes,
            }
        )
    return rows


def _differences(table: PrintedTable) -> list[Row]:
    return [
        {
            "method": row["method"],
            "data_set": row["data_set"],
            "points": round(row["reproduced"] - row["original"], 6),
        }
        for row in table.rows()
    ]


def _ranks(table: PrintedTable, parts: dict[str, list[str]]) -> list[Row]:
    """Mean ranks in the columns of each part, best first by the first of them; then Friedman's
    test of each. The end of a column's name is that of its part."""
    ranks = {end: mean_ranks(table, columns) for end, columns in parts.items()}
    first = next(iter(ranks.values()))
    rows = [
        {"method": method} | {f"mean_rank{end}": found[method] for end, found in ranks.items()}
        for method in sorted(first, key=lambda method: (first[method], method))
    ]
    tests = {end: friedman(table, columns) for end, columns in parts.items()}
    test: Row = {"method": "Friedman's test"}
    for end, found in tests.items():
        test[f"chi2{end}"], test[f"p{end}"] = found.test()
    return [*rows, test]


def _of_splits(table: PrintedTable) -> list[Row]:
    return _ranks(table, {f"_{split}": split_columns(split) for split in ("ps", "ss")})


def _of_imagenet(table: PrintedTable) -> list[Row]:
    return _ranks(table, {"": [name for name in table.cells[0] if name != "method"]})


def _generalized(table: PrintedTable) -> list[Row]:
    ranks = {part: mean_ranks(table, split_columns(part)) for part in ("h", "ts", "tr")}
    return [
        {"method": row["method"]}
        | {
            f"{data_set}_h": harmonic_mean(row[f"{data_set}_ts"], row[f"{data_set}_tr"])
            for data_set in DATA_SETS
        }
        | {f"mean_rank_{part}": found[row["method"]] for part, found in ranks.items()}
        for row in sorted(table.rows(), key=lambda row: ranks["h"][row["method"]])
    ]


def _populated(table: PrintedTable) -> list[Row]:
    images = unseen_populations()
    parts = {f"most_{size}": images[:size] for size in SIZES}
    parts |= {f"least_{size}": images[-size:] for size in SIZES} | {"all": images}
    return [
        {"split": name, "classes": len(found), "images_per_class": float(found.mean())}
        for name, found in parts.items()
    ]


def _false_negatives(table: PrintedTable) -> list[Row]:
    return [
        {key: row[key] for key in ("model", "task", "split")}
        | {"ratio": false_negative_ratio(row["true_positives"], row["false_negatives"], 0)}
        for row in table.rows()
    ]


def _intervals_of_outcomes(table: PrintedTable) -> list[Row]:
    rows = []
    for row in table.rows():
        low, high = semantic_interval(row["true_positives"], row["parents"], row["children"])
        rows.append(
            {key: row[key] for key in ("model", "task", "split")} | {"low": low, "high": high}
        )
    return rows


def _kept(table: PrintedTable) -> list[Row]:
    low, high = (
        float(np.prod([share / 100 for share in column_of(table, f"keeps_{end}")]) * 100)
        for end in ("low", "high")
    )
    product = {"step": "all, if independent", "keeps_low": low, "keeps_high": high}
    return [product, *frequent_classes()]


def _shares_by_images(table: PrintedTable) -> list[Row]:
    images = np.array(list(populations().values()))
    shares = ((images < 10).mean(), (images < 100).mean(), (images > 300).mean())
    rows: list[Row] = [
        {"images": name, "share": float(share) * 100}
        for name, share in zip(column_of(table, "images"), shares, strict=True)
    ]
    return rows + populations_by_branch()


def _bootstrap(table: PrintedTable) -> list[Row]:
    rows = []
    for row in table.rows():
        if row["task"] == "det" or row["value"] is None or row["low"] is None:
            continue
        wrong = round(row["value"] * IMAGES / 100)
        low, high = interval_of_counts(
            np.array([0.0, 100.0]), np.array([IMAGES - wrong, wrong]), ROUNDS, 0.999
        )
        rows.append(
            {key: row[key] for key in ("task", "entry", "value")} | {"low": low, "high": high}
        )
    return rows


def _people(table: PrintedTable) -> list[Row]:
    rows = []
    for row in table.rows():
        paired = Paired(row["both"], row["person_only"], row["network_only"], row["neither"])
        wrong = [row[part] + row["neither"] for part in ("person_only", "network_only")]
        z, p = two_proportions(wrong[0], paired.total, wrong[1], paired.total)
        found = paired.statistics()
        rows.append(
            {
                "annotator": row["annotator"],
                "images": paired.total,
                "person_error": found["error_first"] * 100,
                "network_error": found["error_second"] * 100,
                "z": z,
                "p": p,
                "mcnemar_z": found["z"],
                "mcnemar_p": found["p_one_sided"],
            }
        )
    return rows


def _boxes(table: PrintedTable) -> list[Row]:
    """Of validation also by the number of images that the text has."""
    rows = []
    for row in table.rows():
        if row["boxes"] is None:
            continue
        images_by = {f"table, {row['images']:,}": row["images"]}
        if row["part"] == "validation":
            images_by[f"text, {VALIDATION_IMAGES:,}"] = VALIDATION_IMAGES
        rows += [
            {key: row[key] for key in ("year", "part")}
            | {"images_by": source, "boxes_per_image": row["boxes"] / images}
            for source, images in images_by.items()
        ]
    return rows


def _images_of_years(table: PrintedTable) -> list[Row]:
    years = list(dict.fromkeys(column_of(table, "year")))
    return [
        {"year": year, "images": sum(row["images"] for row in table.rows() if row["year"] == year)}
        for year in years
    ]


def _ratios(table: PrintedTable) -> list[Row]:
    """Times that the best entries of two years are better, for the printed pairs of years, then for
    each year and the next with an entry on the same data."""
    best = {
        (row["task"], row["year"], row["data"]): row["value"]
        for row in find_table("ilsvrc-entries").rows()
        if row["place"] == 1 and row["value"] is not None
    }
    pairs = [
        (
            (row["task"], row["from_year"], row["from_data"]),
            (row["task"], row["to_year"], row["to_data"]),
        )
        for row in table.rows()
    ]
    following = (((task, year, data), (task, year + 1, data)) for task, year, data in best)
    pairs += [(one, other) for one, other in following if other in best]
    return [_ratio(one, other, best) for one, other in pairs]


def _ratio(one: _Best, other: _Best, best: dict[_Best, float]) -> Row:
    task, from_year, from_data = one
    _, to_year, to_data = other
    # the paper divides what its tables print, with one digit
    start, end = round(best[one], 1), round(best[other], 1)
    return {
        "task": task,
        "from_year": from_year,
        "to_year": to_year,
        "data": from_data if from_data == to_data else f"{from_data}, then {to_data}",
        "from": start,
        "to": end,
        "times_better": end / start if TASKS[task][1] else start / end,
    }


def _gains(table: PrintedTable) -> list[Row]:
    """Differences of the values that are known, in points."""
    return [
        {"entry": row["entry"], "points": round(row["end"] - row["start"], 6)}
        for row in table.rows()
        if row["start"] is not None and row["end"] is not None
    ]


def _shares_of_mistakes(table: PrintedTable) -> list[Row]:
    return [
        {key: row[key] for key in ("entry", "type")}
        | {"share": row["count"] / row["mistakes"] * 100}
        for row in table.rows()
    ]


_COMPUTED: dict[str, Callable[[PrintedTable], list[Row]]] = {
    "gbu-table-1": _sizes,
    "gbu-table-2": _differences,
    "gbu-table-3": _of_splits,
    "gbu-table-4": _of_imagenet,
    "gbu-table-5": _generalized,
    "gbu-imagenet-splits": _populated,
    "goz-table-3": _false_negatives,
    "goz-semantic-accuracy": _intervals_of_outcomes,
    "goz-table-4": _kept,
    "goz-populations": _shares_by_images,
    "goz-frequencies": rare_labels,
    "goz-meanings": similarities,
    "ilsvrc-entries": _bootstrap,
    "ilsvrc-ratios": _ratios,
    "ilsvrc-gains": _gains,
    "ilsvrc-table-2": _images_of_years,
    "ilsvrc-error-types": _shares_of_mistakes,
    "ilsvrc-table-9": _people,
    "ilsvrc-table-4": _boxes,
}
