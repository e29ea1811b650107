"""Statistics of annotated boxes: instances, neighbours, scale, chance performance, clutter; and
pairs of boxes that may be one object twice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.progress import progress_bar
from graphzsl.ilsvrc.boxes.classes import box_classes
from graphzsl.ilsvrc.boxes.extents import check_inside, inside
from graphzsl.ilsvrc.boxes.flags import Flag, Large, flag_rows, large_images
from graphzsl.ilsvrc.boxes.inputs import source_labels
from graphzsl.ilsvrc.boxes.localization import class_columns
from graphzsl.ilsvrc.boxes.metrics.chance import (
    WINDOWS,
    chance_performance,
    clutter,
    first_windows,
    neighbours,
    overlapping,
)
from graphzsl.ilsvrc.boxes.metrics.localization import ranks_in_images
from graphzsl.ilsvrc.boxes.metrics.overlap import areas, thresholds
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
        def zeros() -> Ints:
            return np.zeros(size, np.int64)

        self.image_count = self.with_boxes = self.ignored = 0
        self.images, self.boxes, self.small, self.scaled = zeros(), zeros(), zeros(), zeros()
        self.neighbours, self.windows, self.unfound = zeros(), zeros(), zeros()
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
    first_pixel: int = 0

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
        found = []
        for at, name in enumerate(self.classes):
            row = class_columns(name) | {
                "images": int(self.class_images[at]),
                "boxes": int(self.boxes[at]),
                "instances_per_positive_image": float(self.boxes[at] / self.class_images[at]),
                "neighbours_per_instance": float(self.neighbours[at]),
                "scale_share": _known(self.scale[at]),
                "chance_performance_share": _known(self.chance[at]),
                "small_share": float(self.small[at] / self.boxes[at]),
            }
            if self.clutter is not None:
                row["clutter"] = float(self.clutter[at])
            found.append(row)
        return found


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def box_statistics(
    truth: Path,
    *,
    windows: Path | None = None,
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
        windows: a table of regions that may hold any object, of the images that have boxes, best
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
    if windows is not None:
        sources.append(source_of(windows, edges, windows=True))
    with joined(sources, first_pixel) as found:
        labels = source_labels(found.partitions[0])
        if not labels:
            raise DataError(f"{truth} has no boxes: there is nothing to count.")
        meant = box_classes([(str(truth), labels)], candidates)
        names, of_file = meant.names, meant.of_files[0]
        size = len(names)
        sums = _Sums(size)
        for whole, *regions in found.parts("statistics"):
            check_inside(whole)
            part = whole.without_ignored()
            sums.ignored += len(whole.box) - len(part.box)
            label = of_file[part.label]
            _add(sums, part, label, seed)
            _flagged(sums, part, label, names, overlap, flag)
            if large is not None:
                large(large_images(part))
            if regions:
                _add_windows(sums, part, label, regions[0])
    if not sums.boxes.any():
        raise DataError(f"{truth} has no box that counts: all of them are ignored.")
    return _summed(sums, names, windows is not None, found.first_pixel)


def _add(sums: _Sums, part: Part, label: Ints, seed: int) -> None:
    size = len(sums.boxes)
    sums.image_count += int(part.has.sum())
    sums.with_boxes += len(np.unique(part.image))
    groups, _ = _class_images(part, label, size)
    sums.images += np.bincount(groups % size, minlength=size)
    sums.boxes += np.bincount(label, minlength=size)
    sums.small += np.bincount(label[thresholds(part.box) < 0.5], minlength=size)
    near = neighbours(part.box, part.image * size + label)
    np.add.at(sums.neighbours, label, near)
    sides = part.size[part.image]
    known = ~np.isnan(sides[:, 0])
    if not known.any():
        return
    label, box, sides = label[known], inside(part)[known], sides[known]
    sums.scaled += np.bincount(label, minlength=size)
    np.add.at(sums.scale, label, areas(box) / (sides[:, 0] * sides[:, 1]))
    box /= np.tile(sides, 2)
    order = np.argsort(label, kind="stable")
    places, begins = np.unique(label[order], return_index=True)
    for place, rows in zip(places.tolist(), np.split(order, begins[1:]), strict=True):
        if place not in sums.samples:
            sums.samples[place] = _Sample(seed)
        sums.samples[place].add(box[rows])


def _class_images(part: Part, label: Ints, size: int) -> tuple[Ints, Ints]:
    """(distinct pairs of an image and a class, as image × size + class; [N] the pair of each
    box)."""
    return np.unique(part.image * size + label, return_inverse=True)


def _flagged(
    sums: _Sums, part: Part, label: Ints, names: list[str], overlap: float, flag: Flag | None
) -> None:
    #: Boxes in a pair of one class, and of two.
    paired = np.zeros((2, len(part.box)), bool)
    for first, second, found in overlapping(part.box, part.image, overlap):
        other = label[first] != label[second]
        for kind, rows in enumerate((~other, other)):
            paired[kind, first[rows]] = paired[kind, second[rows]] = True
        if flag is not None:
            flag(flag_rows(part, label, names, (first, second, found)))
    sums.flagged += paired.sum(axis=1)


def _add_windows(sums: _Sums, part: Part, label: Ints, regions: Part) -> None:
    """The first window that is right, for every class of every image that has windows."""
    size = len(sums.boxes)
    groups, group_of = _class_images(part, label, size)
    image = groups // size
    missing = ~regions.has[image]
    if missing.any():
        name = part.names[int(image[np.flatnonzero(missing)[0]])]
        raise DataError(
            f"{regions.source.where(name, 0)}: image {name} has boxes and no windows. Clutter needs"
            " windows of every image."
        )
    # a group is a class in an image, and has the windows of its image
    ranks = ranks_in_images(regions.image, regions.score)
    kept = np.flatnonzero(ranks < WINDOWS)
    for at in range(0, len(groups), 500):
        part_of = slice(at, at + 500)
        inside = image[part_of]
        windows = kept[np.isin(regions.image[kept], inside)]
        order = windows[np.argsort(regions.image[windows], kind="stable")]
        begins = np.searchsorted(regions.image[order], inside, "left")
        ends = np.searchsorted(regions.image[order], inside, "right")
        rows = np.concatenate([order[b:e] for b, e in zip(begins, ends, strict=True)])
        numbers = np.repeat(np.arange(len(inside)), ends - begins)
        boxes = np.flatnonzero((group_of >= at) & (group_of < at + 500))
        first = first_windows(
            regions.box[rows],
            ranks[rows],
            numbers,
            part.box[boxes],
            group_of[boxes] - at,
            len(inside),
        )
        where = groups[part_of] % size
        np.add.at(sums.windows, where, first)
        sums.unfound += np.bincount(where[first > WINDOWS], minlength=size)


def _summed(sums: _Sums, names: list[str], with_windows: bool, first_pixel: int) -> BoxStatistics:
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
    )
