"""Lists of names and what is wrong with them: each finding made by hand on WordNet's own senses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.hierarchy import Lexicon
from graphzsl.names import check_names, class_names
from graphzsl.names.name_findings import KINDS, NameCheck
from graphzsl.names.name_lists import read_name_list
from graphzsl.sources.imagenet import listed_classes

BIRD, MACHINE, DOG, CAT = "n02012849", "n03126707", "n02084071", "n02121620"
SUNGLASS, SUNGLASSES = "n04355933", "n04356056"
MISSILE, PROJECTILE = "n03773504", "n04008634"
CARDIGAN_DOG, CARDIGAN = "n02113186", "n02963159"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.load()


@pytest.fixture
def check(lexicon: Lexicon):  # type: ignore[no-untyped-def]
    def run(names: object, classes: object, **options: object) -> NameCheck:
        return check_names(names, classes, lexicon=lexicon, **options)  # type: ignore[arg-type]

    return run


def _found(result: NameCheck) -> dict[str, int]:
    return {kind: times for kind, times in result.counts.items() if times}


def test_a_file_called_as_a_shipped_list_is_not_that_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lexicon: Lexicon
) -> None:
    """The file has all of the classes that are named; ILSVRC 2012's list has 1,000 others."""
    (tmp_path / "ilsvrc2012").write_text(f"{DOG}\n")
    monkeypatch.chdir(tmp_path)
    found = check_names({DOG: "dog"}, lexicon=lexicon)
    assert found.against == "the list's own 1 class"


def test_sound_names_are_sound(check) -> None:  # type: ignore[no-untyped-def]
    for names in (["dog", "cat"], {DOG: "dog", CAT: "cat"}, ["Canis familiaris", "felis"]):
        result = check(names, [DOG, CAT])
        assert _found(result) in ({}, {"another synset": 1}), result.findings
    assert repr(check(["dog", "cat"], [DOG, CAT])) == "<NameCheck of 2 classes: clean>"
    # an ancestor and a descendant fit, and what WordNet lacks is only counted
    result = check(["animal", "tabby"], [DOG, CAT])
    assert _found(result) == {}
    result = check(["doggo the great", "cat"], [DOG, CAT])
    assert (_found(result), len(result.unknown)) == ({}, 1)


def test_duplicates(check) -> None:  # type: ignore[no-untyped-def]
    result = check(["sunglasses", "Sunglasses", "dog"], [SUNGLASS, SUNGLASSES, DOG])
    assert _found(result) == {"duplicate": 2, "another class": 1}
    first, second, other = result.findings
    assert (first.wnid, first.others, first.place) == (SUNGLASS, [SUNGLASSES], "entry 1")
    assert (first.suggestion, second.suggestion) == ("sunglass", "sunglasses (glasses)")
    assert second.name == "Sunglasses"
    # sunglasses n 1: no sense of the name is the lens
    assert (other.finding, other.wnid, other.others) == ("another class", SUNGLASS, [SUNGLASSES])


def test_suggestions_are_the_names_that_are_written(check, lexicon: Lexicon) -> None:  # type: ignore[no-untyped-def]
    """By the default rule, where that name is free."""
    written = class_names("ilsvrc2012", lexicon=lexicon).of_class
    ostrich, finch = "n01518878", "n01531178"
    for wrong in ("cat", "dog"):
        result = check({ostrich: wrong, finch: wrong}, "ilsvrc2012")
        found = {each.wnid: each.suggestion for each in result.findings}
        assert (found[ostrich], found[finch]) == ("ostrich", "goldfinch")
        assert [found[wnid] for wnid in written] == [*written.values()]
    result = check({ostrich: "cat", finch: "ostrich"}, [ostrich, finch])
    assert {each.suggestion for each in result.findings} == {"Struthio camelus", "goldfinch"}
    # what is told apart by the best-known sense has such a name
    (found,) = check(["ostrich"], [ostrich], first_senses=True).findings
    assert found.suggestion == "Struthio camelus"


