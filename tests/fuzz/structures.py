"""Structures built in Python, as callers of the package give them: made up by hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.fuzz import case
from tests.fuzz.target import must
from tests.fuzz.targets import common

NAME = "structures"
#: Examples of one batch.
EXAMPLES = 100

_odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=4),
    st.sampled_from(["cat", "dog", "n02084071", "n٠٠٠٠١٠٠٠", "", " ", "a\0b", "\u202ex", "1", "0"]),
)
_names = st.one_of(
    st.lists(st.sampled_from(["cat", "dog", "owl", "ant"]), max_size=5),
    st.lists(st.sampled_from(["cat", "dog", "owl", "ant"]), min_size=1, max_size=4, unique=True),
    st.lists(_odd, max_size=5),
    st.sampled_from(["abcdef", None, 3, {"cat": 1}, ("cat", "dog"), {"cat"}]),
)
_dtypes = st.sampled_from(["f4", "f8", "f2", "i8", "u1", "?", "U3", "S2", "O", "c8", "M8[s]"])
_arrays = st.one_of(
    _dtypes.flatmap(
        lambda kind: hnp.arrays(
            np.dtype(kind),
            hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
            elements=_odd if kind == "O" else None,
        )
    ),
    st.lists(st.lists(_odd, max_size=3), max_size=4),
    st.sampled_from([None, "x", 3, [], [[]]]),
)
_rows = st.integers(1, 5).flatmap(
    lambda n: st.tuples(
        hnp.arrays(
            np.float32, st.tuples(st.just(n), st.integers(0, 3)), elements=st.floats(width=32)
        ),
        st.lists(
            st.sampled_from(["cat", "dog", "owl", "ant", "bee", "", "x\n"]), min_size=n, max_size=n
        ),
    )
)


def _class_matrix(data: Any) -> None:
    import graphzsl as gz

    if data.draw(st.booleans()):
        values, wnids = data.draw(_rows)
        found = gz.ClassMatrix(wnids, values, {"kind": "class embeddings"})
    elif data.draw(st.booleans()):
        array = data.draw(_arrays)
        if not isinstance(array, np.ndarray):
            return
        found = gz.ClassMatrix(data.draw(_names), array, {})
    else:
        found = gz.ClassMatrix.from_rows(
            data.draw(st.dictionaries(st.text(max_size=4), _arrays, max_size=3))
        )
    common.class_matrix(found)


def _samples(data: Any) -> None:
    import graphzsl as gz

    if data.draw(st.booleans()):
        features, labels = data.draw(_rows)
        found = gz.Samples.from_arrays(features, labels)
    else:
        found = gz.Samples.from_arrays(data.draw(_arrays), data.draw(_names))
    common.samples(found)


def _subgraph(data: Any) -> None:
    import graphzsl as gz

    count = data.draw(st.integers(0, 4))
    wnids = data.draw(st.one_of(st.just([f"n0000000{n}" for n in range(count)]), _names))
    shapes = st.tuples(st.integers(0, 3), st.integers(0, 4))
    edges = data.draw(
        hnp.arrays(st.sampled_from([np.int64, np.float64]), shapes, elements=st.integers(-1, 4))
    )
    size = len(wnids) if hasattr(wnids, "__len__") else 1
    column = st.one_of(st.just(["x"] * size), st.just([]), _names)
    words = st.one_of(st.just([["x"]] * size), st.lists(_names, max_size=4))
    sets = st.one_of(st.just({}), st.dictionaries(st.text(max_size=4), _names, max_size=2))
    found = gz.Subgraph(
        wnids, data.draw(column), data.draw(words), data.draw(column), edges, data.draw(sets), {}
    )
    common.subgraph(found)


def _dataset(data: Any) -> None:
    import graphzsl as gz

    features, labels = data.draw(_rows)
    pool = st.lists(st.sampled_from(["cat", "dog", "owl", "ant", "bee"]), max_size=4)
    embeddings = {name: [1.0, n] for n, name in enumerate(["cat", "dog", "owl", "ant", "bee"])}
    found = gz.ZeroShotDataset.from_arrays(
        features,
        labels,
        embeddings,
        seen=data.draw(st.one_of(pool, _names)),
        unseen=data.draw(st.one_of(pool, _names)),
        held_out=data.draw(st.sampled_from([0.2, 0.0, 0.9, -1, 1])),
    )
    common.dataset(found)


def _predictions(data: Any) -> None:
    from graphzsl.audit.prediction_files import predictions_of_arrays

    if data.draw(st.booleans()):
        n, c = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
        names = ["cat", "dog", "owl", "ant"][:c]
        scores = data.draw(hnp.arrays(np.float32, (n, c), elements=st.floats(width=32)))
        labels = data.draw(
            st.lists(st.one_of(st.sampled_from(names), st.integers(-1, 4)), min_size=n, max_size=n)
        )
        found = predictions_of_arrays(labels, scores, "scores", names)
    else:
        kind = data.draw(st.sampled_from(["predicted", "ranked", "scores"]))
        arrays = data.draw(_arrays), data.draw(_arrays)
        found = predictions_of_arrays(*arrays, kind, data.draw(_names))
    common.predictions(found)


def _frame(data: Any) -> None:
    import pandas as pd

    from graphzsl.audit import read_predictions

    columns = data.draw(
        st.dictionaries(
            st.sampled_from(["label", "top1", "top2", "file", "score", "cat", "x", "", "rank"]),
            st.lists(_odd, min_size=3, max_size=3),
            max_size=4,
        )
    )
    common.predictions(read_predictions(pd.DataFrame(columns)))


def _hierarchy(data: Any) -> None:
    import graphzsl as gz

    node = st.sampled_from(["a", "b", "c", "d", "e"])
    edges = data.draw(st.lists(st.one_of(st.tuples(node, node), st.tuples(_odd, _odd)), max_size=6))
    found = gz.Hierarchy.from_edges(edges)
    depth = found.max_depth
    must(len(depth) == len(found.wnids) and (depth >= 0).all(), "depths")


_BUILDERS: tuple[Callable[[Any], None], ...] = (
    *(_class_matrix, _samples, _subgraph, _dataset, _predictions, _frame, _hierarchy),
)


def batch(number: int, first: int, begin: Callable[[], None]) -> Iterator[tuple[str, str]]:
    """(kind of its end, what is said) of each example of a batch."""
    build = _BUILDERS[(first // EXAMPLES) % len(_BUILDERS)]
    ends: list[tuple[str, str]] = []

    @seed(number * 1_000_003 + first)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def examples(data: Any) -> None:
        begin()
        kind, said = case.attempt(lambda: build(data))
        if kind not in (case.OK, case.REFUSED):
            said = f"{build.__name__}\n{said}"
        ends.append((kind, said))

    examples()
    yield from ends
