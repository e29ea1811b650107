"""Dynamic consensus: how many people must say yes before an image counts as one of its class.

Some classes are harder than others, so each has its own table: the images of a first sample get
many votes, whose majority is taken for the truth, and the table says how often an image was good
after so many yes and no. Every other image is asked about until its table is sure.

Reference: Deng et al. 2009, section 3.2; Russakovsky et al. 2015, section 3.1.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted, some
from graphzsl.sources.judgements import Votes

Floats = npt.NDArray[np.float64]
#: Votes of an image of the first sample (section 3.1.3: at least 10).
FIRST_VOTES = 10
#: How sure a table must be.
CONFIDENCE = 0.95


@dataclass(frozen=True)
class VoteTable:
    """Share of good images after y yes and n no.

    Args:
        good: [M + 1, M + 1] the share, by yes and no; nan where no image of the sample came there.
        images: [M + 1, M + 1] how many images of the sample come there, as a mean over all orders
            of their votes.
        sampled: images of the sample.
        simulated: the votes say so.
    """

    good: Floats
    images: Floats
    sampled: int
    simulated: bool = False

    def rows(self) -> list[dict[str, Any]]:
        """One row per number of yes and no that images of the sample came to: ``yes``, ``no``,
        ``good_share``, ``images``, and ``simulated`` where the votes say so; few votes first."""
        mark = {"simulated": True} if self.simulated else {}
        seen = sorted(
            zip(*np.nonzero(self.images > 0), strict=True), key=lambda at: (sum(at), -at[0])
        )
        return [
            {
                "yes": int(yes),
                "no": int(no),
                "good_share": float(self.good[yes, no]),
                "images": float(self.images[yes, no]),
                **mark,
            }
            for yes, no in seen
            if yes + no
        ]


@dataclass(frozen=True)
class Decision:
    """Decision on an image, from its votes.

    Args:
        good: whether it is one of its class; None where the table is not sure yet.
        votes: votes until it was sure, or all of them.
        share: what the table says after these votes; None where it says nothing.
        sampled: whether it is of the first sample, whose majority counts.
        simulated: the votes say so.
    """

    good: bool | None
    votes: int
    share: float | None
    sampled: bool = False
    simulated: bool = False

    def row(self, image: str) -> dict[str, Any]:
        """The decision in one row; ``simulated`` where the votes say so."""
        label = "open" if self.good is None else "good" if self.good else "bad"
        row = {"image": image, "label": label, "votes": self.votes, "good_share": self.share}
        return row | {"sampled": self.sampled} | ({"simulated": True} if self.simulated else {})


def vote_table(
    votes: Sequence[Sequence[bool]], first_votes: int = FIRST_VOTES, prior: float = 0.0
) -> VoteTable:
    """The table of a first sample.

    An image is good where more than half of all its votes say yes; a tie is not. Its votes may have
    come in any order, so it counts at y yes and n no with the probability of drawing these among
    its votes without replacement (the hypergeometric distribution).

    Args:
        votes: the votes of each image of the sample, at least ``first_votes``.
        first_votes: the largest y + n of the table.
        prior: good and bad images that every place of the table has beforehand, each so many. The
            papers have none; with a small sample some keep a table from being sure after one vote.

    Raises:
        DataError: no image, or one with fewer votes.
    """
    from scipy.stats import hypergeom  # it takes a second

    if not votes or min(map(len, votes)) < first_votes:
        raise DataError(
            f"A vote table needs images with {counted(first_votes, 'vote')} or more each."
        )
    shape = (first_votes + 1, first_votes + 1)
    good, seen = np.zeros(shape), np.zeros(shape)
    # images with as many votes and as many yes are alike
    kinds, number_of = np.unique(
        [(len(each), sum(each)) for each in votes], axis=0, return_counts=True
    )
    for (total, yes), number in zip(kinds.tolist(), number_of.tolist(), strict=True):
        for drawn in range(first_votes + 1):
            ays = np.arange(drawn + 1)
            weight = number * hypergeom.pmf(ays, total, yes, drawn)
            seen[ays, drawn - ays] += weight
            good[ays, drawn - ays] += weight * (2 * yes > total)
    with np.errstate(invalid="ignore"):
        share = np.where(seen > 0, (good + prior) / (seen + 2 * prior), np.nan)
    return VoteTable(share, seen, len(votes))


def decide(votes: Sequence[bool], table: VoteTable, confidence: float = CONFIDENCE) -> Decision:
    """Walk through the votes of an image until the table is sure: the share of good images is at
    least ``confidence``, or at most 1 - ``confidence``. Votes behind that are not read, and none
    behind the end of the table."""
    yes, share = 0, None
    most = len(table.good) - 1
    for number, vote in enumerate(votes[:most], 1):
        yes += vote
        found = table.good[yes, number - yes]
        share = None if np.isnan(found) else float(found)
        # 0.95 is not 1 - 0.05
        if share is not None and share >= confidence - 1e-12:
            return Decision(True, number, share, simulated=table.simulated)
        if share is not None and share <= 1 - confidence + 1e-12:
            return Decision(False, number, share, simulated=table.simulated)
    return Decision(None, min(len(votes), most), share, simulated=table.simulated)


def consensus(
    votes: Votes | Mapping[str, Sequence[bool]],
    first_votes: int = FIRST_VOTES,
    confidence: float = CONFIDENCE,
    prior: float = 0.0,
    of_class: str = "",
) -> tuple[VoteTable, dict[str, Decision]]:
    """(table, image -> decision) of the images of one class. Those with at least ``first_votes``
    are the first sample, which the table is made of and whose majority counts.

    Args:
        votes: image -> its votes; or a table of votes, whose class ``of_class`` is taken. What
            comes of a table that says that it is simulated says so, too.
        first_votes: votes of an image of the first sample.
        confidence: see ``decide``.
        prior: see ``vote_table``.
        of_class: a class of the table; "" where it has no column of classes.

    Raises:
        DataError: no image has so many votes, or the table has no such class.
    """
    if not isinstance(votes, Votes):
        votes = Votes({of_class: {image: [*each] for image, each in votes.items()}})
    if of_class not in votes.of_class:
        classes = [name or "images without a class" for name in votes.of_class]
        raise DataError(
            f"The table has no votes about {of_class or 'images without a class'}; it has votes"
            f" about {some(classes)}.",
            argument="of_class",
        )
    images = votes.of_class[of_class]
    sample = [each for each in images.values() if len(each) >= first_votes]
    table = replace(vote_table(sample, first_votes, prior), simulated=votes.simulated)
    found = {
        image: Decision(2 * sum(each) > len(each), len(each), None, True, votes.simulated)
        if len(each) >= first_votes
        else decide(each, table, confidence)
        for image, each in images.items()
    }
    return table, found


def consensus_counts(decisions: Mapping[str, Decision]) -> dict[str, Any]:
    """``images``, how many were ``sampled``, are ``good``, ``bad`` and still ``open``, and the
    votes of those that were not sampled: ``votes``, ``votes_per_image`` (None without such);
    ``simulated`` where a decision is."""
    every, asked = list(decisions.values()), [d for d in decisions.values() if not d.sampled]
    votes = sum(each.votes for each in asked)
    return {
        "images": len(every),
        "sampled": len(every) - len(asked),
        "good": sum(each.good is True for each in every),
        "bad": sum(each.good is False for each in every),
        "open": sum(each.good is None for each in every),
        "votes": votes,
        "votes_per_image": votes / len(asked) if asked else None,
        **({"simulated": True} if any(each.simulated for each in every) else {}),
    }
