"""Loading: idempotent, all or nothing, and exact after a kill in the middle."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphzsl.common import DatabaseError, DataError, load_settings
from graphzsl.common.errors import SplitError
from graphzsl.database import Database, ingest, library, members, query, store_class_set
from graphzsl.database.class_sets import put_class_set
from graphzsl.database.paths import path_to_training
from graphzsl.database.schema import create_schema
from graphzsl.sources import WordNet, wordnet_folder
from graphzsl.sources.frequency_packages import PACKAGES, PackagedFrequencies
from graphzsl.sources.wordnet import SynsetRow
from graphzsl.splits import hop_split
from tests.conftest import Command
from tests.database.state import clear, counts, exact, state
from tests.mini import MiniWordNet

COUNTS = {
    "synsets": 82_115,
    "words": 119_034,
    "hypernyms": 75_850,
    "instance_hypernyms": 8_577,
    "labels": 146_347,
}


def test_loading_twice_changes_nothing(mini_database: Database, mini: MiniWordNet) -> None:
    before = state(mini_database)
    assert not ingest.load_wordnet(mini_database, mini), "the same WordNet is recognised"  # type: ignore[arg-type]
    assert ingest.load_wordnet(mini_database, mini, force=True)  # type: ignore[arg-type]
    assert state(mini_database) == before


def test_indexes_that_a_killed_load_did_not_make_are_made(
    mini_database: Database, mini: MiniWordNet
) -> None:
    """The last ones are made when WordNet counts as loaded already."""
    for name in ("index_word_search", "index_word_text"):
        mini_database._driver.execute_query(f"DROP INDEX {name}", database_="neo4j")
    assert not ingest.load_wordnet(mini_database, mini)  # type: ignore[arg-type]
    mini_database.rows(query("await_indexes"))

    def found(text: str) -> list[str]:
        return [row["text"] for row in mini_database.query(f"{text} RETURN node.text AS text")]

    search = "CALL db.index.fulltext.queryNodes('index_word_search', '{}') YIELD node"
    assert found(search.format("Dogs")) == ["dog"]
    assert found(search.format('"toy poodles"')) == ["toy poodle"]
    parts = "MATCH (node:Word) WHERE node.text CONTAINS 'ardigan'"
    assert sorted(found(parts)) == ["cardigan", "cardigan sweater"]
    kinds = mini_database.query(
        "SHOW INDEXES YIELD name, type, state WHERE name STARTS WITH 'index_word'"
    )
    assert {row["name"]: (row["type"], row["state"]) for row in kinds} == {
        "index_word_key": ("RANGE", "ONLINE"),
        "index_word_search": ("FULLTEXT", "ONLINE"),
        "index_word_text": ("TEXT", "ONLINE"),
    }


def test_an_index_that_could_not_be_filled_is_made_anew(
    mini_database: Database, mini: MiniWordNet
) -> None:
    """A text that is too long for a key of the index has Neo4j give it up, as a full disk has."""

    def index() -> list[dict[str, str]]:
        text = "SHOW INDEXES YIELD name, state WHERE name = 'index_synset_lexname' RETURN state"
        return mini_database.query(text)

    set_lexname = "MATCH (s:Synset {wnid: $wnid}) SET s.lexname = $lexname"
    run = partial(mini_database._driver.execute_query, database_="neo4j")
    run("DROP INDEX index_synset_lexname")
    run(set_lexname, wnid=mini["dog"], lexname="x" * 40_000)
    run(query("index_synset_lexname").text)
    with pytest.raises(DatabaseError, match="index_synset_lexname"):
        mini_database.rows(query("await_indexes"))
    run(set_lexname, wnid=mini["dog"], lexname="noun.Tops")
    assert index() == [{"state": "FAILED"}]
    assert not ingest.load_wordnet(mini_database, mini)  # type: ignore[arg-type]
    mini_database.rows(query("await_indexes"))
    assert index() == [{"state": "ONLINE"}]


def test_an_index_whose_constraint_was_never_made_is_replaced(mini_database: Database) -> None:
    """What is left of a server that was killed while it made the constraint."""
    run = mini_database._driver.execute_query
    run("DROP CONSTRAINT unique_class_set", database_="neo4j")
    run("CREATE INDEX unique_class_set FOR (n:ClassSet) ON (n.name)", database_="neo4j")
    create_schema(mini_database)
    found = run("SHOW CONSTRAINTS YIELD name, type, ownedIndex", database_="neo4j").records
    owned = {record["name"]: (record["type"], record["ownedIndex"]) for record in found}
    kind, index = owned["unique_class_set"]
    assert (kind.replace("NODE_PROPERTY_", ""), index) == ("UNIQUENESS", "unique_class_set")


#: What version 4 lacked or kept otherwise, of what the test below puts into a database.
VERSION_4 = (
    "MATCH (s:Synset) REMOVE s.max_depth",
    "MATCH ()-[label:HAS_LABEL]->() REMOVE label.name",
    "MATCH (hub:ReleaseHub) REMOVE hub.name",
    "MATCH ()-[edge:TRAIN|UNIVERSE]->() DELETE edge",
    "MATCH (c:ClassSet) SET c.created_at = '2026-11-25T10:00:00+00:00'",
    "MATCH (s:Source) SET s.loaded_at = '2026-11-25T10:00:00+00:00', s.contents = 4",
    """MATCH (c:ClassSet {name: 'mine'})
       SET c.parameters = '{"train": "train", "universe": "universe"}', c.no_overlap = c.disjoint
       REMOVE c.disjoint""",
    """MATCH (c:ClassSet {name: 'w-001'})
       SET c.windows_of = 'mine', c.parameters = '{"by": "ratio", "number": 1, "size": 2}'
       REMOVE c.window_by, c.window_number, c.window_size""",
    """MATCH (c:ClassSet {name: 'built'})
       SET c.sources = '{"release-hierarchy": "ab"}', c.statistics = '{"gap": null, "bound": 2.5}',
           c.steps = '[{"step": "unseen", "rule": "r", "kept": 1, "dropped": 0, "keep_ratio": 1.0}]'
       REMOVE c.release_hierarchy_sha256, c.bound, c.step_rule, c.step_kept, c.step_dropped,
              c.step_keep_ratio""",
    """MATCH (c:ClassSet {name: 'selected'}) SET c.parameters = '{"images": 300, "vectors": null}'
       REMOVE c.parameter_images""",
)
#: And version 2: neither keys of words nor the label of concepts.
VERSION_2 = (
    *VERSION_4,
    "MATCH (w:Word) REMOVE w.key",
    "MATCH (n:Concept) REMOVE n:Concept",
    "MATCH (s:Synset) REMOVE s.word",
    "MATCH (s:Source) SET s.contents = 2",
)


@pytest.mark.parametrize("statements", [VERSION_4, VERSION_2], ids=["4", "2"])
def test_a_database_of_an_earlier_version_is_brought_up_to_date(
    mini_database: Database,
    mini: MiniWordNet,
    statements: tuple[str, ...],
    run: Command,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`check` says so, and loading again ends with the graph that this version makes, also after
    one that was killed in the middle; class sets keep their times."""
    mini_database.write((query("create_release_hubs"), {"hubs": ["fa11misc"]}))
    hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    step = {"step": "unseen", "rule": "r", "kept": 1, "dropped": 0, "keep_ratio": 1.0}
    of_mine = {"train": "train", "universe": "mine"}
    for name, properties in {
        "w-001": {**of_mine, "window": {"by": "ratio", "size": 2, "number": 1}},
        "built": {
            "sources": {"release-hierarchy": "ab"},
            "statistics": {"gap": None, "bound": 2.5},
            "steps": [step],
        },
        "selected": {"universe": "universe", "parameters": {"images": 300, "vectors": None}},
    }.items():
        put_class_set(mini_database, name, mini.named("pony"), {"kind": "l", **properties})
    before = state(mini_database)
    for text in statements:
        mini_database._driver.execute_query(text, database_="neo4j")
    assert state(mini_database) != before
    assert [row["name"] for row in mini_database.rows(query("incomplete_sources"))] == ["wordnet"]
    for refused in (
        lambda: ingest.load_hierarchy(mini_database),
        lambda: path_to_training(mini_database, mini["bird"], "train", "wordnet"),
    ):
        with pytest.raises(DataError, match="An earlier version of graphzsl loaded this"):
            refused()
    for command in (
        ("split", "list"),
        ("look", "dog"),
        ("query", "run", "synsets_of_name", "-p", "names=dog.n.01"),
    ):
        assert "`graphzsl load wordnet`, which brings it up" in run(*command, code=1).stderr
    assert run("db", "check", code=3).stdout.count("incomplete_sources") == 1
    run("db", "status")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ingest, "renew_class_sets", _killed)
        with pytest.raises(KeyboardInterrupt):
            ingest.load_wordnet(mini_database, mini)  # type: ignore[arg-type]
    around = ("query", "run", "see_around", "-psplit=mine", f"-punseen={mini['bird']}")
    for command in (("split", "list"), around):
        assert "was not loaded completely. Run `graphzsl load" in run(*command, code=1).stderr
    capsys.readouterr()
    assert ingest.load_wordnet(mini_database, mini)  # type: ignore[arg-type]
    assert "An earlier version of graphzsl loaded this database" in capsys.readouterr().err
    assert state(mini_database) == before
    assert mini_database.rows(query("incomplete_sources")) == []
    kept = "MATCH (c:ClassSet) RETURN DISTINCT toString(c.created_at) AS time"
    assert mini_database.query(kept) == [{"time": "2026-11-25T10:00:00Z"}]


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("parameters", text) for text in ("not JSON", "", "[1]", "null", "[" * 100_000)),
        ("parameters", '{"a": {"b": 1}}'),
        ("parameters", '{"a": 99999999999999999999}'),
        ("parameters", '{"a": [1, "b"]}'),
        ("sources", "[1]"),
        ("statistics", '{"a": [null]}'),
        ("statistics", '{"size": 99}'),
        ("steps", '[{"step": "unseen"}]'),
        ("steps", "7"),
        ("created_at", "yesterday"),
    ],
)
def test_a_class_set_that_graphzsl_did_not_write_is_named(
    mini_database: Database, mini: MiniWordNet, key: str, value: str
) -> None:
    """Before anything is written."""
    mini_database._driver.execute_query(
        "MATCH (c:ClassSet {name: 'train'}), (s:Source {name: 'wordnet'})"
        f" SET c.{key} = $value, s.contents = 4 WITH s MATCH (w:Word {{text: 'dog'}}) REMOVE w.key",
        value=value,
        database_="neo4j",
    )
    before = state(mini_database)
    said = f"property {key} of the class set 'train' in the database is none that graphzsl wrote"
    with pytest.raises(DataError, match=said):
        ingest.load_wordnet(mini_database, mini)  # type: ignore[arg-type]
    assert state(mini_database) == before


