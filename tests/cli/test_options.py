"""Options of models: ranges, the command line made from them, and what it refuses."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.cli.types import CONFIDENCE, WEIGHTS, Real, Whole
from graphzsl.common import ModelError
from graphzsl.data import save_subgraph
from graphzsl.models import Range, card, model_module, needs
from graphzsl.models.registry import MODELS
from tests.problems import mini_task

#: A number with more digits than Python reads.
LONG = "9" * 5000
#: option -> (values that have no meaning, the bound that the error names), for every model that has
#: it
OUTSIDE = {
    "lr": ((0.0, -1.0), "above 0"),
    "hidden": ((0, -3), "at least 1"),
    "ridge": ((-1.0,), "at least 0|above 0"),
    "dropout": ((1.0, -0.1), "at least 0 and below 1"),
    "epochs": ((0,), "at least 1"),
    "check_every": ((0,), "at least 1"),
    "batch": ((0,), "at least 1"),
    "weight_decay": ((-1e-3,), "at least 0"),
    "gamma": ((-1.0,), "at least 0|above 0"),
    "distances": ((0,), "at least 1"),
    "maps": ((0,), "at least 1"),
    "nu": ((0.0, 1.5), "above 0 and at most 1"),
    "quantile": ((1.5,), "at least 0 and at most 1"),
    "steps": ((-1, 11), "at least 0 and at most 10"),
}


@pytest.mark.parametrize("name", MODELS)
def test_every_number_has_a_range_and_is_held_to_it(name: str) -> None:
    options = model_module(name).Options
    for each in fields(options):
        if isinstance(each.default, bool) or not isinstance(each.default, int | float):
            continue
        allowed = each.metadata["range"]
        assert allowed != Range(), f"{each.name} has no range"
        assert each.default in allowed
        values, named = OUTSIDE.get(each.name, ((), ""))
        for value in values:
            with pytest.raises(ModelError, match=rf"^{each.name} is ({named}), not {value}\.$"):
                options(**{each.name: value})
        with pytest.raises(ModelError, match=f"{each.name} is a number, not inf"):
            options(**{each.name: float("inf")})
        with pytest.raises(ModelError, match=f"{each.name} is a number, not True"):
            options(**{each.name: True})


@pytest.mark.parametrize(
    ("allowed", "inside", "outside"),
    [
        (Range(least=1), (1, 2), (0.99, 0)),
        (Range(above=0), (1e-9,), (0, -1)),
        (Range(least=0, below=1), (0, 0.99), (1, -0.01)),
        (Range(above=0, most=1), (1, 0.5), (0, 1.01)),
    ],
)
def test_a_range_is_open_or_closed(
    allowed: Range, inside: tuple[float, ...], outside: tuple[float, ...]
) -> None:
    assert all(value in allowed for value in inside)
    assert not any(value in allowed for value in outside)


@pytest.mark.parametrize("name", MODELS)
def test_a_card_is_what_the_module_says(name: str) -> None:
    module, said = model_module(name), card(name)
    assert (said.name, said.family, said.needs) == (
        name,
        module.__name__.split(".")[-2],
        needs(module),
    )
    assert said.text == (module.__doc__ or "").strip()


def test_help_shows_the_ranges() -> None:
    text = CliRunner().invoke(main, ["train", "sgcn", "--help"]).output
    assert re.search(r"--hidden INTEGER RANGE.*?\[x>=1\]", text, re.DOTALL)
    assert re.search(r"--lr FLOAT RANGE.*?\[x>0\.?0?\]", text, re.DOTALL)
    assert re.search(r"--dropout FLOAT RANGE.*?\[0(\.0)?<=x<1(\.0)?\]", text, re.DOTALL)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The options of a training command on the mini WordNet, but for --candidates and --out."""
    folder, task = tmp_path_factory.mktemp("inputs"), mini_task()
    save_subgraph(replace(task.subgraph, manifest={"kind": "subgraph"}), folder / "graph")
    task.semantics.save(folder / "semantics.safetensors")
    task.rows.save(folder / "classifiers.safetensors")
    (folder / "train.txt").write_text("\n".join(task.train))
    (folder / "candidates.txt").write_text("\n".join(task.candidates))
    (folder / "both.txt").write_text("\n".join([*task.candidates, *task.train[:3]]))
    return [
        "--graph",
        f"{folder}/graph",
        "--semantics",
        f"{folder}/semantics.safetensors",
        "--train",
        f"{folder}/train.txt",
        "--classifiers",
        f"{folder}/classifiers.safetensors",
    ]


