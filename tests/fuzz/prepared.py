"""What every case needs, imported once; readers that start processes fork instead."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import psutil

from tests.fuzz import case

_prepared: list[bool] = []


def prepare() -> None:
    """What every case needs, imported once; readers that start processes fork instead."""
    if _prepared:
        return
    _prepared.append(True)
    case.watch_writes()
    if os.environ.get("GRAPHZSL_FUZZ_LIGHT"):  # targets of a test, which need none of it
        return
    import warnings

    import gensim.corpora.wikicorpus
    import gensim.models  # noqa: F401
    import pyarrow as pa
    import pyarrow.parquet
    import timm.data.readers.reader_image_in_tar
    import timm.data.readers.reader_wds  # noqa: F401
    import torch
    from PIL import Image

    import graphzsl.cli
    import graphzsl.common.progress
    from graphzsl.common.reading import child, hdf5_child, matlab_child
    from graphzsl.hierarchy import Hierarchy, Lexicon

    warnings.simplefilter("ignore")
    # on their first use they are kept in the user's cache, which is no fault of a case
    Hierarchy.load()
    Lexicon.load()
    Image.init()
    torch.set_num_threads(1)
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    graphzsl.common.progress.log = lambda *_, **__: None  # type: ignore[assignment]
    scripts = {Path(each.__file__).name: each for each in (hdf5_child, matlab_child)}
    child.start = lambda script, arguments: _Forked(scripts[script.name], arguments)  # type: ignore[assignment]


class _Forked:
    """A child of ``common.reading.child`` that is forked: a start of Python takes half a second."""

    def __init__(self, module: Any, arguments: list[str]):
        path, memory, seconds = arguments[0], int(arguments[1]), int(arguments[2])
        requests, self_in = os.pipe()
        self_out, answers = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self_in)
            os.close(self_out)
            code = 1
            try:
                memory += psutil.Process().memory_info().vms
                module.limit(memory, seconds)
                with os.fdopen(requests, "rb") as asked, os.fdopen(answers, "wb") as told:
                    module.serve(path, asked, told)
                code = 0
            finally:
                os._exit(code)
        os.close(requests)
        os.close(answers)
        self.stdin, self.stdout = os.fdopen(self_in, "wb"), os.fdopen(self_out, "rb")
        self.code: int | None = None

    def wait(self) -> int:
        """The exit status, as subprocess gives it."""
        if self.code is None:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def kill(self) -> None:
        """End it, when it is still there."""
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
