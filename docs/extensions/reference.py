"""The reference, written from the code into docs/generated before the site is read: commands from
click, the Python face from its docstrings, queries from the headers of their files, JSON from its
schemas."""

from __future__ import annotations

import re
import tomllib
from inspect import ismodule
from pathlib import Path
from typing import Any

import click
from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import graphzsl
from extensions.cypher_pages import Cypher, cypher_index, cypher_pages
from extensions.help_text import help_text, option_text
from extensions.links import FOLDER, ROOT, copied, site_links
from extensions.schema_pages import schema_index, schema_page, schemas
from graphzsl.cli import main

#: Part of the page of the Python face -> its names, in the order in which one meets them. Names
#: that stand nowhere here are put into the last part.
PARTS = {
    "Splits and the database": """
        connect Database hop_split load_split Split closest_classes hcorrect_sets
    """,
    "The hierarchy": "Hierarchy",
    "Audits and evaluation": """
        evaluate evaluate_answers Evaluation read_predictions Predictions report
    """,
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
    "audit.answers.AnswerEvaluation",
    "names.answers.MappedAnswer",
    "audit.mistakes.Mistakes",
    "audit.scored_blocks.UnlabelledPredictions",
    "names.class_naming.ClassNames",
    "names.name_findings.NameCheck",
    "names.name_findings.Finding",
    "names.name_findings.UnknownName",
    "sources.listed_classes.ClassFile",
    "sources.listed_classes.Listed",
    "hierarchy.lexicon.Lexicon",
    "hierarchy.lexicon.Sense",
    "database.query_file.Query",
    "database.query_file.Range",
    "database.query_file.Example",
    "clip.run.ClipRun",
)


def pages() -> dict[str, str]:
    """Page of docs/generated -> its text."""
    found = {f"command-{name}.rst": command_page(name) for name in main.modules}
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


def without_front_matter(text: str) -> str:
    """The text behind the block of YAML that a data set card begins with."""
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)


def command_page(name: str) -> str:
    """All of ``graphzsl NAME``, with the commands below it."""
    return f""".. click:: {main.modules[name]}:command
   :prog: graphzsl {name}
   :nested: full
"""


def command_index() -> str:
    """All groups and commands, each with its line of help."""
    summaries = main.summaries(click.Context(main))
    lines = [f"| [{name}](command-{name}.rst) | {text} |" for name, text in summaries]
    names = "\n".join(f"command-{name}" for name in main.modules)
    table = "\n".join(["| graphzsl | |", "|---|---|", *lines])
    return f"# Commands\n\n{table}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"


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
    modules = [name for name in graphzsl.__all__ if ismodule(getattr(graphzsl, name))]
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
    if issubclass(value, Exception):
        return directive("autoexception", name)
    own_base = any(base.__module__.startswith("graphzsl.") for base in value.__mro__[1:])
    return directive("autoclass", name, inherited=own_base)


def directive(kind: str, name: str, *, inherited: bool = False) -> str:
    """A directive of autodoc for a name below graphzsl."""
    options = "" if kind == "autofunction" else "   :members:\n"
    options += "   :inherited-members:\n" if inherited else ""
    return f"```{{eval-rst}}\n.. {kind}:: graphzsl.{name}\n{options}```"


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
    """Links of a page to files that the site shows as pages of its own; terms of the concepts."""
    path = Path(app.env.doc2path(name))
    if path.suffix == ".md" and FOLDER not in path.parents:
        source[0] = site_links(source[0], path, path)
    if name == "concepts":
        source[0] = with_terms(source[0])


def with_terms(text: str) -> str:
    """A page with its terms (bold, and headings of the third level) as main entries of the index:
    search puts the definition of a notion first."""

    def entries(words: list[str]) -> str:
        each = ", ".join(word.rstrip(".") for word in words).split(", ")
        return "```{index} " + ", ".join(f"! {word}" for word in each) + "\n```"

    found = []
    for block in text.split("\n\n"):
        if block.startswith("### "):
            found += [block, entries([block.removeprefix("### ")])]
        else:
            terms = re.findall(r"\*\*(.+?)\*\*", block)
            found += [entries(terms), block] if terms else [block]
    return "\n\n".join(found)


def public_name(
    app: Sphinx, env: Any, node: nodes.Element, content: nodes.Element
) -> nodes.Node | None:
    """A reference to where a name lives, as signatures have it, leads to its public name."""
    target = node.get("reftarget", "")
    name = target.rpartition(".")[2]
    home = getattr(getattr(graphzsl, name, None), "__module__", None)
    if node.get("refdomain") != "py" or name not in graphzsl.__all__ or target != f"{home}.{name}":
        return None
    return env.domains["py"].resolve_xref(
        env, node["refdoc"], app.builder, "obj", f"graphzsl.{name}", node, content
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_lexer("cypher", Cypher)
    for language in ("console", "csv"):
        app.add_lexer(language, TextLexer)
    app.connect("sphinx-click-process-description", help_text)
    app.connect("sphinx-click-process-options", option_text)
    app.connect("sphinx-click-process-arguments", option_text)
    app.connect("builder-inited", write_pages)
    app.connect("source-read", read_page)
    app.connect("missing-reference", public_name)
    return {"parallel_read_safe": True}
