"""Inputs that a configuration names, found and checked before anything is computed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graphzsl.audit.evaluation_options import DEVISE, check_valid_set
from graphzsl.audit.hierarchy_choice import AUTO, load_hierarchy
from graphzsl.clip.config import Checks
from graphzsl.clip.features import file_blocks, file_labels
from graphzsl.clip.labels import LabelReader
from graphzsl.clip.model import check_weights
from graphzsl.clip.prompts import (
    BARE,
    NEUTRAL,
    OPENAI,
    WORDNET,
    Prompts,
    make_prompts,
    read_templates,
)
from graphzsl.common.atomic import check_replaceable, check_writable
from graphzsl.common.compute import Compute
from graphzsl.common.errors import DataError
from graphzsl.common.progress import step
from graphzsl.common.wording import counted
from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix
from graphzsl.embeddings.formats.class_heads import read_class_head
from graphzsl.hierarchy.resolver import wnids_where_named
from graphzsl.names.class_language import AsWnids
from graphzsl.names.name_lists import read_name_list
from graphzsl.sources.imagenet import class_entries
from graphzsl.sources.published import class_lists
from graphzsl.sources.tables import WNID

if TYPE_CHECKING:
    from graphzsl.clip.model import ClipModel
    from graphzsl.embeddings.features.image_source import ImageSource

#: What the manifest of a run's folder calls it.
KIND = "clip run"
#: No hierarchy.
NONE = "none"


class Inputs:
    """Inputs that a configuration names, found and checked before anything is computed.

    Args:
        path: the configuration file.

    Raises:
        DataError: names, templates, a head, images, features, weights or classes are wrong, or do
            not fit each other; or the folder to write holds something else.
    """

    def __init__(self, path: Path):
        self.path, self.folder = path, path.parent
        self.checks = checks = Checks(path)
        self.config = checks.config
        self.audit, self.compute = self.config["audit"], self.config["compute"]
        self.prompts: Prompts | None = None
        self.given_head: ClassMatrix | None = None
        self.model: ClipModel | None = None
        self.images: ImageSource | None = None
        self.features = self.path_of("features") if "features" in self.config else None
        # all that takes little time first, for one error
        self._check_settings(checks)
        checks.raise_any()
        self.out = self.path_of("out")
        needs_model = self.prompts is not None or self.features is None
        if self.features is None:
            # the model comes before images are listed, which can take much longer
            with checks.at("model"):
                self.model = self._model()
            checks.raise_any()
            with checks.at("images"):
                self.images = self._images()
            checks.raise_any()
        with checks.at("images" if self.features is None else "features"):
            self.labels = self._labels()
        checks.raise_any()
        named = next((each for each in ("wordnet", "train", "valid") if each in self.audit), "")
        with checks.at("audit", named):
            self._check_hierarchy()
        if needs_model and self.model is None:
            # and last where features are to be read: reading their labels is quicker
            with checks.at("model"):
                self.model = self._model()
        checks.raise_any()
        self._check_widths()

    def _check_settings(self, checks: Checks) -> None:
        """Everything that a setting names, but for the models and images themselves."""
        config = self.config
        if "out" in config:
            with checks.at("out"):
                check_writable(self.path_of("out"))
                check_replaceable(self.path_of("out"), KIND)
        where = {key: self.compute[key] for key in ("device", "precision") if key in self.compute}
        with checks.at("compute", "device"):
            self.where = Compute(**({"device": "auto"} | where))
        with checks.at("audit", "train"):
            self.train = self._classes("train")
        with checks.at("audit", "valid"):
            self._check_valid(train_is_known=not checks.has("audit", "train"))
        if self.wordnet() not in (AUTO, "wordnet", NONE) and not Path(self.wordnet()).exists():
            with checks.at("audit", "wordnet"):
                load_hierarchy(self.wordnet())
        if self.features is not None:
            with checks.at("features"):
                self._feature_labels = file_labels(self.features)
        elif "images" in config:
            with checks.at("images"):
                self._check_images()
        if "head" in config:
            with checks.at("head"):
                self.given_head = load_head(self.path_of("head"))
        else:
            self._check_prompts(checks)
        if "model" in config:
            with checks.at("pretrained"):
                check_weights(*self._model_and_weights())

    def _check_valid(self, train_is_known: bool) -> None:
        valid = self.audit.get("valid")
        whole = None if self.wordnet() == NONE else "wordnet"
        if train_is_known:
            check_valid_set(valid, whole, None, self.train if "train" in self.audit else None)
        if valid not in (None, DEVISE):
            self.valid()

    def _check_prompts(self, checks: Checks) -> None:
        """Check names and templates: each by itself, so that all problems are reported, and
        together."""
        config = self.config
        chosen, names, templates = self._set(), self._names(), self._templates()
        if chosen is not None:
            with checks.at("set"):
                class_entries(chosen)
        if names not in (WORDNET, OPENAI):
            with checks.at("names"):
                read_name_list(names)
        if templates not in (NEUTRAL, OPENAI, BARE):
            with checks.at("templates"):
                read_templates(templates)
        if any(map(checks.has, ("set", "names", "templates"))):
            return
        with checks.at("names"):
            self.prompts = make_prompts(
                chosen,
                names,
                templates,
                rule=config.get("rule"),
                shared=config.get("shared", "error"),
            )

    def path_of(self, name: str) -> Path:
        return self.folder / str(self.config[name])

    def _source(self) -> str:
        """The images, where they lie beside the configuration."""
        from graphzsl.embeddings.features.image_readers import HUGGING_FACE, SHARDS

        text = str(self.config["images"])
        if text in (HUGGING_FACE, SHARDS):
            return text  # refused as such, and not the folder of the configuration
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
        given = self._file_or_word(self.audit[name], *class_lists())
        return wnids_where_named(given, argument=name)

    def wordnet(self) -> str:
        given = str(self.audit.get("wordnet", AUTO))
        return self._file_or_word(given, AUTO, "wordnet", NONE)

    def _set(self) -> str | None:
        chosen = self.config.get("set")
        return None if chosen is None else self._file_or_word(chosen, *class_lists())

    def _names(self) -> str:
        return self._file_or_word(self.config.get("names", WORDNET), WORDNET, OPENAI)

    def _templates(self) -> str:
        given = self.config.get("templates", NEUTRAL)
        return self._file_or_word(given, NEUTRAL, OPENAI, BARE)

    def _keys(self) -> dict[str, str]:
        keys = ("split", "image_key", "label_key")
        return {key: self.config[key] for key in keys if key in self.config}

    def _check_images(self) -> None:
        from graphzsl.embeddings.features.image_readers import check_source, require_reader

        require_reader(self._source())
        check_source(self._source(), **self._keys())

    def _images(self) -> ImageSource:
        from graphzsl.embeddings.features.image_readers import open_images

        with step("listing images"):
            return open_images(self._source(), **self._keys())

    def missing(self) -> str:
        return str(self.config.get("missing", "error"))

    def _labels(self) -> LabelReader:
        """Read the labels of images or features; candidates become wnids where their names are
        clear."""
        if self.prompts is not None:
            classes, names = self.prompts.classes, self.prompts.names
        else:
            assert self.given_head is not None
            classes = names = self.given_head.wnids
        candidates = classes
        if self.wordnet() != NONE:
            found = AsWnids(None)(list(classes))
            if len(set(found)) == len(found):
                candidates = found
        place = str(self.config.get("features") or self.config.get("images"))
        labels = LabelReader(candidates, dict(zip(candidates, names, strict=True)), place)
        if self.features is not None:
            labels.learn(self._feature_labels)
        elif self.images is not None and self.images.classes:
            labels.learn(self.images.classes, of_all=self.images.streamed)
        is_all = self.features is not None or (self.images is not None and self.images.labels)
        if is_all and self.missing() == "error":
            labels.check_known()
        return labels

    def _check_hierarchy(self) -> None:
        """Raise DataError for classes that the hierarchy lacks, if the configuration names a
        hierarchy or classes beside the candidates."""
        wordnet, valid = self.wordnet(), self.audit.get("valid")
        if wordnet == NONE or (wordnet == AUTO and not self.train and valid is None):
            return
        if wordnet == AUTO and not all(map(WNID.match, self.labels.candidates)):
            return
        with step("reading the hierarchy"):
            hierarchy = load_hierarchy("wordnet" if wordnet == AUTO else wordnet)
        others = [] if valid in (None, DEVISE) else self.valid()
        hierarchy.check_classes({*self.labels.candidates, *self.train, *others})

    def valid(self) -> list[str]:
        given = self._file_or_word(str(self.audit["valid"]), *class_lists())
        return wnids_where_named(given, argument="valid")

    def _check_widths(self) -> None:
        """Raise DataError, before the long work, if head, features and model are not of one
        kind."""
        widths: dict[str, int] = {}
        if self.given_head is not None:
            widths[f"the columns of {self.path_of('head')}"] = self.given_head.values.shape[1] - 1
        if self.features is not None:
            block = next(file_blocks(self.features), None)
            if block is not None:
                widths[f"the features of {self.features}"] = block.features.shape[1]
        if self.model is not None:
            tokens, _ = self.model.tokens(["a photo"])
            name = f"the model {self.config['model']}"
            widths[name] = self.model.encode_texts(tokens).shape[1]
        (first, width), *others = widths.items()
        for name, other in others:
            if other != width:
                raise DataError(
                    f"{first} have {width:,} dimensions, and {name} {other:,}. They are of two"
                    " models."
                )

    def _model_and_weights(self) -> tuple[str, str | None]:
        from graphzsl.clip.model import FOLDER

        name = str(self.config["model"])
        if name.startswith(FOLDER):
            name = f"{FOLDER}{self.folder / name.removeprefix(FOLDER)}"
        weights = self.config.get("pretrained")
        if weights is not None and (self.folder / weights).exists():
            weights = str(self.folder / weights)
        return name, weights

    def _model(self) -> ClipModel:
        from graphzsl.clip.model import load_clip

        return load_clip(*self._model_and_weights(), self.where)


def load_head(path: Path) -> ClassMatrix:
    """A class head with the names of its columns: a CLIP head (.npz with classifier [D, C] and
    classes [C]), or classifiers (.safetensors).

    Raises:
        DataError: names the file, and what is wrong with it; a class whose column is all zeros,
            too: it would have no score of its own.
    """
    found = _read_head(path)
    zero = np.flatnonzero(~found.values[:, :-1].any(axis=1))
    if len(zero):
        raise DataError(
            f"{path}: the column of {found.wnids[zero[0]]} is all zeros"
            f" ({len(zero):,} of {counted(len(found.wnids), 'class', 'classes')}): it says nothing"
            " of any image. Make the head again, or leave the class out."
        )
    return found


def _read_head(path: Path) -> ClassMatrix:
    if path.suffix == ".safetensors":
        return ClassMatrix.load(path, CLASSIFIERS)
    if path.suffix != ".npz":
        raise DataError(
            f"{path} must end in .npz or .safetensors: a class head with the names of its columns."
            " `graphzsl convert class-head` makes one of .npy and .pt."
        )
    return read_class_head(path)
