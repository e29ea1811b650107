"""Texts and MediaWiki dumps as chunks: of whole files, or of the parts of one that processes can
read by themselves.

A plain text can be read from any byte on. A *multistream* dump is many bzip2 streams of a hundred
pages behind each other, with an index that says where each begins: ``OFFSET:PAGE:TITLE`` per line.
Any other packed file is one part.
"""

from __future__ import annotations

import bz2
import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

from graphzsl.analysis.words.remote_files import is_url, open_url, url_exists, url_state
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import first_line, memory_error_or, open_file
from graphzsl.common.reading.compressed import UNREADABLE, is_packed, unpacked
from graphzsl.common.reading.xml_files import pages
from graphzsl.common.urls import hide_credentials, without_credentials
from graphzsl.common.wording import counted

#: Bytes of text in a chunk, and bytes of the next chunk that it sees (no label is that long).
CHUNK, AHEAD = 2 << 20, 512
#: Chunks without white space (a text that is none) after which a word is cut.
LONGEST = 8
#: Largest share of undecodable places in a text: one accented letter of an 8-bit encoding in
#: twenty.
LARGEST_UNDECODABLE = 0.05
#: Bytes of a part: of text, and of packed streams, which are four times as much text.
PART, STREAMS = 64 << 20, 8 << 20
#: Bytes that the streams of a part may unpack to.
MOST = 1 << 30
#: Packed bytes of what a multistream dump says of itself before its pages: a few thousand.
_BEGINNING = 1 << 20
#: Packed bytes of streams that are given to be unpacked at once.
_PIECE = 1 << 16
#: Stands between two articles of a chunk.
ARTICLES = "\x00"
#: What a file name must end in to be known as a multistream dump, and its index.
_DUMP, _INDEX = "-multistream.xml.bz2", "-multistream-index.txt.bz2"
_EXPECTED = "Expected text (also .gz, .bz2, .xz) or a MediaWiki dump (.xml.bz2)."


#: (text, what follows it, where the next chunk starts, bytes of text)
Chunk = tuple[str, str, int, int]


@dataclass(frozen=True)
class Text:
    """A text, or a part of one.

    Args:
        source: a path, or a URL of a file system that fsspec knows.
        size: bytes of the file.
        state: changes when the file does.
        start: the byte where the part begins; a word that begins before it is not its own.
        stop: the byte where it ends; None: the whole file.
        index: of a multistream dump: where its streams begin.
    """

    source: str
    size: int
    state: str
    start: int = 0
    stop: int | None = None
    index: str | None = None

    @property
    def name(self) -> str:
        """The last part of path or URL, without the query in which a URL has its signature."""
        return self.shown.rstrip("/").rpartition("/")[2]

    @property
    def shown(self) -> str:
        """Path or URL as messages show it."""
        return without_credentials(self.source)

    @property
    def is_dump(self) -> bool:
        return ".xml" in Path(self.name).suffixes

    @property
    def packed(self) -> bool:
        return is_packed(self.name)

    def chunks(self, start: int = 0) -> Iterator[Chunk]:
        """The chunks of the text from a byte of it on (of a dump: from an article on).

        Raises:
            DataError: it cannot be read or unpacked, is no text or no dump.
        """
        if self.stop is None:
            return _dump_chunks(self, start) if self.is_dump else _text_chunks(self, start)
        return _stream_chunks(self) if self.is_dump else _text_chunks(self, self.start, self.stop)


def find_text(source: str, index: str | None = None) -> Text:
    """Find a text and the facts about it that are known before it is read.

    Args:
        source: a path, or a URL such as ``s3://bucket/file``.
        index: of a multistream dump; default: the file beside it that Wikimedia names so.

    Raises:
        DataError: there is no such file, or a server does not say how large it is.
        MissingExtra: a URL, and fsspec is not installed.
    """
    if not is_url(source):
        path = Path(source)
        if not path.is_file():
            raise DataError(f"{path} is not a file. {_EXPECTED}")
        status = path.stat()
        found = Text(source, status.st_size, f"{status.st_size} {status.st_mtime_ns}")
    else:
        found = Text(source, *url_state(source))
    if index is None and source.endswith(_DUMP):
        beside = source.removesuffix(_DUMP) + _INDEX
        exists = url_exists(beside) if is_url(beside) else Path(beside).is_file()
        index = beside if exists else None
    return replace(found, index=index)


def opened(source: str) -> BinaryIO:
    """Open a file or URL as bytes that can be read from any place."""
    return open_url(source) if is_url(source) else open_file(source)


def sha256_of(text: Text) -> str:
    """SHA-256 of the file, as hexadecimal digits."""
    digest = hashlib.sha256()
    try:
        with opened(text.source) as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise DataError(f"{text.shown} cannot be read: {error}.") from None
    return digest.hexdigest()


