"""Class names and templates as the files that tools read.

==================  ==========================================  ===================================
format              names                                       templates
==================  ==========================================  ===================================
``clip_benchmark``  ``{data set: [names]}`` for                 ``{data set: [templates]}`` for
                    ``--custom_classname_file``                 ``--custom_template_file``
``open_clip``       ``{"classnames": [...], "templates":        in the same file, with ``{}``
                    [...]}``: two arguments of
                    ``build_zero_shot_classifier``
``timm``            wnid, tab, name, as in timm's               none: timm has no text encoder
                    ``imagenet_synset_to_lemma.txt``
``webdataset``      ``classnames.txt``: one name per line       ``zeroshot_classification_
                                                                templates.txt``: one per line
``json``            wnid -> name, the set, the rule, and        in the same file, with ``{c}``
                    templates
==================  ==========================================  ===================================

References: CLIP_benchmark 1.6.2 (``datasets/builder.py``), open_clip 3
(``zero_shot_classifier.py``), timm 1.0.31 (``data/imagenet_info.py``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.names.name_lists import checked_name

#: Format -> the suffix of its file of names, and of its own file of templates.
NAME_FORMATS = {
    "clip_benchmark": (".json", ".json"),
    "open_clip": (".json", None),
    "timm": (".txt", None),
    "webdataset": (".txt", ".txt"),
    "json": (".json", None),
}
#: What stands for the name in a template.
PROMPT_SLOT = "{c}"
#: A small set of neutral templates of our own; ``openai_templates`` has the 80 that CLIP was
#: evaluated with.
DEFAULT_TEMPLATES = (
    "a photo of a {c}.",
    "an image that shows a {c}.",
    "a {c} seen from nearby.",
    "a {c} in its usual place.",
    "one {c} among other things.",
)


def checked_templates(templates: Sequence[str]) -> list[str]:
    """The templates; DataError for one that has not exactly one ``{c}``, or another brace."""
    for template in templates:
        checked_name(template, "A template")
        if template.count(PROMPT_SLOT) != 1 or set("{}") & set(template.replace(PROMPT_SLOT, "")):
            raise DataError(
                f"The template {template!r} needs {PROMPT_SLOT} once, where the name goes, and"
                " no other brace."
            )
    return list(templates)


def names_text(
    names: Mapping[str, str],
    output_format: str,
    templates: Sequence[str] = DEFAULT_TEMPLATES,
    *,
    data_set: str = "imagenet1k",
    provenance: Mapping[str, Any] | None = None,
) -> str:
    """The file of names.

    Args:
        names: wnid -> name, in the order of the classes.
        output_format: one of ``NAME_FORMATS``.
        templates: with ``{c}``; they stand in the files of ``open_clip`` and ``json`` alone.
        data_set: what CLIP_benchmark calls the data set.
        provenance: what else the file of ``json`` says: the set, the rule.

    Raises:
        DataError: an unknown format, a name that no line can hold, or a wrong template.

    >>> print(names_text({"n02084071": "dog", "n02121620": "cat"}, "timm"), end="")
    n02084071	dog
    n02121620	cat
    """
    for wnid, name in names.items():
        checked_name(name, wnid)
    templates = checked_templates(templates)
    if output_format == "clip_benchmark":
        return _json({data_set: list(names.values())})
    if output_format == "open_clip":
        plain = [template.replace(PROMPT_SLOT, "{}") for template in templates]
        return _json({"classnames": list(names.values()), "templates": plain})
    if output_format == "timm":
        return "".join(f"{wnid}\t{_plain(name)}\n" for wnid, name in names.items())
    if output_format == "webdataset":
        return "".join(f"{name}\n" for name in names.values())
    if output_format == "json":
        document = {"kind": "class-names", **(provenance or {})}
        return _json({**document, "templates": templates, "names": dict(names)})
    raise DataError(f"There is no format {output_format!r}. Known: {', '.join(NAME_FORMATS)}.")


def templates_text(
    templates: Sequence[str], output_format: str, *, data_set: str = "imagenet1k"
) -> str:
    """The file of templates; DataError for a format that has none of its own."""
    templates = checked_templates(templates)
    if output_format == "clip_benchmark":
        return _json({data_set: templates})
    if output_format == "webdataset":
        return "".join(f"{template}\n" for template in templates)
    raise DataError(f"The format {output_format} has no file of templates of its own.")


def _plain(name: str) -> str:
    """A name as a cell behind a tab: timm reads a quotation mark at its head as one of CSV's."""
    return '"' + name.replace('"', '""') + '"' if name.startswith('"') else name


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
