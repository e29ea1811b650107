"""Tar archives that are whole: Python's reader ends at a damaged header, or where the file is cut
off, as if nothing followed."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from graphzsl.errors import DataError
from graphzsl.reading.bounds import first_line
from graphzsl.reading.compressed import UNREADABLE, unpacked

#: Bytes of a header with a long name or with attributes; the file's own header has 512.
LONGEST_HEADER = 1 << 20
#: Kinds of such headers: they are read into memory before what they describe.
_LONG = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
#: How a packed archive begins -> the suffix that says so.
_PACKED = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz"}
_BLOCK = 1 << 20


def tar_members(path: Path) -> Iterator[tuple[tarfile.TarInfo, Any]]:
    """(member, the open file of its bytes; None of what is no file) of a tar, packed or not, in its
    order; each file is read before the next member comes.

    Raises:
        DataError: it is cut off, has a damaged header or one of more than ``LONGEST_HEADER`` bytes,
            or more stands behind its end.
    """
    try:
        with Path(path).open("rb") as file:
            yield from _members(file, str(path))
    except OSError as error:
        raise _damaged(path, error) from None


def read_member(file: Any, place: str) -> bytes:
    """The bytes of a member's open file; DataError where the archive is cut off in it."""
    try:
        found: bytes = file.read()
    except (tarfile.TarError, *UNREADABLE) as error:
        raise _damaged(place, error) from None
    return found


def check_tar(path: Path) -> None:
    """DataError where ``tar_members`` would raise it, in the tars in it too; of what is not packed,
    headers alone are read."""
    for member, file in tar_members(path):
        _check_inside(member, file, f"{path}: {member.name}")


def _check_inside(member: tarfile.TarInfo, file: Any, place: str) -> None:
    if file is not None and member.name.lower().endswith(".tar"):
        for inner, _ in _members(file, place):
            if inner.name.lower().endswith(".tar"):
                raise DataError(f"{place}: {inner.name} is a tar in a tar in a tar. Unpack it.")


def _members(packed: BinaryIO, place: str) -> Iterator[tuple[tarfile.TarInfo, Any]]:
    try:
        begin = packed.read(6)
        packed.seek(0)
        suffix = next((each for mark, each in _PACKED.items() if begin.startswith(mark)), "")
        file = unpacked(packed, f"x{suffix}")
        with tarfile.open(fileobj=file, mode="r:", tarinfo=_Member) as archive:
            for member in archive:
                yield member, archive.extractfile(member) if member.isfile() else None
                # else the archive keeps a note of every file that it has passed
                archive.members = []  # type: ignore[attr-defined]
        # which also compares the checksum of what is packed
        while block := file.read(_BLOCK):
            if block.strip(b"\0"):
                raise tarfile.ReadError("more follows its end; archives must not be joined by cat")
    except (tarfile.TarError, *UNREADABLE) as error:
        raise _damaged(place, error) from None


def _damaged(place: object, error: BaseException) -> DataError:
    return DataError(
        f"{place}: not a tar archive that can be read to its end ({first_line(error)}). Download it"
        " again, or unpack it and give the folder."
    )


class _Member(tarfile.TarInfo):
    """A member whose header is whole; the archive ends with a block of zeros and nowhere else."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        found = super().frombuf(buf, encoding, errors)
        if found.type in _LONG and found.size > LONGEST_HEADER:
            raise tarfile.ReadError(
                f"a header of {found.size:,} bytes; {LONGEST_HEADER:,} are the most"
            )
        return found

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> _Member:
        place = archive.fileobj.tell() if archive.fileobj else 0
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            # which would end the archive without a word
            raise tarfile.ReadError(f"{first_line(error)} at byte {place:,}") from None
