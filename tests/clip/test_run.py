"""A whole run from one configuration, against CLIP_benchmark's own loop over the same images; what
is wrong in a configuration is named with its line, and nothing half-written is left."""

from __future__ import annotations

import json
import shutil
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import graphzsl as gz
from graphzsl.audit.run_files import read_run
from graphzsl.cli import main
from graphzsl.clip import load_clip, run_clip
from graphzsl.clip import run as run_module
from graphzsl.clip.model import ClipModel
from graphzsl.clip.run import ClipRun
from graphzsl.common import DataError, SettingsError
from graphzsl.common.files import check_files
from tests.clip.conftest import BIRD, CAT, CLASSES, DOG
from tests.schemas import fitting

AUDIT = '[audit]\nrounds = 50\nwordnet = "none"\n'
TEMPLATES = ["a photo of a {c}.", "art of the {c}."]


def _config(folder: Path, text: str) -> Path:
    path = folder / "clip.toml"
    path.write_text(text)
    return path


#: Every model is loaded once: that takes most of a run of so few images.
_loaded = cache(load_clip)


@pytest.fixture(autouse=True)
def _load_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphzsl.clip.model.load_clip", _loaded)
    monkeypatch.setattr("graphzsl.clip.load_clip", _loaded)


@pytest.fixture
def given(tiny: Path, photos: Path, tmp_path: Path) -> Path:
    """A configuration of four classes of which three have images."""
    (tmp_path / "classes.txt").write_text("\n".join(CLASSES))
    names = zip(CLASSES, ["dog", "cat", "bird", "car"], strict=True)
    (tmp_path / "names.txt").write_text("".join(f"{wnid}\t{name}\n" for wnid, name in names))
    (tmp_path / "templates.json").write_text(json.dumps(TEMPLATES))
    shutil.copytree(photos, tmp_path / "val")
    return _config(
        tmp_path,
        f'out = "run"\nsimulated = true\nmodel = "local-dir:{tiny}"\nset = "classes.txt"\n'
        'names = "names.txt"\n'
        'templates = "templates.json"\nimages = "val"\n[compute]\ndevice = "cpu"\nbatch = 5\n'
        f"{AUDIT}",
    )


def _theirs(loaded: ClipModel, photos: Path) -> tuple[np.ndarray, np.ndarray]:
    """(logits [24, 4], labels [24]) by the functions of open_clip, image by image."""
    import open_clip
    import torch

    names = ["dog", "cat", "bird", "car"]
    plain = [template.replace("{c}", "{}") for template in TEMPLATES]
    head = open_clip.build_zero_shot_classifier(loaded.model, loaded.tokenizer, names, plain)
    logits, labels = [], []
    for wnid in sorted((DOG, CAT, BIRD)):
        for number in range(8):
            image = loaded.preprocess(Image.open(photos / wnid / f"{number}.png"))
            with torch.no_grad():
                feature = loaded.model.encode_image(image[None], normalize=True)
            logits.append((100 * feature @ head)[0].numpy())
            labels.append(CLASSES.index(wnid))
    return np.array(logits), np.array(labels)


