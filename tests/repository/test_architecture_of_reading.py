"""No module opens a kind of file on its own: what damaged and hostile files do is answered once, in
``graphzsl/common/reading/``."""

from __future__ import annotations

import ast
from pathlib import Path

import graphzsl

PACKAGE = Path(graphzsl.__file__).parent
#: Call -> where it may stand beside ``common/reading/``, and why.
OPENERS = {
    "json.loads": {
        "embeddings/features/feature_parts.py": "what was written as JSON a moment ago",
    },
    "json.load": {},
    "json.JSONDecoder": {},
    "tomllib.loads": {
        "common/text_files.py": "the reader of TOML",
        "common/toml_problems.py": "what the reader of TOML has read",
        "benchmark/recipe.py": "what the reader of TOML has read",
        "benchmark/publish.py": "what the reader of TOML has read",
        "names/shipped_names.py": "a file of the package",
        "ilsvrc/papers/printed.py": "a file of the package",
        "sources/published/__init__.py": "a file of the package",
    },
    "tomllib.load": {},
    "np.load": {},
    "np.fromfile": {"ilsvrc/boxes/class_files.py": "what it wrote itself a moment ago"},
    "np.memmap": {},
    "np.loadtxt": {},
    "np.genfromtxt": {},
    "pq.read_table": {},
    "pq.ParquetFile": {},
    "pd.read_parquet": {},
    "pd.read_csv": {},
    "h5py.File": {},
    "loadmat": {},
    "torch.load": {},
    "safe_open": {},
    "load_file": {},
    "gzip.open": {},
    "bz2.open": {},
    "lzma.open": {},
    "pickle.load": {},
    "pickle.loads": {},
    "pickletools.genops": {},
    "make_parser": {},
    "iterparse": {},
    "ElementTree.parse": {},
    "ElementTree.fromstring": {},
    "zipfile.ZipFile": {
        "database/browser/site.py": "a jar with a pinned checksum",
        "database/unpacked.py": "a jar of a Neo4j that the user has unpacked",
        "sources/wordnet_files.py": "a jar with a pinned checksum",
        "audit/formats/other_files.py": "the names in an archive alone",
    },
    "tarfile.open": {},
    "shelve.open": {},
    "marshal.loads": {},
    "yaml.load": {},
}


def _calls(path: Path) -> set[str]:
    """The calls in a file, as they are written; of ``numpy.load`` the usual short form."""
    called = {
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call | ast.Attribute) and hasattr(node, "func")
    }
    short = {"numpy.": "np.", "pandas.": "pd.", "pyarrow.parquet.": "pq.", "ET.": "ElementTree."}
    for long, written in short.items():
        called |= {each.replace(long, written) for each in called if each.startswith(long)}
    return called


def test_files_are_opened_by_the_readers_alone() -> None:
    used: set[tuple[str, str]] = set()
    opened_in_reading: set[str] = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        called = _calls(path) & OPENERS.keys()
        if name.startswith("common/reading/"):
            opened_in_reading |= called
            continue
        for each in called:
            assert name in OPENERS[each], (
                f"{name} calls {each}: take the reader of graphzsl.common.reading"
            )
            used.add((each, name))
    # the list holds nothing that has gone
    assert used == {(call, name) for call, names in OPENERS.items() for name in names}
    assert len(opened_in_reading) > 9, opened_in_reading


#: Files that read others without ``open_file``, which refuses pipes and devices, and why they may.
UNCHECKED = {
    "ilsvrc/annotation_cost.py": "a file of the package",
    "common/atomic.py": "what was written a moment ago",
    "benchmark/differences.py": "asks before whether it is a file",
    "benchmark/verify.py": "asks before whether it is a file",
    "ilsvrc/boxes/class_files.py": "what it wrote itself a moment ago",
    "cli/picture.py": "asks before whether it is a file",
    "cli/query.py": "a file of the package",
    "names/shipped_names.py": "a file of the package",
    "database/browser/begin.py": "a file of the package",
    "database/browser/site.py": "pages that it has unpacked itself",
    "database/browser/style.py": "a file of the package",
    "database/class_archive.py": "what its own server wrote a moment ago",
    "database/contract.py": "a file of the package",
    "database/jars.py": "a file of the package",
    "database/server_log.py": "what the own server writes",
    "database/server_state.py": "the own server's configuration",
    "reports/pictures/fragment.py": "a file of the package",
    "reports/pictures/picture.py": "a file of the package",
    "reports/page.py": "a file of the package",
    "sources/published/__init__.py": "a file of the package",
    "common/text_files.py": "the reader of texts, which asks before",
}
#: What else has a method ``open`` that opens no file of a path.
_OTHERS = {
    *("FeatureFolder", "Image", "archive", "os", "self", "server", "system", "webbrowser"),
}


