"""Elements of an XML file with their line numbers; entities and external references are refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.sax import make_parser

from graphzsl.errors import DataError


def elements(path: Path, name: str) -> Iterator[tuple[int, dict[str, str], str | None]]:
    """(line, attributes, wnid of the enclosing element of the same name) of every element ``name``,
    in order."""
    waiting: list[tuple[int, dict[str, str], str | None]] = []

    class Handler(ContentHandler):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str | None] = []
            self.locator: Any = None

        def setDocumentLocator(self, locator: Any) -> None:
            self.locator = locator

        def startElement(self, tag: str, attributes: Any) -> None:
            if tag == name:
                waiting.append(
                    (
                        self.locator.getLineNumber(),
                        dict(attributes),
                        self.open[-1] if self.open else None,
                    )
                )
                self.open.append(attributes.get("wnid"))

        def endElement(self, tag: str) -> None:
            if tag == name:
                self.open.pop()

    parser = make_parser()
    parser.setContentHandler(Handler())
    try:
        with Path(path).open("rb") as file:
            parser.parse(file)
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except SAXParseException as error:
        raise DataError(
            f"{path}:{error.getLineNumber()}: not well-formed XML ({error.getMessage()})."
        ) from None
    except DefusedXmlException as error:
        raise DataError(
            f"{path}: XML with entities or external references is refused ({error})."
        ) from None
    yield from waiting
