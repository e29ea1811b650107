"""Tars that are damaged or cut off are refused, never read as shorter ones."""

from __future__ import annotations

import bz2
import gzip
import io
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import webdataset

from graphzsl.common import DataError
from graphzsl.common.reading.tar_files import LONGEST_HEADER, check_tar, read_member, tar_members

COUNT = 40
#: A header and one block of content.
MEMBER = 1024


def _tar(mode: str = "w", format: int = tarfile.PAX_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode, format=format) as archive:  # type: ignore[call-overload]
        for number in range(COUNT):
            member = tarfile.TarInfo(f"{number}.xml")
            member.size = 300
            archive.addfile(member, io.BytesIO(bytes([number + 1]) * 300))
    return file.getvalue()


def _flipped(content: bytes) -> bytes:
    damaged = bytearray(content)
    damaged[MEMBER * 20 + 3] ^= 1
    return bytes(damaged)


DAMAGE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a header": (lambda: _flipped(_tar()), "bad checksum at byte 20,480"),
    "cut before a header": (lambda: _tar()[: MEMBER * 20], "empty header at byte 20,480"),
    "cut in a header": (lambda: _tar()[: MEMBER * 20 + 99], "truncated header"),
    "cut in a content": (lambda: _tar()[: MEMBER * 20 + 600], "unexpected end of data"),
    "cut, packed": (lambda: gzip.compress(_tar())[:-200], "ended before"),
    "no checksum, packed": (lambda: gzip.compress(_tar())[:-8], "ended before"),
    "joined by cat": (lambda: _tar() * 2, "more follows its end"),
    "a hole": (lambda: _tar()[:20480] + bytes(MEMBER) + _tar()[20480 + MEMBER :], "more follows"),
    "empty": (lambda: b"", "empty"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damaged_tars_are_refused(tmp_path: Path, what: str) -> None:
    make, said = DAMAGE[what]
    path = tmp_path / "a.tar"
    path.write_bytes(make())
    with pytest.raises(DataError, match=said):
        [read_member(file, str(path)) for _, file in tar_members(path)]
    with pytest.raises(DataError, match=r"a\.tar: not a tar archive"):
        check_tar(path)
    # one tar per class in a tar
    with tarfile.open(tmp_path / "outer.tar", "w") as archive:
        archive.add(path, "cat.tar")
    inside = r" is packed \(\.gz\) and in another" if "packed" in what else rf": .*{said}"
    with pytest.raises(DataError, match=rf"outer\.tar: cat\.tar{inside}"):
        check_tar(tmp_path / "outer.tar")


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz"])
def test_a_packed_tar_in_a_tar_is_whole_and_to_be_unpacked(tmp_path: Path, kind: str) -> None:
    (tmp_path / "cat.tar").write_bytes(_tar(f"w:{kind}"))
    with tarfile.open(tmp_path / "outer.tar", "w") as archive:
        archive.add(tmp_path / "cat.tar", "cat.tar")
    with pytest.raises(DataError) as error:
        check_tar(tmp_path / "outer.tar")
    assert str(error.value) == (
        f"{tmp_path}/outer.tar: cat.tar is packed (.{kind}) and in another tar, where it is not"
        " read. Unpack both, and give the folder; or write the outer one with tars that are not"
        " packed."
    )


@pytest.mark.parametrize("suffix", [".tar.gz", ".TGZ", ".tar.zst"])
def test_a_packed_tar_in_a_tar_is_known_by_its_name(tmp_path: Path, suffix: str) -> None:
    """Readers of images would pass over it, and its class with it."""
    (tmp_path / "dog.tar").write_bytes(_tar("w"))
    (tmp_path / "cat").write_bytes(_tar("w:gz"))
    with tarfile.open(tmp_path / "outer.tar", "w") as archive:
        archive.add(tmp_path / "dog.tar", "dog.tar")
        archive.add(tmp_path / "cat", f"cat{suffix}")
    said = rf"outer\.tar: cat{suffix} is packed \({suffix.lower()}\) and in another tar"
    with pytest.raises(DataError, match=said):
        check_tar(tmp_path / "outer.tar")
    with tarfile.open(tmp_path / "inner.tar", "w") as archive:
        archive.add(tmp_path / "cat", f"cat{suffix}")
    with tarfile.open(tmp_path / "outer.tar", "w") as archive:
        archive.add(tmp_path / "inner.tar", "inner.tar")
    with pytest.raises(DataError, match=rf"inner\.tar: cat{suffix} is packed"):
        check_tar(tmp_path / "outer.tar")


@pytest.mark.parametrize("name", ["dog.tar.md5", "dog.tar.idx", "dog.tar.json", "dog.tar.png"])
def test_what_is_said_of_a_tar_beside_it_is_no_packed_tar(tmp_path: Path, name: str) -> None:
    (tmp_path / "dog.tar").write_bytes(_tar("w"))
    (tmp_path / name).write_text("of the tar")
    for place, held in (("one.tar", (name, "dog.tar")), ("inner.tar", (name,))):
        with tarfile.open(tmp_path / place, "w") as archive:
            for each in held:
                archive.add(tmp_path / each, each)
        check_tar(tmp_path / place)
    with tarfile.open(tmp_path / "outer.tar", "w") as archive:
        archive.add(tmp_path / "inner.tar", "inner.tar")
    check_tar(tmp_path / "outer.tar")


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
@pytest.mark.parametrize("format", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
def test_what_python_writes_is_whole(tmp_path: Path, mode: str, format: int) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(_tar(mode, format))
    found = [(member.name, read_member(file, "")) for member, file in tar_members(path)]
    assert found == [(f"{each}.xml", bytes([each + 1]) * 300) for each in range(COUNT)]


@pytest.mark.parametrize("format", ["gnu", "oldgnu", "pax", "ustar", "v7"])
@pytest.mark.parametrize("blocks", ["1", "20"])
def test_what_gnu_tar_and_webdataset_write_is_whole(
    tmp_path: Path, format: str, blocks: str
) -> None:
    long = "x" * (90 if format in ("ustar", "v7") else 200)
    (tmp_path / f"{long}.xml").write_text("a")
    (tmp_path / "ä.xml").write_text("")
    tar = ["tar", f"--format={format}", "-b", blocks, "-cf", "a.tar", f"{long}.xml", "ä.xml"]
    subprocess.run(tar, cwd=tmp_path, check=True)
    assert [m.name for m, _ in tar_members(tmp_path / "a.tar")] == [f"{long}.xml", "ä.xml"]
    with webdataset.TarWriter(str(tmp_path / "w.tar")) as writer:
        writer.write({"__key__": "one", "txt": "a"})
    assert [m.name for m, _ in tar_members(tmp_path / "w.tar")] == ["one.txt"]


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_long_headers_are_refused_before_they_are_read(tmp_path: Path, kind: bytes) -> None:
    member = tarfile.TarInfo("x")
    member.type, member.size = kind, LONGEST_HEADER + 1
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(member.tobuf(tarfile.GNU_FORMAT) + bytes(member.size)))
    with pytest.raises(DataError, match="a header of 1,048,577 bytes; 1,048,576 are the most"):
        list(tar_members(path))


def _header(kind: bytes, content: bytes) -> bytes:
    member = tarfile.TarInfo("h")
    member.type, member.size = kind, len(content)
    return member.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % 512)