def test_a_name_whose_senses_are_other_synsets(check) -> None:  # type: ignore[no-untyped-def]
    # cardigan n 2: 02963159 (jacket), 02113186 (dog)
    assert _found(check(["Cardigan", "cat"], [CARDIGAN_DOG, CAT])) == {}, "there is no jacket"
    result = check(["Cardigan", "cat"], [CARDIGAN_DOG, CAT], first_senses=True)
    (found,) = result.findings
    assert (found.finding, found.others) == ("first sense", [CARDIGAN])
    assert found.suggestion == "Cardigan Welsh corgi"
    # drake n 2: 10942866 is Francis Drake, a single thing, and so no other sense of the duck
    drake = check(["drake", "cat"], ["n01847000", CAT], first_senses=True)
    assert _found(drake) == {}
    for other in ("drake", "Stephen Crane"):
        assert _found(check([other], [DOG])) == {"another synset": 1}
    # sun n 5: the first is the star that ours is, a single thing
    assert _found(check(["sun"], ["n09450163"], first_senses=True)) == {}
    # a pug is neither a cat nor above or below one
    result = check(["dog", "pug"], [DOG, CAT])
    assert _found(result) == {"another synset": 1}
    assert result.findings[0].wnid == CAT
    assert "pug" in result.findings[0].why
    # the machine is the better known of the two things that are called crane
    result = check(["crane", "derrick"], [BIRD, MACHINE])
    assert (_found(result), result.findings[0].others) == ({"first sense": 1}, [MACHINE])
    assert result.findings[0].suggestion == "crane (wading bird)"
    assert _found(check(["crane"], [BIRD])) == {}
    result = check(["crane"], [BIRD], first_senses=True)
    assert result.findings[0].suggestion == "crane (wading bird)"
    assert _found(check(["crane"], [MACHINE])) == {}


def test_parts_and_qualifiers_of_a_name(check) -> None:  # type: ignore[no-untyped-def]
    assert _found(check(["crane (bird)"], [BIRD])) == {}, "any sense of a qualified word"
    assert _found(check(["pug, Grus grus, crane, wader"], [BIRD])) == {}, "one part fits"
    assert _found(check(["pug (crane)"], [BIRD])) == {"another synset": 1}


def test_wnids_that_are_wrong_or_missing(check) -> None:  # type: ignore[no-untyped-def]
    names = {DOG: "dog", "n00000001": "thing", BIRD: "crane bird"}
    result = check(names, [DOG, CAT])
    assert _found(result) == {"unknown wnid": 1, "not in the set": 1, "missing": 1}
    assert [each.wnid for each in result.findings] == ["n00000001", BIRD, CAT]
    assert result.findings[-1].suggestion == "cat"
    result = check(names, [DOG, CAT], ignore_others=True)
    assert _found(result) == {"missing": 1}


def test_another_order_of_wnids(check) -> None:  # type: ignore[no-untyped-def]
    wnids = [CAT, DOG, BIRD]
    assert _found(check({CAT: "cat", DOG: "dog", BIRD: "crane bird"}, wnids)) == {}
    result = check({BIRD: "crane bird", DOG: "dog", CAT: "cat"}, wnids)
    (found,) = result.findings
    assert (found.finding, found.place) == ("order", BIRD)
    assert (
        f"2 of 3 classes stand elsewhere; the first is {BIRD} where the set has {CAT}" in found.why
    )
    assert "the order of the wnids" in found.why, "which is the first that fits"


def test_another_order_of_names_alone(check, lexicon: Lexicon) -> None:  # type: ignore[no-untyped-def]
    classes = listed_classes("ilsvrc2012")
    names = class_names(classes, lexicon=lexicon).names
    assert check(names, classes).counts["order"] == 0
    for order, said in (
        (sorted(names, key=str.casefold), "the alphabet's order of names"),
        (names[::-1], "the reverse of the set's order"),
    ):
        result = check(order, classes)
        assert _found(result) == {"order": 1}, "and no finding per name"
        assert said in result.findings[0].why
    swapped = [names[1], names[0], *names[2:]]
    result = check(swapped, classes)
    assert result.counts["order"] == 0
    assert result.counts["another class"] == 2
    assert {each.wnid for each in result.findings if each.finding == "another class"} == {
        *classes[:2]
    }


def test_a_list_of_another_length_is_refused(check) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(
        DataError, match="has 1 name without wnids, and the given set has 2 classes"
    ):
        check(["dog"], [DOG, CAT])
    with pytest.raises(DataError, match="empty"):
        check([], [DOG])
    with pytest.raises(DataError, match=r"U\+000A"):
        check(["dog\ncat"], [DOG])


def test_a_list_of_another_set_is_refused(check) -> None:  # type: ignore[no-untyped-def]
    """In place of a finding for every class of both."""
    for others in (False, True):
        with pytest.raises(
            DataError, match="none of its 1 class is in the given set of 1 class"
        ) as e:
            check({DOG: "dog"}, [CAT], ignore_others=others)
        assert e.value.argument == "classes"
    assert check({DOG: "dog", CAT: "cat"}, [CAT]).counts["not in the set"] == 1


