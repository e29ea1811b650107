"""Counting word labels in text: all of them in one pass, on all cores or machines, in bounded
memory, going on where it was stopped.

Text is cut into chunks at white space (``texts``). A worker brings its chunk into the form of
``inflection.separated`` and counts every form of every label (``occurrences``). A chunk sees the
first words of the next one, so that no label is lost at a cut; an occurrence counts where it
starts. Processes of a scheduler read whole parts of the texts by themselves.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from graphzsl.analysis.words.inflection import Morphology, separated, surface_forms
from graphzsl.analysis.words.markup import without_markup
from graphzsl.analysis.words.occurrences import FormCounter
from graphzsl.analysis.words.texts import (
    ARTICLES,
    CHUNK,
    Chunk,
    Text,
    described,
    find_text,
    parts_of,
)
from graphzsl.common.cluster import connected, without_ctrl_c
from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import read_json, sha256_text, write_json
from graphzsl.common.progress import progress_bar

Counts = npt.NDArray[np.int64]
#: Seconds between two writings of what is done.
SAVE_EVERY = 20.0


@dataclass(frozen=True)
class Counted:
    """Occurrences of each label, in the order of the labels; ``read`` bytes of text took
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
        """[L] occurrences of labels, from [F] occurrences of forms."""
        return np.bincount(
            self.label_of, counts[self.form_of].astype(np.float64), minlength=self.labels
        ).astype(np.int64)


@dataclass(frozen=True)
class _Place:
    """Progress of a count: the number of texts or parts that are done, and the byte up to which the
    next one is."""

    number: int = 0
    start: int = 0


def count_labels(
    sources: Path | str | Sequence[Path | str],
    labels: Sequence[str],
    morphology: Morphology,
    *,
    match_case: bool = False,
    workers: int | None = None,
    state: Path | None = None,
    scheduler: str | None = None,
    index: str | None = None,
) -> Counted:
    """Occurrences of every label in texts (.gz, .bz2 and .xz are unpacked) or MediaWiki dumps
    (.xml, .xml.bz2): paths, or URLs that fsspec opens.

    Args:
        sources: one text, or several, whose occurrences are added.
        labels: [L] words and phrases.
        morphology: gives the inflected forms.
        match_case: upper and lower case differ.
        workers: processes (default: one per core).
        state: a file in which what is done is kept from time to time: the same call after an
            interruption goes on there, a call with other labels, rules or texts starts anew. It is
            removed at the end.
        scheduler: processes of Dask read and count parts of the texts (``common.cluster``).
        index: of a multistream dump, with ``scheduler``; see ``texts.find_text``.

    Returns:
        The counts; they depend on nothing but texts, labels, morphology and case.

    Raises:
        DataError: a text cannot be read or unpacked.
        SettingsError: the scheduler cannot be used.
    """
    given = [sources] if isinstance(sources, str | Path) else list(sources)
    texts = [find_text(str(source), index) for source in given]
    if any(text.is_dump for text in texts):
        require("gensim")
    parts = texts if scheduler is None else parts_of(texts)
    patterns = Patterns(labels, morphology, match_case)
    key = _key(patterns, parts)
    counts = np.zeros(len(patterns.forms), dtype=np.int64)
    begun = _Place()
    if state is not None and state.exists():
        begun, known, before = _kept(state, key, len(counts))
        counts[known] = before
    began, saved, done = time.monotonic(), time.monotonic(), begun
    if scheduler is None:
        found = _by_processes(texts, begun, patterns, workers or os.cpu_count() or 1)
    else:
        found = _by_scheduler(parts, begun, patterns, scheduler)
    read = 0
    try:
        for done, length, forms_found, times in found:
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
    resumed = sum(text.size for text in parts[: begun.number]) if scheduler is None else 0
    resumed += begun.start
    return Counted(patterns.of_labels(counts), read, time.monotonic() - began, resumed)


def _are_counts(value: Any) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(n) is int and 0 <= n < 1 << 62 for n in value)


def _kept(state: Path, key: str, forms: int) -> tuple[_Place, list[int], list[int]]:
    """(where to go on, forms found, times) of a file of ``_save``; the beginning if the file is of
    another count, or damaged."""
    nothing: tuple[_Place, list[int], list[int]] = _Place(), [], []
    try:
        kept = read_json(state)
    except DataError:
        return nothing
    if not isinstance(kept, dict) or kept.get("key") != key:
        return nothing
    done, places, times = (kept.get(name) for name in ("done", "forms", "counts"))
    if not (_are_counts(done) and _are_counts(places) and _are_counts(times)):
        return nothing
    if len(done) != 2 or len(places) != len(times) or any(place >= forms for place in places):
        return nothing
    return _Place(*done), places, times


def _key(patterns: Patterns, parts: Sequence[Text]) -> str:
    """Key of a state file: the labels and the texts of its count."""
    if len(parts) == 1 and parts[0].stop is None:
        return f"{patterns.key} {parts[0].name} {parts[0].state}"
    listed = [(part.name, part.state, part.start, part.stop) for part in parts]
    return f"{patterns.key} {sha256_text(repr(listed))}"


