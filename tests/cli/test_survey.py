"""Can one survey the command line? How large it is, and everyday questions: the command that one
finds by --help alone, and the right answer."""

from __future__ import annotations

import ast
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl import splits
from graphzsl.cli import SECTIONS, main, options
from graphzsl.data import ClassMatrix
from graphzsl.database import Database
from graphzsl.sources.imagenet import listed_classes
from tests.conftest import Command

POODLE, CAT, DOG, CAR = "n02113624", "n02123045", "n02099601", "n02930766"


def _commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command, f"{path}{name} ")
            if not command.invoke_without_command:
                continue
        yield f"{path}{name}", command


def test_the_command_line_is_small_enough_to_survey() -> None:
    """Options are counted where --help explains them: those that all models share, once."""
    commands = dict(_commands(main))
    assert sum(map(len, SECTIONS.values())) <= 18
    models = [path for path in commands if path.startswith("train ")]
    assert len(commands) - len(models) <= 125
    explained = 0
    for path, command in commands.items():
        shown = [each for each in command.params if isinstance(each, click.Option)]
        if path in models:
            shown = [each for each in shown if (each.name or "").startswith("option_")]
        explained += len(shown)
    shared = {each.name for each in commands["train sgcn"].params} & {
        each.name for each in commands["train eszsl"].params
    }
    help_of_all = CliRunner().invoke(main, ["train", "--help"]).stdout
    assert {"data", "feature_scaling", "out"} <= shared
    for name in shared:
        assert f"--{str(name).replace('_', '-')}" in help_of_all, "explained there, once"
    assert explained <= 900


#: A flag of several meanings -> why it has them.
SEVERAL_MEANINGS = {
    "--out": "declared once, and what a command writes is all that there is to say",
    "--by": "each command has properties of its own to order by",
    "--fill": "each command has values of its own for what is missing",
    "--rule": "each command has rules of its own",
    "--folder": "of WordNet's files, and of the query library",
    "--format": "`names` writes for other tools, and prints no rows",
    "--strict": "of classes without a place, and of DeViSE's list of words",
    "--table": "a file for a paper, and the rows of a consensus",
}


def test_a_flag_is_declared_in_one_file_and_its_help_begins_in_one_way() -> None:
    """A command may add to what ``shared`` says, or behind a colon or brackets. A model's own
    options are those of its paper, and do not count."""
    files, meanings, begins = defaultdict(set), defaultdict(set), {}
    declaring = ("click.option", "option", "shared", "flag")
    for path in Path(options.__file__).parent.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text()))
        for call in (each for each in nodes if isinstance(each, ast.Call)):
            if ast.unparse(call.func) in declaring and isinstance(call.args[0], ast.Constant):
                flag = re.split("[ /]", call.args[0].value)[0]
                files[flag].add(path)
                if ast.unparse(call.func) == "shared":
                    begins[flag] = ast.literal_eval(call.args[1])
    for _, command in _commands(main):
        for each in command.params:
            if isinstance(each, click.Option) and not (each.name or "").startswith("option_"):
                flag, text = each.opts[0], each.help or ""
                text = begins[flag] if text.startswith(begins.get(flag, "\n")) else text
                meanings[flag].add(re.split("[,:;.(]", text)[0].strip())
    several = [flag for flag in files if len(files[flag]) > 1 or len(meanings[flag]) > 1]
    assert len(files) > 180
    assert set(several) == SEVERAL_MEANINGS.keys()


def test_an_option_that_is_needed_is_asked_for() -> None:
    """Without it a command would begin its work, and fail where it writes."""
    needed = [
        (path, option)
        for path, command in _commands(main)
        for option in command.params
        if isinstance(option, click.Option) and option.required
    ]
    assert {"out", "max_hops", "graph"} <= {option.name for _, option in needed}
    for path, option in needed:
        alone = click.Command(path, params=[option], callback=lambda **_: None)
        done = CliRunner().invoke(alone, [])
        assert (done.exit_code, "Missing option" in done.output) == (2, True), path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the questions: 40 images of four classes, and what two models say of them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHZSL_HOME", str(tmp_path / "home"))
    random, wnids = np.random.default_rng(0), [POODLE, CAT, DOG, CAR]
    rows = [(wnid, wnid if at % 4 else wnids[(at + 1) % 4]) for wnid in wnids for at in range(10)]
    table = "\n".join(f"{true},{first},{POODLE if first == CAT else CAT}" for true, first in rows)
    Path("top.csv").write_text(f"label,top1,top2\n{table}\n")
    Path("other.csv").write_text("label,top1\n" + "\n".join(f"{true},{true}" for true, _ in rows))
    Path("cifar.csv").write_text("apple,apple,pear\nmaple_tree,oak_tree,maple_tree\n")
    Path("confusion.csv").write_text(",cat,dog\ncat,3,1\ndog,2,4\n")
    Path("answers.csv").write_text('label,answer\ntench,"It is a fish."\ngoldfish,A goldfish.\n')
    Path("mine.txt").write_text("boston terrier\nquagga\nguppy\n")
    Path("words.txt").write_text("crane\ntench\n")
    labels = random.integers(0, 1000, 30)
    logits = random.normal(size=(30, 1000)) + 9 * np.eye(1000)[labels]
    np.savez("logits.npz", logits=logits, labels=labels)
    names = listed_classes("ilsvrc2012")[:8]
    marks = np.repeat(np.arange(8), 12)
    features = random.normal(size=(8, 10))[marks] + random.normal(size=(96, 10)) / 4
    np.savez("features.npz", features=features, wnids=np.array(names)[marks])
    vectors = dict(zip(names, random.normal(size=(8, 5)), strict=True))
    ClassMatrix.from_rows(vectors).save("vectors.safetensors")
    Path("seen.txt").write_text("\n".join(names[:6]))
    Path("unseen.txt").write_text("\n".join(names[6:]))
    return tmp_path


