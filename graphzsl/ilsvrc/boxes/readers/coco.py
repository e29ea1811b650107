"""COCO's JSON: ground truth (images, annotations, categories) and results."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.reading.json_parts import parts
from graphzsl.ilsvrc.boxes.rows import (
    COUNTS,
    CROWD,
    DIFFICULT,
    Row,
    Source,
    check_class,
    check_text,
    checked_box,
    checked_size,
)


class CocoFile(Source):
    """A file of ground truth, or a list of results.

    Images are called by their ids. Results have ids of categories, whose names are those of the
    ground truth.

    Args:
        path: the file.
        categories: id of a category, as a text -> its name, which reading the ground truth fills.
        may_be_empty: boxes may be without an area.
    """

    images_are = "their ids"

    def __init__(self, path: Path, categories: dict[str, str], may_be_empty: bool = False):
        super().__init__(path, may_be_empty=may_be_empty)
        self.categories = categories
        #: Id and name of a category of this file -> where it stands.
        self._ids: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def rows(self) -> Iterator[Row]:
        """Images, and boxes."""
        seen = False
        for key, number, element in parts(self.path):
            seen = True
            where = f"{self.path}: {key}[{number}]"
            if number < 0 and key in ("images", "annotations", "categories"):
                raise DataError(f"{self.path}: {key} must be a list, not {element!r:.40}.")
            if key not in ("", "images", "annotations", "categories"):
                continue
            if not isinstance(element, dict):
                raise DataError(f"{where} must be an object, not {element!r:.40}.")
            if key == "images":
                self.lists_images = True
                width, height = (
                    _number(element, side, where, math.nan) for side in ("width", "height")
                )
                size = checked_size(width, height, where)
                yield Row(_id(element, "id", where), None, None, size=size, place=number)
            elif key == "categories":
                self._add_category(element, where)
            else:
                yield self._row(element, where, number, is_result=not key)
        if seen:
            return
        with open_file(self.path, "utf-8-sig") as file:
            # an entry that found nothing is an empty list
            if file.read(1 << 16).lstrip().startswith("{"):
                raise DataError(
                    f"{self.path} is empty. Expected COCO's ground truth, an object with images,"
                    " annotations and categories, or results, a list of objects with image_id,"
                    " category_id, bbox and score."
                )

    def where(self, image: str, place: int) -> str:
        """The number of the element in its list."""
        key = "annotations" if self.lists_images else ""
        return f"{self.path}: {key}[{place}] (image {image})"

    def label(self, text: str) -> str:
        """The name of a category by its id; results beside a truth without categories keep their
        numbers, which are those of a list of classes."""
        if not self.categories:
            return text
        if text not in self.categories:
            raise DataError(
                f"{self.path}: there is no category with id {text} among the"
                f" {len(self.categories):,} of the ground truth."
            )
        return self.categories[text]

    def _add_category(self, element: dict[str, Any], where: str) -> None:
        number, name = _id(element, "id", where), element.get("name")
        if not isinstance(name, str) or not name.strip():
            raise DataError(f"{where}: a category needs a name, not {name!r}.")
        name = name.strip()
        check_class(name, "the category", where)
        if number in self._ids:
            raise DataError(f"{where}: the category {number} is there twice. Remove one of them.")
        if name in self._names:
            raise DataError(
                f"{where}: {name!r} is the name of {self._names[name]} too. Give each category a"
                " name of its own."
            )
        self._ids[number] = self._names[name] = where
        # of an entry that has the ground truth's keys, the ground truth's names are known
        known = self.categories.setdefault(number, name)
        if known != name:
            raise DataError(
                f"{where}: the category {number} is {name!r} here and {known!r} in the ground"
                " truth. Give results as a list of objects with image_id, category_id, bbox and"
                " score, by the ground truth's ids."
            )

    def _row(self, element: dict[str, Any], where: str, number: int, is_result: bool) -> Row:
        image = _id(element, "image_id", where)
        label = _id(element, "category_id", where)
        bbox = element.get("bbox")
        if not isinstance(bbox, list) or len(bbox) != 4 or not all(map(_is_number, bbox)):
            raise DataError(f"{where}: bbox must be [x, y, width, height], not {shown(bbox)}.")
        x, y, width, height = map(float, bbox)
        box = checked_box((x, y, x + width, y + height), where, self.may_be_empty)
        score = _number(element, "score", where, None if is_result else math.nan)
        ignore = CROWD if element.get("iscrowd") else DIFFICULT if element.get("ignore") else COUNTS
        return Row(image, label, box, score, ignore=ignore, place=number)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(element: dict[str, Any], key: str, where: str, default: float | None) -> float:
    value: Any = element.get(key, default)
    if not _is_number(value) or (key in element and not math.isfinite(value)):
        raise DataError(f"{where}: {key} must be a number, not {shown(value)}.")
    return float(value)


def _id(element: dict[str, Any], key: str, where: str) -> str:
    value = element.get(key)
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise DataError(f"{where}: {key} must be a whole number or a text, not {shown(value)}.")
    check_text(str(value), key, where)
    return str(value)
