"""The reference, written from the code into docs/generated before the site is read: commands from
click, the Python face from its docstrings, queries from the headers of their files, JSON from its
schemas."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click
from docutils import nodes
from pygments.lexers.graph import CypherLexer
from pygments.lexers.special import TextLexer
from pygments.token import Name, Number, Operator
from sphinx.application import Sphinx

import graphzsl
from extensions.links import DOCS, ROOT, site_links
from graphzsl.cli import COMMANDS
from graphzsl.database.library import library
from graphzsl.reading.schema import schema_of

if TYPE_CHECKING:
    from graphzsl.database.query import Query

FOLDER = DOCS / "generated"


class Cypher(CypherLexer):  # type: ignore[misc]
    """Pygments' own with parameters, and with all other signs of newer statements."""

    tokens: ClassVar = {
        **CypherLexer.tokens,
        "root": [
            (r"\$\w+", Name.Variable),
            *CypherLexer.tokens["root"],
            (r"\d+", Number),
            (r"\S", Operator),
        ],
    }


#: Part of the page of the Python face -> its names, in the order in which one meets them. Names
#: that stand nowhere here are put into the last part.
PARTS = {
    "Splits and the database": """
        connect Database hop_split load_split Split closest_classes hcorrect_sets
    """,
    "The hierarchy": "Hierarchy",
    "Audits and evaluation": "evaluate Evaluation read_predictions Predictions write_report",
    "Class names and CLIP": "class_names check_names clip_head run_clip",
    "Data sets and models": """
        train Model load_model register_model read_xlsa17 ZeroShotDataset Samples ClassMatrix
        Subgraph
    """,
    "Settings and all else": "Settings load_settings",
}
#: What public names return, or take from each other.
RETURNED = (
    "hierarchy.closest.Closest",
    "hierarchy.hcorrect.HCorrectSet",
    "evaluation.evaluated_run.EvaluatedRun",
    "evaluation.mistakes.Mistakes",
    "data.class_naming.ClassNames",
    "data.name_findings.NameCheck",
    "data.name_findings.Finding",
    "data.name_findings.UnknownName",
    "data.name_lists.NameList",
    "data.name_lists.Listed",
    "hierarchy.lexicon.Lexicon",
    "hierarchy.lexicon.Sense",
    "database.query.Query",
    "database.query.Range",
    "database.query.Example",
    "clip.run.ClipRun",
)
FOLDERS = {
    "schema": "Constraints and indexes.",
    "ingest": "How data come into the graph.",
    "splits": "Hop splits and what is asked of class sets.",
    "evaluation": "Closest training classes, hCorrectSets, ancestors.",
    "export": "What files are written from.",
    "words": "Words, what they mean, and how often they occur.",
    "populations": "Numbers of images.",
    "granularity": "Levels of the hierarchy and groups of classes.",
    "browser": "What people look at in Neo4j Browser, and its guide is written from.",
    "paint": "Roles of a split as labels, for the colours of Neo4j Browser.",
    "checks": "Invariants: no row is healthy.",
}


def pages() -> dict[str, str]:
    """Page of docs/generated -> its text."""
    found = {f"command-{name}.rst": command_page(name) for name in COMMANDS}
    found |= {f"cypher-{name}.md": text for name, text in cypher_pages().items()}
    found["commands.md"] = command_index()
    found["python-names.md"] = python_page()
    found |= {f"schema-{name}.md": schema_page(schema) for name, schema in schemas().items()}
    found["schemas.md"] = schema_index()
    found["extras.md"] = extras_page()
    found["cypher.md"] = cypher_index()
    for page, file in {
        "contributing.md": "CONTRIBUTING.md",
        "changelog.md": "CHANGELOG.md",
        "benchmark-default.md": "benchmarks/default/README.md",
        "benchmark-max-ratio.md": "benchmarks/max-ratio/README.md",
    }.items():
        found[page] = without_front_matter(copied(file, page))
    return found


