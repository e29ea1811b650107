"""The core alone, in an environment of its own: what it weighs, and what works there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphzsl.common import EXTRAS, Settings, manifest
from graphzsl.data import save_subgraph
from graphzsl.data.subgraph import KIND
from graphzsl.database import Database, LocalServer, query
from tests.problems import mini_subgraph

pytestmark = pytest.mark.thorough("the package as it is installed")

ROOT = Path(__file__).resolve().parents[2]
#: What uv and pip say where no package index can be reached.
OFFLINE = ("dns error", "Failed to fetch", "NewConnectionError", "name resolution")
UV = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")


def _run(*command: str | Path, cwd: Path, **given: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": "", **given},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment, ``env``, that has the wheel and its dependencies alone, in the
    versions of requirements.txt."""
    folder = tmp_path_factory.mktemp("light")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    made = _run(*build, cwd=folder)
    assert not made.returncode, made.stderr
    (wheel,) = folder.glob("*.whl")
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    versions = [line.removesuffix("\\") for line in lines if line[:1].isalnum()]
    (folder / "versions.txt").write_text("\n".join(versions))
    python = folder / "env" / "bin" / "python"
    if UV:
        steps = [
            [UV, "venv", "--quiet", "--python", sys.executable, "env"],
            [UV, "pip", "install", "--python", python, "--constraint", "versions.txt", wheel],
        ]
    else:
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-compile"]
        steps = [
            [sys.executable, "-m", "venv", "--without-pip", "env"],
            [*pip, "--constraint", "versions.txt", wheel],
        ]
    for step in steps:
        done = _run(*step, cwd=folder)
        if done.returncode and any(sign in done.stderr for sign in OFFLINE):
            pytest.skip("no package index can be reached")
        assert not done.returncode, done.stderr
    # as pip does by itself and uv does not; what it cannot compile it leaves
    _run(python, "-m", "compileall", "-q", "env", cwd=folder)
    files = (path for path in (folder / "env").rglob("*") if not path.is_symlink())
    (folder / "bytes").write_text(str(sum(path.stat().st_size for path in files)))
    return folder


def test_the_core_is_as_light_as_the_readme_says(environment: Path) -> None:
    stated = re.search(r"to download, ([\d.]+) GB on disk", (ROOT / "README.md").read_text())
    assert stated
    size = int((environment / "bytes").read_text()) / 1e9
    assert size == pytest.approx(float(stated[1]), abs=0.05)
    packages = next((environment / "env").glob("lib/python*/site-packages"))
    assert not [
        module
        for modules in EXTRAS.values()
        for module in modules
        if (packages / module).exists() or (packages / f"{module}.py").exists()
    ]


def test_the_core_works_alone(environment: Path) -> None:
    """Help, the list of models, audits of outside predictions, a comparison and a report; what is
    missing is said."""
    graphzsl = environment / "env" / "bin" / "graphzsl"
    graph = mini_subgraph()
    save_subgraph(replace(graph, manifest=manifest(KIND)), environment / "graph")
    random = np.random.default_rng(0)
    ranked = ["label,top1,top2"]
    for place in range(30):
        first, second = random.choice(len(graph.wnids), 2, replace=False)
        ranked.append(f"{graph.wnids[place]},{graph.wnids[first]},{graph.wnids[second]}")
    (environment / "outside.csv").write_text("\n".join(ranked))
    audit = "audit outside.csv --wordnet graph --out {}.json"
    for command, said in {
        "--help": "Zero-shot recognition",
        "audit --help": "--wordnet",
        "train --list": "eszsl",
        audit.format("one"): "hit@1",
        audit.format("two"): "hit@1",
        "evaluate compare one.json two.json": "two.json",
        "report one.json two.json --out report.html": "2 runs in report.html",
    }.items():
        done = _run(graphzsl, *command.split(), cwd=environment)
        assert not done.returncode, f"{command}: {done.stderr}"
        assert said in done.stdout + done.stderr, command
    assert "hit@1" in (environment / "report.html").read_text()
    # an empty home, no network and no server
    home = environment / "home"
    home.mkdir()
    away = dict.fromkeys(("HTTPS_PROXY", "https_proxy", "HTTP_PROXY"), "http://127.0.0.1:9")
    away |= {"HOME": str(home), "XDG_CACHE_HOME": str(home), "XDG_DATA_HOME": str(home)}
    for command, said in {
        "audit sample --format table": "screen.n.03",
        "look boston_terrier.n.01": "boston_bull.n.01",
        "picture hops-1 --out hops.html": "hops.html",
    }.items():
        done = _run(graphzsl, *command.split(), cwd=environment, **away)
        assert not done.returncode, f"{command}: {done.stderr}"
        assert said in done.stdout + done.stderr, command
    assert not [each for each in home.rglob("*") if each.is_file()], "nothing is fetched or cached"
    glosses = "semantics lsi --graph graph --out glosses.safetensors"
    done = _run(graphzsl, *glosses.split(), cwd=environment)
    assert done.returncode == 1
    assert done.stderr == (
        "Error: This needs gensim, which is not installed: pip install 'graphzsl[models]'.\n"
    )


def test_the_core_reads_a_database_makes_splits_and_builds_benchmarks(
    environment: Path, mini_database: Database, mini_settings: Settings
) -> None:
    server = {
        "NEO4J_URI": mini_database.uri,
        "NEO4J_USERNAME": "neo4j",
        "NEO4J_PASSWORD": LocalServer(mini_settings).password(),
    }
    (environment / "small.toml").write_text(
        'name = "small"\ntrain = "train"\nuniverse = "universe"\n'
    )
    between = "--train train --universe"
    for command, said in {
        f"split hops --max-hops 1 {between} universe --name near": "near",
        "split report near --train train": "ratio",
        f"export closest {between} near --out closest.jsonl": "closest.jsonl",
        "query run hop_split -p train=train -p universe=universe -p max_hops=1": "wnid",
        "study words polysemy --universe universe": "other synsets",
        "split build small.toml": "small",
    }.items():
        done = _run(
            environment / "env" / "bin" / "graphzsl", *command.split(), cwd=environment, **server
        )
        assert not done.returncode, f"{command}: {done.stderr}"
        assert said in done.stdout + done.stderr, command
    known = {row["name"] for row in mini_database.rows(query("class_sets"))}
    assert known >= {"near", "small"}


def test_importing_the_package_takes_no_heavy_library(environment: Path) -> None:
    code = (
        "import sys, graphzsl, graphzsl.cli;"
        "print(sorted({'torch', 'neo4j', 'pandas', 'scipy', 'pyarrow', 'numpy'} & {*sys.modules}))"
    )
    done = _run(environment / "env" / "bin" / "python", "-c", code, cwd=environment)
    assert done.stdout.strip() == "[]", done.stderr
