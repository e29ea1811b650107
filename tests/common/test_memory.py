"""Commands that get no memory end with one line: real processes, whose address space is bounded."""

from __future__ import annotations

import mmap
import struct
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pyarrow as pa
import pytest
import scipy.io
import torch

from graphzsl.common import DataError, asked_for, lacks_memory, of_gpu
from graphzsl.common.errors import NotEnoughMemoryError
from graphzsl.common.reading.pickle_files import read_plain_pickle
from graphzsl.models.graph import sgcn
from graphzsl.models.graph.training import trainer
from tests.problems import mini_task

pytestmark = pytest.mark.thorough("a machine without memory")

#: A command in a process that may take MB more than it has when all that it needs is imported.
BOUNDED = """
import resource, sys
import psutil
import graphzsl.cli.audit, graphzsl.audit.evaluate, graphzsl.audit.prediction_files
import pyarrow.compute, pyarrow.csv, pyarrow.parquet
from graphzsl.cli import main
limit = psutil.Process().memory_info().vms + (int(sys.argv[1]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
main(sys.argv[2:])
"""


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """20,000 x 500 numbers: 40 MB to read, and some tables of 20,000 to make of them."""
    random = np.random.default_rng(0)
    names = np.array([f"class {number}" for number in range(500)])
    path = tmp_path_factory.mktemp("scores") / "scores.npz"
    values = random.normal(size=(20_000, 500)).astype(np.float32)
    np.savez(path, scores=values, labels=names[random.integers(0, 500, 20_000)], classes=names)
    return path


@pytest.mark.parametrize("megabytes", [2, 20, 50, 60, 80])
def test_a_command_without_memory_says_so(scores: Path, tmp_path: Path, megabytes: int) -> None:
    words = ["audit", str(scores), "--wordnet", "none", "--out", "run.json"]
    done = subprocess.run(
        [sys.executable, "-c", BOUNDED, str(megabytes), *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    if megabytes == 20:  # the file's own 40 MB, of which it is not said that they are damaged
        assert "scores.npz: scores needs more memory than is free (38.1 MiB at once)" in said
    else:
        assert said.startswith("Error: ")
        assert "memory" in said
    assert "damaged" not in done.stderr
    assert list(tmp_path.iterdir()) == [], "nothing half-written"


def test_advice_is_of_the_commands_own_options() -> None:
    import click

    from graphzsl.cli import _without_memory
    from graphzsl.cli.audit import command as audit
    from graphzsl.cli.convert import images
    from graphzsl.cli.picture import command as picture

    of_numpy = MemoryError("Unable to allocate 6.77 MiB for an array with shape (2000, 444)")
    of_cuda = torch.OutOfMemoryError(
        "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 139.80 GiB"
    )

    def said(error: BaseException, command: click.Command) -> str:
        return _without_memory(error, command)

    assert said(of_numpy, audit) == (
        "there is not enough memory (6.77 MiB more at once). Try a part at a time (--shard I/N)."
    )
    assert said(of_cuda, images) == (
        "the memory of the GPU is full (20.00 GiB more at once). Try a smaller --batch or --device"
        " cpu."
    )
    assert said(MemoryError(), picture) == (
        "there is not enough memory. Try a machine with more memory, or less at once."
    )


def test_what_libraries_say() -> None:
    with pytest.raises(MemoryError) as by_numpy:
        np.empty(1 << 60, np.uint8)
    with pytest.raises(RuntimeError) as by_torch:
        torch.empty(1 << 60, dtype=torch.uint8)
    assert lacks_memory(by_numpy.value)
    assert lacks_memory(by_torch.value)
    assert asked_for(by_numpy.value) == "1.00 EiB"
    assert asked_for(by_torch.value) == "1152921504606846976 bytes"
    with pytest.raises(pa.ArrowMemoryError) as by_arrow:
        pa.allocate_buffer(1 << 50)
    assert lacks_memory(by_arrow.value)
    assert asked_for(by_arrow.value) == "1,125,899,906,842,624 bytes"
    with pytest.raises(OSError, match="Cannot allocate") as by_the_system:
        mmap.mmap(-1, 1 << 60)
    assert lacks_memory(by_the_system.value)
    assert lacks_memory(RuntimeError("can't start new thread"))
    # what else has these words: a folder that may not run programs, a library loaded too late
    assert not lacks_memory(ImportError("x.so: failed to map segment from shared object"))
    assert not lacks_memory(ImportError("libgomp.so.1: cannot allocate memory in static TLS block"))
    assert not lacks_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))
    assert not lacks_memory(RuntimeError("CUDA error: device-side assert triggered"))
    assert asked_for(MemoryError()) == ""


