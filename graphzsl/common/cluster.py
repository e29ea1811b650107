"""Work handed to processes of Dask: of this machine (``local:4``), or of a scheduler that runs
somewhere (``tcp://host:8786``).

A task is a function of a module and a small value. Its result comes back in the order of the tasks,
whoever did it; a task whose process dies is given to another. ``distributed`` is imported by nobody
who does not ask for it.
"""

from __future__ import annotations

import logging
import os
import platform
import re
import signal
import tempfile
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from graphzsl.common.errors import SettingsError
from graphzsl.common.extras import require
from graphzsl.common.progress import Forecast, log, progress_bar
from graphzsl.common.version import __version__
from graphzsl.common.wording import counted

T = TypeVar("T")
R = TypeVar("R")
#: Seconds within which a scheduler and its first worker must answer.
TIMEOUT = 15.0
#: Seconds that all workers may be away while work is waiting.
AWAY = 60.0
#: Tasks per thread that are with the scheduler at once: enough that none waits for work.
_WAITING = 4
_SECONDS_BETWEEN_LOOKS = 2.0
_ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:[0-9]{1,5}")
_LOCAL = re.compile(r"local:([0-9]{1,4})")
_SCHEDULER_PAGES, _WORKER_PAGES = (
    f"distributed.{role}.http.routes" for role in ("scheduler", "worker")
)
_HELP = "Give local:N for N processes of this machine, or tcp://HOST:PORT of a running scheduler"

#: What all tasks of a ``map`` share, by its key: there once in every process.
_shared: dict[str, Any] = {}
#: A task has its process for itself: models seed generators that all threads of a process share.
_alone = threading.Lock()


def check_scheduler(where: str) -> None:
    """SettingsError for what names no scheduler; nothing is connected or imported."""
    local = _LOCAL.fullmatch(where)
    if not (int(local[1]) > 0 if local else _ADDRESS.fullmatch(where)):
        raise SettingsError(f"{where!r} names no scheduler. {_HELP}.")


@dataclass(frozen=True, eq=False)
class Workers:
    """Processes that work; see ``connected``."""

    client: Any
    where: str

    @property
    def threads(self) -> int:
        """Number of tasks that can be done at once."""
        return sum(self.client.nthreads().values()) or 1

    def map(
        self,
        function: Callable[[Any, T], R],
        tasks: Sequence[T],
        label: str,
        shared: Any = None,
    ) -> Iterator[R]:
        """``function(shared, task)`` of every task, in their order, with a bar.

        Args:
            function: of a module that the workers have too; its result may depend on nothing but
                what it is given and the files that this names.
            tasks: small values; few are with the scheduler at once.
            label: of the bar.
            shared: given to every worker once, also to those that come later.

        Raises:
            SettingsError: a task ended several workers one after another, all workers are away, or
                the scheduler does not answer any more.
            Exception: what the function raises for the first task that fails; the others are
                cancelled, as after an interruption.
        """
        with self._given(shared) as key:
            yield from progress_bar(self._results(function, tasks, key, label), label, len(tasks))

    def _results(
        self, function: Callable[[Any, T], R], tasks: Sequence[T], key: str, label: str
    ) -> Iterator[R]:
        waiting: deque[Any] = deque()
        left, forecast = deque(tasks), Forecast(len(tasks), f"{label}, {self.where}")
        try:
            while left or waiting:
                while left and len(waiting) < _WAITING * self.threads:
                    work = self.client.submit(
                        _done, function, key, left.popleft(), pure=False, retries=0
                    )
                    waiting.append(work)
                result = self._result(waiting[0])
                waiting.popleft()
                forecast.done()
                yield result
        finally:
            if waiting:
                with suppress(Exception):  # the scheduler may be gone
                    self.client.cancel(list(waiting), force=True)

    def _result(self, future: Any) -> Any:
        """The result of a task, once it is there."""
        from distributed import CancelledError, KilledWorker
        from distributed import TimeoutError as NotYet

        away: float | None = None
        while True:
            try:
                return future.result(timeout=_SECONDS_BETWEEN_LOOKS)
            except NotYet:
                if future.status == "error":
                    raise  # the task's own
                away = self._away(away)
            except KilledWorker as error:
                raise SettingsError(
                    f"{self.where}: a task ended"
                    f" {counted(error.allowed_failures + 1, 'worker')}, the last of them"
                    f" {getattr(error.last_worker, 'address', 'unknown')}. Most often their memory"
                    " is too small: start fewer workers on a machine, or give them more."
                ) from None
            except (CancelledError, OSError):
                if future.status == "error":
                    raise
                raise SettingsError(
                    f"{self.where}: the scheduler does not answer any more. Start it and its"
                    " workers again, and give the command again."
                ) from None

    def _away(self, since: float | None) -> float | None:
        """Since when there is no worker; SettingsError where that is too long."""
        if self.client.status not in ("running", "connecting"):
            raise SettingsError(
                f"{self.where}: the scheduler does not answer any more. Start it and its workers"
                " again, and give the command again."
            )
        if self.client.nthreads():
            return None
        if since is None:
            log(f"{self.where}: no worker is left; waiting {AWAY:.0f} s for one.")
            return time.monotonic()
        if time.monotonic() - since > AWAY:
            raise SettingsError(
                f"{self.where}: all workers were lost, and none came back within {AWAY:.0f} s."
                " Start some, and give the command again."
            )
        return since

    @contextmanager
    def _given(self, shared: Any) -> Iterator[str]:
        """The key under which every process, also one that comes later, has what tasks share."""
        if shared is None:
            yield ""
            return
        from distributed import WorkerPlugin

        class Given(WorkerPlugin):  # type: ignore[misc]  # defined here, so that it travels whole
            def __init__(self, key: str, value: Any):
                self.name, self.value = key, value

            def setup(self, worker: Any) -> None:
                from graphzsl.common import cluster

                cluster._shared[self.name] = self.value

            def teardown(self, worker: Any) -> None:
                from graphzsl.common import cluster

                cluster._shared.pop(self.name, None)

        key = f"graphzsl-{uuid.uuid4().hex}"
        self.client.register_plugin(Given(key, shared))
        try:
            yield key
        finally:
            with suppress(Exception):
                self.client.unregister_worker_plugin(key)


