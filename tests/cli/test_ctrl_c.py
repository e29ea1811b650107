"""Ctrl-C ends a command within 3 s, whatever it computes: status 130, one line, and no process
left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import tomllib
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from graphzsl.cli.interruption import ended_in_time
from tests.problems import save_sample_task
from tests.promptness import bound, kept_waiting

pytestmark = pytest.mark.thorough("commands that are stopped or killed")

ROOT = Path(__file__).parents[2]
#: Says on stdout that a function is entered, then runs the command line in this process.
WATCHED = textwrap.dedent("""
    import importlib, sys
    from graphzsl import cli

    module, name, *arguments = sys.argv[1:]
    module = importlib.import_module(module)
    function = getattr(module, name)

    def watched(*given, **named):
        print("entered", flush=True)
        return function(*given, **named)

    setattr(module, name, watched)
    cli.main(arguments)
    """)
#: Commands of the real command line that only compute: in one long call of a library, or in
#: processes of their own.
COMPUTING = textwrap.dedent("""
    import sys, time, types
    from pathlib import Path

    import click
    import numpy as np

    from graphzsl import cli


    class Plain:
        def plurals(self, lemma):
            return []

        def lemmas(self, form):
            return []


    def library():
        matrix = np.random.default_rng(0).normal(size=(3_500, 3_500))
        print("entered", flush=True)
        np.linalg.svd(matrix)


    def processes():
        from graphzsl.analysis.words import texts
        from graphzsl.analysis.words.counting import count_labels

        print("entered", flush=True)
        state = Path(sys.argv[2] + ".state")
        texts.CHUNK = 2000  # many small ones take ten seconds
        count_labels(Path(sys.argv[2]), ["dog", "hot dog"], Plain(), workers=2, state=state)


    def another_error():
        print("entered", flush=True)
        try:
            time.sleep(60)
        except BaseException:
            raise ImportError("initialization failed") from None


    sys.modules["long"] = types.ModuleType("long")
    sys.modules["long"].command = click.command()(globals()[sys.argv[1]])
    cli.main.modules["long"] = "long"
    cli.main(["long"])
    """)


def _stopped(*arguments: str, after: float, by: signal.Signals = signal.SIGINT) -> str:
    """What a process says on stderr that gets Ctrl-C, as a terminal sends it to the whole group, or
    SIGTERM, as systems send it to one process, so long after it entered the work."""
    process = subprocess.Popen(
        [sys.executable, "-c", *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout
        assert process.stdout.readline() == "entered\n", process.communicate()
        time.sleep(after)
        assert process.poll() is None, process.communicate()
        group = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        before = waited = kept_waiting(process.pid)
        sent = time.monotonic()
        (os.killpg if by == signal.SIGINT else os.kill)(process.pid, by)
        error = None
        while error is None:
            waited = max(waited, kept_waiting(process.pid))
            with suppress(subprocess.TimeoutExpired):
                error = process.communicate(timeout=0.05)[1]
            assert time.monotonic() - sent < 60
        elapsed = time.monotonic() - sent - (waited - before)
    finally:
        process.kill()
    assert process.returncode == 128 + by, error
    assert elapsed < bound()
    assert psutil.wait_procs(group, timeout=bound())[1] == []
    return error


def test_ctrl_c_ends_training(tmp_path: Path) -> None:
    save_sample_task(tmp_path)
    said = _stopped(
        WATCHED,
        "graphzsl.models.compatibility.devise",
        "fit",
        "train",
        "devise",
        "--semantics",
        f"{tmp_path}/words.safetensors",
        "--features",
        f"{tmp_path}/samples.npz",
        "--train",
        f"{tmp_path}/train.txt",
        "--candidates",
        f"{tmp_path}/test.txt",
        "--no-tune",
        "--epochs",
        "100000000",
        "--out",
        f"{tmp_path}/run",
        after=0.5,
    )
    assert said == "Stopped.\n"
    assert not (tmp_path / "run").exists()


#: What the command ``graphzsl`` does, as its installer writes it; and what ``python -m`` does.
MODULE, FUNCTION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"][
    "graphzsl"
].split(":")
WAYS_IN = {
    "graphzsl": f"import sys; from {MODULE} import {FUNCTION}; sys.exit({FUNCTION}())",
    "python -m graphzsl": (
        "import runpy; runpy.run_module('graphzsl', run_name='__main__', alter_sys=True)"
    ),
}
#: Ctrl-C comes while the module of the command line is imported.
AT_IMPORT = """
import signal, sys

