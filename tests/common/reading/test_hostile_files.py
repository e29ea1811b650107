"""Small files that ask for much: memory that no byte of them fills, depths, loops, long numbers.

No test measures a time: what is tested here took minutes, or never ended, before.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import pickle
import re
import struct
import subprocess
import sys
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphzsl.analysis.words.texts import find_text
from graphzsl.audit import read_predictions
from graphzsl.benchmark.folder import read_classes
from graphzsl.common import DataError, SettingsError, read_npz
from graphzsl.common.errors import NotEnoughMemoryError
from graphzsl.common.files import read_json
from graphzsl.common.reading.bounds import DEEPEST
from graphzsl.common.reading.json_parts import parts
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.matlab_files import read_mat
from graphzsl.common.reading.numpy_files import npy_of_bytes, npz_keys, read_npy
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.common.reading.pickle_files import read_plain_pickle
from graphzsl.common.reading.safetensors_files import read_safetensors
from graphzsl.common.reading.tar_files import tar_members
from graphzsl.common.reading.torch_files import read_torch
from graphzsl.common.reading.xml_files import elements, pages
from graphzsl.common.text_files import read_toml
from graphzsl.data import read_vectors
from graphzsl.database.password import PasswordFile
from graphzsl.ilsvrc.boxes.readers.choice import source_of
from graphzsl.sources import WordNet, class_entries
from graphzsl.sources.wordnet import noun_senses
from graphzsl.sources.wordnet_content import check_databases


def _pairs(depth: int, key: bool) -> bytes:
    """A pickle of a = (); a = (a, a) …: 2^depth steps for whoever follows it; as a dictionary's key
    (``hash`` does) or as a value."""
    start = b"\x80\x04"
    inside = b")\x94" + b"".join(
        b"0h" + bytes([at]) + b"h" + bytes([at]) + b"\x86\x94" for at in range(depth)
    )
    return start + (b"}" if key else b"") + inside + (b"K\x01s." if key else b".")


@pytest.mark.parametrize("key", [True, False])
def test_pickles_of_nested_pairs_end(tmp_path: Path, key: bool) -> None:
    """Depth 60 never ended: 2^60 steps inside ``hash``."""
    (tmp_path / "x.pkl").write_bytes(_pairs(60, key))
    with pytest.raises(DataError, match=r"x\.pkl: not a pickle of plain data"):
        read_plain_pickle(tmp_path / "x.pkl")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({(1, 2): 3}, "a key is neither text nor number"),
        ({frozenset({1}): 3}, "more than plain data|neither text nor number"),
        ([[[]]] * 2, "there twice"),
    ],
)
def test_pickles_that_are_no_plain_lists(tmp_path: Path, value: Any, said: str) -> None:
    (tmp_path / "x.pkl").write_bytes(pickle.dumps(value, 4))
    with pytest.raises(DataError, match=said):
        read_plain_pickle(tmp_path / "x.pkl")


def test_pickles_with_loops_and_depths(tmp_path: Path) -> None:
    loop: list[Any] = []
    loop.append(loop)
    deep: Any = []
    for _ in range(DEEPEST + 1):
        deep = [deep]
    large = [["x"] * 1000] * 100_000
    for value, said in (
        (loop, "changes after"),
        (deep, "deep in each other"),
        (large, "larger"),
        (10**5000, "thousands of digits"),
    ):
        (tmp_path / "x.pkl").write_bytes(pickle.dumps(value, 2))
        with pytest.raises(DataError, match=said):
            read_plain_pickle(tmp_path / "x.pkl")
    shared = ["x"]
    (tmp_path / "x.pkl").write_bytes(pickle.dumps({1: shared, 2: shared}, 2))
    assert read_plain_pickle(tmp_path / "x.pkl") == {1: ["x"], 2: ["x"]}


def test_json_holds_whole_characters() -> None:
    whole = [chr(0x1F415), "\\ud83d", "a" + chr(0x10FFFF) * 2, "\\" + chr(0x1F415), chr(0xD7FF)]
    assert parsed_json(json.dumps(whole), "x") == whole
    halves = (
        r"\ud83d",
        r"\uDC15",
        r"\udc15\ud83d",
        r"\ud83d\ud83d\udc15",
        r"\\\ud83d",
        r"\ud83d \udc15",
    )
    for half in halves:
        with pytest.raises(DataError, match=r"x: \\u[dD]\w{3} on line 3 is half a character"):
            parsed_json(f'{{"a":\n"\\\\ud83d",\n"b": "{half}"}}', "x")


def test_json_is_bounded() -> None:
    assert parsed_json("[" * DEEPEST + "]" * DEEPEST, "x")
    brackets = json.dumps(["[" * 500, {"a": "\\" * 9 + '"[['}])
    assert parsed_json(brackets, "x")[0] == "[" * 500, "brackets in texts are no lists"
    for deep in ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), '{"a":' * 3000, "[" * 100_000):
        with pytest.raises(DataError, match=r"x: lists or objects more than 100 deep"):
            parsed_json(deep, "x")
    for text, said in (
        ("[" + "9" * 5000 + "]", "a number of 5,000 digits"),
        ("[" + "9" * 301 + "]", "a number of 301 digits"),
        ("[NaN]", "NaN is no number of JSON"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ('{"a": 1, "a": 2}', "the key 'a' twice"),
    ):
        with pytest.raises(DataError, match=said):
            parsed_json(text, "x")
    assert np.isnan(parsed_json("[NaN]", "x", constants=True)[0])
    with pytest.raises(DataError, match="does not fit 64 bits"):
        parsed_json("[99999999999999999999]", "x", in_64_bits=True)


def test_an_object_of_very_many_keys_names_the_one_that_is_there_twice() -> None:
    """The key was counted once for each other one."""
    pairs = ", ".join(f'"{number}": 0' for number in [*range(200_000), 7])
    with pytest.raises(DataError, match="the key '7' twice"):
        parsed_json("{" + pairs + "}", "x")


@pytest.mark.parametrize("number", ["1e400", "-1E+999", "9" * 350 + ".5"])
def test_numbers_are_no_larger_than_a_number_can_be(number: str) -> None:
    """Python reads them as infinity."""
    with pytest.raises(DataError, match="is larger than a number can be"):
        parsed_json(f"[{number}]", "x")
    assert parsed_json("[1e308, 1e-400]", "x") == [1e308, 0.0]


def test_toml_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    for text, said in (
        ("a = " + "9" * 5000, "not valid TOML"),
        ("a = " + "[" * 100_000, "too deep in each other"),
        (".".join(["a"] * 500) + " = 1", "100 deep in each other"),
    ):
        path.write_text(text)
        with pytest.raises(SettingsError, match=rf"x\.toml:1: .*{said}"):
            read_toml(path)
    path.write_text("a.b = 1")
    assert read_toml(path).given == {"a": {"b": 1}}


def _npy(shape: tuple[int, ...], content: bytes = b"", descr: str = "<f8") -> bytes:
    file = io.BytesIO()
    header = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue() + content


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (_npy((2_000_000_000_000,)), "16,000,000,000,000 bytes are promised and 0 are there"),
        (_npy((10**9, 10**9, 10**9)), "bytes are promised"),
        (_npy((2,), b"\0" * 15), "16 bytes are promised and 15 are there"),
        (_npy((-1,), b"\0" * 8), "the shape"),
        (_npy((1,), b"\xff" * 4, "<U1"), "a text holds what is no character"),
        (_npy((1,), b"\0" * 8, "|O"), "which only pickle can read"),
        (b"\x93NUMPY\x01\x00", "cannot be read"),
    ],
)
def test_arrays_hold_what_their_headers_promise(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "x.npy").write_bytes(content)
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("a.npy", content)
    with pytest.raises(DataError, match=rf"x\.npy: .*{said}"):
        read_npy(tmp_path / "x.npy", "numbers")
    with pytest.raises(DataError, match=rf"x\.npz: a .*{said}"):
        read_npz(tmp_path / "x.npz", "a", expected="numbers")
    with pytest.raises(DataError, match=f"x: .*{said}"):
        npy_of_bytes(content, "x", "numbers")


def test_archives_are_not_larger_than_they_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """bzip2 packs 4 MB of zeros into 50 bytes; deflate, which numpy writes, needs 4 kB."""
    monkeypatch.setattr("graphzsl.common.reading.bounds.HARMLESS", 1 << 20)
    path = tmp_path / "x.npz"
    content = _npy((1 << 19,), b"\0" * (1 << 22))
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2):
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("a.npy", content)
        if method == zipfile.ZIP_DEFLATED:
            assert read_npz(path, "a", expected="numbers")[0].shape == (1 << 19,)
    with pytest.raises(DataError, match=r"x\.npz: a promises 4,194,304 bytes and stores"):
        read_npz(path, "a", expected="numbers")


def test_archives_say_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", _npy((0,)))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.npy", _npy((0,)))
    with pytest.raises(DataError, match="two arrays of the archive have one name"):
        read_npz(path, "a", expected="numbers")
    for content, said in (
        (b"", "the file is empty"),
        (pickle.dumps([1]), "this is a pickle"),
        (_npy((0,)), r"one array of numpy \(\.npy\)"),
        (b"PK\x03\x04", "the archive is damaged"),
        (b"text", "not an .npz of plain arrays"),
    ):
        path.write_bytes(content)
        with pytest.raises(DataError, match=rf"x\.npz: .*{said}"):
            read_npz(path, "a", expected="numbers")
    np.savez(path, **{f"a{number}": 1 for number in range(9)})
    assert npz_keys(path).endswith("a7 …")


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_that_are_damaged_inside(tmp_path: Path, method: int) -> None:
    """Each way of packing has an error of its own."""
    torch_files = pytest.importorskip("graphzsl.common.reading.torch_files")
    pytest.importorskip("torch", reason="torch is not installed")
    numbers = np.arange(6400.0)
    readers = (
        ("x.npz", "a.npy", lambda path: read_npz(path, "a", expected="numbers")),
        ("x.pt", "x/data.pkl", lambda path: torch_files.read_torch(path, "weights")),
    )
    for name, member, read in readers:
        path, refused = tmp_path / name, 0
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr(member, _npy((6400,)) + numbers.tobytes())
        whole = path.read_bytes()
        places = range(40, len(whole) - 100, 11 + len(whole) // 300)
        for at in places:
            path.write_bytes(whole[:at] + b"\xff" * 8 + whole[at + 8 :])
            try:
                (found,) = read(path)
            except DataError:
                refused += 1
            else:  # what was damaged is behind the numbers
                assert np.array_equal(found, numbers)
        assert refused >= len(places) - 3


def test_parquet_does_not_unpack_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text of 50 kB that is there once, and named in every row: 500 MB in 6 kB."""
    monkeypatch.setattr("graphzsl.common.reading.bounds.HARMLESS", 1 << 20)
    path = tmp_path / "x.parquet"
    text = pa.array(["x" * 50_000])
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 10_000, pa.int32()), text)
    schema = pa.schema([("a", pa.string()), ("b", pa.int64())])
    table = pa.table({"a": column, "b": [1] * 10_000})
    with pq.ParquetWriter(path, table.schema, compression="zstd", store_schema=False) as writer:
        writer.write_table(table)
    assert path.stat().st_size < 20_000
    assert pq.read_schema(path).field("b") == schema.field("b")
    with pytest.raises(DataError, match=r"x\.parquet: not a Parquet file .*bytes in"):
        read_parquet(path)
    assert read_parquet(path, ["b"]).num_rows == 10_000


