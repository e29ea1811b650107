"""CITATION.cff holds what its format demands, and says what pyproject.toml says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
#: The keys that version 1.2.0 of the format demands.
DEMANDED = {"cff-version", "message", "title", "authors"}


def test_the_citation_is_valid_and_of_this_version() -> None:
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert found.keys() >= DEMANDED
    assert found["cff-version"] == "1.2.0"
    assert found["type"] in ("software", "dataset")
    assert all(
        {"name"} <= each.keys() or {"family-names"} <= each.keys() for each in found["authors"]
    )
    assert (str(found["version"]), found["license"]) == (project["version"], project["license"])
    assert project["description"].lower() in found["title"].lower()
