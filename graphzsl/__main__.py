"""``python -m graphzsl``, and the function of the command ``graphzsl``."""

import atexit
import os
import sys
from contextlib import suppress


def start() -> None:
    """The command line; Ctrl-C in the first tenths of a second, while its modules are imported, is
    one line too.

    A command that a signal ended leaves as soon as the functions of ``atexit`` have run. All that
    it held stays in memory until then: to free millions of objects is one step of Python, in which
    no other thread runs, and takes seconds where other programs want the processor.
    """
    ended: list[SystemExit] = []
    atexit.register(_leave, ended)  # the first registered is the last that runs
    try:
        from graphzsl.cli import main
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(130)
    try:
        main(prog_name="graphzsl")
    except SystemExit as done:
        from graphzsl.cli.interruption import ENDED, GRACE, end_within

        if done.code in ENDED:
            ended.append(done)
            end_within(GRACE, done.code)
        raise
    except OSError as error:  # the help cannot be written
        sys.stderr.write(f"Error: the system: {error.strerror or error}.\n")
        sys.exit(1)


def _leave(ended: list[SystemExit]) -> None:
    for done in ended:
        with suppress(OSError, ValueError):  # who reads has gone, or it is closed
            sys.stdout.flush()
        os._exit(int(done.code or 0))


if __name__ == "__main__":
    start()
