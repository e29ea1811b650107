"""Provenance of a model's numbers, once for all of its runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from graphzsl.reports.entry import Entry


@dataclass(frozen=True)
class Origin:
    """A model's runs: (file, seeds, when) of each, what all have in common as JSON text, and what
    differs from run to run, by the file."""

    name: str
    runs: list[tuple[str, str, str]]
    common: str
    differing: list[tuple[str, str]]


def origin_of(entry: Entry) -> Origin:
    """The provenance of a model."""
    flat = [_flat(run.provenance) for run in entry.runs]
    common = {
        key: value for key, value in flat[0].items() if all(each.get(key) == value for each in flat)
    }
    rest = [{key: value for key, value in each.items() if key not in common} for each in flat]
    return Origin(
        entry.name,
        [(run.source, run.seed_text, _written(run.document)) for run in entry.runs],
        _text(common),
        [(run.source, _text(own)) for run, own in zip(entry.runs, rest, strict=True) if own],
    )


def _written(document: dict[str, Any]) -> str:
    return f"{document.get('created_at', '')} · graphzsl {document.get('graphzsl', '')}"


def _flat(provenance: dict[str, Any]) -> dict[str, Any]:
    """Nested objects one level down, so that a checksum that differs leaves the rest in common."""
    found: dict[str, Any] = {}
    for key, value in provenance.items():
        if isinstance(value, dict):
            found |= {f"{key} / {inner}": each for inner, each in value.items()}
        else:
            found[key] = value
    return found


def _text(values: dict[str, Any]) -> str:
    """One line per value: long lists of numbers, such as those of validation, stay on theirs."""
    lines = (f"{key}: {_short(value)}" for key, value in sorted(values.items()))
    return "\n".join(lines)


def _short(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
