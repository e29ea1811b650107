"""A process of its own that reads a file with a library written in C, which trusts the file: what
is damaged may end that process or keep it for ever, and does neither to this one.

The child is a script that imports nothing of graphzsl. It answers each line of JSON that it gets
by one line of JSON, and the bytes of an array behind it where that says ``bytes``.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from graphzsl.common.errors import DataError

#: One thread: each would reserve address space of its own.
ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
#: What reading a file may take: a fixed part for the interpreter, and a part for each byte of the
#: file (the largest published ones are packed 1:4). A slow disk costs seconds, an endless loop
#: seconds of the processor.
SECONDS, SECONDS_PER_BYTE = 120.0, 1e-6
PROCESSOR_SECONDS, PROCESSOR_SECONDS_PER_BYTE = 5.0, 2e-7
MEMORY, MEMORY_PER_BYTE = 2 << 30, 32
#: Bytes that a pipe gives at once.
_BLOCK = 1 << 20


class Child:
    """A running child; ``ask`` is what it is for."""

    def __init__(self, process: Any, path: Path, fault: str, seconds: float, memory: int):
        self.process, self.path, self.fault = process, path, fault
        self.seconds, self.memory = seconds, memory
        self.waiting = b""

    def ask(self, **request: Any) -> tuple[dict[str, Any], bytearray]:
        """(answer, bytes behind it).

        Raises:
            DataError: what the child says of the file, its end, or that it takes too long.
        """
        end = time.monotonic() + self.seconds
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise self._ended() from None
        while (at := self.waiting.find(b"\n")) < 0:
            self.waiting += self._read(end)
        answer: dict[str, Any] = json.loads(self.waiting[:at])
        content = bytearray(self.waiting[at + 1 :])
        self.waiting = b""
        while len(content) < answer.get("bytes", 0):
            content += self._read(end)
        if "refuse" in answer:
            raise DataError(f"{self.path}: {answer['refuse']}")
        if "damaged" in answer:
            raise self.damaged(answer["damaged"])
        return answer, content

    def _read(self, end: float) -> bytes:
        pipe: IO[bytes] = self.process.stdout
        ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise self.damaged(f"reading it took longer than {self.seconds:g} seconds")
        found = os.read(pipe.fileno(), _BLOCK)
        if not found:
            raise self._ended()
        return found

    def _ended(self) -> DataError:
        code = self.process.wait()
        if code == -signal.SIGXCPU:
            return self.damaged("reading it does not end")
        how = f"by signal {-code}" if code < 0 else f"with exit status {code}"
        return self.damaged(f"it is damaged: reading it ended {how}")

    def damaged(self, why: str) -> DataError:
        """The error for a file that cannot be read."""
        if "MemoryError" in why:
            return DataError(
                f"{self.path}: reading it takes more than {self.memory:,} bytes of memory, or more"
                " than are free. Fetch it again if it is damaged, or read it on a larger machine."
            )
        return DataError(f"{self.path}: {self.fault} ({why}). Fetch it again.")


def start(script: Path, arguments: list[str]) -> Any:
    """A process that runs a script, with pipes to it and from it."""
    return subprocess.Popen(
        [sys.executable, "-P", str(script), *arguments],
        env=os.environ | ONE_THREAD,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def reading_child(
    script: Path,
    path: Path,
    fault: str,
    seconds: float | None = None,
    memory: int | None = None,
) -> Iterator[Child]:
    """A child that has ``path`` to read, and that ends with the block.

    Args:
        script: what it runs, with the path, and the memory and seconds that it may take.
        path: the file.
        fault: what a file is that it cannot read, for messages.
        seconds: for each answer; default: by the file's size.
        memory: bytes; default: by the file's size.
    """
    size = path.stat().st_size
    seconds = SECONDS + SECONDS_PER_BYTE * size if seconds is None else seconds
    memory = MEMORY + MEMORY_PER_BYTE * size if memory is None else memory
    cpu = int(PROCESSOR_SECONDS + PROCESSOR_SECONDS_PER_BYTE * size)
    process = start(script, [str(path), str(memory), str(cpu)])
    try:
        yield Child(process, path, fault, seconds, memory)
    finally:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()
        process.wait()
