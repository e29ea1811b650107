"""``python -m tests.mutants [AREA …]``: apply each mutant to a copy of the checkout, run its tests, print the survivors.

An area is a file ``tests/mutants/AREA.toml``::

    tests = ["tests/unit/test_metrics.py"]     # what runs for every mutant of the file

    [[mutant]]
    file = "graphzsl/metrics.py"
    why = "ties count for the model"
    find = "scores >= true[:, None]"           # stands exactly once in the file
    replace = "scores > true[:, None]"
    tests = ["tests/unit/test_predictions.py"] # optional: instead of the file's

A mutant is killed when pytest reports a failed test. The tests must pass on the unchanged copy first, and an error
before any test ran (a mutant that cannot be imported, a file without tests) is a mistake in the list, not a kill.
Exit status 3 when a mutant survives or a list is wrong.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("graphzsl", "cypher", "tests", "docs", "README.md", "pyproject.toml")
#: pytest's exit status when tests ran and some failed.
FAILED = 1
#: Seconds after which a mutant counts as killed: it made the tests hang.
LIMIT = 600


@dataclass(frozen=True)
class Mutant:
    """One change of one file, and the tests that must notice it."""

    area: str
    file: str
    why: str
    find: str
    replace: str
    tests: tuple[str, ...]


def read(path: Path) -> list[Mutant]:
    """The mutants of a list; ValueError names one whose text does not stand exactly once in its file."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    mutants = []
    for entry in found["mutant"]:
        text = (ROOT / entry["file"]).read_text(encoding="utf-8")
        count = text.count(entry["find"])
        if count != 1:
            raise ValueError(f"{path.name}: {entry['find']!r} stands {count} times in {entry['file']}, not once.")
        if entry["find"] == entry["replace"]:
            raise ValueError(f"{path.name}: {entry['why']!r} changes nothing.")
        tests = tuple(entry.get("tests", found["tests"]))
        mutants.append(Mutant(path.stem, entry["file"], entry["why"], entry["find"], entry["replace"], tests))
    return mutants


def run(folder: Path, tests: tuple[str, ...]) -> tuple[int, str]:
    """(pytest's exit status, the end of what it printed); a run past the limit counts as a failed test."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "--hypothesis-profile=mutants",
        *tests,
    ]
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return FAILED, "ran past the limit"
    return done.returncode, done.stdout[-2000:] + done.stderr[-2000:]


def main(areas: list[str]) -> int:
    """Run the mutants of the areas (all when none is named); the number of survivors and mistakes decides the exit status."""
    folder = Path(__file__).parent
    files = [folder / f"{area}.toml" for area in areas] or sorted(folder.glob("*.toml"))
    mutants = [mutant for file in files for mutant in read(file)]
    survivors, mistakes = [], []
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        copy = Path(name) / "main"
        copy.mkdir()
        for each in COPIED:
            source = ROOT / each
            (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / each)  # type: ignore[operator]
        reference = ROOT.parent / "shared"
        if reference.exists():
            (Path(name) / "shared").symlink_to(reference)
        for tests in sorted({mutant.tests for mutant in mutants}):
            status, text = run(copy, tests)
            if status:
                print(f"The tests {' '.join(tests)} do not pass on the unchanged code:\n{text}", file=sys.stderr)
                return 3
        for number, mutant in enumerate(mutants, 1):
            path = copy / mutant.file
            original = path.read_text(encoding="utf-8")
            path.write_text(original.replace(mutant.find, mutant.replace), encoding="utf-8")
            status, text = run(copy, mutant.tests)
            path.write_text(original, encoding="utf-8")
            verdict = {FAILED: "killed", 0: "SURVIVED"}.get(status, "MISTAKE")
            print(f"[{number}/{len(mutants)}] {verdict}  {mutant.area}: {mutant.file}: {mutant.why}", flush=True)
            if verdict == "SURVIVED":
                survivors.append(mutant)
            if verdict == "MISTAKE":
                mistakes.append(mutant)
                print(text, file=sys.stderr)
    print(f"{len(mutants)} mutants, {len(survivors)} survived, {len(mistakes)} could not be tried.")
    return 3 if survivors or mistakes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
