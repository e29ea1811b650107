"""Names in predictions become wnids where they are clear, and candidates in another order are
noticed. Wnids are looked up by hand in ImageNet's list."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.audit.class_findings import note_other_order
from graphzsl.cli import main
from graphzsl.hierarchy import Lexicon
from graphzsl.hierarchy.spelling import most_tagged
from graphzsl.names.class_language import AsWnids
from graphzsl.sources.imagenet import listed_classes
from tests.audit.kinds import evaluated, ranked

#: What they share is prepared at length, once on one worker.
pytestmark = pytest.mark.xdist_group("test_class_language")

TENCH, GOLDFISH, HEN, DOG = "n01440764", "n01443537", "n01514859", "n02084071"


def test_names_are_words_of_the_first_set_that_has_them_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert AsWnids(None)(["tench", "hen", GOLDFISH]) == [TENCH, HEN, GOLDFISH]
    assert "2 class names read as words of ilsvrc2012's classes" in capsys.readouterr().err
    assert AsWnids(None)(["dog", "cat"]) == [DOG, "n02121620"], (
        "a dog is a class of Fall 2011 alone"
    )
    assert "2 class names read as words of WordNet." in capsys.readouterr().err
    nine = ["tench", "hen", "goldfish", "beagle", "desk", "laptop", "whippet", "ostrich", "saluki"]
    AsWnids(None)([*nine, "greyhound"])  # n02090827, above two classes
    line = "9 class names read as words of ilsvrc2012's classes, 1 by WordNet alone."
    assert line in capsys.readouterr().err
    assert AsWnids(None)(["left", "tench of mine"]) == ["left", "tench of mine"]
    assert AsWnids(["left", "right"])(["left", "right"]) == ["left", "right"]
    assert capsys.readouterr().err == ""


def test_names_among_candidates_must_be_clear(tmp_path: Path) -> None:
    assert AsWnids([TENCH, GOLDFISH])(["tench", GOLDFISH]) == [TENCH, GOLDFISH]
    with pytest.raises(
        gz.DataError, match=r"1 of 1 class name is unknown among the 2 classes: 'hen'"
    ):
        AsWnids([TENCH, GOLDFISH])(["hen"])
    with pytest.raises(gz.DataError, match="classes are numbers, such as 7: say that they"):
        AsWnids([TENCH, GOLDFISH])(["7"])
    names = tmp_path / "names.tsv"
    names.write_text(f"{HEN}\tmy tench\n{TENCH}\tmy hen\n")
    assert AsWnids([TENCH, HEN], names)(["my hen", "my tench"]) == [TENCH, HEN]


def test_the_same_predictions_in_every_language(tmp_path: Path) -> None:
    """Wnids, names, synset names, numbers of ImageNet's 1,000: the same metrics."""
    truth = [TENCH, TENCH, GOLDFISH, HEN]
    lists = [[TENCH, HEN], [GOLDFISH, TENCH], [GOLDFISH, HEN], [TENCH, GOLDFISH]]
    wnids = listed_classes("ilsvrc2012")
    expected = evaluated(truth, lists, candidates="ilsvrc2012", rounds=20)
    assert expected["hit@1"].per_sample == 0.5
    assert expected.mistakes is not None
    called = {TENCH: "tench", GOLDFISH: "goldfish, Carassius auratus", HEN: "hen"}
    synsets = {TENCH: "tench.n.01", GOLDFISH: "goldfish.n.01", HEN: "hen.n.02"}
    number = {wnid: wnids.index(wnid) for wnid in truth}
    for names in (called, synsets, number):
        found = evaluated(
            [names[each] for each in truth],
            [[names[each] for each in row] for row in lists],
            candidates="ilsvrc2012",
            rounds=20,
        )
        assert found.manifest["metrics"] == expected.manifest["metrics"], names
    table = tmp_path / "names.csv"
    table.write_text(
        "\n".join(
            ",".join(f'"{called[each]}"' for each in (label, *row))
            for label, row in zip(truth, lists, strict=True)
        )
    )
    arguments = ["audit", str(table), "--candidates", "ilsvrc2012", "--rounds", "20"]
    done = CliRunner().invoke(main, [*arguments, "--format", "jsonl"])
    assert done.exit_code == 0, done.output
    rows = {row["metric"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows["lca_height@1"]["per_class"] == expected["lca_height@1"].per_class


def test_the_folder_may_be_the_true_class(tmp_path: Path) -> None:
    """As pybioclip writes it: one row per prediction, the truth in the path alone."""
    table = tmp_path / "bioclip.csv"
    table.write_text(
        "file_name,classification,score\ntench/a.jpg,hen,0.7\ntench/a.jpg,tench,0.2\n"
        "hen/b.jpg,hen,0.8\nhen/b.jpg,tench,0.1\n"
    )
    arguments = ["audit", str(table), "--candidates", "ilsvrc2012", "--rounds", "20"]
    done = CliRunner().invoke(main, [*arguments, "--truth", "folder", "--format", "jsonl"])
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout.splitlines()[0])
    assert (row["metric"], row["per_sample"]) == ("hit@1", 0.5)
    found = gz.evaluate(table, candidates="ilsvrc2012", truth="folder", rounds=20)
    assert found["hit@1"].per_sample == 0.5
    assert CliRunner().invoke(main, arguments).exit_code == 1, "no column says the true class"


def test_unknown_names_are_said_with_near_ones(tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("tench,goldfsh\n")
    done = CliRunner().invoke(main, ["audit", str(table), "--candidates", "ilsvrc2012"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "'goldfsh' (near 'goldfish': n01443537 (goldfish.n.01))" in done.stderr


def test_without_a_hierarchy_names_stay(tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("tench,hen\nhen,hen\n")
    done = CliRunner().invoke(
        main, ["audit", str(table), "--wordnet", "none", "--rounds", "20", "--format", "table"]
    )
    assert done.exit_code == 0, done.output
    assert ["true", "tench"] in [line.split() for line in done.stdout.splitlines()]
    assert "no hierarchy" not in done.stderr
    assert evaluated(["tench"], ["hen"], wordnet=None, rounds=20).mistakes is None


def test_arrays_are_what_files_are() -> None:
    scores = np.array([[0.1, 0.9], [0.8, 0.2], [0.4, 0.6]])
    result = evaluated([1, 0, 0], scores, candidates=["left", "right"], rounds=20)
    assert result["hit@1"].per_sample == pytest.approx(2 / 3)
    with pytest.raises(gz.DataError, match="how a file or a frame is read, not arrays"):
        evaluated([1, 0, 0], scores, candidates=["left", "right"], numbered=True)
    with pytest.raises(gz.DataError, match="Predictions are read already"):
        gz.evaluate(ranked([["a"]], ["a"]), ["a"])


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (lambda number: (number + 1) % 1000, "from 1"),
        (lambda number: sorted(range(1000), key=str).index(number), r"as texts \(0, 1, 10"),
        (lambda number: number, None),
        (lambda number: sorted(range(1000), key=str)[number], r"as texts \(0, 1, 10"),
        (lambda number: (number * 7) % 1000, None),
    ],
)
def test_candidates_in_another_order_are_noticed(
    shown: object, said: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """What folders that are named by numbers become in torchvision, and numbers that begin at 1; a
    network that is as bad as guessing is not called another order."""
    wnids = listed_classes("ilsvrc2012")
    lists = [[wnids[shown(number)]] for number in range(1000)]  # type: ignore[operator]
    note_other_order(ranked(lists, wnids, wnids))
    error = capsys.readouterr().err
    if said is None:
        assert error == ""
    else:
        assert "would be 100.0 %" in error
        assert said.replace("\\", "") in error


def test_another_order_is_noticed_in_few_samples(capsys: pytest.CaptureFixture[str]) -> None:
    """One sample of every fifth class, each taken for the class before it, as where labels begin at
    1; and twenty samples of one class, which may well be mistaken for its neighbour."""
    wnids = listed_classes("ilsvrc2012")
    columns = [*range(5, 1000, 5)]
    lists = [[wnids[column - 1]] for column in columns]
    labels = [wnids[column] for column in columns]
    note_other_order(ranked(lists, labels, wnids))
    said = capsys.readouterr().err
    assert "hit@1 is 0.0 %, and would be 100.0 % if the candidates of one side were counted" in said
    note_other_order(ranked([[wnids[4]]] * 20, [wnids[5]] * 20, wnids))
    assert capsys.readouterr().err == ""


def test_the_sample_is_audited_as_it_stands() -> None:
    done = CliRunner().invoke(main, ["audit", "sample", "--format", "table"])
    assert done.exit_code == 0, done.output
    assert "; 5 of 41 single mistakes:" in done.stdout  # a fifth of 200 is wrong
    assert "79.5 %" in done.stdout


def _audit(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(main, ["audit", *map(str, arguments), "--rounds", "9"])
    assert done.exit_code == code, done.output
    return " ".join(done.stderr.split())


def test_names_that_are_not_needed_are_read_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, names = tmp_path / "p.csv", tmp_path / "names.txt"
    table.write_text(f"{TENCH},{HEN}\n{HEN},{HEN}\n")
    assert "nofile.txt does not exist" in _audit(table, "--names", "nofile.txt", code=1)
    names.write_text(f"{DOG}\tdog\n")
    said = "The names were not needed: the classes are wnids, or numbers of candidates, already."
    assert said in _audit(table, "--names", names)
    evaluated([TENCH], [HEN], names={DOG: "dog"}, rounds=9)
    assert said in " ".join(capsys.readouterr().err.split())
    evaluated([TENCH], [HEN], names={DOG: "my tench", TENCH: "tench"}, rounds=9)
    names.write_text("n99999999\tdog\n")
    assert "names.txt: line 1: n99999999 is not a noun synset" in _audit(
        table, "--names", names, code=1
    )
    names.write_text("tench\n")
    candidates = ("--candidates", "ilsvrc2012")
    said = _audit(table, "--names", names, *candidates, code=1)
    assert "names.txt holds 1 name and no wnids, and there are 1,000 classes" in said
    table.write_text("my tench,my hen\nmy hen,my hen\n")
    names.write_text(f"{TENCH}\tmy tench\n{HEN}\tmy hen\n")
    assert "not needed" not in _audit(table, "--names", names, *candidates)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({DOG: 5, TENCH: None}, f"names, '{DOG}': expected a name, not the number 5"),
        ({DOG: "dog", TENCH: ["a", "b"]}, f"names, '{TENCH}': expected a name, not"),
        ({5: DOG}, "names, 5: expected a name, not the number 5"),
        ({DOG: ""}, f"names, '{DOG}': the name is empty"),
        (["dog", 5], "names, name 1: expected a name, not the number 5"),
        ({DOG: 1, TENCH: 2}, f"names, '{TENCH}': expected"),
        ([], "names is empty"),
        ({}, "names is empty"),
        (5, "names is a file, class -> name, name -> class, or names in the order of"),
    ],
)
def test_names_that_are_no_texts(names: object, said: str) -> None:
    for classes in (["dog"], [DOG]):
        with pytest.raises(gz.DataError) as error:
            evaluated(classes, classes, names=names, rounds=9)  # type: ignore[arg-type]
        assert said in str(error.value)


def test_names_alone_that_are_no_words_are_named(tmp_path: Path) -> None:
    table, classes = tmp_path / "p.csv", tmp_path / "c.txt"
    names = ["left turn 3", "rigth turm", "upp", "hen"]
    table.write_text("upp,hen\nhen,hen\n")
    classes.write_text("\n".join(names))
    said = _audit(table, "--candidates", classes)
    assert "Without wnids there is no hierarchy: hit@k alone. 3 names are no words of Wo" in said
    assert "WordNet's: 'left turn 3', 'rigth turm', 'upp'. --names says what" in said


def test_what_is_written_wrongly_has_an_offer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("clip.csv").write_text(f"{TENCH},0.5\n")
    assert "There is no file 'smaple'. Did you mean sample?" in _audit("smaple", code=2)
    assert "There is no file 'clp.csv'. Did you mean clip.csv?" in _audit("clp.csv", code=2)
    said = _audit("clip.csv", code=1)
    assert "one side is of wnids, the other of numbers. Write wnids on both sides; or" in said
    said = _audit("clip.csv", "-k", "1,x", code=2)
    assert "'x' is not a whole number of at least 1. Write one, or several with commas" in said


def _page(table: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines of confusions of an audit, in a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    done = CliRunner().invoke(main, ["audit", table, "--rounds", "9", "--format", "table"])
    assert done.exit_code == 0, done.output
    return done.stdout.partition("or more")[2].splitlines()[2:]


def test_confusions_stand_in_80_columns_with_whole_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The share stays, and what is of one sample alone is left out."""
    long = ["american staffordshire terrier,german short-haired pointer"] * 2
    lines = ["label,pred", *long, "dog,cat", "dog,cat", "dog,zebra", "zebra,rabbit"]
    (tmp_path / "p.csv").write_text("\n".join(lines))
    title, head, _, *rows, left = _page(str(tmp_path / "p.csv"), monkeypatch)
    assert title == "Most often taken for another:"
    assert head.split() == ["true", "taken", "for", "share"]
    assert [row.split() for row in rows] == [
        [
            "american_staffordshire_terrier.n.01",
            "german_short-haired_pointer.n.01",
            "100.0",
            "%",
        ],
        ["dog.n.01", "cat.n.01", "66.7", "%"],
    ]
    assert left == 'A wider terminal also shows "both are", "height", "samples".'
    assert max(map(len, rows)) <= 80


def test_confusions_of_one_sample_each_are_few_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    title, _, _, *rows, left = _page("sample", monkeypatch)
    assert title == "No class is taken twice for the same other; 5 of 41 single mistakes:"
    assert len(rows) == 5
    assert rows[0].split() == ["carpenter's_kit.n.01", "screwdriver.n.01", "1", "100.0", "%", "10"]
    assert left == 'A wider terminal also shows "both are".'


def test_names_in_another_order_than_the_candidates(tmp_path: Path) -> None:
    """The alphabet's order, one name left out, and the right one."""
    wnids = listed_classes("ilsvrc2012")
    called = list(gz.class_names("ilsvrc2012", "meaning").names)
    table, names = tmp_path / "p.csv", tmp_path / "names.txt"
    table.write_text(f"{TENCH},{called[0]}\n{HEN},{called[wnids.index(HEN)]}\n")
    given = (table, "--candidates", "ilsvrc2012", "--names", names)
    for wrong, place in (
        (sorted(called), "line 1"),
        ([*called[:600], *called[601:], "my last class"], "line 6"),
    ):
        names.write_text("\n".join(wrong))
        said = _audit(*given, code=1)
        assert f"names.txt: {place}" in said
        assert "seem to be in another order than the candidates" in said
        assert "Put them in the order of the candidates; or write the wnid before each" in said
    names.write_text("\n".join(called))
    assert "order" not in _audit(*given)
    with pytest.raises(gz.DataError, match="another order than the candidates: 0 of 2 names"):
        evaluated(["hen"], ["tench"], candidates=[TENCH, HEN], names=["hen", "tench"], rounds=9)


def test_names_of_another_synset_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    """A rooster is cock.n.04 for WordNet, and ImageNet's class of it cock.n.05."""
    cock = "n01514668"
    evaluated(["rooster"], ["hen"], names={cock: "rooster", HEN: "hen"}, rounds=9)
    said = " ".join(capsys.readouterr().err.split())
    assert "names: 1 of 2 names is a word of another synset than the one that the list" in said
    assert f"'{cock}': 'rooster' stands for {cock}, and WordNet has it for cock.n.04" in said


def test_names_that_nothing_uses_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    gz.evaluate(
        ["tench", "my hen"], ["hen", "hen"], names={"tenhc": TENCH, "my hen": HEN}, rounds=9
    )
    said = " ".join(capsys.readouterr().err.split())
    assert (
        "names: 1 of 2 names stands nowhere in the predictions: 'tenhc', is 'tench' meant?" in said
    )
    evaluated(["tench"], ["hen"], names={"my old hen": HEN, "hen": HEN}, rounds=9)
    assert "nowhere in the predictions: 'my old hen'." in " ".join(capsys.readouterr().err.split())


def test_a_rare_sense_of_a_class_that_nobody_gave_is_open() -> None:
    """Fall 2011 has the son and no boy, the face of a clock and no human face: neither is what
    people mean, nor are they what they mean without a doubt."""
    rename = AsWnids(None, later=True)
    names = ["boy", "face", "tench of mine", "hen", "goldfish", "violin"]
    assert rename(names[:2] + names[3:]) == names[:2] + names[3:]
    assert rename.open == ["boy", "face"]
    rename = AsWnids(None, later=True)
    given = ["face", "foot", "water"]
    assert rename(given) == given
    assert "'face' may mean n05600637 (face.n.01), n04679738 (expression.n.01)" in rename.said


def test_most_usual_senses_are_those_that_are_tagged_most_often() -> None:
    """Counts of index.sense: boy 144 times the child, 16 times the son; crane nowhere."""
    lexicon = Lexicon.load()
    usual = most_tagged(lexicon.tags_of("boy"))
    assert usual is not None
    assert lexicon.names[usual] == "male_child.n.01"
    assert most_tagged(lexicon.tags_of("crane")) is None


def test_numbers_of_the_ground_truth_are_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four images: the kit's 490 is the sea snake, output 65 of a network, and so on (by
    meta.mat)."""
    path = tmp_path / "p.csv"
    path.write_text("label,top1\n490,65\n361,970\n171,230\n822,809\n")
    note_other_order(gz.read_predictions(path, candidates="ilsvrc2012", numbered=True))
    said = " ".join(capsys.readouterr().err.split())
    assert "would be 100.0 %" in said
    assert "numbered as in ILSVRC's ground truth (from 1, in the order of its development" in said
