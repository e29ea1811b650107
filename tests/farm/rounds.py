"""One round of the kill farm: a command, a signal at a random moment, and what must hold then."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import psutil

import graphzsl
from graphzsl.benchmark import find_recipe, store
from graphzsl.benchmark.build import build
from graphzsl.common import Settings, load_settings
from graphzsl.data.feature_folder import UNFINISHED
from graphzsl.database import LocalServer, connect
from graphzsl.database.schema import create_schema
from graphzsl.splits import hop_split
from tests.database.state import clear, load_mini, state
from tests.farm.checks import MARK, files, is_loading, marked, names, names_around
from tests.farm.operations import NOUNS, Operation, write_inputs
from tests.mini import MiniWordNet, write_nouns

#: A command has this long to end after a signal, and to end at all, on a busy machine.
PROMPT, PATIENCE = 90.0, 400.0
SIGNALS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT}
#: Exit statuses of a command that a signal ended, or that had ended before.
_ENDED = {"SIGKILL": (-9,), "SIGTERM": (143, -15), "SIGINT": (130, -2)}
#: What a command says whose server ended before it was ready.
_STARTING = "ended while starting"


@dataclass
class Round:
    """What a round did, and what was wrong with it."""

    seed: int
    number: int
    operation: str
    victim: str  #: client, server or both
    signal: str
    moment: float  #: seconds from the command's start to the signal
    status: int | None = None  #: of the command; None when it was stopped for its silence
    said: str = ""  #: the end of what it wrote to stderr
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Undisturbed:
    """A command's results when nobody disturbs it."""

    seconds: float
    files: dict[str, str]
    names: set[str]
    database: list[str]


