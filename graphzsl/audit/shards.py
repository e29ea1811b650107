"""Predictions of a part of the samples, as a file.

A shard holds what adds up: the lists, ranks and ties of its samples, one behind the other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.class_names import columns_of
from graphzsl.audit.evaluate import provenance_of
from graphzsl.audit.measures import KS
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.sides import Sides
from graphzsl.common.errors import DataError
from graphzsl.common.files import (
    atomic_write,
    checked_suffix,
    manifest,
    sha256_text,
)
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.numpy_files import read_npz
from graphzsl.common.reading.schema import check_document
from graphzsl.common.version import __version__
from graphzsl.common.wording import counted
from graphzsl.metrics.ties import Ties

KIND = "shard"
_EXPECTED = "a shard of `graphzsl evaluate model --shard` or `graphzsl audit --shard`"
AGAIN = "Write the shard again."
#: Arrays of every shard, of one whose candidates may tie, and of the generalized setting.
_ARRAYS = ("candidates", "seen", "train", "classes", "labels", "top", "rank")
_OF_TIES = ("start", "longer", "better", "groups", "ends")
_OF_SIDES = tuple(each.name for each in fields(Sides))


@dataclass(frozen=True)
class Part:
    """One of ``count`` parts of the samples, from 1.

    >>> from graphzsl.audit.shards import Part
    >>> Part(2, 3).rows(10)
    range(3, 6)
    """

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def rows(self, samples: int, block: int = 1) -> range:
        """The part's samples: whole blocks of ``block``, so that each is scored in the product of
        matrices that it would be scored in without parts, which rounds by position.

        Raises:
            DataError: there are fewer blocks than parts.
        """
        blocks = -(-samples // block)
        if blocks < self.count:
            together = f", of which {block:,} are scored at once" if block > 1 else ""
            raise DataError(
                f"{counted(samples, 'sample')}{together}, make at most"
                f" {counted(blocks, 'shard')}, not {self.count:,}.",
                argument="shard",
            )
        borders = [blocks * number // self.count for number in (self.number - 1, self.number)]
        return range(borders[0] * block, min(borders[1] * block, samples))


@dataclass(frozen=True, eq=False)
class Shard:
    """The predictions of a part.

    Args:
        part: which of how many.
        predictions: of its samples alone.
        start: the first of them among all.
        total: all samples.
        labels_sha256: of the true classes of all samples.
        train: the training classes.
        source: what of the model's manifest a run keeps.
        options: what else decided the predictions; the same in all shards.
    """

    part: Part
    predictions: Predictions
    start: int
    total: int
    labels_sha256: str
    train: list[str]
    source: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def shared(self) -> dict[str, Any]:
        """Facts that all shards of a run have in common."""
        predictions = self.predictions
        lists = {
            "candidates": predictions.candidates,
            "seen": predictions.seen,
            "train": self.train,
        }
        return {
            "count": self.part.count,
            "samples": self.total,
            "labels": self.labels_sha256,
            **{name: sha256_text("\n".join(names)) for name, names in lists.items()},
            "model": sha256_text(json.dumps(self.source, sort_keys=True)),
            "features": predictions.metadata,
            "options": self.options,
            "depth": [
                predictions.top.shape[1],
                predictions.complete,
                predictions.ties is not None,
                predictions.sides is not None,
            ],
            "graphzsl": __version__,
        }

    @property
    def sums(self) -> dict[str, int]:
        """Samples, and how many of them are hits among the first k."""
        predictions = self.predictions
        hits = {f"hit@{k}": predictions.hits(k) for k in KS if predictions.reaches(k)}
        return {"samples": len(predictions.labels)} | {k: int(v.sum()) for k, v in hits.items()}

    def save(self, path: Path) -> None:
        """Write the shard whole (.npz); nothing in it needs unpickling."""
        checked_suffix(path, (".npz",))
        predictions = self.predictions
        described = manifest(
            KIND,
            part=[self.part.number, self.part.count],
            start=self.start,
            total=self.total,
            labels_sha256=self.labels_sha256,
            source=self.source,
            options=self.options,
            complete=predictions.complete,
            metadata=predictions.metadata,
        )
        classes = sorted(set(predictions.labels))
        arrays: dict[str, Any] = {
            "candidates": np.array(predictions.candidates, dtype=str),
            "seen": np.array(predictions.seen, dtype=str),
            "train": np.array(self.train, dtype=str),
            "classes": np.array(classes, dtype=str),
            "labels": columns_of(predictions.labels, classes).astype(np.int32),
            "top": predictions.top.astype(np.int32),
            "rank": predictions.rank.astype(np.int32),
        }
        if predictions.ties is not None:
            arrays |= _arrays_of_ties(predictions.ties)
        if predictions.sides is not None:
            arrays |= {key: np.asarray(value) for key, value in vars(predictions.sides).items()}
        described = parsed_json(json.dumps(described), str(path))  # as it is read
        described["sha256"] = _checksum(described, arrays)
        text: Any = np.array(json.dumps(described, sort_keys=True))
        with atomic_write(path) as partial, partial.open("wb") as file:
            np.savez(file, manifest=text, **arrays)


def _checksum(described: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """Checksum of a description and of the arrays beside it."""
    digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def shard_of(
    predictions: Predictions,
    part: Part,
    described: Mapping[str, Any],
    train: Sequence[str],
    options: Mapping[str, Any],
    rows: range | None = None,
    labels: Sequence[str] | None = None,
) -> Shard:
    """A part of predictions.

    Args:
        predictions: of all samples; with ``rows``, of those alone.
        part: which of how many.
        described: the manifest of the model, or what is known in its place.
        train: the training classes.
        options: what else decided the predictions.
        rows: the samples that the predictions are of.
        labels: with ``rows``, the true classes of all samples.

    Raises:
        DataError: there are fewer samples than parts.
    """
    if predictions.true_classes is not None:
        raise DataError(
            "Samples of several true classes are not written in shards. Evaluate them as a whole.",
            argument="shard",
        )
    everything = predictions.labels if labels is None else labels
    if rows is None:
        rows = part.rows(len(everything))
        wanted = np.zeros(len(everything), dtype=bool)
        wanted[rows.start : rows.stop] = True
        predictions = predictions.part(wanted)
    kept = provenance_of(dict(described), (), ())
    source = {key: value for key, value in kept.items() if key not in ("train", "candidates")}
    return Shard(
        part,
        predictions,
        rows.start,
        len(everything),
        sha256_text("\n".join(everything)),
        list(train),
        source,
        dict(options),
    )


def read_shard(path: Path) -> Shard:
    """A shard's file; DataError where it is damaged, or is not a shard."""
    path = Path(path)
    names = (*_ARRAYS, *_OF_TIES, *_OF_SIDES)
    wanted = ("manifest", *_ARRAYS, *(f"{name}?" for name in (*_OF_TIES, *_OF_SIDES)))
    text, *found = read_npz(path, *wanted, expected=_EXPECTED)
    described = parsed_json(str(text), str(path)) if text.shape == () else None
    if not isinstance(described, dict) or described.get("kind") != KIND:
        raise DataError(f"{path} is no shard. Expected {_EXPECTED}.")
    check_document(described, KIND, path, "description", AGAIN)
    arrays = {name: each for name, each in zip(names, found, strict=True) if each is not None}
    checksum = described.pop("sha256")
    if checksum != _checksum(described, arrays) or described["graphzsl"] != __version__:
        raise DataError(
            f"{path} is damaged, or of another version of graphzsl: what it holds is not what its"
            f" description says. {AGAIN}"
        )
    classes, top = arrays["classes"].tolist(), arrays["top"].astype(np.int64)
    predictions = Predictions(
        arrays["candidates"].tolist(),
        [classes[code] for code in arrays["labels"].tolist()],
        top,
        arrays["rank"].astype(np.int64),
        described["complete"],
        arrays["seen"].tolist(),
        Sides(*(arrays[name] for name in _OF_SIDES)) if "margin" in arrays else None,
        _ties_of(top, arrays) if "start" in arrays else None,
        described["metadata"],
    )
    return Shard(
        Part(*described["part"]),
        predictions,
        described["start"],
        described["total"],
        described["labels_sha256"],
        arrays["train"].tolist(),
        described["source"],
        described["options"],
    )