@pytest.mark.parametrize("in_folder", [False, True])
def test_parquet_is_bounded_by_its_size_and_by_what_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_folder: bool
) -> None:
    """A text per column that is the same in each row, beside what cannot be packed: 4.7 MB took
    2.75 GB. Each part alone fits the memory that is free; all that is held does not."""
    import psutil

    path = tmp_path / "x.parquet"
    numbers = np.random.default_rng(0).bytes(200_000)
    rows = 20_000
    filled = [numbers[10 * row : 10 * row + 10] for row in range(rows)]
    texts = {f"c{column}": pa.array(["x" * 500] * rows) for column in range(10)}
    table = pa.table({"fill": pa.array(filled, pa.binary()), **texts})
    pq.write_table(table, path, compression="zstd", row_group_size=2000)
    size = path.stat().st_size
    assert 128 * size < table.nbytes < 1100 * size
    read = tmp_path if in_folder else path
    assert read_parquet(read).num_rows == rows
    monkeypatch.setattr("graphzsl.common.reading.bounds.HARMLESS", 1 << 20)
    with pytest.raises(DataError, match=rf"x\.parquet: not a Parquet file .* bytes in {size:,}"):
        read_parquet(read)
    # four columns are less than 128 times the file
    columns = ["fill", *[f"c{column}" for column in range(3)]]
    assert read_parquet(read, columns).num_rows == rows
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=8 << 20))
    with pytest.raises(NotEnoughMemoryError, match=r"x\.parquet needs .* and 8,388,608 are free"):
        read_parquet(read, columns)


