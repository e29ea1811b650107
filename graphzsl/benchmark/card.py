"""The README of a published benchmark: a data set card, with the front matter that Hugging Face's
cards have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from graphzsl.benchmark import look_alikes
from graphzsl.benchmark.baselines import KS, MEANING
from graphzsl.benchmark.recipe import Recipe
from graphzsl.benchmark.record import Benchmark
from graphzsl.common.files import sha256_text
from graphzsl.common.version import __version__
from graphzsl.common.wording import counted
from graphzsl.sources.imagenet import shipped_classes
from graphzsl.sources.published import class_lists

#: Words, names and hierarchy are WordNet's.
LICENCE_LINK = "https://wordnet.princeton.edu/license-and-commercial-use"
#: File -> what it holds.
FILES = {
    "test_classes.txt": "the test classes, one wnid per line, sorted",
    "training_classes.txt": "the training classes, in their list's order",
    "classes.csv": "a row per test class: names, words, images, hops, structural ratio",
    "names.json": "wnid → class name for prompts, and templates",
    "closest_training_classes.csv": "the closest training classes of every test class, all ties",
    "distances.npy": (
        "hops from each test class (rows) to each training class, then each test class (columns),"
        " in the order of the two lists"
    ),
    "baselines.csv": "the baselines below",
    "statistics.json": "the statistics below, and what every step of the recipe kept",
    "recipe.toml": "how the classes were chosen, for `graphzsl split build`",
    "croissant.json": "the same for machines: Croissant 1.0",
    "manifest.json": "sources and checksums",
}
#: Kinds of classes by a node at or above them; the first that holds counts.
KINDS = {
    "plants": ("n00017222",),
    "animals": ("n00015388",),
    "fungi": ("n12992868",),
    "food": ("n00021265", "n07555863"),
    "artifacts": ("n00021939",),
}
#: (upper limit of the number of classes, Hugging Face's word for it)
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
#: Numbers that the table of statistics shows: (key, what it is, format).
SHOWN = (
    ("classes", "test classes", ","),
    ("structural_ratio", "structural ratio R (Hascoet et al. 2019, equation 5)", ".3f"),
    ("bound", "bound on R under the same rules", ".3f"),
    ("train_hops_mean", "hops to the closest training class, mean", ".2f"),
    ("train_hops_min", "the same, smallest", "g"),
    ("effective_branches", "effective branches", ".1f"),
    ("largest_branch_share", "share of the largest branch", ".1%"),
    ("population_min", "images of a class, fewest", ","),
    ("population_median", "the same, median", ",g"),
    ("population_max", "the same, most", ","),
    ("ancestor_pairs", "pairs of a class and its ancestor", ","),
    ("tied_classes", "classes that another candidate could replace at the same R", ","),
    ("tied_candidates", "such candidates", ","),
    ("nearly_tied_classes", "classes that could be replaced at nearly the same R", ","),
)


def pretty_name(benchmark: Benchmark) -> str:
    """The benchmark's name for readers."""
    return f"graphzsl {benchmark.name}: {len(benchmark.test):,} zero-shot classes"


def description(benchmark: Benchmark) -> str:
    """Description of the benchmark: the recipe's own sentences, then one about its classes."""
    own = (benchmark.parsed.doc, benchmark.parsed.card.about)
    made = (
        f"Test classes of {benchmark.universe} for models that have seen {benchmark.train};"
        f" hierarchy {benchmark.hierarchy}."
    )
    return " ".join((*(text.strip() for text in own if text.strip()), made))


def citation(benchmark: Benchmark) -> str:
    """Citation of the benchmark: as the recipe says, or by its name and the recipe's checksum."""
    own = benchmark.parsed.card.cite_as.strip()
    checksum = sha256_text(benchmark.recipe)[:12]
    made = f"made with graphzsl {__version__}"
    return own or f"Benchmark {benchmark.name}, {made}, recipe {checksum}"


def text(benchmark: Benchmark, baselines: Sequence[Mapping[str, Any]], files: Sequence[str]) -> str:
    """The card; ``files`` are those that stand beside it."""
    parts = [
        _front(benchmark),
        f"# {pretty_name(benchmark)}",
        description(benchmark),
        "No images are in this folder: it says which classes to test on, what they are called, and"
        " how far they are from what a model has seen. The images are those of the classes in"
        f" {benchmark.universe}, or your own.",
        *_use(benchmark, files),
        *_files(files),
        *_chosen(benchmark),
        *_left_out(benchmark),
        *_statistics(benchmark),
        *_baselines(baselines),
        *_limits(benchmark),
        *_cite(benchmark),
    ]
    return "\n\n".join(parts) + "\n"


