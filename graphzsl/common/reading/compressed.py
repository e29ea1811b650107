"""Text that is packed by gzip, bzip2 or xz, unpacked block by block in constant memory."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

#: Memory that unpacking xz may take: its highest level takes 65 MB, and a header can ask for 4 GB.
_XZ_MEMORY = 512 << 20
_BLOCK = 1 << 20


#: What unpacking a damaged file ends in.
UNREADABLE = (OSError, EOFError, lzma.LZMAError, zlib.error, MemoryError, ValueError)


def unpacked(file: BinaryIO, name: str) -> Any:
    """Open a file, unpacked if its suffix says that it is packed; the caller handles the errors of
    ``UNREADABLE``."""
    opener = _OPENERS.get(Path(name).suffix)
    return opener(file, "rb") if opener else file


def is_packed(name: str) -> bool:
    """True if the suffix of a file name is that of a packed file."""
    return Path(name).suffix in _OPENERS


class _Xz(io.RawIOBase):
    """The unpacked bytes of an xz file, of several streams too, in bounded memory."""

    def __init__(self, packed: BinaryIO):
        self.packed, self.unpacker, self.place = packed, _new(), 0

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
        """Close this file and the packed file behind it."""
        self.packed.close()
        super().close()


def _new() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(memlimit=_XZ_MEMORY)


_OPENERS: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lambda file, _: io.BufferedReader(_Xz(file), _BLOCK),
}
