"""Cost of annotation when labels are found by walking a hierarchy of questions (Russakovsky et al.
2015, section 3.3.3, algorithm 1).

Asking "is there a …?" for every label costs as many questions as there are labels. Walking asks the
topmost questions first; a "no" answers everything below. A wrong yes only costs questions, a wrong
no loses labels: both can be simulated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import row_of

DETECTION = Path(__file__).parent / "detection_questions.txt"


@dataclass(frozen=True)
class Answers:
    """Result of one walk: the labels answered yes, and the number of questions asked."""

    labels: set[str]
    questions: int


def walk(
    questions: Hierarchy,
    labels: Collection[str],
    answer: Callable[[str], bool],
    known: Collection[str] = (),
) -> Answers:
    """Walk the questions breadth first (parents before children, ties by name), from the roots
    down.

    ``answer(question)`` is the annotator. A no marks all unanswered descendants no, also those with
    another parent, as printed. ``known`` labels and their ancestors are yes without asking.
    """
    state: dict[str, bool] = {}
    for label in known:
        state.update(dict.fromkeys({label} | questions.ancestors(label), True))
    is_root = np.diff(questions.up.indptr) == 0
    count = 0
    waiting = deque(wnid for wnid in questions.wnids if is_root[questions.index[wnid]])
    queued = set(waiting)
    while waiting:
        question = waiting.popleft()
        if question not in state:
            state[question] = answer(question)
            count += 1
        if state[question]:
            following = questions.wnids_at(row_of(questions.down, questions.index[question]))
            waiting.extend(child for child in following if child not in queued)
            queued.update(following)
        else:
            for below in questions.descendants(question):
                state.setdefault(below, False)
    return Answers({label for label in labels if state.get(label)}, count)


def truthful(questions: Hierarchy, present: Collection[str]) -> Callable[[str], bool]:
    """An annotator who sees everything: yes to a present label and all above it."""
    yes = set(present).union(*(questions.ancestors(label) for label in present))
    return yes.__contains__


def annotation_cost(
    questions: Hierarchy,
    labels: Sequence[str],
    present: int,
    images: int,
    seed: int = 0,
    false_yes: float = 0.0,
    false_no: float = 0.0,
) -> dict[str, Any]:
    """Simulated images with ``present`` random labels each: mean questions asked, against one for
    every label, and the labels found.

    ``false_yes`` and ``false_no`` are the annotator's error rates, drawn a question at a time.
    SIMULATED: real images do not draw labels evenly.
    """
    if not 0 <= present <= len(labels) or images < 1:
        raise DataError(
            f"{present} labels per image on {images} images do not fit {len(labels)} labels."
        )
    rng = np.random.default_rng(seed)
    counts, recovered, extra = np.zeros(images), 0, 0
    for image in range(images):
        there = {labels[place] for place in rng.choice(len(labels), size=present, replace=False)}
        sees = truthful(questions, there)

        def answer(question: str, sees: Callable[[str], bool] = sees) -> bool:
            right = sees(question)
            return right != (rng.random() < (false_no if right else false_yes))

        answers = walk(questions, labels, answer)
        counts[image] = answers.questions
        recovered += len(answers.labels & there)
        extra += len(answers.labels - there)
    return {
        "labels_present": present,
        "questions_mean": float(counts.mean()),
        "questions_min": int(counts.min()),
        "questions_max": int(counts.max()),
        "asking_every_label": len(labels),
        "questions_saved": float(1 - counts.mean() / len(labels)),
        "recall": recovered / (present * images) if present else None,
        "wrong_labels_mean": extra / images,
        "images": images,
        "simulated": True,
    }


def cost_curve(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    sizes: Sequence[int],
    present: int = 1,
    images: int = 500,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Rows of ``annotation_cost``, truthful, for growing sets of labels: the first so many of the
    classes in a random order, each with the questions of its own hierarchy.

    ``labels`` is their number, and ``questions_per_doubling`` what a doubling of it costs beside
    the row before: a cost that grows as the logarithm of the labels has one value, a cost that
    grows with their number one that doubles. SIMULATED, as ``annotation_cost``.

    Reference: Russakovsky et al. 2015, section 3.3.3, expect a cost that grows as the logarithm.
    """
    ordered = np.random.default_rng(seed).permutation(np.array(classes)).tolist()
    rows: list[dict[str, Any]] = []
    for size in sorted(set(sizes)):
        labels = ordered[:size]
        # a node with a single child asks nothing of its own
        questions = hierarchy.pruned(labels)
        row = {"labels": size, **annotation_cost(questions, labels, present, images, seed)}
        more = None
        if rows:
            doublings = np.log2(size / rows[-1]["labels"])
            more = float((row["questions_mean"] - rows[-1]["questions_mean"]) / doublings)
        rows.append(row | {"questions_per_doubling": more})
    return rows


def detection_questions() -> tuple[Hierarchy, list[str]]:
    """(questions, the 200 labels by number) of ILSVRC's detection task (appendix D), its damaged
    indentation repaired."""
    edges: list[tuple[str, str]] = []
    path: list[str] = []
    for line in DETECTION.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, _, numbers = line.strip().partition(":")
        depth = (len(line) - len(line.lstrip())) // 2
        edges += [(name, above) for above in path[:depth][-1:]]
        edges += [(label, name) for label in _numbers(numbers)]
        path[depth:] = [name]
    # what stands below "-" is a root
    nodes = {node for edge in edges for node in edge} - {"-"}
    labels = sorted((node for node in nodes if node.isdigit()), key=int)
    return Hierarchy.from_edges([edge for edge in edges if "-" not in edge], nodes), labels


def _numbers(text: str) -> list[str]:
    numbers: list[str] = []
    for part in text.replace(",", " ").split():
        first, _, last = part.partition("-")
        numbers += [str(number) for number in range(int(first), int(last or first) + 1)]
    return numbers
