"""The examples of --help, run: those of commands that need a database on the mini WordNet, whose
class sets are called as the examples call theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphzsl import splits
from graphzsl.database import Database
from graphzsl.database.class_sets import put_class_set
from tests.cli.test_help import LEAVES, RUNNABLE, examples
from tests.conftest import Command
from tests.mini import TRAIN, MiniWordNet

#: Groups and commands whose examples need files that a reader has, or servers -> what they need.
NEED_MORE = {
    "db": "servers of their own",
    "load wordnet": "WordNet 3.0",
    "load hierarchy": "ImageNet's release hierarchy",
    "load populations": "ImageNet's populations",
    "study frequencies count": "a text",
    "split verify": "the shipped list of the training classes",
    "split hcorrect": "more classes than the mini WordNet has",
    "study granularity superclasses": "the classes of BREEDS",
    "study granularity tiers": "the classes of tieredImageNet",
    "study granularity vocabulary": "all of WordNet: tests/analysis/test_captions.py",
    "names": "WordNet 3.0",
    "study granularity hedge": "scores: tests/metrics/hierarchical/test_tradeoff.py",
    "study granularity relevance": "all of WordNet: tests/analysis/test_captions.py",
    "study granularity rerank": "scores",
    "study words neighbours": "word vectors",
    "study ilsvrc accuracy": "tables of classes",
    "study ilsvrc accuracy-by": "tables of classes",
    "study ilsvrc boxes": "boxes: tests/cli/test_boxes.py",
    "study ilsvrc detection": "boxes: tests/cli/test_boxes.py",
    "study ilsvrc localization": "boxes: tests/cli/test_boxes.py",
    "study ilsvrc bins": "ImageNet's natural and man-made classes",
    "study ilsvrc changes": "lists of classes: tests/cli/test_labelling.py",
    "study ilsvrc correlate": "tables of classes",
    "study ilsvrc leaderboard": "entries: tests/cli/test_labelling.py",
    "study ilsvrc labelling": "WordNet 3.0 and tables of judgements: tests/cli/test_labelling.py",
    "split samples": "samples",
    "semantics": "libraries of the extras",
    "convert": "published files",
    "train": "class embeddings and classifier rows",
    "audit": "predictions",
    "evaluate": "models and predictions",
    "export superclasses": "all of WordNet",
    "export tree": "all of WordNet",
    "picture": "all of WordNet: tests/reports/pictures/test_page.py",
    "finetune": "images",
    "clip": "weights and images",
    "report": "runs",
    "demo": "minutes",
}
#: Single examples of other commands that need more.
NOT_RUN = {
    "load class-set imagenet-fall11",
    "split build",
    "split build default max-ratio",
    "split build ssb --out ssb-lists",
    "split build ssb --train seen.txt --name mine --out mine",
    "study granularity sweep --scores scores.npz -k 5",
    "study granularity sweep --scores scores.npz --leaves --aggregate sum",
    "load frequencies wordfreq",
    "study words meaning --rule neighbours --vectors glove-6b-50d",
    "split windows all --by population --store populated",
}
#: Commands that name classes in the words of WordNet's own files.
IN_WORDS = {"look", "split publish"}
#: Word of an example -> name of the mini WordNet's synset in its place.
SYNSETS = {
    "n02084071": "dog",
    "n02091134": "dog",
    "n00015388": "animal",
    "german shepherd": "toy_poodle",
    "fox": "dog",
}
#: Sizes and ks of an example -> those that the mini WordNet has.
SIZES = {"100": "5", "500": "5", "1000": "10", "2,5,10,20": "2,5"}


@pytest.fixture
def named_as_in_examples(
    mini_database: Database, mini: MiniWordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The class sets, splits and files that the examples name."""
    monkeypatch.chdir(tmp_path)
    sets = {
        "ilsvrc2012": mini.named(*TRAIN),
        "imagenet-fall11": mini.universe(),
        "hidden": mini.named("tabby", "bee"),
    }
    for name, wnids in sets.items():
        put_class_set(mini_database, name, wnids, {"kind": "list"})
    for hops in (1, 2, None):
        splits.hop_split(mini_database, hops).store(mini_database)
    Path("mine.txt").write_text("\n".join(sets["hidden"]))
    # WordNet's own, for what needs no database
    Path("classes.txt").write_text("n02084071\nn02121620\nn02958343\n")
    Path("allclasses.txt").write_text("\n".join(sets["hidden"]))
    Path("words.csv").write_text("word,frequency\nqueen,30\ncrane,20\ndog,10\n")
    Path("my-recipe.toml").write_text('name = "default"\nsize = 8\n')


def _on_mini(word: str, mini: MiniWordNet) -> str:
    for text, name in SYNSETS.items():
        word = word.replace(text, mini[name])
    return SIZES.get(word, word.replace("\\$", "$"))


def _needs_more(path: str) -> bool:
    return any(path == each or path.startswith(f"{each} ") for each in NEED_MORE)


@pytest.mark.usefixtures("named_as_in_examples")
@pytest.mark.thorough("examples of help texts, run")
def test_examples_run_on_the_mini_wordnet(
    run: Command, mini: MiniWordNet, mini_nouns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every example but those that need more; deletions last. Another exit status fails."""
    paths = [path for path in LEAVES if path not in RUNNABLE and not _needs_more(path)]
    ran = 0
    for path in sorted(paths, key=lambda path: path.endswith("delete")):
        for words in examples(path):
            if " ".join(words) not in NOT_RUN:
                with monkeypatch.context() as patch:
                    if path in IN_WORDS:
                        patch.setattr("graphzsl.hierarchy.wordnet.NOUNS", mini_nouns)
                    run(*(_on_mini(word, mini) for word in words))
                ran += 1
    assert ran > 45


def test_what_is_not_run_is_there() -> None:
    known = {" ".join(words) for path in LEAVES for words in examples(path)}
    assert known >= NOT_RUN
    for path in NEED_MORE:
        assert any(each == path or each.startswith(f"{path} ") for each in LEAVES), path
