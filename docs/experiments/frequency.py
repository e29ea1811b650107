"""The table of accuracy against word frequency in docs/results.md.

    python docs/experiments/frequency.py collect runs/frequency
    python docs/experiments/frequency.py table

``collect`` writes frequency.csv beside this file. Frequency of a class: the count of the most
frequent of its labels of one word in the English Wikipedia (pywordfreq); classes that only phrases
name, or whose words occur fewer than 20 times, have none and are left out. Accuracy of a class: its
hit@1, mean over the seeds that hide it. ρ is Spearman's over classes, r Pearson's over five windows
of classes by frequency: mean accuracy against mean frequency (linear) and its log10, with Fisher's
interval. Intervals of ρ resample classes, the same ones for both kinds of embeddings.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from class_rows import ENDS, hits_by_class, marked
from class_rows import rows_of as read_rows

DATA = Path(__file__).with_name("frequency.csv")
ROUNDS = 2000
KINDS = ("glove", "minilm")
#: Windows of the classes by frequency; accuracy is shown of the first and the last.
WINDOWS = 5
#: Of the windows' mean frequency.
SCALES = ("linear", "log10")

#: Class -> a number.
ByClass = Mapping[str, float]


def words_of(wnid: str) -> list[str]:
    """The labels of a class."""
    from graphzsl.hierarchy import WordNetVocabulary

    lexicon = WordNetVocabulary().lexicon
    return [sense.text for sense in lexicon.senses_of(lexicon.index[wnid])]


def frequencies_of(wnids: list[str]) -> ByClass:
    """Class -> the frequency of its most frequent label of one word, of those that have one."""
    from graphzsl.sources.frequency_packages import packaged_frequencies

    counts, found = packaged_frequencies("wikipedia"), {}
    for wnid in wnids:
        words = words_of(wnid)
        if of_words := counts.of_labels(words):
            found[wnid] = float(max(of_words.values()))
    return found


def accuracy(folder: Path) -> dict[str, dict[str, ByClass]]:
    """Model -> kind of embeddings -> class -> hit@1."""
    from graphzsl.reports import read_runs

    names = itemgetter("model_label", "semantics_name")
    hits = hits_by_class(read_runs([folder]), lambda run: names(run.document))
    means: dict[str, dict[str, ByClass]] = defaultdict(dict)
    for (model, kind), values in hits.items():
        means[model][kind] = {wnid: float(np.mean(own)) for wnid, own in values.items()}
    return means


def collected(folder: Path) -> Iterator[dict[str, Any]]:
    """A row for each model: ρ of both kinds of embeddings, their difference, r over windows, and
    hit@1 of the rarest and the most frequent window with the gain between them."""
    from scipy import stats

    from graphzsl.metrics import percentiles
    from graphzsl.models.runs.windows import correlations

    of_models = accuracy(folder)
    hidden = sorted(next(iter(of_models.values()))[KINDS[0]])
    frequency = frequencies_of(hidden)
    wnids = sorted(frequency, key=lambda wnid: (frequency[wnid], wnid))
    counts = np.array([frequency[wnid] for wnid in wnids])
    windows = np.array_split(np.arange(len(wnids)), WINDOWS)
    frequencies = [counts[window].mean() for window in windows]
    draws = np.random.default_rng(0).integers(0, len(wnids), (ROUNDS, len(wnids)))
    for model, of_kinds in of_models.items():
        values = {kind: np.array([of_kinds[kind][wnid] for wnid in wnids]) for kind in KINDS}
        rho = {
            kind: [
                float(stats.spearmanr(counts[drawn], own[drawn])[0])
                for drawn in (np.arange(len(wnids)), *draws)
            ]
            for kind, own in values.items()
        }
        row: dict[str, Any] = {"model": model, "hidden": len(hidden), "classes": len(wnids)}
        differences = np.subtract(*(rho[kind] for kind in KINDS))
        for name, drawn in (*rho.items(), ("difference", differences)):
            row[name], (row[f"{name} low"], row[f"{name} high"]) = (
                drawn[0],
                percentiles(np.array(drawn[1:]), 0.95),
            )
        for kind in KINDS:
            of_windows = [values[kind][window] for window in windows]
            series = [
                {"mean": frequency, "hit@1": own.mean()}
                for frequency, own in zip(frequencies, of_windows, strict=True)
            ]
            for found in correlations(series):
                if found["kind"] == "Pearson":
                    name = f"{kind} r {found['scale']}"
                    row[name] = found["coefficient"]
                    row[f"{name} low"], row[f"{name} high"] = found["low"], found["high"]
            rare, frequent = of_windows[0], of_windows[-1]
            row[f"{kind} rare"], row[f"{kind} frequent"] = (
                float(rare.mean()),
                float(frequent.mean()),
            )
            row[f"{kind} gain"] = float(frequent.mean() - rare.mean())
            random = np.random.default_rng(0)
            gains = [
                random.choice(frequent, len(frequent)).mean()
                - random.choice(rare, len(rare)).mean()
                for _ in range(ROUNDS)
            ]
            row[f"{kind} gain low"], row[f"{kind} gain high"] = percentiles(np.array(gains), 0.95)
        row["phrases"] = sum(all(" " in word for word in words_of(wnid)) for wnid in hidden)
        row["at most"], row["at least"] = counts[windows[0]].max(), counts[windows[-1]].min()
        yield row


def rows_of() -> list[dict[str, Any]]:
    """The rows of the file, numbers as numbers."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return [
            {name: text if name == "model" else float(text) for name, text in row.items()}
            for row in csv.DictReader(file)
        ]


def table(rows: list[dict[str, Any]]) -> list[str]:
    """The table of the page, the best model first; † behind models that stopped at an end of what
    they tried."""

    def shown(row: dict[str, Any], name: str, scale: int = 1, digits: int = 2) -> str:
        mean, low, high = (f"{scale * row[name + end]:.{digits}f}" for end in ("", " low", " high"))
        return f"{mean} [{low}, {high}]"

    heads = [*(f"ρ {kind}" for kind in KINDS), "difference of ρ", *(f"r {kind}" for kind in KINDS)]
    stopped = marked(read_rows(ENDS), ["frequency"])
    heads += [f"{kind}: hit@1, rarest to most frequent fifth" for kind in KINDS]
    lines = [f"| model | {' | '.join(heads)} |", "|---" * (1 + len(heads)) + "|"]
    for row in sorted(rows, key=lambda row: -row["minilm rare"] - row["minilm frequent"]):
        cells = [shown(row, name) for name in (*KINDS, "difference")]
        for kind in KINDS:
            cells.append(", ".join(f"{row[f'{kind} r {scale}']:.2f}" for scale in SCALES))
        for kind in KINDS:
            ends = (f"{100 * row[f'{kind} {part}']:.1f}" for part in ("rare", "frequent"))
            cells.append(f"{' to '.join(ends)}: {shown(row, f'{kind} gain', 100, 1)}")
        lines.append(f"| {row['model']}{'†' * (row['model'] in stopped)} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    what, *given = sys.argv[1:] or [""]
    if what == "collect" and len(given) == 1:
        rows = [*collected(Path(given[0]))]
        with DATA.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    elif what == "table":
        print("\n".join(table(rows_of())))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
