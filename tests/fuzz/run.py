"""Many cases: batches in processes that are forked from this one, watched from outside."""

from __future__ import annotations

import base64
import json
import os
import random
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.fuzz import case, structures, watch
from tests.fuzz.everywhere import Made, everywhere
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

#: Cases of one process; a fork costs as much as some ten of them.
BATCH = 100
#: Address space that a batch may take beside what this process has.
_ADDRESSES = 8 << 30
Finding = dict[str, Any]


@dataclass
class Tally:
    """What came of the cases."""

    cases: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0


class Fuzzer:
    """Cases of a seed, in order.

    Args:
        folder: where valid files, cases and findings lie.
        seed: of all cases.
        targets: what is read.
    """

    def __init__(self, folder: Path, seed: int, targets: tuple[Target, ...] = TARGETS):
        self.folder, self.seed, self.targets = folder.resolve(), seed, targets
        self.whole = self.folder / "whole"
        self.place = Path(tempfile.mkdtemp(prefix="graphzsl-fuzz-")).resolve()
        _prepare()

    def make(self) -> None:
        """Valid files of every target, each of which is accepted."""
        wrong = []
        for target in self.targets:
            own = self.whole_of(target)
            shutil.rmtree(own, ignore_errors=True)
            own.mkdir(parents=True)
            target.make(own)
            copy = self.place / "valid"
            shutil.copytree(own, copy)
            kind, said = case.read(target, copy)
            shutil.rmtree(copy)
            if kind != case.OK:
                wrong.append(f"{target.name}: its valid files are not read: {kind} {said}")
        if wrong:
            raise AssertionError("\n".join(wrong))

    def close(self) -> None:
        """Remove the folder of the cases."""
        shutil.rmtree(self.place, ignore_errors=True)

    def batches(self) -> Iterator[tuple[int, int, Target | None]]:
        """(number of its first case, that behind its last, target) of every batch; None:
        structures."""
        number = 0
        while True:
            rng = random.Random(f"{self.seed} {number}")
            weights = [target.weight for target in self.targets]
            everything: list[Target | None] = [*self.targets]
            if self.targets is TARGETS:
                everything, weights = [*everything, None], [*weights, 6.0]
            yield number, number + BATCH, rng.choices(everything, weights)[0]
            number += BATCH

    def damage(self, number: int, target: Target, folder: Path) -> None:
        """The target's files in a folder, damaged as the number of the case has it."""
        rng = random.Random(f"{self.seed} case {number}")
        case.damaged(target, self.whole_of(target), folder, rng)

    def whole_of(self, target: Target) -> Path:
        """Where the target's valid files are."""
        return self.whole / str(self.targets.index(target))

    def run(self, until: Callable[[Tally], bool], say: Callable[[Tally], None]) -> Tally:
        """Batches until it is enough, or there are no more."""
        tally, began = Tally(), time.monotonic()
        for first, end, target in self.batches():
            while first < end:
                first = self._batch(first, end, target, tally)
                tally.seconds = time.monotonic() - began
                if until(tally):
                    break
            tally.seconds = time.monotonic() - began
            say(tally)
            if until(tally):
                break
        return tally

    def _batch(self, first: int, end: int, target: Target | None, tally: Tally) -> int:
        """Cases in one process; the number of the case to go on with, after a finding that ended
        it."""
        name = target.name if target else structures.NAME
        own = self.place / str(first)
        own.mkdir()
        (self.place / "beside.txt").write_text("not yours")
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(reader)
                _limit()
                self._cases(first, end, target, own, writer)
                code = 0
            except Exception:  # noqa: BLE001  # this process is a copy: it ends here
                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(writer)
        last, ended = _follow(child, reader, lambda told: self._note(told, name, tally))
        if (self.place / "beside.txt").read_text() != "not yours":
            ended = (case.OUTSIDE, "a file beside the folder of the case")
        if ended is not None:
            tally.cases[name] += 1
            at = max(last, first)
            self._found(at, target, own / str(at), ended, tally)
            shutil.rmtree(own, ignore_errors=True)
            return end if target is None else at + 1
        shutil.rmtree(own, ignore_errors=True)
        return end

    def _note(self, told: dict[str, Any], name: str, tally: Tally) -> None:
        tally.cases[name] += told.get("count", 1)
        tally.accepted[name] += told["kind"] == case.OK
        if told["kind"] not in (case.OK, case.REFUSED):
            tally.findings.append(told["finding"])

    def _cases(self, first: int, end: int, target: Target | None, own: Path, pipe: int) -> None:
        """What the forked process does."""

        def tell(**said: Any) -> None:
            os.write(pipe, json.dumps(said).encode() + b"\n")

        if target is None:
            tell(start=first)
            for kind, said in structures.batch(self.seed, first, lambda: tell(start=first)):
                found = None
                if kind not in (case.OK, case.REFUSED):
                    found = self._saved(first, None, None, kind, said)
                tell(kind=kind, finding=found)
            return
        for number in range(first, end):
            folder = own / str(number)
            folder.mkdir()
            self.damage(number, target, folder)
            os.environ["TMPDIR"] = str(folder)
            tempfile.tempdir = str(folder)
            os.chdir(folder)
            saved = _files(folder)
            tell(start=number)
            kind, said = case.read(target, folder)
            found = None
            if kind not in (case.OK, case.REFUSED):
                found = self._saved(number, target, saved, kind, said)
            tell(kind=kind, finding=found)
            os.chdir(own)
            shutil.rmtree(folder, ignore_errors=True)

    def _found(
        self, number: int, target: Target | None, folder: Path, ended: tuple[str, str], tally: Tally
    ) -> None:
        files = _files(folder) if folder.is_dir() else None
        tally.findings.append(self._saved(number, target, files, *ended))

    def _saved(
        self, number: int, target: Target | None, files: dict[str, str] | None, kind: str, said: str
    ) -> Finding:
        """Write a finding to a file that repeats it."""
        finding = {
            "kind": kind,
            "target": target.name if target else structures.NAME,
            "seed": self.seed,
            "case": number,
            "said": said,
            "files": files,
        }
        folder = self.folder / "findings"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.seed}-{number}-{kind.replace(' ', '-')}.json"
        path.write_text(json.dumps(finding, indent=1))
        return {**{key: finding[key] for key in ("kind", "target", "said")}, "file": str(path)}