def _front(benchmark: Benchmark) -> str:
    size = next((word for most, word in SIZES if len(benchmark.test) < most), "100K<n<1M")
    return "\n".join(
        (
            "---",
            f'pretty_name: "{pretty_name(benchmark)}"',
            "license: other",
            "license_name: wordnet-3.0",
            f"license_link: {LICENCE_LINK}",
            "language:\n- en",
            "task_categories:\n- zero-shot-image-classification\n- image-classification",
            "tags:\n- zero-shot\n- imagenet\n- wordnet\n- hierarchy",
            f"size_categories:\n- {size}",
            "configs:\n- config_name: classes\n  data_files:",
            "  - split: test\n    path: classes.csv",
            "---",
        )
    )


def _use(benchmark: Benchmark, files: Sequence[str]) -> Iterator[str]:
    yield "## Use"
    shape = f"[{len(benchmark.test)}, {len(benchmark.training) + len(benchmark.test)}]"
    hops = (
        f'\nhops = np.load("distances.npy")  # {shape}: to training classes, then to test classes'
        if "distances.npy" in files
        else ""
    )
    yield (
        "In this folder:\n\n"
        "```python\n"
        "import csv, json\n"
        f"{'import numpy as np' if hops else ''}\n\n"
        'rows = list(csv.DictReader(open("classes.csv", encoding="utf-8")))\n'
        'names = json.load(open("names.json", encoding="utf-8"))["names"]  # wnid: class name'
        f"{hops}\n"
        "```"
    )
    yield (
        "```bash\n"
        "graphzsl audit predictions.csv --candidates test_classes.txt"
        f" --train {_train(benchmark)}  # hit@k, mistakes in the hierarchy, accuracy by hops\n"
        "graphzsl split verify . --offline  # that it is as published, without a database\n"
        "```"
    )
    yield (
        "Report it with: candidates (the test classes alone, or with the training classes), images"
        " per class, features and what they were trained on, semantics, seeds, and how ties are"
        " broken. Hyper-parameters are chosen on training classes, never on these."
    )


def _train(benchmark: Benchmark) -> str:
    """Argument that gives the training classes to a command in the folder: the name of a list that
    everyone has, else the file beside the card, since another's class set is not known
    elsewhere."""
    name = benchmark.train
    is_known = name in class_lists() and {*shipped_classes(name)} == {*benchmark.training}
    return name if is_known else "training_classes.txt"


def _files(files: Sequence[str]) -> Iterator[str]:
    yield "## Files"
    there = {*files, "croissant.json", "manifest.json"}
    yield _table(
        ("file", "what it holds"),
        ((f"`{name}`", what) for name, what in FILES.items() if name in there),
    )


def _chosen(benchmark: Benchmark) -> Iterator[str]:
    """The steps, with the exclusions in one line."""
    yield "## How the classes were chosen"
    rows: list[tuple[str, str, int]] = []
    excluded = [step for step in benchmark.steps if step["step"] == "exclusion"]
    for step in benchmark.steps:
        if step["step"] != "exclusion":
            rows.append((step["step"], step["rule"], step["kept"]))
        elif step is excluded[-1]:
            rule = f"{counted(len(excluded), 'synset or list', 'synsets and lists')} left out"
            rows.append(("exclusion", f"{rule}, with all below them: see below", step["kept"]))
    yield _table(("step", "rule", "classes kept"), ((a, b, f"{c:,}") for a, b, c in rows))
    found = benchmark.statistics
    if "bound" in found:
        yield (
            "The classes are chosen by an integer program: the largest mean of t(c) / d(c), t(c)"
            " being the hops to the closest training class and d(c) those to the closest other test"
            f" class. R is {found['structural_ratio']:.3f}, and no choice under the same rules"
            f" exceeds {found['bound']:.3f}."
        )
    if "ties_cut_by" in found:
        yield (
            f"**Ties.** {found['tied_classes']:,} of the classes could each be exchanged for a"
            f" candidate that was left out ({found['tied_candidates']:,} candidates) without"
            f" changing R, and {found['nearly_tied_classes']:,} with R nearly the same (the sum of"
            " the ratios changes by half a hop at most). Which of them is in was decided by"
            f" {found['ties_cut_by']}. Another version of it may choose others: this list is the"
            " benchmark."
        )


def _left_out(benchmark: Benchmark) -> Iterator[str]:
    """The exclusions with the recipe's own reasons and the number of classes each took away."""
    dropped = {
        step["rule"]: step["dropped"] for step in benchmark.steps if step["step"] == "exclusion"
    }
    recipe = benchmark.parsed
    if not recipe.exclude:
        return
    yield "## What is left out, and why"
    yield (
        f"{recipe.card.criterion} Each synset goes with all below it; behind it stands how many"
        " classes went, of those that the lines above had kept."
    ).strip()
    rows = []
    for reason, entries in reasons(recipe):
        listed = (
            f"{entry} ({dropped.get(f'not {entry}, nor below it', 0):,})" for entry in entries
        )
        rows.append((reason or "–", ", ".join(listed)))
    yield _table(("reason", "synsets"), rows)