def test_relations_are_edges_of_their_own(mini_database: Database, mini: MiniWordNet) -> None:
    """No check, count or hierarchy sees them; loading them again changes nothing."""
    everything = [counts(mini_database), *_readings(mini_database, mini)]
    rows = ingest.load_relations(mini_database, mini)  # type: ignore[arg-type]
    before = state(mini_database)
    assert rows == len(mini.relations())
    assert ingest.load_relations(mini_database, mini) == rows  # type: ignore[arg-type]
    assert state(mini_database) == before
    assert [counts(mini_database), *_readings(mini_database, mini)] == everything
    for statement in library().values():
        assert statement.folder != "checks" or mini_database.rows(statement) == []
    found = mini_database.query(
        "MATCH (a)-[e:ANTONYM|PART_MERONYM|MEMBER_MERONYM|SUBSTANCE_MERONYM|TOPIC|REGION]->(b)"
        " RETURN type(e) AS type, a.wnid AS wnid, b.wnid AS other, e.word AS word,"
        " e.other_word AS other_word"
    )
    assert sorted(found, key=str) == sorted(mini.relations(), key=str)


def _readings(database: Database, mini: MiniWordNet) -> list[object]:
    dog = mini["dog"]
    return [
        database.rows(query("synset_details"), wnid=dog),
        database.rows(query("hop_split"), train="train", universe="universe"),
        database.rows(query("adjacency")),
    ]


