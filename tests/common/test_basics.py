"""Settings, files, class matrices, samples: what is wrong is named, and nothing half-written looks
whole."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from graphzsl.common import (
    DatabaseError,
    DataError,
    Settings,
    SettingsError,
    files,
    load_settings,
    read_npz,
)
from graphzsl.common.files import read_json
from graphzsl.data import CLASSIFIERS, EMBEDDINGS, ClassMatrix, load_samples
from graphzsl.database import Database


def test_flags_beat_environment_beats_file_beats_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graphzsl.toml"
    monkeypatch.setattr("graphzsl.common.settings.config_path", lambda: path)
    assert load_settings().uri == ""
    assert load_settings().local
    path.write_text('uri = "bolt://file"\nbolt_port = 1234\n')
    assert (load_settings().uri, load_settings().bolt_port) == ("bolt://file", 1234)
    monkeypatch.setenv("NEO4J_URI", "bolt://environment")
    assert load_settings().uri == "bolt://environment"
    assert load_settings(uri="bolt://flag", database=None).uri == "bolt://flag"
    monkeypatch.setenv("GRAPHZSL_BOLT_PORT", "many")
    with pytest.raises(
        SettingsError, match="GRAPHZSL_BOLT_PORT must be a whole number, not 'many'"
    ):
        load_settings()
    path.write_text("bolt_prot = 1\n")
    with pytest.raises(SettingsError, match="unknown setting 'bolt_prot'"):
        load_settings()
    path.write_text("= 1\n")
    with pytest.raises(SettingsError, match="not valid TOML"):
        load_settings()


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        (
            "GRAPHZSL_BOLT_PORT",
            "99999",
            r"bolt_port \(GRAPHZSL_BOLT_PORT\) must be a port from 1 to 65535, not 99999",
        ),
        (
            "GRAPHZSL_HTTP_PORT",
            "-1",
            r"http_port \(GRAPHZSL_HTTP_PORT\) must be a port from 1 to 65535, not -1",
        ),
        ("GRAPHZSL_BOLT_PORT", "0", "must be a port from 1 to 65535"),
        (
            "GRAPHZSL_HEAP",
            "512m\nserver.bolt.listen_address=0.0.0.0",
            r"heap \(GRAPHZSL_HEAP\) must be a number",
        ),
        ("GRAPHZSL_SILENCE_LIMIT", "1", "5 to 3600 seconds, not 1"),
        ("GRAPHZSL_CONNECTION_TIMEOUT", "0", r"connection_timeout .* 1 to 600 seconds, not 0"),
        ("GRAPHZSL_ACQUISITION_TIMEOUT", "4000", "1 to 3600 seconds, not 4000"),
        ("GRAPHZSL_RETRY_TIMEOUT", "-1", "0 to 3600 seconds, not -1"),
        ("GRAPHZSL_RETRY_TIMEOUT", "1_0", "must be a whole number, not '1_0'"),
        ("GRAPHZSL_RETRY_TIMEOUT", "٣", "must be a whole number"),
        ("GRAPHZSL_TRANSACTION_TIMEOUT", "10 minutes", "at most 30 days with its unit"),
        ("GRAPHZSL_TRANSACTION_TIMEOUT", "31d", "at most 30 days with its unit"),
        ("GRAPHZSL_TRANSACTION_TIMEOUT", "0s", "at most 30 days with its unit"),
        ("GRAPHZSL_TRANSACTION_TIMEOUT", "1m\nx=y", "at most 30 days with its unit"),
        ("GRAPHZSL_PAGE_CACHE", "1m\nx=y", r"page_cache .* a number with a unit"),
        ("GRAPHZSL_JAVA_OPTIONS", "-Xss2m -cp /tmp", r"java_options .* that begin with -X"),
        (
            "NEO4J_URI",
            "bolt://neo4j:SECRET@host",
            r"uri \(NEO4J_URI\) must be an address without a user name",
        ),
    ],
)
def test_a_setting_out_of_range_is_refused_by_its_names(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, message: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=message) as caught:
        load_settings()
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", None), ("90", 90), ("500ms", 0.5), ("1h30m", 5400), ("30m", 1800), ("1d", 86400)],
)
def test_times_are_those_of_neo4j(text: str, seconds: float | None) -> None:
    assert load_settings(transaction_timeout=text).transaction_seconds == seconds


def test_a_setting_that_is_no_text_is_refused_without_its_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graphzsl.toml"
    path.write_text('password = ["SECRET"]\n')
    monkeypatch.setattr("graphzsl.common.settings.config_path", lambda: path)
    with pytest.raises(SettingsError, match="password must be a text or a number") as caught:
        load_settings()
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("name", [each.name for each in fields(Settings)])
def test_a_nul_character_is_refused_in_every_setting(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TOML writes one in six letters; no path, address or command line has one."""
    path = tmp_path / "graphzsl.toml"
    path.write_text(f'{name} = "a scratch folder\\u0000y"\n')
    monkeypatch.setattr("graphzsl.common.settings.config_path", lambda: path)
    with pytest.raises(SettingsError, match=rf"{name}\b.* (must be|holds the)") as caught:
        load_settings()
    assert name != "password" or "scratch" not in str(caught.value)


