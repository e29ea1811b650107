"""What a process and those that it has started take: the processor, memory, or nothing for long."""

from __future__ import annotations

import time
from pathlib import Path

import psutil

from tests.fuzz import case

#: Looks at a process, a twentieth of a second each, in all of which it sleeps.
_LOOKS = 20
#: Share of a processor below which a process that sleeps does nothing.
_IDLE = 0.05


class Sleep:
    """Whether a process and its children wait for what does not come. On a busy machine one that
    waits for the processor, or for a disk, is not asleep."""

    def __init__(self, process: psutil.Process):
        self.process, self.looks = process, 0
        self.since, self.used = time.monotonic(), seconds(process)

    def lasts(self) -> bool:
        """To be asked now and then."""
        now, used = time.monotonic(), seconds(self.process)
        if used - self.used > _IDLE * case.SECONDS:
            self.since, self.used = now, used
        asleep = all(_is_asleep(each) for each in family(self.process))
        self.looks = self.looks + 1 if asleep else 0
        return now - self.since > case.SECONDS and self.looks >= _LOOKS


def _is_asleep(process: psutil.Process) -> bool:
    try:
        return process.status() in (psutil.STATUS_SLEEPING, psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True


def family(process: psutil.Process) -> list[psutil.Process]:
    """A process, and those that it has started, as far as they are there."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return [process]


def memory(process: psutil.Process) -> int:
    """Bytes of a process, and what its children have of their own: what they share with it is its
    own already."""
    try:
        own = int(process.memory_info().rss)
    except psutil.Error:
        own = 0
    return own + sum(map(_private, family(process)[1:]))


def _private(process: psutil.Process) -> int:
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Private_"))


def seconds(process: psutil.Process) -> float:
    """Of the processor, with those of its children, ended ones too; a busy machine is not what is
    looked for."""
    total = 0.0
    for each in family(process):
        try:
            times = each.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total