@pytest.mark.parametrize(
    "text",
    [
        "CUDA out of memory. Tried to allocate 2.00 GiB.",
        "HIP out of memory. Tried to allocate 2.00 GiB.",
        "MPS backend out of memory (MPS allocated: 8 GB). Tried to allocate 2.00 GiB on private",
        "CUDA error: out of memory",
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "cuDNN error: CUDNN_STATUS_ALLOC_FAILED",
    ],
)
def test_what_is_said_of_gpus(text: str) -> None:
    assert of_gpu(RuntimeError(text))
    assert lacks_memory(RuntimeError(text))
    assert asked_for(RuntimeError(text)) == ("2.00 GiB" if "2.00" in text else "")


def test_a_full_gpu_does_not_make_a_checkpoint_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """torch reads it onto the GPU, whose memory another program may have."""
    options = sgcn.Options(hidden=4, epochs=4, check_every=2)
    checkpoint = tmp_path / "gcn.pt"
    trainer("sgcn", mini_task(), options, checkpoint).run()

    def full(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    monkeypatch.setattr(torch, "load", full)
    with pytest.raises(NotEnoughMemoryError, match="more memory of the GPU than is free") as said:
        trainer("sgcn", mini_task(), options, checkpoint)
    assert "Delete" not in str(said.value)


def test_a_text_of_petabytes_is_damage_and_no_lack_of_memory(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.pkl"
    damaged.write_bytes(b"\x80\x04\x8d" + struct.pack("<Q", 1 << 50) + b"abc.")
    with pytest.raises(DataError, match="not a pickle of plain data"):
        read_plain_pickle(damaged)


def test_a_small_file_is_read_below_a_limit_of_the_users(tmp_path: Path) -> None:
    """The child that reads HDF5 and MATLAB files may have less than it allows itself."""
    scipy.io.savemat(tmp_path / "v5.mat", {"values": np.arange(12.0)})
    with h5py.File(tmp_path / "v7.mat", "w") as file:
        file["values"] = np.arange(12.0)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "v5.mat", "v7.mat"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["66.0", "66.0"], done.stderr


def _save(path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from safetensors.numpy import save_file

    values = np.random.default_rng(0).normal(size=8 << 20)  # 64 MB
    if path.suffix == ".npz":
        np.savez(path, values=values)
    elif path.suffix == ".parquet":
        pq.write_table(pa.table({"values": values}), path)
    elif path.suffix == ".pt":
        torch.save({"values": torch.from_numpy(values)}, path)
    else:
        save_file({"values": values}, path)


#: Reads MATLAB files where no process may have more than 1.9 GB, which no child can change.
LIMITED = """
import resource, sys
from pathlib import Path
from graphzsl.common.reading.matlab_files import read_mat
limit = 1_900 << 20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
for name in sys.argv[1:]:
    print(read_mat(Path(name))["values"].sum())
"""

#: Reads a file, in a process that may take 16 MB more where it is told so.
READING = """
import resource, sys
import psutil
from pathlib import Path
from graphzsl.common.errors import NotEnoughMemoryError

path = Path(sys.argv[1])
if path.suffix == ".npz":
    from graphzsl.common.reading.numpy_files import read_npz
    import numpy
    read = lambda: read_npz(path, "values", expected="values")
elif path.suffix == ".parquet":
    from graphzsl.common.reading.parquet_files import read_parquet
    import pyarrow.parquet
    read = lambda: read_parquet(path, ["values"])
elif path.suffix == ".pt":
    from graphzsl.common.reading.torch_files import read_torch
    import torch
    read = lambda: read_torch(path, "values")
else:
    from graphzsl.common.reading.safetensors_files import read_safetensors
    import safetensors.numpy
    read = lambda: read_safetensors(path, expected="values")
if sys.argv[2:]:
    limit = psutil.Process().memory_info().vms + (16 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    read()
    print("read")
except NotEnoughMemoryError as error:
    print(error)
"""


@pytest.mark.parametrize("suffix", [".npz", ".parquet", ".pt", ".safetensors"])
def test_a_file_that_does_not_fit_is_not_called_damaged(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"values{suffix}"
    _save(path)

    def said(*bound: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", READING, str(path), *bound],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    assert said() == "read"
    assert "needs more memory than is free" in said("bounded")
