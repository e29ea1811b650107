"""Identity of runs: which of them may stand in one table, and which may be averaged.

Two runs answer the same *question* when they rank the same candidates for the same samples, after
the same training classes; only then are their values comparable. They are of the same *entry* (one
row) when the model, its options (but for those that validation chose), its class embeddings and
what it learned from are the same too. Runs of one entry are averaged over seeds and, within a seed,
over validation seeds, and over nothing else (see ``averages``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

#: What the files of a run are, but for when and with what they were written.
_VOLATILE = ("created_at", "graphzsl", "python")


def question(run: dict[str, Any]) -> str:
    """The task of a run, as canonical JSON: split, setting, training classes, candidates, samples,
    hierarchy, valid set.

    A split that a grid draws with the run's seed is known by its definition, since its classes
    differ from seed to seed; any other by the checksums of its classes.
    """
    provenance = run.get("provenance") or {}
    features = run.get("features") or {}
    definition = run.get("split_definition")
    parts: dict[str, Any] = {
        "task": run.get("task") or features.get("task"),
        "setting": run.get("setting"),
        "split": definition or [provenance.get("train"), provenance.get("candidates")],
        "candidates": run.get("candidates"),
        "hierarchy": _lasting(run.get("hierarchy")),
        "hp_valid_set": run.get("hp_valid_set"),
        "hcorrect": provenance.get("hcorrect"),
        "simulated": bool(run.get("simulated") or features.get("simulated")),
    }
    if "predictions" in features:  # from outside: the file differs, the samples must not
        parts["samples"] = [run.get("samples"), run.get("labels_sha256")]
    else:
        parts["samples"] = [
            run.get("samples"),
            features,
            None if definition else run.get("labels_sha256"),
        ]
        parts["rows"] = _lasting(provenance.get("classifiers")) if features.get("task") else None
    return json.dumps(parts, sort_keys=True)


def entry(run: dict[str, Any]) -> str:
    """The entry of a run, as canonical JSON: the model under its label, the options that validation
    did not choose, and everything that the model was trained on."""
    provenance = run.get("provenance") or {}
    chosen = (provenance.get("validation") or {}).get("chosen") or ()
    options = provenance.get("options", provenance.get("given_options")) or {}
    answered = {
        "model": [run.get("model_label"), provenance.get("model")],
        "options": {key: value for key, value in options.items() if key not in chosen},
        "semantics": [run.get("semantics_name"), _lasting(provenance.get("semantics"))],
        "learned_from": [
            _lasting(provenance.get(key)) for key in ("classifiers", "samples", "graph")
        ],
        "inputs": run.get("inputs"),
        "scaling": provenance.get("scaling"),
        "is_calibrated": bool(provenance.get("calibration")),
        "note": run.get("note"),
        "drawn_validation": run.get("validation_seed") is not None,
    }
    features = run.get("features") or {}
    if "predictions" in features:
        answered["predictions"] = [run.get("run"), features]
    return json.dumps(answered, sort_keys=True)


def groups(runs: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The runs of each entry, all of one question. Two runs of one seed, or of one seed and one
    validation seed, stand apart: they are not a sample of seeds."""
    members_of: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for run in runs:
        members_of.setdefault((question(run), entry(run)), []).append(run)
    parts: list[list[dict[str, Any]]] = []
    for members in members_of.values():
        seeds = [(seed_of(run), run.get("validation_seed")) for run in members]
        parts += [members] if len(set(seeds)) == len(seeds) else [[run] for run in members]
    return parts


def seed_of(run: dict[str, Any]) -> Any:
    """The seed of the run's training and, where it draws the classes, of its split."""
    return (run.get("provenance") or {}).get("seed")


def _lasting(metadata: Any) -> Any:
    if not isinstance(metadata, dict):
        return metadata
    return {key: value for key, value in metadata.items() if key not in _VOLATILE}