def parts_of(
    texts: Iterable[Text], part: int | None = None, streams: int | None = None
) -> list[Text]:
    """The texts as parts that processes can read by themselves.

    Args:
        texts: whole files.
        part: bytes of a part of a plain text (default: ``PART``).
        streams: packed bytes of a part of a multistream dump (default: ``STREAMS``).

    Raises:
        DataError: names the line of an index that is damaged, or of another dump.
    """
    found: list[Text] = []
    for text in texts:
        if text.is_dump and text.index is not None:
            borders = _grouped(_offsets(text), text.size, streams or STREAMS)
            _check_beginning(text, borders[0])
        elif text.packed or text.is_dump:
            found.append(text)
            continue
        else:
            borders = [*range(0, max(text.size, 1), part or PART), text.size]
        found += [replace(text, start=start, stop=stop) for start, stop in pairwise(borders)]
    return found


def _offsets(text: Text) -> Iterator[int]:
    """Places where the streams of a dump begin."""
    assert text.index is not None
    before, index = -1, without_credentials(text.index)
    try:
        with opened(text.index) as raw, unpacked(raw, text.index) as lines:
            for number, line in enumerate(lines, 1):
                digits = line.partition(b":")[0]
                if not digits.isdigit() or len(digits) > 18:
                    raise DataError(
                        f"{index}:{number}: expected OFFSET:PAGE:TITLE, as in the index of"
                        f" a multistream dump; got {line[:60]!r}."
                    )
                offset = int(digits)
                if offset == before:
                    continue
                if not before < offset < text.size:
                    raise DataError(
                        f"{index}:{number}: a stream at byte {offset:,} of"
                        f" {text.shown}, which has {text.size:,}: the index is of another"
                        " dump, or damaged."
                    )
                before = offset
                yield offset
    except FileNotFoundError:
        raise DataError(f"{index} does not exist: the index of {text.shown}.") from None
    except UNREADABLE as error:
        said = hide_credentials(first_line(error), text.index)
        damage = DataError(f"{index}: the index cannot be read ({said}).")
        raise memory_error_or(damage, error, index) from None
    if before < 0:
        raise DataError(f"{index}: the index names no stream.")


def _check_beginning(text: Text, first: int) -> None:
    """Raise DataError if pages stand before the first stream of the index: it lacks its beginning,
    and they would not be read."""
    try:
        with opened(text.source) as file:
            packed = file.read(min(first, _BEGINNING + 1))
    except UNREADABLE as error:
        said = str(getattr(error, "strerror", None) or error)
        damage = DataError(f"{text.shown} cannot be read: {hide_credentials(said, text.source)}.")
        raise memory_error_or(damage, error, text.shown) from None
    try:
        before = b"" if not packed or first > _BEGINNING else _all_streams(packed)
        holds_pages = first > _BEGINNING or b"<page" in before
    except UNREADABLE:
        # the first stream does not begin there either, which is said when it is read
        holds_pages = False
    if holds_pages:
        index = without_credentials(text.index or "its index")
        raise DataError(
            f"{index}: its first stream is at byte {first:,} of {text.shown}, behind"
            " pages: the index lacks its beginning, or is of another dump. Fetch both again."
        )


def _grouped(offsets: Iterable[int], size: int, least: int) -> list[int]:
    """The borders of groups of streams of at least so many bytes."""
    borders: list[int] = []
    for offset in offsets:
        if not borders or offset - borders[-1] >= least:
            borders.append(offset)
    return [*borders, size]


def _text_chunks(text: Text, start: int, stop: int | None = None) -> Iterator[Chunk]:
    """Chunks from a byte of the unpacked text on; with ``stop``, of the words that begin in [start,
    stop)."""
    try:
        with opened(text.source) as raw, unpacked(raw, text.name) as file:
            if stop is not None:
                start, stop = _word_border(file, start), _word_border(file, stop)
            yield from _cut(file, text.shown, start, stop)
    except UNREADABLE as error:
        said = hide_credentials(first_line(error), text.source)
        damage = DataError(f"{text.shown}: the text cannot be read ({said}).")
        raise memory_error_or(damage, error, text.shown) from None


def _word_border(file: Any, place: int) -> int:
    """The first byte at or after ``place`` that has white space before it, or where the file
    begins or ends."""
    if place == 0:
        return 0
    file.seek(place - 1)
    before: int = place - 1
    while block := file.read(1 << 16):
        found = [at for at in (block.find(b" "), block.find(b"\n")) if at >= 0]
        if found:
            return int(before + min(found) + 1)
        before += len(block)
    return before


