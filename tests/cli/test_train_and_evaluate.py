"""Training, evaluating and converting from the command line, on the mini WordNet: no database."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.data import (
    EMBEDDINGS,
    ClassMatrix,
    Samples,
    ZeroShotDataset,
    load_samples,
    save_samples,
)
from graphzsl.models import load_model
from graphzsl.models.registry import MODELS
from tests.problems import letters, mini_samples, mini_subgraph, mini_task, save_experiment


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An experiment as files."""
    save_experiment(tmp_path)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_a_model_of_the_other_setting_is_refused_with_what_helps(tmp_path: Path) -> None:
    data, said = f"{tmp_path}/data", {}
    letters().save(data)
    (tmp_path / "unseen.txt").write_text("g\nh\n")
    options = ("--gamma", "1", "--ridge", "1")
    for name, setting, other in (("alone", [], ["--generalized"]), ("both", ["--generalized"], [])):
        model = f"{tmp_path}/{name}"
        done = _run("train", "eszsl", "--data", data, *setting, *options, "--out", model)
        assert done.exit_code == 0, done.output
        done = _run("evaluate", "model", model, "--data", data, *other, "--out", f"{model}.json")
        assert done.exit_code == 1
        said[name] = done.stderr
    assert "Score samples of unseen classes alone, outside the generalized" in said["alone"]
    assert "--generalized" not in said["alone"]
    assert "6 of the model's 8 candidates are training classes, of which no" in said["both"]
    assert "Or: Give the unseen classes" in said["both"]
    assert "(--classes)" in said["both"]
    only = ("--classes", f"{tmp_path}/unseen.txt")
    done = _run("evaluate", "model", model, "--data", data, *only, "--out", f"{model}.json")
    assert done.exit_code == 0, done.output


def test_a_graph_is_not_replaced_by_a_model(folder: Path) -> None:
    """The --out of one command is the input of another."""
    before = {path.name: path.read_bytes() for path in (folder / "graph").iterdir()}
    arguments = [
        "--semantics",
        f"{folder}/embeddings.safetensors",
        "--classifiers",
        f"{folder}/classifiers.safetensors",
    ]
    lists = [
        "--train",
        f"{folder}/train.txt",
        "--candidates",
        f"{folder}/test.txt",
        "--graph",
        f"{folder}/graph",
    ]
    done = _run("train", "closest", *arguments, *lists, "--out", f"{folder}/graph")
    assert (done.exit_code, "wrote as 'subgraph', and this would be 'model'" in done.output) == (
        2,
        True,
    ), done.output
    assert {path.name: path.read_bytes() for path in (folder / "graph").iterdir()} == before


def _train_closest(folder: Path, out: Path) -> Result:
    return _run(
        "train",
        "closest",
        "--semantics",
        f"{folder}/embeddings.safetensors",
        "--classifiers",
        f"{folder}/classifiers.safetensors",
        "--train",
        f"{folder}/train.txt",
        "--candidates",
        f"{folder}/test.txt",
        "--graph",
        f"{folder}/graph",
        "--out",
        str(out),
    )


