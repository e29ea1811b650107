"""The bound that the command line promises after Ctrl-C, on a machine that is not overloaded."""

from __future__ import annotations

import os

#: Seconds from the signal to the end of a command and of its transaction.
PROMISED = 3.0


def bound() -> float:
    """The promised seconds; longer where more processes want a core than there are cores."""
    return PROMISED * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
