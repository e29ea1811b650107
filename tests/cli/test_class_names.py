"""``graphzsl names``: its files, its messages, and its examples."""

from __future__ import annotations

import errno
import json
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import class_names as group
from graphzsl.cli import main
from graphzsl.sources.imagenet import listed_classes
from tests.cli.test_help import ALL


def names(*arguments: str, code: int = 0) -> Result:
    done = CliRunner().invoke(main, ["names", *arguments])
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return done


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def three() -> Path:
    Path("three.txt").write_text("n03126707\nn02012849\ndog.n.01\n")
    return Path("three.txt")


def _installed() -> None:
    if find_spec("clip_benchmark") is None:
        pytest.skip("clip-benchmark is not installed: pip install 'graphzsl[names]'")


def test_names_and_templates_are_written_together_or_not(
    three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full when the first file is on it, and the second is not."""

    def to_disk(path: Path) -> None:
        if "{c}" in path.read_text():
            raise OSError(errno.ENOSPC, "")

    Path("out.txt").write_text("as it was")
    words = ("--set", str(three), "--format", "webdataset", "--out", "out.txt")
    with monkeypatch.context() as full:
        full.setattr("graphzsl.common.atomic._to_disk", to_disk)
        done = names(*words, "--templates-out", "others.txt", code=1)
    assert "others.txt cannot be written: the disk is full" in done.stderr
    assert Path("out.txt").read_text() == "as it was"
    names(*words, "--templates-out", "others.txt")
    assert Path("out.txt").read_text().splitlines() == [
        "crane (lifting device)",
        "crane (wading bird)",
        "dog",
    ]
    assert "{c}" in Path("others.txt").read_text()


def test_names_go_to_stdout_and_all_else_to_stderr(three: Path) -> None:
    done = names("--set", str(three))
    assert done.stdout == (
        "n03126707\tcrane (lifting device)\nn02012849\tcrane (wading bird)\nn02084071\tdog\n"
    )
    assert "3 classes named, 2 with the parent." in done.stderr
    done = names("--set", str(three), "--rule", "first")
    assert "Not unique: 2 classes share 1 name, e.g. 'crane': n03126707, n02012849." in done.stderr


def test_files_of_names_and_of_templates(three: Path) -> None:
    files = ("--out", "n.json", "--templates-out", "t.json")
    names("--set", str(three), "--format", "clip_benchmark", "--data-set", "mine", *files)
    assert json.loads(Path("n.json").read_text()) == {
        "mine": ["crane (lifting device)", "crane (wading bird)", "dog"]
    }
    assert json.loads(Path("t.json").read_text())["mine"][0] == "a photo of a {c}."
    files = ("--out", "classnames.txt", "--templates-out", "zeroshot_classification_templates.txt")
    names("--set", str(three), "--format", "webdataset", "--templates", "bare", *files)
    assert Path("classnames.txt").read_text().splitlines()[2] == "dog"
    assert Path("zeroshot_classification_templates.txt").read_text() == "{c}\n"
    document = json.loads(names("--set", str(three), "--format", "json").stdout)
    assert document["names"]["n02084071"] == "dog"
    assert (document["rule"], document["wordnet"]) == (group.RULE, "3.0")
    again = json.loads(names("--set", str(three), "--format", "json").stdout)
    assert again == document, "the same file every time"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--rule first --format open_clip --data-set x", "--data-set has no effect here"),
        ("--format timm --templates openai", "--templates has no effect here"),
        ("--format json --templates-out t.json", "--templates-out has no effect here"),
        ("--language DE --rule first", "--rule has no effect here"),
        ("--language DE --from openai", "--from has no effect here"),
        ("--format json --out n.txt", "a file of json ends in .json"),
        ("--format webdataset --out n.txt --templates-out t.json", "ends in .txt"),
        ("--format webdataset --out n.txt --templates-out n.txt", "name one file"),
        ("--out n.csv", "n.csv must end in .json or .txt"),
        ("--from cupl --format timm", "as json (by wnid) or clip_benchmark"),
        ("--from me", "'me' is not one of"),
        ("--set three.txt check three.txt", "--set stands before check"),
    ],
)
def test_what_has_no_effect_is_a_usage_error(three: Path, arguments: str, said: str) -> None:
    done = names(*arguments.split(), code=2)
    assert said in " ".join(done.stderr.split())
    assert [path.name for path in Path().iterdir()] == ["three.txt"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--set ilsvrc2021", "is neither a file, nor a shipped list"),
        ("--rule last", "There is no rule 'last'"),
        ("check none.json", "none.json does not exist"),
        ("check three.txt --set ilsvrc2021", "is neither a file, nor a shipped list"),
    ],
)
def test_what_is_wrong_is_one_line(three: Path, arguments: str, said: str) -> None:
    done = names(*arguments.split(), code=1)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_check_that_finds_something_ends_with_3(three: Path) -> None:
    Path("names.txt").write_text("crane\ncrane\ncat\n")
    done = names(
        "check", "names.txt", "--set", str(three), "--save", "rows.csv", "--format", "jsonl", code=3
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["finding"] for row in rows] == [
        "duplicate",
        "duplicate",
        "another synset",
        "first sense",
    ]
    assert list(rows[0]) == ["finding", "place", "wnid", "name", "others", "suggestion", "why"]
    assert "2 duplicate, 1 another synset, 1 first sense." in done.stderr
    assert len(Path("rows.csv").read_text().splitlines()) == 5
    table = names("check", "names.txt", "--set", str(three), "--format", "table", code=3).stdout
    assert "crane (wading" in table
    names("--set", str(three), "--out", "own.txt")
    done = names("check", "own.txt", "--set", str(three))
    assert (done.stdout, "The names of 3 classes are sound." in done.stderr) == ("", True)


def test_a_list_is_held_against_its_own_set(three: Path) -> None:
    """Without --set: the wnids of the file, or the shipped list that it records."""
    names("--set", str(three), "--format", "json", "--out", "own.json")
    names("--set", str(three), "--out", "own.txt")
    for file in ("own.json", "own.txt"):
        said = names("check", file).stderr
        assert "Held against the list's own 3 classes; --set gives another set." in said
        assert "The names of 3 classes are sound." in said
    document = json.loads(Path("own.json").read_text())
    Path("part.json").write_text(json.dumps({**document, "set": "ilsvrc2012-val"}))
    names("check", "part.json")
    Path("part.json").write_text(json.dumps({**document, "set": "ilsvrc2012"}))
    assert "Held against ilsvrc2012;" in names("check", "part.json", code=3).stderr
    # most of the 1,000 classes are that list, of which some are missing
    names("--out", "most.txt")
    lines = Path("most.txt").read_text().splitlines()
    Path("most.txt").write_text("\n".join(lines[3:]))
    assert "3 missing." in names("check", "most.txt", code=3).stderr
    Path("bare.txt").write_text("dog\ncat\n")
    said = " ".join(names("check", "bare.txt", code=1).stderr.split())
    assert "2 names without wnids, and ilsvrc2012 has 1,000 classes." in said
    assert "say which set it names (--set)." in said


def test_names_that_wordnet_lacks_are_shown() -> None:
    Path("names.txt").write_text(
        "n01440764\tgreen fishlet\nn01443537\tgoldfsh\n" + "n02084071\tdog\nn02121620\tcat\n"
    )
    said = " ".join(names("check", "names.txt").stderr.split())
    assert "The names of 4 classes are sound. 2 names not in WordNet," in said
    assert "line 2: 'goldfsh' (near 'goldfish'); line 1: 'green fishlet'." in said
    Path("names.txt").write_text("".join(f"word {at} of none\n" for at in range(1000)))
    found = names("check", "names.txt", "--format", "jsonl", code=3)
    assert "line 5: 'word 4 of none'; …." in " ".join(found.stderr.split())
    row = json.loads(found.stdout)
    assert (row["finding"], row["why"]) == (
        "not in WordNet",
        "1,000 of 1,000 names are no words of WordNet's",
    )
    Path("names.txt").write_text("".join(f"<{at}> of none\n" for at in range(1000)))
    assert "all begin with '<'" in names("check", "names.txt", "--format", "csv", code=3).stdout


def test_descriptions_by_name_are_those_of_unique_names() -> None:
    _installed()
    Path("pair.txt").write_text("n03773504\nn04008634\n")
    done = names("--set", "pair.txt", "--from", "cupl")
    document = json.loads(done.stdout)
    assert list(document["descriptions"]) == ["n03773504", "n04008634"]
    assert "n03773504 and n04008634 are both 'missile' in CuPL" in done.stderr
    done = names("--set", "pair.txt", "--from", "cupl", "--format", "clip_benchmark")
    by_name = json.loads(done.stdout)["imagenet1k"]
    assert {name: len(texts) for name, texts in by_name.items()} == {
        "missile": 150,
        "projectile": 150,
    }


def test_classes_without_a_name_in_a_language_are_said() -> None:
    _installed()
    done = names("--language", "DE", "--format", "open_clip")
    document = json.loads(done.stdout)
    assert document["classnames"][:2] == ["Schleie", "Goldfisch"]
    assert "Foto" in document["templates"][0]
    hen = listed_classes("ilsvrc2012")[8]
    assert f"262 classes of 1,000 have no name in DE and are left out, e.g. {hen}." in done.stderr
    assert "Not unique: 8 classes share 4 names" in done.stderr


@pytest.mark.thorough("examples of help texts, run")
def test_the_examples_run() -> None:
    """In their order: what the first ones write, the last ones read."""
    for path in ("names", "names check", "names rules"):
        text = (ALL[path].help or "").replace("\\\n", " ")
        lines = [line.strip() for line in text.splitlines() if line.strip().startswith("graphzsl")]
        assert lines
        for line in lines:
            words = shlex.split(line)[2:]
            package = next((word.split(":")[0] for word in words if ":" in word), None)
            if {"--from", "--language"} & {*words} and find_spec("clip_benchmark") is None:
                continue
            if package and find_spec(package) is None:
                continue
            if "classnames.json" in words:
                names("--format", "clip_benchmark", "--out", "classnames.json")
            done = CliRunner().invoke(main, ["names", *words])
            assert done.exit_code in ((0, 3) if words[0] == "check" else (0,)), (line, done.output)
            assert done.output


def test_it_is_light(three: Path) -> None:
    """Names from the cache take neither the libraries of the extras nor NLTK."""
    names("--set", str(three))
    code = (
        "import sys; from graphzsl.cli import main;"
        f" main(['names', '--set', {str(three)!r}], standalone_mode=False);"
        " heavy = ('torch', 'pandas', 'nltk', 'neo4j', 'scipy', 'clip_benchmark');"
        " print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"


def test_choices_are_those_of_the_library() -> None:
    from graphzsl.names import NAME_FORMATS
    from graphzsl.names.class_naming import DEFAULT_RULE

    assert (DEFAULT_RULE, tuple(NAME_FORMATS)) == (group.RULE, group.FORMATS)
