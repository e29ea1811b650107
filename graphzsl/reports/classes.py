"""The classes of a task: what is known of each, and how well every model knows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphzsl.audit.averages import average
from graphzsl.reports.confusions import Wrong, wrong_of
from graphzsl.reports.entry import Entry
from graphzsl.reports.names import spoken
from graphzsl.reports.runs import ReportedRun
from graphzsl.reports.tasks import Task

#: A class, and whether it is a training class: of the generalized setting it may be either,
#: depending on the seed.
Key = tuple[str, bool]
_Wrongs = tuple[Wrong | None, Wrong | None]


def class_table(
    task: Task, wrong: Mapping[Entry, Wrong | None], names: Mapping[str, str]
) -> dict[str, Any] | None:
    """The table as the page's script reads it; None where no model has tables of classes.

    ``classes`` has one row per class, by name: name, wnid, smallest and largest hops over the runs,
    closest training class, how many are as close, population, depth, samples of a run, and whether
    it is a training class. ``models`` has one item per model: hit@1 and hit@5 in per cent,
    means over seeds; what the class is most often taken for, and the share; and hit@1 of every
    seed. None stands where a model has no sample of a class, or something is not known.
    """
    entries = [entry for entry in task.entries if all(run.classes for run in entry.runs)]
    if not entries:
        return None
    known = _known([run for entry in entries for run in entry.runs], names)
    keys = sorted(known, key=lambda key: (known[key][0].lower(), key))
    models = []
    for entry in entries:
        both = (wrong.get(entry), wrong_of(entry, training=True) if task.generalized else None)
        models.append(_of_model(entry, keys, both, names))
    return {
        "classes": [known[key] for key in keys],
        "models": models,
        "generalized": task.generalized,
    }


_USED = ("hops", "closest", "closest_ties", "population", "depth", "samples")


def _known(runs: Sequence[ReportedRun], names: Mapping[str, str]) -> dict[Key, list[Any]]:
    known: dict[Key, list[Any]] = {}
    for run in runs:
        columns = run.classes or {}
        for place, key in enumerate(_keys(columns)):
            row = {name: columns[name][place] for name in _USED if name in columns}
            hops = row.get("hops")
            if key in known:
                known[key][2:4] = _wider(known[key][2:4], hops)
                continue
            wnid, seen = key
            closest = row.get("closest")
            known[key] = [
                spoken(names.get(wnid, wnid)),
                wnid,
                hops,
                hops,
                spoken(names.get(closest, closest)) if closest else None,
                row.get("closest_ties"),
                run.images.get(wnid),
                row.get("depth"),
                row.get("samples"),
                seen,
            ]
    return known


def _keys(columns: Mapping[str, list[Any]]) -> Iterator[Key]:
    seen = columns.get("seen") or [False] * len(columns["wnid"])
    return ((wnid, bool(is_seen)) for wnid, is_seen in zip(columns["wnid"], seen, strict=True))


def _wider(hops: Sequence[int | None], other: int | None) -> list[int | None]:
    known = [each for each in (*hops, other) if each is not None]
    return [min(known), max(known)] if known else [None, None]


def _of_model(
    entry: Entry, keys: Sequence[Key], wrong: _Wrongs, names: Mapping[str, str]
) -> dict[str, Any]:
    ones, fives = (_values(entry, column) for column in ("hit@1", "hit@5"))
    seeds = [_percents(ones.get(key)) for key in keys] if len(entry.runs) > 1 else None
    return {
        "name": entry.name,
        "hit1": [_mean(entry, ones.get(key)) for key in keys],
        "hit5": [_mean(entry, fives.get(key)) for key in keys],
        "wrong": [_wrong(key, wrong[key[1]] or wrong[0], names) for key in keys],
        "seeds": seeds,
        "seed_names": [run.seed_text for run in entry.runs],
    }


def _values(entry: Entry, column: str) -> dict[Key, list[float | None]]:
    """Class -> value of each run; None in a run that has no sample of it."""
    found: dict[Key, list[float | None]] = defaultdict(lambda: [None] * len(entry.runs))
    for place, run in enumerate(entry.runs):
        columns = run.classes or {}
        if column in columns:
            for key, value in zip(_keys(columns), columns[column], strict=True):
                found[key][place] = value
    return dict(found)


def _mean(entry: Entry, values: Sequence[float | None] | None) -> float | None:
    pairs = zip(entry.documents, values or [None] * len(entry.runs), strict=True)
    having = [(document, value) for document, value in pairs if value is not None]
    if not having:
        return None
    return _percent(average([each for each, _ in having], [value for _, value in having]).mean)


def _percents(values: Sequence[float | None] | None) -> list[float | None] | None:
    return None if values is None else [_percent(value) for value in values]


def _percent(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 3)


def _wrong(key: Key, wrong: Wrong | None, names: Mapping[str, str]) -> list[Any] | None:
    found = wrong.most_frequent.get(key[0]) if wrong else None
    return [spoken(names.get(found[0], found[0])), _percent(found[1])] if found else None
