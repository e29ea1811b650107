"""The picture of a run: the accuracy of its true classes, and how far they are from the training
classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from graphzsl.audit.run_files import interval_of
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import number_of
from graphzsl.common.wording import counted
from graphzsl.hierarchy.closest import Closest
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.reports.pictures.subjects import Listed, Subject, counted_roles, known_of
from graphzsl.reports.pictures.training import Lists, learned_by
from graphzsl.reports.pictures.tree import Values
from graphzsl.reports.pictures.words import lexicon_of, word_of

if TYPE_CHECKING:
    from graphzsl.hierarchy.lexicon import Lexicon


def of_run(
    hierarchy: Hierarchy,
    result: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    train: Listed | None = None,
    name: str | None = None,
    only_tested: bool = False,
    lists: Sequence[Lists] = (),
) -> Subject:
    """The subject of a run: the accuracy of its true classes.

    Hops, closest training classes and ratios are those to all training classes, whether or not they
    have samples in the run. Where nobody knows all of them, hops and the closest class are those of
    the run's table, and there is no ratio.

    Args:
        hierarchy: all of WordNet; the run's classes are nodes of it.
        result: the JSON of the run.
        rows: of its table of classes.
        train: training classes (default: what the run says it learned from, where that is a shipped
            list, one of ``lists`` by its checksum, or all of it has samples).
        name: of the run, where its JSON has none.
        only_tested: show no training classes but those that have samples.
        lists: where else lists of classes are.

    Raises:
        DataError: the run's classes are no wnids of the hierarchy.
    """
    strange = [row["wnid"] for row in rows if row["wnid"] not in hierarchy.index]
    if strange:
        raise DataError(
            f"{strange[0]!r}, a class of the run, is not a node of the hierarchy"
            f" ({len(strange):,} of {counted(len(rows), 'class', 'classes')}"
            f" {'is' if len(strange) == 1 else 'are'} not). A picture needs a run whose classes are"
            " wnids: evaluate again with WordNet, which reads names as such. A run in a hierarchy"
            " of its own is drawn in Python, from what `graphzsl.evaluate` returned."
        )
    known = (result.get("provenance") or {}).get("train") or {}
    seen = [row["wnid"] for row in rows if str(row.get("seen")).lower() == "true"]
    learned = train or learned_by(known, seen, lists)
    if learned is not None and any(wnid not in hierarchy.index for wnid in learned.wnids):
        learned = None
    tested = {row["wnid"]: row for row in rows}
    # without any training class, classes are neither unseen nor seen
    has_training = bool(learned or seen or known.get("classes"))
    shown = [*(learned.wnids if learned and not only_tested else ()), *seen]
    roles = dict.fromkeys(tested, "Unseen" if has_training else "Class")
    roles |= dict.fromkeys(shown, "Training")
    values, closest = known_of(hierarchy, roles, train=learned.wnids if learned else ())
    if train is None and not _agree(closest, tested):  # the run's hops are of another hierarchy
        values.pop("ratio", None)
        closest = {}
    # a training class that is not shown has no box to link to: the table has its name
    closest = {wnid: each for wnid, each in closest.items() if {*each.closest} <= roles.keys()}
    lexicon = lexicon_of(hierarchy)
    facts = _facts(rows, lexicon)
    if train is None:
        named = _closest_of_table(rows, lexicon)
        facts["closest training class"] = {w: said for w, said in named.items() if w not in closest}
    accuracy = {row["wnid"]: float(row["hit@1"]) for row in rows if _is_number(row.get("hit@1"))}
    measured = {"accuracy": Values("accuracy (hit@1)", accuracy, "share")}
    features = result.get("features") or {}
    of = learned if learned and learned.name and not only_tested else None
    said = [_said_of_run(result), counted_roles(roles, of, None)]
    if learned is None and not only_tested:
        lacking = int(known.get("classes") or 0) - len({*seen})
        if lacking > 0:
            said.append(_said_of_lacking(int(known["classes"]), lacking))
            log(said[-1])
    if result.get("generalized") and accuracy:
        mean = 100 * float(np.mean(list(accuracy.values())))
        said.append(
            "Boxes above classes have the mean of unseen and training classes together:"
            f" {mean:.1f} % of all {len(accuracy):,}."
        )
    own = result.get("model_label") or (result.get("provenance") or {}).get("model")
    title = str(name or result.get("run") or own or "predictions")
    return Subject(
        title,
        said,
        roles,
        measured | values,
        {label: texts for label, texts in facts.items() if texts},
        closest,
        "accuracy",
        simulated=bool(result.get("simulated") or features.get("simulated")),
    )


def _said_of_lacking(number: int, lacking: int) -> str:
    """Sentence that some training classes of the run are unknown, and how to give them."""
    are = "is" if lacking == 1 else "are"
    which = "they are" if lacking == number else f"{lacking:,} of them {are}"
    return (
        f"The run learned from {counted(number, 'training class', 'training classes')}; {which} not"
        " known here and not shown. `--train` with the file of all of them shows them."
    )


def _agree(closest: Mapping[str, Closest], tested: Mapping[str, Mapping[str, Any]]) -> bool:
    """True if hops and closest classes agree with the run's table, as far as the table has them."""
    for wnid, each in closest.items():
        row = tested.get(wnid, {})
        if _is_number(row.get("hops")) and int(float(row["hops"])) != each.hops:
            return False
        if row.get("closest") and row["closest"] not in each.closest:
            return False
    return True


