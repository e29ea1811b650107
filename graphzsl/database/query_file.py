"""One query of the Cypher library: its contract, its parameters, and the texts in it that may
vary."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError, QueryFileError
from graphzsl.common.files import sha256_text
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.number_texts import whole

#: Parameters that name something in the database; the client refuses a name that is not there.
NAMED_TYPES: dict[str, type] = {
    "CLASS_SET": str,
    "WNID": str,
    "WORD": str,
    "LIST<CLASS_SET>": list,
    "LIST<WNID>": list,
}
TYPES: dict[str, type | tuple[type, ...]] = {
    **NAMED_TYPES,
    "STRING": str,
    "INTEGER": int,
    "FLOAT": (int, float),
    "BOOLEAN": bool,
    "LIST<STRING>": list,
    "LIST<MAP>": list,
    "MAP": dict,
}
#: The three hierarchies, as relationship types; selectable wherever a distance or an ancestor is
#: used.
HIERARCHIES = {
    "wordnet": "HYPERNYM|INSTANCE_HYPERNYM",
    "hypernym": "HYPERNYM",
    "release": "RELEASE_PARENT",
}
#: A column of wnids, or of lists of them -> the columns that may hold their names, the usual one
#: first. What is shown to people has one of them beside it.
NAME_COLUMNS: dict[str, tuple[str, ...]] = {
    "wnid": ("name",),
    "root": ("root_name",),
    "superclass": ("name",),
    "training_class": ("training_name",),
    "ancestor": ("ancestor_name",),
    "descendant": ("descendant_name",),
    "child": ("child_name",),
    "parent": ("parent_name",),
    "first": ("first_name",),
    "last": ("last_name",),
    "example": ("example_name",),
    "largest_branch": ("largest_branch_name",),
    "closest": ("closest_names", "closest_name"),
    "wnids": ("names",),
    "path": ("names",),
    "members": ("member_names", "names"),
    "heads": ("head_names",),
    "parents": ("parent_names",),
    "children": ("child_names",),
    "source": ("source_names",),
    "target": ("target_names",),
    "left_out": ("left_out_names",),
    "only_published": ("only_published_names",),
    "only_here": ("only_here_names",),
}
#: What stands for itself in a statement: a string or a comment.
STRING_OR_COMMENT = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|//[^\n]*|/\*[\s\S]*?\*/"
#: ``vary`` integers lie between 1 and this.
MAXIMUM_VARY = 40
#: Neo4j's integers have 64 bits.
LARGEST = 2**63 - 1


@dataclass(frozen=True)
class Range:
    """Whole numbers from ``low`` to ``high``, both included; without ``high`` to the largest that
    Neo4j has."""

    low: int
    high: int = LARGEST

    def __contains__(self, value: object) -> bool:
        return (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.low <= value <= self.high
        )

    def __str__(self) -> str:
        if self.high == LARGEST:
            return f"a whole number of at least {self.low}"
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True)
class Example:
    """Example of a ``try`` line: parameters, and their subject in words."""

    values: dict[str, Any]
    about: str = ""


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
    ranges: dict[str, Range]  #: parameter that is a number -> what it may be
    vary: dict[str, str]  #: name -> the text in the file that it may replace
    chosen: dict[str, str]  #: name -> the choice made (defaults first)
    returns: dict[str, str]  #: column -> type
    order: str
    ref: str
    page: tuple[int, str] | None  #: number and title of its page in Browser's guide
    examples: tuple[Example, ...]  #: the header's ``try`` lines
    body: str
    text: str  #: what is sent

    @property
    def example(self) -> dict[str, Any]:
        """The parameters of the first ``try`` line."""
        return self.examples[0].values if self.examples else {}

    @property
    def sha256(self) -> str:
        """Hash of the statement that is sent: with it a number can be traced to the text behind
        it."""
        return sha256_text(self.text)

    def bind(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters, checked both ways against the header."""
        unknown = sorted(set(parameters) - set(self.params))
        missing = sorted(set(self.params) - set(parameters))
        if unknown or missing:
            listed = ", ".join(repr(name) for name in unknown or missing)
            verb = "has no" if unknown else "needs"
            problem = f"{verb} parameter{'s' if len(unknown or missing) > 1 else ''} {listed}"
            raise QueryFileError(f"Query {self.name} {problem}. {self.usage()}")
        for name, value in parameters.items():
            self.check_value(name, value)
        return parameters

    def check_value(self, name: str, value: Any) -> None:
        """Raise QueryFileError for a value that is not of the parameter's type, or outside its
        range."""
        expected = TYPES[self.params[name]]
        wrong = isinstance(value, bool) and expected is not bool
        if value is None or wrong or not isinstance(value, expected):
            raise QueryFileError(
                f"Query {self.name}: parameter {name} is {self.params[name]}, not {value!r}."
                f" {self.usage()}"
            )
        allowed = self.ranges.get(name)
        if allowed is not None and value not in allowed:
            raise QueryFileError(f"Query {self.name}: {name} is {allowed}, not {value!r}.")

    def named(self, kind: str, parameters: dict[str, Any]) -> list[str]:
        """The values of all parameters of a named type, ``CLASS_SET``, ``WNID`` or ``WORD``, lists
        included; each once."""
        own = [name for name, declared in self.params.items() if kind in (declared, declared[5:-1])]
        values = [parameters[name] for name in own if name in parameters]
        return list(
            dict.fromkeys(
                item for value in values for item in ([value] if isinstance(value, str) else value)
            )
        )

    def refers_to_database(self, parameters: dict[str, Any]) -> bool:
        """True if a parameter names something in the database, or the hierarchy is one that is
        loaded separately."""
        is_release = self.chosen.get("hierarchy") == HIERARCHIES["release"]
        return is_release or any(
            self.named(kind, parameters) for kind in ("CLASS_SET", "WNID", "WORD")
        )

    def usage(self) -> str:
        """Usage of the query in one line: its parameters and choices."""
        takes = [f"{name} {kind}" for name, kind in self.params.items()]
        takes += [f"{name} (default {_shown(name, text)})" for name, text in self.vary.items()]
        return f"It takes: {', '.join(takes) or 'nothing'}."

    def with_choices(self, **choices: Any) -> Query:
        """Copy of the query with its ``vary`` texts replaced: a hierarchy by name, an integer
        within the bound."""
        text, chosen = self.body, dict(self.chosen)
        for name, value in choices.items():
            if name not in self.vary:
                raise QueryFileError(f"Query {self.name} does not vary {name!r}. {self.usage()}")
            chosen[name] = _choice(self.name, name, value)
        for name, default in self.vary.items():
            text = replaced(text, name, default, chosen[name])
        return replace(self, chosen=chosen, text=text)

    def parse(self, pairs: dict[str, str], complete: bool = True) -> tuple[Query, dict[str, Any]]:
        """Parameters and choices from texts, typed as the header says (the command line's ``-p
        name=value``).

        All parameters must be there, unless ``complete`` is false.
        """
        choices = {name: value for name, value in pairs.items() if name in self.vary}
        typed = {
            name: _typed(self, name, value)
            for name, value in pairs.items()
            if name not in self.vary
        }
        for name, value in typed.items():
            self.check_value(name, value)
        return self.with_choices(**choices), self.bind(typed) if complete else typed

    def for_browser(self, **parameters: Any) -> str:
        """Statement to paste into Neo4j Browser, with its parameters written in; by default the
        header's examples.

        Browser shows the picture of a single statement only, so a ``:param`` line in front would
        hide it.
        """
        examples = {name: value for name, value in self.example.items() if name in self.params}
        return with_literals(self.text, self.bind({**examples, **parameters}))


