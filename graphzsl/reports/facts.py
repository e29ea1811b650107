"""Facts on a table in words: question, classes, candidates, split, hierarchy, class embeddings,
features, ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphzsl.common.wording import counted
from graphzsl.reports.entry import Entry
from graphzsl.reports.runs import ReportedRun

#: Facts that tell questions apart, as against those of a model.
OF_QUESTION = (
    "setting",
    "training classes among the candidates",
    "training classes",
    "split",
    "test",
    "hierarchy",
    "valid set of hp@k",
)

#: Setting of a run -> what is among the candidates.
SETTINGS = {
    "standard": "only unseen classes are candidates",
    "generalized": "training classes are candidates, too",
}
#: Fact -> what it says, where its name does not.
MEANINGS = {
    "structural ratio": "Hops from a hidden class to the nearest training class over hops to the"
    " nearest other hidden class, on average (Hascoet et al. 2019, equation 5). Below 1 the nearest"
    " relatives of hidden classes were trained; above 1 they are hidden, too, which is harder."
}


def facts_of(entries: Sequence[Entry]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """(facts that all entries share, facts that differ: one text per entry)."""
    known = [_facts(entry) for entry in entries]
    names = dict.fromkeys(name for facts in known for name in facts)
    shared: dict[str, str] = {}
    differing: dict[str, list[str]] = {}
    for name in names:
        texts = [facts.get(name, "") for facts in known]
        if len(set(texts)) == 1:
            shared[name] = texts[0]
        else:
            differing[name] = texts
    return shared, differing


def _facts(entry: Entry) -> dict[str, str]:
    found = [_facts_of_run(run) for run in entry.runs]
    names = dict.fromkeys(name for facts in found for name in facts)
    facts = {name: _joined([run[name] for run in found if name in run]) for name in names}
    for name, position in (("seeds", 0), ("validation seeds", 1)):
        seeds = {run.seeds[position] for run in entry.runs} - {None}
        if seeds:
            ordered = sorted(seeds, key=lambda seed: (str(type(seed)), seed))
            facts[name] = ", ".join(map(str, ordered))
    return facts | _of_hiding(entry)


def _of_hiding(entry: Entry) -> dict[str, str]:
    """Structural ratio of the hidden classes, and the number of whole branches among them."""
    ratios = [run.get("structural_ratio") for run in entry.documents]
    known = [f"{ratio:.2f}" for ratio in sorted(each for each in ratios if each is not None)]
    facts = {}
    definitions = [run.get("split_definition") or {} for run in entry.documents]
    is_known = all(
        "hidden_branches" in run or not each.get("branches")
        for run, each in zip(entry.documents, definitions, strict=True)
    )
    if entry.draws_classes and is_known:
        counts = sorted(len(run.get("hidden_branches") or ()) for run in entry.documents)
        none = "none: classes are hidden one by one"
        facts["hidden branches"] = _from_to([*map(str, counts)]) if counts[-1] else none
    return facts | ({"structural ratio": _from_to(known)} if known else {})


def _from_to(texts: Sequence[str]) -> str:
    """The first and the last of ordered texts."""
    return texts[0] if texts[0] == texts[-1] else f"{texts[0]} to {texts[-1]}"


def telling_facts(runs: Sequence[ReportedRun]) -> list[str]:
    """Facts that tell each question (one run of it) from the others, as few as do; empty texts if
    none do."""
    known = [_facts_of_run(run) for run in runs]
    texts = [""] * len(runs)
    for name in OF_QUESTION:
        values = [facts.get(name, "none") for facts in known]
        if len(set(values)) > 1:
            pairs = zip(texts, values, strict=True)
            texts = [
                f"{text}; {name}: {value}" if text else f"{name}: {value}" for text, value in pairs
            ]
        if len(set(texts)) == len(texts):
            return texts
    return [""] * len(runs)


def telling_samples(runs: Sequence[ReportedRun]) -> list[str]:
    """Samples of each question (one run of it): the file of predictions or other facts on the
    samples, or the checksum of their classes; empty texts if nothing tells the questions apart."""
    known = [run.document.get("features") or {} for run in runs]
    said = {"predictions": "samples of"}
    for name in dict.fromkeys(["predictions", *(key for each in known for key in each)]):
        values = [each.get(name) for each in known]
        distinct = {value for value in values if isinstance(value, str) and value}
        if len(distinct) == len(runs) and name != "sha256":
            return [f"{said.get(name, f'samples with {name}')} {value}" for value in values]
    checksums = [str(run.document.get("labels_sha256") or "")[:8] for run in runs]
    if len(set(checksums)) == len(runs) and all(checksums):
        return [f"samples {each}…" for each in checksums]
    return [""] * len(runs)


def _joined(texts: Sequence[str]) -> str:
    """The distinct texts; of many the first and the last."""
    distinct = list(dict.fromkeys(texts))
    return " or ".join(distinct) if len(distinct) < 4 else f"{distinct[0]} … {distinct[-1]}"


def _facts_of_run(run: ReportedRun) -> dict[str, str]:
    document = run.document
    facts = {
        "question": run.task + (" (simulated)" if run.simulated else ""),
        "setting": SETTINGS.get(document.get("setting", ""), ""),
        "split": _split(document),
        "training classes": _number((run.provenance.get("train") or {}).get("classes")),
        "candidates": _number(document["candidates"]),
        "training classes among the candidates": _number(
            (document.get("generalized") or {}).get("seen_classes")
        ),
        "test": f"{counted(document['samples'], 'sample')} of"
        f" {counted(document['classes'], 'class', 'classes')}",
        "hierarchy": _hierarchy(document.get("hierarchy") or {}),
        "valid set of hp@k": _valid_set(document.get("hp_valid_set") or {}),
        "class embeddings": _embeddings(document, run.provenance.get("semantics")),
        "predictions": str((document.get("features") or {}).get("predictions") or ""),
        "ties": document["ties"],
    }
    return {name: text for name, text in facts.items() if text}


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) and value else ""


def _split(document: dict[str, Any]) -> str:
    definition = document.get("split_definition") or {}
    if "of" in definition:
        share = f"{100 * definition.get('hide', 0.2):g} %"
        branches = 100 * definition.get("branches", 0)
        how = f", {branches:g} % of them in whole branches" if branches else ""
        drawn = f"{share} of {definition['of']} hidden{how}, drawn by the seed"
        return f"{definition.get('name', 'split')}: {drawn}"
    text: str = document.get("split", "")
    return text


def _hierarchy(given: dict[str, Any]) -> str:
    name = given.get("hierarchy")
    return f"{name} (whole)" if name and given.get("whole") else str(name or "")


def _valid_set(given: dict[str, Any]) -> str:
    return f"{given['labels']} ({_number(given['size'])})" if {"labels", "size"} <= {*given} else ""


def _embeddings(document: dict[str, Any], origin: Any) -> str:
    own = origin if isinstance(origin, dict) else {}
    kinds = (own.get(key) for key in ("method", "model", "source"))
    name = document.get("semantics_name") or next(filter(None, kinds), "")
    size = f" ({own['dimensions']} numbers per class)" if name and "dimensions" in own else ""
    return f"{name}{size}"
