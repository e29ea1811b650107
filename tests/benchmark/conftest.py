"""A small benchmark on the mini WordNet."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphzsl.benchmark.record import Benchmark
from graphzsl.benchmark.statistics import statistics
from graphzsl.hierarchy import Hierarchy
from tests.mini import TRAIN, MiniWordNet, mini_lexicon

#: Unrelated to each other and to the training classes, by wnid.
TEST = ("cat", "queen_bee", "ant", "maple", "rose", "laptop")
RECIPE = """name = "mine"
doc = "For a test."
universe = "universe"
train = "train"

[[exclude]]
reason = "they walk on two legs"
synsets = ["n00001024 person"]  # and talk

[[exclude]]
# in one line or in several
synsets = ['n00001005 bird', "n00001030 drone"]
reason = "they | fly and sting"

[card]
about = "Some of them are plants."
criterion = "A class must hold still."
limits = ["Roses have thorns."]
creator = "A tester"
license = "CC0-1.0"
date = 2026-01-31
"""


@pytest.fixture(scope="session")
def benchmark_of_mini(mini_nouns: Path, mini: MiniWordNet) -> Benchmark:
    steps = [
        {"step": "universe", "rule": "all classes", "kept": 50, "dropped": 0, "keep_ratio": 1.0},
        *(
            {
                "step": "exclusion",
                "rule": f"not {entry}, nor below it",
                "kept": 40 - place,
                "dropped": 3 + place,
                "keep_ratio": 0.1,
            }
            for place, entry in enumerate(("n00001024 person", "n00001005 bird", "n00001030 drone"))
        ),
        {"step": "disjoint", "rule": "none", "kept": 6, "dropped": 30, "keep_ratio": 0.2},
    ]
    graph, test = Hierarchy.from_edges(mini.edges()), sorted(mini.named(*TEST))
    populations = {mini["cat"]: 200}
    found = statistics(graph, test, mini.named(*TRAIN), mini.universe(), populations)
    return Benchmark(
        name="mine",
        train="train",
        universe="universe",
        hierarchy="wordnet",
        test=test,
        training=mini.named(*TRAIN),
        recipe=RECIPE,
        statistics=found,
        steps=steps,
        populations=populations,
        universe_sha256="",
        sources={},
        queries={},
        graph=graph,
        lexicon=mini_lexicon(mini_nouns),
    )