def _arrays_of_ties(ties: Ties) -> dict[str, npt.NDArray[Any]]:
    """Ties as arrays: of the groups those alone that are used, behind each other."""
    used = np.unique(ties.longer[ties.longer >= 0])
    number = np.full(len(ties.groups) + 1, -1, dtype=np.int32)  # the last is that of -1
    number[used] = np.arange(len(used))
    groups = [ties.groups[each] for each in used.tolist()]
    return {
        "start": ties.start.astype(np.int16),
        "longer": number[ties.longer],
        "better": ties.better.astype(np.int32),
        "groups": np.concatenate([np.empty(0, np.int32), *groups]),
        "ends": np.cumsum([len(group) for group in groups], dtype=np.int64),
    }


def _ties_of(top: npt.NDArray[np.int64], arrays: Mapping[str, npt.NDArray[Any]]) -> Ties:
    start, longer, better, columns, ends = (arrays[name] for name in _OF_TIES)
    groups = np.split(columns, ends[:-1]) if len(ends) else []
    return Ties(top, start.astype(np.int64), longer.astype(np.int64), groups, better)


def shard_path(out: Path, part: Part) -> Path:
    """Path of a shard of the run ``out``: beside it, as RUN.shard-2-of-8.npz."""
    width = len(str(part.count))
    return out.with_name(f"{out.stem}.shard-{part.number:0{width}}-of-{part.count}.npz")
