"""An icicle as a piece of HTML that any page can hold."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from graphzsl.reports.pictures.roles import ABOVE, CLASS_ROLES, NOTHING, colours

if TYPE_CHECKING:
    from markupsafe import Markup

    from graphzsl.reports.pictures.tree import PictureTree

#: The script, in the order in which its parts stand.
_SCRIPTS = ("model.js", "colours.js", "icicle.js", "neighbourhood.js", "search.js", "main.js")
_STYLE = "picture.css"


def icicle_fragment(
    tree: PictureTree,
    *,
    colour: str = "role",
    focus: str | None = None,
    neighbourhood: bool = False,
    assets: bool = True,
    measured: str = "",
) -> Markup:
    """An icicle of a tree as a piece of HTML: the root at the left, what is below a synset at its
    right, a box as high as it has classes at or below it.

    It has a search box, a line of what is above, a legend and the details of the synset in focus,
    and is worked by keyboard too. It loads nothing. Its elements have ids of their own, whatever
    else is on the page, and its classes begin with ``gz-``; it takes the width that it is given,
    and light or dark from ``prefers-color-scheme``. Whatever names hold cannot end the script.

    Args:
        tree: of ``picture_tree``; its first value or ``role`` is what is coloured by.
        colour: ``role``, or a key of the tree's values.
        focus: the wnid that is in focus at first (default: the root).
        neighbourhood: with the neighbourhood of the synset in focus below the icicle.
        assets: with style and script, about 50 kB. A page needs them once: leave them out of all
            fragments but the first; there twice they do no harm.
        measured: the hierarchy that hops are counted in, where it is not that of the tree.

    Returns:
        HTML that a template with autoescape leaves as it is.

    Raises:
        DataError: there is no such value or synset in the tree.

    >>> from graphzsl.reports.pictures.fragment import icicle_fragment
    >>> from graphzsl.reports.pictures.tree import Values, picture_tree
    >>> accuracy = Values("accuracy (hit@1)", {"cat": 0.5, "dog": 1.0}, "share")
    >>> hierarchy = gz.Hierarchy.from_edges([("cat", "animal"), ("dog", "animal")])
    >>> tree = picture_tree(hierarchy, {"cat": "Class", "dog": "Class"}, {"accuracy": accuracy})
    >>> icicle_fragment(tree, colour="accuracy", assets=False)[:23]
    Markup('<div class="gz-picture"')
    """
    from jinja2.utils import htmlsafe_json_dumps
    from markupsafe import Markup

    from graphzsl.common.errors import DataError
    from graphzsl.common.wording import did_you_mean, near

    known = ["role", *tree.values]
    if colour not in known:
        raise DataError(
            f"{colour!r} is not known of these classes. Colour by {' or '.join(known)}.",
            argument="colour",
        )
    if focus is not None and focus not in tree.wnids:
        raise DataError(
            f"{focus!r} is not in the picture.{did_you_mean(near(focus, tree.wnids))}",
            argument="focus",
        )
    data = {
        **tree.columns(),
        "colour": colour,
        "focus": tree.wnids.index(focus) if focus is not None else 0,
        "neighbourhood": neighbourhood,
        "measured": measured,
        "called": {**CLASS_ROLES, **_others(tree)},
        "colours": colours(),
    }
    text = htmlsafe_json_dumps(data, dumps=_compact)
    parts = [
        Markup('<div class="gz-picture"><script type="application/json">'),
        text,
        Markup("</script><noscript>This picture is drawn by a script.</noscript></div>"),
    ]
    return Markup("").join([*parts, picture_assets()] if assets else parts)


def _others(tree: PictureTree) -> dict[str, str]:
    """Names of the synsets that are not classes, by the classes below them. If there are other
    candidates, which are classes too, the name says whether unseen or training classes are
    meant."""
    kinds = {"Unseen": "an unseen", "Training": "a training", "Class": "a"}
    mine = [text for role, text in kinds.items() if role in tree.below]
    above = " or ".join(mine) if mine and "Candidate" in tree.below else "a"
    return {ABOVE: f"above {above} class", NOTHING: "above other candidates alone"}


def picture_assets() -> Markup:
    """Style and script of all fragments of a page."""
    from markupsafe import Markup

    return Markup("<style>{}</style><script>{}</script>").format(
        Markup(_file(_STYLE)), Markup(_script())
    )


def _script() -> str:
    parts = "\n".join(map(_file, _SCRIPTS))
    # once per page, however often it is there
    return f'(() => {{\n"use strict";\n{parts}\nstart();\n}})();\n'


@cache
def _file(name: str) -> str:
    return (files("graphzsl.reports.pictures") / "page" / name).read_text(encoding="utf-8")


def _compact(value: object, **options: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
