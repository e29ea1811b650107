"""Elements of an XML file with their line numbers, and the pages of a MediaWiki dump; entities and
external references are refused.

The parser looks at the beginning of a tag again with each block that it gets, so small blocks make
the time grow with the square of the longest attribute: blocks are large here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.sax import make_parser

from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import DEEPEST, checked_size, first_line, memory_error_or
from graphzsl.common.reading.compressed import UNREADABLE

#: Bytes that the parser gets at once.
_BLOCK = 16 << 20


def elements(path: Path, name: str) -> Iterator[tuple[int, dict[str, str], str | None]]:
    """(line, attributes, wnid of the enclosing element of the same name) of every element ``name``,
    in order."""
    waiting: list[tuple[int, dict[str, str], str | None]] = []

    class Named(Handler):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str | None] = []

        def startElement(self, tag: str, attributes: Any) -> None:
            super().startElement(tag, attributes)
            if tag == name:
                waiting.append((self.line, dict(attributes), self.open[-1] if self.open else None))
                self.open.append(attributes.get("wnid"))

        def endElement(self, tag: str) -> None:
            super().endElement(tag)
            if tag == name:
                self.open.pop()

    try:
        checked_size(path)
        with Path(path).open("rb") as file:
            parse_xml(_Blocks(file), Named(), path)
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except OSError as error:
        raise _unreadable(path, error) from None
    yield from waiting


class Handler(ContentHandler):
    """Knows the line, and how deep elements are in each other."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.place: object = ""
        self._locator: Any = None

    @property
    def line(self) -> int:
        """Line that the parser has reached."""
        return int(self._locator.getLineNumber())

    def setDocumentLocator(self, locator: Any) -> None:
        self._locator = locator

    def startElement(self, tag: str, attributes: Any) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise DataError(
                f"{self.place}:{self.line}: elements more than {DEEPEST} deep in each other."
            )

    def endElement(self, tag: str) -> None:
        self.depth -= 1


def parse_xml(file: Any, handler: Handler, place: object) -> None:
    """Give what is in a file, which is open to read bytes, to a handler; messages call it
    ``place``.

    Raises:
        DataError: it is not well-formed, too deep, has entities, or an encoding that the parser
            does not know.
    """
    handler.place = place
    parser = make_parser()
    parser.setContentHandler(handler)
    try:
        parser.parse(file)
    except SAXParseException as error:
        raise DataError(
            f"{place}:{error.getLineNumber()}: not well-formed XML ({error.getMessage()})."
        ) from None
    except DefusedXmlException as error:
        raise _refused(place, error) from None
    # encodings that the parser does not know, or that have more than a byte per letter
    except (ValueError, LookupError, TypeError) as error:
        raise _unreadable(place, error) from None


def _unreadable(place: object, error: Exception) -> DataError:
    return DataError(f"{place}: XML that cannot be read ({first_line(error)}). Save it as UTF-8.")


def pages(file: Any, place: object) -> Iterator[tuple[int, Any]]:
    """(number from 1, element) of every page of a MediaWiki dump, which is open to read bytes; an
    element is cleared when the next one comes. Messages call it ``place``.

    Raises:
        DataError: it is no such dump, cut short, or has entities.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml.ElementTree import iterparse

    number, depth = 0, 0
    try:
        events = iterparse(_Blocks(file), events=("start", "end"))
        _, root = next(events)
        for event, element in events:
            depth += 1 if event == "start" else -1
            if depth > DEEPEST:
                raise DataError(
                    f"{place}: elements more than {DEEPEST} deep in each other, after page"
                    f" {number:,}."
                )
            if event == "end" and str(element.tag).rpartition("}")[2] == "page":
                number += 1
                yield number, element
                root.clear()
    except DefusedXmlException as error:
        raise _refused(place, error) from None
    except (*UNREADABLE, ParseError, StopIteration, LookupError) as error:
        damage = DataError(
            f"{place}: not a MediaWiki dump, or cut short after page {number:,}"
            f" ({first_line(error)})."
        )
        raise memory_error_or(damage, error, str(place)) from None


class _Blocks:
    """A file that gives large blocks, however small those are that it is asked for."""

    def __init__(self, file: Any):
        self.file = file

    def read(self, size: int = -1) -> bytes:
        found: bytes = self.file.read(max(size, _BLOCK) if size > 0 else size)
        return found

    def close(self) -> None:
        """Nothing: whoever opened the file closes it."""


def _refused(place: object, error: Exception) -> DataError:
    return DataError(f"{place}: XML with entities or external references is refused ({error}).")
