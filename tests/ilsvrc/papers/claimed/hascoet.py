"""Claims of Hascoet et al. (2019), "On zero-shot recognition of generic objects"."""

from __future__ import annotations

from graphzsl.ilsvrc.papers import PrintedTable, Verdict
from graphzsl.ilsvrc.papers.printed import Row
from graphzsl.metrics import false_negative_ratio
from graphzsl.metrics.significance import two_proportions
from tests.ilsvrc.papers import language
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
def frequent_classes(printed: PrintedTable) -> Verdict:
    printed_share = row_of(printed, step="frequency")["keeps_low"]
    one_word, most, _ = (row for row in computed(printed) if "keeps" in row)
    return Verdict(
        printed_share <= most["keeps"],
        f"{one_word['keeps']:.1f} % of {one_word['classes']:,} classes with a label of one word;"
        f" {most['keeps']:.1f} % of all have a label whose words are all that frequent",
    )


@check
def classes_with_a_frequent_word(printed: PrintedTable) -> Verdict:
    printed_share = row_of(printed, step="frequency")["keeps_low"]
    *_, found = computed(printed)
    return Verdict(abs(found["keeps"] - printed_share) <= 2, f"{found['keeps']:.1f} %")


@check
def labels_of_one_word(printed: PrintedTable) -> Verdict:
    (found,) = (row for row in computed(printed) if row["labels"] == "of one word")
    shares = [(found[f"below_{most}"], _printed_share(printed, most)) for most in (50, 100)]
    return Verdict(
        all(abs(share - other) <= 2 for share, other in shares),
        f"{', '.join(f'{share:.1f} for {other}' for share, other in shares)}, of"
        f" {found['number']:,}; {found['below_20']:.1f} occur fewer than 20 times, which is as far"
        " as the counts go",
    )


@check
def labels_with_a_rare_word(printed: PrintedTable) -> Verdict:
    found = computed(printed)[0]
    shares = [(found[f"below_{most}"], _printed_share(printed, most)) for most in (50, 100)]
    return Verdict(
        all(share <= other for share, other in shares),
        f"{', '.join(f'{share:.1f} for {other}' for share, other in shares)}, of"
        f" {found['number']:,}",
    )


def _printed_share(printed: PrintedTable, most: int) -> float:
    share: float = row_of(printed, occurrences=f"below {most}")["share"]
    return share


def _rare_leaves(printed: PrintedTable) -> dict[str, tuple[int, int]]:
    """Branch -> of labels of one word of its leaf classes, those that occur fewer than 50 times,
    and all; the empty name is that of all classes."""
    start = "of one word, leaf classes"
    return {
        row["labels"].removeprefix(start).removeprefix(", "): (
            round(row["below_50"] * row["number"] / 100),
            row["number"],
        )
        for row in computed(printed)
        if row["labels"].startswith(start)
    }


@check
def labels_of_animals_are_rare(printed: PrintedTable) -> Verdict:
    found = _rare_leaves(printed)
    animals, every = found["animal"], found[""]
    others = (every[0] - animals[0], every[1] - animals[1])
    z, _ = two_proportions(*animals, *others)
    return Verdict(
        z > 1.96,
        f"{_share(animals)} of animals, {_share(others)} of others, z = {z:.1f}",
    )


@check
def labels_of_animals_are_the_rarest(printed: PrintedTable) -> Verdict:
    found = {name: part for name, part in _rare_leaves(printed).items() if name}
    rarest = max(found, key=lambda name: found[name][0] / found[name][1])
    return Verdict(
        rarest == "animal", ", ".join(f"{name} {_share(part)}" for name, part in found.items())
    )


def _share(part: tuple[int, int]) -> str:
    return f"{part[0] / part[1] * 100:.1f} %"


@check
def birds_and_dogs_have_many_images(printed: PrintedTable) -> Verdict:
    found = {row["branch"]: row for row in computed(printed) if "branch" in row}
    every, *branches = (found[name] for name in ("all", "bird", "dog"))
    return Verdict(
        all(_is_above(row, every, "images_per_class") for row in branches),
        "; ".join(
            f"{row['branch']} {row['images_per_class']:.0f} ± {row['se']:.0f}"
            for row in (*branches, every)
        ),
    )


def _is_above(one: Row, other: Row, column: str) -> bool:
    """Answer whether a mean is above another by two standard errors of their difference."""
    error = (one["se"] ** 2 + other["se"] ** 2) ** 0.5
    return bool(one[column] - other[column] > 2 * error)


@check
def odd_classes_have_few_images(printed: PrintedTable) -> Verdict:
    named = {"ringer": "n10531445", "covering": "n03122748", "chair of state": "n03002210"}
    images = {name: language.populations()[wnid] for name, wnid in named.items()}
    return Verdict(
        max(images.values()) < 10,
        ", ".join(f"{name} {number}" for name, number in images.items()),
    )


@check
def queen_is_an_aristocrat(printed: PrintedTable) -> Verdict:
    found = {row["meaning"]: row["cosine"] for row in computed(printed) if "meaning" in row}
    cells = [(found[row["meaning"]], row["cosine"]) for row in printed.rows()]
    return Verdict(
        cells[0] > cells[1] and all(ours * theirs > 0 for ours, theirs in cells),
        f"{', '.join(f'{ours:.3f} for {theirs}' for ours, theirs in cells)}; {GLOVE}",
    )


#: Vectors of similarities, which are not the paper's.
GLOVE = "GloVe 6B of 50 dimensions"


@check
def classes_are_near_their_hypernyms(printed: PrintedTable) -> Verdict:
    return nearer_than_chance(printed, "hypernym")


def nearer_than_chance(printed: PrintedTable, name: str) -> Verdict:
    """Verdict on pairs of words that belong together: a larger mean cosine than at random."""
    found = {row["pairs"]: row for row in computed(printed) if "pairs" in row}
    rows = [found[name], found[f"{name} of a random pair"]]
    means = [f"{row['cosine']:.3f} ± {row['se']:.3f}" for row in rows]
    return Verdict(
        _is_above(rows[0], rows[1], "cosine"),
        f"mean cosine {means[0]}, of random pairs {means[1]}; {rows[0]['groups']:,}"
        f" {'hypernyms' if name == 'hypernym' else 'classes'}, {GLOVE}",
    )


@check
def shares_by_images(printed: PrintedTable) -> Verdict:
    found = [row["share"] for row in computed(printed) if "share" in row]
    away = [abs(one - other) for one, other in zip(found, column_of(printed, "share"), strict=True)]
    return Verdict(max(away) <= 2, ", ".join(f"{share:.1f}" for share in found))