def test_relations_of_the_real_wordnet(wordnet_rows: list[SynsetRow]) -> None:
    """As many as NLTK's reader counts, which is asked about all of them in the next test."""
    rows = WordNet(wordnet_folder(load_settings())).relations()
    assert Counter(row["type"] for row in rows) == {
        "MEMBER_MERONYM": 12_293,
        "PART_MERONYM": 9_097,
        "SUBSTANCE_MERONYM": 797,
        "ANTONYM": 2_152,
        "TOPIC": 4_253,
        "REGION": 1_283,
    }
    name = {row.wnid: row.name for row in wordnet_rows}
    edges = {(row["type"], name[row["wnid"]], name[row["other"]]) for row in rows}
    assert ("PART_MERONYM", "car.n.01", "car_door.n.01") in edges
    assert ("MEMBER_MERONYM", "canis.n.01", "dog.n.01") in edges
    assert ("REGION", "sumo.n.01", "japan.n.02") in edges
    opposite = [row for row in rows if name[row["wnid"]] == "artifact.n.01" and row["word"]]
    assert [(row["word"], row["other_word"]) for row in opposite] == [
        ("artifact", "natural object")
    ]


@pytest.mark.thorough("all of WordNet, asked in two ways")
def test_relations_are_those_that_nltk_reads() -> None:
    wordnet = WordNet(wordnet_folder(load_settings()))
    reader = wordnet._reader
    found = {tuple(row.values()) for row in wordnet.relations()}
    assert len(found) == 29_875
    links = {
        "MEMBER_MERONYM": "member_meronyms",
        "PART_MERONYM": "part_meronyms",
        "SUBSTANCE_MERONYM": "substance_meronyms",
        "TOPIC": "topic_domains",
        "REGION": "region_domains",
    }

    def wnid(synset: Any) -> str:
        return f"n{synset.offset():08d}"

    def of(lemma: Any) -> str:
        return str(lemma.name().replace("_", " "))

    expected: set[tuple[str | None, ...]] = set()
    for synset in reader.all_synsets("n"):
        for kind, method in links.items():
            for ends in (synset, *synset.lemmas()):
                for other in getattr(ends, method)():
                    if (other if ends is synset else other.synset()).pos() == "n":
                        words = (None, None) if ends is synset else (of(ends), of(other))
                        target = other if ends is synset else other.synset()
                        expected.add((kind, wnid(synset), wnid(target), *words))
        for lemma in synset.lemmas():
            for other in lemma.antonyms():
                ends = (wnid(synset), wnid(other.synset()))
                expected.add(("ANTONYM", *ends, of(lemma), of(other)))
    assert found == expected


