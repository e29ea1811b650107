"""``graphzsl.evaluate``: predictions of a model, a file, a frame, arrays, or answers in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from graphzsl.audit.answers import AnswerEvaluation, evaluate_answers
from graphzsl.audit.evaluation import Evaluation
from graphzsl.audit.formats.build import Numbered, Truth
from graphzsl.audit.formats.truth import Labels
from graphzsl.audit.hierarchy_choice import AUTO, WORDNET
from graphzsl.audit.pipeline import prepare
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.metrics.hierarchical.decoding import DecodedMetric
from graphzsl.names.name_matching import Names
from graphzsl.sources.imagenet import Classes


@overload
def evaluate(
    predictions: Any, predicted: None = None, *, answers: Sequence[str], **how: Any
) -> AnswerEvaluation: ...


@overload
def evaluate(
    predictions: Any, predicted: Any = None, *, answers: None = None, **how: Any
) -> Evaluation: ...


def evaluate(  # type: ignore[misc]
    predictions: Any,
    predicted: Any = None,
    *,
    ranked: Any = None,
    scores: Any = None,
    answers: Sequence[str] | None = None,
    candidates: Classes | None = None,
    names: Names | None = None,
    train: Classes | None = None,
    wordnet: Hierarchy | str | Path | None = AUTO,
    labels: Labels | None = None,
    truth: Truth | None = None,
    label_column: str | None = None,
    pred_column: str | Iterable[str] = (),
    score_column: str | None = None,
    numbered: Numbered = False,
    missing: Literal["error", "miss"] = "error",
    valid: Classes | None = None,
    hcorrect: str | Path | None = None,
    rounds: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
    k: int | Iterable[int] | None = None,
    name: str | None = None,
    simulated: bool = False,
    decode: DecodedMetric | None = None,
) -> Evaluation | AnswerEvaluation:
    """Evaluate the predictions of any classifier: hit@k, and in a hierarchy hp@k and the rest.

    Args:
        predictions: of a model or of arrays (``Predictions``), a file (see ``read_predictions``), a
            DataFrame or Arrow table; or, with one of the next four, the [N] true classes: arrays of
            numpy or torch, series or lists; a list of classes where several are true of a sample.
        predicted: [N] the predicted classes.
        ranked: [N, K] the predicted classes, best first; lists may be of different lengths.
        scores: [N, C] scores of the candidates, larger is better.
        answers: [N] what a vision-language model says, in words: the result is that of
            ``evaluate_answers``, and ``candidates`` are ilsvrc2012's where none are given.
        candidates: what the classifier of a file, frame or arrays chose from, [C] in the order of
            scores and numbers: names, a file of them, or an ImageNet list such as "ilsvrc2012"
            (default: every class there). Whole numbers among the classes of arrays (1 and 1.0
            alike) are positions from 0 in them, or, where the candidates are numbers themselves or
            none are given, what classes are called; texts ("1") always are what they are called.
        names: the names that the classifier knew its classes by, where they are no words of
            WordNet's, or not of one class alone: a file of wnids and names (of these names alone),
            wnid -> name, name -> wnid, or names in the order of ``candidates``.
        train: the training classes, for groups by hops and the generalized setting (default: those
            of the model that predicted).
        wordnet: adds parents and children, heights of lowest common ancestors and, where it is
            whole, hp@k and groups by hops: a ``Hierarchy``, "wordnet" for ``Hierarchy.load()``, the
            folder of an exported subgraph, or "auto": WordNet where all classes are wnids, or names
            that become wnids (stderr says so). None: no hierarchy, and names stay names.
        labels: the true classes of a file or frame that does not hold them; "real" for those of
            ImageNet-ReaL (``read_predictions``).
        truth: where the true class of a table is: "column", or "folder", that of each file
            (default: the column, or the folder where all of them are wnids).
        label_column: the column of true classes, where its name does not say so.
        pred_column: the column of predictions, or several, best first.
        score_column: the column of their scores.
        numbered: classes of a file or frame are positions from 0 in ``candidates``; with "devkit"
            the true ones are numbers of ILSVRC's ground truth, from 1 in an order of its own.
        missing: what to do if a true class is not a candidate: 'error' raises, 'miss' counts its
            samples as wrong.
        valid: valid set of hp@k (default: the candidates); "devise": candidates and training
            classes.
        hcorrect: folder of exported hCorrectSets for hp@k, instead of computing them.
        rounds: of the bootstrap.
        confidence: of its intervals.
        seed: of its draws.
        k: of hit@k and hp@k, one or several, at most 20 and less than the candidates (default: 1,
            2, 5, 10 and 20, of lists as far as they reach, and their length).
        name: what to call the classifier.
        simulated: say in the result that the predictions are simulated.
        decode: also the answers of the best expected metric (``gz.hierarchical.decode``) of scores
            of all candidates, beside the most probable classes: ``decoded`` of the result. Scores
            that are no probabilities become some by a softmax, as those of a network do.

    Returns:
        The metrics by name; ties count against the model in all of them. Where several classes are
        true of a sample, it is right where any of them is predicted, and elsewhere stands for the
        one that is nearest to its first prediction.

    Raises:
        DataError: a file, its lists or its classes are wrong, a class is not in the hierarchy, or
            a k is larger than the lists are long, or not less than the number of candidates.
        ModelError: hCorrectSets are missing for a class.

    Reference:
        Frome et al. 2013 (hp@k); Xian et al. 2017 (per-class means, ts, tr, H); Hascoet et al. 2019
        (parents and children).

    >>> lists = [["tench", "hen"], ["tench", "hen"]]
    >>> result = gz.evaluate(["tench", "goldfish"], ranked=lists)
    >>> result["hit@1"].per_class, result["unrelated"].per_class
    (0.5, 0.5)
    >>> result.confusions()[0]["common_name"]
    'cyprinid.n.01'
    >>> scores = [[0.9, 0.1], [0.2, 0.8]]
    >>> classes = ["n02084071", "n02121620"]
    >>> gz.evaluate([0, 1], scores=scores, candidates=classes)["hit@1"].per_class
    1.0
    >>> gz.evaluate(["beagle"], answers=["It's a small dog."]).outcomes
    ['above']
    """
    bootstrap: Any = {"rounds": rounds, "confidence": confidence, "seed": seed}
    if answers is not None:
        of_tables = (labels, truth, label_column, score_column)
        others = (predicted, ranked, scores, train, valid, hcorrect, k, name, decode, *of_tables)
        if any(each is not None for each in others) or simulated or pred_column:
            raise DataError(
                "Beside answers only candidates, names, numbered, wordnet and the bootstrap have an"
                " effect."
            )
        if wordnet is None:
            raise DataError("Answers are compared in a hierarchy.", argument="wordnet")
        hierarchy = WORDNET if wordnet == AUTO else wordnet
        of_answers: Any = {"names": names, "numbered": numbered, "wordnet": hierarchy}
        return evaluate_answers(predictions, answers, candidates, **of_answers, **bootstrap)
    prepared = prepare(
        predictions,
        predicted,
        ranked=ranked,
        scores=scores,
        candidates=candidates,
        names=names,
        train=train,
        wordnet=wordnet,
        labels=labels,
        truth=truth,
        label_column=label_column,
        pred_column=pred_column,
        score_column=score_column,
        numbered=numbered,
        missing=missing,
        valid=valid,
        hcorrect=hcorrect,
        name=name,
        simulated=simulated,
        keep_scores=decode is not None,
    )
    found = prepared.evaluate(**bootstrap, k=k, decode=decode)
    if prepared.warning:
        log(prepared.warning)
    return found
