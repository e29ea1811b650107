"""graphzsl: a knowledge service for zero-shot recognition over WordNet and ImageNet, on Neo4j.

The names below are imported when they are first used::

    import graphzsl as gz

    with gz.connect() as db:
        split = gz.hop_split(db, max_hops=2)
        closest = gz.closest_classes(db, split)
    result = gz.evaluate("clip.csv", train="ilsvrc2012", wordnet="wordnet")
    model = gz.train("eszsl", gz.read_xlsa17("xlsa17/data/AWA2"))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import graphzsl.ilsvrc.papers as papers
    import graphzsl.metrics.hierarchy as hierarchical
    from graphzsl.audit.evaluation import Evaluation as Evaluation
    from graphzsl.audit.evaluation import evaluate as evaluate
    from graphzsl.audit.prediction_files import read_predictions as read_predictions
    from graphzsl.audit.predictions import Predictions as Predictions
    from graphzsl.clip.head import clip_head as clip_head
    from graphzsl.clip.run import run_clip as run_clip
    from graphzsl.common.errors import DatabaseError as DatabaseError
    from graphzsl.common.errors import DataError as DataError
    from graphzsl.common.errors import GraphZSLError as GraphZSLError
    from graphzsl.common.errors import ModelError as ModelError
    from graphzsl.common.errors import NotEnoughMemoryError as NotEnoughMemoryError
    from graphzsl.common.errors import QueryFileError as QueryFileError
    from graphzsl.common.errors import ServerError as ServerError
    from graphzsl.common.errors import SettingsError as SettingsError
    from graphzsl.common.errors import SplitError as SplitError
    from graphzsl.common.settings import Settings as Settings
    from graphzsl.common.settings import load_settings as load_settings
    from graphzsl.data.class_matrix import ClassMatrix as ClassMatrix
    from graphzsl.data.dataset import ZeroShotDataset as ZeroShotDataset
    from graphzsl.data.samples import Samples as Samples
    from graphzsl.data.subgraph import Subgraph as Subgraph
    from graphzsl.database.client import Database as Database
    from graphzsl.database.connect import connect as connect
    from graphzsl.embeddings.formats.xlsa17 import read_xlsa17 as read_xlsa17
    from graphzsl.hierarchy.graph import Hierarchy as Hierarchy
    from graphzsl.models import register_model as register_model
    from graphzsl.models.trained import Model as Model
    from graphzsl.models.trained import load_model as load_model
    from graphzsl.models.trained import train as train
    from graphzsl.names.class_naming import class_names as class_names
    from graphzsl.names.name_check import check_names as check_names
    from graphzsl.reports.any_runs import report as report
    from graphzsl.reports.pictures.draw import picture as picture
    from graphzsl.splits.hops import hop_split as hop_split
    from graphzsl.splits.neighbourhoods import closest_classes as closest_classes
    from graphzsl.splits.neighbourhoods import hcorrect_sets as hcorrect_sets
    from graphzsl.splits.store import Split as Split
    from graphzsl.splits.store import load_split as load_split

    __version__: str

#: Public name -> the module that holds it.
_HOMES = {
    "ClassMatrix": "data.class_matrix",
    "DataError": "common.errors",
    "Database": "database.client",
    "DatabaseError": "common.errors",
    "Evaluation": "audit.evaluation",
    "GraphZSLError": "common.errors",
    "Hierarchy": "hierarchy.graph",
    "Model": "models.trained",
    "ModelError": "common.errors",
    "NotEnoughMemoryError": "common.errors",
    "Predictions": "audit.predictions",
    "QueryFileError": "common.errors",
    "Samples": "data.samples",
    "ServerError": "common.errors",
    "Settings": "common.settings",
    "SettingsError": "common.errors",
    "Split": "splits.store",
    "SplitError": "common.errors",
    "Subgraph": "data.subgraph",
    "ZeroShotDataset": "data.dataset",
    "check_names": "names.name_check",
    "class_names": "names.class_naming",
    "clip_head": "clip.head",
    "closest_classes": "splits.neighbourhoods",
    "connect": "database.connect",
    "evaluate": "audit.evaluation",
    "hcorrect_sets": "splits.neighbourhoods",
    "hop_split": "splits.hops",
    "load_model": "models.trained",
    "load_settings": "common.settings",
    "load_split": "splits.store",
    "picture": "reports.pictures.draw",
    "read_predictions": "audit.prediction_files",
    "read_xlsa17": "embeddings.formats.xlsa17",
    "register_model": "models",
    "report": "reports.any_runs",
    "run_clip": "clip.run",
    "train": "models.trained",
}

#: Public name -> the module of the package that it is.
_MODULES = {"hierarchical": "metrics.hierarchy", "papers": "ilsvrc.papers"}

__all__ = [
    "ClassMatrix",
    "DataError",
    "Database",
    "DatabaseError",
    "Evaluation",
    "GraphZSLError",
    "Hierarchy",
    "Model",
    "ModelError",
    "NotEnoughMemoryError",
    "Predictions",
    "QueryFileError",
    "Samples",
    "ServerError",
    "Settings",
    "SettingsError",
    "Split",
    "SplitError",
    "Subgraph",
    "ZeroShotDataset",
    "__version__",
    "check_names",
    "class_names",
    "clip_head",
    "closest_classes",
    "connect",
    "evaluate",
    "hcorrect_sets",
    "hierarchical",
    "hop_split",
    "load_model",
    "load_settings",
    "load_split",
    "papers",
    "picture",
    "read_predictions",
    "read_xlsa17",
    "register_model",
    "report",
    "run_clip",
    "train",
]


# Type checkers know every name from above, and so a name that is not there is an error to them.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from graphzsl.common.version import __version__

            value: Any = __version__
        elif name in _HOMES:
            try:
                value = getattr(import_module(f"graphzsl.{_HOMES[name]}"), name)
            except ModuleNotFoundError as error:
                from graphzsl.common.extras import missing

                raise missing(error) from None
        elif name in _MODULES:
            value = import_module(f"graphzsl.{_MODULES[name]}")
        else:
            raise AttributeError(f"module 'graphzsl' has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
