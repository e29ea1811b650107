"""All of a CLIP run from one configuration: class head, predictions and their evaluation, in one
folder that is written whole or not at all."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphzsl.clip.config import read_config
from graphzsl.clip.features import Block, file_blocks, file_labels, image_blocks
from graphzsl.clip.head import BATCH, head_of
from graphzsl.clip.labels import LabelReader
from graphzsl.clip.predictions import predict_classes
from graphzsl.clip.prompts import BARE, NEUTRAL, OPENAI, WORDNET, Prompts, make_prompts
from graphzsl.compute import Compute
from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix
from graphzsl.errors import DataError
from graphzsl.evaluation.class_language import in_wnids
from graphzsl.evaluation.evaluated_run import (
    AUTO,
    DEVISE,
    EvaluatedRun,
    check_valid_set,
    evaluate_run,
    hierarchy_of,
)
from graphzsl.evaluation.predictions import DEPTH, Predictions
from graphzsl.files import (
    MANIFEST,
    atomic_folder,
    check_replaceable,
    manifest,
    sha256,
    write_json,
    write_text,
)
from graphzsl.formats.class_heads import read_class_head, write_class_head
from graphzsl.progress import step
from graphzsl.sources.imagenet import listed_classes, named_classes
from graphzsl.sources.published import class_lists

if TYPE_CHECKING:
    from graphzsl.clip.model import ClipModel

KIND = "clip run"
#: Files of a run.
HEAD, NAMES, TEMPLATES = "head.npz", "names.json", "templates.json"
CLASSES, PREDICTIONS, RUN = "classes.txt", "predictions.parquet", "run.json"
#: No hierarchy.
_NONE = "none"
_PACKAGES = ("open_clip_torch", "torch", "timm", "pillow", "numpy", "clip-benchmark")


@dataclass(frozen=True, eq=False)
class ClipRun:
    """A run that is done: its folder, its class head, and its predictions evaluated."""

    out: Path
    head: ClassMatrix
    evaluated: EvaluatedRun

    def __repr__(self) -> str:
        result = self.evaluated.result
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
        SettingsError: a setting is unknown, wrong, missing or without effect; names file and line.
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
    return _Run(Path(config)).done()


class _Run:
    """A configuration with its inputs found; errors come before anything is computed."""

    def __init__(self, path: Path):
        self.path, self.folder = path, path.parent
        self.config = read_config(path)
        self.audit, self.compute = self.config["audit"], self.config["compute"]
        self.out = self._path("out")
        check_replaceable(self.out, KIND)
        where = {key: self.compute[key] for key in ("device", "precision") if key in self.compute}
        self.where = Compute(**({"device": "auto"} | where))
        self.train = self._classes("train")
        check_valid_set(
            self.audit.get("valid"),
            None if self._wordnet() == _NONE else "wordnet",
            None,
            self.train if "train" in self.audit else None,
        )
        self.prompts = None if "head" in self.config else self._prompts()

    def done(self) -> ClipRun:
        """Compute and write everything."""
        features = self._path("features") if "features" in self.config else None
        images = None
        if features is None:
            from graphzsl.features.image_readers import open_images

            keys = ("split", "image_key", "label_key")
            given = {key: self.config[key] for key in keys if key in self.config}
            images = open_images(self._source(), **given)
        given_head = None if self.prompts else self._given_head()
        labels = self._labels(self.prompts or given_head)
        if features is not None:
            labels.learn(file_labels(features))
        elif images is not None and images.classes:
            labels.learn(images.classes, of_all=images.kind == "webdataset")
        has_all = features is not None or (images is not None and images.labels)
        if has_all and self.config.get("missing", "error") == "error":
            labels.check_known()
        model = self._model() if self.prompts or images is not None else None
        with atomic_folder(self.out) as partial:
            if self.prompts is not None:
                assert model is not None
                head = head_of(self.prompts, model, self.compute.get("text_batch", BATCH))
            else:
                assert given_head is not None
                head = given_head
            blocks: Iterable[Block]
            if images is not None:
                assert model is not None
                batch, workers = self.compute.get("batch", 64), self.compute.get("workers", 0)
                blocks = image_blocks(images, model, batch, workers)
            else:
                assert features is not None
                blocks = file_blocks(features)
            head = replace(head, wnids=labels.candidates)
            predictions = predict_classes(
                head,
                blocks,
                partial / PREDICTIONS,
                labels=labels,
                seen=self.train,
                top=self.config.get("top", DEPTH),
                missing=self.config.get("missing", "error"),
                normalize=self.config.get("normalize", True),
                metadata=self._metadata(features),
            )
            self._write_inputs(partial, head, labels.names)
            evaluated = self._evaluated(predictions)
            evaluated.write(partial / RUN)
            self._write_manifest(partial, head, model, labels, features)
        return ClipRun(self.out, head, evaluated)

    # what is given

    def _path(self, name: str) -> Path:
        return self.folder / str(self.config[name])

    def _source(self) -> str:
        """The images, where they lie beside the configuration."""
        from graphzsl.features.image_readers import HUGGING_FACE, SHARDS

        text = str(self.config["images"])
        if text.startswith(HUGGING_FACE):
            name = text.removeprefix(HUGGING_FACE)
            beside = self.folder / name
            return f"{HUGGING_FACE}{beside}" if beside.is_dir() else text
        if text.startswith(SHARDS):
            return f"{SHARDS}{self.folder / text.removeprefix(SHARDS)}"
        return str(self.folder / text)

    def _file_or_word(self, text: str, *words: str) -> str:
        """A path from the folder of the configuration, unless it is one of the words."""
        package = ":" in text and not (self.folder / text).exists()
        is_word = text in words and not (self.folder / text).exists()
        return text if is_word or package else str(self.folder / text)

    def _classes(self, name: str) -> list[str]:
        if name not in self.audit:
            return []
        return named_classes(self._file_or_word(self.audit[name], *class_lists()))

    def _wordnet(self) -> str:
        given = str(self.audit.get("wordnet", AUTO))
        return self._file_or_word(given, AUTO, "wordnet", _NONE)

    def _prompts(self) -> Prompts:
        config = self.config
        chosen = config.get("set")
        return make_prompts(
            None if chosen is None else self._file_or_word(chosen, *class_lists()),
            self._file_or_word(config.get("names", WORDNET), WORDNET, OPENAI),
            self._file_or_word(config.get("templates", NEUTRAL), NEUTRAL, OPENAI, BARE),
            rule=config.get("rule"),
            shared=config.get("shared", "error"),
        )

    def _given_head(self) -> ClassMatrix:
        return load_head(self._path("head"))

    def _labels(self, head: Prompts | ClassMatrix | None) -> LabelReader:
        """What the labels of images or features mean; candidates are wnids where that is clear."""
        assert head is not None
        is_prompts = isinstance(head, Prompts)
        classes = head.classes if is_prompts else head.wnids  # type: ignore[union-attr]
        names = head.names if is_prompts else classes  # type: ignore[union-attr]
        candidates = classes
        if self._wordnet() != _NONE:
            found, _ = in_wnids(classes)
            if found is not None and len(set(found)) == len(found):
                candidates = found
        place = str(self.config.get("features") or self.config.get("images"))
        return LabelReader(candidates, dict(zip(candidates, names, strict=True)), place)

    def _model(self) -> ClipModel:
        from graphzsl.clip.model import FOLDER, load_clip

        name = str(self.config["model"])
        if name.startswith(FOLDER):
            name = f"{FOLDER}{self.folder / name.removeprefix(FOLDER)}"
        weights = self.config.get("pretrained")
        if weights is not None and (self.folder / weights).is_file():
            weights = str(self.folder / weights)
        return load_clip(name, weights, self.where)

    # what is done

    def _metadata(self, features: Path | None) -> dict[str, Any]:
        found: dict[str, Any] = {"predictions": PREDICTIONS}
        if features is not None:
            found |= {"features": features.name, "sha256": sha256(features)}
        else:
            found |= {"images": Path(self.config["images"]).name}
        return found | {"simulated": self.config.get("simulated", False)}

    def _evaluated(self, predictions: Predictions) -> EvaluatedRun:
        wordnet = self._wordnet()
        hierarchy = None if wordnet == _NONE else hierarchy_of(predictions, wordnet)
        valid = self.audit.get("valid")
        options = {key: self.audit[key] for key in ("rounds", "seed") if key in self.audit}
        if "confidence" in self.audit:
            options["level"] = self.audit["confidence"]
        with step("evaluating"):
            return evaluate_run(
                predictions,
                {"model": self.config.get("name") or self.config.get("model") or "class head"},
                self.train,
                hierarchy=hierarchy,
                valid=valid if valid in (None, DEVISE) else listed_classes(self._path_of(valid)),
                **options,
            )

    def _path_of(self, text: str) -> str:
        return self._file_or_word(text, *class_lists())

    def _write_inputs(self, partial: Path, head: ClassMatrix, name_of: dict[str, str]) -> None:
        write_class_head(head, partial / HEAD)
        lines = (
            each if each == name_of[each] else f"{each}\t{name_of[each]}" for each in head.wnids
        )
        write_text(partial / CLASSES, "".join(f"{line}\n" for line in lines))
        if self.prompts is not None:
            write_text(partial / NAMES, self.prompts.names_file())
            write_text(partial / TEMPLATES, self.prompts.templates_file())

    def _write_manifest(
        self,
        partial: Path,
        head: ClassMatrix,
        model: ClipModel | None,
        labels: LabelReader,
        features: Path | None,
    ) -> None:
        files = sorted(each for each in partial.iterdir() if each.is_file())
        facts = manifest(
            KIND,
            config=self.config,
            config_sha256=sha256(self.path),
            clip=model.metadata if model else None,
            head=head.metadata,
            labels_read_as=labels.language,
            device=self.where.torch_device if model else "cpu",
            features_sha256=sha256(features) if features else None,
            versions={"python": platform.python_version(), **_versions()},
            simulated=self.config.get("simulated", False),
            files={each.name: sha256(each) for each in files},
        )
        write_json(partial / MANIFEST, facts)


def load_head(path: Path) -> ClassMatrix:
    """A class head with the names of its columns: a CLIP head (.npz with classifier [D, C] and
    classes [C]), or classifiers (.safetensors).

    Raises:
        DataError: names the file, and what is wrong with it.
    """
    if path.suffix == ".safetensors":
        return ClassMatrix.load(path, CLASSIFIERS)
    if path.suffix != ".npz":
        raise DataError(
            f"{path} must end in .npz or .safetensors: a class head with the names of its columns."
            " `graphzsl convert class-head` makes one of .npy and .pt."
        )
    return read_class_head(path)


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