def copied(file: str, page: str) -> str:
    """A file of the repository as a page."""
    return site_links((ROOT / file).read_text(encoding="utf-8"), ROOT / file, FOLDER / page)


def without_front_matter(text: str) -> str:
    """The text behind the block of YAML that a data set card begins with."""
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)


def command_page(name: str) -> str:
    """All of ``graphzsl NAME``, with the commands below it."""
    module, _ = COMMANDS[name]
    return f""".. click:: {module}:command
   :prog: graphzsl {name}
   :nested: full
"""


def command_index() -> str:
    """All groups and commands, each with its line of help."""
    lines = [f"| [{name}](command-{name}.rst) | {text} |" for name, (_, text) in COMMANDS.items()]
    names = "\n".join(f"command-{name}" for name in COMMANDS)
    table = "\n".join(["| graphzsl | |", "|---|---|", *lines])
    return f"# Commands\n\n{table}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"


def schema_index() -> str:
    """All kinds of JSON that graphzsl writes."""
    rows = [
        f"| [{kind_of(schema)}](schema-{name}.md) | {prose(schema['title'])} |"
        for name, schema in schemas().items()
    ]
    table = "\n".join(["| kind | what it is |", "|---|---|", *rows])
    names = "\n".join(f"schema-{name}" for name in schemas())
    return (
        "# Schemas\n\nWhat is checked of JSON that graphzsl wrote when it is read again; the files"
        f" are `graphzsl/schemas/`.\n\n{table}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    )


def kind_of(schema: dict[str, Any]) -> str:
    """The kind of document that a schema is of."""
    kind: str = schema["properties"]["kind"]["const"]
    return kind


def schemas() -> dict[str, dict[str, Any]]:
    """Name of a file of graphzsl/schemas without its ending -> the schema."""
    names = sorted(
        each.name.removesuffix(".schema.json")
        for each in (files("graphzsl") / "schemas").iterdir()
        if each.name.endswith(".schema.json")
    )
    return {name: schema_of(name) for name in names}


def schema_page(whole: dict[str, Any]) -> str:
    """What is checked of one kind of JSON."""
    rows = [f"| `{place}` | {what} | {said} |" for place, what, said in _places(whole, whole, "")]
    table = "\n".join(["| place | what it is | |", "|---|---|---|", *rows])
    needed = ", ".join(f"`{name}`" for name in whole["required"])
    return (
        f"# {kind_of(whole)}\n\n{prose(whole['title'])}. `*` stands for every key of an object, or"
        f" every item of a list. Each has {needed}.\n\n{table}\n"
    )


def _places(schema: dict[str, Any], whole: dict[str, Any], at: str) -> Iterator[tuple[str, ...]]:
    """(place, kind of value, description) of what a schema knows, from the outside in."""
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rpartition("/")[2]]
    if at:
        kinds = schema.get("type", [])
        kind = kinds if isinstance(kinds, str) else " or ".join(kinds)
        yield (
            at,
            kind or " or ".join(map(str, schema.get("enum", [schema.get("const", "")]))),
            prose(schema.get("description", "")),
        )
    inside = dict(schema.get("properties", {}))
    for key in ("additionalProperties", "items"):
        if isinstance(schema.get(key), dict):
            inside["*"] = schema[key]
    for name, each in inside.items():
        yield from _places(each, whole, f"{at}/{name}" if at else name)


