"""A finding's case once more, in a process that is watched as those of a run are."""

from __future__ import annotations

import base64
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from tests.fuzz import case, structures
from tests.fuzz.follow import Tell, in_child
from tests.fuzz.prepared import prepare
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS


def repeat(path: Path, targets: tuple[Target, ...] = TARGETS) -> tuple[str, str]:
    """(kind of its end, what is said of it) of the case of a finding's file."""
    finding = json.loads(path.read_text())
    prepare()
    found: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory(prefix="graphzsl-fuzz-") as folder:

        def work(tell: Tell) -> None:
            tell(start=0)
            if finding["files"] is None:
                ends = structures.batch(finding["seed"], finding["case"], lambda: tell(start=0))
            else:
                target = next(each for each in targets if each.name == finding["target"])
                ends = iter([_read(target, finding["files"], Path(folder))])
            for kind, said in ends:
                tell(kind=kind, said=said)

        def note(told: dict[str, Any]) -> None:
            found.append((told["kind"], told["said"]))

        _, ended = in_child(work, note)
    wrong = [end for end in found if end[0] not in (case.OK, case.REFUSED)]
    return ended or next(iter([*wrong, *reversed(found)]), (case.OK, ""))


def _read(target: Target, files: dict[str, str], folder: Path) -> tuple[str, str]:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b85decode(content))
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    os.chdir(folder)
    return case.read(target, folder)
