"""All of a CLIP run from one configuration: class head, predictions and their evaluation, in one
folder that is written whole or not at all."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from graphzsl.audit.evaluation import Evaluation
from graphzsl.audit.evaluation_options import DEVISE
from graphzsl.audit.pipeline import prepare
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.scored_blocks import DEPTH
from graphzsl.clip.features import Block, file_blocks, image_blocks
from graphzsl.clip.head import BATCH, head_of
from graphzsl.clip.inputs import KIND, NONE, Inputs
from graphzsl.clip.predictions import predict_classes
from graphzsl.common.errors import GraphZSLError
from graphzsl.common.files import (
    MANIFEST,
    atomic_folder,
    manifest,
    sha256,
    write_json,
    write_text,
)
from graphzsl.data.class_matrix import ClassMatrix
from graphzsl.data.sample_files import are_simulated
from graphzsl.embeddings.formats.class_heads import write_class_head

#: Files of a run.
HEAD, NAMES, TEMPLATES = "head.npz", "names.json", "templates.json"
CLASSES, CLIP_PREDICTIONS, CLIP_RUN = "classes.txt", "predictions.parquet", "run.json"
_PACKAGES = ("open_clip_torch", "torch", "timm", "pillow", "numpy", "clip-benchmark")


@dataclass(frozen=True, eq=False)
class ClipRun:
    """A run that is done: its folder, its class head, and its predictions evaluated."""

    out: Path
    head: ClassMatrix
    evaluated: Evaluation

    def __repr__(self) -> str:
        result = self.evaluated.manifest
        hit = result["metrics"]["hit@1"]["per_class"]
        return (
            f"<ClipRun {self.out}: hit@1 {hit:.4g} per class, {result['samples']:,} samples,"
            f" {result['candidates']:,} candidates>"
        )


def run_clip(config: Path | str) -> ClipRun:
    """Names → prompts → class head → images or features → predictions → their evaluation.

    Writes a folder: ``names.json``, ``templates.json``, ``classes.txt`` (candidates), ``head.npz``,
    ``predictions.parquet``, ``run.json`` with ``run.samples.parquet`` and ``run.classes.parquet``,
    and ``manifest.json`` with the configuration, checksums and versions. It is there when all of
    it is done; an earlier run there is replaced then, and nothing else ever is.

    Args:
        config: the TOML file; ``graphzsl.clip.config`` lists its settings.

    Returns:
        The run.

    Raises:
        SettingsError: settings are unknown, wrong, missing or without effect; names the file and
            the line of each.
        DataError: names, templates, weights, images or features are wrong, or the folder holds
            something else.
        MissingExtra: open_clip or timm is needed and not installed.

    Reference:
        Radford et al. 2021 (zero-shot classification by prompts); Frome et al. 2013 (hp@k).

    >>> import numpy as np
    >>> classes = ["n02084071", "n02121620"]
    >>> np.savez("head.npz", classifier=[[1, 0], [0, 1]], classes=classes)
    >>> np.savez("images.npz", features=[[0.9, 0.1], [0.8, 0.6]], wnids=classes)
    >>> settings = ['out = "run"', 'head = "head.npz"', 'features = "images.npz"']
    >>> _ = Path("clip.toml").write_text("\\n".join(settings))
    >>> gz.run_clip("clip.toml")
    <ClipRun run: hit@1 0.5 per class, 2 samples, 2 candidates>
    """
    inputs = Inputs(Path(config))
    try:
        return _done(inputs)
    except GraphZSLError as error:
        raise inputs.checks.placed(error) from error


def _done(inputs: Inputs) -> ClipRun:
    with atomic_folder(inputs.out) as partial:
        head = replace(_head(inputs), wnids=inputs.labels.candidates)
        predictions = predict_classes(
            head,
            _blocks(inputs),
            partial / CLIP_PREDICTIONS,
            labels=inputs.labels,
            seen=inputs.train,
            top=inputs.config.get("top", DEPTH),
            missing=inputs.missing(),
            normalize=inputs.config.get("normalize", True),
            metadata=_metadata(inputs),
        )
        _write_inputs(inputs, partial, head)
        evaluated = _evaluated(inputs, predictions)
        evaluated.save(partial / CLIP_RUN)
        _write_manifest(inputs, partial, head)
    return ClipRun(inputs.out, head, evaluated)


def _head(inputs: Inputs) -> ClassMatrix:
    if inputs.prompts is None:
        assert inputs.given_head is not None
        return inputs.given_head
    assert inputs.model is not None
    return head_of(inputs.prompts, inputs.model, inputs.compute.get("text_batch", BATCH))


def _blocks(inputs: Inputs) -> Iterator[Block]:
    if inputs.features is not None:
        return file_blocks(inputs.features)
    assert inputs.images is not None
    assert inputs.model is not None
    batch, workers = inputs.compute.get("batch", 64), inputs.compute.get("workers", 0)
    return image_blocks(inputs.images, inputs.model, batch, workers)


def _metadata(inputs: Inputs) -> dict[str, Any]:
    found: dict[str, Any] = {"predictions": CLIP_PREDICTIONS}
    simulated = inputs.config.get("simulated", False)
    if inputs.features is not None:
        found |= {"features": inputs.features.name, "sha256": sha256(inputs.features)}
        simulated = simulated or are_simulated(inputs.features)
    else:
        found |= {"images": Path(inputs.config["images"]).name}
    return found | {"simulated": simulated}


def _evaluated(inputs: Inputs, predictions: Predictions) -> Evaluation:
    wordnet = inputs.wordnet()
    valid = inputs.audit.get("valid")
    known = ("rounds", "seed", "confidence")
    options = {key: inputs.audit[key] for key in known if key in inputs.audit}
    name = inputs.config.get("name") or inputs.config.get("model") or "class head"
    prepared = prepare(
        replace(predictions, source={"train": inputs.train}),
        wordnet=None if wordnet == NONE else wordnet,
        valid=valid if valid in (None, DEVISE) else inputs.valid(),
        name=name,
    )
    return prepared.evaluate(**options)


def _write_inputs(inputs: Inputs, partial: Path, head: ClassMatrix) -> None:
    name_of = inputs.labels.names
    write_class_head(head, partial / HEAD)
    lines = (each if each == name_of[each] else f"{each}\t{name_of[each]}" for each in head.wnids)
    write_text(partial / CLASSES, "".join(f"{line}\n" for line in lines))
    if inputs.prompts is not None:
        write_text(partial / NAMES, inputs.prompts.names_file())
        write_text(partial / TEMPLATES, inputs.prompts.templates_file())


def _write_manifest(inputs: Inputs, partial: Path, head: ClassMatrix) -> None:
    files = sorted(each for each in partial.iterdir() if each.is_file())
    facts = manifest(
        KIND,
        config=inputs.config,
        config_sha256=sha256(inputs.path),
        clip=inputs.model.metadata if inputs.model else None,
        head=head.metadata,
        labels_read_as=inputs.labels.language,
        device=inputs.where.torch_device if inputs.model else "cpu",
        features_sha256=sha256(inputs.features) if inputs.features else None,
        versions={"python": platform.python_version(), **_versions()},
        simulated=inputs.config.get("simulated", False),
        files={each.name: sha256(each) for each in files},
    )
    write_json(partial / MANIFEST, facts)


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
