"""What class sets of a database say of themselves, without a server."""

from __future__ import annotations

from graphzsl.database.class_sets import dependants


def test_names_in_parameters_are_references() -> None:
    for value in ("mine", ["other", "mine"]):
        row = {"name": "theirs", "properties": {"name": "theirs", "parameter_of": value}}
        assert dependants([row], "mine") == ["theirs"]
        assert dependants([row], "theirs") == dependants([row], "a third") == []


def test_names_of_steps_are_no_references() -> None:
    steps = {"name": "theirs", "steps": ["universe"], "step_rule": ["universe"], "rule": "universe"}
    assert dependants([{"name": "theirs", "properties": steps}], "universe") == []