def test_a_folder_of_parquet_is_its_files_below_each_other(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"is a folder without \.parquet files\. Write it\."):
        read_parquet(tmp_path, expected="Write it.")
    pq.write_table(pa.table({"a": ["1", "2"], "b": [1, 2]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"b": [3], "a": ["3"]}), tmp_path / "2.parquet")
    (tmp_path / "_SUCCESS").write_text("")
    assert read_parquet(tmp_path).to_pydict() == {"a": ["1", "2", "3"], "b": [1, 2, 3]}
    assert read_parquet(tmp_path, ["b"]).to_pydict() == {"b": [1, 2, 3]}
    broken = pa.table({"a": pa.array([b"a\xff"]).view(pa.string()), "b": [3]})
    pq.write_table(broken, tmp_path / "2.parquet")
    with pytest.raises(DataError, match=r"2\.parquet: not a Parquet file .*UTF8"):
        read_parquet(tmp_path)
    for other in ({"a": ["3"], "c": [1]}, {"a": [3], "b": [3]}):
        pq.write_table(pa.table(other), tmp_path / "2.parquet")
        with pytest.raises(DataError, match=r"1\.parquet and its other files differ"):
            read_parquet(tmp_path)


def test_texts_of_parquet_are_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": pa.array([b"ab", b"a\xff"]).view(pa.string())}), path)
    with pytest.raises(DataError, match=r"x\.parquet: not a Parquet file .*UTF8"):
        read_parquet(path)


