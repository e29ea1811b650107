"""Answers in words, such as a vision–language model gives, scored in a hierarchy: what each names,
how that stands to the true class, and how much of it rests on a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl import metrics
from graphzsl.audit.class_names import positions_as_names
from graphzsl.audit.evaluation import Evaluation, evaluate_run
from graphzsl.audit.formats.arrays import is_missing
from graphzsl.audit.formats.build import Numbered
from graphzsl.audit.formats.json_tables import read_json_table
from graphzsl.audit.formats.other_files import check_kind
from graphzsl.audit.formats.table import text, text_cells
from graphzsl.audit.formats.truth import devkit_classes
from graphzsl.audit.hierarchy_choice import load_hierarchy
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.several_labels import RULE
from graphzsl.common.errors import DataError
from graphzsl.common.frames import Tabular, in_order_of
from graphzsl.common.progress import log, progress_bar
from graphzsl.common.wording import counted, did_you_mean, near, some
from graphzsl.hierarchy.distances import leaf_information
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.meanings import CLASSES
from graphzsl.metrics.hierarchical.scores import precision_recall_f
from graphzsl.names.answers import STEPS, AnswerMapper, MappedAnswer
from graphzsl.names.class_language import AsWnids, candidates_of
from graphzsl.names.name_matching import Names, given_names
from graphzsl.sources.imagenet import Classes
from graphzsl.sources.tables import WNID

#: How what an answer names stands to the true class.
OUTCOMES = ("correct", "above", "below", "other", "several", "unmapped")
#: What columns are called, the first that is there counts. VLMEvalKit's answer is the true one.
_TRUE = ("label", "truth", "target", "ground_truth", "gt", "true", "class", "wnid")
_SAID = ("answer", "response", "prediction", "pred", "output", "filtered_resps", "resps", "text")
#: Texts -> their vectors [n, D].
Embedder = Callable[[list[str]], npt.ArrayLike]
EMBEDDING = "embedding"
#: Files of samples in the folder of a run of lmms-eval.
_SAMPLES = "**/*samples_*.jsonl"
#: A class that somebody wrote beside an answer, in the column wnid of a table with these columns.
_BY_HAND, _OF_ROWS = "by hand", {"wnid", "outcome", "step"}
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AnswerEvaluation(Tabular):
    """The result of ``evaluate_answers``.

    Args:
        true_classes: [N] the true classes of each answer, one or several, as wnids.
        mapped: [N] what each answer names.
        hierarchy: in which they are compared.
        candidates: the classes that decided what words mean.
        rounds: of the bootstrap; ``confidence`` and ``seed`` as in ``graphzsl.evaluate``.
    """

    true_classes: Sequence[Sequence[str]]
    mapped: Sequence[MappedAnswer]
    hierarchy: Hierarchy
    candidates: Sequence[str]
    rounds: int = 2000
    confidence: float = 0.95
    seed: int = 0

    def __repr__(self) -> str:
        counts = Counter(self.outcomes)
        said = ", ".join(f"{counts[each]:,} {each}" for each in OUTCOMES if counts[each])
        return f"<AnswerEvaluation of {len(self.labels):,} answers: {said}>"

    @cached_property
    def labels(self) -> list[str]:
        """[N] the true class of each answer; of several the one nearest to what the answer names,
        by the height of the lowest common ancestor."""
        pairs = zip(self.true_classes, self.mapped, strict=True)
        return [self._nearest(true, each.wnids) for true, each in pairs]

    def _nearest(self, true: Sequence[str], wnids: Sequence[str]) -> str:
        if len(true) == 1 or len(wnids) != 1:
            return true[0]
        return min(true, key=lambda label: self.hierarchy.lca_height(label, wnids[0]))

    @cached_property
    def outcomes(self) -> list[str]:
        """[N] one of ``OUTCOMES`` each."""
        pairs = zip(self.labels, self.mapped, strict=True)
        return [self._outcome(label, each.wnids) for label, each in pairs]

    def _outcome(self, label: str, wnids: Sequence[str]) -> str:
        if len(wnids) != 1:
            return "several" if wnids else "unmapped"
        found = self.hierarchy.outcome(label, wnids[0])
        return {"parent": "above", "child": "below", "unrelated": "other"}.get(found, found)

    @property
    def shares(self) -> dict[str, float]:
        """Outcome -> its share of the answers."""
        return {each: self.outcomes.count(each) / len(self.outcomes) for each in OUTCOMES}

    def metrics(self) -> list[dict[str, Any]]:
        """One row per metric: the shares of outcomes; hP, hR and hF, and the bits of information of
        answers that are right (correct, or above the truth), which are 0 for several and none.

        Reference:
            Kiritchenko et al. 2006 (hP, hR, hF); Deng et al. 2012 (information).
        """
        values: dict[str, Floats] = {
            each: np.array([float(outcome == each) for outcome in self.outcomes])
            for each in OUTCOMES
        }
        single = [at for at, each in enumerate(self.mapped) if len(each.wnids) == 1]
        for name in ("hP", "hR", "hF", "information"):
            values[name] = np.zeros(len(self.labels))
        if single:
            true = [self.labels[at] for at in single]
            named = [self.mapped[at].wnids[0] for at in single]
            found = precision_recall_f(self.hierarchy, true, named, average=None)
            for name, each in zip(("hP", "hR", "hF"), found, strict=True):
                values[name][single] = each
            bits = leaf_information(self.hierarchy)[self.hierarchy.positions(named)]
            is_right = [self.outcomes[at] in ("correct", "above") for at in single]
            values["information"][single] = np.where(is_right, bits, 0.0)
        _, classes = np.unique(self.labels, return_inverse=True)
        interval = partial(
            metrics.bootstrap_interval, rounds=self.rounds, level=self.confidence, seed=self.seed
        )
        rows = []
        for name, each in values.items():
            found_of = metrics.summary(each, classes, interval)
            low, high = found_of["per_class_interval"] or (None, None)
            row = {"metric": name, "per_class": found_of["per_class"]}
            rows.append(row | {"per_sample": found_of["per_sample"], "low": low, "high": high})
        return rows

    def steps(self) -> list[dict[str, Any]]:
        """One row per step by which classes were found, the surest first: how many answers, and how
        many of them are of each outcome."""
        rows = []
        for step in (_BY_HAND, *STEPS[:-1], EMBEDDING, STEPS[-1]):
            found = Counter(
                outcome
                for outcome, each in zip(self.outcomes, self.mapped, strict=True)
                if each.step == step
            )
            if found:
                counts = {outcome: found[outcome] for outcome in OUTCOMES}
                share = found.total() / len(self.labels)
                rows.append({"step": step or "none", "answers": found.total(), "share": share})
                rows[-1] |= counts
        return rows

    def rows(self) -> list[dict[str, Any]]:
        """One row per answer, in their order: what it names, and why; ``distance`` is in edges, of
        answers that are correct, above or below. ``evaluate_answers`` reads them back, corrected by
        hand."""
        names, distances = self.hierarchy.names, self._distances()
        return [
            {
                "label": " ".join(true),
                "answer": each.answer,
                "wnid": " ".join(each.wnids),
                "name": " ".join(names.get(wnid, wnid) for wnid in each.wnids),
                "outcome": outcome,
                "distance": distances.get(at),
                "step": each.step,
                "why": each.why,
            }
            for at, (true, each, outcome) in enumerate(
                zip(self.true_classes, self.mapped, self.outcomes, strict=True)
            )
        ]

    def run(self, name: str = "answers") -> Evaluation:
        """Evaluate the answers as the predictions of a classifier are, so that ``save`` makes a run
        of them: what an answer names is its one prediction, and several or none are no prediction.
        Candidates are all nodes of the hierarchy, whatever the answers name."""
        named = [each.wnids[0] if len(each.wnids) == 1 else None for each in self.mapped]
        candidates = sorted(self.hierarchy.wnids)
        column: dict[str | None, int] = {wnid: at for at, wnid in enumerate(candidates)}
        top = np.array([[column.get(wnid, -1)] for wnid in named])
        labels = self.labels
        pairs = zip(named, labels, strict=True)
        rank = np.array([1 if wnid == label else 2 for wnid, label in pairs])
        how = {"predictions": name, "answers": True}
        predictions = Predictions(candidates, labels, top, rank, False, metadata=how)
        drawn: Any = {"rounds": self.rounds, "confidence": self.confidence, "seed": self.seed}
        return evaluate_run(predictions, {"model": name}, [], hierarchy=self.hierarchy, **drawn)

    def _distances(self) -> dict[int, int]:
        """Place of an answer that is correct, above or below -> fewest edges to the true class."""
        pairs = {
            at: (self.labels[at], self.mapped[at].wnids[0])[:: -1 if outcome == "below" else 1]
            for at, outcome in enumerate(self.outcomes)
            if outcome in ("correct", "above", "below")
        }
        if not pairs:
            return {}
        low, high = (self.hierarchy.positions(each) for each in zip(*pairs.values(), strict=True))
        lower, row = np.unique(low, return_inverse=True)
        found = self.hierarchy.ancestor_distances(lower)[row, high]
        return dict(zip(pairs, (np.ravel(found).astype(int) - 1).tolist(), strict=True))


def evaluate_answers(
    labels: Sequence[Any] | str | Path,
    answers: Sequence[Any] | None = None,
    candidates: Classes | None = None,
    *,
    names: Names | None = None,
    wordnet: Hierarchy | Path | str = "wordnet",
    label_column: str | None = None,
    answer_column: str | None = None,
    numbered: Numbered = False,
    rounds: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
    embed: Embedder | None = None,
) -> AnswerEvaluation:
    """Evaluate answers in words: what each names, and how that stands to the true class.

    No model judges and nothing is downloaded: an answer's frame is taken off, what it says the
    image shows is found, and its words are looked up (``graphzsl.names.answers``). Every step is
    written down in ``rows``.

    Args:
        labels: [N] the true classes, wnids or names, or lists of them where several are true; or a
            file of both: a table with a header (CSV, TSV) or JSON lines, as lmms-eval and
            VLMEvalKit write them; or the folder of a run of lmms-eval or lmms-owc, with one such
            file of samples in it. Of an answer in several turns the last one counts. In a table of
            ``rows`` the column ``wnid`` is what answers name, corrected by hand.
        answers: [N] the answers, where ``labels`` is no file; None and nan are empty. Where both
            are of pandas, their indices say which rows belong together.
        candidates: the classes whose senses decide what a word means (default: ilsvrc2012).
        names: name -> wnid of other names, as in ``graphzsl.evaluate``.
        wordnet: the hierarchy.
        label_column: the column of true classes, where several may be it.
        answer_column: the column of answers, where several may be it.
        numbered: the true classes are positions from 0 in the candidates, or, with "devkit",
            numbers of ILSVRC's ground truth.
        rounds: of the bootstrap.
        confidence: of the intervals.
        seed: of the bootstrap.
        embed: texts -> [n, D] vectors: answers that name nothing by their words are taken as the
            candidate whose name has the nearest vector, by the step "embedding". Never by default.

    Returns:
        The evaluation. Where several classes are true of an answer, the one nearest to what it
        names counts, by the height of the lowest common ancestor.

    Raises:
        DataError: other numbers of labels and answers, a file without answers, columns that are not
            clear, a label that is no candidate's name or no synset.

    >>> found = gz.evaluate_answers(
    ...     ["n02088364", "n02123394"], ["It's a beagle!", "a fluffy cat on a couch"]
    ... )
    >>> found.outcomes
    ['correct', 'above']
    """
    by_hand: list[str] = []
    said = "the answers"
    if isinstance(labels, str | Path):
        if answers is not None:
            raise DataError("The answers stand in the file.", argument="answers")
        path = Path(labels)
        labels, answers, by_hand, said = read_answers(path, label_column, answer_column)
    if answers is None:
        raise DataError("Give the answers, or a file of labels and answers.", argument="answers")
    if len(labels) != len(answers):
        raise DataError(
            f"There are {len(labels):,} labels and {len(answers):,} answers.", argument="answers"
        )
    answers = in_order_of(labels, answers, ("labels", "answers"))
    texts = ["" if is_missing(answer) else str(answer) for answer in answers]
    if not any(map(str.strip, texts)):
        raise DataError(f"{said}: none has any text.", argument="answer_column")
    if numbered is True and candidates is None:
        raise DataError("Numbers of classes need the candidates.", argument="candidates")
    classes = candidates_of(candidates or CLASSES).classes
    hierarchy = load_hierarchy(wordnet) if isinstance(wordnet, str | Path) else wordnet
    true = _true_classes(labels, classes, names, numbered)
    hierarchy.check_classes({*chain.from_iterable(true), *classes})
    mapper = AnswerMapper(classes, _named(names))
    mapped = [mapper(text) for text in progress_bar(texts, "reading answers")]
    for at, written in enumerate(by_hand):
        wnids = tuple(map(hierarchy.wnid, written.split()))
        if wnids != mapped[at].wnids:
            mapped[at] = MappedAnswer(texts[at], wnids, "", _BY_HAND, "the column wnid")
    _note_ambiguous(mapped)
    if embed is not None:
        mapped = _with_nearest_names(mapped, classes, hierarchy, embed)
    return AnswerEvaluation(true, mapped, hierarchy, classes, rounds, confidence, seed)


def _note_ambiguous(mapped: Sequence[MappedAnswer]) -> None:
    """Log which words may mean several classes, and what they were read as."""
    ambiguous = [each.why for each in mapped if each.others]
    if ambiguous:
        most = [why for why, _ in Counter(ambiguous).most_common(5)]
        what = counted(len(ambiguous), "answer has a word", "answers have words")
        more = " …" * (len(set(ambiguous)) > len(most))
        log(f"{what} of several classes (names that are given decide): {'; '.join(most)}{more}.")


def _with_nearest_names(
    mapped: Sequence[MappedAnswer], classes: Sequence[str], hierarchy: Hierarchy, embed: Embedder
) -> list[MappedAnswer]:
    """Answers, of which those that name nothing have the candidate of the most similar name (by
    cosine); empty ones stay."""
    left = [at for at, each in enumerate(mapped) if not each.wnids and each.answer.strip()]
    found = list(mapped)
    if not left:
        return found
    called = [hierarchy.names.get(wnid, wnid).partition(".")[0] for wnid in classes]
    names = [name.replace("_", " ") for name in called]
    texts = [mapped[at].answer for at in left]
    vectors = []
    for given in (names, texts):
        made = np.asarray(embed(given), dtype=np.float64)
        if made.ndim != 2 or len(made) != len(given) or not np.isfinite(made).all():
            raise DataError(
                f"embed gave {made.shape} for {len(given):,} texts; expected finite [n, D].",
                argument="embed",
            )
        vectors.append(made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12))
    nearest = (vectors[1] @ vectors[0].T).argmax(axis=1)
    for at, place in zip(left, nearest.tolist(), strict=True):
        why = f"{names[place]!r} by {EMBEDDING}"
        answer = mapped[at].answer
        found[at] = MappedAnswer(answer, (classes[place],), names[place], EMBEDDING, why)
    return found


def _named(names: Names | None) -> dict[str, str]:
    """name -> wnid of the names that are given."""
    if names is None:
        return {}
    entries = given_names(names).entries
    return {str(each.name): str(each.wnid) for each in entries if each.wnid}


def _true_classes(
    labels: Sequence[Any], classes: Sequence[str], names: Names | None, numbered: Numbered
) -> list[list[str]]:
    """[N] the wnids of the true classes of each answer, which may be no candidates."""
    written = [_classes(label) for label in labels]
    first: dict[str, int] = {}
    for at, own in enumerate(written):
        for each in own or [""]:
            first.setdefault(each, at)
    if "" in first:
        raise DataError(f"Row {first[''] + 1} has no true class.")
    if several := sum(len(own) > 1 for own in written):
        log(f"{counted(several, 'answer has', 'answers have')} several true classes: {RULE}.")
    others = [label for label in first if numbered or not WNID.match(label)]

    def place(at: int) -> str:
        return f"row {first[others[at]] + 1}"

    if numbered == "devkit":
        wnids = devkit_classes(others, place)
    elif numbered:
        wnids = positions_as_names(others, classes, place)
    else:
        wnids = AsWnids(classes, names)(others) if others else []
    read = dict(zip(others, wnids, strict=True))
    return [[read.get(each, each) for each in own] for own in written]


def _classes(label: Any) -> list[str]:
    """The true classes of one answer as texts: of a list, a text, or wnids with blanks between."""
    if hasattr(label, "tolist"):
        label = label.tolist()
    if isinstance(label, set | frozenset):
        label = sorted(label, key=str)
    if isinstance(label, list | tuple):
        return list(dict.fromkeys(each for part in label for each in _classes(part)))
    words = ["" if is_missing(label) else text(label)]
    several = words[0].split()
    return several if several and all(map(WNID.match, several)) else words


def read_answers(
    path: Path, label_column: str | None = None, answer_column: str | None = None
) -> tuple[list[Any], list[str], list[str], str]:
    """(true classes, answers, wnids by hand, what a message calls the answers) of a file; see
    ``evaluate_answers``.

    Raises:
        DataError: the file cannot be read, or names the columns that are not there or not clear.
    """
    if path.is_dir():
        path = _only_samples(path)
    check_kind(path)
    if path.suffix.lower() in (".json", ".jsonl", ".ndjson"):
        table = read_json_table(path)
        header = [str(each) for each in table.header or ()]
        columns = dict(zip(header, table.columns, strict=True))
    else:
        rows = text_cells(path)
        header = [cell.strip() for cell in rows[0][1]] if rows else []
        for line, row in rows:
            if len(row) != len(header):
                raise DataError(f"{path}:{line}: {len(row)} columns; the header has {len(header)}.")
        columns = {each: [row[at] for _, row in rows[1:]] for at, each in enumerate(header)}
    said = _column(path, columns, answer_column, _SAID, "answer_column")
    known = ("answer", *_TRUE) if said != "answer" else _TRUE
    hand = columns["wnid"] if columns.keys() >= _OF_ROWS and label_column != "wnid" else []
    others = {each: cells for each, cells in columns.items() if each != "wnid" or not hand}
    true = _column(path, others, label_column, known, "label_column")
    log(f"{path.name}: true classes of the column {true!r}, answers of {said!r}.")
    texts = [_last_turn(each) for each in columns[said]]
    by_hand = [str(each or "") for each in hand]
    return list(columns[true]), texts, by_hand, f"{path}, column {said!r}"


def _only_samples(folder: Path) -> Path:
    """The one file of samples in a folder of a run; DataError names several."""
    files = sorted(folder.glob(_SAMPLES))
    if len(files) == 1:
        return files[0]
    what = some([str(each.relative_to(folder)) for each in files])
    raise DataError(
        f"{folder} holds {f'several files of samples: {what}' if files else 'no file of samples'}."
        " Give one file, as lmms-eval and lmms-owc write them: …_samples_….jsonl."
    )


def _column(
    path: Path, columns: Mapping[str, Any], given: str | None, known: Sequence[str], argument: str
) -> str:
    if given is not None:
        if given in columns:
            return given
        offer = did_you_mean(near(given, columns))
        raise DataError(
            f"{path} has no column {given!r}; it has {some(list(columns))}.{offer}",
            argument=argument,
        )
    found = [each for each in known if each in columns]
    hidden = {"resps": "filtered_resps", "answer": "prediction"}  # lmms-eval, VLMEvalKit
    found = [each for each in found if hidden.get(each) not in found]
    if len(found) > 1:
        raise DataError(
            f"{path}: several of its columns may be meant: {some(found)}. Say which one.",
            argument=argument,
        )
    if not found:
        raise DataError(
            f"{path}: none of its columns, {some(list(columns))}, is called {', '.join(known)}. Say"
            " which one is meant.",
            argument=argument,
        )
    return found[0]


def _last_turn(value: Any) -> str:
    """The last text of a cell, which lmms-eval writes as lists in lists: an answer's turns."""
    while isinstance(value, list | tuple):
        value = value[-1] if value else ""
    return "" if value is None else str(value).strip()
