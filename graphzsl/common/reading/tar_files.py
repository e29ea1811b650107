"""Tar archives that are whole: Python's reader ends at a damaged header, or where the file is cut
off, as if nothing followed."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from graphzsl.common.errors import DataError, GraphZSLError
from graphzsl.common.reading.bounds import HARMLESS, checked_size, first_line, memory_error_or
from graphzsl.common.reading.compressed import UNREADABLE, unpacked

#: Bytes of a header with a long name or with attributes; the file's own header has 512.
LONGEST_HEADER = 1 << 20
#: Characters of the path of a member: no file system has longer ones.
LONGEST_NAME = 4096
#: Headers in a row that describe one member: a long name, a long link, attributes of its own and of
#: all.
MOST_HEADERS = 8
#: Attributes of all members, and digits in a row in any: Python looks through both again and again.
#: Names of files have no more digits: 255 bytes are the most between two slashes.
_MOST_ATTRIBUTES, _MOST_IN_A_ROW = 100, 255
#: Bytes of an attribute that is a number.
_LONGEST_NUMBER, _NUMBERS = 100, {name.encode() for name in tarfile.PAX_NUMBER_FIELDS}
#: How many times its own size a packed archive may unpack to, and how much does no harm: images and
#: XML have less than a tenth of it.
LARGEST_RATIO = 250
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
#: How the name of a packed tar ends, which readers of images pass over.
_PACKED_TAR = re.compile(r"\.(?:tar\.(?:gz|bz2|xz|lzma|lz4|zst|z)|tgz|tbz2?|txz|tzst)$")
_BLOCK = 1 << 20
_SPARSE = "a member is stored with holes (GNU sparse); write the archive without the option sparse"
_RECORD = re.compile(rb"([1-9][0-9]{0,7}) ([^=\n]{1,400})=")


def tar_members(path: Path) -> Iterator[tuple[tarfile.TarInfo, Any]]:
    """(member, the open file of its bytes; None of what is no file) of a tar, packed or not, in its
    order; each file is read before the next member comes.

    Raises:
        DataError: it is cut off, has a damaged header or more of them than belong to a member, or a
            member with holes; it unpacks to more than ``LARGEST_RATIO`` times its size, or more
            stands behind its end.
    """
    try:
        checked_size(path)
        with Path(path).open("rb") as file:
            yield from _members(file, str(path), path.stat().st_size)
    except OSError as error:
        raise _damaged(path, error) from None


def read_member(file: Any, place: str) -> bytes:
    """The bytes of a member's open file; DataError where the archive is cut off in it."""
    try:
        found: bytes = file.read()
    except (tarfile.TarError, *UNREADABLE) as error:
        raise _damaged(place, error) from None
    return found


def check_tar(path: Path, suffixes: Collection[str] = ()) -> None:
    """DataError where ``tar_members`` would raise it, in the tars in it too, and where a member of
    one of the ``suffixes`` is a link, which readers of images pass over; of what is not packed,
    headers alone are read."""
    for member, file in tar_members(path):
        check_no_link(member, suffixes, path)
        _check_inside(member, file, f"{path}: {member.name}", suffixes)


def check_no_link(member: tarfile.TarInfo, suffixes: Collection[str], place: object) -> None:
    """DataError for a member of one of the suffixes that is a link to another one."""
    if (member.islnk() or member.issym()) and Path(member.name).suffix.lower() in suffixes:
        raise DataError(
            f"{place}: {member.name} is a link to {member.linkname}. Write the archive with the"
            " files themselves, such as by the options dereference and hard-dereference of tar."
        )


def _check_inside(
    member: tarfile.TarInfo, file: Any, place: str, suffixes: Collection[str]
) -> None:
    name = member.name.lower()
    if file is not None and (packed := _PACKED_TAR.search(name)):
        raise _packed_inside(place, packed[0])
    if file is not None and name.endswith(".tar"):
        for inner, _ in _members(file, place):
            check_no_link(inner, suffixes, place)
            if packed := _PACKED_TAR.search(inner.name.lower()):
                raise _packed_inside(f"{place}: {inner.name}", packed[0])
            if inner.name.lower().endswith(".tar"):
                raise DataError(f"{place}: {inner.name} is a tar in a tar in a tar. Unpack it.")


def _members(
    packed: BinaryIO, place: str, size: int | None = None
) -> Iterator[tuple[tarfile.TarInfo, Any]]:
    """The members; ``size`` of the file in which a packed archive stands by itself."""
    try:
        begin = packed.read(6)
        packed.seek(0)
        suffix = next((each for mark, each in _PACKED.items() if begin.startswith(mark)), "")
        if suffix and size is None:
            raise _packed_inside(place, suffix)
        most = LARGEST_RATIO * size + HARMLESS if suffix and size is not None else None
        file = unpacked(packed, f"x{suffix}")
        with _Archive(file, most) as archive:
            for member in archive:
                yield member, archive.extractfile(member) if member.isfile() else None
                # else the archive keeps a note of every file that it has passed
                archive.members = []  # type: ignore[attr-defined]
            end = archive.offset
        # which also compares the checksum of what is packed
        while block := file.read(_BLOCK):
            end += len(block)
            _check_end(end, most)
            if block.strip(b"\0"):
                raise tarfile.ReadError("more follows its end; archives must not be joined by cat")
    except (tarfile.TarError, *UNREADABLE) as error:
        raise _damaged(place, error) from None


