"""One text means one class, whichever door it comes in by."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.hierarchy import WordNetVocabulary
from graphzsl.hierarchy.meanings import settled
from graphzsl.hierarchy.resolver import resolve_all, wnids_where_named
from graphzsl.names import draft_names
from graphzsl.names.class_language import AsWnids, candidates_of, training_classes
from graphzsl.sources.published import named_sets
from graphzsl.sources.tables import WNID
from tests.audit.kinds import evaluated
from tests.names.inputs import MEANT

#: The categories of LVIS v1 (Gupta et al. 2019) with their synsets, as its annotations have them;
#: of COCO (Lin et al. 2014) its 80 names, with the synsets that LVIS gives to the same categories.
DATA = Path(__file__).parent / "data"


def _run(*arguments: str) -> str | None:
    done = CliRunner().invoke(main, [*arguments, "--format", "csv"])
    assert "Traceback" not in done.output
    assert done.exit_code in (0, 1), done.output
    return None if done.exit_code else done.stdout


def _named(file: Path) -> str | None:
    done = CliRunner().invoke(main, ["names", "--set", str(file)])
    assert done.exit_code in (0, 1), done.output
    return None if done.exit_code else done.stdout.split("\t")[0]


def _overlap(file: Path) -> str | None:
    found = _run("split", "overlap", str(file), "ilsvrc2012", "--each")
    rows = list(csv.DictReader(io.StringIO(found or "")))
    return rows[0]["wnid"] or None if len(rows) == 1 else None


def _drawn(file: Path) -> str | None:
    page = file.with_suffix(".html")
    done = CliRunner().invoke(main, ["picture", str(file), "--out", str(page)])
    assert done.exit_code in (0, 1), done.output
    wnid = MEANT[file.read_text().strip()]
    return wnid if not done.exit_code and wnid and wnid in page.read_text() else None


def _drafted(file: Path) -> str | None:
    (row,) = draft_names(file).draft
    return row.wnid


def _list(file: Path) -> str | None:
    (wnid,) = resolve_all(file)
    return wnid


def _python(file: Path) -> str | None:
    return gz.Hierarchy.load().wnid(file.read_text().strip())


def _train(file: Path) -> str | None:
    return next(iter(training_classes(file).wnids), None)


#: Doors that take a list or a text -> the wnid of the one class of a file; None for a refusal.
DOORS: dict[str, Callable[[Path], str | None]] = {
    "names resolve": _drafted,
    "a list of Python": _list,
    "Hierarchy.wnid": _python,
    "valid": lambda file: wnids_where_named(file)[0],
    "train": _train,
}
#: Commands, which take longer, with one text of each kind.
COMMANDS = {"names --set": _named, "split overlap": _overlap}
FEW = [
    "N02084071",
    "dog",
    "kite",
    "oewn-02086723-n",
    "background",
    "0",
    "n0208407",
    "no such thing",
]


def _answers(
    doors: dict[str, Callable[[Path], str | None]], text: str, path: Path
) -> dict[str, str | None]:
    path.write_text(f"{text}\n")
    answers = {}
    for door, read in doors.items():
        try:
            answers[door] = read(path)
        except DataError:
            answers[door] = None
    return answers


@pytest.mark.parametrize("text", MEANT)
def test_a_text_means_one_class_at_every_door(text: str, tmp_path: Path) -> None:
    found = _answers(DOORS, text, tmp_path / "one.txt")
    assert found == dict.fromkeys(DOORS, MEANT[text])


@pytest.mark.parametrize("text", FEW)
def test_commands_read_it_so(text: str, tmp_path: Path) -> None:
    found = _answers(COMMANDS, text, tmp_path / "one.txt")
    assert found == dict.fromkeys(COMMANDS, MEANT[text])


@pytest.mark.parametrize("text", MEANT)
def test_predictions_and_candidates_are_read_so_or_stay_names(text: str) -> None:
    """A name that is no class of ImageNet's stays a name: the classifier may have its own."""
    (label,) = AsWnids(None, later=True)([text])
    assert label == (MEANT[text] if WNID.match(label) else text)
    assert bool(WNID.match(label)) == (MEANT[text] is not None)
    (candidate,) = candidates_of([text]).classes
    assert candidate == label


