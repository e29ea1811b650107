"""The fuzzer finds a fault of each kind that is planted, repeats it, and finds none where there is
none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: A reader that does what the file says; each line is a target's.
PLANTED = '''
import os
import sys
import time
from pathlib import Path

from graphzsl.errors import DataError
from tests.fuzz import case, run
from tests.fuzz.targets import Nonsense, Target

case.SECONDS, case.MOST_MEMORY = 1.0, 300 << 20


def crash(folder):
    os.abort()


def hang(folder):
    while True:
        pass


def memory(folder):
    return bytearray(b"x") * (600 << 20)


def outside(folder):
    (folder.parent / "elsewhere.txt").write_text("x")


def beside(folder):
    os.open(str(folder.parent.parent / "beside.txt"), os.O_WRONLY | os.O_TRUNC)


def nonsense(value):
    raise Nonsense("no sense")


def traceback(folder):
    return {}["key"]


def refused(folder):
    raise DataError("refused")


def make(folder):
    (folder / "a.txt").write_text("some text")


def plant(do):
    """The fault, where the file was damaged."""
    whole = "some text"

    def read(folder):
        path = folder / "a.txt"
        if path.read_bytes() != whole.encode():
            return do(folder)

    return read


FAULTS = {
    case.CRASH: crash, case.SLOW: hang, case.MEMORY: memory, case.TRACEBACK: traceback,
    case.REFUSED: refused, case.OUTSIDE: outside, "beside": beside,
}
out = Path(sys.argv[1])
for kind, do in FAULTS.items():
    fuzzer = run.Fuzzer(out, 0, (Target(kind, make, plant(do)),))
    fuzzer.make()
    ends = fuzzer.run(lambda tally: bool(tally.findings) or kind == case.REFUSED, lambda tally: 0)
    fuzzer.close()
    print(kind, "->", *sorted({each["kind"] for each in ends.findings}), sep="|")
sensible = []
judge = lambda value: sensible.append(1) or (nonsense(value) if len(sensible) > 1 else None)
fuzzer = run.Fuzzer(out, 0, (Target("judged", make, lambda folder: 1, judge),))
fuzzer.make()
ends = fuzzer.run(lambda tally: bool(tally.findings), lambda tally: 0)
fuzzer.close()
print("nonsense", "->", *sorted({each["kind"] for each in ends.findings}), sep="|")
'''


def test_planted_faults_are_found(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(PLANTED)
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, str(tmp_path / "planted.py"), str(tmp_path / "out")],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(root), "GRAPHZSL_FUZZ_LIGHT": "1"},
        check=False,
    )
    assert not done.returncode, done.stderr
    found = dict(line.split("|->|") for line in done.stdout.splitlines() if line.count("|") > 1)
    assert found == {
        "crash": "crash",
        "more than 10 s": "more than 10 s",
        "more than 2 GB": "more than 2 GB",
        "traceback": "traceback",
        "write outside": "write outside",
        "beside": "write outside",
        "nonsense": "nonsense accepted",
    }
    assert "refused|->" in done.stdout, "an error of graphzsl is no finding"
    assert list((tmp_path / "out" / "findings").glob("*.json"))


def test_a_seed_makes_the_same_cases(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    import random

    from tests.fuzz.case import damaged
    from tests.fuzz.targets import TARGETS

    target = next(each for each in TARGETS if each.name == "predictions, csv")
    whole = tmp_path / "whole"
    whole.mkdir()
    target.make(whole)
    made = []
    for again in range(2):
        folder = tmp_path / str(again)
        damaged(target, whole, folder, random.Random("1 case 7"))
        made.append((folder / "p.csv").read_bytes())
    assert made[0] == made[1] != (whole / "p.csv").read_bytes()