def _save(state: Path, key: str, done: _Place, counts: Counts) -> None:
    forms = np.flatnonzero(counts)
    write_json(
        state,
        {
            "key": key,
            "done": [done.number, done.start],
            "forms": forms.tolist(),
            "counts": counts[forms].tolist(),
        },
    )


#: Where the next chunk or part starts, bytes of text, forms found, times.
_Found = tuple[_Place, int, Counts, Counts]


def _by_processes(
    texts: Sequence[Text], begun: _Place, patterns: Patterns, workers: int
) -> Iterator[_Found]:
    """The texts one after the other, each read by this process."""
    total = None
    if not any(text.packed or text.is_dump for text in texts):
        total = sum(-(-text.size // CHUNK) for text in texts[begun.number :])
        total -= begun.start // CHUNK

    def chunks() -> Iterator[tuple[int, Chunk, bool]]:
        for number, text in enumerate(texts[begun.number :], begun.number):
            start = begun.start if number == begun.number else 0
            for chunk in text.chunks(start):
                yield number, chunk, text.is_dump

    counted = _counted(chunks(), patterns, workers)
    yield from progress_bar(counted, f"counting {described(texts)}", total)


def _by_scheduler(
    parts: Sequence[Text], begun: _Place, patterns: Patterns, scheduler: str
) -> Iterator[_Found]:
    """The parts of texts, each read by the process that counts it."""
    left = parts[begun.number :]
    shared = _Shared(patterns.forms, patterns.match_case)
    with connected(scheduler) as cluster:
        found = cluster.map(_count_part, left, "counting", shared)
        for number, (length, forms, times) in enumerate(found, begun.number + 1):
            yield _Place(number), length, forms, times


class _Shared:
    """Data that workers of a scheduler need for every part; each worker builds the counter once."""

    def __init__(self, forms: list[bytes], match_case: bool):
        self.forms, self.match_case = forms, match_case
        self._counter: FormCounter | None = None

    def counter(self) -> FormCounter:
        """The counter, built at its first use."""
        if self._counter is None:
            self._counter = FormCounter(self.forms)
        return self._counter


def _count_part(shared: _Shared, part: Text) -> tuple[int, Counts, Counts]:
    """(bytes of text, [F'] forms that occur, [F'] how often) in a part."""
    if part.is_dump:
        require("gensim")
    counter = shared.counter()
    counts, read = np.zeros(len(shared.forms), dtype=np.int64), 0
    for text, following, _, length in part.chunks():
        forms, times = _count_chunk(counter, text, following, shared.match_case, part.is_dump)
        counts[forms] += times
        read += length
    occurring = np.flatnonzero(counts)
    return read, occurring, counts[occurring]


def _counted(
    chunks: Iterable[tuple[int, Chunk, bool]], patterns: Patterns, workers: int
) -> Iterator[_Found]:
    """Count forms in every chunk of (number of the text, chunk, whether it is of a dump), in order;
    at most two chunks a worker are in memory."""
    waiting: deque[tuple[_Place, int, Future[tuple[Counts, Counts]]]] = deque()
    with _processes(workers, (patterns.forms, patterns.match_case)) as pool:
        for number, (text, following, done, length), is_dump in chunks:
            with _started_whole(), without_ctrl_c():
                future = pool.submit(_count, text, following, is_dump)
            waiting.append((_Place(number, done), length, future))
            if len(waiting) >= 2 * workers:
                place, size, oldest = waiting.popleft()
                yield place, size, *oldest.result()
        while waiting:
            place, size, oldest = waiting.popleft()
            yield place, size, *oldest.result()


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
def _started_whole() -> Iterator[None]:
    """Hold signals of this process back until the end of the block: a worker process that is
    started in part is in no list, is never ended, and holds the pipe open that another waits
    for."""
    came: list[int] = []
    handlers = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            if (handler := signal.getsignal(number)) is not None:
                handlers[number] = handler
                signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for late in dict.fromkeys(came):
            signal.raise_signal(late)


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


def _prepare(forms: list[bytes], match_case: bool) -> None:
    """Build the counter of a worker process."""
    end_with_parent()
    _worker.update(counter=FormCounter(forms), match_case=match_case)


def _count(text: str, following: str, is_dump: bool) -> tuple[Counts, Counts]:
    """([F'] forms that occur, [F'] how often) in a chunk, in a worker process."""
    return _count_chunk(_worker["counter"], text, following, _worker["match_case"], is_dump)


def _count_chunk(
    counter: FormCounter, text: str, following: str, match_case: bool, is_dump: bool
) -> tuple[Counts, Counts]:
    if is_dump:
        parts = [separated(without_markup(part), match_case) for part in text.split(ARTICLES)]
        # the byte between two articles is a word of no form
        own = b" \x00 ".join(parts)
    else:
        own = separated(text, match_case)
    return counter.count(own, separated(following, match_case))
