"""The text of a Wikipedia article without its markup, in a time that grows with its length.

gensim's ``remove_markup`` takes the square of the number of openings that nothing closes (30,000
``{|`` take a minute), so an article in which hundreds are left open loses those: no reader of
Wikipedia sees them as markup either.
"""

from __future__ import annotations

import re

#: Openings that an article, or a line, may leave open.
_OPEN = 50
#: Marks of tables in a line; each is looked for up to the end of its line.
_MARKS = 200
_TABLE = re.compile(r"\{\||\|\}|\|-")
_TAGS = ("<!--", "<ref", "<nowiki", "<math")
_CLOSING: dict[str, tuple[str, ...]] = {"<!--": ("-->",), "<": (">",), "[[": ("]]",)}


def without_markup(text: str) -> str:
    """The text of an article."""
    from gensim.corpora.wikicorpus import remove_markup
    from gensim.utils import decode_htmlentities

    # an opening may be written as an entity, so these are decoded before openings are counted
    return str(remove_markup(closed(decode_htmlentities(text))))


def closed(text: str) -> str:
    """The article without kinds of markup that it opens and does not close by the hundred."""
    for tag in (*_TAGS, "<", "[["):
        closing = _CLOSING.get(tag, (f"</{tag[1:]}>", "/>"))
        if text.count(tag) > _OPEN and _left_open(text, tag, closing) > _OPEN:
            text = text.replace(tag, " ")
    if text.count("://") <= _OPEN and len(_TABLE.findall(text)) <= _MARKS:
        return text
    return "\n".join(map(_closed_line, text.split("\n")))


def _left_open(text: str, opening: str, closings: tuple[str, ...]) -> int:
    depth = 0
    tokens = "|".join(map(re.escape, (opening, *closings)))
    for token in re.finditer(tokens, text):
        depth = depth + 1 if token[0] == opening else max(0, depth - 1)
    return depth


def _closed_line(line: str) -> str:
    if line.count("://") > _OPEN and _left_open(line, "[", ("]",)) > _OPEN:
        line = line.replace("[", " ")
    return _TABLE.sub(" ", line) if len(_TABLE.findall(line)) > _MARKS else line
