"""The pages of the Cypher library, from the headers of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pygments.lexers.graph import CypherLexer
from pygments.token import Name, Number, Operator

from extensions.links import copied, prose
from graphzsl.database import library

if TYPE_CHECKING:
    from graphzsl.database import Query


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
