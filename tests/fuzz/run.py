"""Many cases: batches in processes that are forked from this one, watched from outside."""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz import case, structures
from tests.fuzz.everywhere import Made, everywhere
from tests.fuzz.follow import Tell, in_child
from tests.fuzz.prepared import prepare
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

#: Cases of one process; a fork costs as much as some ten of them.
BATCH = 100
#: Bytes of a file that are encoded at once: a multiple of four, so that the pieces join.
_PIECE = 4 << 18
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
        prepare()

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
        """Folder of the target's valid files."""
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
        last, ended = in_child(
            lambda tell: self._cases(first, end, target, own, tell),
            lambda told: self._note(told, name, tally),
        )
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

    def _cases(self, first: int, end: int, target: Target | None, own: Path, tell: Tell) -> None:
        """What the forked process does."""
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
        self,
        number: int,
        target: Target | None,
        files: dict[str, bytes] | None,
        kind: str,
        said: str,
    ) -> Finding:
        """Write a finding to a file that repeats it."""
        finding = {
            "kind": kind,
            "target": target.name if target else structures.NAME,
            "seed": self.seed,
            "case": number,
            "said": said,
            "files": None
            if files is None
            else {name: _encoded(content) for name, content in files.items()},
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


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _encoded(content: bytes) -> str:
    """As text, piece by piece: of a large file the whole takes forty times its size."""
    pieces = (content[at : at + _PIECE] for at in range(0, len(content), _PIECE))
    return "".join(base64.b85encode(piece).decode() for piece in pieces)


def progress_line(tally: Tally) -> str:
    """Line that says how far the run is."""
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
