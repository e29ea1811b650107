"""``make bench``: ratios against a named peer in the same run, on the full WordNet 3.0. No test
asserts a time.

python -m tests.benchmarks [load] [searches] [analysis] [counting] [graph] [pyg] [ranking] [ridge]
[sse] [encoding] [evaluation] [hierarchical] [clip] [growth] [scale] [boxes] [answers]
"""

import sys

from tests.benchmarks.analysis import bench_analysis, bench_counting
from tests.benchmarks.answers import bench_answers
from tests.benchmarks.boxes import bench_boxes
from tests.benchmarks.clip import bench_clip
from tests.benchmarks.database import bench_load, bench_searches
from tests.benchmarks.growth import bench_growth
from tests.benchmarks.hierarchical import bench_hierarchical
from tests.benchmarks.models import (
    bench_encoding,
    bench_evaluation,
    bench_graph,
    bench_ranking,
    bench_ridge,
    bench_sse,
)
from tests.benchmarks.pyg import bench_pyg
from tests.benchmarks.scale import bench_scale

BENCHES = {
    "load": bench_load,
    "searches": bench_searches,
    "analysis": bench_analysis,
    "counting": bench_counting,
    "graph": bench_graph,
    "pyg": bench_pyg,
    "ranking": bench_ranking,
    "ridge": bench_ridge,
    "sse": bench_sse,
    "encoding": bench_encoding,
    "evaluation": bench_evaluation,
    "hierarchical": bench_hierarchical,
    "clip": bench_clip,
    "growth": bench_growth,
    "scale": bench_scale,
    "boxes": bench_boxes,
    "answers": bench_answers,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or list(BENCHES):
        BENCHES[name]()