class Finder:
    def find_spec(name, path=None, target=None):
        if name == "graphzsl.cli":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder)
"""


@pytest.mark.parametrize("way_in", WAYS_IN)
def test_ctrl_c_while_the_command_line_is_imported_is_one_line(way_in: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_IMPORT + WAYS_IN[way_in]],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Stopped.\n")


#: A command that a signal ends, and that leaves what Python waits for at its end.
LEAVES_MUCH = """
import signal, sys, threading, time, types
import click
from graphzsl import cli

class Much:
    def __del__(self):
        time.sleep(60)

@click.command()
def command():
    here = Much()
    {leaves}
    signal.raise_signal(signal.{name})

sys.modules["waits"] = types.SimpleNamespace(command=command)
cli.main.modules["waits"] = "waits"
sys.argv = ["graphzsl", "waits"]
"""


@pytest.mark.parametrize("way_in", WAYS_IN)
@pytest.mark.parametrize(
    "leaves",
    ["threading.Thread(target=threading.Event().wait).start()", "sys.much = Much()"],
    ids=["a thread", "a module's objects"],
)
@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_stopped_command_waits_for_nothing_that_it_leaves(
    way_in: str, leaves: str, name: str, status: int
) -> None:
    """In its functions, too, there is what takes long to be freed."""
    code = LEAVES_MUCH.replace("{name}", name).replace("{leaves}", leaves)
    done = subprocess.run(
        [sys.executable, "-c", code + WAYS_IN[way_in]],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "Stopped.\n")


@pytest.mark.parametrize("way_in", WAYS_IN)
def test_both_ways_in_are_called_graphzsl(way_in: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WAYS_IN[way_in], "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.startswith("Usage: graphzsl [OPTIONS] COMMAND"), done.stdout


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_library_that_makes_another_error_of_a_signal(by: signal.Signals) -> None:
    """As extension modules do while they are imported."""
    assert _stopped(COMPUTING, "another_error", after=0.2, by=by) == "Stopped.\n"


def test_ctrl_c_ends_one_long_call_of_a_library() -> None:
    """Python itself notices the signal only after the call, which here takes most of a minute."""
    assert _stopped(COMPUTING, "library", after=0.5) == "Stopped.\n"


@pytest.mark.parametrize(
    ("after", "by"),
    [(0.2, signal.SIGINT), (2.0, signal.SIGINT), (0.5, signal.SIGTERM)],
    ids=["while they start", "while they count", "SIGTERM"],
)
def test_ctrl_c_ends_worker_processes(tmp_path: Path, after: float, by: signal.Signals) -> None:
    text = tmp_path / "t.txt"
    text.write_text("hot dogs and a dog " * 4_000_000)
    assert _stopped(COMPUTING, "processes", str(text), after=after, by=by) == "Stopped.\n"


#: Writes a file for long, as every command does: aside, under another name.
WRITING = textwrap.dedent("""
    import sys, time, types
    from pathlib import Path

    import click

    from graphzsl import cli
    from graphzsl.common.files import atomic_write


    @click.command()
    def long():
        with atomic_write(Path(sys.argv[1])) as partial:
            partial.write_text("half")
            print("entered", flush=True)
            time.sleep(60)


    sys.modules["long"] = types.ModuleType("long")
    sys.modules["long"].command = long
    cli.main.modules["long"] = "long"
    cli.main(["long"])
    """)


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_nothing_half_written_is_left(tmp_path: Path, by: signal.Signals) -> None:
    said = _stopped(WRITING, str(tmp_path / "out.txt"), after=0.2, by=by)
    assert (said, list(tmp_path.iterdir())) == ("Stopped.\n", [])


def test_what_watches_for_ctrl_c_ends_with_the_command() -> None:
    """A command that ends in its own way is left alone, and so is the process around it (a
    notebook, a test)."""
    with pytest.raises(KeyboardInterrupt), ended_in_time(grace=0.3):
        signal.raise_signal(signal.SIGINT)
    with ended_in_time(grace=0.3):
        pass
    for thread in threading.enumerate():
        if thread.name == "ctrl-c":
            thread.join(timeout=30)
            assert not thread.is_alive()
    assert signal.set_wakeup_fd(-1) == -1, "nothing is left behind"
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_only_the_main_thread_watches() -> None:
    ended = []

    def work() -> None:
        with ended_in_time():
            ended.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(ended) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")
def test_a_forked_worker_that_is_ended_does_not_end_the_command() -> None:
    command = textwrap.dedent("""
        import os, signal, time
        from graphzsl.cli.interruption import ended_in_time
        with ended_in_time(grace=0.2):
            child = os.fork()
            if not child:
                time.sleep(60)
            time.sleep(0.3)
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)
            time.sleep(1)
        print("goes on")
        """)
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "goes on\n"), done.stderr


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_signal_in_the_middle_of_a_finalizer_is_not_lost(name: str, status: int) -> None:
    """Python drops what is raised there, with a traceback on stderr."""
    text = f"""
