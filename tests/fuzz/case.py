"""One case in a process that may crash: damaged files, the reader, and what is said of its end."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.fuzz.damage.raw import bytes_
from tests.fuzz.target import Nonsense, Target

#: Kinds of an end. All but the first two are findings.
OK, REFUSED, TRACEBACK, NONSENSE, OUTSIDE, MEMORY, SLOW, CRASH = (
    *("accepted", "refused", "traceback", "nonsense accepted", "write outside"),
    *("more than 2 GB", "more than 10 s", "crash"),
)
SECONDS, MOST_MEMORY = 10.0, 2 << 30
#: What has the checksums of the other files.
MANIFEST = "manifest.json"
#: Seconds after which a case waits for something that does not come.
STUCK = 90.0
#: Letters of a message that somebody still reads.
LONGEST = 20_000
#: Where the watch of writes puts what it sees; None: it does not look.
_watched: dict[str, Any] = {"folder": None, "seen": []}
#: Events of Python that change files, and which of their arguments are paths.
_WRITES = {
    **dict.fromkeys(("os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod"), (0,)),
    **dict.fromkeys(
        ("os.rename", "os.link", "os.symlink", "shutil.move", "shutil.copyfile"), (0, 1)
    ),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "socket.connect"), ()),
}
#: Memory that processes could share, whose name multiprocessing takes away again at once.
_SHARED = "/dev/shm/pym-"
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    folder = _watched["folder"]
    if folder is None or (event != "open" and event not in _WRITES):
        return
    if event == "open":
        path, mode, flags = arguments
        writes = bool(set(mode or "") & set("wax+")) or bool((flags or 0) & _WRITING)
        paths = [path] if writes else []
    else:
        paths = [arguments[place] for place in _WRITES[event]]
        if not _WRITES[event]:
            _watched["seen"].append(f"{event} {arguments[:2]!r}"[:300])
    for each in paths:
        if isinstance(each, int) or each is None:
            continue
        place = os.path.realpath(os.fsdecode(each))
        if place == os.devnull or place.startswith(_SHARED):
            continue
        if not (place + os.sep).startswith(folder + os.sep):
            _watched["seen"].append(f"{event} {place}")


def watch_writes() -> None:
    """Look at every write of this process from now on."""
    sys.addaudithook(_watch)


def damaged(target: Target, whole: Path, folder: Path, rng: random.Random) -> None:
    """A copy of the target's files, of which one (seldom two) is damaged."""
    shutil.copytree(whole, folder, dirs_exist_ok=True)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    manifest = [path for path in files if path.name == MANIFEST]
    for again in range(1 if rng.random() < 0.9 else 2):
        path = rng.choice(files)
        # what was damaged once has its form no more
        change = bytes_ if again else target.change(path)
        path.write_bytes(change(path.read_bytes(), rng))
        # what a checksum refuses is not read any further
        if target.fix is not None and path not in manifest and rng.random() < 0.95:
            target.fix(folder)


def attempt(work: Callable[[], None]) -> tuple[str, str]:
    """(kind of its end, what is said of it) of what is done in this process."""
    from hypothesis.errors import HypothesisException

    from graphzsl.common import GraphZSLError

    try:
        work()
    except GraphZSLError as error:
        said = str(error)
        if len(said) > LONGEST:
            return NONSENSE, f"a message of {len(said):,} letters: {said[:300]}"
        return REFUSED, said
    except Nonsense:
        return NONSENSE, traceback.format_exc(limit=-6)
    except (KeyboardInterrupt, HypothesisException):
        raise
    except BaseException as error:  # anything else is what is looked for
        if type(error).__module__.startswith("hypothesis"):
            raise
        return TRACEBACK, traceback.format_exc(limit=-12)
    return OK, ""


def read(target: Target, folder: Path) -> tuple[str, str]:
    """The same of one case: its reader, and the check of what that accepts."""
    before, of_children = _most_memory()
    _watched["folder"], _watched["seen"] = os.path.realpath(folder), []
    try:
        kind, said = attempt(lambda: target.check(target.read(folder)))
    finally:
        _watched["folder"] = None
    if _watched["seen"]:
        kind, said = OUTSIDE, "\n".join(_watched["seen"][:20])
    after, children_after = _most_memory()
    # a forked child begins with what this process has
    largest = max(after, children_after if children_after > of_children else 0)
    if (largest - before) * 1024 > MOST_MEMORY:
        kind, said = MEMORY, f"{(largest - before) >> 10:,} MB"
    return kind, said


def _most_memory() -> tuple[int, int]:
    """Most kilobytes of this process, and of a child that has ended, so far."""
    usages = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    own, children = (resource.getrusage(each).ru_maxrss for each in usages)
    return own, children
