"""Text that is packed by gzip, bzip2 or xz, unpacked block by block in constant memory."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError
from graphzsl.reading.bounds import first_line

#: Memory that unpacking xz may take: its highest level takes 65 MB, and a header can ask for 4 GB.
_XZ_MEMORY = 512 << 20
_BLOCK = 1 << 20


#: What unpacking a damaged file ends in.
UNREADABLE = (OSError, EOFError, lzma.LZMAError, zlib.error, MemoryError, ValueError)


def unpacked(path: Path) -> Any:
    """The same, for who answers for the errors of ``UNREADABLE``."""
    return _OPENERS.get(path.suffix, open)(path, "rb")


def is_packed(path: Path) -> bool:
    """Whether the name of a file says that it is packed."""
    return path.suffix in _OPENERS


@contextmanager
def open_compressed(path: Path) -> Iterator[Any]:
    """A file, unpacked where its suffix says that it is packed, open to read bytes.

    Raises:
        DataError: it is absent or damaged, also where that shows while it is read.
    """
    path = Path(path)
    try:
        with unpacked(path) as file:
            yield file
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except UNREADABLE as error:
        raise DataError(f"{path}: the text cannot be read ({first_line(error)}).") from None


class _Xz(io.RawIOBase):
    """The unpacked bytes of an xz file, of several streams too, in bounded memory."""

    def __init__(self, path: Path, mode: str):
        self.packed, self.unpacker, self.place = path.open(mode), _new(), 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.place

    def readinto(self, buffer: Any) -> int:
        while True:
            block = b""
            if self.unpacker.eof:
                block = self.unpacker.unused_data.lstrip(b"\0") or self.packed.read(_BLOCK)
                if not (block := block.lstrip(b"\0")):
                    return 0
                self.unpacker = _new()
            elif self.unpacker.needs_input and not (block := self.packed.read(_BLOCK)):
                raise EOFError("it ends early")
            if found := self.unpacker.decompress(block, len(buffer)):
                buffer[: len(found)] = found
                self.place += len(found)
                return len(found)

    def seek(self, place: int, whence: int = 0) -> int:
        """Forward only, by unpacking what lies between."""
        while self.place < place and self.read(min(_BLOCK, place - self.place)):
            pass
        return self.place

    def close(self) -> None:
        self.packed.close()
        super().close()


def _new() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(memlimit=_XZ_MEMORY)


_OPENERS: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lambda path, mode: io.BufferedReader(_Xz(path, mode), _BLOCK),
}
