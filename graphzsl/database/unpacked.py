"""Properties of an unpacked Neo4j in NEO4J_HOME: its main class, the Java that it needs."""

from __future__ import annotations

import re
import zipfile
from functools import cache
from pathlib import Path

from graphzsl.common.errors import ServerError

#: Of Neo4j 5.
ENTRY_POINT = "org.neo4j.server.CommunityEntryPoint"
OLDEST_JAVA = 17
#: The file of a jar that names its server's main class.
_SERVICE = "META-INF/services/org.neo4j.server.startup.EntryPoint"
_MANIFEST = "META-INF/MANIFEST.MF"


def entry_point(home: Path | None) -> str:
    """The main class of the Community server in NEO4J_HOME; without one, that of Neo4j 5."""
    said = _said(home, _SERVICE) if home else ""
    names = [line.partition("#")[0].strip() for line in said.splitlines()]
    return next((name for name in names if name), ENTRY_POINT)


def needed_java(home: Path | None) -> int:
    """The oldest Java that runs the Neo4j in NEO4J_HOME: 17 for Neo4j 5, 21 for 2025 and later."""
    built = re.search(r"^Build-Jdk-Spec: (\d+)", _said(home, _MANIFEST) if home else "", re.M)
    return max(OLDEST_JAVA, int(built[1])) if built else OLDEST_JAVA


@cache
def _said(home: Path, name: str) -> str:
    """A text file in Neo4j's first jar; empty where there is no such jar, or no such file."""
    jars = sorted((home / "lib").glob("neo4j-[0-9]*.jar"))
    if not jars:
        return ""
    try:
        with zipfile.ZipFile(jars[-1]) as jar:
            return jar.read(name).decode()
    except KeyError:
        return ""
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise ServerError(
            f"{jars[-1]} of NEO4J_HOME is damaged ({error}). Unpack that Neo4j again."
        ) from error