def test_the_home_of_a_user_who_does_not_exist_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"the command line: wordnet: .*~nobody-here/x.*user"):
        load_settings(wordnet="~nobody-here/x")


def test_the_password_is_not_part_of_what_settings_print() -> None:
    settings = load_settings(password="SECRET")
    assert settings.password == "SECRET"
    assert "SECRET" not in repr(settings)


@pytest.mark.parametrize(
    "uri",
    [
        *("http://127.0.0.1:7474", "localhost:7687", "bolt:/127.0.0.1", "postgres://host"),
        *("bolt://..:7687", f"bolt://{'a' * 70}.example:7687", "bolt://[::1:7687"),
    ],
)
def test_an_address_that_is_not_neo4js_is_one_line(uri: str) -> None:
    """http:// is a preview of the driver, which says so in three lines of warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = r"Expected bolt://host:7687, or neo4j://host:7687 for a cluster\.$"
        with pytest.raises(DatabaseError, match=rf"is not a Neo4j address\. {expected}"):
            Database(uri, "neo4j", "password")


def test_the_drivers_log_is_left_to_the_program_that_uses_the_package() -> None:
    logger = logging.getLogger("neo4j")
    logger.setLevel(logging.DEBUG)
    try:
        Database("bolt://127.0.0.1:1", "neo4j", "password").close()
        assert logger.level == logging.DEBUG
    finally:
        logger.setLevel(logging.NOTSET)


def test_an_error_of_the_system_is_one_line_of_the_command(tmp_path: Path) -> None:
    """Places where nothing can be read or written, as files, homes and caches."""
    (tmp_path / "file").write_text("")
    environment = {
        **os.environ,
        "GRAPHZSL_HOME": str(tmp_path / "file"),
        "GRAPHZSL_BOLT_PORT": "18086",
    }
    for arguments, named in (
        (["split", "list"], "Set GRAPHZSL_HOME"),
        (["report", str(tmp_path), "--out", "/proc/r.html"], ""),
        (["audit", str(tmp_path), "--out", str(tmp_path / "o.json")], str(tmp_path)),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "graphzsl", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, arguments
        assert "Traceback" not in done.stderr
        (line,) = [line for line in done.stderr.splitlines() if line.startswith("Error")]
        assert named in line
    no_cache = {
        **environment,
        "GRAPHZSL_HOME": str(tmp_path / "new"),
        "GRAPHZSL_CACHE": "/proc/nowhere",
    }
    command = [sys.executable, "-m", "graphzsl", "db", "start"]
    done = subprocess.run(command, env=no_cache, capture_output=True, text=True, check=False)
    assert (done.returncode, "Set GRAPHZSL_CACHE" in done.stderr, "Traceback" in done.stderr) == (
        1,
        True,
        False,
    )


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    files.write_json_lines(path, [{"a": 1}])

    def broken():  # type: ignore[no-untyped-def]
        yield {"a": 2}
        raise RuntimeError

    with pytest.raises(RuntimeError):
        files.write_json_lines(path, broken())
    assert path.read_text() == '{"a": 1}\n'
    assert [p.name for p in tmp_path.iterdir()] == ["some.jsonl"]
    with pytest.raises(ValueError, match="JSON compliant"):
        files.write_json(path, {"nan": float("nan")})
    assert path.read_text() == '{"a": 1}\n'


def test_a_folder_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with (
        pytest.raises(DataError, match="was not written by graphzsl"),
        files.atomic_folder(tmp_path / "mine"),
    ):
        pass
    assert (tmp_path / "mine" / "thesis.txt").exists()
    for text in ("one", "two"):
        with files.atomic_folder(tmp_path / "ours") as partial:
            (partial / files.MANIFEST).write_text(text)
    assert (tmp_path / "ours" / files.MANIFEST).read_text() == "two"


def test_a_class_matrix_comes_back_and_is_checked(tmp_path: Path) -> None:
    matrix = ClassMatrix(
        ["n00000001", "n00000002"],
        np.eye(2, 3, dtype=np.float32),
        {"kind": EMBEDDINGS, "note": "ü"},
    )
    path = tmp_path / "m.safetensors"
    matrix.save(path)
    found = ClassMatrix.load(path, EMBEDDINGS)
    assert (found.wnids, found.metadata) == (matrix.wnids, matrix.metadata)
    assert np.array_equal(found.values, matrix.values)
    assert np.array_equal(found.rows(["n00000002"]), matrix.values[1:])
    with pytest.raises(DataError, match="no class embeddings for n00000003"):
        found.rows(["n00000001", "n00000003"])
    with pytest.raises(DataError, match="holds class embeddings; classifiers were expected"):
        ClassMatrix.load(path, CLASSIFIERS)
    path.write_bytes(b"\x80\x04}\x94.")
    with pytest.raises(DataError, match="not a safetensors file that can be read"):
        ClassMatrix.load(path)
    with pytest.raises(DataError, match="does not exist"):
        ClassMatrix.load(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("wnids", "values", "message"),
    [
        (["a"], [[1.0], [2.0]], "do not fit"),
        (["a", "a"], [[1.0], [2.0]], "a is there twice: class 0 and class 1"),
        (["a", "b"], [[1.0], [np.nan]], "row of b is not finite"),
    ],
)
def test_a_wrong_class_matrix_is_refused(
    wnids: list[str], values: list[list[float]], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        ClassMatrix(wnids, np.array(values, dtype=np.float32), {})


def test_samples_are_never_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "samples.npz"
    np.savez(path, features=np.ones((2, 3)), wnids=np.array(["a", "b"]))
    found = load_samples(path)
    assert (found.labels, found.features.dtype) == (["a", "b"], np.float32)
    assert found.select(["b"]).labels == ["b"]
    assert np.array_equal(found.centred_on(["a"]).features, np.zeros((2, 3)))
    with pytest.raises(DataError, match="no sample of c"):
        found.select(["c"])
    np.savez(path, features=np.array([{"a": 1}], dtype=object), wnids=np.array(["a"]))
    with pytest.raises(DataError, match=r"features is an array of Python objects"):
        load_samples(path)
    path.write_bytes(b"")
    with pytest.raises(DataError, match=r"samples\.npz: the file is empty"):
        load_samples(path)
    np.savez(path, feature=np.ones((2, 3)), wnids=np.array(["a", "b"]))
    with pytest.raises(DataError, match=r"the archive, which holds feature, wnids\. Expected feat"):
        load_samples(path)
    np.savez(path, features=np.array([[1.0], [np.inf]]), wnids=np.array(["a", "b"]))
    with pytest.raises(DataError, match="sample 1 \\(b\\) are not finite"):
        load_samples(path)


def test_json_is_read_or_named(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{")
    with pytest.raises(DataError, match=r"x\.json: not valid JSON"):
        files.read_json(path)
    path.write_text(json.dumps({"a": 1}))
    assert files.read_json(path) == {"a": 1}


def test_a_key_that_json_has_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a": {"k": 1, "k": 2}}')
    with pytest.raises(DataError, match=r"x\.json: an object has the key 'k' twice"):
        read_json(path)


def test_npz_files_say_file_key_and_what_is_expected(tmp_path: Path) -> None:
    path = tmp_path / "p.npz"

    def refused(said: str) -> None:
        with pytest.raises(DataError) as error:
            read_npz(path, "scores|logits", expected="scores [N, C]")
        assert str(error.value).startswith(str(path))
        assert said in str(error.value), str(error.value)

    refused("does not exist. Expected an .npz with scores [N, C]")
    np.savez(path, a=[1], b=[2])
    refused("scores or logits is not in the archive, which holds a, b. Expected scores [N, C]")
    np.savez(path, scores=np.array([None, "x"], dtype=object))
    refused("scores is an array of Python objects")
    np.savez_compressed(path, scores=np.random.default_rng(0).random(10_000))
    content = bytearray(path.read_bytes())
    content[5000:5200] = bytes(200)
    path.write_bytes(bytes(content))
    refused("scores cannot be read, the archive is damaged")
    path.write_bytes(bytes(content[:3000]))
    refused("the archive is damaged")
    path.write_bytes(b"")
    refused("the file is empty. Expected scores [N, C]")
    path.write_bytes(b"\x80\x04].")
    refused("this is a pickle")
    np.save(tmp_path / "x.npy", [1])
    path.write_bytes((tmp_path / "x.npy").read_bytes())
    refused("this is one array of numpy (.npy)")


def _archive(path: Path, method: int, flags: int = 0) -> None:
    """An .npz whose entry says that it is compressed or encrypted as numbers say."""
    np.savez(path, scores=np.zeros((2, 2)))
    content = bytearray(path.read_bytes())
    for start, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):  # the entry's header, and the directory's
        place = content.index(start) + at
        content[place : place + 2] = flags.to_bytes(2, "little")
        content[place + 2 : place + 4] = method.to_bytes(2, "little")
    path.write_bytes(content)


def _headed(path: Path, header: str) -> None:
    """An .npz with an array of that header."""
    text = header.ljust(117).encode() + b"\n"
    array = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("scores.npy", array + bytes(32))


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: _archive(path, method=97),
        lambda path: _archive(path, method=0, flags=1),
        lambda path: _headed(
            path, "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000)}"
        ),
        lambda path: _headed(path, "{'descr': '<f8', 'fortran_order': False, 'shape': ((2,"),
    ],
    ids=["unknown compression", "encrypted", "petabytes", "cut header"],
)
def test_archives_that_numpy_cannot_read_are_one_line(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    path = tmp_path / "p.npz"
    damage(path)
    with pytest.raises(DataError, match=r"p\.npz: scores cannot be read, the archive is damaged"):
        read_npz(path, "scores", expected="scores [N, C]")


def test_a_json_number_of_thousands_of_digits_is_not_json(tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    path.write_text("[" + "1" * 5000 + "]")
    with pytest.raises(DataError, match=r"n\.json: a number of 5,000 digits"):
        read_json(path)


def test_a_deep_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(DataError, match=r"r\.json was not written by graphzsl"):
        files.check_result(path, "evaluation")


def test_a_message_is_no_longer_than_somebody_reads() -> None:
    """What a damaged file repeats without end is cut, not the place and the remedy around it."""
    word = "a=" * 30_000
    said = str(DataError(f"s.tsv:2: {word!r} is no wnid. Write n and eight digits."))
    assert len(said) < 1_000
    assert said.startswith("s.tsv:2: 'a=a=")
    assert said.endswith("is no wnid. Write n and eight digits.")
    assert "60,002 letters" in said
    words = str(DataError("s.tsv: " + "cat " * 10_000 + "are no wnids."))
    assert len(words) < 10_100
    assert words.endswith("cat are no wnids.")
    usual = "s.tsv: " + "n02084071 " * 900
    assert str(DataError(usual)) == usual
