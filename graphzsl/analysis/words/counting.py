"""Counting word labels in text: all of them in one pass, on all cores, in bounded memory, going on
where it was stopped.

Text is cut into chunks at white space. A worker brings its chunk into the form of
``inflection.separated`` and counts every form of every label (``occurrences``). A chunk sees the
first words of the next one, so that no label is lost at a cut; an occurrence counts where it
starts.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.analysis.words.inflection import Morphology, separated, surface_forms
from graphzsl.analysis.words.occurrences import FormCounter
from graphzsl.errors import DataError
from graphzsl.extras import require
from graphzsl.files import read_json, sha256_text, write_json
from graphzsl.progress import progress

Counts = npt.NDArray[np.int64]
#: Bytes of text in a chunk, and bytes of the next chunk that it sees (no label is that long).
CHUNK, AHEAD = 2 << 20, 512
#: Chunks without white space (a text that is none) after which a word is cut.
LONGEST = 8
#: Largest share of undecodable places in a text: one accented letter of an 8-bit encoding in
#: twenty.
LARGEST_UNDECODABLE = 0.05
#: Seconds between two writings of what is done.
SAVE_EVERY = 20.0


@dataclass(frozen=True)
class Counted:
    """How often each label occurs, in the order of the labels; ``read`` bytes of text took
    ``seconds``."""

    counts: Counts
    read: int
    seconds: float
    resumed_at: int


class Patterns:
    """The forms of the labels, and which labels each counts for."""

    def __init__(self, labels: Sequence[str], morphology: Morphology, match_case: bool = False):
        forms = surface_forms(labels, morphology, match_case)
        self.match_case, self.labels = match_case, len(labels)
        self.forms = list(forms)
        pairs = [
            (place, position)
            for place, positions in enumerate(forms.values())
            for position in positions
        ]
        self.form_of, self.label_of = (
            np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True)
        )
        self.key = sha256_text(repr((match_case, list(labels), len(forms))))

    def of_labels(self, counts: Counts) -> Counts:
        """[L] occurrences of labels from [F] those of forms."""
        return np.bincount(
            self.label_of, counts[self.form_of].astype(np.float64), minlength=self.labels
        ).astype(np.int64)


def count_labels(
    path: Path,
    labels: Sequence[str],
    morphology: Morphology,
    *,
    match_case: bool = False,
    workers: int | None = None,
    state: Path | None = None,
) -> Counted:
    """Occurrences of every label in a text file (.gz, .bz2 and .xz are unpacked) or a MediaWiki
    dump (.xml, .xml.bz2).

    With ``state``, a file in which what is done is kept from time to time: the same call after an
    interruption goes on there, a call with other labels, rules or text starts anew. It is removed
    at the end. DataError when the text cannot be read or unpacked.
    """
    if not path.is_file():
        raise DataError(
            f"{path} is not a file. Expected text (also .gz, .bz2, .xz) or a MediaWiki dump"
            " (.xml.bz2)."
        )
    patterns = Patterns(labels, morphology, match_case)
    key = f"{patterns.key} {path.name} {path.stat().st_size} {path.stat().st_mtime_ns}"
    total, start, counts = path.stat().st_size, 0, np.zeros(len(patterns.forms), dtype=np.int64)
    if state is not None and state.exists():
        kept = read_json(state)
        if kept.get("key") == key:
            start = kept["done"]
            counts[kept["forms"]] = kept["counts"]
    began, saved, done = time.monotonic(), time.monotonic(), start
    workers = workers or os.cpu_count() or 1
    is_dump = ".xml" in path.suffixes
    if is_dump:
        require("gensim")
    chunks = _dump_chunks(path, start) if is_dump else _text_chunks(path, start)
    bar = progress(
        _counted(chunks, patterns, workers, is_dump),
        f"counting {path.name}",
        total=None if _packed(path) or is_dump else -(-(total - start) // CHUNK),
    )
    read = 0
    try:
        for done, length, forms_found, times in bar:
            counts[forms_found] += times
            read += length
            if state is not None and time.monotonic() - saved > SAVE_EVERY:
                _save(state, key, done, counts)
                saved = time.monotonic()
    except BaseException:
        if state is not None and read:
            _save(state, key, done, counts)
        raise
    if state is not None:
        state.unlink(missing_ok=True)
    return Counted(patterns.of_labels(counts), read, time.monotonic() - began, start)


def _save(state: Path, key: str, done: int, counts: Counts) -> None:
    forms = np.flatnonzero(counts)
    write_json(
        state, {"key": key, "done": done, "forms": forms.tolist(), "counts": counts[forms].tolist()}
    )


#: (text, what follows it, where the next chunk starts, bytes of text)
_Chunk = tuple[str, str, int, int]


def _text_chunks(path: Path, start: int) -> Iterator[_Chunk]:
    """Chunks of a text file from a byte of the unpacked text on."""
    openers: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
    try:
        with openers.get(path.suffix, open)(path, "rb") as file:
            file.seek(start)
            done, waiting = start, b""
            while block := file.read(CHUNK):
                if done == start and not waiting:
                    _refuse_binary(block, path)
                waiting += block
                seen = len(waiting) - AHEAD
                cut = (
                    max(waiting.rfind(b" ", 0, max(seen, 0)), waiting.rfind(b"\n", 0, max(seen, 0)))
                    + 1
                )
                if not cut and len(waiting) > LONGEST * CHUNK:
                    cut = seen
                if cut > 0:
                    own, waiting = waiting[:cut], waiting[cut:]
                    done += cut
                    yield (
                        own.decode(errors="replace"),
                        waiting[:AHEAD].decode(errors="ignore"),
                        done,
                        cut,
                    )
            if waiting:
                yield waiting.decode(errors="replace"), "", done + len(waiting), len(waiting)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise DataError(f"{path}: the text cannot be read ({error}).") from None


def _refuse_binary(block: bytes, path: Path) -> None:
    """DataError for the start of a file that is not text in UTF-8: with NUL bytes, or with much
    that cannot be decoded."""
    undecodable = block.decode(errors="replace").count("\ufffd")
    if b"\0" in block or undecodable > LARGEST_UNDECODABLE * len(block):
        why = (
            "NUL bytes"
            if b"\0" in block
            else f"{undecodable:,} places in its first {len(block):,} bytes that are not UTF-8"
        )
        raise DataError(
            f"{path} is not text: it has {why}. Expected UTF-8 text (also .gz, .bz2, .xz) or a"
            " MediaWiki dump."
        )


def _dump_chunks(path: Path, start: int) -> Iterator[_Chunk]:
    """Chunks of the articles of a MediaWiki dump from an article on; their markup is taken off by
    the worker."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.ElementTree import iterparse

    opener: Callable[..., Any] = bz2.open if path.suffix == ".bz2" else open
    texts: list[str] = []
    number, size = 0, 0
    try:
        with opener(path, "rb") as file:
            events = iterparse(file, events=("start", "end"))
            _, root = next(events)
            for event, element in events:
                if event != "end" or _tag(element) != "page":
                    continue
                number += 1
                if number > start and _is_article(element):
                    text = (
                        next((part.text for part in element.iter() if _tag(part) == "text"), "")
                        or ""
                    )
                    texts.append(text)
                    size += len(text)
                root.clear()
                if size >= CHUNK:
                    yield _ARTICLES.join(texts), "", number, size
                    texts, size = [], 0
        if texts:
            yield _ARTICLES.join(texts), "", number, size
    except (OSError, EOFError, ParseError, StopIteration) as error:
        raise DataError(
            f"{path}: not a MediaWiki dump, or cut short after article {number:,} ({error})."
        ) from None