def test_glosses_are_searched_by_what_they_mean(mini_database: Database, mini: MiniWordNet) -> None:
    """Case and English endings are ignored; the gloss of every mini synset is "a mini NAME"."""

    def found(text: str, size: int = 10) -> list[str]:
        rows = mini_database.rows(query("synsets_of_gloss"), search=text, size=size)
        return [row["wnid"] for row in rows]

    assert found("Dogs") == [mini["dog"]]
    assert set(found("maple OR rose")) == set(mini.named("maple", "sugar_maple", "rose"))
    assert found("maple")[0] == mini["maple"], "the shorter gloss is more about it"
    assert found('"toy poodle"') == [mini["toy_poodle"]]
    assert found("unicorn") == []
    assert len(found("mini", size=7)) == 7


def test_a_list_that_others_derive_from_is_not_replaced_by_other_classes(
    mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    path = tmp_path / "list.txt"
    path.write_text("\n".join(mini.named("dog", "cat")))
    assert ingest.load_class_set(mini_database, "origin", path) == 2
    store_class_set(mini_database, "derived", mini.named("cat"), {"universe": "origin"})
    path.write_text("# another file\n" + "\n".join(mini.named("cat", "dog")))
    assert ingest.load_class_set(mini_database, "origin", path) == 2, (
        "the same classes in another file are not others"
    )
    path.write_text("\n".join(mini.named("horse")))
    with pytest.raises(
        SplitError, match="'origin' has other classes already, and derived derive from them"
    ):
        ingest.load_class_set(mini_database, "origin", path)
    assert members(mini_database, "origin") == mini.named("cat", "dog")
    assert ingest.load_class_set(mini_database, "origin", path, replace=True) == 1


def test_a_class_set_is_replaced_whole(
    mini_database: Database,
    mini: MiniWordNet,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(
        "# my classes\n"
        + "".join(f"{wnid} a comment\n" for wnid in mini.named("dog", "cat", "ant"))
    )
    assert ingest.load_class_set(mini_database, "mine", path) == 3
    assert members(mini_database, "mine") == mini.named("dog", "cat", "ant")
    path.write_text("\n".join(mini.named("ant", "dog")))
    assert "Replaced" not in capsys.readouterr().err
    assert ingest.load_class_set(mini_database, "mine", path) == 2
    assert "Replaced: list mine: 3 classes (source " in capsys.readouterr().err
    assert members(mini_database, "mine") == mini.named("ant", "dog")


@pytest.mark.parametrize(
    ("load", "text", "message"),
    [
        ("load_class_set", "{dog}\nn99999999\n{cat}\n", r":2: n99999999 is not a noun synset"),
        ("load_class_set", "{dog}\ncrane\n", r":2: 'crane' names 2 noun synsets"),
        (
            "load_class_set",
            "{dog}\n{cat}\n{dog}\n",
            r":3: {dog} \(dog.n.01\) is there twice: line 1",
        ),
        ("load_class_set", "{cat}\ndogg.n.01\n", r":2: .*Did you mean {dog} \(dog.n.01\)"),
        (
            "load_class_set",
            "{cat}\ndogg\nn999\n",
            r":2: .*Did you mean {dog}.*\n.*:3: 'n999' is not",
        ),
        ("load_class_set", "\n# nothing\n", r"is empty"),
        (
            "load_populations",
            "wnid\timages\n{dog}\t5\n{cat}\t-1\n",
            r":3: images must be a whole number",
        ),
        ("load_populations", "{dog}\t5\n{cat}\tmany\n", r":2: images must be a whole number"),
        ("load_populations", "{dog}\t5\n{cat}\n", r":2: expected wnid and images"),
        ("load_populations", "{dog}\t5\n{dog}\t6\n", r":2: {dog} is there twice: line 1"),
        ("load_populations", "{dog}\t5\nn99999999\t6\n", r":2: n99999999 is not a noun synset"),
        ("load_frequencies", "word,frequency\ndog,5\ncat,x\n", r":3: frequency must be"),
        ("load_frequencies", "nothing known,5\n", r"none of its 1 words labels"),
        (
            "load_hierarchy",
            "child\tparent\n{dog}\tfall11\n{cat}\tfall12\n",
            r":3: 'fall12' is neither a wnid nor a hub",
        ),
        ("load_hierarchy", "{dog}\t{dog}\n", r":1: {dog} is its own parent"),
        (
            "load_hierarchy",
            "{dog}\tfall11\nn99999999\tfall11\n",
            r":2: n99999999 is not a noun synset",
        ),
    ],
)
def test_a_bad_row_is_named_and_nothing_of_the_file_is_kept(
    mini_database: Database, mini: MiniWordNet, tmp_path: Path, load: str, text: str, message: str
) -> None:
    before = state(mini_database)
    path = tmp_path / "bad.tsv"
    path.write_text(text.format(dog=mini["dog"], cat=mini["cat"]))
    arguments = ("mine", path) if load == "load_class_set" else (path,)
    with pytest.raises(DataError, match=message.format(dog=mini["dog"])):
        getattr(ingest, load)(mini_database, *arguments)
    assert state(mini_database) == before


def test_populations_frequencies_and_hierarchy_replace_those_before(
    mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    table = tmp_path / "table.tsv"
    table.write_text(f"wnid\timages\n{mini['dog']}\t7\n")
    assert ingest.load_populations(mini_database, table) == 1
    found = mini_database.rows(query("class_set_statistics"), class_set="universe")[0]
    assert (found["with_population"], found["images"]) == (1, 7)

    table.write_text("word,frequency\nsports_car,3\nno such word,4\n")
    assert ingest.load_frequencies(mini_database, table) == (1, ["no such word"])
    rows = mini_database.rows(query("words_of_synset"), wnid=mini["sports_car"])
    assert [(row["text"], row["frequency"]) for row in rows] == [("sports car", 3)]

    assert ingest.frequency_scale(mini_database) == "table.tsv"

    table.write_text(
        f"child\tparent\nfa11misc\tfall11\n{mini['dog']}\tfa11misc\n{mini['rose']}\tfa11misc\n"
    )
    for _ in range(2):
        assert ingest.load_hierarchy(mini_database, table) == 3
    assert counts(mini_database)["release_parents"] == 3
    rows = mini_database.rows(query("neighbours", hierarchy="release"), wnids=["fa11misc"])
    assert sorted(rows[0]["neighbours"]) == sorted([mini["dog"], mini["rose"], "fall11"])


@pytest.fixture
def small_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of single words in place of wordfreq; the real one is read in
    tests/sources/test_frequency_packages.py."""
    words = {"dog": 90, "crane": 40, "arthur": 7, "sports car": 5, "unheard": 1}
    small = PackagedFrequencies("wordfreq", words, "wordfreq 0", "per billion words", "0" * 64)
    monkeypatch.setitem(PACKAGES, "wordfreq", lambda: small)


@pytest.mark.usefixtures("small_package")
def test_frequencies_of_a_package_are_of_single_words(
    mini_database: Database, mini: MiniWordNet, run: Command, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("word,frequency\nzebra,3\n")
    ingest.load_frequencies(mini_database, table)
    labels = {word for row in mini.rows for word in row.words}
    single = {word for word in labels if " " not in word}
    found = ingest.load_packaged_frequencies(mini_database, "wordfreq")
    assert found == (3, len(single), len(labels))

    def frequency(name: str) -> dict[str, int | None]:
        rows = mini_database.rows(query("words_of_synset"), wnid=mini[name])
        return {row["text"]: row["frequency"] for row in rows}

    assert frequency("dog") == {"dog": 90}
    assert frequency("king_arthur") == {"king arthur": None, "Arthur": 7}
    assert frequency("sports_car") == {"sports car": None}, "a phrase, though it is listed"
    assert frequency("zebra") == {"zebra": None}, "that of the load before is gone"
    assert ingest.frequency_scale(mini_database) == "wordfreq 0, per billion words"
    said = run("load", "frequencies", "wordfreq").stderr
    assert f"3 words: of {len(single)} labels of one word among {len(labels)}." in said
    # dog, two cranes; in the universe without the king
    said = run(
        "study", "frequencies", "distribution", "--universe", "universe", "--format", "jsonl"
    )
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    assert (rows[-1]["labels"], rows[-1]["classes"]) == (2, 3)
    known = {word.lower() for row in mini.rows if row.wnid in mini.universe() for word in row.words}
    expected = f"{len(known) - 2} labels and {len(mini.universe()) - 3} classes have no frequency"
    assert expected in said.stderr
    assert "Frequencies: wordfreq 0, per billion words." in said.stderr


def test_a_package_that_lists_no_label_changes_nothing(
    mini_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = PackagedFrequencies("symspell", {"the": 1}, "symspellpy 0", "counts", "0" * 64)
    monkeypatch.setitem(PACKAGES, "symspell", lambda: nothing)
    before = state(mini_database)
    with pytest.raises(DataError, match=r"symspellpy 0 lists none of the \d+ word labels"):
        ingest.load_packaged_frequencies(mini_database, "symspell")
    assert state(mini_database) == before


def test_xml_sources_and_image_folders(
    mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    status = tmp_path / "ReleaseStatus.xml"
    status.write_text(
        f"<ReleaseStatus><images><synsetInfos><synset wnid='{mini['dog']}' released='1'"
        f" numImages='9'/>\n<synset wnid='{mini['cat']}'"
        " numImages='0'/></synsetInfos></images></ReleaseStatus>"
    )
    assert ingest.load_populations(mini_database, status) == 2
    structure = tmp_path / "structure.xml"
    shared = f"<synset wnid='{mini['dog']}'><synset wnid='{mini['poodle']}'/></synset>"
    structure.write_text(
        f"<S><synset wnid='fall11'><synset wnid='fa11misc'>{shared}</synset>{shared}</synset></S>"
    )
    assert ingest.load_hierarchy(mini_database, structure) == 4, (
        "a shared sub-tree is one set of edges"
    )
    images = tmp_path / "images"
    for name, count in (("dog", 3), ("cat", 0)):
        (images / mini[name]).mkdir(parents=True)
        for number in range(count):
            (images / mini[name] / f"{number}.JPEG").touch()
    (images / mini["dog"] / "notes.txt").touch()
    assert ingest.load_populations(mini_database, images) == 2
    rows = {
        row["wnid"]: row["population"]
        for row in mini_database.rows(query("members"), class_set="universe")
    }
    assert (rows[mini["dog"]], rows[mini["cat"]], rows[mini["rose"]]) == (3, 0, None)
    status.write_text("<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>")
    with pytest.raises(DataError, match="entities"):
        ingest.load_populations(mini_database, status)
    status.write_text("<ReleaseStatus>\n<synset wnid='n1'")
    with pytest.raises(DataError, match=":2: not well-formed"):
        ingest.load_populations(mini_database, status)


def test_everything_refers_to_wordnet(mini_database: Database, tmp_path: Path) -> None:
    clear(mini_database)
    with pytest.raises(DataError, match="load wordnet"):
        ingest.load_class_set(mini_database, "ilsvrc2012")
    mini_database.write(
        (query("put_source"), {"source": "wordnet", "properties": {"status": "loading"}})
    )
    with pytest.raises(DataError, match="not loaded completely"):
        ingest.load_class_set(mini_database, "ilsvrc2012")


def test_the_graph_is_exactly_wordnet(full_database: Database) -> None:
    assert {name: counts(full_database)[name] for name in COUNTS} == COUNTS
    exact(full_database, WordNet(wordnet_folder(load_settings())))
    assert full_database.rows(query("incomplete_sources")) == []
    assert full_database.rows(query("duplicate_labels")) == []
    assert full_database.rows(query("unlabelled_synsets")) == []


class _Other(MiniWordNet):
    """A mini WordNet whose data.noun has another checksum, and that may lack what it points to."""

    sha256 = "other"


def test_a_load_never_goes_on_with_that_of_another_wordnet(mini_database: Database) -> None:
    """Neither over a finished one nor over an interrupted one, forced or not; the graph stays as it
    was."""
    before = counts(mini_database)
    for status in ("loaded", "loading"):
        properties = {
            "kind": "wordnet",
            "sha256": "mini",
            "status": status,
            "contents": ingest.CONTENTS,
        }
        mini_database.write((query("put_source"), {"source": "wordnet", "properties": properties}))
        for force in (False, True):
            with pytest.raises(
                DataError,
                match=rf"holds another WordNet.* mini…, status {status}\); this one has other…",
            ):
                ingest.load_wordnet(mini_database, _Other(), force)  # type: ignore[arg-type]
    assert counts(mini_database) == before


def test_another_build_of_the_wordnet_that_is_loaded_is_not_loaded_again(
    mini_database: Database,
) -> None:
    """As when a system package is gone and the same WordNet comes from elsewhere."""
    clear(mini_database)
    source = MiniWordNet()
    for build, loaded in zip(ingest.KNOWN_FILES["data.noun"], (True, False), strict=True):
        source.sha256 = build
        assert ingest.load_wordnet(mini_database, source) is loaded  # type: ignore[arg-type]


def test_an_edge_to_a_synset_that_is_missing_is_an_error_and_no_gap(
    mini_database: Database, mini: MiniWordNet
) -> None:
    clear(mini_database)
    cut = MiniWordNet()
    cut.rows = [row for row in cut.rows if row.wnid != mini["mammal"]]
    with pytest.raises(
        DataError, match=rf"has the hypernym {mini['mammal']}, which this WordNet does not have"
    ):
        ingest.load_wordnet(mini_database, cut)  # type: ignore[arg-type]
    assert [row["name"] for row in mini_database.rows(query("incomplete_sources"))] == ["wordnet"]


def test_a_load_that_ends_with_another_graph_is_not_called_complete(
    mini_database: Database, mini: MiniWordNet
) -> None:
    """A synset that this WordNet does not have, as a mixture of two would hold it."""
    stray = {
        "wnid": "n99999999",
        "name": "stray.n.01",
        "words": ["stray"],
        "gloss": "",
        "lexname": "noun.Tops",
    }
    mini_database.write((query("merge_synsets"), {"rows": [stray]}))
    with pytest.raises(
        DataError, match=rf"holds {len(mini.rows) + 1} synsets where WordNet has {len(mini.rows)}"
    ):
        ingest.load_wordnet(mini_database, mini, force=True)  # type: ignore[arg-type]
    assert [row["name"] for row in mini_database.rows(query("incomplete_sources"))] == ["wordnet"]


def test_classes_of_a_file_are_names_and_words_too(
    mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(f"{mini['dog']} a comment\nCat.n.1\ntoy-poodle\ncrane (bird)\n")
    assert ingest.load_class_set(mini_database, "by words", path) == 4
    wanted = mini.named("dog", "cat", "toy_poodle", "crane")
    assert sorted(members(mini_database, "by words")) == sorted(wanted)