def test_parquet_names_each_column_once(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), path)
    with pytest.raises(DataError, match=r"x\.parquet: two columns are called 'a'"):
        read_parquet(path)
    with pytest.raises(DataError, match=r"y\.parquet does not exist\. Write it\."):
        read_parquet(tmp_path / "y.parquet", expected="Write it.")


def test_an_attribute_of_megabytes_is_read_once(tmp_path: Path) -> None:
    """10 MB took 11 seconds, and more than linear."""
    path = tmp_path / "x.xml"
    path.write_text(f'<a><s wnid="n" words="{"x" * 10_000_000}"/></a>')
    ((line, attributes, above),) = elements(path, "s")
    assert (line, above, len(attributes["words"])) == (1, None, 10_000_000)
    path.write_text(f'<mediawiki><page a="{"x" * 10_000_000}"/></mediawiki>')
    with path.open("rb") as file:
        assert [number for number, _ in pages(file, path)] == [1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'<?xml version="1.0" encoding="utf-7"?><a/>', "cannot be read|not well-formed"),
        (b'<?xml version="1.0" encoding="shift_jis"?><a/>', "cannot be read|not well-formed"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "cannot be read|not well-formed"),
        (b"<a>" * 5000, "more than 100 deep"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "entities or external references"),
    ],
)
def test_xml_that_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "x.xml").write_bytes(content)
    with pytest.raises(DataError, match=rf"x\.xml.*({said})"):
        list(elements(tmp_path / "x.xml", "a"))
    with pytest.raises(DataError, match=rf"x\.xml.*({said}|not a MediaWiki dump)"):
        list(pages(io.BytesIO(content), tmp_path / "x.xml"))


