"""The bound that the command line promises after Ctrl-C, on a machine that is not overloaded."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

#: Seconds from the signal to the end of a command and of its transaction.
PROMISED = 3.0


def bound() -> float:
    """The promised seconds; longer where more processes want a core than there are cores."""
    return PROMISED * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def kept_waiting(process: int) -> float:
    """Seconds in which threads of a process wanted a core and got none, since it was started; 0
    where the system does not say so. What passes meanwhile is not the command's time."""
    waited = 0
    for file in Path(f"/proc/{process}/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has just ended
            waited += int(file.read_text().split()[1])
    return waited / 1e9
