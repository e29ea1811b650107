"""A local server that is lost in the middle of a command is started again, once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from graphzsl.common.errors import DatabaseError

T = TypeVar("T")


class Revival:
    """Repeats a transaction that failed because its server died.

    Transactions can be repeated: the driver does the same when a connection is lost, and what the
    server acknowledged is there after its start. A server that dies a second time may have died of
    the transaction, so that is said.

    Args:
        is_lost: whether the server's process has ended without being told to.
        restart: starts it again and connects to it; called once.
    """

    def __init__(self, is_lost: Callable[[], bool], restart: Callable[[], None]):
        self._is_lost = is_lost
        self._restart = restart
        self._lock = threading.Lock()
        self._was_restarted = False

    def repeat(self, attempt: Callable[[], T]) -> T:
        """The result of ``attempt``, or of its repetition after a restart."""
        was_restarted = self._was_restarted
        try:
            return attempt()
        except DatabaseError:
            # another thread may have started it meanwhile
            with self._lock:
                if was_restarted:
                    raise
                if not self._was_restarted:
                    if not self._is_lost():
                        raise
                    self._was_restarted = True
                    self._restart()
        return attempt()
