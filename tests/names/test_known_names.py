"""Lists that ImageNet's names are known by settle what WordNet's words leave open."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.names.class_language import AsWnids
from graphzsl.names.known_names import KnownLists, _torchvision
from graphzsl.names.name_matching import NameMatcher, UnclearNames
from graphzsl.sources.imagenet import listed_classes
from tests.audit.kinds import evaluated

CRANE_BIRD, CRANE_MACHINE, TENCH, HEN = "n02012849", "n03126707", "n01440764", "n01514859"
CORGI, JACKET = "n02113186", "n02963159"
TORCHVISION = pytest.mark.skipif(
    find_spec("torchvision") is None, reason="torchvision is not installed"
)


def test_a_name_is_read_by_the_lists_that_have_all_names() -> None:
    found = KnownLists().of_all(["crane (wading bird)", "tench"])
    assert found is not None
    assert found.meant == {
        "crane (wading bird)": frozenset({CRANE_BIRD}),
        "tench": frozenset({TENCH}),
    }
    # a list that gives the name to two classes leaves both
    found = KnownLists().of_all(["crane", "tench"])
    assert found is not None
    assert found.meant["crane"] == {CRANE_BIRD, CRANE_MACHINE}
    assert KnownLists().of_all(["tench", "left"]) is None


@TORCHVISION
def test_torchvisions_names_say_which_cardigan(capfd: pytest.CaptureFixture[str]) -> None:
    """WordNet's words alone cannot tell the corgi from the jacket; torchvision spells one of them
    with a capital."""
    given = ["Cardigan", "cardigan", "tench", "hen"]
    assert NameMatcher().meant("cardigan") == [CORGI, JACKET]
    assert AsWnids(None)(given) == [CORGI, JACKET, TENCH, HEN]
    said = capfd.readouterr().err
    assert "All 4 class names are those of torchvision: by that list 'Cardigan' is" in said
    assert "and 1 more is read by it" in said


@TORCHVISION
def test_every_name_of_torchvision_is_its_class() -> None:
    """Also the tub, which is the bath by WordNet's words."""
    listed = dict(_torchvision())
    assert AsWnids(None)(list(listed.values())) == list(listed)