class Farm:
    """A folder with a server's home of its own, inputs, and a copy of the inputs for every run.

    Nothing outside the folder is written, but for the jars of Neo4j, which all servers of the user
    share.
    """

    def __init__(self, folder: Path, port: int):
        self.folder = folder.resolve()
        self.settings: Settings = replace(
            load_settings(),
            uri="",
            home=self.folder / "home",
            cache=self.folder / "cache",
            bolt_port=port,
            http_port=port + 100,
            heap="512m",
            neo4j_home=None,
            java_home=None,
        )
        self.server = LocalServer(self.settings, announce=False)
        self._known: dict[str, Undisturbed] = {}
        self._loaded: list[str] = []

    def prepare(self) -> None:
        """Inputs, the mini WordNet's nouns among them, and the user's jars."""
        mini, jars = MiniWordNet(), Settings().cache
        (self.folder / "inputs").mkdir(parents=True)
        write_inputs(self.folder / "inputs")
        write_nouns(mini, self.folder / "inputs" / NOUNS)
        for found in jars.glob("neo4j-*"):
            (self.settings.cache / found.name).symlink_to(found)

    def close(self) -> None:
        """Stop the server."""
        self.server.stop()

    def round(self, operation: Operation, seed: int, number: int) -> Round:
        """Run it, disturb it, look, and run it again."""
        usual = self.undisturbed(operation)
        drawn = random.Random(f"{seed}-{number}")
        victims = ("client", "client", "server", "both") if operation.database else ("client",)
        victim = drawn.choice(victims)
        name = "SIGKILL" if victim != "client" else drawn.choice(tuple(SIGNALS))
        moment = drawn.uniform(0, 1.05 * usual.seconds)
        done = Round(seed, number, operation.name, victim, name, round(moment, 3))
        work = self._inputs()
        has_older = bool(operation.out) and drawn.random() < 0.5
        if has_older:
            shutil.copytree(self.folder / "results" / operation.name, work, dirs_exist_ok=True)
        before = self._begin(operation)
        older = files(work / operation.out) if operation.out else {}
        around = self._around()
        mark = f"{os.getpid()}-{number}"
        self._disturbed(operation, done, work, mark)
        self._look_at_processes(done, mark)
        if operation.out:
            self._look_at_files(operation, done, files(work / operation.out), older, usual)
        if operation.database:
            self._look_at_database(operation, done, before, usual)
        again, said, _ = self._run(operation, work, mark)
        if again != 0:
            done.wrong.append(f"the same command again ended with {again}: {said}")
        if operation.out and (now := files(work / operation.out)) != usual.files:
            done.wrong.append(f"the same command again wrote other files: {_compared(now, usual)}")
        if left := names(work) - usual.names:
            done.wrong.append(f"left over: {sorted(left)[:10]}")
        # state and password come with a server's start, and go with its stop
        if left := {name for name in self._around() - around if "/." in name}:
            done.wrong.append(f"left over in home or cache: {sorted(left)[:10]}")
        if operation.database and (held_now := self._held()) != usual.database:
            done.wrong.append(
                "the same command again left another database:"
                f" {_differences(held_now, usual.database, usual.database)}"
            )
        self._look_at_processes(done, mark)
        shutil.rmtree(work)
        return done

    def undisturbed(self, operation: Operation) -> Undisturbed:
        """What the command does by itself: twice, since it has to do the same again."""
        if operation.name in self._known:
            return self._known[operation.name]
        runs = []
        for _ in range(2):
            work = self._inputs()
            self._begin(operation)
            status, said, seconds = self._run(operation, work, "undisturbed")
            if status != 0:
                raise SystemExit(f"{operation.name} does not run by itself: {said}")
            database = self._held() if operation.database else []
            runs.append(Undisturbed(seconds, files(work / operation.out), names(work), database))
            kept = self.folder / "results" / operation.name
            shutil.rmtree(kept, ignore_errors=True)
            kept.parent.mkdir(exist_ok=True)
            os.rename(work, kept)
        one, other = runs
        if (one.files, one.database) != (other.files, other.database):
            raise SystemExit(
                f"{operation.name} gives other results the second time:"
                f" {_compared(one.files, other)}"
            )
        self._known[operation.name] = other
        return other

    def _around(self) -> set[str]:
        return names_around(self.settings.home, self.settings.cache)

    def _inputs(self) -> Path:
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self.folder / "inputs", work)
        (work / "tmp").mkdir()
        return work

    def _environment(self, work: Path, mark: str) -> dict[str, str]:
        """No setting of the user's, and no folder but the farm's."""
        own = ("NEO4J_", "GRAPHZSL_", "JAVA_", "XDG_")
        clean = {name: text for name, text in os.environ.items() if not name.startswith(own)}
        return {
            **clean,
            "GRAPHZSL_HOME": str(self.settings.home),
            "GRAPHZSL_CACHE": str(self.settings.cache),
            "GRAPHZSL_BOLT_PORT": str(self.settings.bolt_port),
            "GRAPHZSL_HTTP_PORT": str(self.settings.http_port),
            "GRAPHZSL_HEAP": self.settings.heap,
            "GRAPHZSL_JAVA_OPTIONS": self.settings.java_options,
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "TMPDIR": str(work / "tmp"),
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
            "OMP_NUM_THREADS": "1",
            MARK: mark,
        }

    def _start(self, operation: Operation, work: Path, mark: str) -> subprocess.Popen[str]:
        # to a file: a pipe would be held open by what the command leaves behind
        with (self.folder / "stderr").open("w") as said:
            return subprocess.Popen(
                operation.command,
                cwd=work,
                env=self._environment(work, mark),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                text=True,
            )

    def _run(self, operation: Operation, work: Path, mark: str) -> tuple[int | None, str, float]:
        """(exit status, end of what it said, seconds) of the command."""
        begin = time.monotonic()
        process = self._start(operation, work, mark)
        status = _wait(process, PATIENCE)
        return status, self._said(), time.monotonic() - begin

    def _said(self) -> str:
        return (self.folder / "stderr").read_text(errors="replace")[-2_000:]

    def _begin(self, operation: Operation) -> list[str]:
        """The database as the operation needs it, and what it holds."""
        if not operation.database:
            return []
        # what is cleared is the farm's own
        assert self.settings.local
        assert self.server.home.is_relative_to(self.folder)
        with connect(self.settings) as database:
            if operation.begins == "loaded" and self._loaded and state(database) == self._loaded:
                return self._loaded
            clear(database)
            create_schema(database)
            if operation.begins == "loaded":
                load_mini(database, MiniWordNet())
                hop_split(database, 2, train="train", universe="universe").store(database, "two")
                store(
                    database, build(database, find_recipe(str(self.folder / "inputs/built.toml")))
                )
                self._loaded = self._loaded or state(database)
            return state(database)

    def _held(self) -> list[str]:
        with connect(self.settings) as database:
            return state(database)

    def _disturbed(self, operation: Operation, done: Round, work: Path, mark: str) -> None:
        process = self._start(operation, work, mark)
        with suppress(subprocess.TimeoutExpired):
            process.wait(done.moment)
        running = process.poll() is None
        if running and done.victim != "client" and (state := self.server.state()):
            with suppress(psutil.NoSuchProcess):
                psutil.Process(state.pid).kill()
        if running and done.victim != "server":
            process.send_signal(SIGNALS[done.signal])
        done.status = _wait(process, PROMPT if done.victim == "client" else PATIENCE)
        done.said = self._said()
        # a local server that is lost is started again, and the command goes on; one that is killed
        # while it starts is not
        lost = (0, 1) if _STARTING in done.said else (0,)
        allowed = lost if done.victim == "server" else (0, *_ENDED[done.signal])
        if _before_the_command(done.said):
            return
        if done.status not in allowed:
            done.wrong.append(f"ended with {done.status}, expected one of {allowed}")
        if "Traceback" in done.said and not (operation.is_python and _is_said(done.said)):
            done.wrong.append("a traceback")

    def _look_at_processes(self, done: Round, mark: str) -> None:
        deadline = time.monotonic() + PROMPT
        while (left := list(marked(mark))) and time.monotonic() < deadline:
            # Neo4j's importer goes on for a moment when its command was killed
            time.sleep(0.2)
        for process in left:
            with suppress(psutil.Error):
                done.wrong.append(f"process {process.pid} lives on: {process.cmdline()[:6]}")
                process.kill()

    def _look_at_files(
        self,
        operation: Operation,
        done: Round,
        now: dict[str, str],
        older: dict[str, str],
        usual: Undisturbed,
    ) -> None:
        whole = now in (older, usual.files)
        finished = {name: digest for name, digest in now.items() if name != UNFINISHED}
        parts = operation.resumable and finished.items() <= usual.files.items()
        if not (whole or parts):
            done.wrong.append(f"half of the files look finished: {_compared(now, usual)}")

    def _look_at_database(
        self, operation: Operation, done: Round, before: list[str], usual: Undisturbed
    ) -> None:
        now = self._held()
        if now in (before, usual.database) or (operation.resumable and is_loading(now)):
            return
        done.wrong.append(
            f"the database is between two states: {_differences(now, before, usual.database)}"
        )


