"""`make fuzz ARGS="--minutes 10 --seed 1"`: damaged files and made-up structures for every reader.

Ends with status 1 where there is a finding; each is a file, which ``--repeat FILE`` runs again.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ["NO_COLOR"] = "1"
sys.dont_write_bytecode = True


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, help="How long (default: 2, or to the end of --everywhere)."
    )
    parser.add_argument("--cases", type=int, default=0, help="Stop after so many cases, too.")
    parser.add_argument("--seed", type=int, default=0, help="Of all cases (default: 0).")
    parser.add_argument(
        "--everywhere",
        action="store_true",
        help="Not by chance: every unlikely value at every place of every file, each once.",
    )
    parser.add_argument("--only", default="", help="Formats whose names hold this alone.")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="For findings.")
    parser.add_argument("--repeat", type=Path, help="The file of a finding: run it again.")
    options = parser.parse_args()
    from tests.fuzz.repeat import repeat
    from tests.fuzz.run import Fuzzer, Sweeper, Tally, progress_line, say_progress
    from tests.fuzz.targets import TARGETS

    if options.repeat:
        kind, said = repeat(options.repeat)
        print(f"{kind}\n{said}")
        return int(kind not in ("accepted", "refused"))
    targets = (
        tuple(each for each in TARGETS if options.only in each.name) if options.only else TARGETS
    )
    fuzzer = (Sweeper if options.everywhere else Fuzzer)(options.out, options.seed, targets)

    minutes = options.minutes or (float("inf") if options.everywhere else 2.0)

    def enough(tally: Tally) -> bool:
        count = sum(tally.cases.values())
        return tally.seconds > 60 * minutes or 0 < options.cases <= count

    try:
        fuzzer.make()
        tally = fuzzer.run(enough, say_progress)
    finally:
        fuzzer.close()
    print(f"\n{progress_line(tally)}; seed {options.seed}")
    for name, count in sorted(tally.cases.items()):
        share = tally.accepted[name] / max(count, 1)
        print(f"  {name:28} {count:8,}  {share:4.0%} accepted")
    alike = Counter((each["target"], each["kind"], each["said"][-300:]) for each in tally.findings)
    firsts = {(e["target"], e["kind"], e["said"][-300:]): e for e in reversed(tally.findings)}
    for key, times in alike.most_common():
        each = firsts[key]
        print(f"\n{each['kind']}: {each['target']}, {times} times\n{each['said']}")
        print(f"Repeat: python -m tests.fuzz --repeat {each['file']}")
    return int(bool(tally.findings))


if __name__ == "__main__":
    sys.exit(main())
