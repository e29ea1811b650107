"""The text of recipes: lines of keys wherever they stand, values written back, exclusions in every
form."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphzsl.benchmark import check_names, find_recipe, shipped_recipes
from graphzsl.benchmark.recipe import Recipe, parse_recipe
from graphzsl.benchmark.recipe_text import toml_text
from graphzsl.common import SettingsError
from graphzsl.common.reading.json_places import line_of_value

PATH = Path("r.toml")


SIMPLE = (
    st.text(st.characters(exclude_categories=["Cs"]))
    | st.integers(-(2**40), 2**40)
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.dates()
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
TABLES = st.dictionaries(KEYS, SIMPLE | st.lists(SIMPLE, max_size=3), max_size=4)


@given(st.dictionaries(KEYS, SIMPLE | st.lists(SIMPLE, max_size=3) | TABLES | st.lists(TABLES)))
def test_what_is_written_is_read_again(document: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(document)) == document


@pytest.mark.parametrize("path", shipped_recipes(), ids=lambda path: path.stem)
def test_shipped_recipes_are_written_back(path: Path) -> None:
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    assert tomllib.loads(toml_text(document)) == document


def test_exclusions_in_every_form() -> None:
    forms = (
        'exclude = ["n00000001 a", "n00000002 b"]',
        "exclude = [ # two\n  'n00000001 a', # one\n  'n00000002 b' ]",
        'exclude = ["n00000001 a", {synsets = ["n00000002 b"], reason = "why"}]',
        '[[exclude]]\nsynsets = ["n00000001 a"]\n[[exclude]]\nreason = "why"\n'
        'synsets = ["n00000002 b"]',
    )
    for place, form in enumerate(forms):
        recipe = parse_recipe(f'name = "r"\n{form}\n', PATH)
        assert recipe.exclude == ("n00000001 a", "n00000002 b")
        assert recipe.reasons == ("", "why" if place > 1 else "")
        again = recipe.changed(name="other")
        assert (again.exclude, again.reasons) == (recipe.exclude, recipe.reasons)


#: (lines behind a name, what is said)
WRONG = [
    ('[card]\nlimit = ["a"]', "3: unknown key 'limit'; limits is meant, perhaps; [card] has about"),
    ('[card]\nlimits = "a"', "3: limits must be a list of texts, not 'a'"),
    ('[card]\ndate = "2026-01-31"', "3: date must be a date such as 2026-01-31, without quotation"),
    ('[[exclude]]\nreasn = "a"', "3: unknown key 'reasn'; reason is meant, perhaps; an exclusion"),
    ('[[exclude]]\nreason = "a"', "2: the exclusion names no synsets"),
    ('[[exclude]]\nsynsets = ["dog", ""]', "3: synsets must be a list of texts"),
    ("[Size]\nx = 1", "2: unknown key 'Size'; size is meant, perhaps; a recipe has card, compare"),
    ('"popul\\u0061tion_abov" = 3', "2: unknown key 'population_abov'; population_above is meant"),
    ("hierarchy = []", "2: hierarchy must be one of wordnet, hypernym, release, not []"),
    ('exclude = "n00000001"', "2: exclude must be a list of texts, or tables [[exclude]]"),
    ('doc = "', "2: not valid TOML: "),
    ('exclude_sets = [\n "a",\n', "3: not valid TOML: "),
    ("size = 5\nspread = nan", "3: the number nan, which is not finite"),
]


@pytest.mark.parametrize(("lines", "said"), WRONG)
def test_what_is_wrong_is_named_with_its_line(lines: str, said: str) -> None:
    with pytest.raises(SettingsError) as error:
        parse_recipe(f'name = "r"\n{lines}', PATH)
    assert any(line.startswith(f"r.toml:{said}") for line in str(error.value).splitlines())


#: (recipe, all that is said of it)
WRONG_TOGETHER = [
    (
        'size = "many"\nname = "r"\nlevel = 7\npopulation_above = -1\nexclude = [\n "dog",\n'
        ' 7,\n]\n[card]\nlimit = []\ndate = "today"',
        [
            "1: size must be a whole number of at least 2, not 'many'.",
            "3: level needs rank_by, the distance that classes are ranked by.",
            "3: there is no level 7 of 1.",
            "4: population_above must be a whole number of at least 0, not -1.",
            "5: exclude must be a list of texts, or tables [[exclude]]",
            "10: unknown key 'limit'; limits is meant, perhaps; [card] has about, cite_as,",
            "11: date must be a date such as 2026-01-31, without quotation marks, not 'today'.",
        ],
    ),
    # nothing is said of what follows from another mistake
    (
        'name = "r"\n[[exclude]]\nsynset = ["dog"]',
        ["3: unknown key 'synset'; synsets is meant, perhaps; an exclusion has reason, synsets."],
    ),
    ('Name = "r"', ["1: unknown key 'Name'; name is meant, perhaps; a recipe has "]),
    (
        'name = "r"\nsize = []\nspread = 2.0\nmeaning = 1\nvectors = "v.txt"\nrankby = "lin"\n'
        'levels = "two"\nlevel = 9\nlevel_names = ["a/b"]\nfrequency_above = ""\n'
        'frequency_of = "max"',
        [
            "2: size must be ",
            "3: spread is for the largest structural ratio, and rank_by cuts levels.",
            "4: meaning must be one of ",
            "6: unknown key 'rankby'; rank_by is meant, perhaps; ",
            "7: levels must be a whole number from 1 to 1,000, not 'two'.",
            "9: level_names: 'a/b' must be a name that a file can have.",
            "10: frequency_above must be a whole number of at least 0, not ''.",
        ],
    ),
]


@pytest.mark.parametrize(("text", "said"), WRONG_TOGETHER)
def test_all_that_is_wrong_is_said_at_once(text: str, said: list[str]) -> None:
    with pytest.raises(SettingsError) as error:
        parse_recipe(text, PATH)
    lines = str(error.value).splitlines()
    assert len(lines) == len(said)
    for line, start in zip(lines, said, strict=True):
        assert line.startswith(f"r.toml:{start}")


def test_of_very_many_mistakes_the_first_are_listed() -> None:
    entries = "".join(f"strange_{number:03} = 1\n" for number in range(300))
    with pytest.raises(SettingsError) as error:
        parse_recipe(f'name = "r"\n\n{entries}', PATH)
    lines = str(error.value).splitlines()
    assert [line.partition(": ")[0] for line in lines[:-1]] == [f"r.toml:{n}" for n in range(3, 23)]
    assert lines[-1] == "280 more problems."


def test_other_values_do_not_touch_the_rest() -> None:
    """A name in a text, a value over several lines and a nested table are no obstacle."""
    text = (
        'doc = """\ntrain = "a"\n"""\n"train" = """b"""\nname = \'r\'\nrank_by = "path"\n'
        'levels = 2\nlevel_names = ["x", "y"]\n[card]\nabout = "train = 1"\ncreator = "me"\n'
        "date = 2026-01-31\n"
    )
    recipe = parse_recipe(text, PATH)
    assert (recipe.train, recipe.doc) == ("b", 'train = "a"\n')
    other = recipe.changed(train="c", name="n")
    assert (other.train, other.name, other.doc) == ("c", "n", 'train = "a"\n')
    assert parse_recipe(other.text, PATH).train == "c"
    # lines are those of the file, and values of the caller are the caller's
    assert other.where("levels") == "r.toml:7"
    # who made the benchmark of b did not make that of c
    assert other.card.about == "train = 1"
    assert (other.card.creator, other.card.date) == ("", None)
    assert recipe.changed(name="n").card.date == date(2026, 1, 31)
    level = recipe.of_level(2)
    assert (level.name, level.level, level.names_of_splits) == ("r-y", 2, ["r-y"])
    assert recipe.changed(train="b") is recipe
    with pytest.raises(SettingsError, match="name must be a text, not ' '") as error:
        recipe.changed(name=" ")
    assert error.value.argument == "name"


def _named(name: str, more: str = "") -> Recipe:
    return parse_recipe(f'name = "{name}"\n{more}', Path(f"{name}.toml"))


def test_names_of_levels_are_checked_before_the_work() -> None:
    levels = _named("a", 'rank_by = "path"\nlevels = 2\n')
    with pytest.raises(SettingsError, match=r"a-2\.toml:1: a\.toml:1 makes a split 'a-2' too"):
        check_names([levels, _named("a-2")])
    with pytest.raises(SettingsError, match=r"recipe default, line 1: recipe default, line 1 make"):
        check_names([find_recipe("default")] * 2)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../../x", "name must be a name that a file can have, not '../../x'"),
        ("..", "name must be a name that a file can have"),
        (
            "\\u202ereversed",
            r"r.toml:1: 'name' holds the invisible character U+202E",
        ),
        ("ca\u200bt", "name must be a name, and 'ca\\u200bt' holds the invisible character U+200B"),
        ("x" * 201, "201 letters; 200 are the most"),
    ],
)
def test_a_recipe_has_the_name_of_a_split_and_a_file(name: str, said: str) -> None:
    """A split of that name is stored, and `--out` writes files of it."""
    with pytest.raises(SettingsError) as error:
        parse_recipe(f'name = "{name}"', PATH)
    assert said in str(error.value)
    with pytest.raises(SettingsError):
        _named("r").changed(name=name.replace("\\u202e", "\u202e"))


def test_the_line_of_a_value_of_json(tmp_path: Path) -> None:
    document = {"a": [1, {"b": "{", "c": [[], {}]}], "b": 2, "c": None, 'd"': {"e": -1.5}}
    path = tmp_path / "x.json"
    path.write_text(json.dumps(document, indent=1))
    lines = path.read_text().splitlines()
    for keys, text in (
        (("a", 1, "b"), '"b": "{"'),
        (("a", 1, "c", 1), "{}"),
        (("b",), '"b": 2'),
        (("c",), '"c": null'),
        (('d"', "e"), '"e": -1.5'),
    ):
        assert lines[line_of_value(path, *keys) - 1].strip().rstrip(",") == text
    # what is not there: the line of what is around it
    assert line_of_value(path, "a", 7) == line_of_value(path, "a", "b") == 2
    assert line_of_value(path, "absent") == 1
