"""Recipes that cut levels out of a ranking: keys, levels as recipes, differences from published
lists, with and without a database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphzsl import splits
from graphzsl.benchmark import Built, FileInputs, compare, run
from graphzsl.benchmark.recipe import Recipe, parse_recipe
from graphzsl.cli import main
from graphzsl.common import SettingsError
from graphzsl.database import Database
from graphzsl.hierarchy import Hierarchy
from tests.conftest import Command
from tests.mini import TRAIN, MiniWordNet
from tests.schemas import fitting

MINI = MiniWordNet()
NAMES = {row.wnid: row.name for row in MINI.rows}
DAG = Hierarchy.from_edges(MINI.edges(), names=NAMES, populations=MINI.populations)
PATH = Path("r.toml")
HEAD = 'name = "r"\nuniverse = "universe"\ntrain = "train"\n'
RANKED = HEAD + 'disjoint = false\nrank_by = "path"\n'


def graphzsl(*arguments: str, code: int = 0) -> Result:
    """A command without a database, which must end with this exit status."""
    done = CliRunner().invoke(main, [*arguments])
    assert done.exit_code == code, done.output
    return done


def _inputs(**lists: list[str]) -> FileInputs:
    known = {"universe": MINI.universe(), "train": MINI.named(*TRAIN), **lists}
    return FileInputs(DAG, lambda name: known[name])


def _built(lines: str, **lists: list[str]) -> Built:
    return run(_inputs(**lists), parse_recipe(RANKED + lines, PATH))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("levels = 2", "4: levels needs rank_by"),
        ('compare = ["a"]', "4: compare needs rank_by"),
        ('rank_of = "total"', "4: rank_of needs rank_by"),
        ('rank_by = "hops"', "4: rank_by must be one of path, ancestor-path"),
        ('rank_by = "path"\nrank_of = "mean"', "5: rank_of must be one of nearest, total"),
        ('rank_by = "path"\nlevels = 0', "5: levels must be a whole number from 1 to 1,000, not 0"),
        ('rank_by = "path"\nlevels = 2\nlevel_names = ["a"]', "6: level_names has 1 entry for 2"),
        ('rank_by = "path"\nlevels = 2\nlevel_names = ["a", "a"]', "6: two levels have one name"),
        ('rank_by = "path"\nlevels = 2\ncompare = ["a"]', "6: compare has 1 entry for 2 levels"),
        ('rank_by = "path"\nlevels = 2\nlevel = 3', "6: there is no level 3 of 2"),
        ('rank_by = "path"\nsize = 5\nspread = 2', "6: spread is for the largest structural ratio"),
        (
            'rank_by = "path"\nlevels = 2000000000\nlevel_names = ["a"]',
            "5: levels must be a whole number from 1 to 1,000, not 2000000000",
        ),
        (
            'rank_by = "path"\nlevel_names = [\n  "a/b"]',
            "6: level_names: 'a/b' must be a name that",
        ),
        ('frequency_of = "min"', "4: frequency_of has no effect without frequency_above"),
        ('meaning = "single"\nvectors = "v.txt"', "5: vectors has no effect without meaning = "),
        ("size = 5\nspread = inf", "5: the number inf, which is not finite"),
        ("disjoint = 1", "4: disjoint must be true or false"),
        ("disjoint = false\nsize = 5", "4: disjoint = false needs rank_by"),
        ('leaves = "yes"', "4: leaves must be true or false"),
    ],
)
def test_keys_are_checked(lines: str, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        parse_recipe(HEAD + lines, PATH)
    assert str(error.value).startswith(f"r.toml:{message}")


def test_levels_are_cut_and_know_their_recipes() -> None:
    built = _built('levels = 2\nlevel_names = ["near", "far"]\nsize = 4\n')
    assert [part.recipe.name for part in built.splits] == ["r-near", "r-far"]
    near, far = built.splits
    # one hop from a training class, by wnid: raptor above vulture, poodle above toy poodle, …
    hops = DAG.hops_from(MINI.named(*TRAIN))
    ranked = sorted(
        (wnid for wnid in MINI.universe() if hops[wnid]), key=lambda wnid: (hops[wnid], wnid)
    )
    assert (near.wnids, far.wnids) == (ranked[:4], ranked[-4:])
    assert (near.statistics["nearest"], near.statistics["farthest"]) == (1, 1)
    assert far.statistics["farthest"] == max(hops[wnid] for wnid in ranked)
    assert near.steps[-1].rule == "level near: ranks 1 to 4 by nearest distance (path)"
    # each level's recipe builds the level, under its name
    again = run(_inputs(), parse_recipe(far.recipe.text, PATH))
    assert [part.recipe.name for part in again.splits] == ["r-far"]
    assert again.wnids == again.splits[0].wnids == far.wnids
    with pytest.raises(SettingsError, match=r"r\.toml:7: .* do not make 2 levels of 400"):
        _built("levels = 2\nsize = 400\n")


def test_leaves_and_disjoint_are_steps() -> None:
    built = _built("leaves = true\n")
    steps = {step.step: step for step in built.steps}
    inner = {wnid for wnid in MINI.universe() if DAG.descendants(wnid) & set(MINI.universe())}
    assert not inner & set(built.wnids)
    assert set(built.wnids) == set(MINI.universe()) - inner - set(MINI.named(*TRAIN))
    assert "disjoint" not in steps
    # toy poodle is a training class: without disjoint = false poodle and dog are dropped
    both = MINI.named("poodle", "dog")
    assert set(both) <= set(_built("").wnids)
    kept = run(_inputs(), parse_recipe(HEAD + 'rank_by = "path"', PATH))
    assert not set(both) & set(kept.wnids)


def test_another_seen_set_changes_recipe_and_text() -> None:
    recipe = parse_recipe(RANKED + 'levels = 1\ncompare = ["list"]\n', PATH)
    other = recipe.changed(train='my "seen".txt', name="mine")
    assert (other.train, other.name, other.universe) == ('my "seen".txt', "mine", "universe")
    assert other.compare == ()
    assert parse_recipe(other.text, PATH).train == other.train
    assert other.of_level(1).compare == ()
    assert recipe.changed(name="mine").compare == ("list",)
    # keys that the text does not have
    bare = parse_recipe('name = "bare"\n', PATH).changed(train="seen")
    assert (bare.train, bare.name) == ("seen", "bare")
    assert isinstance(bare, Recipe)


def _reasons(built: Built, **lists: list[str]) -> dict[str, dict[str, str]]:
    found = compare(_inputs(**lists), built)
    return {
        each.split: {
            NAMES.get(row["wnid"], row["wnid"]).partition(".")[0]: row["reason"]
            for row in each.rows
        }
        for each in found
    }


def test_why_a_published_list_has_others() -> None:
    lines = 'population_above = 100\nlevels = 2\nsize = 5\ncompare = ["one", "two"]\n'
    plain = _built(lines.replace('compare = ["one", "two"]\n', ""))
    near, far = (part.wnids for part in plain.splits)
    ranking = plain.ranking
    assert ranking is not None
    end = ranking.distances[4]
    tied = [w for w, d in zip(ranking.wnids, ranking.distances, strict=True) if d == end]
    later = [w for w in tied if ranking.rank[w] > 5]
    middle = ranking.wnids[len(ranking.wnids) // 2]
    assert later
    assert ranking.distances[ranking.rank[middle] - 1] > end
    one = [
        *near[:3],
        "n99999999",
        MINI["horse"],
        MINI["koko"],
        MINI["hawk"],
        far[0],
        later[0],
        middle,
    ]
    two = [*far, near[3]]
    found = _reasons(_built(lines, one=one, two=two), one=one, two=two)
    name = {w: NAMES[w].partition(".")[0] for w in NAMES}
    assert found["r-1"] == {
        "n99999999": "no node of the hierarchy",
        "horse": "training class of train",
        "koko": "not in the universe universe",
        "hawk": "fails a step: more than 100 images",
        name[far[0]]: "in the level 2",
        name[later[0]]: f"a tie with the level's end at distance {end:g}",
        name[middle]: f"outside the level, farther than its end at distance {end:g}",
        name[near[3]]: "in the published list two",
        name[near[4]]: f"a tie with the level's end at distance {end:g}",
    }
    assert found["r-2"] == {name[near[3]]: "in the level 1"}


def test_another_way_up_is_a_reason() -> None:
    """In the tree of the classes a dog is below domestic animals, the shorter way; over mammals it
    would be nearer to the horse of the same way than a zebra is."""
    universe = MINI.named("mammal", "zebra", "dog", "corgi", "cat", "ape")
    lines = 'levels = 1\nsize = 2\ncompare = ["list"]\n'
    text = (RANKED + lines).replace('"path"', '"class-tree"')
    lists = {
        "universe": universe,
        "train": MINI.named("zebra"),
        "list": MINI.named("mammal", "dog"),
    }
    built = run(_inputs(**lists), parse_recipe(text, PATH))
    # zebra is below mammal: mammal 1, ape 2; dog, cat 4 over two roots, corgi 5
    assert built.wnids == MINI.named("mammal", "ape")
    (found,) = compare(_inputs(**lists), built)
    assert {row["wnid"]: (row["reason"], row["rank"], row["distance"]) for row in found.rows} == {
        MINI["dog"]: ("another way up to the root puts it into the level", 3, 4.0),
        MINI["ape"]: (
            "within 1 rank of the level's end at distance 2, where they have others",
            2,
            2.0,
        ),
    }
    assert {row["cut"] for row in found.rows} == {2.0}
    assert {(row["nearest"], row["farthest"]) for row in found.reasons()} == {(4, 4), (2, 2)}
    assert found.row() == {
        "split": "r-1",
        "published": "list",
        "published_size": 2,
        "size": 2,
        "both": 1,
        "only_published": 1,
        "only_here": 1,
    }


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "seen.txt").write_text("n02084071\nn02121620\n")
    (tmp_path / "universe.txt").write_text(
        "n02084071\nn02121620\nn02110341\nn02123045\nn02958343\nn03594945\nn12268246\n"
    )
    (tmp_path / "near.txt").write_text("n02110341\nn03594945\n")
    (tmp_path / "mine.toml").write_text(
        f'name = "mine"\nuniverse = "{tmp_path}/universe.txt"\ntrain = "{tmp_path}/seen.txt"\n'
        'disjoint = false\nrank_by = "path"\nlevels = 2\nlevel_names = ["near", "far"]\nsize = 2\n'
        f'compare = ["{tmp_path}/near.txt", "{tmp_path}/near.txt"]\n'
    )
    return tmp_path


def test_without_a_database(files: Path) -> None:
    """A dalmatian is a dog and a tabby a cat; a jeep is a car; nothing is stored, lists are
    written."""
    done = graphzsl(
        *("split", "build", str(files / "mine.toml"), "--out", str(files / "out")),
        *("--format", "jsonl"),
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["recipe"] for row in rows] == ["mine-near", "mine-far"]
    assert (files / "out" / "mine-near.txt").read_text() == "n02110341\nn02123045\n"
    assert rows[0]["published"]["both"] == 1
    reasons = {each["only_in"]: each["reason"] for each in rows[0]["published"]["differences"]}
    # a jeep is 13 hops from a dog
    assert reasons[f"{files}/near.txt"] == "in the level far"
    manifest = fitting(files / "out" / "manifest.json", "classes")
    assert set(manifest["files"]) == {
        f"mine-{level}.{suffix}" for level in ("near", "far") for suffix in ("txt", "toml")
    }
    # another seen set, by an option: cars are near now
    (files / "cars.txt").write_text("n02958343\n")
    other = ("--train", str(files / "cars.txt"), "--name", "cars", "--format", "json")
    done = graphzsl("split", "build", str(files / "mine.toml"), *other, "--out", str(files / "two"))
    assert "n03594945" in (files / "two" / "cars-near.txt").read_text()
    assert "published" not in json.loads(done.stdout)[0]
    again = graphzsl(
        "split", "build", str(files / "two" / "cars-far.toml"), "--out", str(files / "x")
    )
    assert again.exit_code == 0
    assert (files / "x" / "cars-far.txt").read_text() == (
        files / "two" / "cars-far.txt"
    ).read_text()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("frequency_above = 5", "frequencies of words are in the database"),
        ('compare = ["nothing", "else"]', "'nothing' is neither a file, nor a shipped list"),
        ('exclude = ["n99999999 nothing"]', "n99999999 is not a node"),
        ('hierarchy = "release"', "the hierarchy that is read is wordnet, not release"),
        ('exclude_sets = ["nothing"]', "'nothing' is neither a file, nor a shipped list"),
    ],
)
def test_what_files_do_not_have_is_named_with_its_line(
    files: Path, line: str, message: str
) -> None:
    path = files / "mine.toml"
    lines = path.read_text().splitlines()
    if line.startswith("compare"):
        lines.pop()
    path.write_text("\n".join([*lines, *[""] * (9 - len(lines)), line, ""]))
    done = graphzsl("split", "build", str(path), "--out", str(files / "out"), code=1)
    assert f"mine.toml:10: {message}" in done.stderr
    assert not (files / "out").exists()


def test_all_mistakes_of_keys_come_in_one_run_and_then_those_of_classes(files: Path) -> None:
    """By line; classes are looked up when the keys are right."""
    path = files / "wrong.toml"
    path.write_text(
        f'name = "r"\nuniverse = "imagenet-fal11"\ntrain = "{files}/seen.txt"\nsizes = 5\n'
        'exclude_sets = ["nothing"]\n\n[[exclude]]\nsynset = ["dog.n.01"]\n\n[[exclude]]\n'
        'synsets = ["cat.n.01", "cat.n.01", "dog.n.01", "n99999999"]\n[card]\nlimit = []\n'
    )

    def refused() -> list[str]:
        done = graphzsl("split", "build", str(path), "--out", str(files / "out"), code=1)
        return done.stderr[done.stderr.index("Error: ") :].removeprefix("Error: ").splitlines()

    keys = [
        "4: unknown key 'sizes'; size is meant",
        "8: unknown key 'synset'; synsets is meant",
        "13: unknown key 'limit'; limits is meant",
    ]
    for line, said in zip(refused(), keys, strict=True):
        assert line.startswith(f"{path}:{said}")
    text = path.read_text().replace("sizes", "size").replace("limit ", "limits ")
    path.write_text(text.replace("synset =", "synsets ="))
    lines = refused()
    classes = [
        "2: 'imagenet-fal11' is neither a file, nor a shipped list (",
        "5: 'nothing' is neither a file, nor a shipped list (",
        "11: n02121620 (cat.n.01) is there twice: entry 2 and entry 3.",
        "11: n02084071 (dog.n.01) is there twice: entry 1 and entry 4.",
        "11: n99999999 is not a node of the hierarchy",
    ]
    for line, said in zip(lines, classes, strict=True):
        assert line.startswith(f"{path}:{said}")
    assert lines[0].endswith("Did you mean imagenet-fall11 or imagenet-a or imagenet-12k?")
    # of an option that is wrong alone
    done = graphzsl(
        *("split", "build", str(path), "--universe", "imagenet", "--out", str(files / "o")), code=1
    )
    assert "'imagenet' is neither a file" in done.stderr
    assert done.stderr.endswith("(--universe).\n")
    assert str(path) not in done.stderr


def test_options_that_do_not_go_together(files: Path) -> None:
    path = str(files / "mine.toml")
    for arguments, message in (
        ([path, "ssb", "--train", "seen"], "--train is for one recipe, not 2"),
        ([path, "--wordnet", "wordnet"], "--wordnet has no effect here"),
    ):
        done = graphzsl("split", "build", *arguments, code=2)
        assert message in done.stderr
    done = graphzsl("split", "build", path, path, "--out", str(files / "out"), code=1)
    assert f"{path}:1 makes a split 'mine-near' too. Build one of them under" in done.stderr


def test_levels_are_stored_checked_and_compared(
    run: Command, mini: MiniWordNet, mini_database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "r.toml"
    lines = 'population_above = 20\nlevels = 2\nsize = 5\ncompare = ["train", "universe"]\n'
    path.write_text(RANKED + lines)
    built: list[dict[str, Any]] = json.loads(
        run("split", "build", str(path), "--format", "json").stdout
    )
    assert [row["recipe"] for row in built] == ["r-1", "r-2"]
    assert built[0]["published"]["only_published"] == len(TRAIN)
    for row in built:
        split = splits.load_split(mini_database, row["recipe"])
        assert (len(split), split.disjoint) == (5, False)
        assert splits.check_split(mini_database, row["recipe"]) == []
    # the same as without a database
    assert (
        splits.load_split(mini_database, "r-2").wnids
        == _built(lines.replace('compare = ["train", "universe"]\n', "")).splits[1].wnids
    )
    differences = json.loads(
        run("split", "diff", "r-1", "r-2", "--each", "--format", "json").stdout
    )
    assert len(differences) == 10
    by_side = {row["only_in"]: row for row in differences}
    told = "outside the level, farther than its end at distance 1"
    assert by_side["r-2"]["reason"] == told
    assert by_side["r-2"]["rank"] > 5
    assert by_side["r-2"]["name"]
    grouped = json.loads(run("split", "diff", "r-1", "train", "--format", "json").stdout)
    assert {row["reason"] for row in grouped if row["only_in"] == "train"} == {
        "training class of train"
    }
    assert not [row for row in grouped if row["reason"].startswith("outside the level")]
