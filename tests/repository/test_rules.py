"""Rules of the floor plan: rooms, floors, and who may import whom."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import networkx
import pytest

import graphzsl

PACKAGE = Path(graphzsl.__file__).parent
#: The core, floor by floor: a room imports rooms of lower floors alone.
CORE = (
    {"common"},
    {"sources"},
    {"hierarchy"},
    {"names", "metrics", "data"},
    {"database", "audit"},
    {"splits"},
    {"reports"},
)
#: Wings import the core, and of each other only these.
WINGS = {"embeddings", "models", "analysis", "benchmark", "clip", "ilsvrc"}
BETWEEN_WINGS = {("benchmark", "analysis"), ("models", "embeddings"), ("clip", "embeddings")}
#: The face of Python, and the command line, which ``__main__`` starts.
FACE, COMMANDS = "__init__", "cli"
#: Measured once with some air; fewer is better.
ROOMS, FLOORS, ARROWS = 20, 10, 130
#: A library -> where it may be imported at the top of a file, and inside functions.
LIBRARIES = {
    "neo4j": (("database/",), ("database/",)),
    "py2neo": (("database/ogm.py",), ("database/ogm.py",)),
    "torch": (
        (
            "models/",
            "embeddings/features/images.py",
            "embeddings/features/image_batches.py",
            "embeddings/features/processes.py",
        ),
        (
            "metrics/hierarchical/torchmetrics.py",
            "models/",
            "embeddings/features/",
            "common/reading/torch_files.py",
            "clip/",
            "common/compute.py",
            "data/pyg.py",
        ),
    ),
    "click": (("cli/",), ("cli/",)),
}


def module_of(name: str) -> str:
    """Name of the module of a file, given from the package."""
    dotted = name.removesuffix(".py").replace("/", ".")
    return f"graphzsl.{dotted}".removesuffix(".__init__")


def files() -> Iterator[tuple[str, Path]]:
    """(path from the package, file) of every module."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), path


MODULES = {module_of(name): name for name, _ in files()}


def room_of(name: str) -> str:
    """Room of a file: its folder, the face, or (of ``__main__``) the command line."""
    room = name.partition("/")[0].removesuffix(".py")
    return COMMANDS if room == "__main__" else room


def behind_the_door(path: Path) -> list[str]:
    """Names of the modules' own that a room's ``__init__`` imports on first use: its stub's."""
    stub = path.with_suffix(".pyi")
    room = ".".join(("graphzsl", *path.parent.relative_to(PACKAGE).parts)) if stub.exists() else ""
    return [
        f"{room}.{node.module}.{name.name}" if node.module else f"{room}.{name.name}"
        for node in (ast.parse(stub.read_text()).body if stub.exists() else ())
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    ]


