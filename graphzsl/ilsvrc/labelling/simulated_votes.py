"""Votes of annotators who do not exist, on images whose truth is known: SIMULATED."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.ilsvrc.labelling.consensus import (
    CONFIDENCE,
    FIRST_VOTES,
    Decision,
    consensus,
    consensus_counts,
)
from graphzsl.sources.judgements import Votes


def simulated_votes(
    images: int,
    sampled: int,
    good_share: float,
    false_yes: float,
    false_no: float,
    first_votes: int = FIRST_VOTES,
    seed: int = 0,
) -> tuple[dict[str, list[bool]], dict[str, bool]]:
    """(image -> its votes, image -> whether it is good). SIMULATED.

    The first ``sampled`` images and all others have ``first_votes`` votes each: one vote of the
    others is one too few to be of the sample. Annotators err independently of each other and of the
    image.

    Args:
        images: how many.
        sampled: how many of them are the first sample.
        good_share: share of good images.
        false_yes: share of yes for a bad image.
        false_no: share of no for a good one.
        first_votes: votes of an image of the sample; others have one less.
        seed: of the random numbers.
    """
    if not 0 < sampled <= images:
        raise DataError(f"A first sample of {sampled:,} does not fit {images:,} images.")
    rng = np.random.default_rng(seed)
    good = rng.random(images) < good_share
    says_yes = np.where(good, 1 - false_no, false_yes)
    votes = rng.random((images, first_votes)) < says_yes[:, None]
    names = [f"image-{number}" for number in range(1, images + 1)]
    given = [row if at < sampled else row[:-1] for at, row in enumerate(votes.tolist())]
    return dict(zip(names, given, strict=True)), dict(zip(names, good.tolist(), strict=True))


def simulated_consensus(
    images: int,
    sampled: int,
    good_share: float,
    false_yes: float,
    false_no: float,
    first_votes: int = FIRST_VOTES,
    confidence: float = CONFIDENCE,
    prior: float = 0.0,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """One row for dynamic consensus and one for a majority of each odd number of votes below
    ``first_votes``, all of the images that are not of the first sample. SIMULATED.

    ``precision`` is the share of good images among those that are kept, None where none is;
    ``recall`` the share of the good ones that are kept. Images that stay open are not kept.
    """
    votes, good = simulated_votes(
        images, sampled, good_share, false_yes, false_no, first_votes, seed
    )
    _, decisions = consensus(Votes({"": votes}, True), first_votes, confidence, prior)
    asked = {image: each for image, each in decisions.items() if not each.sampled}
    if not asked:
        raise DataError("Every image is of the first sample. Give more images, or fewer of these.")
    rows = [_row("dynamic", asked, good)]
    for number in range(1, first_votes, 2):
        yes = {image: sum(votes[image][:number]) for image in asked}
        fixed = {image: Decision(2 * some > number, number, None) for image, some in yes.items()}
        rows.append(_row(f"majority of {number}", fixed, good))
    return rows


def _row(rule: str, decisions: dict[str, Decision], good: dict[str, bool]) -> dict[str, Any]:
    kept = [image for image, each in decisions.items() if each.good]
    right, there = sum(good[image] for image in kept), sum(good[image] for image in decisions)
    counts = consensus_counts(decisions)
    return {
        "rule": rule,
        "images": counts["images"],
        "kept": len(kept),
        "open": counts["open"],
        "votes_per_image": counts["votes_per_image"],
        "precision": right / len(kept) if kept else None,
        "recall": right / there if there else None,
        "simulated": True,
    }
