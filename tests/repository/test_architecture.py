"""The rules that keep the design livable, and what every command owes its user."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

import graphzsl
from graphzsl.cli.types import Folder, Synset, Written
from graphzsl.models.registry import MODELS

PACKAGE = Path(graphzsl.__file__).parent
#: Only these read the database, beside the database itself and the command line.
READS_THE_DATABASE = {
    f"benchmark/{name}.py"
    for name in ("build", "comparison", "inputs", "origin", "publish", "rerun", "verify")
}
#: What is known of the database without reading it: the names of its hierarchies.
NAMES_OF_THE_DATABASE = {"graphzsl.database.query_file.HIERARCHIES"}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def _imports(path: Path) -> list[tuple[str, bool]]:
    """The modules that a file imports, and whether at its top; imports for type checkers alone do
    not count."""
    tree = _tree(path)
    checked = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    top, found = {id(node) for node in tree.body}, []
    for node in ast.walk(tree):
        if id(node) in checked:
            continue
        if isinstance(node, ast.Import):
            found += [(name.name, id(node) in top) for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [(f"{node.module}.{name.name}", id(node) in top) for name in node.names]
    return found


def _files() -> Iterator[tuple[str, str, Path]]:
    """(path from the package, its folder or "", file) of every module."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        yield name, name.partition("/")[0] if "/" in name else "", path


def test_the_database_is_read_where_names_say_so() -> None:
    for name, folder, path in _files():
        if folder in ("analysis", "benchmark") and not name.endswith("/from_database.py"):
            used = {
                module
                for module, _ in _imports(path)
                if module.startswith("graphzsl.database") and module not in NAMES_OF_THE_DATABASE
            }
            assert not used or name in READS_THE_DATABASE, f"{name} imports {', '.join(used)}"


def test_only_the_command_line_prints() -> None:
    for name, folder, path in _files():
        if folder != "cli" and name != "common/progress.py":
            called = {
                ast.unparse(node.func)
                for node in ast.walk(_tree(path))
                if isinstance(node, ast.Call)
            }
            assert not called & {"print", "click.echo", "click.secho"}, name
            # a child writes what it has read to its own output
            if name != "__main__.py" and not name.endswith("_child.py"):
                attributes = {
                    ast.unparse(node)
                    for node in ast.walk(_tree(path))
                    if isinstance(node, ast.Attribute)
                }
                assert not attributes & {"sys.stderr", "sys.stdout"}, name


#: What reads text without ``text_files``, and how often: files of the package itself, and what
#: streams a text or answers for every error of it.
READS_TEXT_ITSELF = {
    "ilsvrc/annotation_cost.py": 1,
    "ilsvrc/boxes/readers/coco.py": 1,
    "ilsvrc/boxes/readers/tables.py": 1,
    "audit/unplaced_classes.py": 1,
    "cli/query.py": 1,
    "names/shipped_names.py": 1,
    "reports/pictures/fragment.py": 1,
    "reports/pictures/picture.py": 1,
    "common/reading/json_parts.py": 1,
    "common/reading/json_places.py": 1,
    "common/reading/schema.py": 1,
    "reports/page.py": 1,
    "data/word_vectors.py": 1,
    "sources/published/__init__.py": 1,
    "sources/wordnet.py": 6,
    "sources/wordnet_content.py": 2,
}


def _reads_text(node: ast.AST) -> bool:
    """Whether it opens a file as text, to read it."""
    if not isinstance(node, ast.Call):
        return False
    attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if attribute == "read_text":
        return True
    if attribute == "decode":
        return "read_bytes()" in ast.unparse(node.func)
    if "open_file" in (attribute, ast.unparse(node.func)):
        return len(node.args) > 1  # an encoding
    if attribute != "open" and ast.unparse(node.func) != "open":
        return False
    named = [keyword.value for keyword in node.keywords if keyword.arg == "mode"]
    given = [*node.args[0 if attribute else 1 :][:1], *named]
    modes = [each.value for each in given if isinstance(each, ast.Constant)]
    if given and not modes:
        return False  # the open of something else: a zip, an image
    return not modes or not any(letter in str(modes[0]) for letter in "bwxa")


def test_texts_from_outside_are_read_in_one_way() -> None:
    """The one way names the line that is not UTF-8; many another way ends in a traceback there."""
    found = Counter(
        name
        for name, folder, path in _files()
        if folder != "database"
        for node in ast.walk(_tree(path))
        if _reads_text(node)
    )
    assert dict(found) == READS_TEXT_ITSELF


