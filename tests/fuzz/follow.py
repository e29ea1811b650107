"""A forked process with cases, watched from outside, and within limits."""

from __future__ import annotations

import json
import os
import resource
import select
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psutil

from tests.fuzz import case, watch

#: Address space that a batch may take beside what this process has.
_ADDRESSES = 8 << 30
#: What a case says of itself.
Tell = Callable[..., None]


def in_child(
    work: Callable[[Tell], None], note: Callable[[dict[str, Any]], None]
) -> tuple[int, tuple[str, str] | None]:
    """(number of the last case that began, how it ended the process; None: all were done) of work
    in a forked process, which tells ``start=NUMBER`` and what came of the case."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reader)
            _limit()
            work(lambda **said: _write(writer, said))
            code = 0
        except Exception:  # noqa: BLE001  # this process is a copy: it ends here
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writer)
    return _follow(child, reader, note)


def _write(pipe: int, said: dict[str, Any]) -> None:
    line = json.dumps(said).encode() + b"\n"
    while line:
        line = line[os.write(pipe, line) :]


def _follow(
    child: int, pipe: int, note: Callable[[dict[str, Any]], None]
) -> tuple[int, tuple[str, str] | None]:
    """(number of the last case that began, how it ended the process; None: all were done)."""
    last, waiting, began = -1, b"", time.monotonic()
    watched, base, used = psutil.Process(child), 0, 0.0
    sleep = watch.Sleep(watched)
    ended: tuple[str, str] | None = None
    while ended is None:
        ready, _, _ = select.select([pipe], [], [], 0.05)
        if ready:
            found = os.read(pipe, 1 << 20)
            if not found:
                break
            waiting += found
            *lines, waiting = waiting.split(b"\n")
            for line in lines:
                told = json.loads(line)
                if "start" in told:
                    last, began = told["start"], time.monotonic()
                    base, used = watch.memory(watched), watch.seconds(watched)
                    sleep = watch.Sleep(watched)
                else:
                    note(told)
                    began, used = time.monotonic(), watch.seconds(watched)
                    sleep = watch.Sleep(watched)
        elif watch.seconds(watched) - used > case.SECONDS:
            ended = case.SLOW, f"stopped after {case.SECONDS:g} s of the processor"
        elif sleep.lasts():
            ended = case.SLOW, f"asleep for {case.SECONDS:g} s without the processor"
        elif time.monotonic() - began > case.STUCK:
            ended = case.SLOW, f"stuck for {case.STUCK:g} s"
        elif watch.memory(watched) - base > case.MOST_MEMORY:
            ended = case.MEMORY, f"{watch.memory(watched) >> 20:,} MB"
    if ended is not None:
        for each in watch.family(watched):
            with suppress(psutil.Error):
                each.kill()
    os.close(pipe)
    _, status = os.waitpid(child, 0)
    if ended is None and status != 0:
        code = os.waitstatus_to_exitcode(status)
        ended = case.CRASH, f"signal {-code}" if code < 0 else f"exit status {code}"
    return last, ended


def _limit() -> None:
    size = psutil.Process().memory_info().vms + _ADDRESSES
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