def with_literals(text: str, parameters: dict[str, Any]) -> str:
    """A statement with its ``$parameters`` replaced by literals; strings and comments of the
    statement stay as they are."""

    def written(match: re.Match[str]) -> str:
        return literal(parameters[match[1]]) if match[1] else match[0]

    return re.sub(rf"{STRING_OR_COMMENT}|\$(\w+)", written, text)


class Variable(str):
    """A variable of Cypher in place of a value."""


def literal(value: Any) -> str:
    """A value as Cypher writes it, or a variable as it is. What is not plain ASCII text goes in as
    an escape, so that no quote can end a string."""
    if isinstance(value, Variable):
        return value
    if isinstance(value, str):
        plain = re.compile(r"[^ -~]|['\\]")
        return "'" + plain.sub(lambda match: _escaped(match[0]), value) + "'"
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"`{key}`: {literal(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(literal, value)) + "]"


def _escaped(character: str) -> str:
    if character in "'\\":
        return "\\" + character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def replaced(text: str, name: str, default: str, value: str) -> str:
    """Replace a hierarchy inside relationship patterns, or an integer: the bound of a path pattern,
    a LIMIT, or ``N AS name``, where the statement itself has to know the bound."""
    if name == "hierarchy":
        return re.sub(
            rf"(\[\w*:){re.escape(default)}(?=[\]*])", lambda match: match[1] + value, text
        )
    pattern = (
        rf"(\*\d*\.\.){default}(?=\s*\])|(\bLIMIT\s+){default}\b|\b{default}(?=\s+AS\s+{name}\b)"
    )
    return re.sub(pattern, lambda match: (match[1] or match[2] or "") + value, text)


def _choice(query_name: str, name: str, value: Any) -> str:
    if name == "hierarchy":
        if value in HIERARCHIES:
            return HIERARCHIES[value]
        if value in HIERARCHIES.values():
            return str(value)
        raise QueryFileError(
            f"Query {query_name}: hierarchy {value!r} is none of {', '.join(HIERARCHIES)}."
        )
    number = value if isinstance(value, int) else whole(str(value).strip())
    if number is None or not 1 <= number <= MAXIMUM_VARY:
        raise QueryFileError(
            f"Query {query_name}: {name} is a whole number from 1 to {MAXIMUM_VARY}, not"
            f" {shown(value)}."
        )
    return str(number)


def _shown(name: str, text: str) -> str:
    return (
        next((key for key, types in HIERARCHIES.items() if types == text), text)
        if name == "hierarchy"
        else text
    )


def _typed(query: Query, name: str, value: str) -> Any:
    kind = query.params.get(name)
    if kind is None:
        raise QueryFileError(f"Query {query.name} has no parameter {name!r}. {query.usage()}")
    if TYPES[kind] is str:
        return value
    if kind in ("LIST<STRING>", "LIST<CLASS_SET>", "LIST<WNID>") and not value.startswith("["):
        return [item.strip() for item in value.split(",") if item.strip()]
    try:
        return parsed_json(value, name, in_64_bits=kind.startswith("LIST"))
    except DataError:
        raise QueryFileError(
            f"Query {query.name}: parameter {name} is {kind}, not {shown(value)}. {query.usage()}"
        ) from None