def _closest_of_table(rows: Sequence[Mapping[str, Any]], lexicon: Lexicon | None) -> dict[str, str]:
    """Class -> hops and the closest training class, in words, of a run's table."""
    said = {}
    for row in rows:
        name = _named(row, "closest", lexicon)
        is_seen = str(row.get("seen")).lower() == "true"
        if not name or is_seen or not _is_number(row.get("hops")):
            continue
        ties = int(float(row["closest_ties"])) if _is_number(row.get("closest_ties")) else 1
        more = f" ({ties - 1:,} more as close)" if ties > 1 else ""
        said[row["wnid"]] = f"{counted(int(float(row['hops'])), 'hop')}: {name}{more}"
    return said


def _named(row: Mapping[str, Any], column: str, lexicon: Lexicon | None) -> str:
    """Name of the class in a column, as the picture shows it; empty if the cell is empty."""
    wnid = str(row.get(column) or "")
    return word_of(wnid, str(row.get(f"{column}_name") or wnid), lexicon)


def _facts(rows: Sequence[Mapping[str, Any]], lexicon: Lexicon | None) -> dict[str, dict[str, Any]]:
    """Label -> wnid -> what is to be read of a class of the table."""
    own: dict[str, dict[str, Any]] = {"samples": {}, "interval of hit@1": {}, "often taken for": {}}
    for row in rows:
        wnid = row["wnid"]
        if _is_number(row.get("samples")):
            own["samples"][wnid] = f"{int(row['samples']):,}"
        if _is_number(row.get("hit@1_low")) and _is_number(row.get("hit@1_high")):
            low, high = (100 * float(row[f"hit@1_{end}"]) for end in ("low", "high"))
            own["interval of hit@1"][wnid] = f"{low:.1f} to {high:.1f} %"
        wrong = _named(row, "wrong", lexicon)
        if wrong and _is_number(row.get("wrong_share")):
            own["often taken for"][wnid] = f"{wrong}, {100 * float(row['wrong_share']):.1f} %"
    return own


def _said_of_run(result: Mapping[str, Any]) -> str:
    """The headline of a run, with all that its number depends on."""
    provenance = result.get("provenance") or {}
    headline = result["metrics"]["hit@1"]
    ends = interval_of(result, "hit@1")
    bracket = f" [{100 * ends[0]:.1f}, {100 * ends[1]:.1f}]" if ends else ""
    # where training classes are candidates, the headline is of samples of the others
    of = ", unseen classes" if result.get("generalized") else ""
    model = result.get("model_label") or provenance.get("model")
    parts = [
        f"{f'{model}: ' if model else ''}hit@1 {100 * headline['per_class']:.1f} % per class{of}"
        f"{bracket}, of {counted(result['samples'], 'sample')} among {result['candidates']:,}"
        " candidates",
        f"Split {result['split']}" if result.get("split") else "",
        f"Semantics {result['semantics_name']}" if result.get("semantics_name") else "",
        f"Seed {provenance['seed']}" if provenance.get("seed") is not None else "",
        f"Ties: {result['ties']}",
    ]
    return " ".join(f"{part.rstrip('.')}." for part in parts if part)


def _is_number(value: Any) -> bool:
    number = number_of(value)
    return number is not None and math.isfinite(number)