@cache
def imports(path: Path) -> list[tuple[str, bool]]:
    """(module or name in one, whether at the top) of every import, those for type checkers and
    those that a door makes on first use too."""
    tree = ast.parse(path.read_text())
    top = {id(node) for node in tree.body}
    found = [(name, False) for name in behind_the_door(path)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(name.name, id(node) in top) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = origin(node, path)
            found += [(f"{module}.{name.name}", id(node) in top) for name in node.names]
    return found


def origin(node: ast.ImportFrom, path: Path) -> str:
    """The module that names come from; dots stand for the folders of a file of the package."""
    if not node.level:
        return node.module or ""
    folders = ("graphzsl", *path.relative_to(PACKAGE).parts)
    return ".".join((*folders[: len(folders) - node.level], *filter(None, [node.module])))


@cache
def graph_of_files() -> networkx.DiGraph:
    """File -> the files that it imports, within functions and for type checkers too."""
    graph = networkx.DiGraph()
    for name, path in files():
        for full, _ in imports(path):
            target = MODULES.get(full) or MODULES.get(full.rpartition(".")[0])
            if target and target != name:
                graph.add_edge(name, target)
    return graph


@cache
def graph_of_rooms() -> networkx.DiGraph:
    """Room -> the rooms that it imports."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(room_of(name) for name, _ in files())
    pairs = ((room_of(one), room_of(other)) for one, other in graph_of_files().edges)
    graph.add_edges_from((one, other) for one, other in pairs if one != other)
    return graph


def _is_allowed(room: str, other: str) -> bool:
    floor = {name: place for place, rooms in enumerate(CORE) for name in rooms}
    if room == COMMANDS:
        return True
    if room == FACE:
        return other != COMMANDS
    if room in WINGS:
        return other in floor or (room, other) in BETWEEN_WINGS
    return other in floor and floor[other] < floor[room]


def test_every_room_imports_those_below_it_alone() -> None:
    assert set(graph_of_rooms()) == {*WINGS, FACE, COMMANDS}.union(*CORE)
    wrong = [
        f"{one} imports {other}"
        for one, other in graph_of_files().edges
        if room_of(one) != room_of(other) and not _is_allowed(room_of(one), room_of(other))
    ]
    assert wrong == []


def test_the_house_is_small_enough_to_know() -> None:
    rooms = graph_of_rooms()
    floors = networkx.dag_longest_path_length(rooms) + 1
    counts = (len(rooms), floors, rooms.number_of_edges())
    assert all(count <= most for count, most in zip(counts, (ROOMS, FLOORS, ARROWS), strict=True))
    assert len([*PACKAGE.glob("*.py")]) <= 3


def test_no_files_import_each_other() -> None:
    """Not for type checkers either."""
    circles = networkx.strongly_connected_components(graph_of_files())
    assert [sorted(circle) for circle in circles if len(circle) > 1] == []


def test_the_library_does_not_import_its_face() -> None:
    graph = graph_of_files()
    assert {room_of(name) for name in graph.predecessors("__init__.py")} <= {COMMANDS}


def doors_used(path: Path) -> Iterator[tuple[str, str]]:
    """(room, name in it) of every import of a file; of a whole room the names that the file takes
    from it, or an empty one."""
    for full, _ in imports(path):
        package, _, rest = full.partition(".")
        room, _, inside = rest.partition(".")
        if package == "graphzsl" and (PACKAGE / room).is_dir():
            yield from [(room, inside)] if inside else taken_from(room, path)


def taken_from(room: str, path: Path) -> list[tuple[str, str]]:
    """(room, name) of every ``room.name`` in a file, or of no name."""
    taken = [
        (room, node.attr)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == room
    ]
    return taken or [(room, "")]


def test_the_command_line_knocks_at_doors() -> None:
    """It imports what the ``__init__`` of a room offers, and nothing from inside a room."""
    wrong = [
        f"{name} imports {room}.{inside}"
        for name, path in files()
        if room_of(name) == COMMANDS
        for room, inside in doors_used(path)
        if room != COMMANDS and inside and inside not in import_module(f"graphzsl.{room}").__all__
    ]
    assert wrong == []


def documented() -> set[tuple[str, str]]:
    """(room, name in it) of every import in the pages."""
    pages = [page for page in Path("docs").rglob("*") if page.suffix in (".md", ".py", ".ipynb")]
    return {
        (room, name)
        for page in (Path("README.md"), *pages)
        for room, names in re.findall(r"from graphzsl\.(\w+) import ([\w, ]+)", page.read_text())
        for name in re.split(r",\s*", names)
    }


def test_what_a_door_offers_somebody_takes() -> None:
    """Another room, the face, or who reads the pages; tests alone are nobody."""
    used = documented()
    for name, path in files():
        used |= {(room, inside) for room, inside in doors_used(path) if room != room_of(name)}
    offered = {
        (room, name)
        for room in {*WINGS}.union(*CORE)
        if (room, "") not in used
        for name in import_module(f"graphzsl.{room}").__all__
        if name not in graphzsl.__all__
    }
    assert offered - used == set()


def test_a_name_of_a_door_is_that_of_no_other_module() -> None:
    """Python binds an imported module to the name of its file in its room: ``room.name`` would be
    the module then."""
    modules = {name.removesuffix(".py").removesuffix("/__init__") for name, _ in files()}
    wrong = [
        full
        for name, path in files()
        if room_of(name) != FACE
        for full in behind_the_door(path)
        for room, _, inside in [full.removeprefix("graphzsl.").partition(".")]
        for module, _, word in [inside.rpartition(".")]
        if f"{room}/{word}" in modules and module and module != word
    ]
    assert wrong == []


def test_relative_imports_are_resolved() -> None:
    one = ast.ImportFrom(None, [], level=1)
    two = ast.ImportFrom("names.drafts", [], level=2)
    path = PACKAGE / "common" / "errors.py"
    assert (origin(one, path), origin(two, path)) == ("graphzsl.common", "graphzsl.names.drafts")


#: What imports modules by names that it makes up: models, commands, and lists of other packages.
IMPORTS_BY_NAME = {"models/registry.py", "cli/groups.py", "embeddings/features/classifiers.py"}


def imported_by_name(source: str) -> list[str]:
    """The modules that a text of Python imports by calls, but for other packages by their names;
    those of a name that is made up as it is written."""
    calls = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__")
    ]
    names = [ast.unparse(each.args[0] if each.args else each) for each in calls]
    return [name for name in names if not re.match(r"'(?!graphzsl\b)\w", name)]


def test_modules_are_imported_by_statements() -> None:
    """Imports by a call are in no graph of imports."""
    assert {name for name, path in files() if imported_by_name(path.read_text())} == IMPORTS_BY_NAME
    assert imported_by_name("importlib.import_module('graphzsl.cli')") == ["'graphzsl.cli'"]
    assert imported_by_name("import_module('.x', 'graphzsl'); import_module('IPython.x')") == [
        "'.x'"
    ]


@pytest.mark.parametrize("library", LIBRARIES)
def test_libraries_are_imported_where_they_belong(library: str) -> None:
    top, inside = LIBRARIES[library]
    count = 0
    for name, path in files():
        for module, at_top in imports(path):
            if module.split(".")[0] == library:
                count += 1
                assert name.startswith(top if at_top else inside), f"{name} imports {module}"
    assert count
