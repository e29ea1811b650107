"""``python -m tests.mutants [AREA …]``: apply each mutant to a copy of the checkout, run its tests,
print the survivors.

An area is a file ``tests/mutants/AREA.toml``::

    tests = ["tests/metrics/test_metrics.py"]     # what runs for every mutant of the file

    [[mutant]]
    file = "graphzsl/metrics/ranking.py"
    why = "ties count for the model"
    find = "scores >= true[:, None]"           # stands exactly once in the file
    replace = "scores > true[:, None]"
    tests = ["tests/audit/test_predictions.py"] # optional: instead of the file's

A mutant is killed when pytest reports a failed test. The tests must pass on the unchanged copy
first, and an error before any test ran (a mutant that cannot be imported, a file without tests, a
process that cannot start pytest) is a mistake in the list, not a kill. Survivors and mistakes are
printed again at the end. Exit status 3 when there is one, or when a worker process dies, which ends
the run.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import tempfile
import tomllib
import traceback
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty

import psutil
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
#: The exit status of a process that fails itself, outside pytest, whose own are 0 to 5.
UNABLE = 70
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

    def __str__(self) -> str:
        return f"{self.area}: {self.file}: {self.why}"


class WorkerDied(RuntimeError):
    """A worker process ended before it gave its verdict."""


def read(path: Path) -> list[Mutant]:
    """The mutants of a list; ValueError names one whose text does not stand exactly once in its
    file."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    mutants = []
    for entry in found["mutant"]:
        text = (ROOT / entry["file"]).read_text(encoding="utf-8")
        count = text.count(entry["find"])
        if count != 1:
            raise ValueError(
                f"{path.name}: {entry['find']!r} stands {count} times in {entry['file']}, not once."
            )
        if entry["find"] == entry["replace"]:
            raise ValueError(f"{path.name}: {entry['why']!r} changes nothing.")
        tests = tuple(entry.get("tests", found["tests"]))
        mutants.append(
            Mutant(path.stem, entry["file"], entry["why"], entry["find"], entry["replace"], tests)
        )
    return mutants


def main(areas: list[str]) -> int:
    """Try the mutants of the areas (all when none is named); the number of survivors and mistakes
    decides the exit status."""
    folder = ROOT / "tests" / "mutants"
    files = [folder / f"{area}.toml" for area in areas] or sorted(folder.glob("*.toml"))
    unknown = [file.stem for file in files if not file.is_file()]
    if unknown:
        known = ", ".join(sorted(file.stem for file in folder.glob("*.toml")))
        print(f"There is no list {unknown[0]!r}; there are {known}.", file=sys.stderr)
        return 2
    mutants = [mutant for file in files for mutant in read(file)]
    for name in SLOW_TO_IMPORT:
        importlib.import_module(name)
    unchanged: list[Trial] = [
        (None, tests) for tests in sorted({mutant.tests for mutant in mutants})
    ]
    for (_, tests), status, text in tried(unchanged):
        if status:
            print(
                f"The tests {' '.join(tests)} do not pass on the unchanged code:\n{text}",
                file=sys.stderr,
            )
            return 3
    found: dict[str, list[Mutant]] = {"killed": [], "SURVIVED": [], "MISTAKE": []}
    try:
        for number, ((mutant, _), status, text) in enumerate(
            tried([(each, each.tests) for each in mutants]), 1
        ):
            assert mutant
            verdict = {FAILED: "killed", 0: "SURVIVED"}.get(status, "MISTAKE")
            found[verdict].append(mutant)
            print(f"[{number}/{len(mutants)}] {verdict}  {mutant}", flush=True)
            if verdict == "MISTAKE":
                print(text, file=sys.stderr)
    except WorkerDied as error:
        print(error, file=sys.stderr)
    for verdict in ("SURVIVED", "MISTAKE"):
        for mutant in found[verdict]:
            print(f"{verdict}  {mutant}")
    left = len(mutants) - sum(len(each) for each in found.values())
    not_tried = f", {left} not tried" if left else ""
    print(
        f"{len(mutants)} mutants, {len(found['SURVIVED'])} survived, {len(found['MISTAKE'])} could"
        f" not be tried{not_tried}."
    )
    return 0 if len(found["killed"]) == len(mutants) else 3


