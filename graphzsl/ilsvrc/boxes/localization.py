"""Classification with localization (Russakovsky et al. 2015, section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.wording import called
from graphzsl.ilsvrc.boxes.inputs import Inputs, box_inputs
from graphzsl.ilsvrc.boxes.metrics.localization import (
    box_errors,
    class_errors,
    guess_errors,
    image_errors,
    ranks_in_images,
)
from graphzsl.ilsvrc.boxes.partitions import Part
from graphzsl.metrics import bootstrap_interval, interval_of_counts
from graphzsl.metrics.ranking import Ints
from graphzsl.sources.imagenet import Classes

#: What is counted of every image: errors of classes and of both, of all guesses and of the first.
TASKS = ("classification", "localization")


@dataclass(frozen=True, eq=False)
class Localization:
    """Errors of entries.

    Args:
        classes: [C] of the truth.
        entries: [E] names.
        images: [C] how many there are of each class.
        errors: [E, 2, 2, C] images that are errors: of each task, with the first guess and with
            all that count.
        wrong_boxes: [E, C] images whose class is among the guesses, without its box.
        missing: [E] images without a guess, which are errors.
        more: [E] images with more guesses than count.
        empty: [E] guesses without an area, whose boxes are wrong.
        outside: [E] guesses outside their images, whose boxes are right nowhere inside them.
        only: [E, E] images that are localization errors of one entry and not of another.
        guesses: how many count.
        ignored: boxes of the truth that need not be found, and are not what is looked for.
        ignored_images: images that have no others, and are left out.
        left_out: images that do not count.
        unmet: names that were to be left out, and are no image of the truth.
    """

    classes: list[str]
    entries: list[str]
    images: Ints
    errors: Ints
    wrong_boxes: Ints
    missing: Ints
    more: Ints
    empty: Ints
    outside: Ints
    only: Ints
    guesses: int
    ignored: int
    ignored_images: int
    left_out: int
    unmet: list[str]

    def rows(self, rounds: int = 2000, level: float = 0.95, seed: int = 0) -> list[dict[str, Any]]:
        """One row per entry and task: error per image with its interval (images resampled), mean
        over classes with its interval (classes resampled); behind the best entry of several, the
        difference (the same images resampled for both). No intervals without rounds."""
        draw = (rounds, level, seed)
        best = int(self.errors[:, 1, -1].sum(axis=-1).argmin())
        found = []
        for at, entry in enumerate(self.entries):
            for task, name in enumerate(TASKS):
                for first, guesses in enumerate((1, self.guesses)):
                    if first and guesses == 1:
                        continue
                    row: dict[str, Any] = {"entry": entry, "task": name, "guesses": guesses}
                    row |= self._error(self.errors[at, task, first], draw)
                    if len(self.entries) > 1:
                        compared = task and guesses == self.guesses and at != best
                        row |= self._difference(at, best if compared else at, draw)
                    found.append(row)
        return found

    def _error(self, wrong: Ints, draw: tuple[int, float, int]) -> dict[str, Any]:
        """Means of [C] images that are errors, over images and over classes."""
        total, there = int(self.images.sum()), self.images > 0
        by_class = wrong[there] / self.images[there]
        row: dict[str, Any] = {"per_image": float(wrong.sum() / total)}
        if draw[0]:
            row["low"], row["high"] = _interval(wrong.sum(), 0, total, *draw)
        row["per_class"] = float(by_class.mean())
        if draw[0]:
            row["interval"] = list(bootstrap_interval(by_class, *draw))
        return row

    def _difference(self, at: int, best: int, draw: tuple[int, float, int]) -> dict[str, Any]:
        """Difference of an entry from the best one; empty for the best itself."""
        worse, better = self.only[at, best], self.only[best, at]
        total = int(self.images.sum())
        row = {"difference": None if at == best else float((worse - better) / total)}
        if draw[0]:
            ends = (None, None) if at == best else _interval(worse, better, total, *draw)
            row |= dict(zip(("difference_low", "difference_high"), ends, strict=True))
        return row

    def class_rows(self) -> list[dict[str, Any]]:
        """One row per class and entry, in the order of the classes."""
        found = []
        for place in np.flatnonzero(self.images > 0):
            for at, entry in enumerate(self.entries):
                images = self.images[place]
                row: dict[str, Any] = class_columns(self.classes[place])
                if len(self.entries) > 1:
                    row["entry"] = entry
                row["images"] = int(images)
                row["classification_error"] = float(self.errors[at, 0, 1, place] / images)
                row["localization_error"] = float(self.errors[at, 1, 1, place] / images)
                row["wrong_box_share"] = float(self.wrong_boxes[at, place] / images)
                found.append(row)
        return found


def class_columns(name: str) -> dict[str, Any]:
    """The column of a class: of a wnid, or of a name that has none."""
    from graphzsl.sources.tables import WNID

    return {"wnid" if WNID.match(name) else "class": name}


def _interval(
    more: int, fewer: int, total: int, rounds: int, level: float, seed: int
) -> tuple[float, float]:
    """The interval of (more - fewer) / total, where images count 1, -1 or 0."""
    counts = np.array([fewer, total - more - fewer, more], np.int64)
    return interval_of_counts(np.array([-1.0, 0, 1]), counts, rounds, level, seed)


def localization(
    truth: Path,
    entries: Sequence[Path],
    *,
    guesses: int = 5,
    overlap: float = 0.5,
    candidates: Classes | None = None,
    edges: bool = False,
    first_pixel: int | None = None,
    without: Path | None = None,
) -> Localization:
    """The errors of entries that give several guesses for each image, a class and a box each.

    A guess is right where its class is that of the image and its box overlaps one of the class's
    instances by **more** than ``overlap``; an image is right where one of the guesses is. Guesses
    are in the order of their scores; of equal scores, or without them, in the order of the file.

    An instance that need not be found does not make a guess right, and a guess that finds it is one
    of the guesses that count. An image whose instances are all such is left out, as PASCAL leaves
    it out of classification.

    Args:
        truth: annotations of images with one class each (``source_of`` says in which formats).
        entries: guesses.
        guesses: how many of an image's guesses count.
        overlap: intersection over union that is not enough yet.
        candidates: the classes in the order of their numbers, where files have numbers.
        edges: corners are edges, not pixels.
        first_pixel: the number of an image's first pixel; None for what the truth tells.
        without: a file of images that do not count, one per line; 3.5 % in ILSVRC.

    Raises:
        DataError: a file is wrong, an image has boxes of two classes, or files do not go together.

    Reference:
        Russakovsky et al. 2015, section 4.2, equations 1 and 2.
    """
    with box_inputs(truth, entries, candidates, edges, without, first_pixel) as inputs:
        return _counted(inputs, guesses, overlap)


def _counted(inputs: Inputs, guesses: int, overlap: float) -> Localization:
    size, count = len(inputs.classes), len(inputs.entries)
    images = np.zeros(size, np.int64)
    errors = np.zeros((count, 2, 2, size), np.int64)
    wrong_boxes = np.zeros((count, size), np.int64)
    missing, more = np.zeros(count, np.int64), np.zeros(count, np.int64)
    only = np.zeros((count, count), np.int64)
    ignored_images = 0
    for whole, *entries in inputs.parts("localization"):
        kept, truth = inputs.counted(whole), whole.without_ignored()
        ignored = _ignored_images(whole, truth) & kept
        ignored_images += int(ignored.sum())
        class_of = _class_of_images(truth, inputs.classes, kept & ~ignored)
        used = class_of >= 0
        images += np.bincount(class_of[used], minlength=size)
        wrong = np.zeros((count, len(used)), bool)
        for at, entry in enumerate(entries):
            ranks = ranks_in_images(entry.image, entry.score)
            by_class = class_errors(entry.label, class_of[entry.image])
            by_box = box_errors(entry.box, entry.image, truth.box, truth.image, overlap)
            for first, most in enumerate((1, guesses)):
                near = ranks < most
                where = entry.image[near]
                for task, found in enumerate((by_class, guess_errors(by_class, by_box))):
                    wrong[at] = image_errors(found[near], where, len(used))
                    errors[at, task, first] += np.bincount(
                        class_of[used & wrong[at]], minlength=size
                    )
                    if not task:
                        right = used & ~wrong[at]
            wrong_boxes[at] += np.bincount(class_of[right & wrong[at]], minlength=size)
            given = np.bincount(entry.image, minlength=len(used))
            missing[at] += int((used & (given == 0)).sum())
            more[at] += int((used & (given > guesses)).sum())
        for one in range(count):
            only[one] += (used & wrong[one] & ~wrong).sum(axis=1)
    if not images.any():
        raise DataError(
            "There is nothing to count: every image is left out, or has ignored boxes alone.",
            argument="without" if inputs.without else None,
        )
    return Localization(
        inputs.classes,
        inputs.entries,
        images,
        errors,
        wrong_boxes,
        missing,
        more,
        inputs.empty,
        inputs.outside,
        only,
        guesses,
        inputs.ignored,
        ignored_images,
        len(inputs.left_out),
        inputs.unmet,
    )


def _ignored_images(whole: Part, counted: Part) -> np.ndarray:
    """[I] which images have boxes, but none that counts."""
    found = np.zeros(len(whole.names), bool)
    found[whole.image] = True
    found[counted.image] = False
    return found


def _class_of_images(truth: Part, classes: list[str], kept: np.ndarray) -> Ints:
    """[I] the class of each image of the truth that counts; -1 for others."""
    found = np.full(len(truth.names), -1)
    found[truth.image] = truth.label
    other = (found[truth.image] != truth.label) & kept[truth.image]
    if other.any():
        row = int(np.flatnonzero(other)[0])
        here, there = classes[truth.label[row]], classes[found[truth.image[row]]]
        raise DataError(
            f"{truth.where(row)}: the image has boxes of {called(here, {})} and of {there}; an"
            " image of the localization task has one class. Images with several are for"
            " detection."
        )
    found[~kept] = -1
    empty = truth.has & kept & (found < 0)
    if empty.any():
        name = truth.names[int(np.flatnonzero(empty)[0])]
        raise DataError(
            f"{truth.source.where(name, 0)}: image {name} has no box, so its class is not known."
            " Leave it out, or annotate it."
        )
    return found
