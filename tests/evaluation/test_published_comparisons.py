"""Published numbers that can be computed again without images (docs/reproduction.md lists them
all)."""

from __future__ import annotations

import numpy as np
import pytest

from graphzsl import metrics
from graphzsl.metrics.significance import Friedman, Paired, two_proportions

MODELS = [
    "dap",
    "conse",
    "cmt",
    "cmt-star",
    "sse",
    "latem",
    "ale",
    "devise",
    "sje",
    "eszsl",
    "sync",
]
#: Xian et al. 2017, Table 5: ts, tr, H on SUN, CUB, AWA, aPY.
TABLE_5 = {
    "dap": [(4.2, 25.1, 7.2), (1.7, 67.9, 3.3), (0.0, 88.7, 0.0), (4.8, 78.3, 9.0)],
    "conse": [(6.8, 39.9, 11.6), (1.6, 72.2, 3.1), (0.4, 88.6, 0.8), (0.0, 91.2, 0.0)],
    "cmt": [(8.1, 21.8, 11.8), (7.2, 49.8, 12.6), (0.9, 87.6, 1.8), (1.4, 85.2, 2.8)],
    "cmt-star": [(8.7, 28.0, 13.3), (4.7, 60.1, 8.7), (8.4, 86.9, 15.3), (10.9, 74.2, 19.0)],
    "sse": [(2.1, 36.4, 4.0), (8.5, 46.9, 14.4), (7.0, 80.5, 12.9), (0.2, 78.9, 0.4)],
    "latem": [(14.7, 28.8, 19.5), (15.2, 57.3, 24.0), (7.3, 71.7, 13.3), (0.1, 73.0, 0.2)],
    "ale": [(21.8, 33.1, 26.3), (23.7, 62.8, 34.4), (16.8, 76.1, 27.5), (4.6, 73.7, 8.7)],
    "devise": [(16.9, 27.4, 20.9), (23.8, 53.0, 32.8), (13.4, 68.7, 22.4), (4.9, 76.9, 9.2)],
    "sje": [(14.7, 30.5, 19.8), (23.5, 59.2, 33.6), (11.3, 74.6, 19.6), (3.7, 55.7, 6.9)],
    "eszsl": [(11.0, 27.9, 15.8), (12.6, 63.8, 21.0), (6.6, 75.6, 12.1), (2.4, 70.1, 4.6)],
    "sync": [(7.9, 43.3, 13.4), (11.5, 70.9, 19.8), (8.9, 87.3, 16.2), (7.4, 66.3, 13.3)],
}
#: Xian et al. 2017, Table 3: standard and proposed splits on SUN, CUB, AWA, aPY.
TABLE_3 = {
    "dap": [(38.9, 39.9), (37.5, 40.0), (57.1, 44.1), (35.2, 33.8)],
    "conse": [(44.2, 38.8), (36.7, 34.3), (63.6, 45.6), (25.9, 26.9)],
    "cmt": [(41.9, 39.9), (37.3, 34.6), (58.9, 39.5), (26.9, 28.0)],
    "sse": [(54.5, 51.5), (43.7, 43.9), (68.8, 60.1), (31.1, 34.0)],
    "latem": [(56.9, 55.3), (49.4, 49.3), (74.8, 55.1), (34.5, 35.2)],
    "ale": [(59.1, 58.1), (53.2, 54.9), (78.6, 59.9), (30.9, 39.7)],
    "devise": [(57.5, 56.5), (53.2, 52.0), (72.9, 54.2), (35.4, 39.8)],
    "sje": [(57.1, 53.7), (55.3, 53.9), (76.7, 65.6), (32.0, 32.9)],
    "eszsl": [(57.3, 54.5), (55.1, 53.9), (74.7, 58.2), (34.4, 38.3)],
    "sync": [(59.1, 56.3), (54.1, 55.6), (72.2, 54.0), (39.7, 23.9)],
}
#: Hascoet et al. 2019, Table 3: TP, FN and the printed ratio; one is misprinted (2.3 for 34.2 /
#: 10.3).
RATIOS = [
    (14.7, 10.2, 0.7),
    (3.6, 6.0, 1.7),
    (1.6, 2.8, 1.7),
    (1.9, 39.2, 20.6),
    (0.8, 10.23, 12.7),
    (0.4, 4.27, 10.7),
    (21.8, 18.6, 0.8),
    (4.4, 7.6, 1.7),
    (1.8, 3.6, 2.0),
    (10.3, 34.2, 3.32),
    (2.6, 10.0, 3.8),
    (1.1, 4.5, 4.1),
]
#: Russakovsky et al. 2015, Table 8: error and its 99.9 % interval, N = 100,000.
INTERVALS = [
    (6.66, 6.40, 6.92),
    (7.32, 7.05, 7.60),
    (8.06, 7.78, 8.34),
    (8.11, 7.83, 8.39),
    (9.51, 9.21, 9.82),
    (11.74, 11.41, 12.08),
    (16.42, 16.04, 16.80),
    (26.17, 25.71, 26.65),
    (29.58, 29.09, 30.04),
    (25.32, 24.87, 25.78),
    (34.19, 33.67, 34.69),
]


