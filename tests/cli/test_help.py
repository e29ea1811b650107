"""What --help shows, and how what is misspelt or has another name by now is answered."""

from __future__ import annotations

import inspect
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import click
import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.cli.groups import SECTIONS, Command, Group, sections_of
from graphzsl.cli.types import Synset

WIDTH = 80


def _walk(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, click.Command]]:
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from _walk(child, (*path, name))


ALL = dict(_walk(main))
LEAVES = {path: each for path, each in ALL.items() if not isinstance(each, click.Group)}


def _help(path: str) -> str:
    with patch.dict(os.environ, {"COLUMNS": str(WIDTH)}):
        return CliRunner().invoke(main, [*path.split(), "--help"]).output


@pytest.mark.parametrize("path", ALL)
def test_help_fits_80_columns_and_cuts_nothing(path: str) -> None:
    lines = _help(path).splitlines()
    # the name of an argument that may be repeated ends in three dots
    assert [line for line in lines if re.search(r"[a-z]\.\.\.", line)] == []
    assert [line for line in lines if len(line) > WIDTH] == []


def test_every_group_and_command_is_of_the_one_kind() -> None:
    assert len(ALL) > 120
    for path, command in ALL.items():
        assert isinstance(command, Group if isinstance(command, click.Group) else Command), path


@pytest.mark.parametrize("path", [path for path in ALL if path not in LEAVES])
def test_a_group_sums_up_each_command_in_a_whole_sentence(path: str) -> None:
    group = ALL[path]
    assert isinstance(group, Group)
    summaries = dict(group.summaries(click.Context(group)))
    assert list(summaries) == group.list_commands(click.Context(group))
    shown = "".join(_help(path).split())
    for name, sentence in summaries.items():
        assert "".join(f"{name}{sentence}".split()) in shown, name
        assert sentence[-1] in ".?", f"{path} {name}: {sentence}"
        assert not sentence.endswith("et al."), f"{path} {name}: {sentence}"
        for opened, closed in ("()", "[]", "{}"):
            assert sentence.count(opened) == sentence.count(closed), f"{path} {name}: {sentence}"


def test_options_stand_in_sections_a_model_s_own_first() -> None:
    command = ALL["train sgcn"]
    sections = sections_of(command, click.Context(command))
    assert list(sections) == [
        "Options of sgcn",
        "Inputs",
        "Validation",
        "Computing",
        "Output",
    ]
    assert {"--hidden", "--dropout"} <= {p.opts[0] for p in sections["Options of sgcn"]}
    assert [p.opts[0] for p in sections["Output"]][:1] == ["--out"]
    assert list(sections_of(ALL["audit"], click.Context(ALL["audit"]))) == [
        "Inputs",
        "Computing",
        "Output",
    ]
    positions = [_help("audit").index(f"\n{name}:\n") for name in ("Inputs", "Computing", "Output")]
    assert positions == sorted(positions)


def test_what_all_models_share_is_explained_once() -> None:
    """`train MODEL` explains its own options and names the others, which `train` explains."""
    command, own, shared = ALL["train sgcn"], _help("train sgcn"), _help("train")
    places = [own.index(f"\nOptions of {whose}") for whose in ("sgcn:", "every model (")]
    assert places == sorted(places)
    of_all = [each for each in command.params if not (each.name or "").startswith("option_")]
    assert len(of_all) == 19
    for each in of_all:
        assert f"{each.opts[-1]}" in own[places[1] :]
        text = " ".join((each.help or "").split())  # type: ignore[attr-defined]
        assert text
        assert text in " ".join(shared.split())
        assert text not in " ".join(own.split())


def test_sections_hold_every_option_once() -> None:
    known: set[str] = set()
    for path, command in LEAVES.items():
        context = click.Context(command, info_name=path.split()[-1])
        shown = [each for section in sections_of(command, context).values() for each in section]
        options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
        assert sorted(p.opts[0] for p in shown) == sorted(p.opts[0] for p in options), path
        assert "--help" in shown[-1].opts, path
        known |= {each.name or "" for each in command.params}
    listed = [name for names in SECTIONS.values() for name in names.split()]
    assert len(listed) == len(set(listed))
    assert set(listed) <= known, set(listed) - known


def examples(path: str) -> list[list[str]]:
    """The words of the examples in a help text, without what a shell does with them; those of a
    group lead on to other commands."""
    text = re.sub(r"\\\n\s*", " ", ALL[path].help or "")
    of_it = f"graphzsl {path}" if path in LEAVES else "graphzsl "
    found = []
    for line in text.splitlines():
        if line.strip().startswith(of_it):
            words = shlex.split(line, comments=True)[1:]
            ends = [words.index(sign) for sign in (">", "|", "&&") if sign in words]
            found.append(words[: min(ends, default=len(words))])
    return found


