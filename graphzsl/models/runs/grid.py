"""A grid of runs from one configuration file: models × splits × semantics × seeds, one JSON per run
and a table.

What is done is skipped, so an interrupted grid goes on where it stopped. ::

    # paths are relative to this file
    out = "runs/hidden"                      # folder of the results
    graph = "graph"                          # folder of `graphzsl export subgraph`
    wordnet = "wordnet"                      # all of WordNet, for heights and hp@k: a folder of
                                             # `export subgraph --whole`, or, where there is no
                                             # folder of this name, from WordNet's own files
    classifiers = "classifiers.safetensors"  # rows to learn from; or data = "awa2", a folder of
                                             # `graphzsl convert`
    features = "images.npz"                  # samples to classify, in validation too
                                             # (default: their classifier rows)
    seeds = [0, 1, 2]
    setting = "standard"                     # or "generalized": training classes are candidates too

    [semantics]
    minilm = "class_embeddings.safetensors"  # with data: default its own

    [splits.hidden]
    of = "ilsvrc2012"                        # hide a seeded share of a class set of the graph …
    hide = 0.2
    [splits.branches]
    of = "ilsvrc2012"
    hide = 0.2
    branches = 1.0                           # all of them in whole branches of the hierarchy
    [splits.hops-1]
    train = "ilsvrc2012"                     # … or train on one set and test on another
    test = "hops-1"

    [models.sgcn]
    hidden = 384
    note = "384 hidden units; the paper has 2,048"   # stands beside this model's results alone
    [models.eszsl-signed]
    model = "eszsl"
    labels = "signed"
    [models.eszsl-calibrated]
    model = "eszsl"
    calibrate = true                         # calibrated stacking, in the generalized setting

``validation_seeds = [0, 1, 2]`` chooses the hyper-parameters of every run again on other held-out
training classes, with the same test classes (Xian et al. 2017, figure 2); with a data set that
publishes validation lists, random ones of their sizes take their place. The table then has the
spread over validation splits beside the spread over seeds.

``keep_samples = true`` leaves RUN.samples.parquet and the table of classes beside each JSON, for
``evaluate compare``, ``attribute`` and ``agreement``, and ``study ilsvrc accuracy``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphzsl.audit.evaluate import evaluate, measures_of, provenance_of
from graphzsl.audit.evaluation_options import EvaluationOptions
from graphzsl.audit.run_files import is_evaluation
from graphzsl.audit.runs import CLASSES, SAMPLES, write_run
from graphzsl.common.atomic import check_folder_name
from graphzsl.common.checked_names import named_twice
from graphzsl.common.compute import Compute
from graphzsl.common.errors import DataError, SettingsError
from graphzsl.common.files import MANIFEST, read_json, sha256, sha256_text
from graphzsl.common.version import __version__
from graphzsl.data.class_matrix import CLASSIFIERS, EMBEDDINGS, ClassMatrix
from graphzsl.data.dataset import ZeroShotDataset
from graphzsl.data.sample_files import load_samples
from graphzsl.data.samples import Samples, images_for
from graphzsl.data.subgraph import Subgraph
from graphzsl.hierarchy.branches import HiddenClasses, hide_classes
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.models import training
from graphzsl.models.base.class_samples import class_samples
from graphzsl.models.base.task import Task, whole_embeddings
from graphzsl.models.registry import model_module, needs
from graphzsl.models.runs.grid_config import MODEL_KEYS, read_config
from graphzsl.models.runs.predict import predict
from graphzsl.sources.imagenet import read_names

#: What an input is called in the identity and in the JSON of a run -> its setting.
_INPUTS = {
    "graph": "graph",
    "hierarchy": "wordnet",
    "classifiers": "classifiers",
    "data": "data",
    "features": "features",
}


@dataclass(frozen=True)
class Run:
    """One cell of the grid."""

    label: str
    model: str
    options: dict[str, Any] = field(hash=False)
    split: str
    semantics: str
    seed: int
    validation_seed: int | None = None
    note: str = ""
    calibrate: bool = False

    @property
    def name(self) -> str:
        name = f"{self.label}-{self.split}-{self.semantics}-{self.seed}"
        return name if self.validation_seed is None else f"{name}-v{self.validation_seed}"


class Grid:
    """A configuration file with its inputs loaded; SettingsError names what is wrong in it."""

    def __init__(self, path: Path):
        self.path, self.folder = path, path.parent
        self.config = read_config(path)
        self.out = self._path(self.config["out"])
        check_folder_name(self.out)
        self.graph = (
            Subgraph.load(self._path(self.config["graph"])) if "graph" in self.config else None
        )
        has_data = "data" in self.config
        self.data = ZeroShotDataset.load(self._path(self.config["data"])) if has_data else None
        self.hierarchy = self._hierarchy()
        rows = self.config.get("classifiers")
        self.classifiers = ClassMatrix.load(self._path(rows), CLASSIFIERS) if rows else None
        features = self.config.get("features")
        self.features = load_samples(self._path(features)) if features else None
        named = self.config.get("semantics", {})
        self.semantics = {
            name: ClassMatrix.load(self._path(file), EMBEDDINGS) for name, file in named.items()
        }
        if not self.semantics and self.data:
            self.semantics = {"own": self.data.semantics}
        if not self.semantics:
            raise SettingsError(
                f"{path}: [semantics] is missing; name at least one file of class embeddings."
            )
        self.generalized = self.config.get("setting", "standard") == "generalized"
        if self.generalized and not self.data and self.features is None:
            raise SettingsError(
                f"{path}: the generalized setting needs samples of seen classes that no model"
                " learned from, and classifier rows of training classes are what models learn"
                " from. Give `features` (images), or `data`."
            )
        splits = self.config.get("splits", {})
        if self._nodes is None and any(each.get("branches") for each in splits.values()):
            raise SettingsError(
                f"{path}: whole branches are those of a hierarchy. Give `graph`, or"
                ' `wordnet = "wordnet"`, which is WordNet as it comes with graphzsl.'
            )
        self.compute = Compute(**self.config.get("compute", {}))
        self.inputs = self._checksums()
        self._drawn: dict[tuple[str, int], HiddenClasses] = {}
        self._ratios: dict[tuple[str, int], float | None] = {}
        self._of_nodes: dict[str, ClassMatrix] = {}
        twice = named_twice(run.name for run in self.runs())
        if twice is not None:
            raise SettingsError(
                f"{path}: two runs would be written to {twice}.json. Rename a model or a split."
            )

    def runs(self) -> Iterator[Run]:
        """Every cell, seeds outermost, so that the first table is complete soonest."""
        for seed in self.config.get("seeds", [0]):
            for split in self.config.get("splits") or {"test": {}}:
                for semantics in self.semantics:
                    for label, options in self.config["models"].items():
                        own = {
                            key: value for key, value in options.items() if key not in MODEL_KEYS
                        }
                        model, note = options.get("model", label), options.get("note", "")
                        calibrate = options.get("calibrate", False)
                        own = model_module(model).Options.written(own)
                        for validation in self.config.get("validation_seeds") or [None]:
                            yield Run(
                                label,
                                model,
                                own,
                                split,
                                semantics,
                                seed,
                                validation,
                                note,
                                calibrate,
                            )

    def file(self, run: Run) -> Path:
        """Path of a run's JSON."""
        return self.out / f"{run.name}.json"

    def identity(self, run: Run) -> str:
        """A hash of all that a run depends on, defaults and grids of values too: when it changes,
        the run is done again."""
        module, lists = model_module(run.model), self.lists(run.split, run.seed)
        parts = [
            __version__,
            run.model,
            run.options,
            {**module.Options(**run.options).as_dict(), **run.options},
            module.GRID,
            run.seed,
            self._split_config(run.split),
            [sha256_text("\n".join(names)) for names in (lists.train, lists.hidden)],
            self.generalized,
            self.inputs,
            run.semantics,
            run.validation_seed,
            run.note,
            self.config.get("compute", {}),
            *["calibrated stacking"] * run.calibrate,
        ]
        return sha256_text(json.dumps(parts, sort_keys=True))

    def is_done(self, run: Run) -> bool:
        """True if the run's files exist and were made with this configuration."""
        path = self.file(run)
        wanted = [
            path,
            *(
                path.with_suffix(suffix)
                for suffix in (SAMPLES, CLASSES)
                if self.config.get("keep_samples")
            ),
        ]
        if not all(each.exists() for each in wanted):
            return False
        kept = read_json(path)
        return is_evaluation(kept) and kept.get("identity") == self.identity(run)

    def lists(self, split: str, seed: int) -> HiddenClasses:
        """Training and unseen classes of a split, drawn once; DataError where one is both."""
        if (split, seed) not in self._drawn:
            self._drawn[split, seed] = self._draw(split, seed)
        return self._drawn[split, seed]

    def _draw(self, split: str, seed: int) -> HiddenClasses:
        given = self._split_config(split)
        if self.data:
            name = given.get("test", split if split in self.data.tests else None)
            return HiddenClasses(self.data.train, self.data.test_classes(name), {})
        if "of" in given:
            share, branches = float(given.get("hide", 0.2)), float(given.get("branches", 0))
            classes = self._classes(given["of"])
            return hide_classes(classes, share, seed, branches, self._nodes)
        train, test = self._classes(given["train"]), self._classes(given["test"])
        known = set(train)
        if both := [wnid for wnid in test if wnid in known]:
            raise DataError(
                f"{self.path}: {len(both):,} of the {len(test):,} test classes of [splits.{split}]"
                f" are training classes, e.g. {both[0]}: a model has seen them. Take them off the"
                " list."
            )
        return HiddenClasses(train, test, {})

    def execute(self, run: Run) -> dict[str, Any]:
        """Train, predict and evaluate one run, and write it."""
        lists = self.lists(run.split, run.seed)
        train, unseen = lists.train, lists.hidden
        candidates = [*train, *unseen] if self.generalized else unseen
        semantics = self._embeddings(run)
        samples = self.data.part("train") if self.data else None
        validation = test = None
        if self.features is not None:
            validation, test = images_for(self.features, train, unseen, self.generalized, run.seed)
        task = Task(
            self.graph,
            semantics,
            self.classifiers,
            train,
            candidates,
            seed=run.seed,
            samples=samples,
            validation_samples=validation,
            compute=self.compute,
        )
        given = self._split_config(run.split)
        model, manifest = training.train(
            run.model,
            task,
            run.options,
            folds=self._folds(run, train),
            # folds of branches are drawn with it already
            validation_seed=None if given.get("branches") else run.validation_seed,
            calibrate=run.calibrate,
        )
        samples = self._test_samples(task, unseen) if test is None else test
        predictions = predict(
            model,
            samples,
            train if self.generalized else (),
            missing="miss" if run.model == "softmax" else "error",
        )
        more: dict[str, Any] = (
            {} if run.validation_seed is None else {"validation_seed": run.validation_seed}
        )
        if self._nodes is not None:
            if (run.split, run.seed) not in self._ratios:
                ratio = lists.structural_ratio(self._nodes)
                self._ratios[run.split, run.seed] = ratio
            more["structural_ratio"] = self._ratios[run.split, run.seed]
        if lists.branches:
            more["hidden_branches"] = lists.branches
        against = EvaluationOptions(self.hierarchy, train=train, rounds=1000)
        kept = predictions if self.config.get("keep_samples") else None
        measures = measures_of(predictions, against) if kept else None
        result = evaluate(
            predictions,
            against,
            measures,
            provenance=provenance_of(manifest, train, model.wnids),
            run=run.name,
            identity=self.identity(run),
            split=(
                f"{run.split}: {len(unseen):,} unseen of {len(train) + len(unseen):,} classes, seed"
                f" {run.seed}"
            ),
            split_definition={"name": run.split, **given} if "of" in given else None,
            setting="generalized" if self.generalized else "standard",
            semantics_name=run.semantics,
            inputs=self.inputs,
            note=run.note,
            model_label=run.label,
            **more,
        )
        write_run(self.file(run), result, kept, against, measures)
        return result

    def _embeddings(self, run: Run) -> ClassMatrix:
        """The class embeddings of a run; for a model of the graph, of every node, which is made
        once."""
        given = self.semantics[run.semantics]
        if self.graph is None or "graph" not in needs(model_module(run.model)):
            return given
        if run.semantics not in self._of_nodes:
            self._of_nodes[run.semantics] = whole_embeddings(self.graph, given)
        return self._of_nodes[run.semantics]

    def _folds(self, run: Run, train: list[str]) -> list[training.Fold] | None:
        """Validation classes: those of the data set; where a split hides whole branches, drawn the
        way its test classes are; None for random ones."""
        if branches := self._split_config(run.split).get("branches"):
            seed = run.seed if run.validation_seed is None else run.validation_seed
            return training.seeded_folds(train, seed, (), self._nodes, float(branches))
        return self.data.folds() if self.data and self.data.validation else None

    @property
    def _nodes(self) -> Hierarchy | None:
        """The hierarchy of the evaluation or, where none is given, that of the graph."""
        return self.hierarchy or (self.graph.hierarchy if self.graph else None)

    def _test_samples(self, task: Task, unseen: list[str]) -> Samples:
        if self.data:
            return self.data.test_samples(unseen, self.generalized)
        wanted_classes = [*task.train, *unseen] if self.generalized else unseen
        assert self.classifiers
        return class_samples(self.classifiers, wanted_classes, task.targets())

    def _classes(self, name: str) -> list[str]:
        if self.graph and name in self.graph.class_sets:
            return list(self.graph.class_sets[name])
        if self._path(name).is_file():
            return read_names(self._path(name))
        known = ", ".join(self.graph.class_sets) if self.graph else "no graph is given"
        raise SettingsError(
            f"{self.path}: {name!r} is neither a class set of the graph ({known}) nor a file of"
            " wnids."
        )

    def _split_config(self, split: str) -> dict[str, Any]:
        definition = self.config.get("splits", {}).get(split, {})
        if not self.data and not ("of" in definition or {"train", "test"} <= definition.keys()):
            raise SettingsError(
                f"{self.path}: [splits.{split}] needs `of` (and `hide`), or `train` and `test`."
            )
        return dict(definition)

    def _hierarchy(self) -> Hierarchy | None:
        if "wordnet" not in self.config:
            return None
        folder = self._wordnet()
        return Hierarchy.load() if folder is None else Subgraph.load(folder).hierarchy

    def _wordnet(self) -> Path | None:
        """The folder of the hierarchy; None for WordNet's own files."""
        path = self._path(self.config["wordnet"])
        return None if self.config["wordnet"] == "wordnet" and not path.exists() else path

    def _path(self, text: str) -> Path:
        return Path(os.path.normpath(self.folder / text))

    def _checksums(self) -> dict[str, str]:
        given = {name: self.config[key] for name, key in _INPUTS.items() if key in self.config}
        given.update(
            {f"semantics {name}": file for name, file in self.config.get("semantics", {}).items()}
        )
        checksums = {}
        for name, text in given.items():
            if name == "hierarchy" and self._wordnet() is None:
                assert self.hierarchy
                whole = json.dumps(dict(self.hierarchy.provenance), sort_keys=True)
                checksums[name] = sha256_text(whole)
            else:
                checksums[name] = _checksum(self._path(text))
        return checksums


def _checksum(path: Path) -> str:
    """Checksum of a file, or of a folder's manifest without the time and the versions it was
    written with."""
    if not path.is_dir():
        return sha256(path)
    lasting = {
        key: value
        for key, value in read_json(path / MANIFEST).items()
        if key not in ("created_at", "graphzsl", "python")
    }
    return sha256_text(json.dumps(lasting, sort_keys=True))
