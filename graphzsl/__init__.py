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
    import graphzsl.hierarchical as hierarchical
    import graphzsl.papers as papers
    from graphzsl.clip.head import clip_head as clip_head
    from graphzsl.clip.run import run_clip as run_clip
    from graphzsl.data.class_matrix import ClassMatrix as ClassMatrix
    from graphzsl.data.class_naming import class_names as class_names
    from graphzsl.data.dataset import ZeroShotDataset as ZeroShotDataset
    from graphzsl.data.name_check import check_names as check_names
    from graphzsl.data.samples import Samples as Samples
    from graphzsl.data.subgraph import Subgraph as Subgraph
    from graphzsl.database.client import Database as Database
    from graphzsl.database.connect import connect as connect
    from graphzsl.errors import DatabaseError as DatabaseError
    from graphzsl.errors import DataError as DataError
    from graphzsl.errors import GraphZSLError as GraphZSLError
    from graphzsl.errors import ModelError as ModelError
    from graphzsl.errors import NotEnoughMemoryError as NotEnoughMemoryError
    from graphzsl.errors import QueryFileError as QueryFileError
    from graphzsl.errors import ServerError as ServerError
    from graphzsl.errors import SettingsError as SettingsError
    from graphzsl.errors import SplitError as SplitError
    from graphzsl.evaluation.prediction_files import read_predictions as read_predictions
    from graphzsl.evaluation.predictions import Predictions as Predictions
    from graphzsl.face.evaluation import Evaluation as Evaluation
    from graphzsl.face.evaluation import evaluate as evaluate
    from graphzsl.face.model import Model as Model
    from graphzsl.face.model import load_model as load_model
    from graphzsl.face.model import train as train
    from graphzsl.face.picture import picture as picture
    from graphzsl.face.report import report as report
    from graphzsl.formats.xlsa17 import read_xlsa17 as read_xlsa17
    from graphzsl.hierarchy.graph import Hierarchy as Hierarchy
    from graphzsl.models import register_model as register_model
    from graphzsl.settings import Settings as Settings
    from graphzsl.settings import load_settings as load_settings
    from graphzsl.splits.hops import hop_split as hop_split
    from graphzsl.splits.neighbourhoods import closest_classes as closest_classes
    from graphzsl.splits.neighbourhoods import hcorrect_sets as hcorrect_sets
    from graphzsl.splits.store import Split as Split
    from graphzsl.splits.store import load_split as load_split

    __version__: str

#: Public name -> the module that holds it.
_HOMES = {
    "ClassMatrix": "data.class_matrix",
    "DataError": "errors",
    "Database": "database.client",
    "DatabaseError": "errors",
    "Evaluation": "face.evaluation",
    "GraphZSLError": "errors",
    "Hierarchy": "hierarchy.graph",
    "Model": "face.model",
    "ModelError": "errors",
    "NotEnoughMemoryError": "errors",
    "Predictions": "evaluation.predictions",
    "QueryFileError": "errors",
    "Samples": "data.samples",
    "ServerError": "errors",
    "Settings": "settings",
    "SettingsError": "errors",
    "Split": "splits.store",
    "SplitError": "errors",
    "Subgraph": "data.subgraph",
    "ZeroShotDataset": "data.dataset",
    "check_names": "data.name_check",
    "class_names": "data.class_naming",
    "clip_head": "clip.head",
    "closest_classes": "splits.neighbourhoods",
    "connect": "database.connect",
    "evaluate": "face.evaluation",
    "hcorrect_sets": "splits.neighbourhoods",
    "hop_split": "splits.hops",
    "load_model": "face.model",
    "load_settings": "settings",
    "load_split": "splits.store",
    "picture": "face.picture",
    "read_predictions": "evaluation.prediction_files",
    "read_xlsa17": "formats.xlsa17",
    "register_model": "models",
    "report": "face.report",
    "run_clip": "clip.run",
    "train": "face.model",
}

#: Public names that are modules of the package.
_MODULES = ("hierarchical", "papers")

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
            from importlib.metadata import version

            value: Any = version("graphzsl")
        elif name in _HOMES:
            try:
                value = getattr(import_module(f"graphzsl.{_HOMES[name]}"), name)
            except ModuleNotFoundError as error:
                from graphzsl.extras import missing

                raise missing(error) from None
        elif name in _MODULES:
            value = import_module(f"graphzsl.{name}")
        else:
            raise AttributeError(f"module 'graphzsl' has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