def tried(trials: Sequence[Trial]) -> Iterator[Verdict]:
    """Every trial's verdict, as they come: one worker a core, each with a copy of the checkout of
    its own. WorkerDied when one does."""
    fork = get_context("fork")
    waiting: Queue[Trial | None] = fork.Queue()
    verdicts: Queue[Verdict] = fork.Queue()
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folders = [Path(name) / str(number) for number in range(os.cpu_count() or 1)]
        workers = [
            fork.Process(target=_work, args=(folder, waiting, verdicts)) for folder in folders
        ]
        for trial in [*trials, *[None] * len(workers)]:
            waiting.put(trial)
        try:
            for worker in workers:
                worker.start()
            for _ in trials:
                yield _next(verdicts, workers)
            for worker in workers:
                worker.join()
        finally:
            waiting.cancel_join_thread()
            for worker in workers:
                _end(worker)


def _next(verdicts: Queue[Verdict], workers: Sequence[BaseProcess]) -> Verdict:
    """The next verdict. A worker that ends early leaves its mutant without one: WorkerDied, as soon
    as no other verdict is there."""
    while True:
        died = [worker.exitcode for worker in workers if worker.exitcode]
        try:
            return verdicts.get(timeout=1)
        except Empty:
            if died:
                raise WorkerDied(
                    f"A worker ended with status {died[0]} before it gave a verdict."
                ) from None


def _end(worker: BaseProcess) -> None:
    """End a worker that still runs, and the tests that it runs."""
    if worker.pid is None or not worker.is_alive():
        return
    for process in psutil.Process(worker.pid).children(recursive=True):
        process.kill()
    worker.kill()
    worker.join()


def _work(folder: Path, waiting: Queue[Trial | None], verdicts: Queue[Verdict]) -> None:
    copy = _copy(folder)
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
    copy.mkdir(parents=True)
    for each in COPIED:
        source = ROOT / each
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / each)  # type: ignore[operator]
    reference = ROOT.parent / "shared"
    if reference.exists():
        (folder / "shared").symlink_to(reference)
    return copy


def _pytest(folder: Path, tests: tuple[str, ...]) -> tuple[int, str]:
    """(pytest's exit status, the end of what it printed) of a process of its own; a run past the
    limit counts as a failed test."""
    output = folder.parent / "output"
    output.unlink(missing_ok=True)
    process = get_context("fork").Process(target=_child, args=(folder, tests, output))
    process.start()
    process.join(LIMIT)
    if process.is_alive():
        process.kill()
        process.join()
        return FAILED, "ran past the limit"
    text = output.read_text(encoding="utf-8", errors="replace") if output.exists() else ""
    return process.exitcode if process.exitcode is not None else -1, text[-4000:]


def _child(folder: Path, tests: tuple[str, ...], output: Path) -> None:
    status = UNABLE
    try:
        with (
            output.open("w", encoding="utf-8") as file,
            redirect_stdout(file),
            redirect_stderr(file),
        ):
            try:
                status = _tests(folder, tests)
            except BaseException:  # noqa: BLE001 - a worker that fails is told apart by its status
                traceback.print_exc()
    finally:
        os._exit(status)


def _tests(folder: Path, tests: tuple[str, ...]) -> int:
    """pytest's exit status in this process, with the package of the copy."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("graphzsl", "tests")]:
        del sys.modules[name]
    os.environ["PYTHONPATH"] = str(folder)  # for tests that start a process
    os.chdir(folder)
    arguments = [
        "-x",
        "-q",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "--hypothesis-profile=mutants",
        *tests,
    ]
    return int(pytest.main(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