def _parsed(words: list[str]) -> None:
    """Every word is taken as an option, its value or an argument; files need not exist."""
    command: click.Command = main
    context, rest = main.make_context("graphzsl", list(words)), list(words)
    # a group may do something itself: options before any command are its own
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        child = command.get_command(click.Context(command), rest.pop(0))
        assert child is not None, words
        command = child
    command.make_context(words[-1], rest, parent=context)


@contextmanager
def _without_files() -> Iterator[None]:
    """click.Path as if every file existed, and every text the name of a synset: the examples name
    what the reader has."""

    def taken(self: click.Path, value: object, *_: object) -> object:
        return Path(str(value))

    with (
        patch.object(click.Path, "convert", taken),
        patch.object(Synset, "convert", lambda *_: "n00001740"),
    ):
        yield


@pytest.mark.parametrize("path", ALL)
def test_every_help_text_has_an_example_that_parses(path: str) -> None:
    found = examples(path)
    assert found, f"graphzsl {path} has no example"
    for words in found:
        with _without_files():
            _parsed(words)


def test_an_example_with_a_wrong_option_does_not_parse() -> None:
    for words in (
        ["split", "report", "hops-1", "--clases"],
        ["evaluate", "compare", "--rounds", "x"],
    ):
        with _without_files(), pytest.raises(click.UsageError):
            _parsed(words)


#: Commands whose examples need no file and no server.
RUNNABLE = (
    "db status",
    "db stop",
    "query list",
    "query show",
    "split recipes",
    "study ilsvrc annotate",
    "study ilsvrc entries",
    "study ilsvrc submission",
    "study ilsvrc labelling cost",
    "study papers show",
    "study papers claims",
    "study papers systems",
)


@pytest.mark.parametrize("path", RUNNABLE)
def test_examples_without_a_database_run(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHZSL_HOME", str(tmp_path))
    for words in examples(path):
        done = CliRunner().invoke(main, words)
        assert (done.exit_code, bool(done.output)) == (0, True), done.output


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ("splt", "No such command 'splt'. Did you mean 'graphzsl split'?"),
        ("train sgnc", "'graphzsl train sgcn'"),
        ("split hop", "Did you mean 'graphzsl split hops'?"),
        ("query ru", "Did you mean 'graphzsl query run'?"),
        ("TRAIN", "Did you mean 'graphzsl train'?"),
        ("split xyzzy", "No such command 'xyzzy'.\n"),
        ("split hops --max-hop 2", "Did you mean '--max-hops'?"),
        ("query list --formt json", "'--format'"),
        ("evaluate audit clip.csv", "'audit'. Did you mean 'graphzsl audit'?\n"),
        # a command of any group by its last word, spelt nearly so, with or without hyphens, or
        # begun; not the letters of another, as `ratio` has them of `train`
        ("ratio", "No such command 'ratio'.\n"),
        ("split ratio", "No such command 'ratio'.\n"),
        ("lca", "No such command 'lca'.\n"),
        ("hcorrectset", "mean 'graphzsl split hcorrect' or 'graphzsl export hcorrect'?\n"),
        ("hcorrect-set", "Did you mean 'graphzsl split hcorrect' or 'graphzsl export hcorrect'?\n"),
        ("wordvectors", "Did you mean 'graphzsl semantics word-vectors'?\n"),
        ("polysem", "Did you mean 'graphzsl study words polysemy'?\n"),
        ("labeling", "Did you mean 'graphzsl study ilsvrc labelling'?\n"),
        ("split closest", "Did you mean 'graphzsl export closest' or 'graphzsl train closest'?\n"),
        ("export hop", "Did you mean 'graphzsl split hops'?\n"),
        ("convert dgp", "Did you mean 'graphzsl convert published dgp'?\n"),
        ("train --lst", "Did you mean '--list'?\n"),
        ("convert gcnz", "Did you mean 'graphzsl convert published gcnz'?\n"),
        ("study accuracyby", "Did you mean 'graphzsl study ilsvrc accuracy-by'?\n"),
        # an option of the group that is taken for a command
        ("train list", "No such command 'list'. Did you mean 'graphzsl train --list'?\n"),
        # options of a model before its name, one of them with the name of a model as its value
        ("train --data x eszsl", "Usage: main train [--list] MODEL [OPTIONS]\n"),
        ("train --data x eszsl", "before --data: `graphzsl train eszsl --data x`.\n"),
        ("train --out exem eszsl", "before --out: `graphzsl train eszsl --out exem`.\n"),
        ("train --out exem exem", "before --out: `graphzsl train exem --out exem`.\n"),
        ("train --data x", "before --data: `graphzsl train MODEL --data x`.\n"),
        ("split windows all --by ratio --store --size 5", "expected a name, not '--size'"),
        ("split report hops-1 --hierarchy x", "'x' is not one of 'wordnet', 'hypernym', 'release'"),
        ("split report hops-1 --graph x", "No such option '--graph'."),
    ],
)
def test_misspelt_and_unknown_names_are_answered(arguments: str, answer: str) -> None:
    done = CliRunner().invoke(main, arguments.split())
    assert done.exit_code == 2
    assert answer in done.stderr
    assert not done.stdout


