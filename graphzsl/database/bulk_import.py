"""WordNet into an empty local database by Neo4j's own importer: the graph that the driver makes, in
six tenths of its time.

The importer works on the files of a database whose server is down. It gets a copy of the data
folder, which takes the place of the data when all is in it: a load that is killed before leaves the
database as it was, empty. One that is killed afterwards, while indexes are built, leaves WordNet
marked as incomplete, and the next load completes it.
"""

from __future__ import annotations

import csv
import errno
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from graphzsl.common.errors import DatabaseError, ServerError
from graphzsl.common.progress import log, progress_bar, step
from graphzsl.common.settings import Settings
from graphzsl.database import ingest
from graphzsl.database.client import Database
from graphzsl.database.connect import connect
from graphzsl.database.home import LOADING
from graphzsl.database.launch import (
    admin_tool,
    environment,
    find_classpath,
    find_java,
    shared_classes,
)
from graphzsl.database.library import query
from graphzsl.database.processes import worker_argument
from graphzsl.database.schema import create_schema, schema_statements
from graphzsl.database.server import LocalServer
from graphzsl.database.server_log import full_disk
from graphzsl.database.sources import source_step
from graphzsl.sources.wordnet import WordNet

#: Between the items of a list: in no text of WordNet.
_SEPARATOR = "\x1f"
#: Beside the Java heap; the importer's own default is most of the machine's free memory.
_OFF_HEAP = "256M"
#: Every so many seconds the disk is looked at while the importer runs; with fewer bytes free it is
#: full, and an importer is given up that many times later.
_LOOK, _LEAST, _PATIENCE = 1.0, 64 << 10, 5


def load_wordnet(settings: Settings, wordnet: WordNet, force: bool = False) -> bool:
    """Load WordNet 3.0 into the database of the settings: with Neo4j's importer where that is
    graphzsl's own server and holds nothing, else through the driver.

    The graph is the same. False where this WordNet is already there and ``force`` is not given;
    errors as in ``ingest.load_wordnet``, and ServerError when the importer fails.
    """
    with alone(settings):
        if settings.local and _is_blank(settings) and _import(settings, wordnet):
            return True
        with connect(settings) as database:
            return ingest.load_wordnet(database, wordnet, force)


@contextmanager
def alone(settings: Settings) -> Iterator[None]:
    """Keep other loads out of this home: a second one waits, and then finds WordNet loaded. Blocks
    of one process may be nested."""
    if not settings.local:
        yield
        return
    home = LocalServer(settings).home
    home.mkdir(parents=True, exist_ok=True)
    lock = FileLock(home / LOADING, is_singleton=True)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        log("Another command loads WordNet into this database: waiting for it …")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _is_blank(settings: Settings) -> bool:
    """True if the database seems empty, so that an import is worth a try; the check that decides is
    made under the server's lock."""
    if LocalServer(settings).is_new():
        return True
    try:
        with connect(settings) as database:
            return _holds_nothing(database)
    except DatabaseError:
        return True  # `db stop` may have come between


def _holds_nothing(database: Database) -> bool:
    """True if the database has no node, and no index but graphzsl's own."""
    own = {statement.name for statement in schema_statements()}
    indexes = {row["name"] for row in database.rows(query("index_names"))}
    return not database.rows(query("any_node")) and indexes <= own


def _import(settings: Settings, wordnet: WordNet) -> bool:
    """False, and nothing done, where the database is no longer empty or cannot change places."""
    rows = {}
    with ingest.uncollected():
        for label, _, _, each in ingest.wordnet_steps(wordnet):
            total = len(each) if isinstance(each, Sequence) else None
            rows[label] = list(progress_bar(each, f"reading {label}", total))
    server = LocalServer(settings)
    with server.offline(_holds_nothing) as data:
        if data is None:
            return False
        scratch = data / "import"
        scratch.mkdir()
        with ingest.uncollected():
            tables = _write(rows, ingest.wordnet_source(wordnet), scratch)
        with step("importing them with Neo4j's importer"):
            _run(settings, server.home, data, scratch, tables)
        shutil.rmtree(scratch)
    with connect(settings) as database, step("building indexes"):
        create_schema(database)
        ingest.finish_wordnet(database, wordnet, {label: len(rows[label]) for label in rows})
    return True


