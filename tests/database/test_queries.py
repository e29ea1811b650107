"""Every Cypher file keeps its contract, and a broken contract is named by file and line."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import QueryFileError
from graphzsl.database import NAME_COLUMNS, library, query
from graphzsl.database.library import HIERARCHIES, folder, read_query
from graphzsl.database.query_file import with_literals


@pytest.mark.parametrize("path", sorted(folder().rglob("*.cypher")), ids=lambda path: path.stem)
def test_every_file_keeps_its_contract(path: Path) -> None:
    found = read_query(path)
    assert found.doc.endswith(".")
    assert found.mode == "read" or found.folder in {"ingest", "paint", "schema"}
    assert set(found.example) >= set(found.params), "every parameter has an example"
    for name in found.vary:
        choice = "release" if name == "hierarchy" else 3
        changed = found.with_choices(**{name: choice})
        assert changed.text != found.text
        assert changed.sha256 != found.sha256
        assert found.with_choices(**{name: found.vary[name]}).text == found.text


def test_the_readme_of_the_library_lists_every_query() -> None:
    """As its header says: what it answers, what it takes."""
    text = (folder() / "README.md").read_text()
    for name, found in library().items():
        takes = [f"`{parameter}`" for parameter in found.params]
        takes += [f"*{choice}*" for choice in found.vary]
        answer = found.doc.replace("|", r"\|")
        assert f"| `{name}` | {answer} | {', '.join(takes)} |" in text


def test_a_parameter_means_one_thing_in_the_whole_library() -> None:
    """Every header says of a name what the README says of it, and no other name means
    that."""
    text = (folder() / "README.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| `([A-Z_<>]+)` \| (.+) \|$", text, re.MULTILINE)
    means = {name: (kind, _meaning(meaning)) for name, kind, meaning in rows}
    assert len(rows) == len({meaning for _, meaning in means.values()})
    headers = {
        (name, kind, _meaning(entry.params_doc[name]))
        for entry in library().values()
        for name, kind in entry.params.items()
    }
    # as a STRING a name is not looked up in the database, so of a name both types are in use
    assert {(name, meaning) for name, _, meaning in headers} == {
        (name, meaning) for name, (_, meaning) in means.items()
    }
    unchecked = {
        "CLASS_SET": "STRING",
        "LIST<CLASS_SET>": "LIST<STRING>",
        "LIST<WNID>": "LIST<STRING>",
    }
    for name, kind, _ in headers:
        assert kind in (means[name][0], unchecked.get(means[name][0])), name
    choices = {name for entry in library().values() for name in entry.vary}
    assert not choices & means.keys()


def _meaning(text: str) -> str:
    """A parameter's meaning, without what a query adds to it."""
    return re.split(r"[,;:]", text)[0]


def test_no_line_is_longer_than_100_columns() -> None:
    """Tables are as wide as their cells."""
    paths = list(folder().rglob("*.cypher"))
    assert len(paths) > 60
    for path in [*paths, folder() / "README.md"]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            assert len(line) <= 100 or line.startswith("|"), f"{path}:{number}"


def test_a_bound_that_cuts_nothing_off_says_so() -> None:
    """40 is the largest bound that there is, not the height of WordNet."""
    bounded = [path for path in folder().rglob("*.cypher") if "..40]" in path.read_text()]
    assert len(bounded) > 9
    for path in bounded:
        assert re.search(r"^// 40 edges: ", path.read_text(), re.MULTILINE), path


#: Queries whose wnids stand alone -> why.
BARE = {
    "adjacency": "a whole hierarchy, for programs",
    "hierarchy_edges": "a whole hierarchy, for programs",
    "naturalness": "numbers of all synsets, for programs",
    "unknown_wnids": "what is not a synset has no name",
    "member_wnids": "the list alone, for programs; members is for people",
    "neighbours": "a round of a search by programs",
    "class_labels": "a row for each word of a class, which is what it is called",
    "first_words": "the first word of all synsets, which is what they are called",
    "namesakes": "all words with several synsets, for programs",
    "sense_totals": "numbers of all synsets, for programs",
    "own_values": "values for other statements",
}


