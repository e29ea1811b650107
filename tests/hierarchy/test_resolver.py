"""What a person means by a class: one answer for every command. Meanings are lines of WordNet's
own index; the hierarchy of the small tests is written out here."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import DataError, near
from graphzsl.hierarchy import (
    Hierarchy,
    HierarchyVocabulary,
    Lexicon,
    WordNetVocabulary,
)
from graphzsl.hierarchy.meanings import meanings
from graphzsl.hierarchy.resolver import resolve, resolve_all, wnids_where_named
from graphzsl.hierarchy.spelling import slips_of_wnid
from graphzsl.sources.imagenet import listed_classes
from tests.audit.kinds import evaluated

DOG, CAT, SHEPHERD, SEAL = "n02084071", "n02121620", "n02106662", "n02076196"
CRANE_BIRD, CRANE_MACHINE, TABLE = "n02012849", "n03126707", "n03201208"


@pytest.fixture(scope="module")
def vocabulary() -> WordNetVocabulary:
    return WordNetVocabulary(Lexicon.load())


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (DOG, DOG),
        ("dog.n.01", DOG),
        ("Dog.n.1", DOG),
        ("german shepherd.n.01", SHEPHERD),
        # ice_bear.n.01
        ("polar_bear.n.01", "n02134084"),
        ("Thalarctos maritimus.n.1", "n02134084"),
        ("German-Shepherd", SHEPHERD),
        ("german_shepherd", SHEPHERD),
        (" German  shepherd ", SHEPHERD),
        ("crane (wading bird)", CRANE_BIRD),
        ("crane (lifting device)", CRANE_MACHINE),
        ("tench, Tinca tinca", "n01440764"),
        ("diningtable", TABLE),
        ("dining+table", TABLE),
        ("001.German_shepherd", SHEPHERD),
        ("/d/dining_table", TABLE),
    ],
)
def test_one_meaning(vocabulary: WordNetVocabulary, text: str, meant: str) -> None:
    assert resolve(text, vocabulary) == meant


def test_a_word_of_several_synsets_is_refused_with_all_of_them(
    vocabulary: WordNetVocabulary,
) -> None:
    # crane n 5 4 @ ~ #m + 5 0 10914447 10914331 09295455 03126707 02012849
    assert meanings("Crane", vocabulary) == [
        *("n10914447", "n10914331", "n09295455"),
        *(CRANE_MACHINE, CRANE_BIRD),
    ]
    with pytest.raises(DataError) as error:
        resolve("Crane", vocabulary)
    first, *listed = str(error.value).splitlines()
    assert first == (
        "'Crane' names 5 noun synsets. Write the wnid or the name of the one that is meant:"
    )
    # the two that are classes of ILSVRC come first, the others in WordNet's order
    machine, bird, writer, *_ = listed
    assert machine.startswith(f"  {CRANE_MACHINE}  crane.n.04: lifts and moves heavy objects")
    assert bird.startswith(f"  {CRANE_BIRD}  crane.n.05: large long-necked wading bird")
    assert writer == "  n10914447  crane.n.01: United States writer (1871-1900)"
    assert len(listed) == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n99999999", r"^n99999999 is not a noun synset of WordNet 3\.0"),
        ("n0208407", r"'n0208407' is not a wnid \(n and 8 digits\)"),
        ("02084071", r"is a number.* Did you mean n02084071\?"),
        ("wn:02084071n", r"Did you mean n02084071\?"),
        ("n02084071_123.JPEG", r"Did you mean n02084071\?"),
        ("n02084071.n.01", r"Did you mean n02084071\?"),
        ("n02086723", r"In WordNet 3\.1 that offset is dog\.n\.01, whose wnid is n02084071"),
        ("oewn-99999999-n", "is an id of Open English WordNet, and no noun"),
        ("german shepard", r"Did you mean 'german shepherd'"),
        ("poodel.n.01", r"Did you mean poodle\.n\.01"),
        ("polar_bear.n.02", r"is not a noun synset"),
        ("", "'' is not a noun synset"),
    ],
)
def test_what_is_unknown_offers_what_is_near(
    vocabulary: WordNetVocabulary, text: str, said: str
) -> None:
    with pytest.raises(DataError, match=said):
        resolve(text, vocabulary)
    with pytest.raises(DataError, match="A class is a wnid"):
        resolve(3, vocabulary)  # type: ignore[arg-type]


def test_lists_name_their_lines(vocabulary: WordNetVocabulary, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(
        "wnid,name\n# dogs\nn02084071 dog\nn02121620,cat\nGerman shepherd\ndog.n.03  a chap\n"
    )
    # dog n 7 … 02084071 10114209 10023039: the third
    assert resolve_all(path, vocabulary) == [DOG, CAT, SHEPHERD, "n10023039"]
    path.write_text("n02084071\ncrane\nqwertz\n")
    with pytest.raises(DataError) as error:
        resolve_all(path, vocabulary)
    assert f"{path}:2: 'crane' names 5 noun synsets" in str(error.value)
    assert f"{path}:3: 'qwertz' is not a noun synset" in str(error.value)
    path.write_text("n02084071\ncat.n.01\ndog.n.01\n")
    with pytest.raises(
        DataError,
        match=rf"mine.txt:3: {DOG} \(dog.n.01\) is there twice: line 1 as 'n02084071' and line 3"
        " as 'dog.n.01'. Remove one",
    ):
        resolve_all(path, vocabulary)
    with pytest.raises(DataError, match="class 1: 'xyzzy' is not"):
        resolve_all([DOG, "xyzzy"], vocabulary)
    with pytest.raises(DataError, match=r"neither a file nor an ImageNet list. Did you mean ilsv"):
        resolve_all("ilsvrc2021")


def test_other_classes_stay_where_they_are_known() -> None:
    assert wnids_where_named(["my class", "n02084071"], {"my class"}) == ["my class", DOG]
    assert wnids_where_named(["German shepherd", "gadget x"], {"gadget x"}) == [
        SHEPHERD,
        "gadget x",
    ]
    with pytest.raises(DataError, match="class 0: 'gadget x' is not"):
        wnids_where_named(["gadget x"])


def test_nodes_of_another_hierarchy() -> None:
    tree = Hierarchy.from_edges([("pug", "dog"), ("dog", "animal")])
    own = HierarchyVocabulary(tree)
    assert resolve("pug", own) == "pug"
    with pytest.raises(DataError, match="'pig' is not a node of the hierarchy"):
        resolve("pig", own)
    part = Hierarchy.from_edges([(DOG, "n02083346")], names={DOG: "dog.n.01"})
    assert part.wnid("dog.n.01") == DOG
    with pytest.raises(DataError, match=f"'German shepherd' is {SHEPHERD}, which is not a node"):
        part.wnid("German shepherd")


@pytest.mark.parametrize(
    "arguments",
    [
        ("names", "--set"),
        ("names", "rules", "--format", "jsonl", "--set"),
        ("export", "superclasses", "--number", "2", "--out", "s.csv", "--set"),
        ("export", "superclasses", "--out", "s.csv", "--set", "ilsvrc2012", "--cut"),
        ("export", "distances", "--out", "d.npy", "--set"),
        ("export", "tree", "--out", "t.csv", "--set"),
        ("split", "overlap", "awa"),
    ],
)
def test_commands_take_the_same_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text("n02084071\ncat.n.01\nGerman-Shepherd\n")
    run = CliRunner().invoke
    done = run(main, [*arguments, "mine.txt"])
    assert done.exit_code == 0, done.output
    if "overlap" in arguments:
        return  # where every meaning counts
    Path("mine.txt").write_text("n02084071\ncrane\n")
    done = run(main, [*arguments, "mine.txt"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "mine.txt:2: 'crane' names 5 noun synsets" in done.stderr
    assert f"{CRANE_BIRD}  crane.n.05: large long-necked wading bird" in done.stderr


def test_near_words_are_looked_for_only_where_they_are_shown() -> None:
    """A list of 200 wrong words took 19 seconds."""
    searches: list[str] = []

    class Counted(WordNetVocabulary):
        def near(self, text: str) -> list[str]:
            searches.append(text)
            return []

    vocabulary = Counted(Lexicon.load())
    with pytest.raises(DataError, match="And 190 more are wrong, of 200 classes"):
        resolve_all([f"qwx{at}" for at in range(200)], vocabulary)
    assert searches == [f"qwx{at}" for at in range(10)]


def test_a_node_that_wordnet_lacks_is_named_when_it_is_there_twice() -> None:
    """Hubs of the release hierarchy are nodes, and no synsets."""
    hierarchy = Hierarchy.from_edges([("n02084071", "fa11misc")])
    with pytest.raises(DataError, match="fa11misc is there twice: class 0 and class 1"):
        resolve_all(["fa11misc", "fa11misc"], HierarchyVocabulary(hierarchy))


# one way to refuse a list


def _refused(arguments: list[str]) -> str:
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, done.stdout) == (1, ""), done.output
    return done.stderr


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["audit", "sample", "--train"], "--train"),
        (["audit", "sample", "--valid"], "--valid"),
        (["audit", "sample", "--wordnet", "wordnet", "--candidates"], "--candidates"),
        (["names", "--set"], "--set"),
        (["names", "rules", "--set"], "--set"),
        (["export", "tree", "--out", "t.csv", "--set"], "--set"),
        (["split", "overlap", "ilsvrc2012"], "OTHER"),
    ],
)
def test_an_unknown_wnid_is_named_with_its_option_file_line_and_near_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], option: str
) -> None:
    """dog.n.01 is n02084071; its last digits exchanged are no synset's."""
    monkeypatch.chdir(tmp_path)
    listed = "".join(f"{wnid}\n" for wnid in listed_classes("ilsvrc2012"))
    Path("own list.txt").write_text(f"{listed}n02084017\n")
    said = _refused([*arguments, "own list.txt"])
    assert said.startswith("Error: own list.txt:1001: n02084017 is not a no")
    assert "Did you mean n02084071 (dog.n.01)" in said
    assert f"Correct it, or take it off the list ({option})." in said


