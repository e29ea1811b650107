"""Damage of tars: members of other kinds, names and sizes, headers that say something else,
and headers without end."""

from __future__ import annotations

import io
import tarfile
from dataclasses import dataclass, field

from tests.fuzz.damage.raw import Change, Random, bytes_

_BLOCK = tarfile.BLOCKSIZE
_NAMES = (
    *("x", "x.png", ".png", "dog/.x.png", "../x.png", "/etc/x.png", "a/../../x.png", "x/", "a.cls"),
    *("\u202eabc/x.png", "a\nb/x.png", "__x__", "a.__key__", "a.__url__", "a.png.cls", "é/ä.png"),
    *("\udcff/x.png", "x" * 200 + ".png", "x" * 5000 + ".png", "a/" * 2000 + "x.png", " /x.png"),
    *("inner.tar", "a/inner.tar", "dog/0.png", "a{1,2}.png", "n02084071/x.JPEG", "a.b.c.png"),
)
_KINDS = (b"1", b"2", b"3", b"5", b"6", b"7", b"S", b"x", b"g", b"X", b"L", b"K", b"V", b"Z", b"\0")
#: What a size is written as.
_SIZES = (
    *(b"00000000000\0", b"00000000001\0", b"77777777777\0", b"           \0", b"-0000000001\0"),
    *(b"\x80" + b"\0" * 10 + b"\x05", b"\x80" + b"\xff" * 11, b"\xff" * 12, b"xxxxxxxxxxx\0"),
)
_MANY = ",".join(map(str, range(150_000))).encode()
#: (key, value) of a PAX header.
_RECORDS = (
    *(
        (b"size", b"0"),
        (b"size", b"-1"),
        (b"size", b"9" * 30),
        (b"size", b"x"),
        (b"path", b"x.png"),
    ),
    *((b"path", b""), (b"path", b"\xff/x.png"), (b"path", b"a\0b.png"), (b"path", b"a/" * 100_000)),
    *((b"mtime", b"nan"), (b"mtime", b"1e999"), (b"uid", b"-1"), (b"hdrcharset", b"BINARY")),
    *((b"linkpath", b"/etc/passwd"), (b"GNU.sparse.name", b"/etc/x.png"), (b"k", b"x" * 900_000)),
    *((b"GNU.sparse.map", _MANY), (b"GNU.sparse.map", b"0,1,9,x"), (b"GNU.sparse.map", b"0,1,5")),
    *((b"GNU.sparse.size", b"99999999999999"), (b"GNU.sparse.realsize", b"99999999999999")),
    *((b"GNU.sparse.map", b"0,0,99999999999999,0"), (b"GNU.sparse.size", b"-5")),
)
_SPARSE_1 = ((b"GNU.sparse.major", b"1"), (b"GNU.sparse.minor", b"0"))


@dataclass
class _Member:
    """A member: what stands before its header, the header, and what follows it."""

    name: str
    content: bytes
    kind: bytes = tarfile.REGTYPE
    size: bytes = b""
    before: bytes = b""
    fields: dict[int, bytes] = field(default_factory=dict)

    def written(self, form: int) -> bytes:
        """It, as bytes of whole blocks."""
        info = tarfile.TarInfo(self.name)
        info.size = len(self.content)
        # a name that is too long for a header stands in headers before it
        *headers, header = _blocks(info.tobuf(form, "utf-8", "surrogateescape"))
        fields = {156: self.kind, **({124: self.size} if self.size else {}), **self.fields}
        return self.before + b"".join(headers) + _with(header, fields) + _padded(self.content)


def _blocks(data: bytes) -> list[bytes]:
    return [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)]


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % _BLOCK)


def _with(header: bytes, fields: dict[int, bytes]) -> bytes:
    """A header with other bytes at some places, and the checksum of it."""
    block = bytearray(header)
    for at, value in fields.items():
        block[at : at + len(value)] = value
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def _header(kind: bytes, content: bytes, name: str = "h") -> bytes:
    return _Member(name, content, kind).written(tarfile.USTAR_FORMAT)


