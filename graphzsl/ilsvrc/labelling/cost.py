"""Cost of labelling plans, in questions: images × questions of each × people asked.

Reference: Russakovsky et al. 2015, section 3.3.3: every one of 200 labels on 60,000 images is 80
times one label on 150,000.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.reading.number_texts import decimal, whole


@dataclass(frozen=True)
class Plan:
    """Images, and questions that each of them takes: as many as there are labels where every label
    is asked for, the mean of a walk where questions form a hierarchy (``annotation_cost``)."""

    images: int
    questions: float


def plan_of(text: str) -> Plan:
    """``60000x200`` or ``60000x29.06``: images × questions of each. DataError for anything else."""
    images, _, questions = text.lower().replace("×", "x").partition("x")
    plan = Plan(whole(images.strip()) or 0, decimal(questions) or 0)
    if plan.images < 1 or not 0 < plan.questions < float("inf"):
        raise DataError(
            f"{text!r} is not a plan: images x questions of each, such as 60000x200 or 60000x29.06."
        )
    return plan


def plan_rows(
    plans: Sequence[Plan], votes: float = 1.0, seconds: float | None = None
) -> list[dict[str, Any]]:
    """One row per plan: ``images``, ``questions_per_image``, ``votes``, ``questions`` in all, how
    many ``times`` those of the cheapest plan that is, and the ``hours`` of people where one
    question takes ``seconds``.

    ``votes`` are the people who answer each question.
    """
    totals = [plan.images * plan.questions * votes for plan in plans]
    return [
        {
            "images": plan.images,
            "questions_per_image": plan.questions,
            "votes": votes,
            "questions": total,
            "times": total / min(totals),
            **({} if seconds is None else {"hours": total * seconds / 3600}),
        }
        for plan, total in zip(plans, totals, strict=True)
    ]
