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

import importlib
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("graphzsl", "cypher", "tests", "docs", "README.md", "pyproject.toml")
#: Imported once, before a process is forked for every mutant: most of a test's time would go there.
SLOW_TO_IMPORT = (
    "torch",
    "torch_geometric.nn",
    "scipy.stats",
    "sklearn.svm",
    "sklearn.linear_model",
    "neo4j",
    "nltk",
    "hypothesis",
)
#: pytest's exit status when tests ran and some failed.
FAILED = 1
#: Seconds after which a mutant counts as killed: it made the tests hang.
LIMIT = 600

#: what to try (None is the unchanged code), by which tests
Trial = tuple["Mutant | None", tuple[str, ...]]
#: (the trial, pytest's exit status, the end of what it printed)
Verdict = tuple[Trial, int, str]


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


def main(areas: list[str]) -> int:
    """Try the mutants of the areas (all when none is named); the number of survivors and mistakes decides the exit status."""
    folder = Path(__file__).parent
    files = [folder / f"{area}.toml" for area in areas] or sorted(folder.glob("*.toml"))
    unknown = [file.stem for file in files if not file.is_file()]
    if unknown:
        known = ", ".join(sorted(file.stem for file in folder.glob("*.toml")))
        print(f"There is no list {unknown[0]!r}; there are {known}.", file=sys.stderr)
        return 2
    mutants = [mutant for file in files for mutant in read(file)]
    for name in SLOW_TO_IMPORT:
        importlib.import_module(name)
    unchanged: list[Trial] = [(None, tests) for tests in sorted({mutant.tests for mutant in mutants})]
    for (_, tests), status, text in tried(unchanged):
        if status:
            print(f"The tests {' '.join(tests)} do not pass on the unchanged code:\n{text}", file=sys.stderr)
            return 3
    counts = {"killed": 0, "SURVIVED": 0, "MISTAKE": 0}
    for number, ((mutant, _), status, text) in enumerate(tried([(each, each.tests) for each in mutants]), 1):
        assert mutant
        verdict = {FAILED: "killed", 0: "SURVIVED"}.get(status, "MISTAKE")
        counts[verdict] += 1
        print(f"[{number}/{len(mutants)}] {verdict}  {mutant.area}: {mutant.file}: {mutant.why}", flush=True)
        if verdict == "MISTAKE":
            print(text, file=sys.stderr)
    print(f"{len(mutants)} mutants, {counts['SURVIVED']} survived, {counts['MISTAKE']} could not be tried.")
    return 3 if counts["SURVIVED"] or counts["MISTAKE"] else 0


def tried(trials: Sequence[Trial]) -> Iterator[Verdict]:
    """Every trial's verdict, as they come: one worker a core, each with a copy of the checkout of its own."""
    fork = get_context("fork")
    waiting: Queue[Trial | None] = fork.Queue()
    verdicts: Queue[Verdict] = fork.Queue()
    workers = [fork.Process(target=_work, args=(waiting, verdicts)) for _ in range(os.cpu_count() or 1)]
    for trial in [*trials, *[None] * len(workers)]:
        waiting.put(trial)
    for worker in workers:
        worker.start()
    for _ in trials:
        yield verdicts.get()
    for worker in workers:
        worker.join()


def _work(waiting: Queue[Trial | None], verdicts: Queue[Verdict]) -> None:
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        copy = _copy(Path(name))
        while (trial := waiting.get()) is not None:
            mutant, tests = trial
            path = copy / (mutant.file if mutant else "README.md")
            original = path.read_text(encoding="utf-8")
            if mutant:
                path.write_text(original.replace(mutant.find, mutant.replace), encoding="utf-8")
            verdicts.put((trial, *_pytest(copy, tests)))
            path.write_text(original, encoding="utf-8")


def _copy(folder: Path) -> Path:
    """A copy of what the tests need, with the reference data beside it."""
    copy = folder / "main"
    copy.mkdir()
    for each in COPIED:
        source = ROOT / each
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / each)  # type: ignore[operator]
    reference = ROOT.parent / "shared"
    if reference.exists():
        (folder / "shared").symlink_to(reference)
    return copy


def _pytest(folder: Path, tests: tuple[str, ...]) -> tuple[int, str]:
    """(pytest's exit status, the end of what it printed) of a process of its own; a run past the limit counts as a failed test."""
    output = folder.parent / "output"
    process = get_context("fork").Process(target=_child, args=(folder, tests, output))
    process.start()
    process.join(LIMIT)
    if process.is_alive():
        process.kill()
        process.join()
        return FAILED, "ran past the limit"
    text = output.read_text(encoding="utf-8", errors="replace")
    return process.exitcode if process.exitcode is not None else -1, text[-4000:]


def _child(folder: Path, tests: tuple[str, ...], output: Path) -> None:
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("graphzsl", "tests")]:
        del sys.modules[name]
    os.environ["PYTHONPATH"] = str(folder)  # for tests that start a process
    os.chdir(folder)
    arguments = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "--hypothesis-profile=mutants", *tests]
    with output.open("w", encoding="utf-8") as file, redirect_stdout(file), redirect_stderr(file):
        status = int(pytest.main(arguments))
    os._exit(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