def test_a_query_returns_names_beside_wnids() -> None:
    nameless = {
        name: [
            column
            for column, kind in found.returns.items()
            if "WNID" in kind and found.returns.keys().isdisjoint(NAME_COLUMNS.get(column, ()))
        ]
        for name, found in library().items()
    }
    assert {name for name, columns in nameless.items() if columns} == set(BARE)
    assert nameless["neighbours"] == ["wnid", "neighbours"]
    # a column that is called so, but is not declared so, would go unnoticed
    for name, found in library().items():
        for column, kind in found.returns.items():
            assert (column in ("wnid", "wnids")) <= ("WNID" in kind), (name, column)


GOOD = """// name: some
// mode: read
// doc: Some synsets.
// grain: one row per synset
// param: wnid STRING the synset
// vary: hierarchy = HYPERNYM
// returns: wnid STRING, hops INTEGER
// order: hops
// try: :param {wnid: 'n00001740'}
MATCH p = (s:Synset {wnid: $wnid})-[:HYPERNYM*1..2]->(a)
RETURN a.wnid AS wnid, length(p) AS hops
ORDER BY hops
"""


def _read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "some.cypher"
    path.write_text(text)
    read_query(path)


def test_the_good_file_is_good(tmp_path: Path) -> None:
    _read(tmp_path, GOOD)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("// mode: read", "// mode: reed", 2, "mode 'reed'"),
        ("// name: some", "// name: other", 1, "must be the file's name"),
        ("// doc: Some synsets.\n", "", 1, "no // doc:"),
        ("// grain: one row per synset\n", "", 1, "no // grain:"),
        ("// param: wnid STRING the synset", "// param: wnid TEXT", 5, "expected // param"),
        (
            "// param: wnid STRING the synset",
            "// param: wnid INTEGER the synset",
            5,
            "its range behind",
        ),
        ("// param: wnid STRING the synset\n", "", 9, "$wnid is used but not declared"),
        ("$wnid", "'n1'", 10, "declared but not used"),
        (
            "// vary: hierarchy = HYPERNYM",
            "// vary: hierarchy = PARENT",
            6,
            "none of the hierarchies",
        ),
        ("// vary: hierarchy = HYPERNYM", "// vary: text = abc", 6, "may vary only"),
        ("// vary: hierarchy = HYPERNYM", "// vary: max_hops = 7", 6, "does not occur"),
        ("wnid STRING, hops INTEGER", "wnid STRING", 11, "returns ['wnid', 'hops']"),
        ("// order: hops", "// order: wnid", 10, "is not how the statement ends"),
        ("ORDER BY hops", "SET s.x = 1", 12, "mode is read, but the statement has SET"),
        ("ORDER BY hops", "ORDER BY hops; MATCH (n) RETURN n", 12, "one file holds one statement"),
        ("// order: hops", "// ordre: hops", 8, "not a header line"),
        ("// try: :param {wnid: 'n00001740'}", "// try: :param {wnid: }", 9, "expected // try"),
        ("// try: :param {wnid: 'n00001740'}\n", "", 9, "every parameter needs an example"),
    ],
)
def test_a_broken_contract_names_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    assert old in GOOD
    with pytest.raises(QueryFileError) as caught:
        _read(tmp_path, GOOD.replace(old, new))
    assert f"some.cypher:{line}: " in str(caught.value)
    assert message in str(caught.value)


def test_words_in_strings_and_names_are_no_write_clauses(tmp_path: Path) -> None:
    _read(
        tmp_path,
        GOOD.replace("->(a)", "->(a) WHERE a.name <> 'SET x; DELETE' AND a.offset IS NULL"),
    )


