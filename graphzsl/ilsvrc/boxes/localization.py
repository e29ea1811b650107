"""Classification with localization (Russakovsky et al. 2015, section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.wording import called, counted
from graphzsl.ilsvrc.boxes.inputs import FileCounts, Inputs, box_inputs, class_rows, ignored_notes
from graphzsl.ilsvrc.boxes.metrics.matching import box_errors, image_errors, ranks_in_images
from graphzsl.ilsvrc.boxes.partitions import Part
from graphzsl.metrics import bootstrap_interval, interval_of_counts
from graphzsl.metrics.ranking import Ints
from graphzsl.sources.imagenet import Classes

#: What is counted of every image: errors of classes and of both, of all guesses and of the first.
TASKS = ("classification", "localization")


@dataclass(frozen=True, eq=False)
class Localization(FileCounts):
    """Errors of entries.

    Args:
        classes: [C] of the truth.
        images: [C] how many there are of each class.
        errors: [E, 2, 2, C] images that are errors: of each task, with the first guess and with
            all that count.
        wrong_boxes: [E, C] images whose class is among the guesses, without its box.
        missing: [E] images without a guess, which are errors.
        more: [E] images with more guesses than count.
        only: [E, E] images that are localization errors of one entry and not of another.
        guesses: how many count.
        ignored_images: images that have ignored boxes alone, and are left out.
    """

    classes: list[str]
    images: Ints
    errors: Ints
    wrong_boxes: Ints
    missing: Ints
    more: Ints
    only: Ints
    guesses: int
    ignored_images: int

    def notes(self) -> list[str]:
        """Sentences about what is no error, or no match, by its nature."""
        of = f"with more than {counted(self.guesses, 'guess', 'guesses')}; the best count"
        without = "without a guess, counted as errors"
        have, are = ("has", "is") if self.ignored_images == 1 else ("have", "are")
        images = counted(self.ignored_images, "image")
        alone = f"{images} of {self.truth} {have} no other box, and {are} left out."
        return [
            *self.entry_notes(
                (self.missing, f"image {without}", f"images {without}"),
                (self.more, f"image {of}", f"images {of}"),
            ),
            *self.match_notes(),
            *ignored_notes(self.ignored, self.truth, "not what is looked for"),
            *([alone] if self.ignored_images else []),
            *self.image_notes(),
        ]

    def rows(self, rounds: int = 2000, level: float = 0.95, seed: int = 0) -> list[dict[str, Any]]:
        """One row per entry and task: error per image with its interval (images resampled), mean
        over classes with its interval (classes resampled); behind the best entry of several, the
        difference (the same images resampled for both). No intervals without rounds."""
        draw = (rounds, level, seed)
        best = int(self.errors[:, 1, -1].sum(axis=-1).argmin())
        found = []
        for at, entry in enumerate(self.entries):
            for task, name in enumerate(TASKS):
                for first, guesses in enumerate(sorted({1, self.guesses})):
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
        there = np.flatnonzero(self.images > 0)
        images = self.images[there]
        columns = {
            "images": images,
            "classification_error": self.errors[:, 0, 1, there] / images,
            "localization_error": self.errors[:, 1, 1, there] / images,
            "wrong_box_share": self.wrong_boxes[:, there] / images,
        }
        return class_rows([self.classes[place] for place in there], columns, self.entries)


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
    missing, more = np.zeros((2, count), np.int64)
    only = np.zeros((count, count), np.int64)
    ignored_images = 0
    for whole, *entries in inputs.parts("localization"):
        kept, truth = inputs.counted(whole), whole.without_ignored()
        boxes, others = (np.bincount(part.image, minlength=len(kept)) for part in (whole, truth))
        ignored = kept & (boxes > 0) & (others == 0)
        ignored_images += int(ignored.sum())
        class_of = _class_of_images(truth, inputs.classes, kept & ~ignored)
        used = class_of >= 0
        images += np.bincount(class_of[used], minlength=size)
        wrong = np.zeros((count, len(used)), bool)
        for at, entry in enumerate(entries):
            of_class, of_both = _guess_errors(entry, truth, class_of, overlap)
            ranks = ranks_in_images(entry.image, entry.score)
            for first, most in enumerate((1, guesses)):
                near, of_image = ranks < most, entry.image[ranks < most]
                by_class = image_errors(of_class[near], of_image, len(used))
                wrong[at] = image_errors(of_both[near], of_image, len(used))
                for task, found in enumerate((by_class, wrong[at])):
                    errors[at, task, first] += np.bincount(class_of[used & found], minlength=size)
            wrong_boxes[at] += np.bincount(class_of[used & ~by_class & wrong[at]], minlength=size)
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
        **vars(inputs.counts()),
        classes=inputs.classes,
        images=images,
        errors=errors,
        wrong_boxes=wrong_boxes,
        missing=missing,
        more=more,
        only=only,
        guesses=guesses,
        ignored_images=ignored_images,
    )


def _guess_errors(
    entry: Part, truth: Part, class_of: Ints, overlap: float
) -> tuple[np.ndarray, np.ndarray]:
    """([G] whether the class of each guess is wrong; [G] whether it or the box is: equation 2)."""
    by_class = entry.label != class_of[entry.image]
    by_box = box_errors(entry.box, entry.image, truth.box, truth.image, overlap)
    return by_class, by_class | by_box


def _class_of_images(truth: Part, classes: list[str], kept: np.ndarray) -> Ints:
    """[I] the class of each image of the truth that counts; -1 for others."""
    found = np.full(len(truth.names), -1)
    found[truth.image] = truth.label
    other = (found[truth.image] != truth.label) & kept[truth.image]
    for row in np.flatnonzero(other)[:1]:
        here, there = classes[truth.label[row]], classes[found[truth.image[row]]]
        raise DataError(
            f"{truth.where(row)}: the image has boxes of {called(here, {})} and of {there}; an"
            " image of the localization task has one class. Images with several are for"
            " detection."
        )
    found[~kept] = -1
    for at in np.flatnonzero(truth.has & kept & (found < 0))[:1]:
        name = truth.names[at]
        raise DataError(
            f"{truth.source.where(name, 0)}: image {name} has no box, so its class is not known."
            " Leave it out, or annotate it."
        )
    return found
