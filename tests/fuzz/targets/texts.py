"""Texts and dumps to count words in, and vectors of words."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.damage.containers import packed
from tests.fuzz.damage.raw import bytes_
from tests.fuzz.damage.texts import text
from tests.fuzz.target import Target, must
from tests.fuzz.targets.common import reader, written

_DUMP = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/"><siteinfo/>'
    + "".join(
        f"<page><title>A{number}</title><ns>0</ns><id>{number}</id><revision><id>1</id>"
        "<text>The [[dog]] and {{cat|a}} [http://a b] &lt;ref&gt;x&lt;/ref&gt;</text></revision>"
        "</page>"
        for number in range(5)
    )
    + "</mediawiki>"
)


_MULTISTREAM = "xx-multistream"
_WORDS = "the dog and the cat sat on the mat\n" * 40


def _make_multistream(folder: Path) -> None:
    """What Wikimedia writes: what the dump says of itself, streams of pages, and the end."""
    _, *pages = _DUMP.replace("</mediawiki>", "").split("<page>")
    begin = _DUMP.partition("<page>")[0]
    written, index = bz2.compress(begin.encode()), []
    for first in range(0, len(pages), 2):
        own = range(first, min(first + 2, len(pages)))
        index += [f"{len(written)}:{number}:A{number}" for number in own]
        written += bz2.compress("".join(f"<page>{pages[number]}" for number in own).encode())
    (folder / f"{_MULTISTREAM}.xml.bz2").write_bytes(written + bz2.compress(b"</mediawiki>"))
    packed = bz2.compress("\n".join(index).encode())
    (folder / f"{_MULTISTREAM}-index.txt.bz2").write_bytes(packed)


def _read_multistream(folder: Path) -> Any:
    from graphzsl.analysis.words.texts import ARTICLES, find_text, parts_of

    text = find_text(str(folder / f"{_MULTISTREAM}.xml.bz2"))
    must(text.index is not None, "no index")
    # a stream per part, and all in one
    return [
        [
            article
            for part in parts_of([text], streams=streams)
            for chunk in part.chunks()
            for article in chunk[0].split(ARTICLES)
        ]
        for streams in (1, 1 << 30)
    ]


def _check_articles(value: Any) -> None:
    """All of them, as bzip2 has checksums: an index or a dump that is damaged must not be read as a
    shorter one."""
    for articles in value:
        must(len(articles) == _DUMP.count("<page>"), f"{len(articles)} articles")
        must(all("[[dog]]" in article for article in articles), "other articles")


def _read_text(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.analysis.words.markup import without_markup
        from graphzsl.analysis.words.texts import ARTICLES, find_text

        text = find_text(str(folder / name))
        chunks = islice(text.chunks(), 40)
        if text.is_dump:
            return [without_markup(part) for chunk in chunks for part in chunk[0].split(ARTICLES)]
        return [len(chunk[0]) for chunk in chunks]

    return read


def _make_vectors(binary: bool) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        from gensim.models import KeyedVectors

        vectors = KeyedVectors(4)
        vectors.add_vectors(["dog", "cat", "owl"], np.arange(12.0).reshape(3, 4))
        name = "v.bin" if binary else "v.txt"
        vectors.save_word2vec_format(str(folder / name), binary=binary)

    return make


def _check_vectors(value: Any) -> None:
    must(np.isfinite(value.vectors).all(), "not finite")
    must(value.vectors.shape[1] > 0, "no columns")


def _packed_text(name: str, file: str, content: str, packer: Any, weight: float) -> Target:
    return Target(
        name,
        written(file, packer.compress(content.encode())),
        _read_text(file),
        weight=weight,
        changes={file: packed(text, packer.compress, packer.decompress)},
    )


TARGETS = (
    Target(
        "text", written("t.txt", _WORDS), _read_text("t.txt"), weight=0.5, changes={"t.txt": text}
    ),
    _packed_text("text, gzip", "t.gz", _WORDS, gzip, 1.0),
    _packed_text("text, bzip2", "t.bz2", _WORDS, bz2, 0.5),
    _packed_text("text, xz", "t.xz", _WORDS, lzma, 0.5),
    Target("dump", written("d.xml", _DUMP), _read_text("d.xml"), weight=0.5),
    _packed_text("dump, bzip2", "d.xml.bz2", _DUMP, bz2, 0.3),
    Target(
        "dump, multistream",
        _make_multistream,
        _read_multistream,
        _check_articles,
        changes={
            f"{_MULTISTREAM}-index.txt.bz2": packed(text, bz2.compress, bz2.decompress),
            f"{_MULTISTREAM}.xml.bz2": bytes_,
        },
    ),
    Target(
        "word vectors",
        _make_vectors(False),
        reader("data.word_vectors", "read_vectors", "v.txt"),
        _check_vectors,
        0.5,
    ),
    Target(
        "word vectors, binary",
        _make_vectors(True),
        reader("data.word_vectors", "read_vectors", "v.bin"),
        _check_vectors,
        0.5,
    ),
    Target(
        "packaged vectors",
        lambda folder: np.save(folder / "v.npy", np.ones((4, 3), np.float32)),
        reader("data.packaged_vectors", "_matrix", "v.npy", 3),
        lambda value: must(value.shape[1] == 3, "columns"),
    ),
)
