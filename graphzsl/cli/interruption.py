"""Ctrl-C, or the signal by which systems end a process (SIGTERM), ends a command within a stated
time, whatever it computes.

Python raises KeyboardInterrupt between two of its own steps: a single call of a library (a
decomposition, a product of large matrices, a support vector machine) has to end first, which can
take minutes. The signal itself is noticed at once by a thread that waits for it.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache

import click
import psutil

#: Seconds that a command has after Ctrl-C to end in its own way: to keep what is done, to end its
#: statement on the server.
GRACE = 2.0
#: The exit status of a command that Ctrl-C ended.
STATUS = 128 + signal.SIGINT
#: The exit statuses of commands that a signal ended.
ENDED = (STATUS, 128 + signal.SIGTERM)
#: Seconds after which a signal that was lost in a finalizer is sent again.
_AGAIN = 0.05
#: The signals that end a command.
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_CLEAR_LINE, _SHOW_CURSOR = "\r\x1b[2K", "\x1b[?25h"


class Terminated(KeyboardInterrupt):
    """SIGTERM: the command ends as after Ctrl-C, with its own status."""

    status = 128 + signal.SIGTERM


@contextmanager
def ended_in_time(grace: float = GRACE) -> Iterator[None]:
    """Within it, a process that still runs ``grace`` seconds after SIGINT or SIGTERM ends with
    status 130 or 143, and its worker processes with it. SIGTERM raises ``Terminated``; where a
    library makes another exception of a signal, the signal is raised again.

    Files stay whole, since they are written aside and then moved, and Neo4j ends the transactions
    of a connection that closes. Only in the main thread, which alone gets signals; elsewhere it
    does nothing. A library call that never gives up Python's lock is beyond it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    threading.Thread(target=_watch, args=(reader, grace), daemon=True, name="ctrl-c").start()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    _forget_in_workers()
    came: list[KeyboardInterrupt] = []
    # a process that ignores them, or has its own way, keeps to that
    ours = {
        number: was
        for number, was in (
            (signal.SIGTERM, signal.SIG_DFL),
            (signal.SIGINT, signal.default_int_handler),
        )
        if signal.getsignal(number) is was
    }
    for number in ours:
        signal.signal(number, _raise_stop(os.getpid(), came))
    hook = sys.unraisablehook
    sys.unraisablehook = _send_again_by(hook)
    try:
        yield
    except click.exceptions.Exit:
        raise
    except Exception as error:
        # extension modules that are being imported make an ImportError of it
        if came:
            raise came[0] from error
        raise
    finally:
        sys.unraisablehook = hook
        for number, was in ours.items():
            signal.signal(number, was)
        signal.set_wakeup_fd(before)
        os.close(writer)


def _send_again_by(
    hook: Callable[[sys.UnraisableHookArgs], object],
) -> Callable[[sys.UnraisableHookArgs], object]:
    """Build a hook for exceptions that Python drops: a signal that came in the middle of a
    finalizer is sent again, or the command would go on as if there had been none."""

    def dropped(what: sys.UnraisableHookArgs) -> object:
        if not issubclass(what.exc_type, KeyboardInterrupt):
            return hook(what)
        number = signal.SIGTERM if issubclass(what.exc_type, Terminated) else signal.SIGINT
        again = threading.Timer(_AGAIN, os.kill, (os.getpid(), number))
        again.daemon = True
        again.start()
        return None

    return dropped


@cache  # what is registered stays registered
def _forget_in_workers() -> None:
    """A signal to a forked worker is not written into the pipe of this process."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))


def _raise_stop(process: int, came: list[KeyboardInterrupt]) -> Callable[[int, object], None]:
    """Build the signal handler of this process, which raises the stop and adds it to ``came``; a
    worker that was forked from this process ends at once on SIGTERM."""

    def on_signal(number: int, frame: object) -> None:
        if os.getpid() != process and number == signal.SIGTERM:
            os._exit(128 + number)
        stop = Terminated() if number == signal.SIGTERM else KeyboardInterrupt()
        came.append(stop)
        raise stop

    return on_signal


def _watch(reader: int, grace: float) -> None:
    """End the process ``grace`` seconds after a signal that ends it, unless the other end of the
    pipe is closed before."""
    deadline: float | None = None
    status = STATUS
    while (
        deadline is None
        or select.select([reader], [], [], max(0.0, deadline - time.monotonic()))[0]
    ):
        signals = os.read(reader, 512)
        if not signals:
            os.close(reader)
            return
        ending = [number for number in _SIGNALS if number in signals]
        if deadline is None and ending:
            deadline = time.monotonic() + grace
            status = 128 + ending[0]
    _end(status)


def end_within(grace: float, status: int) -> None:
    """End this process ``grace`` seconds from now, if it has not ended by then: a command that was
    stopped has said so, and Python waits for threads of libraries, which may wait for ever."""
    ending = threading.Timer(grace, _end, (status, False))
    ending.daemon = True
    ending.start()


def _end(status: int, is_told: bool = True) -> None:
    """End this process and its workers now."""
    # nothing is imported here: the main thread may hold a lock of an import
    if "multiprocessing" in sys.modules:
        # by the system's list: a worker that is just being started is in no other. A server has a
        # session of its own, and stays.
        for child in psutil.Process().children():
            with suppress(psutil.Error, ProcessLookupError):
                if not hasattr(os, "getsid") or os.getsid(child.pid) == os.getsid(0):
                    child.kill()
    if not is_told:
        os._exit(status)
    # a progress bar hid the cursor
    start, end = (_CLEAR_LINE, _SHOW_CURSOR) if os.isatty(2) else ("", "")
    os.write(2, f"{start}Stopped.{end}\n".encode())
    os._exit(status)
