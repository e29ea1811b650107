"""What class sets of a database say of themselves, without a server."""

from __future__ import annotations

import pytest

from graphzsl.database.class_sets import dependants
from graphzsl.errors import DataError


@pytest.mark.parametrize("parameters", ["not JSON", "", 7, "[" * 100_000])
def test_parameters_that_graphzsl_did_not_write_are_named(parameters: object) -> None:
    row = {"name": "theirs", "properties": {"name": "theirs", "parameters": parameters}}
    with pytest.raises(DataError, match=r"class set 'theirs' in the database is not JSON"):
        dependants([row], "mine")


def test_names_in_parameters_are_references() -> None:
    row = {"name": "theirs", "properties": {"name": "theirs", "parameters": '{"of": ["mine"]}'}}
    assert dependants([row], "mine") == ["theirs"]
    assert dependants([row], "theirs") == dependants([row], "other") == []
