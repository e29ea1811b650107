"""An archive of the classes that Neo4j loads: with it a start of the server takes half the time.

Half of a start is reading 17,500 classes out of 214 jars. Java can keep them as it holds them in
memory, in one file that is mapped when it starts (class data sharing, JEP 310).
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from filelock import FileLock

from graphzsl.common.atomic import atomic_write
from graphzsl.common.errors import ServerError
from graphzsl.common.progress import log
from graphzsl.common.settings import Settings
from graphzsl.database.launch import (
    archive_options,
    class_archive,
    clean_environment,
    find_classpath,
    find_java,
)
from graphzsl.database.schema import create_later_indexes, create_schema
from graphzsl.database.server import LocalServer

#: Java does not read longer lines of its own list.
_LONGEST_LINE = 4095


def make_class_archive(settings: Settings) -> Path:
    """The archive for the Java in use, made where there is none that it takes (150 MB, half a
    minute).

    A server of its own is started for it, in an empty folder, and stopped again. ServerError when
    Java cannot write it.
    """
    if settings.neo4j_home:
        raise ServerError(
            f"An archive is made of the Neo4j that graphzsl fetches, and {settings.neo4j_home} is"
            " used. Unset NEO4J_HOME."
        )
    java, classpath = find_java(settings), find_classpath(settings)
    archive = class_archive(settings)
    if archive.exists() and fits(java, classpath, archive):
        return archive
    with FileLock(archive.with_suffix(".lock")):
        if archive.exists() and fits(java, classpath, archive):
            return archive
        archive.unlink(missing_ok=True)
        log("Making an archive of Neo4j's classes: half a minute …")
        with tempfile.TemporaryDirectory() as folder, atomic_write(archive) as partial:
            classes = _loaded_classes(settings, Path(folder))
            partial.unlink()  # Java replaces no file that is there
            _java(
                java,
                "-Xshare:dump",
                "-XX:+UseG1GC",
                f"-XX:SharedClassListFile={classes}",
                f"-XX:SharedArchiveFile={partial}",
                "-cp",
                classpath,
            )
    return archive


def _loaded_classes(settings: Settings, folder: Path) -> Path:
    """Write a file that names the classes a server loads until it has answered its first
    queries."""
    found, classes = folder / "loaded", folder / "classes"
    options = f"{settings.java_options} {shlex.quote(f'-XX:DumpLoadedClassList={found}')}"
    own = replace(settings, home=folder / "home", java_options=options)
    server = LocalServer(own, announce=False)
    try:
        with server.open(server.start()) as database:
            create_schema(database)
            create_later_indexes(database)
    finally:
        server.stop()
    lines = found.read_text(encoding="utf-8").splitlines(keepends=True)
    classes.write_text("".join(line for line in lines if len(line) <= _LONGEST_LINE), "utf-8")
    return classes


def fits(java: Path, classpath: str, archive: Path) -> bool:
    """True if the archive is intact and this Java accepts it with these jars."""
    try:
        _java(java, "-Xshare:on", *archive_options(archive), "-cp", classpath, "-version")
    except ServerError:
        return False
    return True


def _java(*arguments: str | Path) -> None:
    environment = clean_environment()
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines() or ["it said nothing"]
        raise ServerError(f"Java made no use of an archive of Neo4j's classes: {said[-1]}")