@pytest.mark.parametrize("text", ["dog", "boy", "background"])
def test_pictures_take_such_a_list(text: str, tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text(f"{text}\n")
    assert _drawn(path) == MEANT[text]


def test_candidates_decide_what_the_training_classes_mean() -> None:
    """The word is no animal to a classifier that knows the mouse of a computer."""
    candidates = ["n03793489", "n01440764"]
    assert training_classes(["mouse"], candidates=candidates).wnids == ["n03793489"]
    found = evaluated(["mouse", "tench"], ["mouse", "mouse"], candidates=candidates, rounds=9)
    assert found["hit@1"].per_class == 0.5


MOUSE, DEVICE, DOG_, CAT = "n02330245", "n03793489", "n02084071", "n02121620"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["mouse", "laptop", "desk"], DEVICE),  # all are ILSVRC's
        (["mouse", DOG_, CAT], MOUSE),  # a wnid counts, and a dog is no class of ILSVRC's
        (["mouse", "n01514668", "n01440764"], DEVICE),
        (["mouse", "dog", "cat"], MOUSE),
        (["mouse"], MOUSE),
    ],
)
def test_a_list_of_ilsvrcs_classes_decides_at_every_door(given: list[str], meant: str) -> None:
    assert resolve_all(given)[0] == meant
    assert training_classes(given).wnids[0] == meant
    assert gz.Hierarchy.load().subtree(given) >= {meant}
    assert AsWnids(None)(given)[0] == meant
    assert candidates_of(given).classes[0] == meant


def test_names_that_are_told_say_nothing_of_the_others() -> None:
    told = {"my tench": "n01440764", "my hen": "n01514859", "my bus": "n04487081"}
    assert AsWnids(None, told)([*told, "mouse"])[-1] == MOUSE


def test_candidates_decide_for_the_valid_set_and_the_list_for_training_classes() -> None:
    assert wnids_where_named(["mouse"], [DEVICE], among=[DEVICE]) == [DEVICE]
    names = ["tench", "hen", "goldfish", "mouse", "laptop", "desk"]
    assert training_classes(names, candidates=[DOG_, CAT]).wnids[3] == DEVICE
    assert training_classes(names, candidates=[MOUSE]).wnids[3] == MOUSE


def test_words_of_no_class_are_none_of_the_candidates_and_others_are_wordnets() -> None:
    background = gz.Hierarchy.load().wnid("background.n.01")
    with pytest.raises(DataError, match=r"'background' \(it stands for whatever is no class"):
        AsWnids([background, DOG_])(["background"])
    # a word of one synset, which Fall 2011 lacks
    (storm,) = AsWnids(None)(["thunderstorm"])
    assert storm == resolve_all(["thunderstorm"])[0]


def test_names_without_a_synset_are_no_classes(capsys: pytest.CaptureFixture[str]) -> None:
    """Food-101 has 45 dishes of which WordNet knows none, in any spelling."""
    path = named_sets()["food101"].path
    classes = candidates_of(path).classes
    assert len(classes) == 101, "each keeps its place, for numbers"
    assert classes[:3] == ["n07626174", "baby_back_ribs", "n07627790"]
    with pytest.raises(DataError, match="'baby_back_ribs' is not a noun synset"):
        resolve_all(path)
    capsys.readouterr()
    for names in (path, {"baby_back_ribs": "none", "pizza": "n07873807"}):
        read = AsWnids(None, names)
        assert read(["Baby back ribs", "pizza"]) == ["Baby back ribs", "pizza"]
        assert (read.open, read.read) == (["Baby back ribs"], {"pizza": "n07873807"})
        assert "1 of 2 names has no synset" in capsys.readouterr().err


