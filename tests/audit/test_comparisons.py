"""Runs against each other: unpaired tests, intervals that overlap or not, and whether metrics
agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl import metrics
from graphzsl.audit.agreement import check_same_task, effect_sizes, rank_correlations
from graphzsl.cli import main
from graphzsl.common import DataError, sha256
from graphzsl.metrics.significance import compare_paired, compare_unpaired, separate


def _right(errors: int, samples: int) -> np.ndarray:
    return np.arange(samples) >= errors


def test_the_published_unpaired_comparison() -> None:
    """Russakovsky et al. 2015, section 6.4: 6.8 and 5.1 % of 1,500 images, one-sided p = 0.022 for
    the second to be better."""
    found = compare_unpaired(_right(102, 1500), _right(76, 1500), rounds=500)
    assert (found["error_first"], found["error_second"]) == pytest.approx((0.068, 76 / 1500))
    assert found["z"] == pytest.approx(-2.009, abs=1e-3), "positive where the first is better"
    assert found["p_one_sided"] == pytest.approx(1 - 0.02225, abs=1e-5)
    assert found["p"] == pytest.approx(2 * 0.02225, abs=2e-5)
    assert compare_unpaired(_right(76, 1500), _right(102, 1500), 500)[
        "p_one_sided"
    ] == pytest.approx(0.02225, abs=1e-5)
    assert found["interval_first"][0] < 0.068 < found["interval_first"][1]


def test_the_decision_of_ilsvrc_at_999() -> None:
    """Russakovsky et al. 2015, Table 8: of 100,000 images GoogLeNet has 6.66 % wrong, VGG 7.32,
    MSRA 8.06, Howard 8.11."""
    googlenet, vgg, msra, howard = (_right(errors, 100_000) for errors in (6660, 7320, 8060, 8110))
    first = compare_unpaired(googlenet, vgg, rounds=20_000, level=0.999)
    assert first["interval_first"] == pytest.approx([0.0640, 0.0692], abs=0.0003)
    assert first["interval_second"] == pytest.approx([0.0705, 0.0760], abs=0.0003)
    assert first["separate"] is True, "winner and runner-up of 2014"
    assert compare_unpaired(msra, howard, rounds=20_000, level=0.999)["separate"] is False, (
        "7.78-8.34 and 7.83-8.39"
    )
    assert separate((34.36, 36.70), (36.29, 38.80)) is False, "detection 2014, as printed"
    assert separate((25.98, 27.0), (25.33, 25.78)) is True, "either may be the lower one"
    assert separate((1.0, 2.0), (2.0, 3.0)) is False, "they share an end"


def test_a_paired_comparison_is_sharper_than_two_intervals() -> None:
    """The second is right wherever the first is, and on 20 more of 1,000: every difference has one
    sign."""
    first, second = _right(320, 1000), _right(300, 1000)
    found = compare_paired(first, second, rounds=4000)
    assert found["separate"] is False
    assert (found["only_first"], found["only_second"]) == (0, 20)
    assert found["difference"] == pytest.approx(-0.02), "20 of 1,000"
    assert found["difference_low"] < -0.02 < found["difference_high"] < 0
    assert found["p"] == pytest.approx(2 * 0.5**20)
    wide = compare_paired(first, second, rounds=4000, level=0.999)
    assert wide["difference_low"] < found["difference_low"]
    assert wide["interval_first"][1] > found["interval_first"][1]


def test_draws_beyond_the_ends() -> None:
    assert metrics.tail_draws(2000, 0.999) == 1
    assert metrics.tail_draws(2000, 0.95) == 50
    assert metrics.rounds_needed(0.999) == 20_000
    assert metrics.tail_draws(metrics.rounds_needed(0.9), 0.9) == metrics.TAIL_DRAWS


def test_rank_correlations_by_hand() -> None:
    """Four runs: hit@1 orders them d c b a, hp@5 swaps c and b, heights (small is good) agree with
    hit@1."""
    values = {
        "hit@1": [1, 2, 3, 4],
        "hp@5": [1, 3, 2, 4],
        "lca_height@1": [9, 8, 7, 6],
        "parent": [1, 2, 3, 4],
    }
    rows = {(row["metric"], row["other"]): row for row in rank_correlations(values)}
    assert set(rows) == {("hit@1", "hp@5"), ("hit@1", "lca_height@1"), ("hp@5", "lca_height@1")}
    # 5 of 6 pairs agree, 1 does not; Σd² = 2, ρ = 1 - 6 · 2 / (4 · 15)
    swapped = rows["hit@1", "hp@5"]
    assert (swapped["kendall_tau"], swapped["spearman"]) == pytest.approx(
        ((5 - 1) / 6, 1 - 12 / 60)
    )
    assert swapped["same_order"] is False
    same = rows["hit@1", "lca_height@1"]
    assert (same["kendall_tau"], same["spearman"], same["same_order"]) == (
        pytest.approx(1),
        pytest.approx(1),
        True,
    )
    worse = rank_correlations({"hit@1": [1, 2, 3], "mean_rank": [10, 20, 30]})[0]
    assert (worse["kendall_tau"], worse["same_order"]) == (pytest.approx(-1), False)
    constant = rank_correlations({"hit@1": [1, 2, 3], "hit@2": [5, 5, 5]})[0]
    assert (constant["kendall_tau"], constant["spearman"], constant["same_order"]) == (
        None,
        None,
        False,
    )
    with pytest.raises(DataError, match="at least three"):
        rank_correlations({"hit@1": [1, 2], "hit@2": [1, 2]})


def _run(samples: int = 10, **means: tuple[float, float]) -> dict[str, Any]:
    named = {name.replace("_at_", "@"): pair for name, pair in means.items()}
    values = {
        name: {"per_sample": m, "per_class": m, "per_sample_sd": s, "per_class_interval": [m, m]}
        for name, (m, s) in named.items()
    }
    counts = {"samples": samples, "classes": 5, "candidates": 7}
    return {"kind": "evaluation", "metrics": values, "ties": "against the model", **counts}


def test_effect_sizes_by_hand() -> None:
    first = _run(hit_at_1=(0.5, 0.5), lca_height_at_1=(3.0, 2.0), parent=(0.1, 0.3))
    second = _run(hit_at_1=(0.4, 0.3), lca_height_at_1=(4.0, 1.0), parent=(0.2, 0.4))
    rows = {row["metric"]: row for row in effect_sizes(first, second)}
    assert set(rows) == {"hit@1", "lca_height@1"}
    assert rows["hit@1"]["gain"] == pytest.approx(0.1)
    assert rows["hit@1"]["relative"] == pytest.approx(0.25)
    assert rows["hit@1"]["d"] == pytest.approx(0.1 / ((0.25 + 0.09) / 2) ** 0.5)
    assert rows["lca_height@1"]["gain"] == 1, "a small height is good"
    assert rows["lca_height@1"]["relative"] == pytest.approx(0.25)
    assert rows["lca_height@1"]["d"] == pytest.approx(1 / 2.5**0.5)
    nothing = effect_sizes(_run(hit_at_1=(0.0, 0.0)), _run(hit_at_1=(0.0, 0.0)))[0]
    assert (nothing["relative"], nothing["d"]) == (None, None)


def test_standard_deviations_of_samples() -> None:
    found = metrics.summary(np.array([1.0, 3, 3, 5]), np.array([0, 0, 1, 1]))
    assert found["per_sample_sd"] == pytest.approx(2**0.5)  # squares of the differences: 4, 0, 0, 4


def test_runs_whose_candidates_stand_in_another_order_are_of_one_task() -> None:
    """A table's candidates are sorted by name, those of a model are in its own order."""
    labels, scores = ["dog", "cat"], np.array([[0.9, 0.1], [0.2, 0.8]])
    runs = {
        " ".join(order): gz.evaluate(
            labels, scores=scores[:, columns], candidates=order, wordnet=None, rounds=10
        ).manifest
        for order, columns in ((["dog", "cat"], [0, 1]), (["cat", "dog"], [1, 0]))
    }
    check_same_task(runs)


