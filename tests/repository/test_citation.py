"""CITATION.cff and SECURITY.md hold what they must, and say what pyproject.toml says."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
#: The keys that version 1.2.0 of the format demands.
DEMANDED = {"cff-version", "message", "title", "authors"}


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project


def test_the_citation_is_valid_and_of_this_version() -> None:
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    project = _project()
    assert found.keys() >= DEMANDED
    assert found["cff-version"] == "1.2.0"
    assert found["type"] in ("software", "dataset")
    assert all(
        {"name"} <= each.keys() or {"family-names"} <= each.keys() for each in found["authors"]
    )
    assert (str(found["version"]), found["license"]) == (project["version"], project["license"])
    assert project["description"].lower() in found["title"].lower()
    (author,), (cited,) = project["authors"], found["authors"]
    assert cited["name"].removeprefix("The ") == author["name"]
    assert {word.lower() for word in project["keywords"]} & {
        word.lower() for word in found["keywords"]
    } >= {"imagenet", "wordnet", "neo4j"}


def test_security_names_the_supported_version_and_whom_to_tell() -> None:
    said = " ".join((ROOT / "SECURITY.md").read_text().split())
    assert f"Supported is the latest release, {_project()['version']}." in said
    assert "Report a vulnerability in private through the repository's security advisories" in said


def test_the_source_distribution_holds_the_documents() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    documents = {path.name for path in ROOT.iterdir() if path.suffix in (".md", ".cff")} | {"docs"}
    assert documents - {*build["targets"]["sdist"]["include"]} == set()