@pytest.mark.parametrize(("ts", "tr", "h"), [cell for row in TABLE_5.values() for cell in row])
def test_harmonic_means_of_xian_table_5(ts: float, tr: float, h: float) -> None:
    assert metrics.harmonic_mean(ts, tr) == pytest.approx(h, abs=0.051)


@pytest.mark.parametrize(("tp", "fn", "printed"), RATIOS)
def test_false_negative_ratios_of_goz_table_3(tp: float, fn: float, printed: float) -> None:
    assert metrics.false_negative_ratio(tp, fn, 0) == pytest.approx(printed, abs=0.1)
    assert metrics.false_negative_ratio(tp, 0.4 * fn, 0.6 * fn) == pytest.approx(fn / tp)
    assert metrics.false_negative_ratio(0, fn, 0) is None


@pytest.mark.parametrize(
    ("correct", "parent", "child", "low", "high"),
    [(21.8, 6.0, 12.6, 27.8, 40.4), (1.9, 14.1, 25.1, 16.0, 41.1)],
)
def test_semantic_intervals_of_goz(
    correct: float, parent: float, child: float, low: float, high: float
) -> None:
    assert metrics.semantic_interval(correct, parent, child) == pytest.approx((low, high))


@pytest.mark.parametrize(("error", "low", "high"), INTERVALS)
def test_bootstrap_intervals_of_ilsvrc_table_8(error: float, low: float, high: float) -> None:
    values = np.zeros(100_000)
    values[: round(error * 1000)] = 100
    found = metrics.bootstrap_interval(values, rounds=100_000, level=0.999, seed=1)
    assert found == pytest.approx((low, high), abs=0.06)


def test_the_human_comparison_of_ilsvrc() -> None:
    """Annotator 1 and GoogLeNet on 1,500 images: 1352 both right, 72 the human alone, 46 GoogLeNet
    alone, 30 neither."""
    paired = Paired(1352, 72, 46, 30)
    statistics = paired.statistics()
    assert statistics["samples"] == 1500
    assert statistics["error_second"] == pytest.approx(0.068)
    assert statistics["error_first"] == pytest.approx(0.051, abs=0.0005)
    z, p = two_proportions(102, 1500, 76, 1500)
    assert (z, p) == (pytest.approx(2.009, abs=1e-3), pytest.approx(0.02225, abs=1e-5))
    assert round(p, 3) == 0.022, "as printed"
    assert two_proportions(102, 1500, 76, 1500, pooled=False)[0] == pytest.approx(2.011, abs=1e-3)
    assert statistics["z"] == pytest.approx(2.393, abs=1e-3)
    assert statistics["p_one_sided"] == pytest.approx(0.0105, abs=1e-4)
    second = Paired(219, 8, 24, 7)
    assert (
        second.statistics()["error_first"],
        second.statistics()["error_second"],
    ) == pytest.approx((0.120, 0.058), abs=0.0005)


@pytest.mark.parametrize(
    ("split", "statistic", "p", "ranks"),
    [
        (
            0,
            23.157,
            0.00585,
            {
                "sync": 2.875,
                "sje": 3.5,
                "devise": 3.625,
                "ale": 3.75,
                "eszsl": 3.75,
                "latem": 4.75,
                "sse": 7,
                "dap": 7.75,
                "conse": 9,
                "cmt": 9,
            },
        ),
        (
            1,
            22.733,
            0.00683,
            {
                "ale": 2.0,
                "devise": 3.5,
                "eszsl": 3.875,
                "sje": 4.375,
                "latem": 4.75,
                "sse": 5.25,
                "sync": 5.25,
                "dap": 7.875,
                "cmt": 8.875,
                "conse": 9.25,
            },
        ),
    ],
)
def test_friedman_ranks_of_xian_table_3(
    split: int, statistic: float, p: float, ranks: dict[str, float]
) -> None:
    """From the four data sets of the table; the paper's figure uses three validation splits of
    each."""
    found = Friedman.from_scores(
        list(TABLE_3), np.array([[TABLE_3[m][data][split] for m in TABLE_3] for data in range(4)])
    )
    assert dict(zip(found.models, found.mean_ranks.tolist(), strict=True)) == pytest.approx(ranks)
    assert found.statistic == pytest.approx(statistic, abs=1e-3)
    assert found.p == pytest.approx(p, abs=1e-5)
    assert {row["model"] for row in found.rows()[-3:]} == {"dap", "cmt", "conse"}
    assert found.counts.sum() == 40


def test_friedman_ranks_of_xian_table_5() -> None:
    expected = {
        "ale": 2.0,
        "devise": 2.5,
        "sje": 3.5,
        "sync": 4.5,
        "cmt-star": 5.5,
        "latem": 6.0,
        "eszsl": 6.25,
        "cmt": 8.25,
        "sse": 8.5,
        "dap": 8.75,
        "conse": 10.25,
    }
    found = Friedman.from_scores(
        MODELS, np.array([[TABLE_5[m][data][2] for m in MODELS] for data in range(4)])
    )
    assert dict(zip(found.models, found.mean_ranks.tolist(), strict=True)) == pytest.approx(
        expected
    )
    unseen = Friedman.from_scores(
        MODELS, np.array([[TABLE_5[m][data][0] for m in MODELS] for data in range(4)])
    )
    assert [row["model"] for row in unseen.rows()[:2]] == ["devise", "ale"]
