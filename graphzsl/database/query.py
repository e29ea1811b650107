"""One query of the Cypher library: its contract, its parameters, and the texts in it that may vary."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphzsl.errors import QueryFileError
from graphzsl.files import sha256_text

TYPES: dict[str, type | tuple[type, ...]] = {
    "STRING": str,
    "INTEGER": int,
    "FLOAT": (int, float),
    "BOOLEAN": bool,
    "LIST<STRING>": list,
    "LIST<INTEGER>": list,
    "LIST<MAP>": list,
    "MAP": dict,
}
#: The three hierarchies, as relationship types; selectable wherever a distance or an ancestor is used.
HIERARCHIES = {
    "wordnet": "HYPERNYM|INSTANCE_HYPERNYM",
    "hypernym": "HYPERNYM",
    "release": "RELEASE_PARENT",
}
#: ``vary`` integers lie between 1 and this.
MAXIMUM_VARY = 40


@dataclass(frozen=True)
class Query:
    """One file of the library: its contract, and the statement with the ``vary`` choices made."""

    name: str
    folder: str
    path: Path
    mode: str
    doc: str
    grain: str
    params: dict[str, str]  #: parameter -> type
    params_doc: dict[str, str]
    vary: dict[str, str]  #: name -> the text in the file that it may replace
    chosen: dict[str, str]  #: name -> the choice made (defaults first)
    returns: dict[str, str]  #: column -> type
    order: str
    ref: str
    example: dict[str, Any]  #: the header's ``try`` parameters
    body: str
    text: str  #: what is sent

    @property
    def sha256(self) -> str:
        """Hash of the statement that is sent: with it a number can be traced to the text behind it."""
        return sha256_text(self.text)

    def bind(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters, checked both ways against the header."""
        unknown = sorted(set(parameters) - set(self.params))
        missing = sorted(set(self.params) - set(parameters))
        if unknown or missing:
            problem = f"has no parameter {unknown[0]!r}" if unknown else f"needs parameter {missing[0]!r}"
            raise QueryFileError(f"Query {self.name} {problem}. {self.usage()}")
        for name, value in parameters.items():
            expected = TYPES[self.params[name]]
            wrong = isinstance(value, bool) and expected is not bool
            if value is None or wrong or not isinstance(value, expected):
                raise QueryFileError(
                    f"Query {self.name}: parameter {name} is {self.params[name]}, not {value!r}. {self.usage()}"
                )
        return parameters

    def usage(self) -> str:
        """One line: what the query takes."""
        takes = [f"{name} {kind}" for name, kind in self.params.items()]
        takes += [f"{name} (default {_shown(name, text)})" for name, text in self.vary.items()]
        return f"It takes: {', '.join(takes) or 'nothing'}."

    def with_choices(self, **choices: Any) -> Query:
        """The same query with its ``vary`` texts replaced: a hierarchy by name, an integer within the bound."""
        text, chosen = self.body, dict(self.chosen)
        for name, value in choices.items():
            if name not in self.vary:
                raise QueryFileError(f"Query {self.name} does not vary {name!r}. {self.usage()}")
            chosen[name] = _choice(self.name, name, value)
        for name, default in self.vary.items():
            text = replaced(text, name, default, chosen[name])
        return replace(self, chosen=chosen, text=text)

    def parse(self, pairs: dict[str, str]) -> tuple[Query, dict[str, Any]]:
        """Parameters and choices from texts, typed as the header says (the command line's ``-p name=value``)."""
        choices = {name: value for name, value in pairs.items() if name in self.vary}
        typed = {name: _typed(self, name, value) for name, value in pairs.items() if name not in self.vary}
        return self.with_choices(**choices), self.bind(typed)

    def for_browser(self) -> str:
        """What to paste into Neo4j Browser: the ``:param`` line, then the statement."""
        pairs = ", ".join(f"{name}: {json.dumps(value)}" for name, value in self.example.items() if name in self.params)
        return (f":param {{{pairs}}};\n\n" if pairs else "") + self.text


def replaced(text: str, name: str, default: str, value: str) -> str:
    """Replace a hierarchy inside relationship patterns, or an integer: the bound of a path pattern, a LIMIT, or
    ``N AS name``, where the statement itself has to know the bound."""
    if name == "hierarchy":
        return re.sub(rf"(\[\w*:){re.escape(default)}(?=[\]*])", lambda match: match[1] + value, text)
    pattern = rf"(\*\d*\.\.){default}(?=\s*\])|(\bLIMIT\s+){default}\b|\b{default}(?=\s+AS\s+{name}\b)"
    return re.sub(pattern, lambda match: (match[1] or match[2] or "") + value, text)


def _choice(query_name: str, name: str, value: Any) -> str:
    if name == "hierarchy":
        if value in HIERARCHIES:
            return HIERARCHIES[value]
        if value in HIERARCHIES.values():
            return str(value)
        raise QueryFileError(f"Query {query_name}: hierarchy {value!r} is none of {', '.join(HIERARCHIES)}.")
    try:
        number = int(value) if not isinstance(value, float) else 0
    except (TypeError, ValueError):
        number = 0
    if not 1 <= number <= MAXIMUM_VARY:
        raise QueryFileError(f"Query {query_name}: {name} is a whole number from 1 to {MAXIMUM_VARY}, not {value!r}.")
    return str(number)


def _shown(name: str, text: str) -> str:
    return next((key for key, types in HIERARCHIES.items() if types == text), text) if name == "hierarchy" else text


def _typed(found: Query, name: str, value: str) -> Any:
    kind = found.params.get(name)
    if kind is None:
        raise QueryFileError(f"Query {found.name} has no parameter {name!r}. {found.usage()}")
    if kind == "STRING":
        return value
    if kind == "LIST<STRING>" and not value.startswith("["):
        return [item.strip() for item in value.split(",") if item.strip()]
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        raise QueryFileError(
            f"Query {found.name}: parameter {name} is {kind}, not {value!r}. {found.usage()}"
        ) from None