def _packed_inside(place: str, suffix: str) -> DataError:
    return DataError(
        f"{place} is packed ({suffix}) and in another tar, where it is not read. Unpack both, and"
        " give the folder; or write the outer one with tars that are not packed."
    )


def _check_end(end: int, most: int | None) -> None:
    if most is not None and end > most:
        raise tarfile.ReadError(
            f"it unpacks to {end:,} bytes or more; {most:,} are the most for its size"
        )


def _damaged(place: object, error: BaseException) -> GraphZSLError:
    damage = DataError(
        f"{place}: not a tar archive that can be read to its end ({first_line(error)}). Download it"
        " again, or unpack it and give the folder."
    )
    return memory_error_or(damage, error, str(place))


class _Member(tarfile.TarInfo):
    """A member whose headers are whole and few; the archive ends with a block of zeros and nowhere
    else."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        if buf[156:157] == tarfile.GNUTYPE_SPARSE:
            raise tarfile.ReadError(_SPARSE)
        found = super().frombuf(buf, encoding, errors)
        if found.type in _LONG and found.size > LONGEST_HEADER:
            raise tarfile.ReadError(
                f"a header of {found.size:,} bytes; {LONGEST_HEADER:,} are the most"
            )
        if found.size < 0:
            raise tarfile.ReadError(f"a size of {found.size:,} bytes")
        return found

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> _Member:
        assert isinstance(archive, _Archive)
        place = archive.fileobj.tell() if archive.fileobj else 0
        archive.headers += 1
        if archive.headers > MOST_HEADERS:
            raise tarfile.ReadError(
                f"more than {MOST_HEADERS} headers of one member at byte {place:,}"
            )
        try:
            found = super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            # which would end the archive without a word
            raise tarfile.ReadError(f"{first_line(error)} at byte {place:,}") from None
        finally:
            archive.headers -= 1
        if len(found.name) > LONGEST_NAME:
            raise tarfile.ReadError(f"a name of {len(found.name):,} characters at byte {place:,}")
        if found.size < 0 or len(archive.pax_headers) > _MOST_ATTRIBUTES:
            raise tarfile.ReadError(f"a damaged header at byte {place:,}")
        _check_end(archive.offset, archive.most)
        return found

    def _proc_pax(self, archive: _Archive) -> Any:
        file = archive.fileobj
        content = file.read(self._block(self.size))  # type: ignore[attr-defined]
        if len(content) < self.size:
            raise tarfile.ReadError("it ends in a header")
        _check_attributes(content[: self.size])
        archive.fileobj = _Replayed(content, archive)
        return super()._proc_pax(archive)  # type: ignore[misc]


class _Archive(tarfile.TarFile):
    """An archive of such members."""

    tarinfo = _Member
    fileobj: Any
    offset: int

    def __init__(self, file: Any, most: int | None):
        # headers that are being read, and where it must have ended; one member is read at once
        self.headers, self.most = 0, most
        super().__init__(fileobj=file, mode="r")


class _Replayed:
    """Bytes that are read once more, before the file of an archive goes on."""

    def __init__(self, content: bytes, archive: _Archive):
        self.content, self.archive, self.file = content, archive, archive.fileobj

    def read(self, _: int) -> bytes:
        """They; the archive has its own file again."""
        self.archive.fileobj = self.file
        return self.content


def _check_attributes(content: bytes) -> None:
    """ReadError for a PAX header that is no list of ``LENGTH KEY=VALUE``, or one of a member with
    holes."""
    if any(len(digits) > _MOST_IN_A_ROW for digits in re.findall(rb"[0-9]+", content)):
        raise tarfile.ReadError(f"more than {_MOST_IN_A_ROW} digits in a row in a header")
    place, keys = 0, 0
    while place < len(content):
        found = _RECORD.match(content, place)
        keys += 1
        if not found or keys > _MOST_ATTRIBUTES:
            raise tarfile.ReadError("a damaged header of attributes")
        if found[2].startswith(b"GNU.sparse."):
            raise tarfile.ReadError(_SPARSE)
        end = place + int(found[1])
        if not found.end() < end <= len(content) or content[end - 1 : end] != b"\n":
            raise tarfile.ReadError("a damaged header of attributes")
        if found[2] in _NUMBERS and end - 1 - found.end() > _LONGEST_NUMBER:
            raise tarfile.ReadError(f"a number of more than {_LONGEST_NUMBER} digits in a header")
        place = end