#: What reads lines itself, and what of: no list of classes, which ``sources/class_files`` reads.
READS_LINES = {
    "analysis/granularity/inputs.py": "objects of JSON",
    "cli/granularity/captions.py": "names of samples",
    "data/windows.py": "numbers of windows",
    "embeddings/formats/xlsa17.py": "the published files of xlsa17",
    "ilsvrc/boxes/inputs.py": "images",
    "sources/captions.py": "captions",
    "sources/frequency_packages.py": "words and counts",
    "sources/imagenet.py": "shipped lists of wnids",
    "sources/tables.py": "the one reader of pairs",
}


def test_lists_of_classes_have_one_reader() -> None:
    """A second one would take other files, and take them otherwise."""
    calls = {
        name
        for name, _, path in _files()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "read_lines"
    }
    assert calls == READS_LINES.keys()


#: Modules that ask for all synsets of a word, and what for; others ask what it means.
ALL_SENSES = {
    "database/names.py": "a word of a database that is empty",
    "hierarchy/resolver.py": "a line where there are others",
    "hierarchy/meanings.py": "the rule itself",
    "analysis/synsets/from_database.py": "a word, of which the usual sense is looked at",
    "names/answers.py": "answers, of which a sense is always taken",
    "names/readings.py": "a line where there are others",
    "names/name_matching.py": "the message about a name that no candidate has",
    "names/class_language.py": "names that are no words at all",
    "names/drafts.py": "the other readings of a row",
    "data/own_classes.py": "the vector of a synset by its name",
    "reports/pictures/what.py": "a word, or else a file or folder",
}


def test_a_word_has_one_rule() -> None:
    """Who counts the synsets of a word by himself calls other words clear than the rule does."""
    calls = {
        name
        for name, _, path in _files()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("meanings", "tagged_senses")
    } - {"cli/words.py"}  # meanings of words in texts, another function
    assert calls == ALL_SENSES.keys()


def test_options_are_named_by_the_command_line_alone() -> None:
    """An error of the library has its ``argument``: who imports the package has no options."""
    raised = 0
    for name, folder, path in _files():
        if folder == "cli":
            continue
        for statement in ast.walk(_tree(path)):
            if isinstance(statement, ast.Raise):
                raised += 1
                for node in ast.walk(statement):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        said = re.search(r"--[a-z]+", node.value)
                        assert not said, f"{name}:{node.lineno} names {said and said[0]}"
    assert raised > 300


