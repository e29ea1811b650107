"""The contract of ``tests.repository.contract`` is what is recorded."""

from __future__ import annotations

from collections import Counter

from tests.repository.contract import RECORD, contract

ADVICE = "Mend it, or, where the change is meant, run: python -m tests.repository.contract"


def test_what_is_promised_has_not_changed() -> None:
    recorded = RECORD.read_text(encoding="utf-8").splitlines()
    found = contract()
    changed = sorted({*recorded} ^ {*found})
    assert not changed, "\n".join(["what has changed:", *changed, ADVICE])


def test_the_contract_covers_what_it_names() -> None:
    kinds = Counter(line.partition("\t")[0] for line in contract())
    assert kinds.keys() == {"claim", "command", "doctest", "python", "schema", "test"}
    assert min(kinds.values()) > 15
    assert kinds["command"] > 30