def test_all_wrong_entries_of_a_list_are_said_at_once(
    tmp_path: Path, vocabulary: WordNetVocabulary
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(
        "n02084071\ndogg.n.01\ncrane\ndog.n.01\nn99999999\npoodel\nn02121620x\nGerman shepherd\n"
    )
    with pytest.raises(DataError) as error:
        resolve_all(path, vocabulary)
    lines = [line for line in str(error.value).splitlines() if line.startswith(str(path))]
    wanted = {
        2: ["'dogg.n.01' is not", "Did you mean dog.n.01"],
        3: ["'crane' names 5 noun synsets"],
        4: [f"{DOG} (dog.n.01) is there twice: line 1 as 'n02084071' and line 4 as 'dog.n.01'"],
        5: ["n99999999 is not a noun synset"],
        6: ["'poodel' is not", "Did you mean 'poodle'"],
        7: ["'n02121620x' is not a wnid", "Did you mean n02121620"],
    }
    assert [line.partition(": ")[0] for line in lines] == [f"{path}:{at}" for at in wanted]
    for line, parts in zip(lines, wanted.values(), strict=True):
        assert all(part in line for part in parts), line
    path.write_text("".join(f"xyzzy{at}\n" for at in range(14)))
    with pytest.raises(DataError, match="And 4 more are wrong, of 14 classes") as error:
        resolve_all(path, vocabulary)
    assert f"{path}:10: 'xyzzy9'" in str(error.value)


def test_wnids_that_stand_are_named_beside_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("n02084071\nn99999999\ndogg.n.01\n")
    said = _refused(["audit", "sample", "--train", str(path)])
    assert f"{path}:2: n99999999" in said
    assert f"{path}:3: 'dogg.n.01'" in said


def test_the_candidates_that_take_the_hierarchy_away_are_named(tmp_path: Path) -> None:
    path = tmp_path / "candidates.txt"
    path.write_text("\n".join([*listed_classes("ilsvrc2012"), "n02084017"]))
    done = CliRunner().invoke(main, ["audit", "sample", "--candidates", str(path), "--rounds", "9"])
    assert done.exit_code == 0, done.output
    assert f"no hierarchy, and hit@k alone: {path}:1001: n02084017 is not a noun" in done.stderr
    assert "Did you mean n02084071 (dog.n.01)" in done.stderr
    assert "Without wnids" not in done.stderr
    wrong = ["dogg.n.01", *(f"n9999999{digit}" for digit in range(10)), "crane", "xyzzy"]
    path.write_text("\n".join([*listed_classes("ilsvrc2012"), "dog.n.01", *wrong]))
    done = CliRunner().invoke(main, ["audit", "sample", "--candidates", str(path), "--rounds", "9"])
    for said in (
        f"alone: {path}:1002: 'dogg.n.01' is not a noun synset of WordNet 3.0",
        f"{path}:1011: n99999998 is not",
        "And 3 more are wrong, of 1,014 classes. Classes outside WordNet (",
    ):
        assert said in " ".join(done.stderr.split())
    said = _refused(["audit", "sample", "--candidates", str(path), "--wordnet", "wordnet"])
    assert f"{path}:1002: 'dogg.n.01' is not a node" in said
    assert f"{path}:1001:" not in said, "dog.n.01 stays a name beside the others, and is none"
    path.write_text("\n".join([*listed_classes("ilsvrc2012"), "tench.n.01"]))
    said = _refused(["audit", "sample", "--candidates", str(path)])
    assert f"{path}:1001: n01440764 is there twice: line 1 as 'n01440764' and line 1001" in said


def test_a_true_class_that_is_no_node_is_named_with_its_sample(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("label,predicted\nn02084071,n02084071\nn02084017,n02084071\n")
    expected = (
        "the true class of sample 1: n02084017 is not a {} Did you mean n02084071 (dog.n.01) or"
        " n02384017 (whirlaway.n.01)? Correct it, or take it off the list."
    )
    said = _refused(["audit", str(path), "--wordnet", "wordnet"])
    assert expected.format("node of the hierarchy.") in said
    given = {"wordnet": Hierarchy.load(), "rounds": 9}
    with pytest.raises(DataError) as error:
        evaluated([DOG, "n02084017"], [DOG, DOG], **given)
    assert expected.format("node of the hierarchy.") in str(error.value)
    done = CliRunner().invoke(main, ["audit", str(path), "--rounds", "9"])
    assert expected.format("noun synset of WordNet 3.0.") in " ".join(done.stderr.split())
    for wrong in (5, True, ["x"]):
        with pytest.raises(DataError, match="is no hierarchy: give a Hierarchy, the folder"):
            evaluated([DOG], [DOG], wordnet=wrong)


@pytest.mark.parametrize("text", ["", "\ufeff", "# nothing\r\n\r\n", "wnid,name\n"])
def test_lists_without_a_class(tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.txt"
    path.write_bytes(text.encode())
    for arguments in (["names", "--set"], ["audit", "sample", "--train"]):
        assert f"{path} is empty; expected one class per line" in _refused([*arguments, str(path)])


def test_windows_files_are_read_and_folders_refused(tmp_path: Path) -> None:
    path = tmp_path / "bom.txt"
    path.write_bytes(b"\xef\xbb\xbfn02084071\r\n German shepherd \r\n")
    assert resolve_all(path) == [DOG, SHEPHERD]
    with pytest.raises(DataError, match="is a folder, and neither a file nor an ImageNet list"):
        resolve_all(tmp_path)
    said = _refused(["audit", "sample", "--train", str(tmp_path)])
    assert "is a folder, and neither a file, nor a shipped list" in said


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["names", "--set", "imagenet-fal11"], "imagenet-fall11"),
        (["names", "--set", "ILSVRC2012"], "ilsvrc2012? (--set)"),
        (["names", "--set", "imagenet_fall11"], "imagenet-fall11? (--set)"),
        (["names", "--set", "awa_standard"], "awa-standard? (--set)"),
        (["split", "overlap", "awa_standard", "imagenet-a"], "awa-standard? (ONE)"),
        (["audit", "sample", "--train", "ImageNet-Fall11"], "imagenet-fall11? (--train)"),
        (["audit", "sample", "--train", "ilsvrc-2012"], "ilsvrc2012"),
        (["split", "build", "maxratio"], "max-ratio"),
        (["split", "recipes", "defualt"], "default"),
    ],
)
def test_near_names_of_lists_and_recipes(arguments: list[str], meant: str) -> None:
    assert f"Did you mean {meant}" in _refused(arguments)