#: Question -> what leads to the command in each --help on the way, the commands, and a part of the
#: answer. The first fifteen that need no database were asked by a newcomer.
QUESTIONS = {
    "how far off are my top-2 predictions?": (
        "how far mistakes",
        "audit top.csv",
        "truth: 8.0 on average",
    ),
    "the same for CIFAR-100 by names": (
        "how far mistakes",
        "audit cifar.csv --names cifar100",
        "Height of the lowest",
    ),
    "logits in torchvision's order": (
        "Any classifier",
        "audit logits.npz --candidates ilsvrc2012",
        "hit@1   100.0 %",
    ),
    "I have a confusion matrix": ("Any classifier", "audit confusion.csv", "70.8 %"),
    "hCorrectSet of the fox for k = 20": (
        "one class",
        "look fox -k 20",
        "k 20: 20 classes of imagenet-fall11 within 2 hops",
    ),
    "closest training classes of the fox": (
        "one class",
        "look fox",
        "1 hop to ilsvrc2012, 4 ties: red_fox.n.03",
    ),
    "is my test set in ImageNet-1k?": ("compare", "split overlap mine.txt", "1 same"),
    "is A better than B?": (
        "compare runs",
        "audit top.csv --out a.json; audit other.csv --out b.json; evaluate compare a.json b.json",
        "difference    -22.5 %",  # of 40 samples 9 are wrong, and none
    ),
    "show me the split": ("to zoom and search", "picture hops-1", "21,842 classes"),
    "a LaTeX table of my runs": (
        "the table and plots",
        "audit top.csv --out a.json; audit other.csv --out b.json;"
        " report a.json b.json --table t.tex",
        "top & 77.5 [",
    ),
    "ESZSL on my features and vectors": (
        "Train a zero-shot model",
        "convert samples features.npz --semantics vectors.safetensors --train seen.txt"
        " --test unseen.txt --out data; train eszsl --data data --out m;"
        " evaluate model m --data data --out r.json",
        "24 samples of 2 classes, 2 candidates",  # twelve of each unseen class
    ),
    "a graph network on my features": (
        "Train a zero-shot model",
        "convert samples features.npz --semantics vectors.safetensors --train seen.txt"
        " --test unseen.txt --out data; train sgcn --data data --out m",
        "sgcn: 6 training classes, 2 candidates",
    ),
    "accuracy of dogs, cats and cars": (
        "Any classifier",
        "audit top.csv --at dog.n.01,cat.n.01,car.n.01",
        "accuracy at dog.n.01",
    ),
    "accuracy of animals alone": (
        "Any classifier",
        "audit top.csv --below animal.n.01",
        "30 samples of 3 classes",
    ),
    "what a vision-language model says": ("Any classifier", "audit answers.csv --text", "above"),
    "the best answer for hF": (
        "Any classifier",
        "audit logits.npz --candidates ilsvrc2012 --decode hf1",
        "hF, decoded",
    ),
    "what may crane mean?": ("one class", "look crane", "senses"),
    "which classes do my names mean?": (
        "check a list of names",
        "names resolve words.txt",
        "tench",
    ),
    "names of the classes for CLIP": ("Names and prompts", "names --set seen.txt", "tench"),
    "how many images of dogs are there?": ("one class", "look dog", "1,603 images"),
    "which models are there?": ("Train a zero-shot model", "train --list", "dense-gcn"),
    "what is the equation of ESZSL?": ("Train a zero-shot model", "train eszsl --help", "γI"),
    "which queries are there?": ("queries of the Cypher library", "query list", "hcorrect_set"),
    "samples to tune on": (
        "splits",
        "split samples split features.npz --share 0.2 --out parts",
        "tuning       19        8",  # a fifth of 96, of 8 classes
    ),
    "where are my data?": ("local Neo4j server", "db status", "home/neo4j"),
    "which claims of the papers hold?": (
        "papers",
        "study papers claims D10",
        "verdict    supported",
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_everyday_questions(question: str, folder: Path) -> None:
    lead, lines, answer = QUESTIONS[question]
    commands = [shlex.split(line) for line in lines.split(";")]
    shown = " ".join(CliRunner().invoke(main, ["--help"]).stdout.split())
    assert lead in shown, f"--help leads to no answer of: {question}"
    for words in commands:
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.output
    tables = [Path(each).read_text() for each in commands[-1] if each.endswith(".tex")]
    assert answer in "".join([done.output, *tables])


@pytest.mark.parametrize(
    ("question", "command", "answer"),
    [
        ("which classes are in my split, with names?", "split show mine", "poodle.n.01"),
        ("why is the cat in it?", "split explain mine cat", "hop"),
        (
            "lowest common ancestor of two classes",
            "query run lowest_common_ancestors -p wnid=poodle.n.01 -p other_wnid=beagle.n.01",
            "dog.n.01",
        ),
        ("what does it give away?", "split report mine", "structural ratio"),
        ("is the database sound?", "db check", "cycles"),
        ("away with it", "split delete mine", "Deleted split mine"),
    ],
)
def test_everyday_questions_to_the_database(
    question: str, command: str, answer: str, run: Command, mini_database: Database
) -> None:
    splits.hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    done = run(*shlex.split(command))
    assert answer in done.stdout + done.stderr, question
