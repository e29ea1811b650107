"""The tests on another Neo4j than the one that is shipped, with Cypher 25 as its language:
``GRAPHZSL_TEST_NEO4J=2026.08.1 make test``.

Its jars are fetched as those of the package are, pinned by ``tests/neo4j/neo4j-VERSION.lock``: what
``mvn dependency:copy-dependencies`` resolves for org.neo4j:neo4j, org.neo4j.app:neo4j-server and
org.neo4j.client:neo4j-browser, each with its SHA-256.
"""

from __future__ import annotations

import os
from pathlib import Path

from filelock import FileLock

from graphzsl.common import Settings
from graphzsl.common.errors import ServerError
from graphzsl.common.maven import Purpose, fetch
from graphzsl.database import launch, server
from graphzsl.database.jars import read_lock
from tests.neo4j.default_language.sitecustomize import change

VERSION = os.environ.get("GRAPHZSL_TEST_NEO4J", "")
LOCKS = Path(__file__).parent / "neo4j"
#: What every Python process imports first where this is on PYTHONPATH.
LANGUAGE = LOCKS / "default_language"


def use_another_neo4j() -> None:
    """Make every server of the tests one of the version that the variable names, with Cypher 25 as
    its language: also those that commands start as processes of their own."""
    if not VERSION:
        return
    os.environ["NEO4J_HOME"] = str(_unpacked(VERSION))
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(LANGUAGE), *filter(None, [before])])
    change(launch)
    server.configuration = launch.configuration  # imported under that name before the change


def _unpacked(version: str) -> Path:
    """A folder such as NEO4J_HOME names; made the first time (about 170 MB)."""
    lock = LOCKS / f"neo4j-{version}.lock"
    known = sorted(path.stem.removeprefix("neo4j-") for path in LOCKS.glob("*.lock"))
    if not lock.exists():
        raise SystemExit(f"GRAPHZSL_TEST_NEO4J is one of {', '.join(known)}, not {version}.")
    home = Settings().cache / f"neo4j-{version}"
    (home / "lib").mkdir(parents=True, exist_ok=True)
    purpose = Purpose(f"Neo4j {version}", "Unset GRAPHZSL_TEST_NEO4J.", ServerError)
    with FileLock(home / "fetch.lock"):
        fetch(read_lock(lock.read_text(encoding="utf-8")), home / "lib", Settings(), purpose)
    return home
