"""Object detection (Russakovsky et al. 2015, section 4.3)."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.progress import progress_bar
from graphzsl.ilsvrc.boxes.class_files import DETECTION, ClassFiles
from graphzsl.ilsvrc.boxes.inputs import FileCounts, Inputs, box_inputs, class_rows, ignored_notes
from graphzsl.ilsvrc.boxes.metrics.matching import greedy_matches
from graphzsl.ilsvrc.boxes.metrics.overlap import (
    coverage,
    has_area,
    overlaps,
    pair_counts,
    pairs,
    thresholds,
)
from graphzsl.ilsvrc.boxes.metrics.precision import GROUPS, draws
from graphzsl.ilsvrc.boxes.partitions import Part, no_room
from graphzsl.ilsvrc.boxes.rows import COUNTS, CROWD
from graphzsl.metrics import percentiles
from graphzsl.metrics.ranking import Floats, Ints
from graphzsl.sources.imagenet import Classes

#: Pairs of a detection and an object that are compared at once.
PAIRS = 1_000_000


@dataclass(frozen=True, eq=False)
class Detection(FileCounts):
    """Average precision of entries.

    Args:
        classes: [C] of the truth, those with an object.
        images: how many there are.
        objects: [C].
        detections: [E, C] those that count; of other classes and on ignored objects they do not.
        recall: [E, C] share of the objects that a detection of any score matches.
        precision: [E, C] average precision.
        rounds: [E, C, 2] its interval; None where no rounds were drawn.
        mean_rounds: [E, B] mean average precision in each round.
        foreign: [E] detections of classes without an object in the truth, which do not count.
        level: of the intervals.
    """

    classes: list[str]
    images: int
    objects: Ints
    detections: Ints
    recall: Floats
    precision: Floats
    rounds: Floats | None
    mean_rounds: npt.NDArray[np.float64] | None
    foreign: Ints
    level: float

    def notes(self) -> list[str]:
        """Sentences about detections that do not count, or match nothing, by their nature."""
        none = ~(self.detections.sum(axis=1) + self.foreign).astype(bool)
        of = f"of classes without an object in {self.truth}, and left out"
        foreign = (self.foreign, f"detection is {of}", f"detections are {of}")
        return [
            *(f"{self.entries[at]} has no detection that counts." for at in np.flatnonzero(none)),
            *self.entry_notes(foreign),
            *self.match_notes(),
            *ignored_notes(self.ignored, self.truth, "neither found nor missed"),
            *self.image_notes(),
        ]

    @property
    def won(self) -> Ints:
        """[E] classes on which no entry is better, what a challenge is won by; a class on which
        several are best, none at 0, counts for each of them."""
        best = self.precision.max(axis=0)
        return np.asarray(((self.precision == best) & (best > 0)).sum(axis=1))

    def rows(self) -> list[dict[str, Any]]:
        """One row per entry, in their order: mean average precision with its interval (images
        resampled), classes won, and behind the best of several, the difference (the same images
        resampled for both)."""
        means = self.precision.mean(axis=1)
        best = int(means.argmax())
        found = []
        for at, entry in enumerate(self.entries):
            row: dict[str, Any] = {"entry": entry, "mean_average_precision": float(means[at])}
            if self.mean_rounds is not None:
                row["low"], row["high"] = percentiles(self.mean_rounds[at], self.level)
            row["mean_recall"] = float(self.recall[at].mean())
            if len(self.entries) > 1:
                row["won"] = int(self.won[at])
                row["difference"] = float(means[at] - means[best]) if at != best else None
                if self.mean_rounds is not None:
                    apart = self.mean_rounds[at] - self.mean_rounds[best]
                    low, high = percentiles(apart, self.level) if at != best else (None, None)
                    row |= {"difference_low": low, "difference_high": high}
            row |= {"classes": len(self.classes), "images": self.images}
            row["objects"] = int(self.objects.sum())
            row["detections"] = int(self.detections[at].sum())
            found.append(row)
        return found

    def class_rows(self) -> list[dict[str, Any]]:
        """One row per class and entry, in the order of the classes."""
        columns: dict[str, np.ndarray] = {"average_precision": self.precision}
        if self.rounds is not None:
            columns |= {"low": self.rounds[..., 0], "high": self.rounds[..., 1]}
        columns |= {"recall": self.recall, "objects": self.objects, "detections": self.detections}
        return class_rows(self.classes, columns, self.entries)


def detection(
    truth: Path,
    entries: Sequence[Path],
    *,
    overlap: float = 0.5,
    relax: bool = True,
    interpolation: str = "all",
    candidates: Classes | None = None,
    edges: bool = False,
    first_pixel: int | None = None,
    without: Path | None = None,
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> Detection:
    """Average precision of entries that detect objects of many classes.

    In each image the detections of a class take its objects greedily, best score first, those of
    one score in the order of the file; a detection needs **at least** the threshold of an object.

    Args:
        truth: annotations (``source_of`` says in which formats).
        entries: detections with scores.
        overlap: the threshold of large objects.
        relax: small objects need less (``thresholds``).
        interpolation: see ``average_precision``.
        candidates: the classes in the order of their numbers, where files have numbers.
        edges: corners are edges, not pixels.
        first_pixel: the number of an image's first pixel; None for what the truth tells.
        without: a file of images that do not count, one per line.
        rounds: of the bootstrap over images; 0 for none.
        level: confidence of the intervals.
        seed: of the bootstrap.

    Raises:
        DataError: a file is wrong, or files do not go together.

    Reference:
        Russakovsky et al. 2015, section 4.3, Algorithm 2, equations 3 to 5; section 6.2.
    """
    with (
        box_inputs(truth, entries, candidates, edges, without, first_pixel) as inputs,
        tempfile.TemporaryDirectory(prefix="graphzsl-matches-") as folder,
    ):
        matched = _Matched(Path(folder), inputs)
        matched.fill(overlap, relax)
        return matched.scored(interpolation, rounds, level, seed)


class _Matched:
    """Detections with the objects that they match, by class, on disk."""

    def __init__(self, folder: Path, inputs: Inputs):
        self.inputs, self.files = inputs, ClassFiles(folder)
        size, count = len(inputs.classes), len(inputs.entries)
        self.images = 0
        #: Objects by class and group.
        self.objects = np.zeros((size, GROUPS), np.int32)
        self.detections = np.zeros((count, size), np.int64)

    def fill(self, overlap: float, relax: bool) -> None:
        """Match all detections, part by part."""
        for truth, *entries in self.inputs.parts("detection"):
            kept = self.inputs.counted(truth)
            used = truth.has & kept
            # images come in the order of their hashes: which group an image is in is as good as
            # drawn, and all groups have as many images
            group = (self.images + np.cumsum(used) - 1) % GROUPS
            self.images += int(used.sum())
            real = kept[truth.image] & (truth.ignore == COUNTS)
            np.add.at(self.objects, (truth.label[real], group[truth.image[real]]), 1)
            needed = thresholds(truth.box, overlap) if relax else np.full(len(truth.box), overlap)
            for at, entry in enumerate(entries):
                for row in np.flatnonzero(np.isnan(entry.score))[:1]:
                    raise DataError(
                        f"{entry.where(row)}: a detection without a score. Expected a column"
                        " called score."
                    )
                order = np.lexsort((-entry.score, entry.image))
                order = order[kept[entry.image[order]]]
                found = matches(truth, entry, order, needed)
                self._write(at, entry, order[found >= 0], found[found >= 0] > 0, group)

    def _write(self, at: int, entry: Part, rows: Ints, hits: npt.NDArray[Any], group: Ints) -> None:
        record = np.empty(len(rows), DETECTION)
        record["score"], record["hit"] = entry.score[rows], hits
        record["group"] = group[entry.image[rows]]
        self.detections[at] += np.bincount(entry.label[rows], minlength=self.detections.shape[1])
        try:
            self.files.add(at, entry.label[rows], record)
        except OSError as error:
            raise no_room(self.files.folder, error) from None

    def scored(self, interpolation: str, rounds: int, level: float, seed: int) -> Detection:
        """Average precision of every class with an object."""
        there = np.flatnonzero(self.objects.any(axis=1))
        if not len(there):
            raise DataError("There is no object that counts: every box is ignored or left out.")
        groups = min(self.images, GROUPS)
        weights = draws(groups, rounds, seed) if rounds else None
        shape = (len(self.inputs.entries), len(there))
        precision, recall, ends = np.zeros(shape), np.zeros(shape), np.zeros((*shape, 2))
        #: Of the classes that a round has drawn.
        sums, counts = np.zeros((2, len(self.inputs.entries), rounds))
        for number, place in enumerate(progress_bar(there.tolist(), "average precision")):
            positives = self.objects[place, :groups].astype(np.int64)
            for at in range(len(self.inputs.entries)):
                precision[at, number], hits, drawn = self.files.precision(
                    at, place, positives, weights, interpolation
                )
                recall[at, number] = hits / positives.sum()
                if drawn is not None:
                    known = ~np.isnan(drawn)
                    sums[at, known] += drawn[known]
                    counts[at] += known
                    ends[at, number] = percentiles(drawn[known], level) if known.any() else np.nan
        return Detection(
            **vars(self.inputs.counts()),
            classes=[self.inputs.classes[place] for place in there],
            images=self.images,
            objects=self.objects[there].sum(axis=1, dtype=np.int64),
            detections=self.detections[:, there],
            recall=recall,
            precision=precision,
            rounds=ends if rounds else None,
            mean_rounds=sums / np.maximum(counts, 1) if rounds else None,
            foreign=self.detections.sum(axis=1) - self.detections[:, there].sum(axis=1),
            level=level,
        )


def matches(truth: Part, entry: Part, order: Ints, needed: Floats) -> npt.NDArray[np.int8]:
    """[D] for the detections in this order: 1 where it matches an object, 0 where it does not, -1
    where it lies on an ignored one and does not count.

    Args:
        truth: objects.
        entry: detections.
        order: [D] rows of the entry, by image, best score first.
        needed: [T] overlap that a detection of each object needs.
    """
    size = int(max(truth.label.max(initial=0), entry.label.max(initial=0))) + 1
    objects = truth.image * size + truth.label
    wanted = entry.image[order] * size + entry.label[order]
    sizes = np.cumsum(pair_counts(wanted, objects))
    found = np.zeros(len(order), np.int8)
    begin = 0
    while begin < len(order):
        # whole images, or a detection could be compared without those of its image
        limit = (sizes[begin - 1] if begin else 0) + PAIRS
        end = max(int(np.searchsorted(sizes, limit, "right")), begin + 1)
        end = int(np.searchsorted(entry.image[order], entry.image[order[end - 1]], "right"))
        part = order[begin:end]
        rows, columns = pairs(wanted[begin:end], objects)
        found[begin:end] = _matched(truth, entry.box[part], rows, columns, needed)
        begin = end
    return found


def _matched(
    truth: Part, boxes: Floats, rows: Ints, columns: Ints, needed: Floats
) -> npt.NDArray[np.int8]:
    """``matches`` of some detections, whose pairs with the objects of their image and class these
    are."""
    crowd = truth.ignore[columns] == CROWD
    one, other = boxes[rows], truth.box[columns]
    overlap = overlaps(one, other)
    overlap[crowd] = coverage(one[crowd], other[crowd])
    # a threshold may be 0
    enough = (overlap >= needed[columns]) & has_area(one)
    real = enough & (truth.ignore[columns] == COUNTS)
    taken = greedy_matches(rows[real], columns[real], overlap[real], len(boxes))
    found = (taken >= 0).astype(np.int8)
    ignored = np.zeros(len(boxes), bool)
    ignored[rows[enough & ~real]] = True
    found[(found == 0) & ignored] = -1
    return found
