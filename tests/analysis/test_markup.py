"""Articles whose markup has no end: gensim's expressions took minutes for each, and now their text
is read."""

from __future__ import annotations

import pytest

pytest.importorskip("gensim", reason="gensim is not installed")

from graphzsl.analysis.words.markup import closed, without_markup

ARTICLE = (
    """The '''[[dog]]''' {{cite|x}} is a [[Canis|canine]].<ref>a</ref> <!-- no --> [http://a.b c]
{| class="wikitable"
|-
| cell || other
|}
"""
    * 40
)


def test_an_article_is_as_gensim_reads_it() -> None:
    from gensim.corpora.wikicorpus import filter_wiki

    assert closed(ARTICLE) == ARTICLE
    assert without_markup(ARTICLE) == filter_wiki(ARTICLE)


@pytest.mark.parametrize(
    "opening",
    [
        "{|",
        "|}",
        "|-",
        "<!--",
        "<ref",
        "<ref ",
        "<math>",
        "<nowiki ",
        "<a",
        "[http://a ",
        "[[File:",
        # as a dump has them, once its XML is read
        "&lt;math ",
        "&#60;ref ",
        "&lt;!--",
    ],
)
def test_what_is_never_closed_is_text(opening: str) -> None:
    found = without_markup("a dog " + opening * 20_000 + " and a cat")
    assert found.startswith("a dog")
    assert found.rstrip().endswith("and a cat") or opening in ("{|", "|}", "|-")


def test_what_is_closed_before_it_opens_is_open() -> None:
    assert "cat" in without_markup("]" * 20_000 + "[http://a " * 20_000 + "cat")
