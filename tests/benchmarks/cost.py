"""What a piece of work costs: seconds of the clock, seconds of processors, and memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import psutil


@dataclass(frozen=True)
class Cost:
    """``wall`` and ``cpu`` seconds, of this process, its children and others that worked for it;
    ``memory`` is the largest growth of this process in MB."""

    wall: float
    cpu: float
    memory: float


def cost(work: Callable[[], object], others: Iterable[psutil.Process] = ()) -> Cost:
    """What one call costs. Processor time is what other work on the machine disturbs least."""
    own, others = psutil.Process(), list(others)
    before, done, peak = own.memory_info().rss, threading.Event(), [0]

    def watch() -> None:
        while not done.wait(0.01):
            peak[0] = max(peak[0], own.memory_info().rss)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    used, began = _used(own, others), time.perf_counter()
    work()
    wall, cpu = time.perf_counter() - began, _used(own, others) - used
    done.set()
    watcher.join()
    peak[0] = max(peak[0], own.memory_info().rss)
    return Cost(wall, cpu, max(0, peak[0] - before) / 1e6)


def _used(own: psutil.Process, others: list[psutil.Process]) -> float:
    times = own.cpu_times()
    total = times.user + times.system + times.children_user + times.children_system
    for each in others:
        times = each.cpu_times()
        total += times.user + times.system
    return total


def exponent(sizes: list[int], values: list[float]) -> float:
    """Of a power law through the values: 1 is linear."""
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(values, 1e-9)), 1)[0])