#: Stands between two articles of a chunk.
_ARTICLES = "\x00"


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _is_article(page: Any) -> bool:
    """A page of the main name space that is not a redirect."""
    texts = {_tag(part): part.text for part in page}
    return texts.get("ns", "0") == "0" and "redirect" not in texts


def _packed(path: Path) -> bool:
    return path.suffix in {".gz", ".bz2", ".xz"}


def _counted(
    chunks: Iterable[_Chunk], patterns: Patterns, workers: int, is_dump: bool
) -> Iterator[tuple[int, int, Counts, Counts]]:
    """(where the next chunk starts, bytes, forms found, times) of every chunk in order, at most two
    chunks a worker in memory."""
    waiting: deque[tuple[int, int, Future[tuple[Counts, Counts]]]] = deque()
    with _processes(workers, (patterns.forms, patterns.match_case, is_dump)) as pool:
        for text, following, done, length in chunks:
            with _uninterrupted():
                waiting.append((done, length, pool.submit(_count, text, following)))
            if len(waiting) >= 2 * workers:
                done, length, future = waiting.popleft()
                yield done, length, *future.result()
        while waiting:
            done, length, future = waiting.popleft()
            yield done, length, *future.result()


@contextmanager
def _processes(workers: int, settings: tuple[Any, ...]) -> Iterator[ProcessPoolExecutor]:
    """Worker processes; after an error or an interruption they are ended at once, with the chunks
    that they hold."""
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _prepare, settings)
    try:
        yield pool
    except BaseException:
        queue: Any = pool._call_queue  # type: ignore[attr-defined]
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - others:
            process.kill()
        # these wait for ever for a thread that writes to them (CPython issue 94777); later ones
        # close the queue themselves
        if sys.version_info < (3, 11, 5):
            queue._reader.close()
        raise
    finally:
        pool.shutdown()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes that are started in the block never get Ctrl-C, which a terminal sends to all: this
    process ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_worker: dict[str, Any] = {}


def end_with_parent() -> None:
    """Let this worker process end when the process that started it is gone: after a kill it would
    wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _prepare(forms: list[bytes], match_case: bool, is_dump: bool) -> None:
    """Build the counter of a worker process."""
    end_with_parent()
    _worker.update(counter=FormCounter(forms), match_case=match_case, is_dump=is_dump)


def _count(text: str, following: str) -> tuple[Counts, Counts]:
    """([F'] forms that occur, [F'] how often) in a chunk."""
    match_case = _worker["match_case"]
    if _worker["is_dump"]:
        from gensim.corpora.wikicorpus import filter_wiki

        parts = [separated(filter_wiki(part), match_case) for part in text.split(_ARTICLES)]
        # the byte between two articles is a word of no form
        own = b" \x00 ".join(parts)
    else:
        own = separated(text, match_case)
    counter: FormCounter = _worker["counter"]
    return counter.count(own, separated(following, match_case))
