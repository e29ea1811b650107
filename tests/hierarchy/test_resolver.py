"""What a person means by a class: one answer for every command. Meanings are lines of WordNet's
own index; the hierarchy of the small tests is written out here."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.resolver import meanings, resolve, resolve_all, wnids_where_named
from graphzsl.hierarchy.vocabulary import HierarchyVocabulary, WordNetVocabulary

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
    assert listed[0] == "  n10914447  crane.n.01: United States writer (1871-1900)"
    assert listed[-1].startswith(f"  {CRANE_BIRD}  crane.n.05: large long-necked wading bird")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n99999999", r"^n99999999 is not a noun synset of WordNet 3\.0"),
        ("n0208407", r"'n0208407' is not a wnid \(n and 8 digits\)"),
        ("02084071-n", r"Did you mean n02084071\?"),
        ("N02084071", r"Did you mean n02084071\?"),
        ("german shepard", r"Did you mean 'german shepherd'"),
        ("poodel.n.01", r"Did you mean poodle\.n\.01"),
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
        match=rf"mine.txt:3: 'dog.n.01' is there twice: {DOG} \(dog.n.01\) was already"
        r" given at .*mine.txt:1 as 'n02084071'",
    ):
        resolve_all(path, vocabulary)
    with pytest.raises(DataError, match="class 1: 'xyzzy' is not"):
        resolve_all([DOG, "xyzzy"], vocabulary)
    path.write_text("".join(f"xyzzy{at}\n" for at in range(5)))
    with pytest.raises(DataError, match="2 more classes are not clear"):
        resolve_all(path, vocabulary)
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
    with pytest.raises(DataError, match="197 more classes are not clear"):
        resolve_all([f"qwx{at}" for at in range(200)], vocabulary)
    assert searches == ["qwx0", "qwx1", "qwx2"]


def test_a_node_that_wordnet_lacks_is_named_when_it_is_there_twice() -> None:
    """Hubs of the release hierarchy are nodes, and no synsets."""
    hierarchy = Hierarchy.from_edges([("n02084071", "fa11misc")])
    with pytest.raises(DataError, match="'fa11misc' is there twice"):
        resolve_all(["fa11misc", "fa11misc"], HierarchyVocabulary(hierarchy))