def _file(content: bytes = b"") -> bytes:
    return _header(tarfile.REGTYPE, content)


END = bytes(1024)
LONG_NAME = _header(tarfile.GNUTYPE_LONGNAME, b"a.png\0")
#: What Python's reader follows without end: the archive, and what is said of it.
ENDLESS: dict[str, tuple[bytes, str]] = {
    "headers": (LONG_NAME * 5000 + _file() + END, "more than 8 headers of one member"),
    "old sparse map": (
        _header(tarfile.GNUTYPE_SPARSE, b"") + (bytes(504) + b"\1" * 8) * 5000,
        "with holes .GNU sparse.; write the archive without the option sparse",
    ),
    "sparse map of attributes": (
        _header(tarfile.XHDTYPE, b"35 GNU.sparse.map=0,0,9999999999,0\n") + _file() + END,
        "with holes",
    ),
    "digits": (
        _header(tarfile.XHDTYPE, b"9" * 500_000) + _file() + END,
        "more than 255 digits in a row",
    ),
    "a number": (
        _header(tarfile.XHDTYPE, b"113 size=%s\n" % (b"9" * 103)) + _file() + END,
        "a number of more than 100 digits",
    ),
    "attributes": (
        _header(tarfile.XHDTYPE, b"5 a=\n" * 150_000) + _file() + END,
        "a damaged header of attributes",
    ),
    "attributes of all": (
        b"".join(_header(tarfile.XGLTYPE, b"7 %03d=\n" % each) + _file() for each in range(200))
        + END,
        "a damaged header at byte",
    ),
    "a negative size": (
        _header(tarfile.XHDTYPE, b"11 size=-1\n") + _file() + END,
        "a damaged header|a size of -1",
    ),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_what_python_reads_without_end_is_refused(tmp_path: Path, what: str) -> None:
    content, said = ENDLESS[what]
    for name, written in (("a.tar", content), ("b.tar", gzip.compress(content))):
        (tmp_path / name).write_bytes(written)
        with pytest.raises(DataError, match=said):
            check_tar(tmp_path / name)


@pytest.mark.parametrize("format", ["gnu", "pax"])
def test_members_with_holes_are_refused(tmp_path: Path, format: str) -> None:
    with (tmp_path / "a.png").open("wb") as file:
        file.truncate(10 << 20)
        file.write(b"x")
    tar = ["tar", "--sparse", f"--format={format}", "-cf", "a.tar", "a.png"]
    subprocess.run(tar, cwd=tmp_path, check=True)
    assert (tmp_path / "a.tar").stat().st_size < 100_000
    with pytest.raises(DataError, match=r"a member is stored with holes .GNU sparse."):
        check_tar(tmp_path / "a.tar")


def test_what_unpacks_without_measure_is_refused(tmp_path: Path) -> None:
    """A packed archive that says, and one that has, far more than its size."""
    member = tarfile.TarInfo("a.png")
    member.size = 10**12
    said = gzip.compress(member.tobuf() + bytes(100))
    zeros = bytes(100 << 20)
    for content in (said, bz2.compress(_file(zeros) + END), bz2.compress(END + zeros)):
        (tmp_path / "a.tar").write_bytes(content)
        with pytest.raises(DataError, match=r"it unpacks to .* bytes or more; 67,.* are the most"):
            check_tar(tmp_path / "a.tar")


def test_links_to_images_are_refused(tmp_path: Path) -> None:
    """Readers of images pass over them: GNU tar writes the second of two hard links as one."""
    (tmp_path / "a.png").write_bytes(b"x")
    (tmp_path / "b.png").hardlink_to(tmp_path / "a.png")
    subprocess.run(["tar", "-cf", "a.tar", "a.png", "b.png"], cwd=tmp_path, check=True)
    check_tar(tmp_path / "a.tar")
    with pytest.raises(DataError, match=r"a\.tar: b\.png is a link to a\.png\. Write"):
        check_tar(tmp_path / "a.tar", [".png"])


def test_names_and_remarks_may_have_many_digits(tmp_path: Path) -> None:
    """A name of 255 bytes is the longest that a disk has; numbers alone are shorter."""
    path, long = tmp_path / "a.tar", "7" * 251 + ".png"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo(f"cat/{long}")
        member.pax_headers = {"comment": "1" * 200, "mtime": "1700000000.123456789"}
        archive.addfile(member)
    assert [member.name for member, _ in tar_members(path)] == [f"cat/{long}"]


def test_a_path_that_no_disk_has_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(tarfile.TarInfo("a/" * 3000 + "x.png"))
    with pytest.raises(DataError, match=r"a name of 6,005 characters at byte"):
        check_tar(path)