def _before_the_command(said: str) -> bool:
    """Whether a traceback is of Python's own start, before any of the command."""
    package = re.escape(str(Path(graphzsl.__file__).parent))
    return "Traceback" in said and {*re.findall(rf'"{package}/([^"]*)"', said)} <= {"__init__.py"}


def _is_said(said: str) -> bool:
    """Whether a traceback is what a caller from Python has to get."""
    last = said.rstrip().rpartition("\n")[2]
    return last == "KeyboardInterrupt" or last.startswith("graphzsl.")


def _wait(process: subprocess.Popen[str], seconds: float) -> int | None:
    """The exit status; None, and an end, for what does not end in time."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def _differences(now: list[str], before: list[str], usual: list[str]) -> str:
    new, gone = set(now) - {*before, *usual}, set(before) - set(now)
    return f"{len(now)} elements, {sorted(new)[:3]} new, {sorted(gone)[:3]} gone"


def _compared(now: dict[str, str], usual: Undisturbed) -> str:
    other = {name for name in {*now, *usual.files} if now.get(name) != usual.files.get(name)}
    return ", ".join(
        f"{name or 'the file'} {'is absent' if name not in now else 'differs'}"
        if name in usual.files
        else f"{name} is new"
        for name in sorted(other)[:10]
    )


def repeated(done: Round) -> dict[str, object]:
    """What is kept of a finding."""
    return {**asdict(done), "repeat": f"--seed {done.seed} --first {done.number} --rounds 1"}
