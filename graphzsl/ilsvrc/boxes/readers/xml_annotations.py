"""ImageNet's and PASCAL's annotations: one XML file per image, in a folder or a tar archive."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.reading.number_texts import decimal
from graphzsl.common.reading.tar_files import check_no_link, read_member, tar_members
from graphzsl.common.reading.xml_files import Handler, parse_xml
from graphzsl.ilsvrc.boxes.rows import (
    COUNTS,
    DIFFICULT,
    Row,
    Source,
    check_class,
    check_text,
    checked_box,
    checked_size,
)

#: An annotation of one image is a few kB; more than this is something else.
LARGEST_FILE = 4 << 20
#: Files whose archive or folder says nothing about its size weigh so much.
_WEIGHT = 1 << 30
#: What stands in an annotation more than once, and is read.
_CORNERS = ("xmin", "ymin", "xmax", "ymax")


class XmlAnnotations(Source):
    """Annotations in a folder, its sub-folders included, or in a tar archive (``.tar``,
    ``.tar.gz``, ``.tgz``).

    The name of an image is that of its file without ``.xml``; corners are the first and last pixel
    inside, so a width is xmax - xmin + 1, unless ``edges`` are given.
    """

    lists_images = True
    images_are = "the names of their files, without .xml"

    def __init__(self, path: Path, edges: bool = False, may_be_empty: bool = False):
        super().__init__(path, edges, may_be_empty)
        self.in_pixels = not edges
        #: Bytes that have been read of an archive that is not compressed.
        self._read = 0
        if path.is_dir():
            self.weight = _WEIGHT

    def rows(self) -> Iterator[Row]:
        """An image, then its objects."""
        found = False
        for name, content in self._files():
            found = True
            yield from self._parsed(PurePosixPath(name).name.removesuffix(".xml"), name, content)
        if not found:
            raise DataError(
                f"{self.path} holds no .xml file. Expected ImageNet's annotations: one XML file per"
                " image, in a folder or a tar archive."
            )

    def share(self) -> float | None:
        """Share of an archive's bytes that has been read; unknown for a folder or a compressed
        archive."""
        if self.path.is_dir() or self.path.suffix != ".tar":
            return None
        return min(1.0, self._read / max(self.weight, 1))

    def where(self, image: str, place: int) -> str:
        """The file of the image, and the line in it."""
        return f"{self.path}: {image}.xml:{place}"

    def _files(self) -> Iterator[tuple[str, bytes]]:
        """(name, content) of every annotation, in the order of their names in a folder."""
        if self.path.is_dir():
            for folder, folders, names in os.walk(self.path):
                folders.sort()
                for name in sorted(names):
                    if name.endswith(".xml"):
                        path = Path(folder, name)
                        yield path.relative_to(self.path).as_posix(), self._content(path, name)
            return
        for member, file in tar_members(self.path):
            if not member.name.endswith(".xml") or member.isdir():
                continue
            check_no_link(member, (".xml",), self.path)
            if file is None:
                raise DataError(f"{self.path}: {member.name} is neither a file nor a folder.")
            self._check_size(member.size, member.name)
            yield member.name, read_member(file, str(self.path))
            self._read = member.offset_data + member.size

    def _content(self, path: Path, name: str) -> bytes:
        try:
            with open_file(path) as file:
                self._check_size(path.stat().st_size, name)
                return bytes(file.read())
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None

    def _check_size(self, size: int, name: str) -> None:
        if size > LARGEST_FILE:
            raise DataError(
                f"{self.path}: {name} has {size:,} bytes; an annotation of one image has at most"
                f" {LARGEST_FILE:,}."
            )

    def _parsed(self, image: str, name: str, content: bytes) -> Iterator[Row]:
        handler = _Annotation()
        parse_xml(io.BytesIO(content), handler, f"{self.path}: {name}")
        if handler.root != "annotation":
            raise DataError(
                f"{self.path}: {name}: <{handler.root}> is not an annotation of ImageNet, which"
                " begins with <annotation>."
            )
        where = f"{self.path}: {name}"
        width, height = (
            _number(handler.size.get(side, ""), f"<{side}>", where) for side in ("width", "height")
        )
        # some of ImageNet's annotations have 0 × 0: not known
        known = (width, height) if width or height else (math.nan, math.nan)
        size = checked_size(*known, where)
        check_text(image, "the name of the image", where)
        yield Row(image, None, None, size=size, place=1)
        for line, texts in handler.objects:
            where = f"{self.path}: {name}:{line}"
            label = texts.get("name", "")
            if not label:
                raise DataError(f"{where}: an <object> without a <name>, which is its class.")
            check_class(label, "the class", where)
            missing = [side for side in _CORNERS if not texts.get(side)]
            if missing:
                raise DataError(f"{where}: a <bndbox> without <{missing[0]}>.")
            x1, y1, x2, y2 = (_number(texts[side], f"<{side}>", where) for side in _CORNERS)
            more = 0 if self.edges else 1
            box = checked_box((x1, y1, x2 + more, y2 + more), where, self.may_be_empty)
            ignore = DIFFICULT if texts.get("difficult", "0") not in ("0", "") else COUNTS
            yield Row(image, label, box, math.nan, size, ignore, line)


def _number(text: str, what: str, where: str) -> float:
    number = decimal(text or "nan")
    if number is None:
        raise DataError(f"{where}: {what} must be a number, not {shown(text)}.")
    return number


class _Annotation(Handler):
    """Collects size and objects; what lies inside the parts of an object is not an object of its
    own."""

    def __init__(self) -> None:
        super().__init__()
        self.root = ""
        self.size: dict[str, str] = {}
        self.objects: list[tuple[int, dict[str, str]]] = []
        self._open: list[str] = []
        self._text: list[str] = []

    def startElement(self, tag: str, attributes: Any) -> None:
        super().startElement(tag, attributes)
        self.root = self.root or tag
        self._open.append(tag)
        self._text = []
        if self._open == ["annotation", "object"]:
            self.objects.append((self.line, {}))

    def characters(self, content: str) -> None:
        self._text.append(content)

    def endElement(self, tag: str) -> None:
        super().endElement(tag)
        above = self._open[:-1]
        text = "".join(self._text).strip()
        if above == ["annotation", "size"]:
            self.size[tag] = text
        elif above in (["annotation", "object"], ["annotation", "object", "bndbox"]):
            self.objects[-1][1].setdefault(tag, text)
        self._open.pop()
        self._text = []