def test_all_that_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    for name, text, said in (
        (
            "a.csv",
            f'wnid,name\n{DOG},dog\nn0208407,cat\n{CAT},\n{CAT}\n{DOG},puppy\n{DOG},"x\n',
            [
                "a.csv:3: 'n0208407' is not a wnid (n and 8 digits).",
                "a.csv:4: the name is empty.",
                "a.csv:5: expected 2 columns, got 1.",
                f"a.csv:6: {DOG} is there twice: line 2 and line 6. Remove one of them.",
                "a.csv:7: unexpected end of data.",
            ],
        ),
        (
            "a.txt",
            f"{DOG}\tdog\n\n{CAT}\ncat\n",
            [
                "a.txt:2: the line is empty; tools would read it as a name.",
                "a.txt:3: there is no name, unlike in line 1.",
                "a.txt:4: there is no wnid, unlike in line 1.",
            ],
        ),
        (
            "a.json",
            '["dog", 3, null, true, [], ""]',
            [
                "a.json: entry 2: expected a name, not the number 3. Where that is the name, write"
                ' it as a text, "3".',
                "a.json: entry 3: expected a name, not null.",
                "a.json: entry 4: expected a name, not true.",
                "a.json: entry 5: '[]' is no entry; expected a name, a wnid and a name, or an"
                ' object with "wnid" and "name".',
                "a.json: entry 6: the name is empty.",
            ],
        ),
        (
            "b.json",
            f'{{"{DOG}": "dog", "n1": "cat", "{CAT}": 3}}',
            [
                "b.json: n1: 'n1' is not a wnid (n and 8 digits).",
                f"b.json: {CAT}: expected a name, not the number 3. Where that is the name, write"
                ' it as a text, "3".',
            ],
        ),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(DataError) as error:
            read_name_list(tmp_path / name)
        assert str(error.value).splitlines() == [f"{tmp_path}/{line}" for line in said]
    (tmp_path / "c.txt").write_text("\n" * 20 + "dog\n")
    with pytest.raises(DataError, match="And 10 more are wrong, of 21 classes"):
        read_name_list(tmp_path / "c.txt")
    (tmp_path / "d.json").write_text('{"a": 1, "b": "x"}')
    with pytest.raises(DataError, match="the keys 'a', 'b' are neither wnids"):
        read_name_list(tmp_path / "d.json")


def test_kinds_are_documented() -> None:
    from graphzsl.names import name_findings

    for kind in KINDS:
        assert f"``{kind}``" in (name_findings.__doc__ or "")


# reading


TWO = [(None, "dog"), (None, "cat")]
BOTH = [(DOG, "dog"), (CAT, "cat")]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.json", '["dog", "cat"]', TWO),
        ("a.json", '{"imagenet1k": ["dog", "cat"]}', TWO),
        ("a.json", '{"classnames": ["dog", "cat"], "templates": ["a {}"]}', TWO),
        ("a.json", json.dumps(dict(BOTH)), BOTH),
        ("a.json", json.dumps({"kind": "class-names", "templates": [], "names": dict(BOTH)}), BOTH),
        ("a.json", json.dumps(BOTH), BOTH),
        ("a.json", json.dumps([{"wnid": w, "name": n} for w, n in BOTH]), BOTH),
        ("a.json", json.dumps({"1": BOTH[1], "0": BOTH[0]}), BOTH),
        ("a.json", '{"1": "dog", "2": "cat"}', TWO),
        ("a.txt", "dog\ncat\n", TWO),
        ("a.txt", "\ufeffdog\r\ncat", TWO),
        ("a.txt", f"{DOG}\tdog\n{CAT}\tcat\n", BOTH),
        ("a.txt", f"{DOG} dog\n{CAT} cat\n", BOTH),
        ("a.txt", f"{DOG}\n{CAT}\n", [(DOG, None), (CAT, None)]),
        ("a.csv", f'name,images,wnid\n"dog",3,{DOG}\ncat,4,{CAT}\n', BOTH),
        ("a.tsv", f"synset\tlemma\n{DOG}\tdog\n{CAT}\tcat\n", BOTH),
        ("a.csv", "name\ndog\ncat\n", TWO),
        ("a.py", 'NAMES = ["dog", "cat"]\nOTHER = 3\n', TWO),
        ("a.py", 'X: tuple = ("dog", "cat")\nimport does_not_exist\n', TWO),
    ],
)
def test_formats(
    tmp_path: Path, name: str, text: str, expected: list[tuple[str | None, str | None]]
) -> None:
    (tmp_path / name).write_bytes(text.encode())
    found = read_name_list(tmp_path / name)
    assert [(each.wnid, each.name) for each in found.entries] == expected


