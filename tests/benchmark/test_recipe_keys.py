"""The keys of a recipe, as the documentation and the help tell them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from click.testing import CliRunner

from graphzsl.benchmark.recipe import Card, parse_recipe
from graphzsl.benchmark.recipe_keys import CARD, CHECKS, EXCLUSION
from graphzsl.cli import main


def test_the_table_of_the_docs_has_every_key_with_its_values_and_default() -> None:
    """Choices are read out of what a wrong value is answered with, defaults out of a recipe that
    says nothing but its name."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md").read_text()
    section = page.partition("## All keys of a recipe")[2].partition("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in section.splitlines()
        if line.startswith("| `")
    ]
    assert {len(row) for row in rows} == {4}
    told = {tuple(re.findall(r"`([^`]+)`", row[0])): row[1:] for row in rows}
    tables = {(): CHECKS, ("[card]",): CARD, ("[[exclude]]",): EXCLUSION}
    known = {(*table, key): check for table, keys in tables.items() for key, check in keys.items()}
    assert sorted(told) == sorted(known)
    assert len(rows) == len(known)
    defaults = vars(parse_recipe('name = "x"\n', Path("x.toml")))
    for key, (values, default, meaning) in told.items():
        assert meaning
        problem = known[key](object()) or ""
        choices = problem.partition("must be one of ")[2]
        if choices:
            assert re.findall(r'`"([^"`]+)"`', values) == choices.split(", "), key
        if "whole number" in problem:
            assert values == problem.removeprefix("must be "), key
        if default != "–":
            assert tomllib.loads(f"key = {default.strip('`')}")["key"] == defaults[key[0]], key
        elif len(key) == 1 and key not in {("name",), ("card",)}:
            assert not defaults[key[0]], key
    assert defaults["card"] == Card()


def test_the_help_of_build_names_the_counts_of_images_that_it_takes() -> None:
    """`population_above` works with --out, from the shipped counts."""
    said = " ".join(CliRunner().invoke(main, ["split", "build", "--help"]).stdout.split())
    assert "knows no populations" not in said
    assert "populations of ImageNet's Fall 2011" in said
    assert "docs/benchmarks.md has all keys of a recipe" in said