def _pax(records: tuple[tuple[bytes, bytes], ...], kind: bytes = tarfile.XHDTYPE) -> bytes:
    lines = []
    for key, value in records:
        rest = b" " + key + b"=" + value + b"\n"
        size = len(rest) + len(str(len(rest)))
        size += len(str(size)) - len(str(len(rest)))
        lines.append(str(size).encode() + rest)
    return _header(kind, b"".join(lines))


def _more_header(member: _Member, rng: Random) -> None:
    """Headers before the member: attributes, sparse maps, long names, once or often."""
    which = rng.randrange(6)
    if which == 0:
        kind = rng.choice((tarfile.XHDTYPE, tarfile.XGLTYPE))
        member.before = _pax((rng.choice(_RECORDS),), kind)
    elif which == 1:
        member.before = _pax(tuple(rng.choices(_RECORDS, k=4)))
    elif which == 2:
        # GNU sparse 1.0: the map stands before the content
        member.before = _pax(_SPARSE_1)
        count = rng.choice((b"1", b"1000000", b"-1", b"99999999999999", b"x"))
        numbers = rng.choice((b"0\n5\n", b"0\n1\n" * 200_000, b"9" * 200_000, b"5\n", b"\0" * 900))
        member.content = count + b"\n" + _padded(numbers)
    elif which == 3:
        # GNU sparse, old: a map in blocks behind the header, each of which says that more follow
        member.kind = tarfile.GNUTYPE_SPARSE
        pair = b"%011o\0" % rng.choice((0, 512, 8**11 - 1))
        member.fields = {386: pair * 8, 482: b"\1", 483: b"%011o\0" % rng.choice((5, 8**11 - 1))}
        chain = (pair * 42 + b"\1").ljust(_BLOCK, b"\0")
        member.content = chain * rng.choice((1, 5000)) + member.content
    elif which == 4:
        kind = rng.choice((tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK))
        member.before = _header(kind, rng.choice((b"a.png\0", b"\0", b"", b"x" * 70_000)))
    else:
        one = rng.choice(
            (
                _header(tarfile.GNUTYPE_LONGNAME, b"a.png\0"),
                _pax(((b"path", b"a.png"),)),
                _pax(((b"k%d" % rng.randrange(9), b"x"),), tarfile.XGLTYPE),
                _header(tarfile.DIRTYPE, b""),
            )
        )
        member.before = one * rng.choice((2, 900, 3000))


def _change_one(members: list[_Member], inside: Change, rng: Random) -> None:
    at = rng.randrange(len(members))
    member, kind = members[at], rng.randrange(10)
    if kind == 0 and len(members) > 1:
        del members[at]
    elif kind == 1:
        members.insert(rng.randrange(len(members) + 1), member)
    elif kind == 2:
        member.name = rng.choice((*_NAMES, rng.choice(members).name))
    elif kind == 3:
        member.kind = rng.choice(_KINDS)
    elif kind == 4:
        member.size = rng.choice(_SIZES)
    elif kind == 5:
        member.content = rng.choice((b"", b"\0" * 10**6, b"\0" * (30 << 20), b"1", b"x" * 700))
    elif kind in (6, 7):
        is_tar = member.name.endswith(".tar")
        member.content = (tar if is_tar and rng.random() < 0.8 else inside)(member.content, rng)
    else:
        _more_header(member, rng)


def _members(data: bytes) -> list[_Member]:
    """The files in it; none where it is damaged already."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            found = ((each, archive.extractfile(each)) for each in archive)
            return [_Member(each.name, file.read()) for each, file in found if file]
    except (tarfile.TarError, OSError, ValueError, EOFError, KeyError, RecursionError):
        return []


def tar_of(inside: Change) -> Change:
    """A tar with other members and headers, or its bytes; ``inside`` changes what members hold."""

    def change(data: bytes, rng: Random) -> bytes:
        if rng.random() < 0.3:
            return bytes_(data, rng)
        members = _members(data)
        if not members:
            return bytes_(data, rng)
        for _ in range(rng.choice((1, 1, 2, 3))):
            _change_one(members, inside, rng)
        form = rng.choice((tarfile.GNU_FORMAT, tarfile.PAX_FORMAT))
        written = b"".join(each.written(form) for each in members)
        return written + bytes(_BLOCK * rng.choice((2, 2, 2, 20, 1, 0)))

    return change


tar = tar_of(bytes_)