def test_one_of_several_lists(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"pets": ["dog", "cat"], "three": ["a", "b", "c"], "more": ["d", "e"]}')
    assert len(read_name_list(path, size=3).entries) == 3
    assert read_name_list(path, key="more").entries[0].name == "d"
    with pytest.raises(DataError, match="holds several lists, 'pets', 'three', 'more'"):
        read_name_list(path, size=2)
    with pytest.raises(DataError, match=r"has no key 'dogs'\. It has 'pets', 'three', 'more'"):
        read_name_list(path, key="dogs")
    path = tmp_path / "a.py"
    path.write_text('A = ["x", "y"]\nB = ("p", "q")\n')
    assert read_name_list(path, key="B").entries[0].name == "p"
    with pytest.raises(DataError, match="several lists, 'A', 'B'"):
        read_name_list(path)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "[", "a.json: not valid JSON"),
        ("a.json", "3", "expected a list of names"),
        ("a.json", "[]", "is empty"),
        ("a.json", "{}", "expected a list of names"),
        ("a.json", '["dog", 3]', "entry 2: expected a name, not the number 3. Where that"),
        ("a.json", '["dog", null]', "entry 2: expected a name, not null."),
        ("a.json", f'["dog", "{CAT}"]', "entry 2: there is a wnid, unlike in entry 1"),
        ("a.json", f'[["{DOG}", "dog"], "{CAT}"]', "entry 2: there is no name, unlike in entry 1"),
        (
            "a.json",
            '["dog", "c\\u0007t"]',
            r"entry 2: the name 'c\x07t' holds the control character",
        ),
        ("a.json", '["dog", " "]', "entry 2: the name is empty"),
        ("a.json", '["dog", "a\\u2028b"]', r"U\+2028"),
        ("a.json", f'{{"{DOG}": "dog", "{DOG}": "cat"}}', f"an object has the key '{DOG}' twice"),
        (
            "a.json",
            f'[["{DOG}", "dog"], ["{DOG}", "cat"]]',
            f"entry 2: {DOG} is there twice: entry 1 and entry 2",
        ),
        ("a.json", '{"0": "dog", "2": "cat"}', "the class numbers 0 to 2 lack 1"),
        ("a.json", '[["dog", "cat"]]', "'dog' is not a wnid"),
        ("a.txt", "", "is empty"),
        ("a.txt", "dog\n\ncat\n", ":2: the line is empty"),
        ("a.txt", f"dog\n{CAT}\tcat\n", ":2: there is a wnid, unlike in line 1"),
        ("a.txt", f"{DOG}\tdog\ncat\n", ":2: there is no wnid, unlike in line 1"),
        (
            "a.txt",
            f"{DOG}\tdog\n{CAT}\tcat\n{DOG}\tdog\n",
            f":3: {DOG} is there twice: line 1 and line 3",
        ),
        ("a.csv", f"wnid,name\n{DOG},dog,x\n", ":2: expected 2 columns, got 3"),
        ("a.csv", 'name\n"dog\n', ":2: unexpected end of data"),
        ("a.py", "NAMES = [", "not a Python file"),
        ("a.py", "NAMES = [x for x in y]", "assigns no list of texts"),
        ("a.txt", "dog\x00\n", "a.txt:1: a NUL byte (byte 3)"),
        ("none.txt", None, "none.txt does not exist"),
        ("no_such_package:names.json", None, "there is no installed package no_such_package"),
        ("numpy:no/such/file.json", None, "numpy has no file no/such/file.json"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, text: str | None, said: str) -> None:
    path = tmp_path / name if ":" not in name else Path(name)
    if text is not None:
        path.write_text(text)
    with pytest.raises(DataError) as raised:
        read_name_list(path)
    assert said.replace("\\+", "+") in str(raised.value)


def test_what_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(DataError, match="deep in each other"):
        read_name_list(tmp_path / "deep.json")
    (tmp_path / "a.txt").write_bytes(b"caf\xe9\n")
    with pytest.raises(DataError, match="not UTF-8 text"):
        read_name_list(tmp_path / "a.txt")
    with pytest.raises(DataError, match="is a folder"):
        read_name_list(tmp_path)


def test_a_python_file_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        f'open({str(tmp_path / "ran")!r}, "w")\nNAMES = ["dog", "cat"]\n'
    )
    assert len(read_name_list(tmp_path / "a.py").entries) == 2
    assert not (tmp_path / "ran").exists()


def test_names_as_keys_say_no_order(check, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "cupl.json"
    path.write_text(json.dumps({"imagenet1k": {n: [f"A {n} is one."] * 2 for n in ("dog", "cat")}}))
    with pytest.raises(
        DataError, match="has 2 names as keys, which say neither wnids nor an order"
    ):
        check(path, [DOG, CAT])
