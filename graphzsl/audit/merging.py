"""All shards of an evaluation as one: in the order of their samples they are the predictions that
one process would have made, so every number, interval and table of the run is the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.predictions import Predictions
from graphzsl.audit.shards import AGAIN, Part, Shard
from graphzsl.audit.sides import Sides
from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256_text
from graphzsl.common.wording import some
from graphzsl.metrics.ties import Ties

#: What must be the same in all shards -> what messages call it.
_SHARED = {
    "count": "number of shards",
    "samples": "number of samples",
    "labels": "true classes",
    "candidates": "candidates",
    "seen": "training classes among the candidates",
    "train": "training classes",
    "model": "model",
    "features": "samples or predictions",
    "options": "options",
    "depth": "length of lists",
    "graphzsl": "version of graphzsl",
}


def merged(shards: Iterable[tuple[str, Shard]]) -> Shard:
    """All shards of a run as one, in the order of their samples.

    Args:
        shards: what a message calls each, and the shard.

    Raises:
        DataError: one is missing or there twice, or two are not of one run; names what differs.
    """
    named = sorted(shards, key=lambda pair: pair[1].start)
    if not named:
        raise DataError("There is no shard.")
    first_name, first = named[0]
    shared = first.shared
    for name, shard in named[1:]:
        own = shard.shared
        for key, what in _SHARED.items():
            if own[key] != shared[key]:
                raise DataError(
                    f"{name} and {first_name} are not shards of one run: they differ in the"
                    f" {what}{_values(own[key], shared[key])}. Write both with the same options"
                    " but for the part."
                )
    numbers = [shard.part.number for _, shard in named]
    twice = [name for name, shard in named if numbers.count(shard.part.number) > 1]
    if twice:
        raise DataError(f"{' and '.join(twice[:2])} are the same shard. Give each once.")
    absent = sorted(set(range(1, first.part.count + 1)) - set(numbers))
    if absent:
        which = "shard" if len(absent) == 1 else "shards"
        verb = "is" if len(absent) == 1 else "are"
        raise DataError(
            f"Of {first.part.count:,} shards {verb} {len(absent):,} missing: {which}"
            f" {some([f'{each}/{first.part.count}' for each in absent])}. Write what is missing."
        )
    place = 0
    for name, shard in named:
        if shard.start != place:
            raise DataError(
                f"{name} begins at sample {shard.start:,}; {place:,} was expected. {AGAIN}"
            )
        place += len(shard.predictions.labels)
    predictions = joined([shard.predictions for _, shard in named])
    if sha256_text("\n".join(predictions.labels)) != first.labels_sha256:
        raise DataError(
            f"The true classes of {first_name} and the other shards are not those of the samples"
            f" that were divided. {AGAIN}"
        )
    return Shard(
        Part(1, 1),
        predictions,
        0,
        first.total,
        first.labels_sha256,
        first.train,
        first.source,
        first.options,
    )


def _values(own: Any, other: Any) -> str:
    """Two values where they are short enough to say."""
    if isinstance(own, dict) and isinstance(other, dict):
        keys = [key for key in sorted({*own, *other}) if own.get(key) != other.get(key)]
        return f" ({keys[0]}: {own.get(keys[0])!r} and {other.get(keys[0])!r})"
    if isinstance(own, int):
        return f" ({own:,} and {other:,})"
    return f" ({own} and {other})" if isinstance(own, str) and len(own) < 20 else ""


def joined(parts: Sequence[Predictions]) -> Predictions:
    """Predictions of one part of the samples after the other."""
    first = parts[0]
    sides = [part.sides for part in parts if part.sides is not None]
    ties = [part.ties for part in parts if part.ties is not None]
    top = np.concatenate([part.top for part in parts])
    return Predictions(
        first.candidates,
        [label for part in parts for label in part.labels],
        top,
        np.concatenate([part.rank for part in parts]),
        first.complete,
        first.seen,
        Sides.join(sides),
        _joined_ties(ties, top) if ties else None,
        first.metadata,
        first.source,
    )


def _joined_ties(parts: Sequence[Ties], top: npt.NDArray[np.int64]) -> Ties:
    """Ties of all parts, whose lists are ``top``; a group that several have is kept once."""
    known: dict[bytes, int] = {}
    groups: list[npt.NDArray[np.int32]] = []
    longer = []
    for part in parts:
        number = np.full(len(part.groups) + 1, -1, dtype=np.int64)
        for place, group in enumerate(part.groups):
            key = group.tobytes()
            if key not in known:
                known[key] = len(groups)
                groups.append(group)
            number[place] = known[key]
        longer.append(number[part.longer])
    start, better = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("start", "better")
    )
    return Ties(top, start, np.concatenate(longer), groups, better)
