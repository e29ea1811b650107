"""The page of a picture: made, saved, shown in a notebook."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from dataclasses import dataclass
from html import escape
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from graphzsl import __version__
from graphzsl.errors import DataError
from graphzsl.files import checked_suffix, now, write_text
from graphzsl.hierarchy.resolver import resolve
from graphzsl.hierarchy.vocabulary import HierarchyVocabulary
from graphzsl.pictures.fragment import icicle_fragment
from graphzsl.pictures.subjects import Subject, check_colour
from graphzsl.pictures.tree import PictureTree, picture_tree
from graphzsl.progress import log
from graphzsl.sources.tables import WNID

if TYPE_CHECKING:
    from graphzsl.hierarchy.graph import Hierarchy
    from graphzsl.hierarchy.lexicon import Lexicon
    from graphzsl.settings import Settings

#: Pixels of the frame in a notebook.
HEIGHT = 900


@dataclass(frozen=True, eq=False)
class Picture:
    """A page that shows classes in the hierarchy; ``graphzsl.picture`` makes it.

    Args:
        title: its heading.
        tree: what it shows.
        html: the page, which needs no network.
    """

    title: str
    tree: PictureTree
    html: str

    def __repr__(self) -> str:
        tree = repr(self.tree).removeprefix("<PictureTree: ").removesuffix(">")
        return f"<Picture {self.title}: {tree}>"

    def save(self, path: Path | str) -> None:
        """Write the page, whole or not at all.

        Raises:
            DataError: the path does not end in .html.
        """
        path = Path(path)
        checked_suffix(path, (".html",))
        write_text(path, self.html)

    def show(self) -> None:
        """Show it: in a notebook below the cell, elsewhere in the web browser."""
        if _in_notebook():
            import_module("IPython.display").display(self)
            return
        with tempfile.NamedTemporaryFile(
            "w", suffix=".html", prefix="graphzsl-", encoding="utf-8", delete=False
        ) as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())

    def _repr_html_(self) -> str:
        # a frame of its own: neither the page's style nor its script meets the notebook's
        return (
            f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" width="100%"'
            f' height="{HEIGHT}" style="border: 0" srcdoc="{escape(self.html)}"></iframe>'
        )


def picture_of(
    subject: Subject,
    hierarchy: Hierarchy,
    colour: str | None = None,
    root: str | None = None,
    title: str | None = None,
    settings: Settings | None = None,
) -> Picture:
    """The page of a subject.

    Args:
        subject: what it is of.
        hierarchy: that the subject's classes are nodes of.
        colour: what it is coloured by at first (default: the subject's).
        root: only what is at or below this synset: a wnid, a name or a word.
        title: the heading (default: the subject's).
        settings: where WordNet's words and glosses are (default: ``load_settings()``).

    Raises:
        DataError: the colours are not known, there is no such root, or no class is at or below it.
    """
    from jinja2 import Environment

    colour = colour or subject.colour
    check_colour(colour, subject)
    top = None if root is None else _root(root, hierarchy, settings)
    lexicon = _lexicon(hierarchy, settings)
    tree = picture_tree(
        hierarchy, subject.roles, subject.values, subject.facts, top, lexicon, subject.closest
    )
    heading = title or subject.title
    focus = subject.focus if subject.focus in tree.wnids else None
    template = (files("graphzsl.pictures") / "page" / "page.html").read_text(encoding="utf-8")
    html = (
        Environment(autoescape=True)
        .from_string(template)
        .render(
            title=heading,
            said=subject.said,
            simulated=subject.simulated,
            stripes=len(tree.below) > 1,
            fragment=icicle_fragment(tree, colour=colour, focus=focus, neighbourhood=True),
            rule=tree.rule,
            sources=[*_sources(subject, hierarchy), f"Made by graphzsl {__version__}, {now()}."],
        )
    )
    return Picture(heading, tree, html)


def _root(text: str, hierarchy: Hierarchy, settings: Settings | None) -> str:
    try:
        return resolve(text, HierarchyVocabulary(hierarchy, settings))
    except DataError as error:
        error.argument = "root"
        raise


def _lexicon(hierarchy: Hierarchy, settings: Settings | None) -> Lexicon | None:
    """WordNet's words and glosses, where the nodes are wnids and WordNet is here."""
    if not WNID.match(hierarchy.wnids[-1]):
        return None
    from graphzsl.hierarchy.lexicon import Lexicon

    try:
        return Lexicon.load(settings)
    except DataError as error:
        log(f"The picture has names, but no words and glosses: {error}")
        return None


def _sources(subject: Subject, hierarchy: Hierarchy) -> list[str]:
    """Where what is shown comes from."""
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


def _in_notebook() -> bool:
    """Whether the code runs in IPython with a front end that shows HTML."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
