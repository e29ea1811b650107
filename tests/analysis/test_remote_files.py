"""Texts of a server that refuses, stalls or hangs up: one clear line, without what is secret."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from click.testing import CliRunner

from graphzsl.analysis.words.texts import Text, find_text, sha256_of
from graphzsl.cli import main
from graphzsl.common import DataError

CONTENT = b"a hot dog and geese\n" * 20_000
QUERY = "X-Amz-Signature=SECRET"


class _Handler(http.server.BaseHTTPRequestHandler):
    """``/403.txt`` is answered by that status; ``cut`` by the first bytes of the text, ``close`` by
    nothing, ``stall`` never, ``unsized`` without a size; all others by the text."""

    protocol_version = "HTTP/1.1"
    ended = threading.Event()

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""

    def do_HEAD(self) -> None:
        self._answer(b"")

    def do_GET(self) -> None:
        self._answer(CONTENT)

    def _answer(self, content: bytes) -> None:
        kind = Path(self.path.partition("?")[0]).name.partition(".")[0]
        if kind.isdigit():
            self.send_error(int(kind))
        elif kind == "stall":
            self.ended.wait(30)
        elif kind == "close":
            self.connection.shutdown(socket.SHUT_RDWR)
        elif kind == "unsized":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            if content:
                self.wfile.write(b"5\r\na dog\r\n0\r\n\r\n")
            return
        else:
            self._send(content[:1000] if kind == "cut" else content)
            if kind != "cut":
                return
        self.close_connection = True

    def _send(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    _Handler.ended.set()
    server.shutdown()
    server.server_close()


def _url(host: str, name: str) -> str:
    return f"http://user:PASSWORD@{host}/{name}?{QUERY}"


def _read(url: str) -> bytes:
    return b"".join(chunk[0].encode() for chunk in find_text(url).chunks())


def test_a_text_of_a_server_is_that_text(host: str) -> None:
    assert _read(_url(host, "a.txt")) == CONTENT
    found = find_text(_url(host, "a.txt"))
    assert (found.name, found.size) == ("a.txt", len(CONTENT))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("401.txt", r"cannot be opened: HTTP 401 Unauthorized\. The server wants a name"),
        ("403.txt", r"cannot be opened: HTTP 403 Forbidden\. .* a signed URL may have run out"),
        ("404.txt", r"cannot be opened: HTTP 404 Not Found\. There is no such file\."),
        ("500.txt", r"cannot be opened: HTTP 500 Internal Server Error\. .* try again later\."),
        ("close.txt", r"cannot be opened: Server disconnected\. Check the URL and the network"),
        ("cut.txt", r"the text cannot be read \(Response payload is not completed"),
        ("cut.txt.gz", r"the text cannot be read \(.*(gzip|completed)"),
        ("cut.xml", r"not a MediaWiki dump, or cut short .* is not completed"),
        ("unsized.txt", r"its server does not say how large it is.* Fetch it"),
    ],
)
def test_what_a_server_does_is_one_line_without_secrets(host: str, name: str, said: str) -> None:
    with pytest.raises(DataError, match=rf"^http://{host}/{name}.*{said}") as error:
        _read(_url(host, name))
    _check_line(str(error.value))


def test_nothing_listens_or_no_host_is_called_so() -> None:
    for place in ("127.0.0.1:1", "nobody.invalid"):
        with pytest.raises(DataError, match=rf"^http://{place}/a\.txt cannot be opened") as error:
            _read(_url(place, "a.txt"))
        _check_line(str(error.value))


def test_a_server_that_never_answers(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import aiohttp

    patience = {"client_kwargs": {"timeout": aiohttp.ClientTimeout(total=0.5)}}
    monkeypatch.setitem(fsspec.config.conf, "http", patience)
    with pytest.raises(DataError, match=r"stall\.txt cannot be opened: .* Check the URL") as error:
        _read(_url(host, "stall.txt"))
    _check_line(str(error.value))


def test_checksums_and_commands_say_the_same(host: str, tmp_path: Path) -> None:
    size = len(CONTENT)
    with pytest.raises(DataError, match=r"cut\.txt cannot be read: Response payload") as error:
        sha256_of(Text(_url(host, "cut.txt"), size, "1"))
    _check_line(str(error.value))
    out = tmp_path / "counts.csv"
    command = ["study", "frequencies", "count", _url(host, "403.txt"), "--out", str(out)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1
    assert "HTTP 403 Forbidden" in done.output
    _check_line(done.output.strip())
    assert not out.exists()


def _check_line(said: str) -> None:
    assert "\n" not in said
    assert len(said) < 500
    assert "SECRET" not in said
    assert "PASSWORD" not in said
    assert "Traceback" not in said
