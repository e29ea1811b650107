"""Neo4j Browser's guide to the graph: a page for every question that the query library draws.

Written from the headers of ``cypher/browser/``: a title, what is drawn, and a statement to click
for each of the header's examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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


#: What the shells of an hCorrectSet are told apart by: label of the style -> what it means.
SHELLS = {f"Shell{hops}": f"{hops} hop{'s' * (hops > 1)}" for hops in range(1, 5)} | {
    "Shell5": "5 hops or more"
}


@dataclass(frozen=True)
class Own:
    """What the guide's statements are about in a database that has not all that their examples
    name."""

    values: dict[str, Any] = field(default_factory=dict)  #: parameter -> value
    hierarchy: str = "wordnet"  #: that of the split
    known: list[str] | None = None  #: its class sets; None where no database was asked
    needs: dict[str, str] = field(default_factory=dict)  #: query -> the command that it needs first


#: The header's examples as they are.
EXAMPLES = Own()


def statements(entry: Query, own: Own = EXAMPLES) -> list[str]:
    """What a click runs, one statement per example of the header; with the database's own values
    for those of the first example, for synsets, and for class sets that it does not have."""
    if "hierarchy" in entry.vary:
        entry = entry.with_choices(hierarchy=own.hierarchy)
    found = []
    for example in entry.examples:
        values = dict(example.values)
        for name in values.keys() & own.values.keys():
            kind, value = entry.params.get(name), values[name]
            is_missing = kind == "CLASS_SET" and own.known is not None and value not in own.known
            if kind == "WNID" or is_missing or value == entry.example[name]:
                values[name] = own.values[name]
        about = example.about if values == example.values else ""
        found.append(titled(entry, values, about))
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
    marking = _marking(entry, own)
    mark = f"{marking}\nWITH count(*) AS marked\n" if marking else ""
    about = " ".join((about or ", ".join(map(_shown, own.values()))).split())  # one line
    return f"// {about}: {title}\n{mark}{entry.for_browser(**own).strip()}"


def _marking(entry: Query, values: dict[str, Any]) -> str:
    """What labels the synset that a query is about, and the shells of its hCorrectSet; empty where
    it is about none."""
    if entry.name == "see_hcorrect_set":
        marking = query("mark_shells", **entry.chosen)
        return with_literals(marking.text, values).strip()
    centre = next((values[name] for name, kind in entry.params.items() if kind == "WNID"), None)
    return with_literals(query("mark_centre").text, {"wnid": centre}).strip() if centre else ""


def guide(own: Own = EXAMPLES) -> str:
    """The guide as HTML that Browser shows beside its pictures."""
    slides = [_first_page(own), *(_page(entry, own) for entry in pages())]
    return (
        '<article class="guide"><carousel class="deck container-fluid">\n'
        + "\n".join(
            f'<slide class="row-fluid"><div style="padding: 0 12px">{slide}</div></slide>'
            for slide in slides
        )
        + "\n</carousel></article>\n"
    )


def _first_page(own: Own) -> str:
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
        "<p>Green circles are class sets, white ones words, pink ones hubs of the release"
        " hierarchy; grey edges are hypernyms, green ones instance hypernyms and memberships, pink"
        " ones edges of the release hierarchy. A larger circle has more images; the black ring is"
        " the synset that you asked for. A double click on a circle opens its neighbours.</p>"
        "<p>Roles are painted by <code>graphzsl split paint hops-1</code>; a picture of another"
        " class opens with <code>graphzsl db browser see_synset -p wnid=&quot;polar"
        " bear&quot;</code>.</p>"
        f"<ol>{contents}</ol>"
    )


def _page(entry: Query, own: Own) -> str:
    number, title = entry.page or (0, "")
    parameters = "".join(
        f"<li><code>{name}</code>: {escape(meaning)}</li>"
        for name, meaning in entry.params_doc.items()
    )
    blocks = "".join(_block(text) for text in statements(entry, own))
    needed = own.needs.get(entry.name)
    first = f"<p>This database needs <code>{escape(needed)}</code> first.</p>" if needed else ""
    source = f"<p><i>{escape(entry.ref)}</i></p>" if entry.ref else ""
    legend = _shells() if entry.name == "see_hcorrect_set" else ""
    return (
        f"<h3>{number}. {escape(title)}</h3><p>{escape(entry.doc.removeprefix('Look at: '))}</p>"
        f"{first}<ul>{parameters}</ul>{legend}{blocks}{source}"
    )


def _shells() -> str:
    """The legend of the rings."""
    rules = style()
    rings = (
        '<span style="display: inline-block; padding: 0 6px; border: 3px solid'
        f' {rules[f"node.{label}"]["border-color"]}">{hops}</span>'
        for label, hops in SHELLS.items()
    )
    return f"<p>Rings tell the shells apart: {' '.join(rings)}</p>"


def _block(statement: str) -> str:
    return f'<pre class="pre-scrollable code runnable">{escape(statement)}</pre>'


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