def reasons(recipe: Recipe) -> Iterator[tuple[str, list[str]]]:
    """(reason, entries) of a recipe's exclusions, in its order."""
    pairs = zip(recipe.reasons, recipe.exclude, strict=True)
    for reason, group in groupby(pairs, key=lambda pair: pair[0]):
        yield reason, [entry for _, entry in group]


def _statistics(benchmark: Benchmark) -> Iterator[str]:
    yield "## What is in it"
    found = benchmark.statistics
    yield _table(
        ("measure", "value"),
        (
            (what, format(found[key], form))
            for key, what, form in SHOWN
            if found.get(key) is not None
        ),
    )
    kinds = kinds_of(benchmark)
    if kinds:
        total = len(benchmark.test)
        yield (
            "By kind: "
            + ", ".join(f"{kind} {count:,} ({count / total:.1%})" for kind, count in kinds.items())
            + "."
        )


def kinds_of(benchmark: Benchmark) -> dict[str, int]:
    """Kind -> number of test classes; empty in a hierarchy without these nodes."""
    graph = benchmark.graph
    if not all(node in graph.index for nodes in KINDS.values() for node in nodes):
        return {}
    below = {kind: graph.subtree(nodes) for kind, nodes in KINDS.items()}
    found = Counter(
        next((kind for kind in KINDS if wnid in below[kind]), "others") for wnid in benchmark.test
    )
    return {kind: found[kind] for kind in (*KINDS, "others") if found[kind]}


def _baselines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "## Baselines"
    first = rows[0]
    yield (
        "What the structure alone gives away, without images: in per cent, expected under random"
        f" ties, per class. Training classes {first['train']}, hierarchy {first['hierarchy']}, no"
        " features, no semantics, no seeds. Trained models are not in it: they need images of these"
        " classes and a network trained on the training classes, which this folder does not have."
    )
    hits = [f"hit@{k}" for k in KS]
    yield _table(
        ("split", "candidates", "baseline", *hits),
        (
            (
                row["split"],
                f"{row['candidates']:,}",
                row["baseline"],
                *(f"{100 * row[hit]:.1f}" for hit in hits),
            )
            for row in rows
        ),
    )
    yield "\n".join(f"- *{name}* {what}." for name, what in MEANING.items())


def _limits(benchmark: Benchmark) -> Iterator[str]:
    """The recipe's own limits, and those of every benchmark of this kind."""
    yield "## Known limits"
    limits = [*benchmark.parsed.card.limits, *look_alikes.limits(benchmark)]
    if benchmark.populations:
        limits.append("Numbers of images count all images of a class, not the good ones.")
    limits.append(
        "Names and hierarchy are WordNet 3.0's of 2006, in American English. Biology has moved on."
    )
    if benchmark.statistics.get("bound") is not None:
        limits.append(
            "The structural ratio is far from that of a random choice on purpose: accuracy on these"
            " classes says nothing of accuracy on classes near the training classes."
        )
    limits.append(
        "A network that was pre-trained on more than the training classes, such as ImageNet-21k or"
        " pairs of images and text from the web, has seen these classes."
    )
    yield "\n".join(f"- {limit}" for limit in limits)


def _cite(benchmark: Benchmark) -> Iterator[str]:
    card = benchmark.parsed.card
    yield "## Cite and check"
    by = f" Creator: {card.creator}." if card.creator else ""
    since = f" Published on {card.date.isoformat()}." if card.date else ""
    yield (
        f"{citation(benchmark).rstrip('.')}.{by}{since} The definition of the structural ratio is"
        " Hascoet, Ariki and Takiguchi 2019, On zero-shot recognition of generic objects"
        " (https://arxiv.org/abs/1904.04957)."
    )
    yield (
        "`graphzsl split verify` computes every file and statistic again and runs the recipe,"
        " names file and line of what differs, and lists what it could not check and why. A"
        " database is needed for class sets, populations and hierarchies that do not come with"
        " graphzsl, and for frequencies of words; `--offline` does without."
    )
    yield "## Licence"
    listed = {benchmark.train, benchmark.universe} <= class_lists().keys()
    own = f"under this licence: {card.license}" if card.license else "under no licence that it says"
    parts = [
        f"Words, names and hierarchy are WordNet 3.0's, under [its licence]({LICENCE_LINK}).",
        "Lists and numbers of images are facts of ImageNet." if listed else "",
        f"The choice of the classes and this text are {own}.",
    ]
    yield " ".join(part for part in parts if part)


def _table(head: Sequence[str], rows: Any) -> str:
    def line(cells: Sequence[Any]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(head), "|" + "---|" * len(head), *map(line, rows)])
