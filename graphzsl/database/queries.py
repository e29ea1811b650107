"""The Cypher library: one statement a file, with a header that is checked against the statement.

The header's lines and what they promise are described in ``cypher/README.md``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from graphzsl.errors import QueryFileError
from graphzsl.files import sha256_text

MODES = ("read", "write", "schema")
TYPES: dict[str, type | tuple[type, ...]] = {
    "STRING": str,
    "INTEGER": int,
    "FLOAT": (int, float),
    "BOOLEAN": bool,
    "LIST<STRING>": list,
    "LIST<MAP>": list,
    "MAP": dict,
}
RETURN_TYPES = {*TYPES, "LIST<INTEGER>", "LIST<LIST<STRING>>", "NODE", "PATH", "LIST<RELATIONSHIP>"}
#: The three hierarchies, as relationship types; selectable wherever a distance or an ancestor is used.
HIERARCHIES = {
    "wordnet": "HYPERNYM|INSTANCE_HYPERNYM",
    "hypernym": "HYPERNYM",
    "release": "RELEASE_PARENT",
}
#: ``vary`` integers lie between 1 and this.
MAXIMUM_VARY = 40

_WRITE_WORDS = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|DROP|FOREACH|LOAD\s+CSV)\b", re.IGNORECASE)
_HEADER = re.compile(r"//\s*([a-z]+):\s*(.*)$")
_KEYS = ("name", "mode", "doc", "grain", "param", "vary", "returns", "order", "ref", "try")


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
            text = _replace(text, name, default, chosen[name])
        return replace(self, chosen=chosen, text=text)

    def parse(self, pairs: dict[str, str]) -> tuple[Query, dict[str, Any]]:
        """Parameters and choices from texts, typed as the header says (the command line's ``-p name=value``)."""
        choices = {name: value for name, value in pairs.items() if name in self.vary}
        typed = {name: _typed(self, name, value) for name, value in pairs.items() if name not in self.vary}
        return self.with_choices(**choices), self.bind(typed)

    def for_browser(self) -> str:
        """What to paste into Neo4j Browser: the ``:param`` line, then the statement."""
        from json import dumps

        pairs = ", ".join(f"{name}: {dumps(value)}" for name, value in self.example.items() if name in self.params)
        return (f":param {{{pairs}}};\n\n" if pairs else "") + self.text


def folder() -> Path:
    """The ``cypher`` folder: of the checkout, or inside the installed package."""
    package = Path(__file__).resolve().parent.parent
    for candidate in (package / "_cypher", package.parent / "cypher"):
        if (candidate / "README.md").exists():
            return candidate
    raise QueryFileError(f"The folder of Cypher files is missing beside {package}. Install graphzsl again.")


@cache
def library() -> dict[str, Query]:
    """All queries by name, in the order of their folders and names."""
    queries: dict[str, Query] = {}
    for path in sorted(folder().rglob("*.cypher")):
        found = read_query(path)
        if found.name in queries:
            raise QueryFileError(f"{path}: the name {found.name} is taken by {queries[found.name].path}.")
        queries[found.name] = found
    return queries


def query(name: str, **choices: Any) -> Query:
    """A query by name, with its ``vary`` choices made, e.g. ``query("hop_split", max_hops=2)``."""
    try:
        found = library()[name]
    except KeyError:
        raise QueryFileError(f"There is no query {name!r}. `graphzsl query list` shows all.") from None
    return found.with_choices(**choices)


def read_query(path: Path) -> Query:
    """Read and check one file. QueryFileError says ``file:line: what is wrong``."""
    lines = path.read_text(encoding="utf-8").splitlines()
    fields: dict[str, list[tuple[int, str]]] = {key: [] for key in _KEYS}
    body_start = len(lines)
    for index, line in enumerate(lines):
        if not line.startswith("//"):
            body_start = index
            break
        match = _HEADER.match(line)
        if not match or match[1] not in fields:
            raise QueryFileError(f"{path}:{index + 1}: not a header line; expected // {', '.join(_KEYS)}: …")
        fields[match[1]].append((index + 1, match[2].strip()))
    body = "\n".join(lines[body_start:]).strip() + "\n"
    return _checked(path, fields, body, body_start + 1)


def _checked(path: Path, fields: dict[str, list[tuple[int, str]]], body: str, line: int) -> Query:
    def one(key: str, required: bool = True) -> str:
        values = fields[key]
        if len(values) > 1 and key != "ref":
            raise QueryFileError(f"{path}:{values[1][0]}: a second // {key}: line.")
        if required and not values:
            raise QueryFileError(f"{path}:1: the header has no // {key}: line.")
        return "; ".join(text for _, text in values)

    name, mode = one("name"), one("mode")
    if name != path.stem:
        raise QueryFileError(f"{path}:{fields['name'][0][0]}: name {name} must be the file's name, {path.stem}.")
    if mode not in MODES:
        raise QueryFileError(f"{path}:{fields['mode'][0][0]}: mode {mode!r} is none of {', '.join(MODES)}.")
    params, params_doc = {}, {}
    for number, text in fields["param"]:
        parts = text.split(None, 2)
        if len(parts) < 2 or parts[1] not in TYPES:
            raise QueryFileError(
                f"{path}:{number}: expected // param: name TYPE meaning, with one of {', '.join(TYPES)}."
            )
        params[parts[0]] = parts[1]
        params_doc[parts[0]] = parts[2] if len(parts) > 2 else ""
    vary = _vary(path, fields["vary"], body)
    returns = _columns(path, fields["returns"])
    found = Query(
        name=name,
        folder=path.parent.name,
        path=path,
        mode=mode,
        doc=one("doc"),
        grain=one("grain", required=mode == "read"),
        params=params,
        params_doc=params_doc,
        vary=vary,
        chosen=dict(vary),
        returns=returns,
        order=one("order", required=False),
        ref=one("ref", required=False),
        example=_example(path, fields["try"]),
        body=body,
        text=body,
    )
    _check_body(found, line)
    return found


def _vary(path: Path, lines: list[tuple[int, str]], body: str) -> dict[str, str]:
    vary = {}
    for number, text in lines:
        name, separator, default = (part.strip() for part in text.partition("="))
        if not separator or not default:
            raise QueryFileError(f"{path}:{number}: expected // vary: name = text in the statement.")
        if name != "hierarchy" and not default.isdigit():
            raise QueryFileError(f"{path}:{number}: {name} may vary only a hierarchy or an integer, not {default!r}.")
        if name == "hierarchy" and default not in HIERARCHIES.values():
            raise QueryFileError(
                f"{path}:{number}: {default!r} is none of the hierarchies {', '.join(HIERARCHIES.values())}."
            )
        if _replace(body, name, default, "\0") == body:
            raise QueryFileError(f"{path}:{number}: {name} = {default} does not occur in the statement.")
        vary[name] = default
    return vary


def _columns(path: Path, lines: list[tuple[int, str]]) -> dict[str, str]:
    columns = {}
    for number, text in lines:
        for item in text.split(", "):
            parts = item.split()
            if len(parts) != 2 or parts[1] not in RETURN_TYPES:
                raise QueryFileError(f"{path}:{number}: expected // returns: column TYPE, …; {item!r} is not that.")
            columns[parts[0]] = parts[1]
    return columns


def _example(path: Path, lines: list[tuple[int, str]]) -> dict[str, Any]:
    from json import JSONDecodeError, loads

    if not lines:
        return {}
    number, text = lines[0]
    quoted = re.sub(r"([{,]\s*)([a-z_]+)\s*:", r'\1"\2":', text.removeprefix(":param").strip()).replace("'", '"')
    try:
        return dict(loads(quoted))
    except (JSONDecodeError, ValueError) as error:
        raise QueryFileError(f"{path}:{number}: expected // try: :param {{name: value, …}} ({error}).") from None


def _check_body(found: Query, line: int) -> None:
    def wrong(what: str, pattern: str | None = None) -> QueryFileError:
        at = line
        if pattern and (match := re.search(pattern, found.body, re.IGNORECASE)):
            at += found.body[: match.start()].count("\n")
        return QueryFileError(f"{found.path}:{at}: {what}")

    code = _without_strings(found.body)
    if not code.strip():
        raise wrong("there is no statement.")
    if ";" in code.strip().rstrip(";"):
        raise wrong("one file holds one statement.", ";")
    if found.mode == "read" and (match := _WRITE_WORDS.search(code)):
        raise wrong(f"mode is read, but the statement has {match[0].upper()}.", rf"\b{match[0]}\b")
    used = set(re.findall(r"\$(\w+)", code))
    for name in sorted(used - set(found.params)):
        raise wrong(f"${name} is used but not declared.", rf"\${name}\b")
    for name in sorted(set(found.params) - used):
        raise wrong(f"parameter {name} is declared but not used.")
    for name in sorted(set(found.params) ^ (set(found.example) - set(found.vary))):
        raise wrong(f"parameter {name} and the // try: line differ; every parameter needs an example value.")
    columns = _returned_columns(code)
    if columns != list(found.returns):
        raise wrong(
            f"returns {columns}, but the header declares {list(found.returns)}.", r"\bRETURN\b(?![\s\S]*\bRETURN\b)"
        )
    if found.order and found.order.replace(" ", "") not in code.replace(" ", "").rpartition("ORDERBY")[2]:
        raise wrong(f"// order: {found.order} is not how the statement ends.")


def _without_strings(body: str) -> str:
    """The statement with strings and comments blanked, so that words inside them do not count."""
    blank = lambda match: " " * len(match[0])  # noqa: E731
    return re.sub(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|//[^\n]*|/\*[\s\S]*?\*/", blank, body)


def _returned_columns(code: str) -> list[str]:
    """Names of the columns of the outermost, last RETURN."""
    depth, start = 0, None
    for match in re.finditer(r"[{}()\[\]]|\bRETURN\b", code):
        if match[0] in "{([":
            depth += 1
        elif match[0] in "})]":
            depth -= 1
        elif depth == 0:
            start = match.end()
    if start is None:
        return []
    clause = re.split(r"\b(?:ORDER\s+BY|SKIP|LIMIT)\b", code[start:])[0].strip().rstrip(";")
    clause = re.sub(r"^DISTINCT\b", "", clause)
    columns, depth, item = [], 0, ""
    for character in clause + ",":
        depth += (character in "{([") - (character in "})]")
        if character == "," and depth == 0:
            columns.append(re.split(r"\bAS\b", item)[-1].strip())
            item = ""
        else:
            item += character
    return columns


def _replace(text: str, name: str, default: str, value: str) -> str:
    """Replace a hierarchy inside relationship patterns, or an integer as the bound of a path pattern."""
    if name == "hierarchy":
        return re.sub(rf"(\[\w*:){re.escape(default)}(?=[\]*])", lambda match: match[1] + value, text)
    return re.sub(rf"(\*\d*\.\.){default}(?=\s*\])|(\bLIMIT\s+){default}\b", lambda m: (m[1] or m[2]) + value, text)


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
    from json import JSONDecodeError, loads

    kind = found.params.get(name)
    if kind is None:
        raise QueryFileError(f"Query {found.name} has no parameter {name!r}. {found.usage()}")
    if kind == "STRING":
        return value
    if kind == "LIST<STRING>" and not value.startswith("["):
        return [item.strip() for item in value.split(",") if item.strip()]
    try:
        return loads(value)
    except JSONDecodeError:
        raise QueryFileError(
            f"Query {found.name}: parameter {name} is {kind}, not {value!r}. {found.usage()}"
        ) from None