def _done(function: Callable[[Any, T], R], key: str, task: T) -> R:
    """One task, in a worker."""
    with _alone:
        return function(_shared[key] if key else None, task)


@contextmanager
def connected(where: str, timeout: float = TIMEOUT) -> Iterator[Workers]:
    """The processes of a scheduler; those of ``local:N`` begin and end with the block.

    Args:
        where: ``local:N``, ``tcp://HOST:PORT`` or ``tls://HOST:PORT``.
        timeout: seconds within which the scheduler, and a first worker, must answer.

    Raises:
        MissingExtra: distributed is not installed.
        SettingsError: nothing answers, no worker is there, or a worker has another version of
            graphzsl or Python.
    """
    check_scheduler(where)
    require("distributed")
    import dask
    import distributed

    with ExitStack() as stack:
        # no lines of its own on stderr: what a person needs is said by errors
        for name in ("distributed", "tornado", "asyncio"):
            stack.enter_context(_quiet(name))
        local = _LOCAL.fullmatch(where)
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="graphzsl-dask-"))
        stack.enter_context(
            dask.config.set(
                {
                    "temporary-directory": scratch,
                    "distributed.worker.daemon": False,
                    "distributed.comm.timeouts.connect": f"{timeout:g}s",
                    "logging": {"distributed": "critical"},
                    # no pages about the work, which every user of the machine could open
                    **({_SCHEDULER_PAGES: [], _WORKER_PAGES: []} if local else {}),
                }
            )
        )
        address: Any = where
        if local:
            with without_ctrl_c():
                address = stack.enter_context(
                    distributed.LocalCluster(
                        n_workers=int(local[1]),
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",
                        scheduler_kwargs={"dashboard": False},
                        host="127.0.0.1",
                        # TLS by a key of this command: other users of this machine are refused
                        security=True,
                        memory_limit=None,
                        silence_logs=logging.CRITICAL,
                        local_directory=scratch,
                    )
                )
        client = _client(address, where, timeout)
        stack.callback(client.close, timeout=2)
        try:
            client.wait_for_workers(1, timeout=timeout)
        except distributed.TimeoutError:
            raise SettingsError(
                f"{where} has no worker. Start some: `dask worker {where}`."
            ) from None
        workers = Workers(client, where)
        if not local:
            _check_versions(client, where)
            log(f"{where}: {counted(len(client.nthreads()), 'worker')}.")
        yield workers


def _client(address: Any, where: str, timeout: float) -> Any:
    """A client that is connected; in a thread, because distributed waits for ever for whoever
    takes the connection and says nothing."""
    import distributed

    found: list[Any] = []

    def connect() -> None:
        try:
            found.append(distributed.Client(address, timeout=timeout, set_as_default=False))
        except (OSError, TimeoutError, ValueError, RuntimeError, ImportError) as error:
            found.append(error)

    thread = threading.Thread(target=connect, daemon=True, name="scheduler")
    thread.start()
    thread.join(timeout + 2)
    client = found[0] if found else TimeoutError("it takes the connection and says nothing")
    if not isinstance(client, BaseException):
        return client
    said = (str(client).splitlines() or [type(client).__name__])[0].rstrip(".")
    raise SettingsError(
        f"{where}: no scheduler answers within {timeout:g} s ({said[:200]}). Start one with"
        " `dask scheduler`, look at host and port, or give local:N."
    )


def _check_versions(client: Any, where: str) -> None:
    """SettingsError names the worker with another version of graphzsl or Python, or without
    graphzsl."""

    def versions() -> tuple[str, str]:  # defined here, so that it travels whole
        import platform

        try:
            from graphzsl.common.version import __version__
        except ImportError:
            return "", platform.python_version()
        return __version__, platform.python_version()

    own = __version__, platform.python_version()
    for address, (package, python) in sorted(client.run(versions).items()):
        if not package:
            raise SettingsError(
                f"{where}: worker {address} has no graphzsl. Install graphzsl {own[0]} where it"
                " runs."
            )
        if package != own[0]:
            raise SettingsError(
                f"{where}: worker {address} has graphzsl {package}, this is {own[0]}. Install one"
                " version everywhere."
            )
        if python.split(".")[:2] != own[1].split(".")[:2]:
            raise SettingsError(
                f"{where}: worker {address} runs Python {python}, this is {own[1]}. Use one version"
                " everywhere."
            )


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Processes and threads that are started in the block never get Ctrl-C, which a terminal sends
    to all: this process ends them."""
    if not hasattr(signal, "pthread_sigmask") or os.name == "nt":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
