"""The library through clients that are not graphzsl's: every reading query gives a JavaScript
program and the HTTP Query API the rows that the command line gives."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import Settings, load_settings
from graphzsl.database import (
    Database,
    LocalServer,
    Query,
    delete_class_set,
    library,
    load_packaged_frequencies,
    load_relations,
    query,
)
from graphzsl.sources import WordNet, wordnet_folder
from graphzsl.splits.paint import clear_paint, paint

pytestmark = pytest.mark.thorough("other clients of Neo4j")

JAVASCRIPT = Path(__file__).parents[1] / "neo4j" / "javascript"

#: name -> rows, and what the server said.
Answers = dict[str, tuple[list[dict[str, Any]], list[str]]]


@pytest.fixture(scope="module")
def complete(full_database: Database, password: str) -> Iterator[Database]:
    """With all that can be loaded, windows of hops-1, and hops-1 painted."""
    load_packaged_frequencies(full_database, "wordfreq")
    load_relations(full_database, WordNet(wordnet_folder(load_settings())))
    windows = ("split", "windows", "hops-1", "--by", "ratio", "--size", "100", "--store", "ratio")
    _graphzsl(full_database, password, *windows)
    paint(full_database, "hops-1", around="n02121808")
    yield full_database
    clear_paint(full_database)
    for row in full_database.rows(query("class_sets")):
        if row["name"].startswith("ratio-"):
            delete_class_set(full_database, row["name"])
    full_database.write((query("delete_relations"), {}), (query("clear_frequencies"), {}))
    gone = "MATCH (s:Source) WHERE s.kind IN ['frequencies', 'relations'] DELETE s"
    full_database._driver.execute_query(gone, database_="neo4j")


@pytest.fixture(scope="module")
def password(full_settings: Settings) -> str:
    return LocalServer(full_settings).password()


def _graphzsl(database: Database, password: str, *arguments: str) -> str:
    environment = {"NEO4J_URI": database.uri, "NEO4J_PASSWORD": password}
    done = CliRunner(env=environment).invoke(main, [*arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def _asked() -> list[tuple[str, Query, dict[str, Any]]]:
    """Every reading query with each of its examples."""
    return [
        (f"{found.name} {number}", found, values)
        for found in library().values()
        if found.mode == "read"
        for number, values in enumerate([each.values for each in found.examples] or [{}])
    ]


@pytest.fixture(scope="module")
def command_line(complete: Database, password: str) -> dict[str, list[dict[str, Any]]]:
    rows = {}
    for key, found, values in _asked():
        given = [
            f"-p{name}={value if isinstance(value, str) else json.dumps(value)}"
            for name, value in values.items()
        ]
        text = _graphzsl(
            complete, password, "query", "run", found.name, *given, "--format", "jsonl"
        )
        rows[key] = [json.loads(line) for line in text.splitlines()]
    return rows


def _javascript(database: Database, password: str, folder: Path) -> Answers:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        pytest.skip("there is no node and npm here to run the JavaScript driver")
    program = folder / "javascript"
    shutil.copytree(JAVASCRIPT, program)
    subprocess.run([npm, "ci", "--silent"], cwd=program, check=True)
    lines = [
        json.dumps({"name": key, "text": found.text, "parameters": values})
        for key, found, values in _asked()
    ]
    done = subprocess.run(
        [node, "read.mjs", database.uri, database.name],
        cwd=program,
        input="\n".join(lines),
        env={"NEO4J_PASSWORD": password},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = map(json.loads, done.stdout.splitlines())
    return {each["name"]: (each["rows"], each["notifications"]) for each in answers}


def _text(node: dict[str, Any]) -> str:
    named = (node["properties"].get(key) for key in ("wnid", "name", "text"))
    return " ".join(dict.fromkeys(str(each) for each in named if each is not None))


def _plain(value: Any) -> Any:
    """A value of the Query API as the command line writes it: of a path, which is a list of nodes
    and edges in turn, the nodes."""
    if isinstance(value, list):
        if value and isinstance(value[0], dict) and "labels" in value[0]:
            return [_text(each) for each in value[::2]]
        return [_plain(each) for each in value]
    return value


def _query_api(database: Database, password: str, port: int) -> Answers:
    login = base64.b64encode(f"neo4j:{password}".encode()).decode()
    answers: Answers = {}
    for key, found, values in _asked():
        body = {"statement": found.text, "parameters": values, "accessMode": "Read"}
        asked = urllib.request.Request(
            f"http://127.0.0.1:{port}/db/{database.name}/query/v2",
            json.dumps(body).encode(),
            {"Authorization": f"Basic {login}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked) as answer:
            said = json.load(answer)
        fields = said["data"]["fields"]
        rows = [dict(zip(fields, map(_plain, row), strict=True)) for row in said["data"]["values"]]
        answers[key] = rows, [each["code"] for each in said.get("notifications", ())]
    return answers


def _comparable(rows: list[dict[str, Any]], ordered: bool) -> list[str]:
    """Rows as texts, numbers to the six digits that the command line prints."""

    def short(value: Any) -> Any:
        if isinstance(value, bool) or value is None or isinstance(value, str):
            return value
        if isinstance(value, int | float):
            return f"{value:.6g}"
        if isinstance(value, list):
            return [short(each) for each in value]
        return {key: short(each) for key, each in value.items()}

    texts = [json.dumps(short(row), sort_keys=True) for row in rows]
    return texts if ordered else sorted(texts)


@pytest.mark.parametrize("client", ["javascript", "query api"])
def test_every_reading_query_gives_other_clients_the_rows_of_the_command_line(
    complete: Database,
    full_settings: Settings,
    command_line: dict[str, list[dict[str, Any]]],
    password: str,
    tmp_path: Path,
    client: str,
) -> None:
    """Nor does the server remark on any of them where all is loaded."""
    if client == "javascript":
        answers = _javascript(complete, password, tmp_path)
    else:
        state = LocalServer(full_settings).state()
        assert state
        answers = _query_api(complete, password, state.http_port)
    assert answers.keys() == command_line.keys()
    assert sum(len(rows) for rows, _ in answers.values()) > 500_000
    other = [
        key
        for key, found, _ in _asked()
        if _comparable(answers[key][0], bool(found.order))
        != _comparable(command_line[key], bool(found.order))
    ]
    assert other == []
    assert {key: remarks for key, (_, remarks) in answers.items() if remarks} == {}