def _reads(call: ast.Call) -> bool:
    """Whether a call reads a file by its path: ``open`` to read, ``read_text``, ``read_bytes``."""
    if isinstance(call.func, ast.Attribute):
        name, of = call.func.attr, ast.unparse(call.func.value)
    else:
        name, of = ast.unparse(call.func), ""
    if name != "open" or of in _OTHERS:
        return bool(of) and name in ("read_text", "read_bytes")
    texts = {value.value for value in call.args if isinstance(value, ast.Constant)}
    return texts.isdisjoint(("w", "wb", "a", "ab"))


def test_files_of_others_are_opened_where_pipes_are_refused() -> None:
    found = {
        name
        for path in PACKAGE.rglob("*.py")
        if not (name := path.relative_to(PACKAGE).as_posix()).startswith("common/reading/")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and _reads(node)
    }
    assert found == UNCHECKED.keys(), "take open_file of graphzsl.common.reading.bounds"


#: Functions that ask whether a text is of digits and read one with ``int``, and why they may.
OF_DIGITS = {
    ("ilsvrc/annotation_cost.py", "detection_questions"): "a file of the package",
    ("analysis/words/texts.py", "_offsets"): "bytes, of at most 18 digits",
    ("database/client.py", "version_number"): "the server's own version",
}


def _uses(function: ast.AST) -> tuple[bool, bool]:
    """Whether a function asks for digits, and whether it reads with ``int``, called or handed on;
    as a type it reads nothing."""
    nodes = list(ast.walk(function))
    types = {
        id(part)
        for node in nodes
        for kind in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if isinstance(kind, ast.AST)
        for part in ast.walk(kind)
    }
    asks = any(
        isinstance(node, ast.Attribute) and node.attr in ("isdecimal", "isdigit", "isnumeric")
        for node in nodes
    )
    reads = any(
        isinstance(node, ast.Name) and node.id == "int" and id(node) not in types for node in nodes
    )
    return asks, reads


def test_texts_of_digits_are_read_as_numbers_in_one_place() -> None:
    """``isdecimal`` says yes to the digits of every script, and to more of them than ``int``
    reads."""
    found = {
        (path.relative_to(PACKAGE).as_posix(), function.name)
        for path in PACKAGE.rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef) and _uses(function) == (True, True)
    }
    assert found == OF_DIGITS.keys(), "take graphzsl.common.reading.number_texts"


#: Functions that try whether ``int`` or ``float`` reads something, and why they may.
TRIED = {
    ("embeddings/features/feature_parts.py", "_facts"): "the size of a type",
    ("common/reading/number_texts.py", "decimal"): "the one place",
    ("common/reading/number_texts.py", "number_of"): "the one place",
}


def _tries_numbers(function: ast.FunctionDef) -> bool:
    """Whether it calls ``int`` or ``float`` where it answers for a ValueError."""
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("int", "float")
        for node in ast.walk(function)
        if isinstance(node, ast.Try)
        and any(each.type and "ValueError" in ast.unparse(each.type) for each in node.handlers)
        for statement in node.body
        for call in ast.walk(statement)
    )


def test_numbers_of_files_are_read_in_one_place() -> None:
    """``float`` reads ``1_0``, digits of every script, and bytes."""
    found = {
        (path.relative_to(PACKAGE).as_posix(), function.name)
        for path in PACKAGE.rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef) and _tries_numbers(function)
    }
    assert found == TRIED.keys(), "take graphzsl.common.reading.number_texts"


def test_children_import_nothing_of_the_package() -> None:
    """They start in half a second, and what ends them ends nothing else."""
    children = sorted((PACKAGE / "common" / "reading").glob("*_child.py"))
    assert len(children) == 2
    for path in children:
        assert "from graphzsl" not in path.read_text()
        assert "import graphzsl" not in path.read_text()