def test_packed_text_is_unpacked_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.xz"
    content = lzma.compress(b"text" * 100)
    # the size of the dictionary, at its place in the header of the block, and the header's checksum
    block = bytearray(content[12:24])
    block[4] = 38
    block[8:12] = struct.pack("<I", zlib.crc32(bytes(block[:8])))
    path.write_bytes(content[:12] + bytes(block) + content[24:])
    with pytest.raises(DataError, match=r"x\.xz: the text cannot be read \(Memory usage limit"):
        _unpacked(path)
    streams = lzma.compress(b"one ") + b"\0" * 8 + lzma.compress(b"two " * 1_000_000)
    path.write_bytes(streams)
    assert _unpacked(path) == b"one " + b"two " * 1_000_000
    assert _unpacked(path, 4_000_000) == b"two "
    path.write_bytes(streams[:-30])
    with pytest.raises(DataError, match=r"x\.xz: the text cannot be read"):
        _unpacked(path)


def _unpacked(path: Path, start: int = 0) -> bytes:
    return "".join(text for text, *_ in find_text(str(path)).chunks(start)).encode()


class _Fake:
    """A pickle of torch's form: a storage of ``stored`` bytes, a tensor that says more."""

    def __init__(self, numel: int, size: tuple[int, ...], stride: tuple[int, ...]):
        self.numel, self.size, self.stride = numel, size, stride

    def write(self, path: Path, stored: int) -> None:
        import torch

        outer = self

        class Pickler(pickle.Pickler):
            def persistent_id(self, each: Any) -> Any:
                if each == "the storage":
                    return ("storage", torch.FloatStorage, "0", "cpu", outer.numel)
                return None

        class Tensor:
            def __reduce__(self) -> Any:
                parts = ("the storage", 0, outer.size, outer.stride, False, OrderedDict())
                return torch._utils._rebuild_tensor_v2, parts

        content = io.BytesIO()
        Pickler(content, 2).dump({"pred": Tensor(), "wnids": ["a", "b"]})
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("x/data.pkl", content.getvalue())
            archive.writestr("x/byteorder", "little")
            archive.writestr("x/version", "3\n")
            archive.writestr("x/data/0", b"\0" * stored)


