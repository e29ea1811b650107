"""What the local server wrote since it was started, and what of it a person can act on."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from pathlib import Path

from graphzsl.settings import Settings

#: Of a log, from its end: more is not read.
_MOST = 1 << 20
#: A disk counts as full with fewer bytes free than Neo4j takes for a new file.
_FULL = 2 << 20
_DISK = r"No space left on device|Disk quota exceeded"
CONSOLE_LOG = "console.log"
#: What the server's log says when Java ends for want of memory; in the words of Java.
OUT_OF_MEMORY = "Terminating due to java.lang.OutOfMemoryError"
#: What Java and Neo4j write -> what is wrong, and what helps.
_CAUSES = {
    rf"{re.escape(OUT_OF_MEMORY)}|OutOfMemoryError: Java heap": (
        "it ran out of memory. Set GRAPHZSL_HEAP to more than {heap}, and stop other programs if"
        " there is none left."
    ),
    r"Invalid maximum heap size|Too small (maximum|initial) heap|Invalid initial heap": (
        "Java takes no heap of {heap}. Set GRAPHZSL_HEAP, for example to 2g."
    ),
    r"Could not reserve enough space|insufficient memory for the Java Runtime|Cannot allocate"
    r" memory": (
        "this machine has no memory for a heap of {heap}. Set GRAPHZSL_HEAP to less, for example"
        " to 512m."
    ),
    _DISK: ("the disk of {home} is full. Free some of it, or set GRAPHZSL_HOME to another place."),
    r"UnsupportedLogVersionException|UnsupportedFormatVersion|newer version of Neo4j": (
        "its data were written by a newer Neo4j. Set NEO4J_HOME to that one again, or"
        " GRAPHZSL_HOME to another place."
    ),
    r"Read-only file system|AccessDeniedException|Permission denied": (
        "it may not write below {home}. Make that folder yours and writable, or set GRAPHZSL_HOME"
        " to another place."
    ),
}


class ServerLog:
    """Java's own messages, which begin anew at every start, and Neo4j's log, which goes on."""

    def __init__(self, home: Path):
        self.path = home / "logs" / CONSOLE_LOG
        self._neo4j = home / "logs" / "neo4j.log"
        self._home = home
        self._begin = 0

    def begin(self) -> None:
        """What is in Neo4j's log by now is of earlier starts."""
        self._begin = self._neo4j.stat().st_size if self._neo4j.exists() else 0

    def said(self) -> str:
        """What both say of this start."""
        return self._tail(self.path, 0) + self._tail(self._neo4j, self._begin)

    def reason(self, settings: Settings, said: str | None = None) -> str:
        """Why the server ended and what helps, in a sentence; empty where the log does not tell."""
        with suppress(OSError):
            if shutil.disk_usage(self._home).free < _FULL:
                return _CAUSES[_DISK].format(heap=settings.heap, home=self._home)
        text = self.said() if said is None else said
        for pattern, sentence in _CAUSES.items():
            if re.search(pattern, text):
                return sentence.format(heap=settings.heap, home=self._home)
        return ""

    def _tail(self, path: Path, begin: int) -> str:
        try:
            with path.open("rb") as log:
                log.seek(max(begin, path.stat().st_size - _MOST))
                return log.read().decode(errors="replace")
        except OSError:  # not written yet, or gone with its home
            return ""


def last_lines(log: str, count: int = 3) -> str:
    """What a log says last, errors before the rest."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    lines = [line for line in lines if " ERROR " in line or "Caused by" in line] or lines
    return " | ".join(lines[-count:]) or "nothing"