import signal, time, weakref
from graphzsl.cli.interruption import STATUS, ended_in_time
class Thing:
    pass
try:
    with ended_in_time(grace=60):
        thing = Thing()
        kept = weakref.ref(thing, lambda _: signal.raise_signal(signal.{name}))
        del thing
        time.sleep(50)
except KeyboardInterrupt as stop:
    print(getattr(stop, "status", STATUS))
"""
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=45, check=False
    )
    assert (done.stdout, done.stderr) == (f"{status}\n", "")


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_signal_while_a_worker_is_started(name: str, status: int) -> None:
    """At the moment at which the second process runs, and is in no list of Python's; the first has
    a chunk that fills the pipe."""
    text = f"""
import signal, sys, types
from multiprocessing import util
from graphzsl.analysis.words import counting
from graphzsl.cli.interruption import STATUS, ended_in_time

spawn, started = util.spawnv_passfds, []

def start(*given):
    started.append(spawn(*given))
    if len(started) == 3:  # the first is Python's own, which looks after the others
        signal.raise_signal(signal.{name})
    return started[-1]

if __name__ == "__main__":
    util.spawnv_passfds = start
    chunks = [(0, ("a dog and dogs " * 20_000, "", place, 1), False) for place in range(3)]
    try:
        with ended_in_time(grace=60):
            patterns = types.SimpleNamespace(forms=[b"dog"], match_case=False)
            list(counting._counted(chunks, patterns, 2))
    except KeyboardInterrupt as stop:
        sys.exit(getattr(stop, "status", STATUS))
"""
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=45, check=False
    )
    assert (done.returncode, done.stderr) == (status, "")


def test_a_worker_ends_with_the_process_that_started_it() -> None:
    """The process cannot tell the worker to end when it is killed."""
    text = """
import os, signal, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from graphzsl.analysis.words.counting import end_with_parent
if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, get_context("spawn"), end_with_parent)
    print(pool.submit(os.getpid).result(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, text=True, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGKILL
    _, alive = psutil.wait_procs(_living(int(done.stdout)), timeout=20)
    assert not alive


def _living(pid: int) -> list[psutil.Process]:
    return [psutil.Process(pid)] if psutil.pid_exists(pid) else []