def test_torch_files_hold_usual_keys_and_what_is_there_twice(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from collections import Counter

    shared, path = torch.ones(3), tmp_path / "x.pt"
    names = [f"n{number:08}" for number in range(2000)]
    value = {
        "weights": OrderedDict(a=shared, b=shared),
        "names": names,
        "again": [names] * 3,
        ("a", 1): {2: Counter("aab"), None: {"x", "y"}},
        "tuple": tuple(names),
    }
    for zipped in (True, False):
        torch.save(value, path, _use_new_zipfile_serialization=zipped)
        found = read_torch(path, "weights")
        assert found.keys() == value.keys()
        assert found["again"] == value["again"]
        assert found["a", 1] == value["a", 1]
        assert torch.equal(found["weights"]["b"], shared)


def test_tensors_are_no_larger_than_what_is_stored(tmp_path: Path) -> None:
    from graphzsl.embeddings import read_dgp_classifiers

    path = tmp_path / "x.pred"
    _Fake(6, (2, 3), (3, 1)).write(path, 24)
    assert read_dgp_classifiers(path).values.shape == (2, 3)
    for fake, said in (
        (_Fake(1 << 40, (2, 3), (3, 1)), "does not match expected size"),
        (_Fake(6, (2, 3), (9, 1)), "storage that is not resizable"),
        (_Fake(6, (2, 10**12), (3, 0)), "larger than the file: its numbers are repeated"),
    ):
        fake.write(path, 24)
        with pytest.raises(DataError, match=rf"x\.pred: .*({said})"):
            read_dgp_classifiers(path)


def test_tensors_of_the_older_form_are_no_larger_than_what_is_stored(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    path = tmp_path / "x.pth"
    torch.save({"a": torch.arange(1000.0)}, path, _use_new_zipfile_serialization=False)
    content = path.read_bytes()
    shape = b"M\xe8\x03\x85"  # the tuple of 1,000; 1,500 in its place
    assert content.count(shape) == 1
    path.write_bytes(content.replace(shape, b"M\xdc\x05\x85"))
    with pytest.raises(DataError, match=r"x\.pth: .*storage has wrong byte size"):
        read_torch(path, "tensors")


def test_safetensors_name_what_is_missing(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "x.safetensors"
    save_file({"a": np.zeros(2)}, path)
    with pytest.raises(DataError, match=r"there is no array 'b'\. Expected b\."):
        read_safetensors(path, ("b",), expected="b")
    path.write_bytes(struct.pack("<Q", 1 << 62) + b"{}")
    with pytest.raises(DataError, match=r"x\.safetensors: not a safetensors file"):
        read_safetensors(path, expected="b")


DAMAGED: list[tuple[str, Callable[[Path], Any]]] = [
    ("x.json", read_json),
    ("x.npz", lambda path: read_npz(path, "a", expected="a")),
    ("x.npy", lambda path: read_npy(path, "a")),
    ("x.parquet", read_parquet),
    ("x.pkl", read_plain_pickle),
    ("x.safetensors", lambda path: read_safetensors(path, expected="a")),
    ("x.xml", lambda path: list(elements(path, "a"))),
]


@pytest.mark.parametrize(("name", "read"), DAMAGED)
def test_no_byte_no_file_a_folder(tmp_path: Path, name: str, read: Callable[[Path], Any]) -> None:
    path = tmp_path / name
    with pytest.raises(DataError, match=name.replace(".", r"\.")):
        read(path)
    path.write_bytes(b"")
    with pytest.raises(DataError, match=name.replace(".", r"\.")):
        read(path)
    path.unlink()
    if name != "x.parquet":  # a folder of Parquet files is a table too
        path.mkdir()
        with pytest.raises(DataError, match=name.replace(".", r"\.")):
            read(path)


#: In a process of its own, which may take neither all memory nor all time.
_ON_A_DEVICE = """
import resource, sys
from pathlib import Path
from graphzsl.common.errors import DataError
from tests.common.reading.test_hostile_files import ENDLESS

resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
for name, read in ENDLESS:
    path = Path(sys.argv[1], name)
    path.symlink_to("/dev/zero")
    try:
        read(path)
    except DataError as error:
        print(str(error).replace(str(path), name))
"""
ENDLESS = [*DAMAGED, ("x.toml", read_toml), ("x.csv", read_predictions), ("x.txt", read_classes)]


def test_a_device_is_not_read_to_its_end(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ON_A_DEVICE, str(tmp_path)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert not done.returncode, done.stderr
    said = done.stdout.splitlines()
    assert [line.split(":")[0].split()[0] for line in said] == [name for name, _ in ENDLESS]
    devices = {
        line.split()[0] for line in said if line.endswith(" is a device; a file was expected.")
    }
    assert devices == {name for name, _ in ENDLESS}


#: Files that are read in pieces.
IN_PIECES: list[tuple[str, Callable[[Path], Any]]] = [
    ("x.pt", lambda path: read_torch(path, "a")),
    ("x.mat", read_mat),
    ("x.bin", read_vectors),
    ("x.json", lambda path: list(parts(path))),
    ("x.tar", lambda path: list(tar_members(path))),
    ("x.txt", class_entries),
    ("x.txt", lambda path: class_entries(str(path))),
]
#: Files that are found in a folder.
IN_FOLDERS: list[tuple[str, Callable[[Path], Any]]] = [
    ("x.xml", lambda path: list(source_of(path.parent).rows())),
    ("data.noun", lambda path: WordNet(path.parent)),
    ("data.noun", lambda path: check_databases(path.parent)),
    ("index.sense", lambda path: noun_senses(path.parent)),
    ("password", lambda path: PasswordFile(path.parent).read()),
]


@pytest.mark.parametrize(("name", "read"), [*ENDLESS, *IN_PIECES, *IN_FOLDERS])
def test_a_pipe_is_asked_for_as_a_file(
    tmp_path: Path, name: str, read: Callable[[Path], Any]
) -> None:
    """What is read of it is gone: its checksum would be that of nothing."""
    extra = {"x.pt": "torch", "x.mat": "h5py", "x.bin": "gensim"}.get(name)
    if extra:
        pytest.importorskip(extra, reason=f"{extra} is not installed")
    path = tmp_path / name
    os.mkfifo(path)
    held = os.open(path, os.O_RDWR | os.O_NONBLOCK)  # else who opens it would wait for a writer
    os.write(held, b"dog,cat\n")
    try:
        with pytest.raises(
            DataError, match=rf"{re.escape(str(path))} is a pipe or a socket, .* to a"
        ):
            read(path)
    finally:
        os.close(held)
