"""The clients of docs/connect.md, each against the real server: the blocks of connect.md, with the
addresses of the mini server in place of the usual ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from graphzsl.common import Settings
from graphzsl.database import Database, LocalServer
from tests.chromium import chromium
from tests.end_to_end.test_tour import own_environment
from tests.pages import DOCS, DOCUMENT, Block, blocks

pytestmark = DOCUMENT

#: First word of a block of commands -> the programs that it takes.
CLIENTS = {"npm": ("npm", "node"), "java": ("java", "mvn"), "jq": ("jq", "curl")}
#: What npm and Maven say where no registry can be reached.
OFFLINE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "UnknownHost", "Unknown host")
ABOVE = "poodle.n.01 1\ndog.n.01 2\n"
JAVA_DRIVER = "org.neo4j.driver:neo4j-java-driver:5.28.5"
COPY_JARS = "mvn dependency:copy-dependencies -DoutputDirectory=lib"
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>client</groupId><artifactId>client</artifactId><version>1</version><dependencies>
<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>
</dependencies></project>"""


class Page:
    """Files and commands of the page, in a folder of their own."""

    def __init__(self, folder: Path, bolt: str, http: str, environment: dict[str, str]):
        self.folder = folder
        self.bolt = bolt
        self.http = http
        self.environment = environment
        self.text = (DOCS / "connect.md").read_text(encoding="utf-8")
        self.commands: dict[str, Block] = {}
        page = folder / "connect.md"
        here = self.text.replace("bolt://127.0.0.1:7687", bolt)
        page.write_text(here.replace("http://127.0.0.1:7474", http))
        for block in blocks(page):
            if block.mark.startswith("file: "):
                self.write(block.mark.removeprefix("file: "), block.text)
            elif block.language == "bash" and not block.mark:
                self.commands[block.text.split()[0]] = block

    def write(self, name: str, text: str) -> None:
        """Write a file of the folder."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def run(self, script: str, **environment: str) -> tuple[int, str]:
        """(exit status, output) of lines of a shell; skips where no registry can be reached."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.folder,
            env={**self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if any(sign in done.stdout for sign in OFFLINE):
            pytest.skip("no package registry can be reached")
        return done.returncode, done.stdout

    def client(self, name: str) -> Block:
        """The block of a client whose programs are installed, and its driver fetched."""
        for program in CLIENTS[name]:
            if shutil.which(program) is None:
                pytest.skip(f"{program} is not installed")
        block = self.commands[name]
        if name == "npm":
            assert self.run(block.text.splitlines()[0])[0] == 0
        if name == "java":
            assert JAVA_DRIVER in self.text
            assert COPY_JARS in self.text
            self.write("pom.xml", POM.format(*JAVA_DRIVER.split(":")))
            assert self.run(f"{COPY_JARS} --quiet --batch-mode")[0] == 0
        return block


@pytest.fixture
def page(mini_database: Database, mini_settings: Settings, tmp_path: Path) -> Page:
    """The page for who has the mini server."""
    server = LocalServer(mini_settings)
    state = server.state()
    assert state
    environment = {
        **os.environ,
        **own_environment(mini_settings),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "NEO4J_PASSWORD": server.password(),
    }
    return Page(tmp_path, state.bolt_uri, f"http://127.0.0.1:{state.http_port}", environment)


def test_the_commands_in_front_of_the_examples(page: Page) -> None:
    assert page.commands.keys() == {"export", *CLIENTS}
    export = f"{page.commands['export'].text} echo $NEO4J_PASSWORD"
    own = page.environment["NEO4J_PASSWORD"]
    assert page.run(export, NEO4J_PASSWORD="wrong") == (0, f"{own}\n")
    status = page.run("graphzsl db status")[1]
    assert all(said in status for said in (page.bolt, page.http, "docs/connect.md"))
    show = "graphzsl query show hcorrect_set > hcorrect_set.cypher"
    assert f"`{show}`" in page.text
    assert page.run(show)[0] == 0
    assert "\nRETURN size(correct)" in (page.folder / "hcorrect_set.cypher").read_text()


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_reads_and_may_not_write(page: Page, name: str) -> None:
    block = page.client(name)
    assert page.run(block.text) == (0, block.output or ABOVE)
    assert "nauthorized" in page.run(block.text, NEO4J_PASSWORD="not the password")[1]
    page.write("above.cypher", "CREATE (s:Foreign {name: $name}) RETURN s.name")
    assert "Writing in read access mode not allowed" in page.run(block.text)[1]


def test_numbers_of_javascript_are_floats(page: Page) -> None:
    """``LIMIT`` takes none of them; ``neo4j.int`` and ``toInteger`` mend it."""
    page.client("npm")
    script = (page.folder / "above.mjs").read_text()
    statement = "MATCH (s:Synset {name: $name}) RETURN s.name AS name, size(s.name) AS edges LIMIT "

    def said(limit: str, size: str) -> str:
        page.write("above.cypher", statement + limit)
        page.write("above.mjs", script.replace("{ name:", f"{{ size: {size}, name:"))
        return page.run("node above.mjs")[1]

    assert "'1.0' is not a valid value" in said("$size", "1")
    assert said("$size", "neo4j.int(1)") == "toy_poodle.n.01 15\n"
    assert said("toInteger($size)", "1") == "toy_poodle.n.01 15\n"


@pytest.mark.parametrize(
    ("statement", "status", "said"),
    [
        ("RETURN 1", 202, '"values":[[1]]'),
        ("UNWIND [1, 0] AS n RETURN 1 / n", 202, '"errors":[{"code":"Neo.ClientError.Statement.A'),
        ("RETRUN 1", 400, "Neo.ClientError.Statement.SyntaxError"),
        ("CREATE (:Foreign)", 400, "Neo.ClientError.Statement.AccessMode"),
        ("", 401, "Neo.ClientError.Security.Unauthorized"),
    ],
)
def test_what_the_query_api_answers(page: Page, statement: str, status: int, said: str) -> None:
    request = page.client("jq").text.rpartition("|")[0].replace("curl", "curl -w '%{http_code}'")
    page.write("above.cypher", statement)
    wrong = {"NEO4J_PASSWORD": "not the password"} if status == 401 else {}
    answer = page.run(request, **wrong)[1]
    assert (answer[-3:], said in answer) == (str(status), True), answer


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder as they are now, without a line for each."""

    def end_headers(self) -> None:
        # without it a browser takes a file for as good as new a tenth of its age long
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def browser() -> Iterator[Any]:
    yield from chromium()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_of_another_origin_reads_over_bolt_and_not_over_http(
    page: Page, browser: Any, host: str
) -> None:
    page.client("npm")
    ask = """address => fetch(address + "/db/neo4j/query/v2", {method: "POST", body: "{}",
        headers: {"Content-Type": "application/json"}}).catch(error => error.message)"""
    logged: list[str] = []
    opened = browser.new_page()
    opened.on("console", lambda message: logged.append(message.text))
    opened.on("dialog", lambda dialog: dialog.accept(page.environment["NEO4J_PASSWORD"]))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=page.folder)) as served:
        threading.Thread(target=served.serve_forever).start()
        try:
            address = f"http://{host}:{served.server_port}/above.html"
            opened.goto(address)
            opened.get_by_text("poodle.n.01 1, dog.n.01 2").wait_for()
            assert opened.evaluate(ask, page.http) == "Failed to fetch"
            assert any("blocked by CORS policy" in line for line in logged)
            page.write("above.cypher", "CREATE (s:Foreign {name: $name}) RETURN s.name")
            with opened.expect_event("pageerror") as refused:
                opened.goto(address)
            assert "Writing in read access mode not allowed" in str(refused.value)
        finally:
            opened.close()
            served.shutdown()