def test_one_meaning_of_an_option() -> None:
    """--hierarchy is the type of edges, --store a name, --each a flag, --wordnet a hierarchy."""
    for path, command in LEAVES.items():
        for option in command.params:
            if "--hierarchy" in option.opts:
                assert isinstance(option.type, click.Choice), path
            if "--store" in option.opts:
                assert option.type.name == "NAME", path
            if "--wordnet" in option.opts:
                assert type(option.type).__name__ == "HierarchyFolder", path
            if "--each" in option.opts:
                assert getattr(option, "is_flag", False), path
            if "--classes" in option.opts and path != "convert samples":  # a list by name, too
                assert isinstance(option.type, click.Path), path


@pytest.mark.parametrize("path", ["", *(p for p in ALL if p and p not in LEAVES and " " not in p)])
def test_help_of_groups_is_prompt(path: str) -> None:
    """The CPU time of the whole process, which does not depend on what else runs."""
    code = (
        "import resource, sys\nfrom graphzsl.cli import main\n"
        f"main({[*path.split(), '--help']!r}, standalone_mode=False)\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stderr) < 1.5, "0.1 to 0.5 s on a quiet machine"


@pytest.mark.parametrize("group", ["ilsvrc", "papers"])
def test_help_of_a_group_does_not_import_numpy(group: str) -> None:
    """It takes a third of a second, and constants of commands need none of it."""
    text = (
        "import sys\nfrom graphzsl.cli import main\n"
        f"main(['study', {group!r}, '--help'], standalone_mode=False)\n"
        "print('numpy' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "False"


def test_a_query_imports_neither_numpy_nor_pandas() -> None:
    """Neo4j's driver does by itself, which took half of the time of a small query."""
    text = (
        "import sys, graphzsl.cli.query, graphzsl.database.connect, graphzsl.database.server;"
        " import neo4j; print([name for name in ('numpy', 'pandas', 'pyarrow', 'torch')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_first_commands_are_those_of_a_newcomer() -> None:
    """The database, which `load` starts by itself, comes last."""
    shown = CliRunner().invoke(main, ["--help"]).stdout.partition("Begin:\n")[2]
    names = re.findall(r"^  ([a-z-]+) ", shown, re.MULTILINE)
    assert names[:5] == ["demo", "audit", "look", "picture", "report"]
    assert names[-1] == "study"
    assert re.findall(r"^([A-Z][a-z]+):$", shown, re.MULTILINE) == ["Data", "Models", "Studies"]


def test_every_command_takes_the_options_that_it_declares() -> None:
    for name, command in ALL.items():
        if command.callback is None:
            continue
        taken = inspect.signature(command.callback).parameters
        declared = {each.name for each in command.params if each.expose_value}
        if not any(each.kind is inspect.Parameter.VAR_KEYWORD for each in taken.values()):
            assert declared <= {*taken}, name


def test_options_that_others_overrule_are_refused(tmp_path: Path) -> None:
    for name, value in (("one", 0.5), ("two", 0.25)):
        lines = [f"n0208706{digit},{value * digit}" for digit in range(2, 8)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["wnid,value", *lines]))
    tables = [str(tmp_path / "one.csv"), str(tmp_path / "two.csv")]
    for arguments, said in (
        (["split", "recipes", "default", "--format", "json"], "a recipe is TOML"),
        (["split", "paint", "hops-1", "--clear"], "not both: --clear takes every role off"),
        (["study", "ilsvrc", "correlate", *tables, "--set", "x"], "two files say which classes"),
    ):
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 2, done.output
        assert said in " ".join(done.stderr.split())