def test_parameters_are_checked_both_ways() -> None:
    found = query("ancestors")
    assert found.bind({"wnid": "n00001740"})
    for parameters, message in (
        ({}, "needs parameter 'wnid'"),
        ({"a": 1, "b": 2}, "no parameters 'a', 'b'"),
        ({"wnid": "n1", "depth": 1}, "no parameter 'depth'"),
        ({"wnid": 7}, "wnid is WNID, not 7"),
        ({"wnid": None}, "wnid is WNID"),
    ):
        with pytest.raises(QueryFileError, match=message):
            found.bind(parameters)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("hcorrect_set", {"k": "-1"}, "k is a whole number of at least 1, not -1"),
        ("hcorrect_set", {"k": "5,0"}, "parameter k is INTEGER, not '5,0'"),
        ("hcorrect_set", {"k": "1.5"}, "parameter k is INTEGER, not 1.5"),
        ("see_hcorrect_set", {"k": "300"}, "k is a whole number from 1 to 299, not 300"),
        ("hcorrect_set", {"k": "0"}, "k is a whole number of at least 1, not 0"),
        ("most_populated", {"size": str(2**63)}, "size is a whole number of at least 1"),
        ("populated_above", {"images": "-1"}, "images is a whole number of at least 0, not -1"),
    ],
)
def test_numbers_are_held_to_the_range_of_the_header(
    name: str, given: dict[str, str], message: str
) -> None:
    found = query(name)
    with pytest.raises(QueryFileError, match=re.escape(message)):
        found.parse(given, complete=False)
    done = CliRunner().invoke(main, ["query", "show", name, "-p", "=".join(*given.items())])
    assert (done.exit_code, message in done.output) == (1, True)


def test_texts_are_typed_as_the_header_says() -> None:
    statement, parameters = query("hcorrect_set").parse(
        {
            "wnid": "n00001740",
            "valid": "universe",
            "k": "3",
            "max_hops": "3",
            "hierarchy": "hypernym",
        }
    )
    assert parameters == {"wnid": "n00001740", "valid": "universe", "k": 3}
    assert "[:HYPERNYM*0..3]" in statement.text
    _, parameters = query("neighbours").parse({"wnids": "n00001740, n00001930"})
    assert parameters == {"wnids": ["n00001740", "n00001930"]}
    with pytest.raises(QueryFileError, match="k is INTEGER"):
        query("hcorrect_set").parse({"wnid": "n00001740", "valid": "u", "k": "three"})


@pytest.mark.parametrize(
    "value", ["0", "-1", "41", "2] DETACH DELETE n //", "", 1.5, "1_0", "٣", "9" * 5000]
)
def test_only_small_whole_numbers_replace_a_bound(value: object) -> None:
    with pytest.raises(QueryFileError, match="whole number from 1 to 40"):
        query("hop_split", max_hops=value)


def test_only_the_three_hierarchies_replace_a_hierarchy() -> None:
    for name, types in HIERARCHIES.items():
        assert f"[:{types}*1..2]" in query("hop_split", hierarchy=name).text
    with pytest.raises(QueryFileError, match="none of wordnet, hypernym, release"):
        query("hop_split", hierarchy="HYPERNYM]->() DELETE")


def test_what_is_shown_for_the_browser_is_one_statement_with_its_parameters() -> None:
    shown = query("see_hypernyms", hierarchy="hypernym").for_browser(wnid="n02084071")
    why = (
        "// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is"
        " breadth first"
    )
    assert shown == (
        f"{why}\n"
        "MATCH p = (:Synset {wnid: 'n02084071'})-[:HYPERNYM*1..40]->(:Synset {wnid: 'n00001740'})\n"
        "RETURN p\n"
    )
    assert "{name: 'ilsvrc2012'}" in query("hop_split").for_browser(universe="mine"), (
        "examples of the header"
    )
    for found in library().values():
        shown = found.for_browser()
        assert ";" not in shown
        assert "$" not in shown
    with pytest.raises(QueryFileError, match="no parameter 'depth'"):
        query("see_hypernyms").for_browser(depth=1)


def test_a_misspelt_query_is_answered_by_near_ones() -> None:
    with pytest.raises(QueryFileError, match=r"no query 'hop_splt'\. Did you mean hop_split"):
        query("hop_splt")


def test_literals_stand_only_where_parameters_stood() -> None:
    text = "// $a stays\nRETURN '$a', \"it's $a\", $a /* $a */, $b"
    shown = with_literals(text, {"a": ["x", 1.5, True], "b": {"c": None}})
    assert shown == "// $a stays\nRETURN '$a', \"it's $a\", ['x', 1.5, true] /* $a */, {`c`: null}"


@pytest.mark.parametrize(
    "given",
    ["[99999999999999999999]", "[" + "9" * 5000 + "]", "[" * 100_000],
    ids=["no 64 bits", "digits", "depth"],
)
def test_values_that_no_database_holds_are_one_line(given: str) -> None:
    with pytest.raises(QueryFileError, match="parameter wnids is LIST") as error:
        query("unknown_wnids").parse({"wnids": given})
    assert len(str(error.value)) < 1000
