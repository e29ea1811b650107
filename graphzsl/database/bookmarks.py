"""Bookmarks: what makes a read see the writes before it, on a cluster and in the next command.

A bookmark is Neo4j's name for a state of a database. A server that gets one waits until it has
reached that state, so a follower of a cluster does not answer with what was before a write.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import neo4j
from filelock import FileLock

from graphzsl.common.atomic import atomic_write
from graphzsl.common.errors import GraphZSLError
from graphzsl.common.files import sha256_text
from graphzsl.common.progress import log
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.settings import Settings
from graphzsl.common.text_files import read_text

#: A file of more is not one of ours.
_LARGEST_FILE = 1 << 20
#: Neo4j's bookmarks are some dozens of characters, one for each stream of writes.
_LONGEST, _MOST = 1_000, 1_000
#: Another command writes the file within milliseconds.
_LOCK_SECONDS = 2.0


class Bookmarks:
    """The bookmarks of one database, for all sessions of a driver.

    With a ``path`` they are kept in a file that only the user can read, with Neo4j's id of the
    database. A file that is damaged, or is that of another database, does not count. What cannot
    be written is not kept: no command fails for it.

    Args:
        path: the file; None keeps them in memory alone.
        identity: Neo4j's id of the database.
    """

    def __init__(self, path: Path | None = None, identity: str = ""):
        self._path = path
        self._identity = identity
        self._kept: frozenset[str] = frozenset()
        self.manager = neo4j.GraphDatabase.bookmark_manager(bookmarks_consumer=self._keep)

    def recall(self, is_reached: Callable[[list[str]], bool]) -> None:
        """Take over the bookmarks of earlier commands.

        Args:
            is_reached: whether the server knows these bookmarks: it may hold a backup from before
                them, and would let every transaction wait for them.
        """
        bookmarks = self._read()
        if not bookmarks:
            return
        if not is_reached(sorted(bookmarks)):
            self._forget()
            log(
                "The database has not come to the state after your last writes within its time: a"
                " server of a cluster lags behind, or it is a backup from before them. What is"
                " read now may be from before them, and later commands do not wait for them."
            )
            return
        self._kept = bookmarks
        self.manager = neo4j.GraphDatabase.bookmark_manager(
            neo4j.Bookmarks.from_raw_values(bookmarks), bookmarks_consumer=self._keep
        )

    def _keep(self, bookmarks: neo4j.Bookmarks) -> None:
        values = bookmarks.raw_values
        if self._path is None or values == self._kept:
            return
        with suppress(GraphZSLError, OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with FileLock(self._path.with_suffix(".lock"), timeout=_LOCK_SECONDS):
                # what other commands have written meanwhile stays; these come after what they know
                others = self._read() - self._kept
                with atomic_write(self._path, private=True) as partial:
                    document = {"database": self._identity, "bookmarks": sorted(values | others)}
                    partial.write_text(json.dumps(document), encoding="utf-8")
        self._kept = values

    def _read(self) -> frozenset[str]:
        """The bookmarks of the file; none where it is damaged, another user's or another
        database's."""
        if self._path is None:
            return frozenset()
        with suppress(GraphZSLError, OSError, ValueError, TypeError, KeyError):
            status = self._path.stat()
            own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
            if own and status.st_size <= _LARGEST_FILE:
                document = parsed_json(read_text(self._path), str(self._path))
                bookmarks = document["bookmarks"]
                if document["database"] == self._identity and _are_bookmarks(bookmarks):
                    return frozenset(bookmarks)
        return frozenset()

    def _forget(self) -> None:
        assert self._path is not None
        with suppress(OSError):
            self._path.unlink()


def _are_bookmarks(values: object) -> bool:
    return (
        isinstance(values, list)
        and len(values) <= _MOST
        and all(
            isinstance(value, str)
            and 0 < len(value) <= _LONGEST
            and value.isascii()
            and value.isprintable()
            for value in values
        )
    )


def bookmark_file(settings: Settings, identity: str) -> Path:
    """File that keeps the bookmarks of the database with this id of Neo4j's between commands, at
    whatever address it is reached."""
    return settings.cache / "bookmarks" / f"{sha256_text(identity)[:16]}.json"
