"""Neo4j Browser's guide to the graph: a page for every question that the query library draws.

Written from the headers of ``cypher/browser/``: a title, what is drawn, and a statement to click
for each of the header's examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from graphzsl.database.browser.style import style
from graphzsl.database.library import library, query
from graphzsl.database.query import Query, with_literals

#: What the first page says of each role: label of the style -> what it means.
ROLES = {
    "Unseen": "a class of the painted split",
    "Training": "a training class",
    "Candidate": "another class of its universe",
    "Ancestor": "above one of them, no class itself",
}


def pages() -> list[Query]:
    """The queries that have a page, in its order."""
    return sorted(
        (entry for entry in library().values() if entry.page), key=lambda entry: entry.page or ()
    )


def statements(entry: Query, own: Mapping[str, Any] | None = None) -> list[str]:
    """What a click runs, one statement per example of the header.

    Args:
        entry: a query with a page.
        own: parameter -> the value to put in place of the examples'.
    """
    own = {name: value for name, value in (own or {}).items() if name in entry.params}
    changed = any(entry.example[name] != value for name, value in own.items())
    found = [
        titled(entry, {**example.values, **own}, "" if changed else example.about)
        for example in entry.examples
    ]
    return list(dict.fromkeys(found))


def titled(entry: Query, values: Mapping[str, Any], about: str = "") -> str:
    """One statement for Browser: a comment with its title, which names it as a favourite, the
    synset that is asked for marked as the centre, the parameters written in.

    Args:
        entry: a reading query.
        values: parameter -> value, others ignored; the header's first example where one is missing.
        about: for the title, what the values are about (default: the values).
    """
    values = {**entry.example, **values}
    own = {name: values[name] for name in entry.params}
    title = entry.page[1] if entry.page else entry.doc
    centre = next((own[name] for name, kind in entry.params.items() if kind == "WNID"), None)
    mark = ""
    if centre:
        marking = with_literals(query("mark_centre").body, {"wnid": centre}).strip()
        mark = f"{marking}\nWITH count(*) AS marked\n"
    about = " ".join((about or ", ".join(map(_shown, own.values()))).split())  # one line
    return f"// {title} ({about})\n{mark}{entry.for_browser(**own).strip()}"


def guide(own: Mapping[str, Any] | None = None) -> str:
    """The guide as HTML that Browser shows beside its pictures.

    Args:
        own: parameter -> the value to show in place of the examples', such as the split that the
            database has.
    """
    slides = [_first_page(own), *(_page(entry, own) for entry in pages())]
    return (
        '<article class="guide"><carousel class="deck container-fluid">\n'
        + "\n".join(
            f'<slide class="row-fluid"><div style="padding: 0 12px">{slide}</div></slide>'
            for slide in slides
        )
        + "\n</carousel></article>\n"
    )


def _first_page(own: Mapping[str, Any] | None) -> str:
    rules = style()
    roles = "".join(
        f'<li><span style="padding: 0 6px; background: {rules[f"node.{role}"]["color"]};'
        f' color: {rules[f"node.{role}"]["text-color-internal"]}">{role}</span>'
        f" {escape(meaning)}</li>"
        for role, meaning in ROLES.items()
    )
    contents = "".join(f"<li>{escape(entry.page[1])}</li>" for entry in pages() if entry.page)
    return (
        "<h3>WordNet, ImageNet, splits</h3>"
        "<p>Click the triangle in front of a statement to draw it, or its text to change it first."
        "</p>"
        f"{_block(statements(query('see_neighbourhood'), own)[0])}"
        f"<ul>{roles}</ul>"
        "<p>A larger circle has more images; the black ring is the synset that you asked for. A"
        " double click on a circle opens its neighbours.</p>"
        "<p>Roles are painted by <code>graphzsl split paint hops-1</code>; a picture of another"
        " class opens with <code>graphzsl db browser see_synset -p wnid=&quot;polar"
        " bear&quot;</code>.</p>"
        f"<ol>{contents}</ol>"
    )


def _page(entry: Query, own: Mapping[str, Any] | None) -> str:
    number, title = entry.page or (0, "")
    parameters = "".join(
        f"<li><code>{name}</code>: {escape(meaning)}</li>"
        for name, meaning in entry.params_doc.items()
    )
    blocks = "".join(_block(text) for text in statements(entry, own))
    source = f"<p><i>{escape(entry.ref)}</i></p>" if entry.ref else ""
    return (
        f"<h3>{number}. {escape(title)}</h3><p>{escape(entry.doc.removeprefix('Look at: '))}</p>"
        f"<ul>{parameters}</ul>{blocks}{source}"
    )


def _block(statement: str) -> str:
    return f'<pre class="pre-scrollable code runnable">{escape(statement)}</pre>'


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