class Sweeper(Fuzzer):
    """Every unlikely value at every place of every target's files, each once; the seed has no part
    in it."""

    _made: list[tuple[Path, Made]]
    _start = 0

    def batches(self) -> Iterator[tuple[int, int, Target | None]]:
        """Those of one target after the other."""
        for target in self.targets:
            whole = self.whole_of(target)
            files = sorted(path for path in whole.rglob("*") if path.is_file())
            self._made = [
                (path.relative_to(whole), made) for path in files for made in everywhere(path)
            ]
            end = self._start + len(self._made)
            for first in range(self._start, end, BATCH):
                yield first, min(end, first + BATCH), target
            self._start = end

    def damage(self, number: int, target: Target, folder: Path) -> None:
        """One file of the target with one other value."""
        shutil.copytree(self.whole_of(target), folder, dirs_exist_ok=True)
        name, made = self._made[number - self._start]
        (folder / name).write_bytes(made())
        if target.fix is not None and name.name != case.MANIFEST:
            target.fix(folder)


def repeat(path: Path) -> tuple[str, str]:
    """The end of the case of a finding's file, in this process."""
    finding = json.loads(path.read_text())
    _prepare()
    if finding["files"] is None:
        ends = list(structures.batch(finding["seed"], finding["case"], lambda: None))
        return next((end for end in ends if end[0] not in (case.OK, case.REFUSED)), (case.OK, ""))
    target = next(each for each in TARGETS if each.name == finding["target"])
    with tempfile.TemporaryDirectory(prefix="graphzsl-fuzz-") as folder:
        for name, content in finding["files"].items():
            file = Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(base64.b85decode(content))
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        os.chdir(folder)
        _limit()
        began = sum(os.times()[:4])  # of children too
        kind, said = case.read(target, Path(folder))
        took = sum(os.times()[:4]) - began
        os.chdir("/")
        return (case.SLOW, f"{took:.0f} s") if took > case.SECONDS else (kind, said)