def _train(model: str, inputs: list[str], out: Path, *more: str) -> tuple[int, str]:
    folder = Path(inputs[1]).parent
    given = [each.replace("FOLDER", str(folder)) for each in more]
    done = CliRunner().invoke(main, ["train", model, *inputs, "--out", str(out), *given])
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("model", "option"),
    [("sgcn", ["--hidden", "0"]), ("sgcn", ["--lr", "-1"]), ("eszsl", ["--ridge", "-1"])],
)
def test_options_outside_their_range_are_a_usage_error(
    inputs: list[str], tmp_path: Path, model: str, option: list[str]
) -> None:
    status, text = _train(
        model, inputs, tmp_path / "m", "--candidates", "FOLDER/candidates.txt", *option
    )
    assert status == 2
    assert "is not in the range" in text
    assert not (tmp_path / "m").exists()


def test_several_numbers_are_a_text_with_commas(inputs: list[str], tmp_path: Path) -> None:
    candidates = ("--candidates", "FOLDER/candidates.txt")
    status, said = _train(
        "graph-linear", inputs, tmp_path / "m", *candidates, "--powers", "0,2", "--no-tune"
    )
    assert status == 0, said
    manifest = json.loads((tmp_path / "m" / "manifest.json").read_text())
    assert manifest["given_options"] == {"powers": "0,2"}
    assert manifest["options"] == {"ridge": 8.0, "powers": "0,2"}
    shown = CliRunner().invoke(main, ["train", "graph-linear", "--help"]).output
    assert "(default 0,1,2)" in " ".join(shown.split())


def test_candidates_that_are_training_classes_are_refused(
    inputs: list[str], tmp_path: Path
) -> None:
    status, text = _train("eszsl", inputs, tmp_path / "m", "--candidates", "FOLDER/both.txt")
    assert status == 1
    assert "3 of the 23 candidates are training classes, e.g. n" in text
    assert "or give --generalized" in text
    status, _ = _train(
        "eszsl", inputs, tmp_path / "m", "--candidates", "FOLDER/both.txt", "--generalized"
    )
    assert status == 0


def test_training_ends_with_what_was_chosen_in_words(inputs: list[str], tmp_path: Path) -> None:
    candidates = ("--candidates", "FOLDER/candidates.txt")
    status, text = _train(
        "sgc", inputs, tmp_path / "m", *candidates, "--steps", "1", "--validation-seed", "7"
    )
    assert status == 0
    assert re.search(
        r"Chosen on 3 validation folds: ridge [\d.]+ \(per-class mean reciprocal rank 0\.\d{3}\)\."
        r" Not chosen: steps 1\.",
        text,
    )
    assert "{" not in text
    _, text = _train("sgc", inputs, tmp_path / "m", *candidates, "--no-tune")
    assert (
        "Nothing was chosen: the options were taken as given. Not chosen: ridge 3.0, steps 2."
        in text
    )


@pytest.mark.parametrize(
    ("arguments", "option", "why"),
    [
        (
            "split samples balance x --out b.npz --seed -1",
            "--seed",
            "-1 is not in the range 0<=x<=4294967295",
        ),
        (
            "semantics lsi --graph . --out g.safetensors --seed 4294967296",
            "--seed",
            "is not in the range",
        ),
        (
            "semantics lsi --graph . --out g.safetensors --dimensions 0",
            "--dimensions",
            "0 is not in the range x>=1",
        ),
        ("study ilsvrc annotate --seed -1", "--seed", "-1 is not in the range"),
        (
            "convert samples x --semantics x --train x --test x --out d --held-out 1.5",
            "--held-out",
            "0<=x<1",
        ),
        (
            "convert samples x --semantics x --train x --test x --out d --held-out -1",
            "--held-out",
            "0<=x<1",
        ),
        (
            "convert images . --model resnet50 --out f.npz --batch 0",
            "--batch",
            "0 is not in the range x>=1",
        ),
        (
            "finetune . --classifiers x --model resnet50 --out w.pt --epochs 0",
            "--epochs",
            "0 is not in the range x>=1",
        ),
        (
            "finetune . --classifiers x --model resnet50 --out w.pt --lr nan",
            "--lr",
            "nan is not a finite number",
        ),
        ("split samples split x --out parts --share nan", "--share", "nan is not a finite number"),
        (
            "train gcn6 --out m --widths 8,0",
            "--widths",
            "expected whole numbers, each above 0, not '8,0'",
        ),
        (
            "train graph-exem --out m --powers 0,0",
            "--powers",
            "expected different whole numbers, each at least 0 and at most 10",
        ),
        ("train eszsl --out m --ridge inf", "--ridge", "inf is not a finite number"),
        ("split hcorrect hops-1 -k ²", "-k", "is not a whole number of at least 1"),
        ("split hops --max-hops ²", "--max-hops", "expected a whole number"),
        ("audit x --rounds 1_0", "--rounds", "'1_0' is not a valid integer."),
        ("audit x --rounds ١٠", "--rounds", "'١٠' is not a valid integer."),
        ("audit x --rounds -1", "--rounds", "-1 is not in the range"),
        ("audit x --confidence 0_0.9_5", "--confidence", "'0_0.9_5' is not a valid number."),
        ("audit x --confidence ٠.٩", "--confidence", "'٠.٩' is not a valid number."),
        ("audit x --confidence nan", "--confidence", "nan is not between 0 and 1"),
        ("train eszsl --out m --ridge 1_0", "--ridge", "'1_0' is not a valid number."),
        ("train devise --out m --epochs 1_0", "--epochs", "'1_0' is not a valid integer."),
        ("split samples balance x --per-class 1_0", "--per-class", "'1_0' is not a valid integer."),
        (f"split hcorrect hops-1 -k {LONG}", "-k", "is not a whole number of at least 1"),
        ("split hcorrect hops-1 -k ٣", "-k", "'٣' is not a whole number of at least 1"),
        (f"split hops --max-hops {LONG}", "--max-hops", "expected a whole number"),
        ("split hops --max-hops ٣", "--max-hops", "expected a whole number"),
    ],
)
def test_numbers_outside_their_range_are_a_usage_error(
    arguments: str, option: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _is_refused(arguments, option, why, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Whole(-1), "-1", -1),
        (Whole(0), "+3", 3),
        (Whole(0), "007", 7),
        (Whole(0), " 5 ", 5),
        (Real(0), "1e-3", 0.001),
        (Real(0), ".5", 0.5),
        (Real(-1), "-.5", -0.5),
        (Real(0), "5.", 5.0),
        (CONFIDENCE, "9.5e-1", 0.95),
        (WEIGHTS, "1e-3, .5", [0.001, 0.5]),
    ],
)
def test_numbers_are_taken_as_people_write_them(
    kind: click.ParamType, text: str, value: object
) -> None:
    assert kind.convert(text, None, None) == value


