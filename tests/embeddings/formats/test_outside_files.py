"""Files from elsewhere that are damaged or hostile: one line of DataError, no crash, and no other
file is read."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import psutil
import pytest
from scipy.io import savemat

from graphzsl.common import DataError
from graphzsl.common.reading.matlab_files import read_mat, read_v5
from graphzsl.embeddings import read_goz, read_xlsa17

NAMES = np.array(["antelope", "grizzly+bear", "killer+whale", "beaver"], dtype=object)[:, None]
VALUES = {
    "att": np.arange(20.0).reshape(5, 4),
    "allclasses_names": NAMES,
    "trainval_loc": np.arange(1, 9)[:, None],
}


def _v5(path: Path, compressed: bool = False) -> Path:
    savemat(path, VALUES, do_compression=compressed)
    return path


def _with(path: Path, position: int, values: bytes) -> Path:
    content = bytearray(path.read_bytes())
    content[position : position + len(values)] = values
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("compressed", [False, True])
def test_version_5_values_come_back_as_they_were_written(tmp_path: Path, compressed: bool) -> None:
    found = read_mat(_v5(tmp_path / "x.mat", compressed))
    assert sorted(found) == sorted(VALUES)
    assert found["att"].tolist() == VALUES["att"].tolist()
    assert found["trainval_loc"].tolist() == VALUES["trainval_loc"].tolist()
    assert found["allclasses_names"] == [name for (name,) in NAMES]


@pytest.mark.parametrize(
    ("position", "values"),
    [(452, b"\xff"), (745, b"\x01"), (176, b"\x00\x00\x00\x00"), (145, b"\x7f")],
)
def test_a_version_5_file_that_makes_scipy_crash_is_one_line(
    tmp_path: Path, position: int, values: bytes
) -> None:
    """Each of these bytes ends a process that calls scipy.io.loadmat (1.17) by SIGSEGV; found by
    mutation."""
    path = _with(_v5(tmp_path / "x.mat"), position, values)
    with pytest.raises(DataError, match=r"x\.mat: not a MATLAB file of arrays") as caught:
        read_mat(path)
    assert "\n" not in str(caught.value)


def test_a_flipped_byte_in_a_compressed_file_is_one_line(tmp_path: Path) -> None:
    path = _v5(tmp_path / "x.mat", compressed=True)
    # the first byte of the zlib stream: the header takes 128 bytes, the element's tag 8
    _with(path, 136, b"\x00")
    with pytest.raises(DataError, match=r"x\.mat: not a MATLAB file of arrays \(zlib\.error"):
        read_mat(path)


def test_a_reader_that_is_killed_or_too_slow_or_too_large_is_one_line(tmp_path: Path) -> None:
    path = _v5(tmp_path / "x.mat")
    with pytest.raises(DataError, match=r"x\.mat: .*took longer than 0\.01 seconds"):
        read_v5(path, seconds=0.01)
    killer = threading.Thread(target=_kill_readers, args=(path,))
    killer.start()
    with pytest.raises(DataError, match=rf"x\.mat: .*signal {int(signal.SIGKILL)}"):
        read_v5(path)
    killer.join()
    large = tmp_path / "large.mat"
    # 128 MiB in 128 KiB
    savemat(large, {"zeros": np.zeros((1 << 11, 1 << 13))}, do_compression=True)
    if sys.platform == "linux":  # macOS does not hold processes to a limit of address space
        with pytest.raises(DataError, match=r"large\.mat: .*memory"):
            read_v5(large, memory=256 << 20)
    assert read_v5(path)["att"].shape == (5, 4)


def _kill_readers(path: Path) -> None:
    """Kill the child process that reads ``path``."""
    own, end = psutil.Process(os.getpid()), time.monotonic() + 20
    while time.monotonic() < end:
        for child in own.children():
            try:
                if str(path) in child.cmdline():
                    child.kill()
                    return
            except psutil.Error:
                continue


def _external_storage(file: h5py.File, name: str, secret: Path) -> None:
    file.create_dataset(name, (4, 6), "u1", external=[(str(secret), 0, 24)])


def _external_link(file: h5py.File, name: str, secret: Path) -> None:
    other = secret.with_suffix(".h5")
    with h5py.File(other, "w") as written:
        written["values"] = np.ones((4, 6))
    file[name] = h5py.ExternalLink(str(other), "values")


def _soft_link_out(file: h5py.File, name: str, secret: Path) -> None:
    _external_link(file, "away", secret)
    file[name] = h5py.SoftLink("/away")


def _virtual(file: h5py.File, name: str, secret: Path) -> None:
    with h5py.File(secret.with_suffix(".h5"), "w") as written:
        written["values"] = np.ones((4, 6))
    layout = h5py.VirtualLayout((4, 6), "f8")
    layout[:] = h5py.VirtualSource(str(secret.with_suffix(".h5")), "values", (4, 6))
    file.create_virtual_dataset(name, layout)


OUTSIDE: list[tuple[Callable[[h5py.File, str, Path], None], str]] = [
    (_external_storage, "keeps its values in another file"),
    (_external_link, "is a link into another file"),
    (_soft_link_out, "is a link into another file"),
    (_virtual, "keeps its values in another file"),
]


@pytest.mark.parametrize(("write", "message"), OUTSIDE)
def test_hdf5_that_reads_other_files_is_refused(tmp_path: Path, write: Any, message: str) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"root:x:0:0:root:/root:/bin/bash")
    with h5py.File(tmp_path / "res101.mat", "w") as file:
        write(file, "features", secret)
        file["labels"] = np.ones((1, 4))
    _v5(tmp_path / "att_splits.mat")
    with pytest.raises(DataError, match=rf"res101\.mat: .*{message}"):
        read_xlsa17(tmp_path)
    with h5py.File(tmp_path / "store.h5", "w") as file:
        file.create_group("images")
        write(file, "images/n02084071", secret)
    with pytest.raises(DataError, match=rf"store\.h5: .*{message}"):
        read_goz(tmp_path / "store.h5")
    with h5py.File(tmp_path / "groups.h5", "w") as file:
        file["images"] = h5py.ExternalLink(str(tmp_path / "store.h5"), "images")
    with pytest.raises(DataError, match=r"groups\.h5: images is a link into another file"):
        read_goz(tmp_path / "groups.h5")


@pytest.mark.parametrize(("write", "message"), OUTSIDE)
def test_features_of_imagenet_in_other_files_are_refused(
    tmp_path: Path, write: Any, message: str
) -> None:
    from tests.embeddings.formats.test_formats import _gbu, read_gbu_imagenet

    features, vectors, splits = _gbu(tmp_path)
    secret = tmp_path / "secret"
    secret.write_bytes(b"root:x:0:0:root:/root:/bin/bash")
    with h5py.File(features, "a") as file:
        del file["features_val"]
        write(file, "features_val", secret)
    with pytest.raises(DataError, match=rf"res\.h5: .*{message}"):
        read_gbu_imagenet(features, vectors, splits)


def test_soft_links_inside_the_file_are_followed_and_loops_are_not(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "store.h5", "w") as file:
        file["kept/n02084071"] = np.ones((2, 3), np.float32)
        file.create_group("images")
        file["images/n02084071"] = h5py.SoftLink("/kept/n02084071")
    assert read_goz(tmp_path / "store.h5").features.tolist() == [[1, 1, 1]] * 2
    with h5py.File(tmp_path / "store.h5", "a") as file:
        file["images/n02121620"] = h5py.SoftLink("/images/n02121620")
    with pytest.raises(
        DataError, match=r"store\.h5: images/n02121620 is a chain of more than \d+ links"
    ):
        read_goz(tmp_path / "store.h5")


def test_cell_references_to_outside_data_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"root:x:0:0")
    with h5py.File(tmp_path / "x.mat", "w") as file:
        name = file.create_dataset("#refs#/a", (4, 1), "u2", external=[(str(secret), 0, 8)])
        file.create_dataset("allclasses_names", (1, 1), dtype=h5py.ref_dtype)[0, 0] = name.ref
    with pytest.raises(DataError, match=r"x\.mat: .*keeps its values in another file"):
        read_mat(tmp_path / "x.mat")


def test_a_cut_hdf5_file_is_one_line(tmp_path: Path) -> None:
    store = tmp_path / "store.h5"
    with h5py.File(store, "w") as file:
        file["images/n02084071"] = np.ones((64, 32))
    store.write_bytes(store.read_bytes()[:-4096])
    with pytest.raises(DataError, match=r"store\.h5: the HDF5 file is damaged \(.*truncated"):
        read_goz(store)
    with pytest.raises(DataError, match=r"store\.h5: the HDF5 file is damaged \(.*truncated"):
        read_mat(store)


def test_groups_scalars_and_promises_of_size_are_refused(tmp_path: Path) -> None:
    for number, write in enumerate(
        (
            lambda file: file.create_group("images/n02084071/inside"),
            lambda file: file.__setitem__("images/n02084071", 1.0),
            lambda file: file.create_dataset(
                "images/n02084071", (1 << 20, 1 << 10), "f4", chunks=(64, 64)
            ),
        )
    ):
        store = tmp_path / f"{number}.h5"
        with h5py.File(store, "w") as file:
            write(file)
        with pytest.raises(DataError, match=rf"{number}\.h5: .*images/n02084071"):
            read_goz(store)