@pytest.mark.skipif(find_spec("clip_benchmark") is None, reason="clip-benchmark is not installed")
def test_the_names_of_clip_leave_two_open_and_a_file_settles_them(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """All 998 names, as files have them: two are of two classes each."""
    from graphzsl.names import openai_names

    names = openai_names()
    assert len(names.shared) == 2
    first: dict[str, str] = {}
    for wnid, name in names.names.items():
        first.setdefault(name, wnid)
    given, classes = list(first), listed_classes("ilsvrc2012")
    assert len(given) == 998
    open_ = (
        r"^'missile' may mean n03773504 \(missile.n.01\), n04008634 \(projectile.n.01\); "
        r"'sunglasses' may mean n04355933 \(sunglass.n.01\), n04356056 \(sunglasses.n.01\)\. Say"
    )
    with pytest.raises(DataError, match=open_):
        AsWnids(classes)(given)
    assert AsWnids(None)(given) == given
    said = capfd.readouterr().err
    assert "'rooster' is n01514668 (cock.n.05), and 171 more are read by it." in said
    assert "Names stay names, and there is no hierarchy: 'missile' may mean" in said
    assert "unknown" not in said
    settled = tmp_path / "names.txt"
    settled.write_text("n03773504\tmissile\nn04356056\tsunglasses\n")
    expected = [*(first | {"missile": "n03773504", "sunglasses": "n04356056"}).values()]
    assert AsWnids(None, settled)(given) == expected
    assert AsWnids(classes, settled)(given) == expected
    # what names say counts before the lists, and a part of the classes is read alike
    other = {"rooster": HEN, "missile": "n04008634", "sunglasses": "n04355933"}
    assert AsWnids(classes, other)(given) == [*(first | other).values()]
    own = {name: wnid for name, wnid in first.items() if name not in other}
    assert AsWnids([*own.values()])(list(own)) == [*own.values()]


@TORCHVISION
@pytest.mark.parametrize("others", [["tench"], ["bathing tub"], ["tench.n.01"], ["hen"]])
def test_a_name_means_no_other_class_in_other_company(
    others: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The tub is the bathtub by WordNet's words, and the vat in torchvision, which alone has both
    Cardigans: in no file it is the first in silence."""
    bath, vat = "n02808440", "n04493381"
    assert NameMatcher().meant("tub") == [bath]
    assert AsWnids(None)(["tub", *others]) == ["tub", *others]
    capsys.readouterr()
    assert AsWnids(None)(["tub", "German shepherd", "dog"])[0] == bath, "no list of ImageNet's"
    assert "'tub' as n02808440 (bathtub.n.01)" in capsys.readouterr().err
    assert AsWnids(None)(["tub", "Cardigan", "tench"]) == [vat, CORGI, TENCH]
    assert AsWnids([bath, TENCH])(["tub", "tench"]) == [bath, TENCH], "the only one of them"
    with pytest.raises(DataError, match=rf"'tub' may mean {bath} \(bathtub.n.01\), {vat}"):
        AsWnids([bath, vat, TENCH])(["tub", "tench"])


def test_an_ambiguous_name_is_listed_with_its_meanings(tmp_path: Path) -> None:
    table = tmp_path / "p.csv"
    table.write_text("crane,tench\nhen,hen\ntench,tench\n")
    done = CliRunner().invoke(main, ["audit", str(table), "--rounds", "20"])
    assert done.exit_code == 0, done.output
    assert f"'crane' may mean {CRANE_BIRD} (crane.n.05), {CRANE_MACHINE}" in done.stderr
    assert f"such as `{CRANE_BIRD}<tab>crane`" in done.stderr
    assert "--names says what names mean" in done.stderr
    # a list of this one name settles it
    names = tmp_path / "names.txt"
    names.write_text(f"{CRANE_BIRD}\tcrane\n")
    done = CliRunner().invoke(
        main, ["audit", str(table), "--rounds", "20", "--names", str(names), "--format", "jsonl"]
    )
    assert done.exit_code == 0, done.output
    metrics = {row["metric"] for row in map(json.loads, done.stdout.splitlines())}
    assert "lca_height@1" in metrics


@pytest.mark.parametrize(
    "names", [{CRANE_BIRD: "crane"}, {"crane": CRANE_BIRD, "a bird": CRANE_BIRD}]
)
def test_names_may_be_a_dictionary(names: dict[str, str]) -> None:
    found = evaluated(["crane", "tench"], ["tench", "tench"], names=names, rounds=20)
    assert found["hit@1"].per_class == 0.5
    assert {row["true"] for row in found.confusions()} == {CRANE_BIRD}
    with pytest.raises(DataError, match="'crane' -> 'x' is neither"):
        evaluated(["crane"], ["tench"], names={"crane": "x"})


def test_a_word_of_no_class_says_what_is_related() -> None:
    with pytest.raises(DataError) as error:
        NameMatcher().wnids(["dog"])
    assert "n02084071 (dog.n.01) is none of them, and 118 classes are below it" in str(error.value)
    with pytest.raises(DataError, match=r"is none of them; n02084071 \(dog.n.01\) is above it"):
        NameMatcher(["n02084071"]).wnids(["German shepherd"])


def test_training_classes_may_be_words(tmp_path: Path) -> None:
    found = evaluated(["tench", "hen"], ["tench", "tench"], train=["goldfish"], rounds=20)
    assert found.manifest["provenance"]["train"]["classes"] == 1
    assert "hops" in found.manifest["groups"]
    with pytest.raises(DataError, match="class 0: 'crane' names 5 noun synsets"):
        evaluated(["tench", "hen"], ["tench", "tench"], train=["crane"], rounds=20)
    # names of the predictions themselves need not be words of WordNet's
    named = evaluated(["left", "right"], ["left", "left"], train=["left"], rounds=20)
    assert named["hit@1"].per_class == 0.0


CRANES = [["tench", "hen"], ["tench", "hen"], ["hen", "goldfish"], ["goldfish", "hen"]]
CRANE_TRUTH = ["crane", "tench", "goldfish", "hen"]


@pytest.mark.parametrize("form", ["lists", "scores", "no hierarchy"])
def test_training_classes_meet_names_that_stay_names(form: str) -> None:
    """crane is unclear, so all four names stay; one of three unseen samples is right (tench), and
    the goldfish is the training class."""
    given: dict[str, object] = {}
    predicted: object = CRANES
    if form == "scores":
        names = ["crane", "tench", "goldfish", "hen"]
        places = [[names.index(each) for each in row] for row in CRANES]
        predicted = [[[*row, each].index(each) * -1.0 for each in range(4)] for row in places]
        given["candidates"] = names
    if form == "no hierarchy":
        given["wordnet"] = None
    found = evaluated(CRANE_TRUTH, predicted, train=["goldfish"], rounds=20, **given)  # type: ignore[arg-type]
    assert found["hit@1"].per_class == pytest.approx(1 / 3)
    assert found.generalized is not None
    assert found.generalized["seen_classes"] == 1
    assert found.mistakes is None, "names stay names"


def test_the_line_that_an_unclear_name_asks_for_settles_it() -> None:
    with pytest.raises(UnclearNames, match="'crane' may mean n02012849") as failed:
        NameMatcher("ilsvrc2012").wnids(["crane"])
    asked = re.search(r"such as `(n[0-9]{8})<tab>(.*?)`", str(failed.value))
    assert asked
    assert NameMatcher("ilsvrc2012", {asked[1]: asked[2]}).wnids(["crane"]) == [asked[1]]


def test_training_classes_meet_names_on_the_command_line(tmp_path: Path) -> None:
    table, train = tmp_path / "p.csv", tmp_path / "train.txt"
    rows = [",".join([true, *row]) for true, row in zip(CRANE_TRUTH, CRANES, strict=True)]
    table.write_text("\n".join(rows))
    train.write_text("goldfish\n")
    done = CliRunner().invoke(
        main, ["audit", str(table), "--train", str(train), "--rounds", "20", "--format", "jsonl"]
    )
    assert done.exit_code == 0, done.output
    shown = {row["metric"]: row["per_class"] for row in map(json.loads, done.stdout.splitlines())}
    assert shown["hit@1"] == pytest.approx(1 / 3)
    assert any(name.startswith("generalized") for name in shown)
    done = CliRunner().invoke(main, ["audit", str(table), "--train", str(train), "--rounds", "20"])
    assert " ".join(done.stdout.split()).startswith(
        "Of unseen classes alone: 3 samples of 3 classes. Generalized tr, h and ausuc alone have"
        " the 1 sample of training classes, too."
    )


def test_training_classes_that_nothing_meets_are_said(capfd: pytest.CaptureFixture[str]) -> None:
    evaluated(CRANE_TRUTH, CRANES, train=["German shepherd"], rounds=20)
    assert "train has no effect here" in capfd.readouterr().err
    with pytest.raises(DataError, match="n01440764 is there twice: class 0 and class 1"):
        evaluated(["tench", "hen"], ["tench", "tench"], train=[TENCH, TENCH], rounds=20)
    with pytest.raises(DataError, match="is there twice: class 0 as 'n01440764' and class 1"):
        evaluated(["tench", "hen"], ["tench", "tench"], train=[TENCH, "tench"], rounds=20)
