"""Files and options are read before a server is started: of a wrong one it says so at once.

No test of the kind ``unit`` can start a server (``tests/conftest.py``), so a command that asked
for its database first would fail here.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.cli import main

UTF_16 = "n02084071\n".encode("utf-16")
UTF_8 = "c.txt is UTF-16; save it as UTF-8"
RECIPE = 'name = "r"\nuniverse = "imagenet-fall11"\n'
#: command, files beside it (None: a folder), a part of what is said, exit status
WRONG: list[tuple[str, dict[str, bytes | None], str, int]] = [
    ("load class-set mine --file c.txt", {"c.txt": UTF_16}, UTF_8, 1),
    ("load class-set mine --file c.txt", {"c.txt": b"# none\n"}, "c.txt is empty", 1),
    ("load class-set ilsvrc2021", {}, "ilsvrc2012", 1),
    (
        "load class-set c.txt",
        {"c.txt": b"n02084071\n"},
        "it is a file. Run `graphzsl load class-set c --file c.txt`.",
        1,
    ),
    ("load populations p.csv", {"p.csv": b"n02084071,many\n"}, "p.csv:1: images must be", 1),
    ("load populations p.xml", {"p.xml": b"<root><synset"}, "p.xml", 1),
    (
        "load frequencies f.csv",
        {"f.csv": b"word,frequency\ndog,x\n"},
        "f.csv:2: frequency must be",
        1,
    ),
    ("load hierarchy h.csv", {"h.csv": b"n02084071\n"}, "h.csv:1: expected", 1),
    ("load wordnet --folder w", {"w": None}, "w", 1),
    ("split overlap c.txt", {"c.txt": UTF_16}, UTF_8, 1),
    ("split diff hops-1 c.txt", {"c.txt": b"dog\0\n"}, "c.txt:1: a NUL byte", 1),
    ("split verify b", {"b": None}, "manifest.json", 1),
    ("split build r.toml", {"r.toml": b'nme = "r"\n'}, "r.toml:1: unknown key 'nme'", 1),
    ("split build none.toml", {}, "There is no file none.toml.", 1),
    (
        "split build r.toml",
        {"r.toml": f'{RECIPE}rank_by = "path"\ncompare = ["c.txt"]\n'.encode(), "c.txt": UTF_16},
        "r.toml:4: c.txt is UTF-16; save it as UTF-8",
        1,
    ),
    *(
        ("split build r.toml", {"r.toml": recipe.encode()}, said, 1)
        for recipe, said in (
            ('name = "r"\nuniverse = "u.txt"\n', "r.toml:2: 'u.txt' would be a file, and there is"),
            (
                f'{RECIPE}train = "lists/t"\n',
                "r.toml:3: 'lists/t' would be a file, and there is no",
            ),
            (f'{RECIPE}exclude_sets = ["x.csv"]\n', "r.toml:3: 'x.csv' would be a file"),
        )
    ),
    ("split build --universe u.txt", {"u.txt": b"n02084071\n"}, "'u.txt' is a file. A recipe", 1),
    (
        "split build r.toml",
        {"r.toml": f'{RECIPE}train = "c.txt"\n'.encode(), "c.txt": b"n02084071\n"},
        "with `graphzsl load class-set c --file c.txt`, and write its name, c.",
        1,
    ),
    (
        "split build r.toml",
        {"r.toml": f'{RECIPE}meaning = "neighbours"\nvectors = "v.txt"\n'.encode()},
        "r.toml:4: v.txt does not exist",
        1,
    ),
    (
        "study words meaning --rule neighbours --vectors v.txt",
        {"v.txt": b"dog 1 2\ncat 1 x\n"},
        "v.txt: neither word2vec nor GloVe vectors",
        1,
    ),
    ("study words meaning --rule neighbours", {}, "--rule neighbours needs --vectors", 2),
    ("study granularity rerank s.npz --out o.jsonl", {"s.npz": b"PK"}, "the archive is damaged", 1),
    (
        "study granularity sweep --scores s.npz --relevance r.jsonl",
        {"r.jsonl": b"[1]\n"},
        "r.jsonl:1: expected an object of word: relevance",
        1,
    ),
    ("query run q.cypher", {"q.cypher": UTF_16}, "q.cypher is UTF-16; save it as UTF-8", 1),
]


@pytest.mark.parametrize(("command", "files", "said", "code"), WRONG)
def test_a_wrong_file_starts_no_server(
    command: str,
    files: dict[str, bytes | None],
    said: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHZSL_HOME", str(tmp_path / "home"))
    np.savez("s.npz", scores=np.ones((1, 2)), classes=["n02084071", "n02121620"])
    for name, content in files.items():
        if content is None:
            Path(name).mkdir()
        else:
            Path(name).write_bytes(content)
    done = CliRunner().invoke(main, command.split())
    assert (done.exit_code, said in done.stderr) == (code, True), done.stderr
    assert not (tmp_path / "home").exists()


def test_without_a_database_another_way_is_named() -> None:
    unreachable = {"NEO4J_URI": "bolt://localhost:1", "NEO4J_PASSWORD": "x"}
    done = CliRunner(env=unreachable).invoke(main, ["split", "build"])
    assert done.exit_code == 1
    assert "No Neo4j answers at bolt://localhost:1" in done.stderr
    assert done.stderr.endswith(
        "Without a database `--out FOLDER` writes the classes as lists, from files and shipped"
        " lists.\n"
    )
