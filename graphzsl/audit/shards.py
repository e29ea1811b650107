"""Predictions of a part of the samples, as a file.

A shard holds what adds up: the lists, ranks and ties of its samples, one behind the other, and the
hits among them.
"""

from __future__ import annotations

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
from graphzsl.common.checked_names import check_classes
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
            shared=self.shared,
            sums=self.sums,
            complete=predictions.complete,
            metadata=predictions.metadata,
        )
        classes = sorted(set(predictions.labels))
        arrays: dict[str, Any] = {
            "manifest": np.array(json.dumps(described, sort_keys=True)),
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
        with atomic_write(path) as partial, partial.open("wb") as file:
            np.savez(file, **arrays)


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
        predictions = _slice(predictions, rows)
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


def _slice(predictions: Predictions, rows: range) -> Predictions:
    """The predictions of some samples, with what calibrated stacking needs of them."""
    wanted = np.zeros(len(predictions.labels), dtype=bool)
    wanted[rows.start : rows.stop] = True
    return predictions.part(wanted)


def read_shard(path: Path) -> Shard:
    """A shard's file; DataError names what is damaged, or is not a shard."""
    path = Path(path)
    names = ("manifest", "candidates", "seen", "train", "classes", "labels", "top", "rank")
    text, candidates, seen, train, classes, labels, top, rank = read_npz(
        path, *names, expected=_EXPECTED
    )
    described = parsed_json(str(text), str(path)) if text.shape == () else None
    if not isinstance(described, dict) or described.get("kind") != KIND:
        raise DataError(f"{path} is no shard. Expected {_EXPECTED}.")
    check_document(described, KIND, path, "description", AGAIN)
    ties = ("start", "longer", "better", "groups", "ends")
    sides = tuple(each.name for each in fields(Sides))
    more = read_npz(path, *(f"{name}?" for name in (*ties, *sides)), expected=_EXPECTED)
    try:
        found = _checked(
            described,
            {"top": top, "rank": rank, "labels": labels},
            [
                _names(array, name)
                for name, array in zip(names[1:5], (candidates, seen, train, classes), strict=True)
            ],
            dict(zip((*ties, *sides), more, strict=True)),
        )
    except (DataError, AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path} is damaged ({error}). {AGAIN}") from None
    if described.get("shared") != found.shared or described.get("sums") != found.sums:
        raise DataError(
            f"{path} is damaged, or of another version of graphzsl: what it holds is not what its"
            f" description says. {AGAIN}"
        )
    return found


def _checked(
    described: dict[str, Any],
    arrays: dict[str, npt.NDArray[Any]],
    lists: list[list[str]],
    more: dict[str, Any],
) -> Shard:
    """The shard of what was read; ValueError and the like where it does not fit together."""
    candidates, seen, train, classes = lists
    top, rank, codes = (_whole(arrays[name], name) for name in ("top", "rank", "labels"))
    number, count = described["part"]
    start, total, size = described["start"], described["total"], len(codes)
    _require(size > 0 and start >= 0 and start + size <= total, "its place among the samples")
    _require(1 <= number <= count, "its number")
    _require(top.ndim == 2 and len(top) == len(rank) == size, "the lengths of its arrays")
    _require(top.min() >= -1 and top.max() < len(candidates), "a column of a list")
    _require(rank.min() >= 1 and rank.max() <= max(len(candidates), top.shape[1]) + 1, "a rank")
    _require(codes.min() >= 0 and codes.max() < len(classes), "a true class")
    ties = None if more["start"] is None else _ties_of(top, len(candidates), more)
    sides = None
    if more["margin"] is not None:
        _require(all(more[each.name] is not None for each in fields(Sides)), "the sides")
        _require(all(more[each.name].dtype.kind in "biuf" for each in fields(Sides)), "the sides")
        values = [more[each.name].astype(np.float64) for each in fields(Sides)]
        _require(all(value.shape == (size,) for value in values), "the sides")
        sides = Sides(*values)
    predictions = Predictions(
        candidates,
        [classes[code] for code in codes.tolist()],
        top,
        rank,
        bool(described["complete"]),
        seen,
        sides,
        ties,
        described["metadata"],
    )
    return Shard(
        Part(number, count),
        predictions,
        start,
        total,
        described["labels_sha256"],
        train,
        described["source"],
        described["options"],
    )


def _names(array: npt.NDArray[Any], what: str) -> list[str]:
    """A list of classes; those that are seen are among the candidates, which are there once."""
    _require(array.ndim == 1 and array.dtype.kind == "U", f"{what}: not a list of texts")
    found: list[str] = array.tolist()
    check_classes(found, what, once=what != "train")
    return found


def _whole(array: npt.NDArray[Any], what: str) -> npt.NDArray[np.int64]:
    """Whole numbers in 64 bits."""
    _require(array.dtype.kind in "iu", f"{what}: not whole numbers")
    return np.asarray(array, dtype=np.int64)


def _require(holds: Any, what: str) -> None:
    if not holds:
        raise ValueError(what)


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


def _ties_of(top: npt.NDArray[np.int64], candidates: int, more: dict[str, Any]) -> Ties:
    start, longer, better = (_whole(more[name], name) for name in ("start", "longer", "better"))
    _require(start.shape == top.shape and len(longer) == len(better) == len(top), "the ties")
    _require(start.min() >= 0 and (start <= np.arange(top.shape[1])).all(), "where a tie begins")
    ends, columns = _whole(more["ends"], "ends"), _whole(more["groups"], "groups")
    _require(longer.min() >= -1 and longer.max() < len(ends), "the number of a tie")
    _require(
        not len(columns) or (columns.min() >= 0 and columns.max() < candidates), "a tied column"
    )
    _require(len(columns) == (ends[-1] if len(ends) else 0), "the lengths of ties")
    _require((np.diff(ends, prepend=0) >= 0).all(), "the lengths of ties")
    columns = columns.astype(np.int32)
    return Ties(top, start, longer, np.split(columns, ends[:-1]) if len(ends) else [], better)


def shard_path(out: Path, part: Part) -> Path:
    """Path of a shard of the run ``out``: beside it, as RUN.shard-2-of-8.npz."""
    width = len(str(part.count))
    return out.with_name(f"{out.stem}.shard-{part.number:0{width}}-of-{part.count}.npz")
