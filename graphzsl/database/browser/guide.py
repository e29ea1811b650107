"""Neo4j Browser's guide to the graph: a page for every question that the query library draws.

Written from the headers of ``cypher/browser/``: a title, what is drawn, and a statement to click
for each of the header's examples. Whoever asks the server's port gets the guide, without a login:
it names what graphzsl ships, and a statement about a database's own sets finds them when it runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from graphzsl.database.browser.style import style
from graphzsl.database.library import library, query
from graphzsl.database.query_file import Query, Variable, literal, with_literals

#: What the first page says of each role: label of the style -> what it means.
ROLES = {
    "Unseen": "a class of the painted split",
    "Training": "a training class",
    "Candidate": "another class of its universe",
    "Ancestor": "above one of them, no class itself",
}
#: What it says of the other circles: label of the style -> (name, what it means).
OTHERS = {
    "Synset": ("Synset", "none of these, or nothing is painted"),
    "ClassSet": ("Class set", "a list, a split or a window"),
    "Word": ("Word", "that synsets have as a label"),
    "ReleaseHub": ("Hub", "of the release hierarchy, no synset"),
}

#: The query of the first page: its picture has every role, few circles, and no class set.
FIRST = "see_around"


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
    """Values for the guide's statements in a database that lacks some of their examples."""

    values: dict[str, Any] = field(default_factory=dict)  #: parameter -> value
    hierarchy: str = "wordnet"  #: hierarchy of the split
    known: list[str] | None = None  #: its class sets; None where no database was asked
    needs: dict[str, str] = field(default_factory=dict)  #: query -> the command that it needs first


#: The header's examples as they are.
EXAMPLES = Own()
#: What the variables of ``own_values`` are called where they stand for parameters.
_OWN = "own_"
#: Parameter -> the column of ``own_values`` that stands for it, where that has another name.
_SAME = {"class_set": "split", "wnid": "unseen"}


def statements(entry: Query, own: Own = EXAMPLES) -> list[str]:
    """Statements that a click runs, one per example of the header; none where the database first
    needs a command. Where the database has its own values, a statement finds them, in place of
    synsets, of class sets that the database lacks, and of the values of the first example."""
    if entry.name in own.needs:
        return []
    if "hierarchy" in entry.vary:
        entry = entry.with_choices(hierarchy=own.hierarchy)
    found = []
    for example in entry.examples:
        values = {
            name: value if value == example.values[name] else Variable(_OWN + _SAME.get(name, name))
            for name, value in _values(entry, example.values, own).items()
        }
        about = example.about if values == example.values else ""
        found.append(titled(entry, values, about))
    return list(dict.fromkeys(found))


def _values(entry: Query, example: Mapping[str, Any], own: Own) -> dict[str, Any]:
    """The values of an example, with the database's own where it lacks those."""
    values = dict(example)
    for name in values.keys() & own.values.keys():
        kind, value = entry.params.get(name), values[name]
        is_missing = kind == "CLASS_SET" and own.known is not None and value not in own.known
        if kind == "WNID" or is_missing or value == entry.example[name]:
            values[name] = own.values[name]
    return values


def missing_sets(entry: Query, own: Own) -> list[str]:
    """The class sets that the statements of a page name and the database lacks."""
    named = [
        value
        for example in entry.examples
        for name, value in _values(entry, example.values, own).items()
        if entry.params.get(name) == "CLASS_SET"
    ]
    return [name for name in dict.fromkeys(named) if own.known is None or name not in own.known]


def titled(entry: Query, values: Mapping[str, Any], about: str = "") -> str:
    """Build one statement for Browser: a comment with its title, which names it as a favourite, the
    query with its parameters written in and, if it draws, the clauses that ring the circles.

    Args:
        entry: a reading query.
        values: parameter -> value, or a variable of ``own_values``; others ignored, and the
            header's first example where one is missing.
        about: for the title, what the values are about (default: the values).
    """
    values = {**entry.example, **values}
    own = {name: values[name] for name in entry.params}
    title = entry.page[1] if entry.page else entry.doc
    about = " ".join((about or ", ".join(map(_shown, own.values()))).split())  # one line
    text = with_literals(entry.text, own).strip()
    return f"// {about}: {title}\n{_with_rings(entry, own, text) if entry.page else text}"


#: Query -> the path whose last synset is ringed: one of the ends of its ways.
ENDS = {
    "see_hypernyms": "p",
    "see_hop_path": "p",
    "see_closest": "p",
    "see_release_hub": "in_wordnet",
}


#: The line of a statement below which it rings circles.
_RINGS = "// the rest rings circles, in place of those of the last picture"


def _with_rings(entry: Query, values: dict[str, Any], text: str) -> str:
    """Extend a statement so that it also labels its central synset, and the ends of its paths or
    the shells of its hCorrectSet, in place of the labels of the last picture.

    All rows are there before the first label is set, so circles have the labels of all rows.
    """
    asked = text.rpartition("\nRETURN ")[0]
    found = [value for value in values.values() if isinstance(value, Variable)]
    if found:
        kept = ", ".join(f"{name.removeprefix(_OWN)} AS {name}" for name in found)
        asked = f"{_call('own_values', about=literal(''))}\nWITH {kept}\nCALL (*) {{\n{text}\n}}"
    row = ", ".join(f"{name}: {name}" for name in entry.returns)
    rings = [_call("clear_marks")]
    centre = next((values[name] for name, kind in entry.params.items() if kind == "WNID"), None)
    if centre:
        rings.append(_call("mark_centre", wnid=literal(centre)))
    if path := ENDS.get(entry.name):
        rings.append(_call("mark_ends", wnids=f"[r IN found | last(nodes(r.{path})).wnid]"))
    if entry.name == "see_hcorrect_set":
        rows = "[r IN found | {wnid: last(nodes(r.p)).wnid, hops: length(r.p)}]"
        rings.append(_call("mark_shells", rows=rows))
    if entry.name == "see_polysemy":
        rings.append(_call("mark_senses", wnids="[r IN found | nodes(r.p)[1].wnid]"))
    columns = ", ".join(f"r.{name} AS {name}" for name in entry.returns)
    return "\n".join(
        [
            asked,
            _RINGS,
            f"WITH {', '.join([*found, f'collect({{{row}}}) AS found'])}",
            *rings,
            "UNWIND found AS r",
            f"RETURN {columns}",
        ]
    )


