"""Log of the local server since its start, and the errors in it that a person can act on."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from pathlib import Path

from graphzsl.common.settings import Settings

#: Of a log, from its end: more is not read.
_MOST = 1 << 20
#: Of the log of the start of a database that cannot be opened: Neo4j begins a new file at 20 MB.
_WHOLE = 20 << 20
#: A disk counts as full with fewer bytes free than Neo4j takes for a new file.
_FULL = 2 << 20
_DISK = r"No space left on device|Disk quota exceeded"
CONSOLE_LOG = "console.log"
#: The first line that Neo4j writes into each of its logs at a start.
_START = "Logging config in use"
#: What Neo4j says of a log of transactions that ends in the middle of one.
_CUT_SHORT = "Error reading transaction logs, recovery not possible"
_ERROR = re.compile(r' ERROR |"level":"ERROR"|Caused by')
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
    """Java's own messages, which begin anew at every start, and Neo4j's logs, which go on."""

    def __init__(self, home: Path):
        self.path = home / "logs" / CONSOLE_LOG
        self.debug = home / "logs" / "debug.log"
        self._neo4j = home / "logs" / "neo4j.log"
        self._home = home
        self._begin: dict[Path, int] = {}

    def begin(self) -> None:
        """Mark the present ends of Neo4j's logs: the lines before them are of earlier starts."""
        for log in (self._neo4j, self.debug):
            self._begin[log] = log.stat().st_size if log.exists() else 0

    def said(self) -> str:
        """Output of Java and Neo4j since this start."""
        return _tail(self.path) + self._of_this_start(self._neo4j)

    def _of_this_start(self, log: Path, most: int = _MOST) -> str:
        return _tail(log, most, self._begin.get(log, 0)).rpartition(_START)[2]

    def reason(self, settings: Settings, said: str | None = None) -> str:
        """Reason why the server ended and what helps, in a sentence; empty where the log does not
        tell."""
        if full := self.full_disk():
            return full
        text = self.said() if said is None else said
        text += " ".join(re.findall(_DISK, self._of_this_start(self.debug)))
        for pattern, sentence in _CAUSES.items():
            if re.search(pattern, text):
                return sentence.format(heap=settings.heap, home=self._home)
        return ""

    def full_disk(self) -> str:
        """Name the disk of the home or of its data that is full by now, and what helps; empty where
        there is space."""
        for place in (self._home, (self._home / "data").resolve()):
            with suppress(OSError):
                if shutil.disk_usage(place).free < _FULL:
                    return _CAUSES[_DISK].format(home=place)
        return ""

    def unopened(self) -> str:
        """Say why this start cannot open the database, and what helps where that is known."""
        text = self._of_this_start(self.debug, _WHOLE)
        if _CUT_SHORT in text:
            return (
                "its log of transactions is damaged, which a full disk can leave. Put a copy of"
                f" {self._home / 'data'} that you made before in its place, or move that folder"
                " away and load again. Nothing in it was changed."
            )
        return f"{self.debug} says why: {last_lines(text, 1)}"


def full_disk(said: str, home: Path) -> str:
    """Cause and remedy if a text of Java reports a full disk; else empty."""
    return _CAUSES[_DISK].format(home=home) if re.search(_DISK, said) else ""


def _tail(path: Path, most: int = _MOST, begin: int = 0) -> str:
    try:
        with path.open("rb") as log:
            log.seek(max(begin, path.stat().st_size - most))
            return log.read().decode(errors="replace")
    except OSError:  # not written yet, or gone with its home
        return ""


def last_lines(log: str, count: int = 3) -> str:
    """Last lines of a log, its error lines if it has any."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    lines = [line for line in lines if _ERROR.search(line)] or lines
    return " | ".join(lines[-count:]) or "nothing"
