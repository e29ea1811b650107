"""The page of a picture: made, saved, shown in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from graphzsl.common.errors import DataError
from graphzsl.common.files import now
from graphzsl.common.pages import Page
from graphzsl.common.version import __version__
from graphzsl.common.wording import counted
from graphzsl.hierarchy.nodes import HierarchyVocabulary
from graphzsl.hierarchy.resolver import resolve
from graphzsl.reports.pictures.fragment import icicle_fragment
from graphzsl.reports.pictures.roles import CLASS_ROLES
from graphzsl.reports.pictures.subjects import Subject, check_colour
from graphzsl.reports.pictures.tree import PictureTree, picture_tree
from graphzsl.reports.pictures.words import lexicon_of

if TYPE_CHECKING:
    from graphzsl.hierarchy.graph import Hierarchy


@dataclass(frozen=True, eq=False)
class Picture(Page):
    """A page that shows classes in the hierarchy; ``graphzsl.picture`` makes it.

    Args:
        title: its heading.
        html: the page, which needs no network.
        tree: what it shows.
    """

    tree: PictureTree

    def __repr__(self) -> str:
        tree = repr(self.tree).removeprefix("<PictureTree: ").removesuffix(">")
        return f"<Picture {self.title}: {tree}>"


def picture_of(
    subject: Subject,
    hierarchy: Hierarchy,
    colour: str | None = None,
    root: str | None = None,
    title: str | None = None,
) -> Picture:
    """The page of a subject.

    Args:
        subject: what it is of.
        hierarchy: that the subject's classes are nodes of.
        colour: what it is coloured by at first (default: the subject's).
        root: only what is at or below this synset: a wnid, a name or a word.
        title: the heading (default: the subject's).

    Raises:
        DataError: the colours are not known, there is no such root, or no class is at or below it.
    """
    from jinja2 import Environment

    colour = colour or subject.colour
    check_colour(colour, subject)
    top = None if root is None else _root(root, hierarchy)
    lexicon = lexicon_of(hierarchy)
    tree = picture_tree(
        hierarchy, subject.roles, subject.values, subject.facts, top, lexicon, subject.closest
    )
    part = _called(top, tree, hierarchy) if top else ""
    heading = title or subject.title + (f": {part} and below" if part else "")
    focus = subject.focus if subject.focus in tree.wnids else None
    template = (files("graphzsl.reports.pictures") / "page" / "page.html").read_text(
        encoding="utf-8"
    )
    html = (
        Environment(autoescape=True)
        .from_string(template)
        .render(
            title=heading,
            about="" if title else (", " if part else ": ") + _shown(tree, colour, focus),
            said=[*_said_of_part(part, tree, subject), *subject.said],
            simulated=subject.simulated,
            stripes=len(tree.below) > 1,
            values=bool(tree.values),
            fragment=icicle_fragment(
                tree,
                colour=colour,
                focus=focus,
                neighbourhood=True,
                measured=subject.measured,
            ),
            rule=tree.rule,
            sources=[*_sources(subject, hierarchy), f"Made by graphzsl {__version__}, {now()}."],
        )
    )
    return Picture(heading, html, tree)


def _root(text: str, hierarchy: Hierarchy) -> str:
    try:
        return resolve(text, HierarchyVocabulary(hierarchy))
    except DataError as error:
        error.argument = "root"
        raise


def _shown(tree: PictureTree, colour: str, focus: str | None) -> str:
    """Classes of a picture and their value, in words, for its heading."""
    if focus is not None:
        return "its neighbours in the hierarchy"
    if colour in tree.values:
        return f"{tree.values[colour].label.partition(' (')[0]} of each class"
    roles = [text for text in ("Unseen", "Training") if text in tree.roles]
    return f"{' and '.join(roles).lower()} classes in the hierarchy".lstrip()


def _called(wnid: str, tree: PictureTree, hierarchy: Hierarchy) -> str:
    """The first word of a synset, or its name, or its wnid."""
    words = tree.words.get(wnid)
    return words[0] if words else hierarchy.names.get(wnid, wnid)


def _said_of_part(part: str, tree: PictureTree, subject: Subject) -> list[str]:
    """Sentence on how many of the classes are shown, where the page is of a part."""
    if not part:
        return []
    classes = sum(role in CLASS_ROLES for role in tree.roles)
    of = counted(len(subject.roles), "class", "classes")
    return [f"Shown: {classes:,} of {of}, those at or below {part}. What follows is of all."]


def _sources(subject: Subject, hierarchy: Hierarchy) -> list[str]:
    """Sources of what is shown."""
    found = []
    if hierarchy.provenance.get("hierarchy") == "wordnet":
        found.append("Hierarchy: the nouns of WordNet 3.0, hypernyms and instance hypernyms.")
    if "population" in subject.values and not hierarchy.populations:
        found.append("Population: images in ImageNet's Fall 2011 release.")
    if "ratio" in subject.values:
        found.append(
            "Structural ratio of an unseen class: hops to the closest training class, divided by"
            " hops to the closest other unseen class (Hascoet et al. 2019); of a synset above"
            " classes, their mean."
        )
    return found
