"""Files that a URL names, through fsspec: whatever its file systems raise is one line of ours,
without credentials and the query that holds a signature."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NoReturn

from graphzsl.common.errors import DataError, GraphZSLError
from graphzsl.common.extras import missing, require
from graphzsl.common.urls import hide_credentials, without_credentials

_EXPECTED = "Expected text (also .gz, .bz2, .xz) or a MediaWiki dump (.xml.bz2)."
#: HTTP status -> what to do about it.
_REMEDIES = {
    401: "The server wants a name and a password, or a token.",
    403: "The server does not allow it: a signed URL may have run out; get a new one.",
    404: "There is no such file.",
    410: "The file is there no longer.",
    429: "The server has had too many requests; try again later.",
}
#: Letters of a library's message.
_LONGEST = 300


def is_url(source: str) -> bool:
    """True if fsspec opens the source, and not the operating system."""
    return "://" in source


def open_url(source: str) -> BinaryIO:
    """Open a URL as a file of bytes that can be read from any place.

    Raises:
        DataError: it cannot be opened.
        OSError: of the file, when a later read fails; its message is fit to be shown.
    """
    with _file_system(source) as (system, path):
        return io.BufferedReader(_Remote(system.open(path, "rb"), source), 1 << 16)


def url_state(source: str) -> tuple[int, str]:
    """(bytes of the file that a URL names, a text that changes when the file does).

    Raises:
        DataError: it cannot be opened, or its server does not say how large it is.
        MissingExtra: fsspec is not installed, or what it needs for such a URL.
    """
    with _file_system(source) as (system, path):
        size, state = system.size(path), system.ukey(path)
    if size is None:
        raise DataError(
            f"{without_credentials(source)}: its server does not say how large it is, so that it"
            " cannot be read in parts. Fetch it, and give the file."
        )
    return int(size), f"{size} {state}"


def url_exists(source: str) -> bool:
    """True if the URL names a file or folder that exists."""
    with _file_system(source) as (system, path):
        return bool(system.exists(path))


class _Remote(io.RawIOBase):
    """A file of another machine, whose errors are OSErrors with a message of one line."""

    def __init__(self, file: Any, source: str):
        self._file, self._source = file, source

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def tell(self) -> int:
        return int(self._file.tell())

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        try:
            return int(self._file.seek(place, whence))
        except Exception as error:  # noqa: BLE001 - see _refuse
            self._refuse(error)

    def readinto(self, buffer: Any) -> int:
        try:
            block = self._file.read(len(buffer))
        except Exception as error:  # noqa: BLE001 - see _refuse
            self._refuse(error)
        buffer[: len(block)] = block
        return len(block)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()

    def _refuse(self, error: Exception) -> NoReturn:
        """Every file system has errors of its own, aiohttp's, botocore's, paramiko's, …, which have
        nothing in common and may not be installed; the block calls nothing but the file system."""
        raise OSError(_said(error, self._source)) from None


@contextmanager
def _file_system(source: str) -> Iterator[tuple[Any, Any]]:
    """(file system, path in it) of a URL; DataError where the block cannot use it."""
    require("fsspec")
    import fsspec

    try:
        yield fsspec.core.url_to_fs(source)
    except GraphZSLError:
        raise
    except ModuleNotFoundError as error:
        raise missing(error) from None
    except Exception as error:  # noqa: BLE001 - see _Remote._refuse
        said = f"{_said(error, source)}. {_remedy(_answer(error))}"
        raise DataError(f"{without_credentials(source)} cannot be opened: {said}") from None


def _answer(error: BaseException) -> BaseException:
    """fsspec calls whatever a server answers a file that is not there; the answer is the cause."""
    return (error.__cause__ or error) if isinstance(error, FileNotFoundError) else error


def _status(error: BaseException) -> int | None:
    """The HTTP status of an error, of those that say that something went wrong."""
    status = getattr(error, "status", None)
    return status if isinstance(status, int) and status >= 400 else None


def _remedy(error: BaseException) -> str:
    if (status := _status(error)) is not None:
        said = "The server has a fault; try again later." if status >= 500 else _EXPECTED
        return _REMEDIES.get(status, said)
    is_local = isinstance(error, FileNotFoundError | ValueError)
    return _EXPECTED if is_local else "Check the URL and the network, or try again later."


def _said(error: BaseException, source: str) -> str:
    """Message of an error in one line, without credentials."""
    error = _answer(error)
    if (status := _status(error)) is not None:
        text = f"HTTP {status} {getattr(error, 'message', '')}".rstrip()
    else:
        text = next(iter(str(error).strip().splitlines()), "") or _wordless(error)
    return hide_credentials(text, source).rstrip(".")[:_LONGEST]


def _wordless(error: BaseException) -> str:
    """The name of an error that says nothing."""
    return "the time is over" if isinstance(error, TimeoutError) else type(error).__name__
