"""Claims of Hascoet et al. (2019), "On zero-shot recognition of generic objects"."""

from __future__ import annotations

from graphzsl.ilsvrc.papers import PrintedTable, Verdict
from graphzsl.metrics import false_negative_ratio
from tests.ilsvrc.papers.cells import column_of, row_of
from tests.ilsvrc.papers.claimed.check import check
from tests.ilsvrc.papers.computed import computed

SPLITS = ("1-hop", "2-hops", "all")


def _above_trivial(printed: PrintedTable, is_gcn: bool) -> list[str]:
    """Methods and splits with a larger accuracy than the trivial solution's."""
    trivial = row_of(printed, method="Trivial")
    return [
        f"{row['method']} on {split} ({row[split]}, trivial {trivial[split]})"
        for row in printed.rows()
        if row is not trivial and (row["family"] == "GCN") == is_gcn
        for split in SPLITS
        if row[split] > trivial[split]
    ]


@check
def only_gcns_outperform_the_trivial_solution(printed: PrintedTable) -> Verdict:
    found = _above_trivial(printed, False)
    return Verdict(not found, ", ".join(found) or "none does, on any of the three splits")


@check
def gcns_outperform_the_trivial_solution(printed: PrintedTable) -> Verdict:
    trivial = row_of(printed, method="Trivial")
    below = [
        f"{row['method']} on {split} ({row[split]}, trivial {trivial[split]})"
        for row in printed.rows()
        if row["family"] == "GCN"
        for split in SPLITS
        if row[split] <= trivial[split]
    ]
    return Verdict(not below, f"not {', '.join(below)}" if below else "on all")


@check
def conse_and_devise_change_places(standard: PrintedTable, proposed: PrintedTable) -> Verdict:
    before = [row_of(standard, method=name)["1-hop"] for name in ("CONSE", "DEVISE")]
    after = [row_of(proposed, method=name)["hit@1"] for name in ("CONSE", "DEVISE")]
    return Verdict(
        before[0] > before[1] and after[0] < after[1],
        f"{before[0]} and {before[1]}; {after[0]} and {after[1]}",
    )


@check
def gcns_lose_their_advantage(standard: PrintedTable, proposed: PrintedTable) -> Verdict:
    ratios = [
        row_of(printed, method="ADGPM")[column] / row_of(printed, method="ESZSL")[column]
        for printed, column in ((standard, "1-hop"), (proposed, "hit@1"))
    ]
    return Verdict(
        ratios[1] < ratios[0],
        f"ADGPM has {ratios[0]:.2f} times the accuracy of ESZSL, then {ratios[1]:.2f} times; on the"
        " standard benchmark their features differ",
    )


@check
def averaging_needs_the_bias(standard: PrintedTable, proposed: PrintedTable) -> Verdict:
    gains = {
        name: row_of(proposed, method=name)["hit@1"] / row_of(standard, method=name)["1-hop"]
        for name in ("CONSE", "DEVISE", "ESZSL")
    }
    said = ", ".join(f"{name} {gain:.2f}" for name, gain in gains.items())
    return Verdict(
        gains["CONSE"] < min(gains["DEVISE"], gains["ESZSL"]),
        f"times the accuracy of the 1-hop split: {said}; from different features",
    )


@check
def the_same_order_generalized(printed: PrintedTable) -> Verdict:
    orders = [
        [row["method"] for row in sorted(printed.rows(), key=lambda row, of=column: -row[of])]  # type: ignore[misc]
        for column in ("hit@1", "generalized_hit@1")
    ]
    return Verdict(orders[0] == orders[1], "; ".join(" > ".join(order[:3]) for order in orders))


@check
def ratios_of_false_negatives(printed: PrintedTable) -> Verdict:
    wrong = []
    for row in printed.rows():
        ratio = false_negative_ratio(row["true_positives"], row["false_negatives"], 0)
        if ratio is None or abs(ratio - row["ratio"]) > 0.1:
            place = f"{row['model']}, {row['task']}, {row['split']}"
            right = "none" if ratio is None else f"{ratio:.2f}"
            wrong.append(f"{place}: {row['ratio']} is printed for {right}")
    return Verdict(not wrong, "; ".join(wrong) or f"all {len(printed.cells)}")


@check
def ratios_of_the_text(printed: PrintedTable) -> Verdict:
    found = {
        task: [row_of(printed, model="GCN", task=task, split=split)["ratio"] for split in SPLITS]
        for task in ("zero-shot", "generalized")
    }
    return Verdict(
        found["zero-shot"] == [2.3, 3.8, 4.1],
        f"{found['zero-shot']}; the others are those of the generalized setting",
    )


@check
def bounds_of_the_semantic_accuracy(printed: PrintedTable, counts: PrintedTable) -> Verdict:
    said, right = [], True
    for row in printed.rows():
        if row["high"] is None:
            continue
        listed = row_of(counts, **{key: row[key] for key in ("model", "task", "split")})
        highest = listed["true_positives"] + listed["false_negatives"]
        right &= abs(highest - row["high"]) < 0.051
        right &= listed["true_positives"] < row["low"] < row["high"]
        counted = f"{listed['true_positives']} + {listed['false_negatives']} = {highest:.1f}"
        said.append(f"{counted} for {row['high']}, above {row['low']}")
    return Verdict(right, "; ".join(said))


@check
def outcomes_are_those_of_table_3(printed: PrintedTable, counts: PrintedTable) -> Verdict:
    said, right = [], True
    for row in printed.rows():
        found = row["parents"] + row["children"]
        listed = row_of(counts, **{key: row[key] for key in ("model", "task", "split")})
        right &= abs(found - listed["false_negatives"]) < 0.051
        said.append(f"{found:.1f} and {listed['false_negatives']}")
    return Verdict(right, "; ".join(said))


@check
def frequent_classes(printed: PrintedTable, frequencies: PrintedTable) -> Verdict:
    kept = row_of(printed, step="frequency")["keeps_low"]
    most = 100 - row_of(frequencies, occurrences="below 100")["share"]
    return Verdict(
        kept <= most,
        f"at most {most} % of the labels occur 100 times; a class would have to count by any of"
        " its labels",
    )


@check
def shares_by_images(printed: PrintedTable) -> Verdict:
    found = [row["share"] for row in computed(printed)]
    away = [abs(one - other) for one, other in zip(found, column_of(printed, "share"), strict=True)]
    return Verdict(max(away) <= 2, ", ".join(f"{share:.1f}" for share in found))


def _populated(printed: PrintedTable, images: str) -> Verdict:
    """Verdict on the classes that are named for so many images, beside the mean of all classes."""
    *rows, all_classes = computed(printed)
    mean = all_classes["images_per_class"]
    named = [row for row in rows if row_of(printed, classes=row["classes"])["images"] == images]
    right = [(row["images_per_class"] > mean) == (images == "many") for row in named]
    said = ", ".join(f"{row['classes']} {row['images_per_class']:,.0f}" for row in named)
    return Verdict(all(right), f"{said}; all classes have {mean:.0f} on average")


@check
def named_classes_have_few_images(printed: PrintedTable) -> Verdict:
    return _populated(printed, "few")


@check
def birds_and_dogs_have_many_images(printed: PrintedTable) -> Verdict:
    return _populated(printed, "many")