def test_lists_of_names_are_said_to_be_such() -> None:
    said = _refused(["names", "--set", "awa-standard"])
    assert "awa, awa-standard, awa-proposed, apy, apy-standard, apy-proposed are lists of" in said
    assert "for `split overlap` alone (--set)" in said
    assert "; awa, awa-standard, awa-proposed, apy" in _refused(["names", "--set", "nothing"])


def test_a_stored_class_set_needs_a_database_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphzsl.cli.connection.running_database", lambda: None)
    said = _refused(["audit", "sample", "--train", "mine"])
    assert "'mine' is neither a file, nor a shipped list (ilsvrc2012" in said
    assert "nor a class set of a database that runs (none does: `graphzsl db start`)" in said
    assert "(--train)" in said


def test_single_classes_of_a_hierarchy_may_be_names() -> None:
    wordnet = Hierarchy.load()
    assert wordnet.outcome("dog.n.01", "canine.n.02") == "parent"
    assert wordnet.outcome("canine.n.02", "German shepherd") == "child"
    assert wordnet.ancestors("dog.n.01") == wordnet.ancestors(DOG)
    assert wordnet.descendants("dog.n.01") == wordnet.descendants(DOG)
    assert wordnet.neighbours("dog.n.01") == wordnet.neighbours(DOG)
    assert wordnet.subtree(["dog.n.01"]) == wordnet.subtree([DOG])
    assert wordnet.hops_from(["dog.n.01"])["n02083346"] == 1
    assert wordnet.pruned(["dog.n.01", CAT]).wnids == wordnet.pruned([DOG, CAT]).wnids
    with pytest.raises(DataError, match=r"'dogg.n.01' is not a node .* Did you mean dog.n.01"):
        wordnet.outcome("dog.n.01", "dogg.n.01")


def test_slips_of_wnids() -> None:
    for slip in ("n0208407", "n020840711", "n02084017", "n02084070", "n12084071"):
        assert DOG in slips_of_wnid(slip), slip
    assert slips_of_wnid("n0208") == []


def test_slips_of_case_letters_and_accents_have_an_offer() -> None:
    """The letter O for nought has an offer; a capital N and an accent, which WordNet writes
    without, are read."""
    with pytest.raises(DataError, match=r"Did you mean n02084071\?"):
        resolve("n02084O71")
    assert resolve("N02084071") == DOG
    assert resolve("Éclair") == resolve("eclair.n.01")
    assert near("Eclair", ["clear", "éclair"]) == ["éclair"]
    assert near("eclair", [*map(str, range(6000)), "éclair"], 1) == ["éclair"]