def test_runs_of_different_tasks_are_refused() -> None:
    with pytest.raises(DataError, match="a has 10 samples, b 11: they are different tasks"):
        check_same_task({"a": _run(), "b": _run(11)})
    one, other = (_run() | {"provenance": {"candidates": {"sha256": text}}} for text in "xy")
    with pytest.raises(DataError, match="a and c have different candidates"):
        check_same_task({"a": one, "b": _run(), "c": other})
    check_same_task({"a": one, "b": _run(), "c": one})


def _invoke(*arguments: object) -> Any:
    done = CliRunner().invoke(main, [*map(str, arguments), "--format", "json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout), done.stderr


def _write_samples(path: Path, labels: list[str], ranks: list[int]) -> None:
    predicted = [label if rank == 1 else "z" for label, rank in zip(labels, ranks, strict=True)]
    table = pa.table({"label": labels, "predicted": predicted, "rank": ranks})
    held = {"candidates": json.dumps([*"abcdefghijz"])}
    pq.write_table(table.replace_schema_metadata(held), path)


def test_the_commands(tmp_path: Path) -> None:
    means = {"a": (0.5, 0.6), "b": (0.4, 0.7), "c": (0.3, 0.2)}
    for name, (hit, hp) in means.items():
        ranks = [1] * round(10 * hit) + [2] * (10 - round(10 * hit))
        samples = tmp_path / f"{name}.samples.parquet"
        _write_samples(samples, list("abcdefghij"), ranks)
        beside = {"samples_file": {"file": samples.name, "sha256": sha256(samples)}}
        (tmp_path / f"{name}.json").write_text(
            json.dumps(_run(hit_at_1=(hit, 0.1), hp_at_2=(hp, 0.2)) | beside)
        )
    paths = [tmp_path / f"{name}.json" for name in means]
    (row,), _ = _invoke("evaluate", "agreement", *paths)
    assert row["kendall_tau"] == pytest.approx(1 / 3)  # 2 of 3 pairs agree
    effects, _ = _invoke("evaluate", "agreement", *paths[:2], "--effects")
    assert [(row["better"], row["than"], row["metric"]) for row in effects] == [
        ("a.json", "b.json", "hit@1"),
        ("a.json", "b.json", "hp@2"),
    ]
    assert [row["d"] for row in effects] == pytest.approx([1, -0.5])
    pairs, said = _invoke("evaluate", "compare", *paths, "--confidence", "0.999", "--rounds", 2000)
    assert [(row["first"], row["second"], row["only_first"]) for row in pairs] == [
        ("a.json", "b.json", 1),
        ("a.json", "c.json", 2),
        ("b.json", "c.json", 1),
    ]
    assert all(row["level"] == 0.999 for row in pairs)
    assert (
        "each end of a 99.9 % interval rests on 1 of the 2,000 bootstrap draws. Give --rounds 20000"
        " or more" in said
    )
    _write_samples(tmp_path / "d.samples.parquet", list("abcde"), [1, 1, 2, 2, 2])
    done = CliRunner().invoke(
        main, ["evaluate", "compare", str(paths[0]), f"{tmp_path}/d.samples.parquet"]
    )
    assert (done.exit_code, "Compare them unpaired (--unpaired)" in done.output) == (1, True)
    (row,), _ = _invoke(
        "evaluate", "compare", paths[0], tmp_path / "d.samples.parquet", "--unpaired"
    )
    # 5 of 10 and 3 of 5 wrong: p = 8/15, z = (3/5 - 1/2) / √(p (1 - p) (1/10 + 1/5))
    assert row["z"] == pytest.approx(0.1 / (8 / 15 * 7 / 15 * 0.3) ** 0.5)
    classes = pa.table(
        {"wnid": list("abc"), "hit@1": [0.1, 0.2, 0.3], "lca_height@1": [3.0, 1.0, 2.0]}
    )
    pq.write_table(classes, tmp_path / "classes.parquet")
    (row,), _ = _invoke("evaluate", "agreement", tmp_path / "classes.parquet")
    assert row["kendall_tau"] == pytest.approx(1 / 3)