def extras_page() -> str:
    """What each extra of the package brings."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    rows = [("extra", "brings"), ("---", "---")]
    rows.append(("none", bare(project["dependencies"])))
    rows += [
        (f"`{name}`", bare(needed)) for name, needed in project["optional-dependencies"].items()
    ]
    table = "\n".join(f"| {name} | {needed} |" for name, needed in rows)
    return (
        "# Extras\n\n`pip install 'graphzsl[models,images]'` takes several. A command that misses a"
        f" library says which extra brings it.\n\n{table}\n"
    )


def bare(needed: list[str]) -> str:
    """Requirements without their versions; an extra of ours by its name."""
    names = [re.split(r"[<>=,]", name)[0] for name in needed]
    own = [re.findall(r"\[(.*)\]", each)[0].split(",") for each in needed if "[" in each]
    ours = [f"`{name}`" for names in own for name in names]
    return ", ".join([*ours, *(name for name in names if "[" not in name)])


def python_page() -> str:
    """An entry for every public name."""
    parts = {part: names.split() for part, names in PARTS.items()}
    named = {name for names in parts.values() for name in names}
    errors = [name for name in graphzsl.__all__ if name.endswith("Error")]
    modules = [name for name in graphzsl.__all__ if name in graphzsl._MODULES]
    others = set(graphzsl.__all__) - named - {*errors, *modules, "__version__"}
    parts["Settings and all else"] += sorted(others)
    text = ["# Names of graphzsl"]
    for part, names in parts.items():
        text += [f"## {part}", *(entry(name) for name in names)]
    for module in modules:
        inside = getattr(graphzsl, module)
        summary = (inside.__doc__ or "").strip().split("\n\n")[0]
        place = f"```{{eval-rst}}\n.. py:module:: graphzsl.{module}\n```"
        text += [f"## graphzsl.{module}", place, summary]
        text += [entry(f"{module}.{name}") for name in inside.__all__]
    text += ["## What they return"]
    text += [directive("autoclass", name) for name in RETURNED]
    text += ["## Errors", *(entry(name) for name in sorted(errors))]
    return "\n\n".join(text) + "\n"


def entry(name: str) -> str:
    """The directive that documents a public name."""
    value: Any = graphzsl
    for part in name.split("."):
        value = getattr(value, part)
    if not isinstance(value, type):
        return directive("autofunction", name)
    return directive("autoexception" if issubclass(value, Exception) else "autoclass", name)


def directive(kind: str, name: str) -> str:
    """A directive of autodoc for a name below graphzsl."""
    options = "" if kind == "autofunction" else "   :members:\n"
    return f"```{{eval-rst}}\n.. {kind}:: graphzsl.{name}\n{options}```"


def cypher_index() -> str:
    """The README of the library, whose index becomes a page for each folder."""
    text = copied("cypher/README.md", "cypher.md").split("\n## Index")[0]
    names = "\n".join(f"cypher-{name}" for name in by_folder())
    return f"{text}\n\n## Queries\n\n```{{toctree}}\n:maxdepth: 2\n\n{names}\n```\n"


def by_folder() -> dict[str, list[Query]]:
    """Folder -> its queries, in the order of FOLDERS."""
    found: dict[str, list[Query]] = {name: [] for name in FOLDERS}
    for query in library().values():
        found.setdefault(query.folder, []).append(query)
    return {name: queries for name, queries in found.items() if queries}


def cypher_pages() -> dict[str, str]:
    """Folder -> its page."""
    return {
        name: "\n\n".join(
            [f"# cypher/{name}", FOLDERS.get(name, ""), *(query_entry(query) for query in queries)]
        )
        + "\n"
        for name, queries in by_folder().items()
    }


def query_entry(query: Query) -> str:
    """One query: what it answers, what it takes and returns, its source and its statement."""
    text = [f"## {query.name}", prose(query.doc)]
    lines = [f"- **Mode** {query.mode}"]
    if query.grain:
        lines.append(f"- **Grain** {prose(query.grain)}")
    if query.returns:
        columns = ", ".join(f"`{name}` {kind}" for name, kind in query.returns.items())
        lines.append(f"- **Columns** {columns}")
    if query.order:
        lines.append(f"- **Order** {prose(query.order)}")
    if query.ref:
        lines.append(f"- **Reference** {prose(query.ref)}")
    text.append("\n".join(lines))
    takes = [
        (f"`${name}`", kind, " ".join([prose(query.params_doc[name]), in_range(query, name)]))
        for name, kind in query.params.items()
    ]
    takes += [
        (f"*{name}*", "", f"varies the statement; as it stands `{value}`".replace("|", "\\|"))
        for name, value in query.vary.items()
    ]
    if takes:
        rows = [("parameter", "type", "meaning"), ("---", "---", "---"), *takes]
        text.append("\n".join("| " + " | ".join(row) + " |" for row in rows))
    text.append(f"```cypher\n{query.body.rstrip()}\n```")
    return "\n\n".join(text)


def in_range(query: Query, name: str) -> str:
    """What numbers a parameter may be."""
    return f"({query.ranges[name]})" if name in query.ranges else ""


def prose(text: str) -> str:
    """Text of a header, with what Markdown would read as its own signs written out."""
    return re.sub(r"([*_|<>$\[\]])", r"\\\1", text)


def write_pages(app: Sphinx) -> None:
    """Write what has changed, and remove what is there no longer."""
    FOLDER.mkdir(exist_ok=True)
    texts = pages()
    for path in FOLDER.iterdir():
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def read_page(app: Sphinx, name: str, source: list[str]) -> None:
    """Links of a page to files that the site shows as pages of its own."""
    path = Path(app.env.doc2path(name))
    if path.suffix == ".md" and FOLDER not in path.parents:
        source[0] = site_links(source[0], path, path)


def help_text(app: Sphinx, ctx: click.Context, lines: list[str]) -> None:
    """Help of a command as text for Sphinx: commands and names as they are typed."""
    found: list[str] = []
    for line in typed(lines):
        if line.startswith("| "):  # examples, which keep their lines
            found += [] if found and found[-1].startswith("   ") else [".. code-block:: shell", ""]
            found.append(f"   {line[2:]}")
        else:
            found.append(line)
    lines[:] = found


def option_text(app: Sphinx, ctx: click.Context, lines: list[str]) -> None:
    """The same of the help of options."""
    lines[:] = typed(lines)


def typed(lines: list[str]) -> list[str]:
    """`this` as ``this``, which is how code is marked there, and stars as they are; neither in
    examples and in the lines of directives."""
    if not lines:
        return lines
    kept = [line for line in lines if re.match(r"\| |\s*\.\. |\s+:", line)]
    text = "\n".join("\0" if line in kept else line for line in lines)
    text = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", text)
    # file: begins an address there
    text = re.sub(r"(?<![`\w])FILE:(\w+)", r"``FILE:\1``", text)
    parts = re.split(r"(``.*?``)", text, flags=re.DOTALL)
    text = "".join(part if part[:2] == "``" else part.replace("*", r"\*") for part in parts)
    originals = iter(kept)
    return [next(originals) if line == "\0" else line for line in text.split("\n")]


def public_name(
    app: Sphinx, env: Any, node: nodes.Element, content: nodes.Element
) -> nodes.Node | None:
    """A reference to where a name lives, as signatures have it, leads to its public name."""
    target = node.get("reftarget", "")
    name = target.rpartition(".")[2]
    homes = graphzsl._HOMES
    if node.get("refdomain") != "py" or target != f"graphzsl.{homes.get(name)}.{name}":
        return None
    return env.domains["py"].resolve_xref(
        env, node["refdoc"], app.builder, "obj", f"graphzsl.{name}", node, content
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_lexer("cypher", Cypher)
    app.add_lexer("csv", TextLexer)
    app.connect("sphinx-click-process-description", help_text)
    app.connect("sphinx-click-process-options", option_text)
    app.connect("sphinx-click-process-arguments", option_text)
    app.connect("builder-inited", write_pages)
    app.connect("source-read", read_page)
    app.connect("missing-reference", public_name)
    return {"parallel_read_safe": True}
