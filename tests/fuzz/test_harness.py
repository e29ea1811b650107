"""The fuzzer finds a fault of each kind that is planted, repeats it, and finds none where there is
none."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.common.reading.pickle_files import read_plain_pickle
from tests.fuzz.repeated import REPEATED, many, nested_pickle, unknown_lines

pytestmark = pytest.mark.thorough("the tools that are run by hand")

#: A reader that does what the file says; each line is a target's.
PLANTED = '''
import os
import sys
import time
from pathlib import Path

from graphzsl.common.errors import DataError
from tests.fuzz import case, repeat, run
from tests.fuzz.target import Nonsense, Target

case.SECONDS, case.MOST_MEMORY = 1.0, 300 << 20


def crash(folder):
    os.abort()


def hang(folder):
    while True:
        pass


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def forked(work):
    """What a child does, which ends."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    os.waitpid(child, 0)


def hang_of_children(folder):
    # none of them takes a second
    while True:
        forked(lambda: burn(0.3))


def asleep(folder):
    time.sleep(1000)


def asleep_child(folder):
    forked(lambda: time.sleep(1000))


def polling(folder):
    while True:
        time.sleep(0.05)


def memory_of_a_child(folder):
    forked(lambda: memory(folder))


def memory_held_by_a_child(folder):
    forked(lambda: (held.extend(memory(folder)), hang(folder)))


held = bytearray()


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
    "children that end": hang_of_children, "asleep": asleep, "an asleep child": asleep_child,
    "polling": polling, "memory of a child": memory_of_a_child,
    "memory that a child holds": memory_held_by_a_child,
}
out = Path(sys.argv[1])
for kind, do in FAULTS.items():
    fuzzer = run.Fuzzer(out, 0, (Target(kind, make, plant(do)),))
    fuzzer.make()
    ends = fuzzer.run(lambda tally: bool(tally.findings) or kind == case.REFUSED, lambda tally: 0)
    fuzzer.close()
    again = [repeat.repeat(Path(each["file"]), fuzzer.targets)[0] for each in ends.findings]
    if kind != "beside":
        assert again == [each["kind"] for each in ends.findings], (kind, again)
    print(kind, "->", *sorted({each["kind"] for each in ends.findings}), sep="|")
    if kind in ("asleep", "an asleep child", "polling"):
        print(*[each["said"] for each in ends.findings])
sensible = []
judge = lambda value: sensible.append(1) or (nonsense(value) if len(sensible) > 1 else None)
fuzzer = run.Fuzzer(out, 0, (Target("judged", make, lambda folder: 1, judge),))
fuzzer.make()
ends = fuzzer.run(lambda tally: bool(tally.findings), lambda tally: 0)
fuzzer.close()
print("nonsense", "->", *sorted({each["kind"] for each in ends.findings}), sep="|")
'''


def _run(script: Path, out: Path) -> str:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, str(script), str(out)],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(root), "GRAPHZSL_FUZZ_LIGHT": "1"},
        check=False,
    )
    assert not done.returncode, done.stderr
    return done.stdout


def test_planted_faults_are_found(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(PLANTED)
    said = _run(tmp_path / "planted.py", tmp_path / "out")
    found = dict(line.split("|->|") for line in said.splitlines() if line.count("|") > 1)
    assert found == {
        "crash": "crash",
        "more than 10 s": "more than 10 s",
        "more than 2 GB": "more than 2 GB",
        "traceback": "traceback",
        "write outside": "write outside",
        "beside": "write outside",
        "nonsense": "nonsense accepted",
        "children that end": "more than 10 s",
        "asleep": "more than 10 s",
        "an asleep child": "more than 10 s",
        "polling": "more than 10 s",
        "memory of a child": "more than 2 GB",
        "memory that a child holds": "more than 2 GB",
    }
    assert said.count("\nasleep for 1 s without the processor\n") == 3
    assert "refused|->" in said, "an error of graphzsl is no finding"
    assert list((tmp_path / "out" / "findings").glob("*.json"))


def test_a_seed_makes_the_same_cases(tmp_path: Path) -> None:
    pytest.importorskip("torch")
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


def test_damage_by_repetition(tmp_path: Path) -> None:
    """Pickles that are whole, so that nothing but the depth of their values is wrong, and keys by
    the thousand that a document may have."""
    for seed in range(60):
        path = tmp_path / "x.pkl"
        path.write_bytes(nested_pickle(pickle.dumps({"a": 1}, 2), random.Random(seed)))
        with pytest.raises(DataError, match=r"x\.pkl: "):
            read_plain_pickle(path)
        document = tomllib.loads(unknown_lines(b'a = 1\nb = "x"\n', random.Random(seed)).decode())
        assert len(document) >= 1002
        assert document["b"] == "x"
    made = [many(b"text", random.Random(seed)) for seed in range(2000)]
    assert max(map(len, made)) > 1_000_000
    assert all(any(token * 1000 in each for each in made) for token in REPEATED)


#: Readers that fail at one value in one place.
SWEPT = """
import json
import sys
from pathlib import Path

from tests.fuzz import run
from tests.fuzz.damage.texts import VALUES
from tests.fuzz.repeated import REPEATED
from tests.fuzz.target import Target


def make(folder):
    (folder / "a.json").write_text(json.dumps({"a": {"b": [1, 2]}, "c": "x"}))


def make_text(folder):
    (folder / "a.txt").write_text("cat 1\\ndog 2")


def read(folder):
    if json.loads((folder / "a.json").read_text()) == {"a": {"b": [1, -1]}, "c": "x"}:
        return {}["key"]


def read_text(folder):
    return {"cat 1\\ndog \\u00b2".encode(): 0}.get((folder / "a.txt").read_bytes(), 1) or 1 / 0


targets = Target("json", make, read), Target("text", make_text, read_text)
sweeper = run.Sweeper(Path(sys.argv[1]), 0, targets)
sweeper.make()
ends = sweeper.run(lambda tally: False, lambda tally: 0)
sweeper.close()
print(*sorted((each["target"], each["kind"]) for each in ends.findings))
print(ends.cases["json"] - 6 * len(VALUES), (ends.cases["text"] - len(REPEATED)) % 8)
"""


def test_every_place_is_tried(tmp_path: Path) -> None:
    """By hand: 5 places of the JSON file, a value of each, one to go and one to be renamed, and the
    whole; 4 cells of the text, each replaced and followed by every token,
    and each of what is repeated behind one of them."""
    (tmp_path / "swept.py").write_text(SWEPT)
    done = _run(tmp_path / "swept.py", tmp_path / "out")
    found, counts = done.splitlines()
    assert found == "('json', 'traceback') ('text', 'traceback')"
    assert counts == "10 0"
