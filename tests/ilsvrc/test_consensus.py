"""Dynamic consensus: tables by hand, by every order of the votes, and against Bayes."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from graphzsl.common import DataError
from graphzsl.ilsvrc import consensus, consensus_counts, simulated_consensus
from graphzsl.ilsvrc.labelling.consensus import decide, vote_table
from graphzsl.ilsvrc.labelling.simulated_votes import simulated_votes
from graphzsl.sources import read_votes
from tests.command import run

#: Good, bad, and a tie, which is bad.
SAMPLE = [[True, True], [False, False], [True, False]]


def test_a_table_by_hand() -> None:
    table = vote_table(SAMPLE, first_votes=2)
    # one vote: the tie comes to a yes in half of its orders
    assert [
        (row["yes"], row["no"], row["good_share"], row["images"]) for row in table.rows()
    ] == pytest.approx(
        [(1, 0, 1 / 1.5, 1.5), (0, 1, 0, 1.5), (2, 0, 1, 1), (1, 1, 0, 1), (0, 2, 0, 1)]
    )
    prior = vote_table(SAMPLE, first_votes=2, prior=1)
    assert prior.good[2, 0] == pytest.approx(2 / 3)
    with pytest.raises(DataError, match="images with 3 votes or more"):
        vote_table(SAMPLE, first_votes=3)


def test_a_table_counts_every_order_of_the_votes() -> None:
    rng = np.random.default_rng(0)
    sample = [(rng.random(5) < chance).tolist() for chance in (0.9, 0.8, 0.5, 0.3, 0.1, 0.6)]
    sample.append((rng.random(6) < 0.7).tolist())
    table = vote_table(sample, first_votes=4)
    good, seen = np.zeros((5, 5)), np.zeros((5, 5))
    for votes in sample:
        orders = list(permutations(votes))
        for order in orders:
            for number in range(5):
                yes = sum(order[:number])
                seen[yes, number - yes] += 1 / len(orders)
                good[yes, number - yes] += (sum(votes) > len(votes) / 2) / len(orders)
    assert table.images == pytest.approx(seen)
    assert table.good[seen > 0] == pytest.approx((good / np.where(seen, seen, 1))[seen > 0])
    assert np.isnan(table.good[table.images == 0]).all()


def test_votes_are_read_until_the_table_is_sure() -> None:
    table = vote_table(SAMPLE, first_votes=2)
    first = decide([True, True, False], table)
    assert (first.good, first.votes, first.share) == (True, 2, 1)
    assert (decide([False], table).good, decide([False, True], table).votes) == (False, 1)
    still = decide([True], table)
    assert (still.good, still.votes, still.share) == (None, 1, pytest.approx(2 / 3))
    assert decide([True], table, confidence=0.6).good is True
    assert decide([], table).share is None
    # 19 of 20 good after one yes: 3 bad images have a third of a yes each
    even = vote_table([[True] * 3] * 19 + [[True, False, False]] * 3, first_votes=1)
    assert even.good[1, 0] == pytest.approx(0.95)
    assert decide([True], even, confidence=0.95).good is True
    # 1 of 20 good after one no
    odd = vote_table([[False] * 3] * 19 + [[True, True, False]] * 3, first_votes=1)
    assert decide([False], odd, confidence=0.95).good is False
    beyond = decide([True, True, False], even, confidence=0.99)
    assert (beyond.good, beyond.votes, beyond.share) == (None, 1, pytest.approx(0.95))


def test_the_sample_counts_by_its_majority() -> None:
    votes = {"a": [True, True], "b": [False, False], "c": [True, False], "d": [True], "e": [False]}
    _, decisions = consensus(votes, first_votes=2)
    assert {image: each.good for image, each in decisions.items()} == {
        "a": True,
        "b": False,
        "c": False,
        "d": None,
        "e": False,
    }
    assert consensus_counts(decisions) == {
        "images": 5,
        "sampled": 3,
        "good": 1,
        "bad": 3,
        "open": 1,
        "votes": 2,
        "votes_per_image": 1,
    }


def test_consensus_of_simulated_votes_says_so(tmp_path: Path) -> None:
    """Table, decisions and counts, of the one class that is asked for."""
    path = tmp_path / "v.csv"
    for cell in ("yes", "no"):
        lines = [f"{name},dog,yes,{cell}" for name in "aab"] + [f"c,cat,no,{cell}"]
        path.write_text("\n".join(["image,class,vote,simulated", *lines]) + "\n")
        votes = read_votes(path)
        table, decisions = consensus(votes, first_votes=2, of_class="dog")
        made_up = cell == "yes"
        assert list(decisions) == ["a", "b"]
        assert {each.simulated for each in decisions.values()} == {made_up}
        assert table.simulated == made_up
        rows = [*table.rows(), consensus_counts(decisions)]
        assert {row.get("simulated", False) for row in rows} == {made_up}
        plain, same = consensus(votes.of_class["dog"], first_votes=2)
        assert not plain.simulated
        assert {image: each.good for image, each in same.items()} == {"a": True, "b": True}
        with pytest.raises(DataError, match="no votes about cow; it has votes about 'dog', 'cat'"):
            consensus(votes, of_class="cow")


def test_a_table_of_many_simulated_votes_is_what_bayes_says() -> None:
    share, false_yes, false_no = 0.4, 0.1, 0.2
    votes, _ = simulated_votes(4000, 4000, share, false_yes, false_no, first_votes=15, seed=1)
    table = vote_table(list(votes.values()), first_votes=15)
    for yes, no in ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (3, 0)):
        good = share * (1 - false_no) ** yes * false_no**no
        bad = (1 - share) * false_yes**yes * (1 - false_yes) ** no
        assert table.good[yes, no] == pytest.approx(good / (good + bad), abs=0.03), (yes, no)


def test_simulated_people_are_called_so() -> None:
    perfect = simulated_consensus(300, 100, 0.5, 0.0, 0.0)
    assert all(row["simulated"] is True for row in perfect)
    assert (perfect[0]["votes_per_image"], perfect[0]["precision"], perfect[0]["recall"]) == (
        1,
        1,
        1,
    )
    rows = {row["rule"]: row for row in simulated_consensus(3000, 300, 0.5, 0.2, 0.2, seed=2)}
    # as sure as it was told to be, with fewer votes than a majority that is
    assert rows["dynamic"]["precision"] == pytest.approx(0.97, abs=0.02)
    assert rows["dynamic"]["votes_per_image"] < 5
    assert rows["majority of 5"]["precision"] < rows["dynamic"]["precision"]
    # P(3 or more of 5 right) at 0.8
    assert rows["majority of 5"]["precision"] == pytest.approx(0.942, abs=0.015)
    with pytest.raises(DataError, match="Every image is of the first sample"):
        simulated_consensus(100, 100, 0.5, 0.1, 0.1)


def test_tables_of_votes_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    lines = ["n02084071,a,yes", "n02084071,a,yes", "n02084071,b,no", "n02084071,b,no"]
    lines += ["n02084071,c,yes", "n02121620,x,1", "n02121620,x,0", "n02121620,x,1"]
    path.write_text("\n".join(["wnid,image,vote", *lines]) + "\n")
    dog, cat = run("study", "ilsvrc", "labelling", "consensus", str(path), "--first-votes", "2")
    assert (dog["wnid"], dog["name"], dog["good"], dog["bad"], dog["open"]) == (
        "n02084071",
        "dog.n.01",
        2,
        1,
        0,
    )
    assert (cat["sampled"], cat["votes_per_image"]) == (1, None)
    assert "simulated" not in dog
    each = run(
        "study", "ilsvrc", "labelling", "consensus", str(path), "--first-votes", "2", "--each"
    )
    assert [(row["image"], row["label"], row["sampled"]) for row in each] == [
        ("a", "good", True),
        ("b", "bad", True),
        ("c", "good", False),
        ("x", "good", True),
    ]
    table = run(
        "study", "ilsvrc", "labelling", "consensus", str(path), "--first-votes", "2", "--table"
    )
    assert table[0] | {"name": ""} == {
        "wnid": "n02084071",
        "name": "",
        "yes": 1,
        "no": 0,
        "good_share": 1,
        "images": 1,
    }
    (said,) = run("study", "ilsvrc", "labelling", "consensus", str(path), code=1)
    assert "votes.csv: no image has 10 votes" in said["said"]
    assert "(--first-votes)" in said["said"]
    marked = "\n".join(["wnid,image,vote,simulated", *(f"{line},true" for line in lines)])
    path.write_text(marked)
    rows = run("study", "ilsvrc", "labelling", "consensus", str(path), "--first-votes", "2")
    assert [row["simulated"] for row in rows] == [True, True]
    for more in ("--table", "--each"):
        rows = run(
            "study", "ilsvrc", "labelling", "consensus", str(path), "--first-votes", "2", more
        )
        assert len(rows) >= 2
        assert all(row["simulated"] is True for row in rows), more
    (said,) = run(
        "study", "ilsvrc", "labelling", "consensus", str(path), "--simulate", "20", code=2
    )
    assert "Give a table of VOTES, or --simulate" in said["said"]
    (said,) = run(
        "study", "ilsvrc", "labelling", "consensus", str(path), "--false-no", "0.1", code=2
    )
    assert "--false-no has no effect here: it needs --simulate" in said["said"]
