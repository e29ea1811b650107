"""Statistics of annotated boxes: instances, neighbours, scale, chance performance, clutter; and
pairs of boxes that may be one object twice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.progress import progress_bar
from graphzsl.ilsvrc.boxes.classes import box_classes
from graphzsl.ilsvrc.boxes.flags import Flag, Large, flag_rows, large_images
from graphzsl.ilsvrc.boxes.inputs import class_rows, ignored_notes
from graphzsl.ilsvrc.boxes.metrics.chance import (
    WINDOWS,
    chance_performance,
    clutter,
    first_windows,
    neighbours,
    overlapping,
)
from graphzsl.ilsvrc.boxes.metrics.matching import ranks_in_images
from graphzsl.ilsvrc.boxes.metrics.overlap import pairs, rows_by_label, thresholds
from graphzsl.ilsvrc.boxes.partitions import Part, joined
from graphzsl.ilsvrc.boxes.readers.choice import source_of
from graphzsl.metrics.ranking import Floats, Ints
from graphzsl.sources.imagenet import Classes

#: Boxes of a class of which chance performance is computed: all pairs of so many, drawn at random
#: where there are more.
SAMPLE = 2000


class _Sums:
    """Sums over parts, by class."""

    def __init__(self, size: int) -> None:
        self.image_count = self.with_boxes = self.ignored = 0
        self.images, self.boxes, self.small, self.scaled = np.zeros((4, size), np.int64)
        self.neighbours, self.windows, self.unfound = np.zeros((3, size), np.int64)
        self.scale = np.zeros(size)
        self.samples: dict[int, _Sample] = {}
        #: Boxes in pairs that overlap, of one class and of two.
        self.flagged = np.zeros(2, np.int64)


class _Sample:
    """At most ``SAMPLE`` boxes of a class, each with the same chance (reservoir sampling)."""

    def __init__(self, seed: int):
        self._random = np.random.default_rng(seed)
        self.boxes, self.seen = np.empty((SAMPLE, 4)), 0

    def add(self, boxes: Floats) -> None:
        """Add boxes of the class."""
        free = max(0, min(SAMPLE - self.seen, len(boxes)))
        self.boxes[self.seen : self.seen + free] = boxes[:free]
        number = np.arange(self.seen + free, self.seen + len(boxes))
        place = self._random.integers(0, number + 1) if len(number) else number
        for at in np.flatnonzero(place < SAMPLE):
            self.boxes[place[at]] = boxes[free + at]
        self.seen += len(boxes)

    @property
    def kept(self) -> Floats:
        """[N, 4]."""
        return self.boxes[: min(self.seen, SAMPLE)]


@dataclass(frozen=True, eq=False)
class BoxStatistics:
    """Statistics of annotations.

    Args:
        classes: [C] those with a box.
        images: how many there are, with boxes or without.
        images_with_boxes: of them.
        class_images: [C] images with a box of the class.
        boxes: [C] those that count.
        ignored: boxes that need not be found, of any class, which are in no statistic.
        scale: [C] mean share of the image that a box takes; nan where sizes are not known.
        neighbours: [C] mean number of boxes of its class that a box overlaps or touches.
        small: [C] boxes whose threshold in detection is below 0.5.
        chance: [C] chance performance of localization; nan as for scale, and of one box.
        clutter: [C] with windows, else None.
        not_localized: share of pairs of a class and an image in which no window is right.
        flagged: boxes in a pair that overlaps too much: of one class, of two.
        first_pixel: the number of an image's first pixel, from which coordinates count.
        notes: a sentence about ignored boxes, where there are any.
    """

    classes: list[str]
    images: int
    images_with_boxes: int
    class_images: Ints
    boxes: Ints
    ignored: int
    scale: Floats
    neighbours: Floats
    small: Ints
    chance: Floats
    clutter: Floats | None
    not_localized: float | None
    flagged: tuple[int, int]
    first_pixel: int
    notes: list[str]

    def row(self) -> dict[str, Any]:
        """The whole set in one row; means are over classes but for those per image, box or
        instance."""
        total = int(self.boxes.sum())
        row = {
            "classes": len(self.classes),
            "images": self.images,
            "images_with_boxes": self.images_with_boxes,
            "boxes": total,
            "ignored": self.ignored,
            "boxes_per_image": total / self.images,
            "instances_per_positive_image": float((self.boxes / self.class_images).mean()),
            "neighbours_per_instance": float((self.neighbours * self.boxes).sum() / total),
            "scale_share": _mean(self.scale),
            "chance_performance_share": _mean(self.chance),
            "small_share": float(self.small.sum() / total),
            "same_class_overlap_share": self.flagged[0] / total,
            "other_class_overlap_share": self.flagged[1] / total,
        }
        if self.clutter is not None:
            row |= {"clutter": _mean(self.clutter), "not_localized_share": self.not_localized}
        return row

    def class_rows(self) -> list[dict[str, Any]]:
        """One row per class, in the order of the classes."""
        columns = {
            "images": self.class_images,
            "boxes": self.boxes,
            "instances_per_positive_image": self.boxes / self.class_images,
            "neighbours_per_instance": self.neighbours,
            "scale_share": self.scale,
            "chance_performance_share": self.chance,
            "small_share": self.small / self.boxes,
        }
        if self.clutter is not None:
            columns["clutter"] = self.clutter
        return class_rows(self.classes, columns)


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def box_statistics(
    truth: Path,
    *,
    regions: Path | None = None,
    candidates: Classes | None = None,
    edges: bool = False,
    first_pixel: int | None = None,
    overlap: float = 0.5,
    seed: int = 0,
    flag: Flag | None = None,
    large: Large | None = None,
) -> BoxStatistics:
    """Statistics of annotations, of the boxes that count: objects that need not be found, and
    crowds, are in none, as in PASCAL's.

    Args:
        truth: annotations (``source_of`` says in which formats).
        regions: a table of regions that may hold any object, of the images that have boxes, best
            first or with scores: for clutter.
        candidates: the classes in the order of their numbers, where files have numbers.
        edges: corners are edges, not pixels.
        first_pixel: the number of an image's first pixel; None for what the truth tells: 1 where
            no corner is below 1 and one is the width or height of its image, as in PASCAL's, else
            0, as in ImageNet's. Scale and the names of large images depend on it.
        overlap: boxes that overlap by more than this are flagged.
        seed: of the boxes that are drawn where a class has more than ``SAMPLE``.
        flag: receives rows of the pairs of boxes that are flagged.
        large: receives the names of images of which one object takes more than ``LARGE``.

    Raises:
        DataError: a file is wrong, a box lies outside its image, or the size of an image is not
            known that ``large`` needs.

    Reference:
        Russakovsky et al. 2015, sections 3.2.2 and 3.3.4, appendices B and E.
    """
    sources = [source_of(truth, edges)]
    if regions is not None:
        sources.append(source_of(regions, edges, regions=True))
    with joined(sources, first_pixel) as found:
        labels = found.partitions[0].labels
        if not labels:
            raise DataError(f"{truth} has no boxes: there is nothing to count.")
        meant = box_classes([(str(truth), labels)], candidates)
        names, (of_file,) = meant.names, meant.of_files
        sums = _Sums(len(names))
        for whole, *proposed in found.parts("statistics"):
            whole.check_inside()
            kept = whole.without_ignored()
            sums.ignored += len(whole.box) - len(kept.box)
            part = replace(kept, label=of_file[kept.label])
            _add(sums, part, seed)
            _flagged(sums, part, names, overlap, flag)
            if large is not None:
                large(large_images(part))
            if proposed:
                _add_clutter(sums, part, proposed[0])
    if not sums.boxes.any():
        raise DataError(f"{truth} has no box that counts: all of them are ignored.")
    notes = ignored_notes(sums.ignored, truth, "in no statistic")
    return _summed(sums, names, regions is not None, found.first_pixel, notes)


def _add(sums: _Sums, part: Part, seed: int) -> None:
    size, label = len(sums.boxes), part.label
    sums.image_count += int(part.has.sum())
    sums.with_boxes += len(np.unique(part.image))
    groups = part.image * size + label
    sums.images += np.bincount(np.unique(groups) % size, minlength=size)
    sums.boxes += np.bincount(label, minlength=size)
    sums.small += np.bincount(label[thresholds(part.box) < 0.5], minlength=size)
    np.add.at(sums.neighbours, label, neighbours(part.box, groups))
    known = ~np.isnan(part.share)
    if not known.any():
        return
    sums.scaled += np.bincount(label[known], minlength=size)
    np.add.at(sums.scale, label[known], part.share[known])
    box = part.inside[known] / np.tile(part.size[part.image[known]], 2)
    for place, rows in rows_by_label(label[known]):
        sums.samples.setdefault(place, _Sample(seed)).add(box[rows])


def _flagged(sums: _Sums, part: Part, names: list[str], overlap: float, flag: Flag | None) -> None:
    #: Boxes in a pair of one class, and of two.
    paired = np.zeros((2, len(part.box)), bool)
    for first, second, found in overlapping(part.box, part.image, overlap):
        other = part.label[first] != part.label[second]
        for kind, rows in enumerate((~other, other)):
            paired[kind, first[rows]] = paired[kind, second[rows]] = True
        if flag is not None:
            flag(flag_rows(part, names, (first, second, found)))
    sums.flagged += paired.sum(axis=1)


def _add_clutter(sums: _Sums, part: Part, regions: Part) -> None:
    """The first region that is right, for every class of every image that has regions."""
    size = len(sums.boxes)
    groups, group_of = np.unique(part.image * size + part.label, return_inverse=True)
    image = groups // size
    for at in image[~regions.has[image]][:1]:
        name = part.names[at]
        raise DataError(
            f"{regions.source.where(name, 0)}: image {name} has boxes and no regions. Clutter needs"
            " regions of every image."
        )
    # a group is a class in an image, and has the regions of its image
    ranks = ranks_in_images(regions.image, regions.score)
    kept = np.flatnonzero(ranks < WINDOWS)
    for at in range(0, len(groups), 500):
        block = slice(at, at + 500)
        numbers, columns = pairs(image[block], regions.image[kept])
        rows, boxes = kept[columns], np.flatnonzero(group_of // 500 == at // 500)
        first = first_windows(
            regions.box[rows],
            ranks[rows],
            numbers,
            part.box[boxes],
            group_of[boxes] - at,
            len(image[block]),
        )
        where = groups[block] % size
        np.add.at(sums.windows, where, first)
        sums.unfound += np.bincount(where[first > WINDOWS], minlength=size)


def _summed(
    sums: _Sums, names: list[str], with_windows: bool, first_pixel: int, notes: list[str]
) -> BoxStatistics:
    there = np.flatnonzero(sums.boxes)
    chance = np.full(len(names), np.nan)
    for place in progress_bar(sorted(sums.samples), "chance performance"):
        chance[place] = chance_performance(sums.samples[place].kept)
    with np.errstate(invalid="ignore"):
        scale = sums.scale / sums.scaled
    mean_windows = sums.windows[there] / sums.images[there]
    return BoxStatistics(
        [names[place] for place in there],
        sums.image_count,
        sums.with_boxes,
        sums.images[there],
        sums.boxes[there],
        sums.ignored,
        scale[there],
        sums.neighbours[there] / sums.boxes[there],
        sums.small[there],
        chance[there],
        np.array([clutter(mean) for mean in mean_windows]) if with_windows else None,
        float(sums.unfound.sum() / sums.images.sum()) if with_windows else None,
        (int(sums.flagged[0]), int(sums.flagged[1])),
        first_pixel,
        notes,
    )
