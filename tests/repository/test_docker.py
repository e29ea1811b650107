"""docker/ without an engine: compose.yaml against the pinned server and a real one, the steps of
the Dockerfile in a folder and an environment of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import graphzsl
from graphzsl.common import Settings
from graphzsl.database import NEO4J_VERSION, Database, LocalServer
from tests.end_to_end.test_light_install import OFFLINE
from tests.pages import DOCS

DOCKER = Path(__file__).resolve().parents[2] / "docker"
ROOT = DOCKER.parent


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))


def test_the_image_is_of_the_pinned_neo4j(compose: dict[str, Any]) -> None:
    assert compose["services"]["neo4j"]["image"] == f"neo4j:{NEO4J_VERSION}-community"


def test_compose_and_the_page_agree(compose: dict[str, Any]) -> None:
    """The names and the address that the page's commands use; the image divides NEO4J_AUTH at its
    slashes."""
    page = (DOCS / "another-neo4j.md").read_text(encoding="utf-8")
    service = compose["services"]["neo4j"]
    assert f"--network {compose['name']}_default --env NEO4J_URI=bolt://neo4j:7687" in page
    assert "127.0.0.1:7687:7687" in service["ports"]
    rule = re.search(r":\?set NEO4J_PASSWORD \((.*)\)}", service["environment"]["NEO4J_AUTH"])
    assert rule
    assert f"# {rule[1]}\n" in page
    assert rule[1].endswith("without /")


def test_its_settings_are_known_to_neo4j(compose: dict[str, Any], mini_server: Database) -> None:
    """The image makes a full stop of one underscore, and an underscore of two."""
    names = compose["services"]["neo4j"]["environment"].keys() - {"NEO4J_AUTH"}
    settings = {
        re.sub("__|_", lambda found: "_" if len(found[0]) == 2 else ".", name[len("NEO4J_") :])
        for name in names
    }
    shown = mini_server._connection.driver.execute_query("SHOW SETTINGS YIELD name").records
    assert settings <= {row["name"] for row in shown}


def test_the_health_check_asks_a_server_without_its_password(
    compose: dict[str, Any], mini_server: Database, mini_settings: Settings
) -> None:
    state = LocalServer(mini_settings).state()
    assert state
    how, *check = compose["services"]["neo4j"]["healthcheck"]["test"]
    assert how == "CMD"
    if shutil.which(check[0]) is None:
        pytest.skip(f"{check[0]} is not installed")
    for port, healthy in ((state.http_port, True), (1, False)):
        command = [word.replace(":7474", f":{port}") for word in check]
        assert (subprocess.run(command).returncode == 0) is healthy
        assert command != check


@pytest.mark.thorough("the package as it is installed")
def test_the_steps_of_the_dockerfile(
    mini_database: Database, mini_settings: Settings, tmp_path: Path
) -> None:
    """From COPY to ENTRYPOINT, with a new environment in the place of the image's Python."""
    text = re.sub(r"\\\n", "", (DOCKER / "Dockerfile").read_text(encoding="utf-8"))
    image, folder = tmp_path / "image", Path("/")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    environment = {
        "PATH": f"{tmp_path / 'env' / 'bin'}:{os.environ['PATH']}",
        "HOME": str(tmp_path / "root"),
        **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
    }
    entry: list[str] = []
    for line in text.splitlines():
        step, _, rest = line.partition(" ")
        here = image / folder.relative_to("/")
        if step == "WORKDIR":
            folder /= rest
            (image / folder.relative_to("/")).mkdir(parents=True)
        elif step == "COPY":
            *sources, target = rest.split()
            for source in map(ROOT.joinpath, sources):
                if source.is_dir():
                    shutil.copytree(source, here / target)
                else:
                    shutil.copy(source, here / target)
        elif step == "RUN":
            done = subprocess.run(
                ["sh", "-c", rest], cwd=here, env=environment, capture_output=True, text=True
            )
            if done.returncode and any(sign in done.stderr for sign in OFFLINE):
                pytest.skip("no package index can be reached")
            assert done.returncode == 0, done.stderr
        elif step == "ENV":
            name, _, value = rest.partition("=")
            environment[name] = value.replace("/tmp", str(tmp_path))
        elif step == "ENTRYPOINT":
            entry = yaml.safe_load(rest)
        elif step == "USER":
            assert int(rest)
            environment["HOME"] = str(tmp_path / "nobody")
        else:
            assert step in ("FROM", "#", ""), line
    shutil.rmtree(image / "src")

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [*entry, *arguments], cwd=here, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert graphzsl.__version__ in run("--version")
    environment["NEO4J_URI"] = mini_database.uri
    environment["NEO4J_PASSWORD"] = LocalServer(mini_settings).password()
    assert "mammal.n.01" in run("query", "run", "ancestors", "-p", "wnid=dog.n.01")
    assert os.listdir(here) == []
    assert not (tmp_path / "nobody").exists()
