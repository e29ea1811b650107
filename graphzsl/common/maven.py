"""Files of Maven coordinates, kept only with their pinned SHA-256."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphzsl.common.errors import GraphZSLError
from graphzsl.common.files import sha256
from graphzsl.common.progress import progress_bar
from graphzsl.common.settings import Settings
from graphzsl.common.urls import hide_credentials, without_credentials

if TYPE_CHECKING:
    from requests import Session

_CENTRAL = "https://repo.maven.apache.org/maven2"
_THREADS = 8
_CHUNK = 1 << 20
#: Seconds within which a repository must answer.
_TIMEOUT = 30


@dataclass(frozen=True)
class Jar:
    """A jar by its coordinates, and the only content that is accepted for it."""

    sha256: str
    group: str
    artifact: str
    version: str
    classifier: str = ""

    @property
    def filename(self) -> str:
        """The name of the file in every Maven repository."""
        return (
            f"{self.artifact}-{self.version}{'-' + self.classifier if self.classifier else ''}.jar"
        )

    @property
    def place(self) -> str:
        """The path of the file in every Maven repository."""
        folder = self.group.replace(".", "/")
        return f"{folder}/{self.artifact}/{self.version}/{self.filename}"


@dataclass(frozen=True)
class Purpose:
    """Purpose of fetching jars: its name in messages, what to do without them, and the error to
    raise."""

    name: str
    remedy: str
    error: type[GraphZSLError]


def fetch(jars: Sequence[Jar], folder: Path, settings: Settings, purpose: Purpose) -> None:
    """Put those of the jars into the folder that are not there with their pinned content.

    They come from ``~/.m2/repository``, the ``maven_repository`` setting or Maven Central. Raises
    the purpose's error when one cannot be fetched or has another checksum; nothing of it is kept.
    """
    wanted = missing(jars, folder)
    if wanted:
        with ThreadPoolExecutor(_THREADS) as pool:
            _fetch(wanted, folder, settings, purpose, pool)


def missing(jars: Sequence[Jar], folder: Path) -> list[Jar]:
    """Those of the jars that are not in the folder with their pinned content."""
    with ThreadPoolExecutor(_THREADS) as pool:
        intact = pool.map(lambda jar: _is_intact(folder / jar.filename, jar), jars)
        return [jar for jar, ok in zip(jars, intact, strict=True) if not ok]


def _is_intact(path: Path, jar: Jar) -> bool:
    return path.exists() and sha256(path) == jar.sha256


def _fetch(
    jars: Sequence[Jar],
    folder: Path,
    settings: Settings,
    purpose: Purpose,
    pool: ThreadPoolExecutor,
) -> None:
    local = Path.home() / ".m2" / "repository"
    with scratch_folder(folder) as scratch:
        mine = threading.local()

        def fetch_one(jar: Jar) -> None:
            file = local / jar.place
            try:
                if not file.exists():
                    file = scratch / jar.filename
                    if not hasattr(mine, "session"):
                        mine.session = _session()
                    _download(settings.maven_repository or _CENTRAL, jar, file, mine.session)
            except Exception as error:
                raise purpose.error(
                    f"Could not fetch {jar.group}:{jar.artifact}:{jar.version} for {purpose.name}"
                    f" from {_repository(settings)}: {_short(error, settings.maven_repository)}."
                    f" {purpose.remedy}"
                ) from error
            if sha256(file) != jar.sha256:
                origin = file if file == local / jar.place else _repository(settings)
                raise purpose.error(
                    f"{jar.filename} is corrupted: its SHA-256 is {sha256(file)[:12]}…, pinned is"
                    f" {jar.sha256[:12]}…. Nothing of it was kept. It came from {origin}:"
                    " repair or remove it there, then run the command again."
                )
            partial = folder / f".{jar.filename}.part"
            shutil.copyfile(file, partial)
            os.replace(partial, folder / jar.filename)

        for _ in progress_bar(
            pool.map(fetch_one, jars), f"fetching {purpose.name}", total=len(jars)
        ):
            pass


def _download(repository: str, jar: Jar, file: Path, session: Session) -> None:
    address = f"{repository.rstrip('/')}/{jar.place}"
    with session.get(address, stream=True, timeout=_TIMEOUT) as answer, file.open("wb") as out:
        answer.raise_for_status()
        for chunk in answer.iter_content(_CHUNK):
            out.write(chunk)


def _session() -> Session:
    """Keeps its connections, and asks a busy repository again within seconds."""
    from requests import Session
    from requests.adapters import HTTPAdapter
    from urllib3 import Retry

    retry = Retry(
        3,
        connect=0,
        status_forcelist=(429, 502, 503, 504),
        backoff_factor=0.5,
        respect_retry_after_header=False,
    )
    session = Session()
    for scheme in ("https://", "http://"):
        session.mount(scheme, HTTPAdapter(max_retries=retry))
    return session


@contextmanager
def scratch_folder(target: Path) -> Iterator[Path]:
    """A folder beside ``target``, whose lock the caller holds: what killed fetches left of it goes
    first."""
    prefix = f".{target.name}.fetch-"
    for left in target.parent.glob(f"{prefix}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=prefix) as scratch:
        yield Path(scratch)


def _repository(settings: Settings) -> str:
    """Name of the repository in messages."""
    return without_credentials(settings.maven_repository) or "Maven Central"


def _short(error: BaseException, url: str) -> str:
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    text = hide_credentials(text, url)
    return text if len(text) < 200 else text[:200] + "…"
