"""``python -m tests.farm [--rounds 500] [--seed 1]``: kill commands at random moments, see that
nothing is lost, half-written or left behind, and that the same command then succeeds.

A round takes one command of ``operations.py``, sends SIGKILL, SIGTERM or SIGINT to it, or SIGKILL
to the server under it, or to both, at a random moment of its usual time, and compares: the database
is as before or as after, files are absent, old or new, nothing of the round lives on, and the same
command again ends with what it gives when nobody disturbs it. What is drawn follows from the seed
and the round's number alone. A finding is a JSON file in ``--out`` that says how to repeat it. Exit
status 3 when there is one.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.farm.operations import OPERATIONS, Operation
from tests.farm.rounds import Farm, repeated


def main() -> int:
    parser = argparse.ArgumentParser(prog="make farm", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="at most")
    parser.add_argument("--operation", choices=OPERATIONS, action="append", help="these alone")
    parser.add_argument("--port", type=int, default=27_687)
    parser.add_argument("--out", type=Path, default=Path("farm-findings"))
    given = parser.parse_args()
    # both end it as Ctrl-C does, with its server, also where a shell has it ignored
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(130))
    chosen = [OPERATIONS[name] for name in given.operation or OPERATIONS]
    folder = Path(tempfile.mkdtemp(prefix="farm-"))
    farm = Farm(folder, given.port)
    findings, counted = 0, Counter[str]()
    begin = time.monotonic()
    try:
        farm.prepare()
        for number in range(given.first, given.first + given.rounds):
            if time.monotonic() - begin > 60 * given.minutes:
                break
            done = farm.round(drawn(chosen, given.seed, number), given.seed, number)
            counted[done.operation] += 1
            print(
                f"{number:5} {done.operation:14} {done.signal} to {done.victim:6} after"
                f" {done.moment:6.2f} s: {done.status} {'; '.join(done.wrong) or 'exact'}",
                flush=True,
            )
            if done.wrong:
                findings += 1
                given.out.mkdir(parents=True, exist_ok=True)
                path = given.out / f"{done.operation}-{given.seed}-{number}.json"
                path.write_text(json.dumps(repeated(done), indent=2))
                print(f"      {path}", flush=True)
    finally:
        farm.close()
        shutil.rmtree(folder, ignore_errors=True)
    rounds = sum(counted.values())
    print(f"{rounds} rounds in {time.monotonic() - begin:.0f} s, {findings} findings: ", end="")
    print(", ".join(f"{name} {count}" for name, count in sorted(counted.items())))
    return 3 if findings else 0


def drawn(chosen: list[Operation], seed: int, number: int) -> Operation:
    """The command of a round."""
    weights = [operation.weight for operation in chosen]
    return random.Random(f"{seed}-{number}-operation").choices(chosen, weights)[0]


if __name__ == "__main__":
    sys.exit(main())