def test_a_model_folder_with_notes_is_refused_before_any_training(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = folder / "model"
    assert _train_closest(folder, out).exit_code == 0
    assert _train_closest(folder, out).exit_code == 0, "what graphzsl wrote is replaced"
    (out / "notes.txt").write_text("mine")
    monkeypatch.setattr("graphzsl.models.training.train", lambda *_, **__: pytest.fail("trained"))
    done = _train_closest(folder, out)
    assert (done.exit_code, "holds notes.txt, which graphzsl did not write" in done.output) == (
        2,
        True,
    )
    assert (out / "notes.txt").read_text() == "mine"


def test_softmax_predicts_training_classes_and_needs_no_candidates(folder: Path) -> None:
    rows = (
        "--semantics",
        f"{folder}/embeddings.safetensors",
        "--classifiers",
        f"{folder}/classifiers.safetensors",
    )
    done = _run(
        "train", "softmax", *rows, "--train", f"{folder}/train.txt", "--out", f"{folder}/model"
    )
    assert done.exit_code == 0, done.output
    model, manifest = load_model(folder / "model")
    assert sorted(model.wnids) == sorted(manifest["train"])
    assert "images: as they are" in manifest["scaling"]["features"]

    own = ClassMatrix.load(folder / "classifiers.safetensors")
    rows, random = own.rows(manifest["train"]), np.random.default_rng(3)
    images = random.normal(1, 1, (len(rows), rows.shape[1] - 1)) + 2 * rows[:, :-1]
    images += 5 * random.normal(size=rows.shape[1] - 1)  # what centring takes away
    truth = np.arange(len(rows))
    right = 100 * ((images @ rows[:, :-1].T + rows[:, -1]).argmax(axis=1) == truth).mean()
    assert 5 < right < 95
    given = Samples.from_arrays(images, manifest["train"])
    save_samples(given, folder / "images.npz")
    for more in ((), ("--center-features",)):
        out = folder / "run.json"
        command = ("evaluate", "model", str(folder / "model"), "--features")
        done = _run(*command, f"{folder}/images.npz", *more, "--out", str(out))
        assert done.exit_code == 0, done.output
        hit = json.loads(out.read_text())["metrics"]["hit@1"]["per_sample"]
        assert 100 * hit == pytest.approx(right), more
        assert ("--center-features changes nothing" in done.output) == bool(more)
    save_samples(given.among(manifest["train"][1:]), folder / "some.npz")
    done = _run(*command, f"{folder}/some.npz", "--center-features", "--out", f"{folder}/o.json")
    assert (done.exit_code, f"holds none of {manifest['train'][0]} (1 of" in done.output) == (
        1,
        True,
    ), done.output


def test_a_valid_set_needs_the_whole_hierarchy(folder: Path) -> None:
    own = (folder / "train.txt").read_text().split()[0]
    (folder / "given.csv").write_text(f"label,top1\n{own},{own}\n")
    command = ("audit", f"{folder}/given.csv", "--valid", f"{folder}/train.txt")
    done = _run(*command, "--wordnet", f"{folder}/graph", "--out", f"{folder}/o.json")
    assert (done.exit_code, "--valid: The valid set of hp@k needs a whole" in done.output) == (
        2,
        True,
    )


def test_a_model_whose_files_are_not_those_of_its_manifest_is_refused(folder: Path) -> None:
    """A swapped file is named; a folder whose manifest names no files is not replaced."""
    out, manifest = folder / "model", folder / "model" / "manifest.json"
    assert _train_closest(folder, out).exit_code == 0
    load_model(out)
    written = (out / "classifiers.safetensors").read_bytes()
    shutil.copy(folder / "classifiers.safetensors", out / "classifiers.safetensors")
    with pytest.raises(DataError, match=r"classifiers\.safetensors is missing or is not the file"):
        load_model(out)
    (out / "classifiers.safetensors").write_bytes(written)
    load_model(out)
    document = json.loads(manifest.read_text())
    del document["files"]
    manifest.write_text(json.dumps(document))
    with pytest.raises(DataError, match=r"classifiers\.safetensors is missing or is not the file"):
        load_model(out)
    done = _train_closest(folder, out)
    assert (done.exit_code, "which graphzsl did not write" in done.output) == (2, True)


def test_models_are_listed_and_shown() -> None:
    listed = _run("train", "--list", "--format", "json")
    rows = json.loads(listed.stdout)
    assert [row["model"] for row in rows] == list(MODELS)
    assert {row["model"] for row in rows if row["family"] == "graph"} == {
        "sgcn",
        "gcn6",
        "dense-gcn",
        "dgp",
        "sgc",
        "graph-linear",
        "graph-exem",
    }
    shown = _run("train", "eszsl", "--help")
    assert "(XᵀX + γI)⁻¹" in shown.stdout
    assert "--gamma" in shown.stdout
    assert "Did you mean" in _run("train", "eszl", "--help").stderr
    for wrong in (("train", "--save", "q.csv"), ("train", "--list", "eszsl")):
        assert _run(*wrong).exit_code == 2
    assert not Path("q.csv").exists()
    for name in MODELS:
        helped = _run("train", name, "--help").output
        assert "default" in helped
        assert "--semantic-scaling" in helped


def test_train_evaluate_and_compare_from_samples(folder: Path) -> None:
    common = [
        "--semantics",
        f"{folder}/embeddings.safetensors",
        "--features",
        f"{folder}/samples.npz",
        "--train",
        f"{folder}/train.txt",
    ]
    samples = load_samples(folder / "samples.npz")  # which say that they are simulated
    save_samples(replace(samples, metadata={}), folder / "samples.npz")
    for name, options in (("eszsl", []), ("devise", ["--margin", "0.3", "--epochs", "10"])):
        done = _run(
            "train",
            name,
            *common,
            "--candidates",
            f"{folder}/test.txt",
            *options,
            "--out",
            f"{folder}/{name}",
        )
        assert done.exit_code == 0, done.output
        said = ["--simulated"] if name == "devise" else []
        done = _run(
            "evaluate",
            "model",
            f"{folder}/{name}",
            "--features",
            f"{folder}/samples.npz",
            "--wordnet",
            f"{folder}/whole",
            "--out",
            f"{folder}/{name}.json",
            *said,
            "--format",
            "json",
        )
        assert done.exit_code == 0, done.output
        simulated = json.loads((folder / f"{name}.json").read_text())["features"].get("simulated")
        assert simulated == ("--simulated" in said or None)
        metrics = {row["metric"]: row for row in json.loads(done.stdout)}
        assert {
            "hit@1",
            "hp@5",
            "parent",
            "child",
            "unrelated",
            "lca_height@1",
            "lca_height_wordnet@1",
            "semantic accuracy from",
        } <= set(metrics)
        assert any(name.startswith("hit@1, ") and name.endswith("hops") for name in metrics)
    compared = _run(
        "evaluate",
        "compare",
        f"{folder}/eszsl.samples.parquet",
        f"{folder}/devise.samples.parquet",
        "--format",
        "json",
    )
    row = json.loads(compared.stdout)[0]
    assert row["samples"] == 160
    assert row["both"] + row["only_first"] + row["only_second"] + row["neither"] == 160
    assert (
        row["difference_low"] <= row["error_second"] - row["error_first"] <= row["difference_high"]
    )
    by_json = _run(
        "evaluate", "compare", f"{folder}/eszsl.json", f"{folder}/devise.json", "--format", "json"
    )
    assert {**json.loads(by_json.stdout)[0], "first": row["first"], "second": row["second"]} == row
    both = _run(
        "train",
        "eszsl",
        *common,
        "--candidates",
        f"{folder}/test.txt",
        "--generalized",
        "--out",
        f"{folder}/g",
    )
    assert both.exit_code == 0, both.output
    command = ("--out", f"{folder}/g.json", "--format", "json")
    refused = _run(
        "evaluate", "model", f"{folder}/g", "--features", f"{folder}/samples.npz", *command
    )
    assert refused.exit_code == 1
    assert "25 training classes) that the model learned from" in refused.output
    assert not (folder / "g.json").exists()
    save_samples(mini_samples(each=3, noise=0.5), folder / "held-out.npz")
    done = _run(
        "evaluate", "model", f"{folder}/g", "--features", f"{folder}/held-out.npz", *command
    )
    assert {"generalized ts", "generalized tr", "generalized h", "generalized ausuc"} <= {
        row["metric"] for row in json.loads(done.stdout)
    }
    assert "Samples of seen classes enter generalized tr, h and ausuc alone." in done.stderr
    report = _run(
        "report", f"{folder}/eszsl.json", f"{folder}/devise.json", "--out", f"{folder}/r.html"
    )
    assert report.exit_code == 0, report.output
    assert "AUSUC" not in (folder / "r.html").read_text()
    report = _run("report", f"{folder}/g.json", "--out", f"{folder}/r.html")
    assert report.exit_code == 0, report.output
    h = json.loads((folder / "g.json").read_text())["generalized"]["hit@1"]["per_class"]["h"]
    page = (folder / "r.html").read_text()
    assert "AUSUC" in page
    assert re.search(rf'data-metric="h" [^>]*>{100 * h:.1f}<', page)
    usage = _run("train", "eszsl", "--out", f"{folder}/x")
    assert (usage.exit_code, "--semantics" in usage.output) == (2, True)


@pytest.mark.parametrize("are_wnids", [True, False])
def test_one_default_hierarchy_of_all_evaluations(tmp_path: Path, are_wnids: bool) -> None:
    """`evaluate model`, its shards merged and `report` know WordNet where classes are wnids, as
    `audit` does, and say the same where they are names."""
    numbers = [2084071, 2114100, 2118333, 2121808, 2129165, 2129604, 2374451, 2391049]
    names = [f"n{number:08d}" for number in numbers]
    if not are_wnids:
        names = [f"class {place}" for place in range(8)]
    random = np.random.default_rng(0)
    vectors = {name: random.normal(size=4) for name in names}
    labels = [name for name in names for _ in range(4)]
    features = np.array([[*vectors[name], 1.0] for name in labels])
    data = ZeroShotDataset.from_arrays(features, labels, vectors, seen=names[:6], unseen=names[6:])
    data.save(tmp_path / "data")
    model, run, merged = (str(tmp_path / name) for name in ("model", "run.json", "merged.json"))
    options = ["--gamma", "1", "--ridge", "1"]
    given = ["--data", str(tmp_path / "data")]
    assert _run("train", "eszsl", *given, *options, "--out", model).exit_code == 0
    scored = ["evaluate", "model", model, *given, "--out"]
    assert _run(*scored, merged, "--shard", "1/1").exit_code == 0
    shard = str(tmp_path / "merged.shard-1-of-1.npz")
    page = str(tmp_path / "r.html")
    done = {
        "model": _run(*scored, run),
        "merge": _run("evaluate", "merge", shard, "--out", merged),
        "report": _run("report", run, "--out", page),
    }
    for command, each in done.items():
        assert each.exit_code == 0, (command, each.output)
        assert ("Without wnids there is no hierarchy" in each.stderr) != are_wnids, command
    for path in (run, merged):
        metrics = json.loads(Path(path).read_text())["metrics"]
        assert ("lca_height@1" in metrics, "parent" in metrics) == (are_wnids, are_wnids)
    assert ("Which branches of the hierarchy are easy" in Path(page).read_text()) == are_wnids
    assert _run(*scored, run, "--wordnet", "none").exit_code == 0
    assert "lca_height@1" not in json.loads(Path(run).read_text())["metrics"]


def test_rows_that_were_trained_on_are_no_test_samples(folder: Path) -> None:
    files = (
        "--semantics",
        f"{folder}/embeddings.safetensors",
        "--classifiers",
        f"{folder}/classifiers.safetensors",
    )
    lists = ("--train", f"{folder}/train.txt", "--candidates", f"{folder}/test.txt")
    done = _run("train", "eszsl", *files, *lists, "--generalized", "--out", f"{folder}/both")
    assert done.exit_code == 0, done.output
    command = ("evaluate", "model", f"{folder}/both", *files[2:], "--out", f"{folder}/both.json")
    refused = _run(*command)
    train = (folder / "train.txt").read_text().split()
    assert refused.exit_code == 1
    assert (
        f"{min(train)} is a training class and a candidate ({len(train)} classes are both)"
        in refused.output
    )
    assert not (folder / "both.json").exists()
    unseen = _run(*command, "--classes", f"{folder}/test.txt")
    assert unseen.exit_code == 0, unseen.output
    assert "generalized" not in json.loads((folder / "both.json").read_text())


def test_an_audit_of_predictions_from_outside(folder: Path) -> None:
    """Predictions that are always the parent of the true class: never correct, always semantically
    accurate."""

    hierarchy = mini_subgraph().hierarchy
    child, parent = mini_subgraph().edge_index
    parents = {hierarchy.wnids[c]: hierarchy.wnids[p] for c, p in zip(child, parent, strict=True)}
    (folder / "p.csv").write_text("\n".join(f"{wnid},{above}" for wnid, above in parents.items()))
    done = _run(
        "audit",
        f"{folder}/p.csv",
        "--wordnet",
        f"{folder}/whole",
        "--train",
        f"{folder}/train.txt",
        "--name",
        "parrot",
        "--simulated",
        "--out",
        f"{folder}/a.json",
    )
    assert done.exit_code == 0, done.output
    run = json.loads((folder / "a.json").read_text())
    assert run["metrics"]["hit@1"]["per_class"] == 0
    assert run["metrics"]["parent"]["per_class"] == 1
    assert run["semantic_interval"]["per_class"] == [1, 1]
    assert run["metrics"]["lca_height@1"]["per_class"] >= 1
    assert run["features"]["simulated"] is True
    assert run["provenance"]["model"] == "parrot"
    audit = (
        "audit",
        f"{folder}/p.csv",
        "--wordnet",
        f"{folder}/whole",
        "--out",
        f"{folder}/d.json",
    )
    assert _run(*audit, "--train", f"{folder}/train.txt", "--valid", "devise").exit_code == 0
    manifest = json.loads((folder / "d.json").read_text())["hp_valid_set"]
    train = set((folder / "train.txt").read_text().split())
    assert manifest["labels"] == "devise: test and training classes"
    assert manifest["size"] == len({*parents, *parents.values()} | train)
    assert _run(*audit, "--valid", "devise").exit_code == 2
    unused = ("--train", f"{folder}/train.txt", "--out", f"{folder}/u.json")
    (folder / "hidden.csv").write_text("n1,n2\nn2,n1\n")
    useless = _run("audit", f"{folder}/hidden.csv", *unused)
    assert (useless.exit_code, "--train has no effect here" in useless.output) == (2, True)
    usage = _run("audit", f"{folder}/p.csv", "--numbered", "--out", f"{folder}/a.json")
    assert (usage.exit_code, "needs --candidates" in usage.output) == (2, True)
    unknown = _run("audit", f"{folder}/p.csv", "--train", "imagenet", "--out", f"{folder}/a.json")
    assert (unknown.exit_code, "neither a file, nor a shipped list" in unknown.output) == (1, True)
    (folder / "p.csv").write_text("n00000001,n00000002\n")
    wrong = _run(
        "audit",
        f"{folder}/p.csv",
        "--wordnet",
        f"{folder}/whole",
        "--out",
        f"{folder}/a.json",
    )
    assert (wrong.exit_code, "n00000001 is not a node of the hierarchy" in wrong.output) == (
        1,
        True,
    )


def test_word_retrieval_from_the_command_line(folder: Path) -> None:
    graph, task = mini_subgraph(), mini_task()
    words = sorted({word.lower().replace(" ", "_") for words in graph.words for word in words})
    random = np.random.default_rng(0)
    vectors = {word: random.normal(size=12) for word in words}
    (folder / "vectors.txt").write_text(
        "\n".join(f"{word} {' '.join(f'{v:.5f}' for v in vectors[word])}" for word in words)
    )
    rows = np.stack(
        [
            np.mean([vectors[w.lower().replace(" ", "_")] for w in words], axis=0)
            for words in graph.words
        ]
    ).astype(np.float32)
    ClassMatrix(graph.wnids, rows, {"kind": EMBEDDINGS}).save(folder / "words.safetensors")
    learn = (
        *("train", "devise", "--margin", "0.3"),
        *("--semantics", f"{folder}/words.safetensors", "--features", f"{folder}/samples.npz"),
        *("--train", f"{folder}/train.txt", "--candidates", f"{folder}/test.txt"),
    )
    done = _run(*learn, "--out", f"{folder}/d")
    assert done.exit_code == 0, done.output
    arguments = [
        "--features",
        f"{folder}/samples.npz",
        "--vectors",
        f"{folder}/vectors.txt",
        "--graph",
        f"{folder}/graph",
        "--format",
        "json",
    ]
    done = _run(
        "evaluate", "words", f"{folder}/d", *arguments, "-k", "5", "--out", f"{folder}/w.json"
    )
    assert done.exit_code == 0, done.output
    assert "hit@5" in {row["metric"] for row in json.loads(done.stdout)}
    assert len(task.candidates) == 20
    assert "generalized" not in json.loads((folder / "w.json").read_text())

    refused = _run(*learn, "--calibrate", "--out", f"{folder}/g")
    assert refused.exit_code == 1
    assert "Train in the generalized setting (--generalized)." in refused.output
    done = _run(*learn, "--generalized", "--calibrate", "--out", f"{folder}/calibrated")
    assert "is taken off the scores of training classes, chosen on 3" in done.stderr
    calibrated = json.loads((folder / "calibrated" / "manifest.json").read_text())["calibration"]
    assert f"(H {calibrated['h']:.3f})" in done.stderr
    done = _run(*learn, "--generalized", "--out", f"{folder}/g")
    assert done.exit_code == 0, done.output
    refused = _run(
        "evaluate", "words", f"{folder}/g", *arguments, "-k", "5", "--out", f"{folder}/g.json"
    )
    assert refused.exit_code == 1
    assert "25 training classes) that the model learned from" in refused.output
    assert not (folder / "g.json").exists()
    save_samples(mini_samples(each=3, noise=0.5), folder / "held-out.npz")
    arguments[1] = f"{folder}/held-out.npz"
    done = _run(
        "evaluate", "words", f"{folder}/g", *arguments, "-k", "5", "--out", f"{folder}/g.json"
    )
    assert done.exit_code == 0, done.output
    shown = {row["metric"]: row["per_class"] for row in json.loads(done.stdout)}
    both = json.loads((folder / "g.json").read_text())
    assert (both["generalized"]["seen_classes"], both["generalized"]["seen_samples"]) == (25, 75)
    assert (both["samples"], both["classes"], both["candidates"]) == (
        60,
        20,
        45,
    ), "hits are of unseen classes alone"
    sides = both["generalized"]["hit@1"]["per_class"]
    assert sides == {part: shown[f"generalized {part}"] for part in ("ts", "tr", "h")}
    assert sides["ts"] == shown["hit@1"]
    assert sides["tr"] > sides["ts"], "classes that it learned are found more often"


def test_published_formats_are_converted(folder: Path) -> None:
    from scipy.io import savemat

    from tests.embeddings.formats.test_formats import NAMES, _xlsa17

    _xlsa17(folder / "AWA", savemat)
    done = _run("convert", "xlsa17", f"{folder}/AWA", "--out", f"{folder}/awa")
    assert (
        "4 training classes, unseen: test 2; samples: 32 to train on, 8 of seen and 20 of unseen"
        in done.output
    )
    done = _run(
        "train",
        "sje",
        "--data",
        f"{folder}/awa",
        "--generalized",
        "--margin",
        "0.3",
        "--out",
        f"{folder}/sje",
    )
    assert done.exit_code == 0, done.output
    done = _run(
        "evaluate",
        "model",
        f"{folder}/sje",
        "--data",
        f"{folder}/awa",
        "--generalized",
        "--out",
        f"{folder}/s.json",
    )
    assert done.exit_code == 0, done.output
    assert json.loads((folder / "s.json").read_text())["generalized"]["seen_classes"] == 4
    done = _run(
        "convert", "class-head", f"{folder}/classifiers.safetensors", "--out", f"{folder}/head.npz"
    )
    assert done.exit_code == 0, done.output
    done = _run(
        "convert", "class-head", f"{folder}/head.npz", "--out", f"{folder}/back.safetensors"
    )
    assert done.exit_code == 0, done.output
    assert len(NAMES) == 6
