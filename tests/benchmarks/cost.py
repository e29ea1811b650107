"""What a piece of work costs: seconds of the clock, seconds of processors, and memory."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import re
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil

_OWN = Path("/proc/self")
T = TypeVar("T")


@dataclass(frozen=True)
class Cost:
    """``wall`` and ``cpu`` seconds, of this process, its children and others that worked for it;
    ``memory`` is the largest growth of this process in MB."""

    wall: float
    cpu: float
    memory: float


def cost(work: Callable[[], object], others: Iterable[psutil.Process] = ()) -> Cost:
    """What one call costs. Processor time is what other work on the machine disturbs least; memory
    that was used before and is free is given back first, so that its use again counts (Linux)."""
    own, others = psutil.Process(), list(others)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    (_OWN / "clear_refs").write_text("5")  # the peak counts from here
    before, used, began = own.memory_info().rss, _used(own, others), time.perf_counter()
    work()
    wall, cpu = time.perf_counter() - began, _used(own, others) - used
    found = re.search(r"VmHWM:\s+(\d+) kB", (_OWN / "status").read_text())
    peak = int(found[1]) * 1024 if found else 0
    return Cost(wall, cpu, max(0, peak - before) / 1e6)


def alone(work: Callable[..., T], *given: object) -> T:
    """What a function of a module returns in a process of its own, whose memory no other work has
    used."""
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawned) as pool:
        return pool.submit(work, *given).result()


def _used(own: psutil.Process, others: list[psutil.Process]) -> float:
    times = own.cpu_times()
    total = times.user + times.system + times.children_user + times.children_system
    for each in others:
        times = each.cpu_times()
        total += times.user + times.system
    return float(total)
