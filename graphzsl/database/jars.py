"""Neo4j itself: fetched once from Maven coordinates, every jar pinned by its SHA-256."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from filelock import FileLock

from graphzsl.common.errors import ServerError
from graphzsl.common.maven import Jar, Purpose, fetch, missing
from graphzsl.common.settings import Settings

NEO4J_VERSION = "5.26.30"
_NEO4J = Purpose(
    f"Neo4j {NEO4J_VERSION}",
    "Check the network (the first start needs it once), set GRAPHZSL_MAVEN_REPOSITORY to a mirror,"
    " set NEO4J_HOME to an unpacked Neo4j 5.26, or set NEO4J_URI to a running server.",
    ServerError,
)


def locked_jars() -> list[Jar]:
    """The pinned jars, in the order of the lock file."""
    return read_lock((files("graphzsl.database") / f"neo4j-{NEO4J_VERSION}.lock").read_text())


def read_lock(text: str) -> list[Jar]:
    """The jars of a lock file: a line for each, its SHA-256 and its coordinates."""
    jars = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            digest, coordinates = line.split()
            group, artifact, version, *classifier = coordinates.split(":")
            jars.append(Jar(digest, group, artifact, version, "".join(classifier)))
    return jars


def jar_folder(settings: Settings) -> Path:
    """Folder of the fetched jars: shared by all local servers of this user."""
    return settings.cache / f"neo4j-{NEO4J_VERSION}" / "lib"


def is_browser(name: str) -> bool:
    """True if a jar of that name holds Neo4j Browser's pages and nothing else."""
    return name.startswith("neo4j-browser-")


def browser_jar(settings: Settings) -> Path | None:
    """The jar with Neo4j Browser's pages, of the fetched Neo4j or of NEO4J_HOME; None where there
    is none, or more than one."""
    folder = settings.neo4j_home / "lib" if settings.neo4j_home else jar_folder(settings)
    found = [path for path in folder.glob("*.jar") if is_browser(path.name)]
    return found[0] if len(found) == 1 else None


def ensure_jars(settings: Settings) -> Path:
    """The folder with every pinned jar, fetching what is missing or damaged (about 137 MB the first
    time).

    Raises ServerError when a jar cannot be fetched or does not have its pinned checksum.
    """
    folder, jars = jar_folder(settings), locked_jars()
    if not missing(jars, folder):  # a shared cache may not be written to
        return folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.parent / "fetch.lock"):
            fetch(jars, folder, settings, _NEO4J)
    except OSError as error:
        raise ServerError(
            f"{folder} cannot hold the fetched Neo4j ({error}). Set GRAPHZSL_CACHE."
        ) from error
    return folder