def _files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): base64.b85encode(path.read_bytes()).decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _follow(
    child: int, pipe: int, note: Callable[[dict[str, Any]], None]
) -> tuple[int, tuple[str, str] | None]:
    """(number of the last case that began, how it ended the process; None: all were done)."""
    last, waiting, began = -1, b"", time.monotonic()
    watched, base, used = psutil.Process(child), 0, 0.0
    sleep = watch.Sleep(watched)
    ended: tuple[str, str] | None = None
    while ended is None:
        ready, _, _ = select.select([pipe], [], [], 0.05)
        if ready:
            found = os.read(pipe, 1 << 20)
            if not found:
                break
            waiting += found
            *lines, waiting = waiting.split(b"\n")
            for line in lines:
                told = json.loads(line)
                if "start" in told:
                    last, began = told["start"], time.monotonic()
                    base, used = watch.memory(watched), watch.seconds(watched)
                    sleep = watch.Sleep(watched)
                else:
                    note(told)
                    began, used = time.monotonic(), watch.seconds(watched)
                    sleep = watch.Sleep(watched)
        elif watch.seconds(watched) - used > case.SECONDS:
            ended = case.SLOW, f"stopped after {case.SECONDS:g} s of the processor"
        elif sleep.lasts():
            ended = case.SLOW, f"asleep for {case.SECONDS:g} s without the processor"
        elif time.monotonic() - began > case.STUCK:
            ended = case.SLOW, f"stuck for {case.STUCK:g} s"
        elif watch.memory(watched) - base > case.MOST_MEMORY:
            ended = case.MEMORY, f"{watch.memory(watched) >> 20:,} MB"
    if ended is not None:
        for each in watch.family(watched):
            with suppress(psutil.Error):
                each.kill()
    os.close(pipe)
    _, status = os.waitpid(child, 0)
    if ended is None and status != 0:
        code = os.waitstatus_to_exitcode(status)
        ended = case.CRASH, f"signal {-code}" if code < 0 else f"exit status {code}"
    return last, ended


def _limit() -> None:
    size = psutil.Process().memory_info().vms + _ADDRESSES
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


_prepared: list[bool] = []


def _prepare() -> None:
    """What every case needs, imported once; readers that start processes fork instead."""
    if _prepared:
        return
    _prepared.append(True)
    case.watch_writes()
    if os.environ.get("GRAPHZSL_FUZZ_LIGHT"):  # targets of a test, which need none of it
        return
    import warnings

    import gensim.corpora.wikicorpus
    import gensim.models  # noqa: F401
    import pyarrow as pa
    import pyarrow.parquet
    import timm.data.readers.reader_image_in_tar
    import timm.data.readers.reader_wds  # noqa: F401
    import torch
    from PIL import Image

    import graphzsl.cli
    import graphzsl.progress
    from graphzsl.reading import child, hdf5_child, matlab_child

    warnings.simplefilter("ignore")
    Image.init()
    torch.set_num_threads(1)
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    graphzsl.progress.log = lambda *_, **__: None  # type: ignore[assignment]
    scripts = {Path(each.__file__).name: each for each in (hdf5_child, matlab_child)}
    child.start = lambda script, arguments: _Forked(scripts[script.name], arguments)  # type: ignore[assignment]


class _Forked:
    """A child of ``reading.child`` that is forked: a start of Python takes half a second."""

    def __init__(self, module: Any, arguments: list[str]):
        path, memory, seconds = arguments[0], int(arguments[1]), int(arguments[2])
        requests, self_in = os.pipe()
        self_out, answers = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self_in)
            os.close(self_out)
            code = 1
            try:
                memory += psutil.Process().memory_info().vms
                module.limit(memory, seconds)
                with os.fdopen(requests, "rb") as asked, os.fdopen(answers, "wb") as told:
                    module.serve(path, asked, told)
                code = 0
            finally:
                os._exit(code)
        os.close(requests)
        os.close(answers)
        self.stdin, self.stdout = os.fdopen(self_in, "wb"), os.fdopen(self_out, "rb")
        self.code: int | None = None

    def wait(self) -> int:
        """The exit status, as subprocess gives it."""
        if self.code is None:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def kill(self) -> None:
        """End it, when it is still there."""
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)


def progress_line(tally: Tally) -> str:
    """How far it is."""
    count = sum(tally.cases.values())
    rate = count / max(tally.seconds, 1e-9)
    found = len(tally.findings)
    return f"{count:,} cases, {rate:,.0f} a second, {found:,} finding{'s' * (found != 1)}"


def say_progress(tally: Tally) -> None:
    """The same on a terminal, in place; elsewhere now and then."""
    count = sum(tally.cases.values())
    if sys.stderr.isatty():
        print(f"\r{progress_line(tally)}", end="", file=sys.stderr, flush=True)
    elif count // 10_000 != (count - BATCH) // 10_000:
        print(progress_line(tally), file=sys.stderr, flush=True)