@pytest.mark.parametrize(
    ("arguments", "option", "why"),
    [
        ("split samples balance x --out b.csv", "--out", "b.csv must end in .npz"),
        ("split samples select x --wordnet . --out b.csv", "--out", "b.csv must end in .npz"),
        (
            "split samples select x --wordnet . --out b.npz --flags f.npz",
            "--flags",
            "f.npz must end in .csv",
        ),
        ("convert classifiers --out c.csv", "--out", "c.csv must end in .safetensors"),
        ("split windows all --by ratio --out w.csv", "--out", "w.csv must end in .jsonl"),
        ("split export hops-1 hops.csv", "PATH", "hops.csv must end in .txt"),
        ("study granularity rerank x --out o.csv", "--out", "o.csv must end in .jsonl"),
        (
            "finetune . --classifiers x --model resnet50 --out w.npz",
            "--out",
            "w.npz must end in .pt",
        ),
        (
            "evaluate attribute x --configurations c.json",
            "--configurations",
            "c.json must end in .csv",
        ),
        ("split recipes --save r.parquet", "--save", "r.parquet must end in .csv, .json or .jsonl"),
        ("export subgraph --out x", "--out", "'x' is a file"),
        ("split samples split x --out x", "--out", "'x' is a file"),
    ],
)
def test_another_suffix_or_a_file_for_a_folder_is_a_usage_error(
    arguments: str, option: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _is_refused(arguments, option, why, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            "evaluate model x --features x --wordnet none --valid x --out o.json",
            "--valid: The valid set of hp@k needs a whole hierarchy",
        ),
        (
            "audit x --valid devise --train x --wordnet none",
            "--valid: The valid set of hp@k needs a whole hierarchy",
        ),
        (
            "evaluate words x --features x --vectors x --graph x --wordnet none --valid x"
            " --out o.json",
            "--valid: The valid set of hp@k",
        ),
        (
            "audit x --valid x --wordnet x --hcorrect x --out o.json",
            "and no exported hCorrectSets",
        ),
        (
            "evaluate model x --classifiers x --center-features --out o.json",
            "--center-features has no effect",
        ),
        (
            "evaluate model x --classifiers x --test t --out o.json",
            "--test has no effect here: it needs --data",
        ),
        ("evaluate model x --features x --generalized --out o.json", "--generalized has no effect"),
        (
            "audit x --wordnet none --classes-table t.csv",
            "--classes-table has no effect here: it needs --out",
        ),
        ("audit x.npz --numbered --candidates x --out o.json", "--numbered has no effect"),
        ("evaluate agreement x x x --effects --by per_sample", "--by has no effect"),
        ("evaluate agreement x.parquet --effects", "--effects has no effect"),
        ("evaluate attribute x --per sample", "--per has no effect"),
        (
            "evaluate windows x --features x --windows x --size 7 --out o.json",
            "--size has no effect",
        ),
        ("evaluate windows x --features x --by x --linear --out o.json", "it needs --figure"),
        ("evaluate windows x.npz --features x --by x --out o.json", "--features has no effect"),
        ("load class-set --list --replace", "--replace has no effect"),
        ("load class-set mine --list", "--list loads nothing"),
        ("split report s --counts frequencies", "--counts has no effect here: it needs --distance"),
        ("split windows s --by population --hierarchy hypernym", "--hierarchy has no effect"),
        ("study ilsvrc accuracy x --each --extremes 2", "--extremes has no effect"),
        (
            "study ilsvrc accuracy-by x --bins 3",
            "--bins has no effect here: it needs --by a number",
        ),
        (
            "study ilsvrc accuracy-by x --by hops --wordnet x",
            "--wordnet has no effect here: it needs --by natural",
        ),
        (
            "study words meaning --vectors x",
            "--vectors has no effect here: it needs --rule neighbours",
        ),
        (
            "study granularity sweep --relevance x",
            "--relevance has no effect here: it needs --scores",
        ),
        (
            "study granularity sweep --scores x --set x",
            "--set has no effect here: it needs no --scores",
        ),
        (
            "study granularity superclasses --shape living17 --root n00000001",
            "--root has no effect",
        ),
        (
            "study granularity superclasses --shape living17 --compare --seed 1",
            "it needs --store, or the",
        ),
        (
            "study granularity tiers --compare --seed 1",
            "--seed has no effect here: it needs --store, or",
        ),
        (
            "study granularity tiers --compare --parts 1,1,1",
            "--parts has no effect here: it needs --store",
        ),
        ("split build default --each", "--each has no effect here: it needs a recipe with compare"),
        (
            "semantics word-vectors --graph x --vectors x --seed 1 --out o.safetensors",
            "it needs --terms random",
        ),
        (
            "convert classifiers resnet50 --bias b --out o.safetensors",
            "--bias has no effect here: it needs --checkpoint",
        ),
        (
            "convert images . --model m --checkpoint x --random --out o.npz",
            "--random has no effect here: it needs the command without --checkpoint",
        ),
        (
            "finetune . --classifiers x --model m --checkpoint x --random --out o.pt",
            "without --checkpoint",
        ),
        (
            "train eszsl --semantics x --classifiers x --test t --out o",
            "--test has no effect here: it needs --data",
        ),
        (
            "train eszsl --data x --candidates x --out o",
            "--candidates has no effect here: it needs a task",
        ),
        (
            "train eszsl --semantics x --classifiers x --no-tune --validation-seed 1 --out o",
            "it needs --tune",
        ),
        (
            "train eszsl --semantics x --classifiers x --feature-scaling none --out o",
            "--feature-scaling has no effect",
        ),
        (
            "train closest --graph x --semantics x --classifiers x --validate-with x --out o",
            "it needs an option to choose, and closest has none",
        ),
        (
            "train eszsl --gamma 1 --ridge 1 --semantics x --classifiers x --validation-seed 1"
            " --out o",
            "it needs an option to choose, and eszsl has none that is free",
        ),
        (
            "train sgcn --epochs 20 --graph x --semantics x --classifiers x --validate-with x"
            " --out o",
            "sgcn has none that is free: epochs are chosen with --check-every below --epochs",
        ),
        (
            "train softmax --semantics x --classifiers x --candidates x --out o",
            "softmax predicts training classes alone",
        ),
        ("--database mine split list", "--database has no effect on the local server"),
    ],
)
def test_an_option_without_effect_is_a_usage_error(
    arguments: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("graphzsl.database.connect", lambda *_, **__: pytest.fail("connected"))
    for name in ("x", "x.npz", "x.parquet"):
        (tmp_path / name).write_text("x")
    before = sorted(tmp_path.iterdir())
    done = CliRunner().invoke(main, arguments.split())
    assert (done.exit_code, said in done.output) == (2, True), done.output
    assert sorted(tmp_path.iterdir()) == before


def _is_refused(
    arguments: str, option: str, why: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit status 2, one line that names the option and says why, and nothing written; x is an
    existing file."""
    monkeypatch.chdir(folder)
    (folder / "x").write_text("x")
    done = CliRunner().invoke(main, arguments.split())
    assert done.exit_code == 2, done.output
    (said,) = (line for line in done.output.splitlines() if line.startswith("Error: "))
    assert f"'{option}'" in said
    assert why in said
    assert "Traceback" not in done.output
    assert [path.name for path in folder.iterdir()] == ["x"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("query list --folder splts", "'splts' is none of browser, checks"),
    ],
)
def test_a_misspelt_value_is_not_an_empty_answer(command: str, said: str) -> None:
    done = CliRunner().invoke(main, command.split())
    assert (done.exit_code, said in done.output) == (2, True), done.output