def _cut(file: Any, source: str, start: int, stop: int | None) -> Iterator[Chunk]:
    file.seek(start)
    place, done, waiting = start, start, b""
    while block := file.read(CHUNK if stop is None else min(CHUNK, stop - place)):
        if place == 0:
            _refuse_binary(block, source)
        place += len(block)
        waiting += block
        seen = len(waiting) - AHEAD
        cut = max(waiting.rfind(b" ", 0, max(seen, 0)), waiting.rfind(b"\n", 0, max(seen, 0))) + 1
        if not cut and len(waiting) > LONGEST * CHUNK:
            cut = seen
        if cut > 0:
            own, waiting = waiting[:cut], waiting[cut:]
            done += cut
            following = waiting[:AHEAD].decode(errors="ignore")
            yield own.decode(errors="replace"), following, done, cut
    if waiting:
        following = "" if stop is None else file.read(AHEAD).decode(errors="ignore")
        yield waiting.decode(errors="replace"), following, done + len(waiting), len(waiting)


def _refuse_binary(block: bytes, source: str) -> None:
    """Raise DataError for the start of a file that is not text in UTF-8: with NUL bytes, or with
    much that cannot be decoded."""
    undecodable = block.decode(errors="replace").count("\ufffd")
    if b"\0" in block or undecodable > LARGEST_UNDECODABLE * len(block):
        why = (
            "NUL bytes"
            if b"\0" in block
            else f"{undecodable:,} places in its first {len(block):,} bytes that are not UTF-8"
        )
        raise DataError(
            f"{source} is not text: it has {why}. Expected UTF-8 text (also .gz, .bz2, .xz) or a"
            " MediaWiki dump."
        )


def _dump_chunks(text: Text, start: int) -> Iterator[Chunk]:
    """Chunks of the articles of a MediaWiki dump from an article on; their markup is taken off by
    the worker."""
    with opened(text.source) as raw, unpacked(raw, text.name) as file:
        yield from _articles(file, text.shown, start)


def _stream_chunks(text: Text) -> Iterator[Chunk]:
    """Chunks of the articles of some streams of a multistream dump."""
    assert text.stop is not None
    place = f"{text.shown}, bytes {text.start:,} to {text.stop:,}"
    try:
        with opened(text.source) as file:
            file.seek(text.start)
            packed = file.read(text.stop - text.start)
        if not packed.startswith(b"BZh"):
            index = without_credentials(text.index or "its index")
            raise DataError(
                f"{text.shown}: no stream begins at byte {text.start:,}, as {index} says. It"
                " is the index of another dump, or one of the two is damaged."
            )
        inside = _all_streams(packed)
    except UNREADABLE as error:
        said = hide_credentials(str(error), text.source)
        damage = DataError(f"{place}: the streams cannot be unpacked ({said}). Fetch it again.")
        raise memory_error_or(damage, error, place) from None
    if len(inside) > MOST:
        raise DataError(f"{place}: the streams unpack to more than {MOST >> 20:,} MiB.")
    end = b"" if inside.rstrip().endswith(b"</mediawiki>") else b"</mediawiki>"
    yield from _articles(io.BytesIO(b"<mediawiki>" + inside + end), place, 0)


def _all_streams(packed: bytes) -> bytes:
    """Unpack bzip2 streams behind each other, to little more than ``MOST`` bytes. Raises OSError or
    EOFError if one is damaged, also at its beginning, where Python's reader would end."""
    found, place = bytearray(), 0
    while place < len(packed) and len(found) <= MOST:
        stream = bz2.BZ2Decompressor()
        while not stream.eof and len(found) <= MOST:
            # pieces: what a stream leaves is copied, and there may be many small ones
            piece = packed[place : place + _PIECE] if stream.needs_input else b""
            if stream.needs_input and not piece:
                raise EOFError("it ends early")
            place += len(piece)
            found += stream.decompress(piece, MOST + 1 - len(found))
        place -= len(stream.unused_data)
    return bytes(found)


def _articles(file: Any, place: str, start: int) -> Iterator[Chunk]:
    texts: list[str] = []
    number, size = 0, 0
    for number, page in pages(file, place):
        if number > start and _is_article(page):
            text = next((part.text for part in page.iter() if _tag(part) == "text"), "") or ""
            texts.append(text)
            size += len(text)
        if size >= CHUNK:
            yield ARTICLES.join(texts), "", number, size
            texts, size = [], 0
    if texts:
        yield ARTICLES.join(texts), "", number, size


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _is_article(page: Any) -> bool:
    """A page of the main name space that is not a redirect."""
    texts = {_tag(part): part.text for part in page}
    return texts.get("ns", "0") == "0" and "redirect" not in texts


def described(texts: Sequence[Text]) -> str:
    """Name of the texts on a progress bar."""
    return texts[0].name if len(texts) == 1 else counted(len(texts), "text")