def test_a_run_is_clip_benchmarks(
    given: Path, loaded: ClipModel, photos: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    done = run_clip(given)
    logits, labels = _theirs(loaded, photos)
    assert len(set(logits.argmax(axis=1).tolist())) > 1, "the classifier says more than one class"
    rank = 1 + (logits > logits[np.arange(24), labels][:, None]).sum(axis=1)
    predictions = done.evaluated.predictions
    assert predictions.rank.tolist() == rank.tolist()
    metrics = done.evaluated.manifest["metrics"]
    for k in (1, 2):
        assert metrics[f"hit@{k}"]["per_sample"] == pytest.approx(float((rank <= k).mean()))
    assert repr(done).startswith(f"<ClipRun {given.parent / 'run'}: hit@1 ")
    said = capfd.readouterr().err
    assert "3 classes of val read as wnids" in said
    assert "No sample of 1 candidate of 4, e.g. n02958343" in said


def test_accuracies_of_clip_benchmark(
    given: Path, photos: Path, loaded: ClipModel, clip_benchmark: Any
) -> None:
    import torch

    places = sorted((DOG, CAT, BIRD))
    data = [
        (loaded.preprocess(Image.open(file)), CLASSES.index(wnid))
        for wnid in places
        for file in sorted((photos / wnid).iterdir())
    ]
    head = clip_benchmark.zero_shot_classifier(
        loaded.model, loaded.tokenizer, ["dog", "cat", "bird", "car"], TEMPLATES, "cpu", amp=False
    )
    loader: Any = torch.utils.data.DataLoader(data, batch_size=7)  # type: ignore[arg-type]
    logits, target = clip_benchmark.run_classification(loaded.model, head, loader, "cpu", amp=False)
    expected = clip_benchmark.accuracy(logits, target, topk=(1, 2))
    metrics = run_clip(given).evaluated.manifest["metrics"]
    found = [metrics[f"hit@{k}"]["per_sample"] for k in (1, 2)]
    assert found == pytest.approx(expected, abs=1e-9)


def test_what_a_run_leaves(given: Path, tiny: Path) -> None:
    run_clip(given)
    out = given.parent / "run"
    manifest = fitting(out / "manifest.json", "clip run")
    files = {
        *("names.json", "templates.json", "classes.txt", "head.npz", "predictions.parquet"),
        *("run.json", "run.samples.parquet", "run.classes.parquet"),
    }
    assert {each.name for each in out.iterdir()} == {*files, "manifest.json"}
    check_files(out, manifest, files, "")
    assert manifest["kind"] == "clip run"
    assert manifest["config"]["templates"] == "templates.json"
    assert manifest["simulated"] is True
    assert {"open_clip_model.safetensors", "open_clip_config.json"} <= {*manifest["clip"]["files"]}
    assert manifest["labels_read_as"] == "wnids"
    run = read_run(out / "run.json")
    assert run["features"]["simulated"] is True
    again = gz.evaluate(out / "predictions.parquet", candidates=out / "classes.txt", rounds=50)
    assert again["hit@1"].per_class == run["metrics"]["hit@1"]["per_class"]


def test_a_given_head_and_given_features_give_the_same(given: Path, tiny: Path) -> None:
    """Every step alone, and a run of what they leave, which needs neither torch nor open_clip."""
    first = run_clip(given).evaluated.manifest["metrics"]
    folder = given.parent

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(main, [*arguments])
        assert done.exit_code == 0, done.output
        return done.output

    common = f"--model local-dir:{tiny} --device cpu".split()
    for name in ("f.parquet", "f.npz"):
        run("clip", "features", f"{folder}/val", *common, "--out", f"{folder}/{name}")
        text = f'out = "again"\nhead = "run/head.npz"\nfeatures = "{name}"\n{AUDIT}'
        found = run_clip(_config(folder, text)).evaluated.manifest["metrics"]
        assert found["hit@1"] == first["hit@1"]
    assert not (folder / "again" / "names.json").exists()
    text = f'out = "third"\nhead = "run/head.npz"\nimages = "val"\nmodel = "local-dir:{tiny}"\n'
    third = run_clip(_config(folder, text + AUDIT)).evaluated.manifest["metrics"]
    assert third["hit@1"] == first["hit@1"]


@pytest.mark.parametrize("folders", [["dog", "true cat", "bird"], ["0", "1", "2"]])
def test_folders_by_name_and_number(
    given: Path, folders: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    expected = run_clip(given).evaluated.predictions
    for wnid, name in zip((DOG, CAT, BIRD), folders, strict=True):
        (given.parent / "val" / wnid).rename(given.parent / "val" / name)
    found = run_clip(given).evaluated.predictions
    rows = np.argsort(found.labels, kind="stable")
    assert [found.labels[row] for row in rows] == expected.labels
    assert found.rank[rows].tolist() == expected.rank.tolist()
    said = capfd.readouterr().err
    assert ("read as names" in said) == (folders[0] == "dog")
    assert ("read as class numbers" in said) == (folders[0] == "0")


def test_images_of_a_webdataset(given: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Class numbers, and names that are not clear but as many as the candidates."""
    pytest.importorskip("webdataset", reason="pip install 'graphzsl[readers]'")
    expected = run_clip(given).evaluated.predictions
    folder = given.parent
    (folder / "shards").mkdir()
    with tarfile.open(folder / "shards" / "0.tar", "w") as tar:
        for row, wnid in enumerate((DOG, CAT, BIRD)):
            for file in sorted((folder / "val" / wnid).iterdir()):
                (folder / "cls").write_text(str(row))
                tar.add(file, f"{wnid}-{file.name}")
                tar.add(folder / "cls", f"{wnid}-{file.stem}.cls")
    text = given.read_text()
    given.write_text(text.replace('images = "val"', 'images = "wds/shards"'))
    found = run_clip(given).evaluated.predictions
    order = np.argsort(found.labels, kind="stable")
    assert found.rank[order].tolist() == expected.rank.tolist()
    assert "The classes of wds/shards are read as class numbers." in capfd.readouterr().err
    (folder / "shards" / "classnames.txt").write_text("my dog\nmy cat\nmy bird\nmy car\n")
    again = run_clip(given).evaluated.predictions
    assert again.rank.tolist() == found.rank.tolist()
    assert "4 classes of wds/shards read as class numbers" in capfd.readouterr().err


def test_names_without_wnids(tiny: Path, photos: Path, tmp_path: Path) -> None:
    """Own classes: no hierarchy, hit@k alone."""
    for place, name in ((DOG, "widget"), (CAT, "gizmo of ours")):
        shutil.copytree(photos / place, tmp_path / "val" / name)
    (tmp_path / "names.txt").write_text("gizmo of ours\nwidget\n")
    text = f'out = "run"\nmodel = "local-dir:{tiny}"\nnames = "names.txt"\nimages = "val"\n'
    done = run_clip(_config(tmp_path, f"{text}[audit]\nrounds = 50\n"))
    assert done.head.wnids == ["gizmo of ours", "widget"]
    assert not any(name.startswith("hp@") for name in done.evaluated.manifest["metrics"])


def test_nothing_half_written_is_left(given: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run_clip(given)
    before = (done.out / "run.json").read_bytes()
    (given.parent / "val" / CAT / "3.png").write_bytes(b"no image")
    with pytest.raises(DataError, match=r"3\.png: not an image"):
        run_clip(given)
    assert (done.out / "run.json").read_bytes() == before
    assert [each.name for each in given.parent.glob(".run*")] == []
    shutil.rmtree(done.out)
    with pytest.raises(DataError, match="not an image"):
        run_clip(given)
    assert not done.out.exists()


def test_what_is_no_such_run_is_not_replaced(given: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is known before anything is computed."""

    def never(*_: object) -> None:
        pytest.fail("computed before the folder was looked at")

    (given.parent / "run").mkdir()
    (given.parent / "run" / "mine.txt").write_text("mine")
    monkeypatch.setattr(run_module, "head_of", never)
    with pytest.raises(DataError, match="was not written by graphzsl"):
        run_clip(given)
    assert (given.parent / "run" / "mine.txt").read_text() == "mine"
    (given.parent / "run" / "mine.txt").unlink()
    (given.parent / "run" / "manifest.json").write_text('{"kind": "model", "files": {}}')
    with pytest.raises(DataError, match="wrote as 'model', and this would be 'clip run'"):
        run_clip(given)


def test_a_place_that_cannot_be_written_is_known_before(
    given: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        pytest.fail("a model was loaded before the place was looked at")

    monkeypatch.setattr("graphzsl.clip.model.load_clip", never)
    monkeypatch.setattr("graphzsl.clip.load_clip", never)
    given.write_text(given.read_text().replace('"run"', '"classes.txt/run"'))
    said = r"classes\.txt/run cannot be written: .*classes\.txt is not a folder"
    with pytest.raises(DataError, match=said):
        run_clip(given)
    command = ["clip", "head", "--model", "ViT-B-32", "--out", f"{given.parent}/classes.txt/h.npz"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2
    assert "is not a folder. Name another place." in done.output
    for source in ("hfds/", "wds/"):
        given.write_text(f'out = "run"\nmodel = "ViT-B-32"\nimages = "{source}"\n')
        with pytest.raises(DataError, match=f"{source} names nothing"):
            run_clip(given)


def test_what_is_wrong_is_said_before_anything_is_computed(
    given: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def never(*_: object) -> None:
        pytest.fail("computed before the labels were known")

    monkeypatch.setattr(run_module, "head_of", never)
    (given.parent / "val" / BIRD).rename(given.parent / "val" / "n00000009")
    with pytest.raises(DataError, match=r"val: 1 class is none of the 4 candidates, e\.g\. n00"):
        run_clip(given)
    text = given.read_text()
    monkeypatch.undo()
    given.write_text(text.replace('images = "val"', 'images = "val"\nmissing = "miss"'))
    done = run_clip(given)
    assert done.evaluated.manifest["not_candidates"] == 1


def test_images_are_listed_last(given: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To list a million images takes minutes: what is wrong elsewhere is known before."""

    def never(*_: object, **__: object) -> None:
        pytest.fail("listed before the rest was checked")

    monkeypatch.setattr("graphzsl.embeddings.features.image_readers.open_images", never)
    monkeypatch.setattr("graphzsl.embeddings.open_images", never)
    text = given.read_text()
    folder = given.parent
    (folder / "w.safetensors").write_bytes(b"no weights")
    (folder / "empty").mkdir()
    model = next(line for line in text.splitlines() if line.startswith("model"))
    for old, new, said in (
        (model, 'model = "ViT-B-33"', "clip.toml:3: open_clip has no model 'ViT-B-33'"),
        (model, 'model = "local-dir:empty"', "clip.toml:3: .*empty holds no open_clip_config.json"),
        (
            model,
            'model = "ViT-B-32"\npretrained = "w.safetensors"',
            "clip.toml:4: .*w.safetensors: not a safetensors file",
        ),
        (model, 'model = "ViT-B-32"', "ViT-B-32 needs weights.*The setting is pretrained"),
        ('"classes.txt"', '"none.txt"', "neither a file nor an ImageNet list"),
        ('"templates.json"', '"none.json"', "none.json does not exist"),
        ('"names.txt"', '"none.names"', "none.names does not exist"),
        ('images = "val"', 'images = "none"', "none is not a folder"),
        ('images = "val"', 'images = "val"\nsplit = "x"', "clip.toml:8: .*val has no split"),
    ):
        assert old in text
        given.write_text(text.replace(old, new))
        with pytest.raises(gz.GraphZSLError, match=said):
            run_clip(given)


def test_a_head_of_another_model(given: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known before an image is encoded."""

    def never(*_: object, **__: object) -> None:
        pytest.fail("computed before the widths were compared")

    monkeypatch.setattr(run_module, "predict_classes", never)
    model = next(line for line in given.read_text().splitlines() if line.startswith("model"))
    np.savez(given.parent / "head.npz", classifier=np.ones((24, 4)), classes=CLASSES)
    for source in (f'images = "val"\n{model}', 'features = "f.npz"'):
        np.savez(given.parent / "f.npz", features=np.ones((2, 16), np.float32), wnids=[DOG, CAT])
        text = f'out = "again"\nhead = "head.npz"\n{source}\n{AUDIT}'
        with pytest.raises(
            DataError, match=r"head.npz have 24 dimensions, and .* 16\. They are of tw"
        ):
            run_clip(_config(given.parent, text))


def test_features_of_another_model_and_classes_of_no_hierarchy(
    given: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known before a text is encoded."""

    def never(*_: object) -> None:
        pytest.fail("computed before the inputs were checked")

    monkeypatch.setattr(run_module, "head_of", never)
    wide = np.ones((2, 24), np.float32)
    np.savez(given.parent / "wide.npz", features=wide, wnids=[DOG, CAT])
    text = given.read_text()
    given.write_text(
        text.replace('images = "val"', 'features = "wide.npz"').replace("batch = 5\n", "")
    )
    with pytest.raises(DataError, match=r"wide\.npz have 24 dimensions, and the model .* 16\."):
        run_clip(given)
    (given.parent / "train.txt").write_text("n00000009")
    given.write_text(text.replace('wordnet = "none"', 'train = "train.txt"'))
    with pytest.raises(gz.GraphZSLError, match="n00000009"):
        run_clip(given)


BASE = 'out = "run"\nmodel = "ViT-B-32"\npretrained = "w.pt"\nimages = "val"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('oout = "run"\n', "'oout' (did you mean 'out'?); known: out, name, model"),
        (BASE + "[compute]\n\ndevize = 1\n", r"clip.toml:7: [compute] has no setting 'devize'"),
        (BASE + "top = 0\n", "clip.toml:5: top is a whole number from 1, not 0"),
        (BASE + "top = true\n", "clip.toml:5: top is a whole number from 1, not True"),
        (BASE + 'shared = "both"\n', "clip.toml:5: shared is error or keep, not 'both'"),
        (BASE + "[audit]\nconfidence = 95\n", "clip.toml:6: confidence is a number above 0"),
        (BASE + '[compute]\nprecision = "half"\n', "precision is float32 or bfloat16"),
        (BASE + "simulated = 1\n", "clip.toml:5: simulated is true or false"),
        (BASE + 'features = "f.npz"\n', "give either `images` or `features`"),
        ('out = "run"\nmodel = "ViT-B-32"\n', "give either `images` or `features`"),
        (BASE.replace('out = "run"\n', ""), "'out' is missing"),
        (BASE + 'head = "h.npz"\nset = "x"\n', "clip.toml:6: set has no effect beside head"),
        ('out = "r"\nfeatures = "f"\nsplit = "x"\nmodel = "m"\n', "split has no effect"),
        (
            'out = "r"\nfeatures = "f"\nhead = "h"\nmodel = "m"\n',
            "4: model has no effect",
        ),
        ('out = "r"\nimages = "val"\n', "'model' is missing"),
        (
            BASE + "[audti]\nseed = 1\n",
            "clip.toml:5: there is no setting 'audti' (did you mean [audit]",
        ),
        (
            BASE + 'device = "cpu"\n',
            "clip.toml:5: there is no setting 'device' (it stands in [comp",
        ),
        (
            BASE + "[audit]\ntop = 3\n",
            "6: [audit] has no setting 'top' (it stands above all tables",
        ),
        (BASE + "[compute]\nworker = 3\n", "'worker' (did you mean 'workers'?)"),
        (BASE + "[compute]\nroundz = 3\n", "'roundz' (did you mean 'rounds' in [audit]?)"),
        ('out = "r"\nfeatures = "f"\nmodel = "m"\n[compute]\nbatch = 3\n', "5: batch has no eff"),
        ('out = "r"\nfeatures = "f"\nmodel = "m"\n[compute]\nworkers = 3\n', "5: workers has no"),
        (
            'out = "r"\nimages = "i"\nmodel = "m"\nhead = "h"\n[compute]\ntext_batch = 3\n',
            "6: text_b",
        ),
        (
            BASE.replace("val", "wds/val") + "[compute]\nworkers = 3\n",
            "6: workers has no effect: one",
        ),
        (
            'out = "r"\nfeatures = "f"\nhead = "h"\n[compute]\ndevice = "cpu"\n',
            "5: device has no ef",
        ),
        ("out = \n", "not valid TOML"),
        ('compute = 3\nout = "r"\n', "[compute] is a table, not 3"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsError) as error:
        run_clip(_config(tmp_path, text))
    assert said in str(error.value)


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    """What settings name beside the settings themselves, by line."""
    text = (
        'out = "run"\nmodel = "ViT-B-32"\nset = "none.txt"\nnames = "no.names"\ntop = 0\n'
        'templates = "no.json"\nimages = "val"\nnme = "x"\n[compute]\ndevice = "tpu"\n'
        'worker = 1\n\n[audit]\ntrain = "ilsvrc"\nvalid = "no.txt"\nwordnet = "nowhere"\n'
    )
    path = _config(tmp_path, text)
    with pytest.raises(SettingsError) as error:
        run_clip(path)
    lines = [line for line in str(error.value).splitlines() if line.startswith(f"{path}:")]
    for line, said in zip(
        lines,
        (
            f"3: '{tmp_path}/none.txt' is neither a file nor an ImageNet list.",
            f"4: {tmp_path}/no.names does not exist.",
            "5: top is a whole number from 1, not 0.",
            f"6: {tmp_path}/no.json does not exist.",
            f"7: {tmp_path}/val is not a folder;",
            "8: there is no setting 'nme' (did you mean 'name'?);",
            "10: Device 'tpu' cannot be used",
            "11: [compute] has no setting 'worker' (did you mean 'workers'?);",
            f"14: '{tmp_path}/ilsvrc' is neither a file nor an ImageNet list.",
            f"15: '{tmp_path}/no.txt' is neither a file nor an ImageNet list.",
            f"16: {tmp_path}/nowhere is not the folder of a graph",
        ),
        strict=True,
    ):
        assert line.startswith(f"{path}:{said}")
    # what only follows from another mistake is not said
    path.write_text('ot = "run"\nimges = "val"\nmodel = "ViT-B-32"\n[compute]\nbatch = 1\n')
    with pytest.raises(SettingsError) as error:
        run_clip(path)
    assert [line.partition(";")[0] for line in str(error.value).splitlines()] == [
        f"{path}:1: there is no setting 'ot' (did you mean 'out'?)",
        f"{path}:2: there is no setting 'imges' (did you mean 'images'?)",
    ]


def test_other_files_of_a_configuration(given: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        run_clip(tmp_path / "none.toml")
    text = given.read_text()
    for old, new, said in (
        ('set = "classes.txt"', 'set = "none.txt"', "neither a file nor an ImageNet list"),
        ('images = "val"', 'images = "none"', "is not a folder"),
        ("rounds = 50", 'train = "none"', "neither a file nor an ImageNet list"),
        ("rounds = 50", 'valid = "devise"', "The valid set of hp@k needs a whole hierarchy"),
        ('wordnet = "none"', 'valid = "devise"', "devise needs the training classes"),
        ('device = "cpu"', 'device = "tpu"', "Device 'tpu' cannot be used"),
    ):
        given.write_text(text.replace(old, new))
        with pytest.raises(gz.GraphZSLError, match=said):
            run_clip(given)
    given.write_text(text.replace("simulated", 'images = "val"\nsimulated'))
    with pytest.raises(SettingsError, match="not valid TOML"):
        run_clip(given)


def test_a_run_from_the_command_line(given: Path) -> None:
    done = CliRunner().invoke(main, ["clip", "run", str(given), "--format", "jsonl"])
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows[0]["metric"] == "hit@1"
    assert "24 samples of 3 classes, 4 candidates; in " in done.stderr
    assert "Simulated, as configuration or features say" in done.stderr
    assert isinstance(gz.run_clip(given), ClipRun)
    given.write_text(given.read_text().replace('wordnet = "none"\n', ""))
    page = CliRunner().invoke(main, ["clip", "run", str(given), "--format", "table"])
    assert "hp@2" in read_run(given.parent / "run" / "run.json")["metrics"]
    assert "Most often taken for another:" in page.stdout
