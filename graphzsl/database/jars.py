"""Neo4j itself: fetched once from Maven coordinates, every jar pinned by its SHA-256."""

from __future__ import annotations

import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from filelock import FileLock

from graphzsl.errors import ServerError
from graphzsl.files import sha256
from graphzsl.progress import progress
from graphzsl.settings import Settings

NEO4J_VERSION = "5.26.30"
_THREADS = 8


@dataclass(frozen=True)
class Jar:
    """One line of the lock file."""

    sha256: str
    group: str
    artifact: str
    version: str
    classifier: str

    @property
    def filename(self) -> str:
        return (
            f"{self.artifact}-{self.version}{'-' + self.classifier if self.classifier else ''}.jar"
        )


def locked_jars() -> list[Jar]:
    """The pinned jars, in the order of the lock file."""
    text = (files("graphzsl.database") / f"neo4j-{NEO4J_VERSION}.lock").read_text()
    jars = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            digest, coordinates = line.split()
            group, artifact, version, *classifier = coordinates.split(":")
            jars.append(Jar(digest, group, artifact, version, "".join(classifier)))
    return jars


def jar_folder(settings: Settings) -> Path:
    """Where the fetched jars are kept: shared by all local servers of this user."""
    return settings.cache / f"neo4j-{NEO4J_VERSION}" / "lib"


def ensure_jars(settings: Settings) -> Path:
    """The folder with every pinned jar, fetching what is missing or damaged (about 137 MB the first
    time).

    Raises ServerError when a jar cannot be fetched or does not have its pinned checksum.
    """
    folder = jar_folder(settings)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ServerError(
            f"{folder} cannot hold the fetched Neo4j ({error}). Set GRAPHZSL_CACHE."
        ) from error
    with FileLock(folder.parent / "fetch.lock"), ThreadPoolExecutor(_THREADS) as pool:
        jars = locked_jars()
        intact = pool.map(lambda jar: _is_intact(folder / jar.filename, jar), jars)
        missing = [jar for jar, ok in zip(jars, intact, strict=True) if not ok]
        if missing:
            _fetch(missing, folder, settings, pool)
        for stray in {path.name for path in folder.glob("*.jar")} - {jar.filename for jar in jars}:
            (folder / stray).unlink()
    return folder


def _is_intact(path: Path, jar: Jar) -> bool:
    return path.exists() and sha256(path) == jar.sha256


def _fetch(jars: list[Jar], folder: Path, settings: Settings, pool: ThreadPoolExecutor) -> None:
    from jgo.maven import MavenContext

    repositories = (
        {"mirror": settings.maven_repository.rstrip("/")} if settings.maven_repository else None
    )
    local = [path for path in [Path.home() / ".m2" / "repository"] if path.is_dir()]
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".fetch-") as scratch:
        context = MavenContext(
            repo_cache=Path(scratch), local_repos=local, remote_repos=repositories, timeout=30
        )

        def fetch(jar: Jar) -> None:
            artifact = (
                context.project(jar.group, jar.artifact)
                .at_version(jar.version)
                .artifact(jar.classifier)
            )
            try:
                found = artifact.resolve()
            except Exception as error:
                raise ServerError(
                    f"Could not fetch {jar.group}:{jar.artifact}:{jar.version}, a part of Neo4j"
                    f" {NEO4J_VERSION}, from {settings.maven_repository or 'Maven Central'}:"
                    f" {_short(error)}. Check the network (the first start needs it once), set"
                    " GRAPHZSL_MAVEN_REPOSITORY to a mirror, set NEO4J_HOME to an unpacked Neo4j"
                    " 5.26, or set NEO4J_URI to a running server."
                ) from error
            if sha256(found) != jar.sha256:
                raise ServerError(
                    f"{jar.filename} is corrupted: its SHA-256 is {sha256(found)[:12]}…, pinned is"
                    f" {jar.sha256[:12]}…. Nothing of it was kept. It came from"
                    f" {_origin(found, local, settings)}: repair or remove it there, then run the"
                    " command again."
                )
            partial = folder / f".{jar.filename}.part"
            shutil.copyfile(found, partial)
            os.replace(partial, folder / jar.filename)

        for _ in progress(
            pool.map(fetch, jars), f"fetching Neo4j {NEO4J_VERSION}", total=len(jars)
        ):
            pass


def _origin(found: Path, local: list[Path], settings: Settings) -> str:
    for folder in local:
        if found.is_relative_to(folder):
            return str(found)
    return settings.maven_repository or "Maven Central"


def _short(error: BaseException) -> str:
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    return text if len(text) < 200 else text[:200] + "…"