@pytest.mark.parametrize(
    ("folders", "forbidden"),
    [
        (("database", "splits", "analysis", "benchmark"), "torch"),
        (("models", "audit"), "neo4j"),
    ],
)
def test_nothing_crosses_the_line(folders: tuple[str, ...], forbidden: str) -> None:
    """In one process of its own, all modules on one side of the line are imported: the library of
    the other side is not."""
    modules = [
        "graphzsl." + name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        for name, folder, _ in _files()
        if folder in folders and name != "database/ogm.py"
    ]
    code = (
        "import sys\n"
        + "".join(f"import {module}\n" for module in modules)
        + f"print({forbidden!r} in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_help_imports_nothing_heavy() -> None:
    code = """
import sys
from graphzsl.cli import main
main(["--help"], standalone_mode=False)
heavy = ("torch", "neo4j", "gensim", "nltk", "numpy", "timm")
print([name for name in heavy if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_help_of_every_command_and_the_model_pages_import_nothing_heavy() -> None:
    """``--help`` of each, and ``train --list``, in one process: the first that imports
    a heavy library is named."""
    code = """
import sys

import click
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.models.registry import MODELS

heavy = (
    "torch", "torch_geometric", "neo4j", "scipy", "sklearn", "gensim", "matplotlib", "nltk", "timm",
    "pyarrow", "h5py",
)
asked = 0


def ask(*arguments):
    global asked
    answer = CliRunner().invoke(main, arguments)
    said = " ".join(("graphzsl", *arguments))
    imported = [name for name in heavy if name in sys.modules]
    if answer.exit_code or not answer.stdout:
        sys.exit(f"{said} failed: {answer.output}{answer.exception!r}")
    if imported:
        sys.exit(f"{said} imported {', '.join(imported)}")
    asked += 1


def walk(command, path):
    ask(*path, "--help")
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            walk(command.get_command(context, name), [*path, name])


walk(main, [])
ask("train", "--list")
for name in MODELS:
    ask("train", name, "--help")
print(asked)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    # commands and groups, the models' own ``train`` among them
    assert int(done.stdout) > 130 + len(MODELS)


def _commands(command: click.Command, path: str = "graphzsl") -> list[tuple[str, click.Command]]:
    found = [(path, command)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            found += _commands(child, f"{path} {name}")
    return found


def test_every_command_and_option_is_documented() -> None:
    from graphzsl.cli import main

    commands = _commands(main)
    assert len(commands) > 80
    for path, command in commands:
        assert (command.help or "").strip(), path
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help or parameter.show_default, f"{path} {parameter.name}"


def _parameters() -> Iterator[tuple[str, click.Parameter, click.ParamType]]:
    """Place, parameter and type of every parameter of every command; a tuple's types one by one."""
    from graphzsl.cli import main

    for path, command in _commands(main):
        for parameter in command.params:
            several = isinstance(parameter.type, click.Tuple)
            for kind in parameter.type.types if several else [parameter.type]:  # type: ignore[attr-defined]
                yield f"{path}: {parameter.opts[0]}", parameter, kind


def test_every_number_has_a_range_and_is_finite() -> None:
    """And is in ASCII digits, as in files."""
    from graphzsl.cli.types import Real, Whole

    numbers = [
        (where, kind)
        for where, _, kind in _parameters()
        if isinstance(kind, type(click.INT) | type(click.FLOAT))
    ]
    assert len(numbers) > 150
    for where, kind in numbers:
        assert isinstance(kind, Whole | Real), f"{where} has no range, or takes every digit"
        assert (kind.min, kind.max) != (None, None), f"{where} has a range without a bound"
        for text in ("nan", "inf", "-inf", "1_0", "0_0.9_5", "٣", "９", "9" * 5000):
            assert not _takes(kind, text), f"{where} takes {text}"


def _takes(kind: click.ParamType, text: str) -> bool:
    try:
        kind.convert(text, None, None)
    except click.BadParameter:
        return False
    return True


def test_every_seed_is_one_type() -> None:
    seeds = {
        where: kind
        for where, parameter, kind in _parameters()
        if (parameter.name or "").split("_")[-1] == "seed"
    }
    assert len(seeds) > 60
    assert len({id(kind) for kind in seeds.values()}) == 1, seeds


def test_every_class_that_is_asked_for_is_one_type() -> None:
    """A synset on the command line is a wnid, a name or a word, wherever one is taken."""
    taken = {
        where
        for where, parameter, kind in _parameters()
        if isinstance(kind, Synset)
        or re.search(r"(^|_)(wnids?|synsets?)($|_)", parameter.name or "")
        or re.match(r"SYNSET", parameter.metavar or "")
        or re.search(r"\b[Ss]ynset\b", getattr(parameter, "help", None) or "")
    }
    others = {
        "graphzsl look: synset": "shows the first sense of a word, and lists the others",
        "graphzsl convert published: --wnids": "a file",
        "graphzsl convert xlsa17: --wnids": "a file",
        "graphzsl study words meaning: --rule": "a rule",
        "graphzsl semantics word-vectors: --terms": "a rule",
        "graphzsl evaluate words: --expand": "a rule",
    }
    of_type = {where for where, _, kind in _parameters() if isinstance(kind, Synset)}
    assert taken - of_type == set(others)
    assert of_type == {
        "graphzsl split explain: wnids",
        "graphzsl split paint: --around",
        "graphzsl study ilsvrc bins: --natural",
        "graphzsl study ilsvrc bins: --man-made",
    }


def test_every_path_is_read_or_says_what_is_written() -> None:
    """A path that need not exist is a file, whose suffix is checked, or a folder; so is whatever is
    named or described as written."""
    written = re.compile(r"\bto write\b|\b[Ww]rite (the|whether|its)\b")
    outputs = 0
    for where, parameter, kind in _parameters():
        named = parameter.name in (
            "out",
            "save",
            "figure",
            "flags",
            "configurations",
            "classes_table",
        )
        said = written.search(getattr(parameter, "help", None) or "")
        new = isinstance(kind, click.File) or (isinstance(kind, click.Path) and not kind.exists)
        if named or said or new:
            outputs += 1
            assert isinstance(kind, Written | Folder), (
                f"{where} is written; its type is neither Written nor Folder"
            )
            assert isinstance(kind, Folder) or kind.suffixes, f"{where} has no suffix"
    assert outputs > 90