def _call(name: str, **values: str) -> str:
    """A query of ``cypher/paint/`` as a part of another statement, in one line; ``values`` are
    expressions, which may use ``found``."""
    lines = (line.strip() for line in query(name).text.splitlines())
    text = " ".join(line for line in lines if line and not line.startswith("//"))
    for parameter, value in values.items():
        text = text.replace(f"${parameter}", value)
    return f"CALL (*) {{ {text} }}"


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
    circles = {role: (role, meaning) for role, meaning in ROLES.items()} | OTHERS
    legend = "".join(
        f'<li><span style="padding: 0 6px; background: {rules[f"node.{label}"]["color"]};'
        f' color: {({**rules["node"], **rules[f"node.{label}"]})["text-color-internal"]}">'
        f"{name}</span> {escape(meaning)}</li>"
        for label, (name, meaning) in circles.items()
    )
    contents = "".join(
        f'<li><a href="#page-{entry.page[0] + 1}">{escape(entry.page[1])}</a></li>'
        for entry in pages()
        if entry.page
    )
    return (
        "<h3>WordNet, ImageNet, splits</h3>"
        "<p>A click on a grey box draws its picture, above the last one; its query is changed in"
        " the line above the picture. The box's corner, pulled down, shows the whole query.</p>"
        f"{_boxes(query(FIRST), own)}"
        f"<ul>{legend}</ul>"
        "<p>Arrows point up: grey edges are hypernyms, orange ones lead from an instance to its"
        " class. Thin grey edges lead to words, green ones to class sets; pink ones are the release"
        " hierarchy's. The black ring is the synset that you asked for, dark red ones are where"
        " its ways end. After <code>graphzsl load populations</code> a larger circle has more"
        " images (steps at 1, 300 and 1,000).</p>"
        "<p>A double click on a circle opens its neighbours. The arrow at the right of a picture"
        " opens what is known of the circle under the mouse.</p>"
        "<p>Roles are painted by <code>graphzsl split paint hops-1</code>; a picture of another"
        " class opens with <code>graphzsl db browser see_synset -p wnid=&quot;polar"
        " bear&quot;</code>.</p>"
        f'<ol start="2" style="columns: 2">{contents}</ol>'
    )


def _page(entry: Query, own: Own) -> str:
    number, title = entry.page or (0, "")
    source = f"<p><i>{escape(entry.ref)}</i></p>" if entry.ref else ""
    legend = _shells() if entry.name == "see_hcorrect_set" else ""
    shown = entry.doc.removeprefix("Look at: ")
    return (
        # as Browser counts pages, of which the first is no entry's
        f"<h3>{number + 1}. {escape(title)}</h3><p>{_prose(shown[:1].upper() + shown[1:])}</p>"
        f"{legend}{_boxes(entry, own)}{source}"
    )


def _boxes(entry: Query, own: Own) -> str:
    """The statements of a page to click, or the commands that put them there."""
    if entry.name not in own.needs:
        return "".join(_box(text) for text in statements(entry, own))
    return (
        "<p>The database lacks what this page draws. To have it here:"
        f" <code>{escape(own.needs[entry.name])}; graphzsl db browser</code></p>"
    )


def _shells() -> str:
    """The legend of the rings."""
    rules = style()
    rings = (
        '<span style="display: inline-block; padding: 0 6px; color: #2A2C34; background: #FFFFFF;'
        f' border: 3px solid {rules[f"node.{label}"]["border-color"]}">{hops}</span>'
        for label, hops in SHELLS.items()
    )
    return f"<p>Rings tell the shells apart: {' '.join(rings)}</p>"


def _prose(text: str) -> str:
    """Text of a header as HTML, with the parts in backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _box(statement: str) -> str:
    """A statement to click: Browser runs its whole text, of which a headline and three lines of
    the query show, without its comments; pulling the corner down unfolds it. Browser makes a box
    that was clicked half transparent: a style of its own keeps it legible."""
    title, _, text = escape(statement).partition("\n")
    about, _, question = title.removeprefix("// ").rpartition(": ")
    shown, _, rest = text.partition(f"\n{_RINGS}")
    hidden = '<span style="display: none">{}</span>'.format
    lines = sum(not line.lstrip().startswith("//") for line in shown.split("\n"))
    shown = re.sub(r"^ *//.*\n", lambda comment: hidden(comment[0]), shown, flags=re.MULTILINE)
    return (
        f'<pre class="code runnable" style="height: {37 + 17 * min(lines, 3)}px; overflow: auto;'
        f' resize: vertical; opacity: 1; font: 12px/17px monospace">{hidden("// ")}'
        f'<b style="font: bold 14px/22px sans-serif">{about}</b>'
        f"{hidden(f': {question}')}\n{shown}{hidden(f'{chr(10)}{_RINGS}{rest}')}</pre>"
    )


def _shown(value: Any) -> str:
    if isinstance(value, Variable):
        return value.replace("_", " ")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