def test_words_are_read_with_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    resolve_all(["dog", "tench"])
    said = capsys.readouterr().err
    assert "A word has other synsets, too: 'dog' as n02084071 (dog.n.01)" in said
    with pytest.raises(DataError, match="'background' stands for whatever is no class"):
        resolve_all(["dog", "background"])


def test_names_without_a_synset_keep_the_places_of_the_others(tmp_path: Path) -> None:
    """The rows of scores and numbers count all classes of the classifier."""
    path = tmp_path / "four.csv"
    path.write_text("wnid,name\nnone,aaa\nn02084071,dog\nn02121620,cat\nn01440764,tench\n")
    table = tmp_path / "p.csv"
    table.write_text("label,top1\nn02084071,1\nn02121620,2\n")
    found = gz.evaluate(table, candidates=path, numbered=True, wordnet=None, rounds=9)
    assert found["hit@1"].per_sample == 1


def test_training_classes_that_are_there_twice_or_beside_strange_candidates() -> None:
    with pytest.raises(DataError, match="is there twice: class 0 and class 1"):
        training_classes(["dog", "dog"])
    assert AsWnids(None)(["dog", "dog"]) == ["n02084071", "n02084071"]
    assert training_classes(["dog"], candidates=["n99999999"]).wnids == ["n02084071"]


def test_told_names_decide_for_themselves_alone() -> None:
    told = {"computer mouse": DEVICE}
    read = AsWnids(None, told)(["computer mouse", "mouse", "dog", "cat"])
    assert read == [DEVICE, MOUSE, DOG_, CAT]


def test_results_keep_what_was_taken_for_what(tmp_path: Path) -> None:
    path, run = tmp_path / "p.csv", tmp_path / "run.json"
    path.write_text("label,top1\nmouse,mouse\nlaptop,desk\n")
    (line, sense) = gz.evaluate(path, rounds=9).notes
    assert line == "3 class names read as words of ilsvrc2012's classes."
    assert "'mouse' as n03793489 (mouse.n.04)" in sense
    done = CliRunner().invoke(main, ["audit", str(path), "--rounds", "9", "--out", str(run)])
    assert done.exit_code == 0, done.output
    assert json.loads(run.read_text())["notes"] == [line, sense]
    assert evaluated(["n01440764"], ["n01514859"], rounds=9).notes == []


#: Names of LVIS whose synset there is another than the only or the far more usual one; by hand.
#: Of the first WordNet has one synset alone; LVIS took one above, or one beside it.
OTHERS_OF_LVIS = {
    *("bottle_cap", "crock_pot", "mound_(baseball)", "nightshirt", "plastic_bag", "refrigerator"),
    *("shower_head", "sugarcane_(plant)"),
    *("baseball", "costume", "cow", "globe", "glove", "lamp", "money", "radish"),
}
OTHERS_OF_COCO = {"cow", "mouse", "refrigerator", "tv"}


@pytest.mark.parametrize(
    ("file", "size", "others"),
    [("lvis_v1.tsv", 1203, OTHERS_OF_LVIS), ("coco_80.tsv", 80, OTHERS_OF_COCO)],
)
def test_categories_of_detection_sets(file: str, size: int, others: set[str]) -> None:
    """Every synset name that LVIS publishes but stop_sign.n.01, which WordNet 3.0 lacks; and plain
    names mean the synset that stands beside them, or are open."""
    rows = [line.split("\t") for line in (DATA / file).read_text().splitlines()[1:]]
    assert len(rows) == size
    synsets = [synset for _, _, synset in rows]
    with pytest.raises(DataError, match=r"class \d+: 'stop_sign.n.01'") as refused:
        resolve_all(synsets)
    assert str(refused.value).count("is not a noun synset") == 1
    wnids = resolve_all([synset for synset in synsets if synset != "stop_sign.n.01"])
    assert len(wnids) == size - 1
    vocabulary, found = WordNetVocabulary(), set()
    for _, name, synset in rows:
        (wnid, *more) = settled(name, vocabulary) or [""]
        if wnid and not more and vocabulary.named(synset) != wnid:
            found.add(name)
    assert found == others