def _write(rows: dict[str, list[Any]], source: dict[str, Any], folder: Path) -> list[str]:
    """The importer's tables, and the arguments that name them: in the current folder, since it
    divides an argument at its commas. Neo4j 2026 needs a folder in such a path."""
    depth = {row["wnid"]: (row["depth"], row["max_depth"]) for row in rows["depths"]}
    others = {row["text"]: row["other_senses"] for row in rows["other senses"]}
    record = source_step("wordnet", source, "loading")[1]
    properties = {"name": record["source"], **record["properties"]}
    kinds = {name: ":long" if isinstance(value, int) else "" for name, value in properties.items()}
    tables: dict[str, tuple[str, Sequence[str], Iterable[Sequence[Any]]]] = {
        "nodes=Source": (
            "sources",
            [f"{name}{kind}" for name, kind in kinds.items()],
            [list(properties.values())],
        ),
        "nodes=Synset:Concept": (
            "synsets",
            [
                *("wnid:ID(Synset)", "name", "word", "words:string[]", "gloss", "lexname"),
                *("depth:long", "max_depth:long"),
            ],
            (
                [
                    row["wnid"],
                    row["name"],
                    row["words"][0],
                    _SEPARATOR.join(row["words"]),
                    row["gloss"],
                    row["lexname"],
                    *depth[row["wnid"]],
                ]
                for row in rows["synsets"]
            ),
        ),
        "nodes=Word": (
            "words",
            ["text:ID(Word)", "key", "other_senses:long"],
            ([text, text.lower(), others.get(text)] for text in rows["words"]),
        ),
        **{
            f"relationships={kind}": (
                kind.lower(),
                [":START_ID(Synset)", ":END_ID(Synset)"],
                ([row["child"], row["parent"]] for row in rows[label]),
            )
            for kind, label in (
                ("HYPERNYM", "hypernyms"),
                ("INSTANCE_HYPERNYM", "instance hypernyms"),
            )
        },
        "relationships=HAS_LABEL": (
            "labels",
            [
                ":START_ID(Synset)",
                ":END_ID(Word)",
                "rank:long",
                "sense_number:long",
                "sense_count:long",
                "name",
            ],
            (list(row.values()) for row in rows["labels"]),
        ),
    }
    arguments = []
    for argument, (name, header, lines) in tables.items():
        path = folder / f"{name}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(header)
            # texts in quotes, so that an empty one is a text and not the lack of one
            csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerows(lines)
        arguments.append(f"--{argument}={os.curdir}{os.sep}{path.name}")
    return arguments


def _run(
    settings: Settings, home: Path, data: Path, scratch: Path, arguments: Sequence[str]
) -> None:
    """Run Neo4j's importer; raises ServerError with its message if it fails."""
    lines = {
        "server.directories.data": data.name,
        "server.directories.logs": f"{data.name}/{scratch.name}/logs",
        "db.tx_log.preallocate": "false",
    }
    text = "".join(f"{key}={value}\n" for key, value in lines.items())
    (scratch / "neo4j.conf").write_text(text, encoding="utf-8")
    # only what was found empty is there to be overwritten
    over = ["--overwrite-destination"] if (data / "databases" / "neo4j").exists() else []
    own = shlex.split(settings.java_options)
    # for a process of seconds, better compilation and threads that collect garbage do not pay
    short = ["-XX:TieredStopAtLevel=1"]
    if not any(option.startswith("-XX:+Use") and option.endswith("GC") for option in own):
        short.append("-XX:+UseSerialGC")
    process = subprocess.Popen(
        [
            find_java(settings),
            f"-Xmx{settings.heap}",
            *short,
            *shared_classes(settings),
            *own,
            worker_argument(home),
            *admin_tool(find_classpath(settings)),
            "database",
            "import",
            "full",
            "neo4j",
            *arguments,
            "--verbose",
            *over,
            "--id-type=string",
            f"--array-delimiter=U+{ord(_SEPARATOR):04X}",
            f"--max-off-heap-memory={_OFF_HEAP}",
            "--bad-tolerance=0",
            f"--report-file={os.curdir}{os.sep}report",
        ],
        cwd=scratch,
        env={
            **environment(home),
            "NEO4J_HOME": str(data.parent),
            "NEO4J_CONF": str(scratch),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said = _said(process, data)
    if process.returncode:
        raise ServerError(
            f"Neo4j's importer failed with exit status {process.returncode}, and nothing was"
            f" loaded: {_cause(said, home)}"
        )


def _said(process: subprocess.Popen[str], data: Path) -> list[str]:
    """The lines that the importer wrote, errors first, when it has ended. On a full disk it waits
    for ever for the thread that met it, and is ended."""
    full = 0
    try:
        while True:
            try:
                written, errors = process.communicate(timeout=_LOOK)
            except subprocess.TimeoutExpired:
                full = full + 1 if shutil.disk_usage(data).free < _LEAST else 0
                if full == _PATIENCE:
                    process.kill()
            else:
                ended = [os.strerror(errno.ENOSPC)] if full >= _PATIENCE else []
                return [*ended, *errors.splitlines(), *written.splitlines()]
    except BaseException:  # Ctrl-C
        process.kill()
        process.wait()
        raise


def _cause(said: Sequence[str], home: Path) -> str:
    """The one line of the importer's output that tells why it failed, and the remedy."""
    lines = [line.strip() for line in said]
    if full := full_disk("\n".join(lines), home):
        return full
    if any("OutOfMemoryError" in line for line in lines):
        return "its memory is too small. Set GRAPHZSL_HEAP to 1g."
    causes = [line.rpartition("Exception: ")[2] for line in lines if line.startswith("Caused by:")]
    no_cause = ("at ", "WARNING", "...", "Full exception details", "Please provide this file")
    other = [line for line in lines if line and not line.startswith(no_cause)]
    return next(iter([*causes[-1:], *other]), "it does not say why")
