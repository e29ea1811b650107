"""Reading a Cypher file and checking its header against its statement, both ways.

The header's lines and what they promise are described in ``cypher/README.md``.
"""

from __future__ import annotations

import re
from pathlib import Path

from graphzsl.common.errors import DataError, QueryFileError
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.database.query_file import (
    HIERARCHIES,
    LARGEST,
    NAMED_TYPES,
    STRING_OR_COMMENT,
    TYPES,
    Example,
    Query,
    Range,
    replaced,
)

MODES = ("read", "write", "schema")
RETURN_TYPES = ({*TYPES} - {*NAMED_TYPES}) | {
    "WNID",
    "LIST<WNID>",
    "LIST<LIST<STRING>>",
    "NODE",
    "PATH",
    "LIST<RELATIONSHIP>",
}

_WRITE_WORDS = re.compile(
    r"\b(CREATE|MERGE|SET|DELETE|REMOVE|DROP|FOREACH|LOAD\s+CSV)\b", re.IGNORECASE
)
_HEADER = re.compile(r"//\s*([a-z]+):\s*(.*)$")
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)?(?:\s+|$)")
_KEYS = (
    "name",
    "page",
    "mode",
    "doc",
    "grain",
    "param",
    "vary",
    "returns",
    "order",
    "ref",
    "try",
)
#: Header lines of which there may be several.
_REPEATED = ("ref", "try")


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
            raise QueryFileError(
                f"{path}:{index + 1}: not a header line; expected // {', '.join(_KEYS)}: …"
            )
        fields[match[1]].append((index + 1, match[2].strip()))
    body = "\n".join(lines[body_start:]).strip() + "\n"
    return _checked(path, fields, body, body_start + 1)


def _checked(path: Path, fields: dict[str, list[tuple[int, str]]], body: str, line: int) -> Query:
    def one(key: str, required: bool = True) -> str:
        values = fields[key]
        if len(values) > 1 and key not in _REPEATED:
            raise QueryFileError(f"{path}:{values[1][0]}: a second // {key}: line.")
        if required and not values:
            raise QueryFileError(f"{path}:1: the header has no // {key}: line.")
        return "; ".join(text for _, text in values)

    name, mode = one("name"), one("mode")
    if name != path.stem:
        raise QueryFileError(
            f"{path}:{fields['name'][0][0]}: name {name} must be the file's name, {path.stem}."
        )
    if mode not in MODES:
        raise QueryFileError(
            f"{path}:{fields['mode'][0][0]}: mode {mode!r} is none of {', '.join(MODES)}."
        )
    params, params_doc, ranges = _params(path, fields["param"])
    vary = _vary(path, fields["vary"], body)
    returns = _columns(path, fields["returns"])
    query = Query(
        name=name,
        folder=path.parent.name,
        path=path,
        mode=mode,
        doc=one("doc"),
        grain=one("grain", required=mode == "read"),
        params=params,
        params_doc=params_doc,
        ranges=ranges,
        vary=vary,
        chosen=dict(vary),
        returns=returns,
        order=one("order", required=False),
        ref=one("ref", required=False),
        page=_page(path, fields["page"]),
        examples=_examples(path, fields["try"]),
        body=body,
        text=body,
    )
    _check_body(query, line)
    return query


def _params(
    path: Path, lines: list[tuple[int, str]]
) -> tuple[dict[str, str], dict[str, str], dict[str, Range]]:
    """(types, meanings, ranges) of the parameters by name."""
    types, meanings, ranges = {}, {}, {}
    for number, text in lines:
        name, kind, rest = [*text.split(None, 2), "", ""][:3]
        if kind not in TYPES:
            raise QueryFileError(
                f"{path}:{number}: expected // param: name TYPE meaning, with one of"
                f" {', '.join(TYPES)}."
            )
        if kind == "INTEGER":
            bounds = _RANGE.match(rest)
            if not bounds:
                raise QueryFileError(
                    f"{path}:{number}: {name} is a number; expected its range behind {kind}, such"
                    " as 1.. or 0..20."
                )
            ranges[name] = Range(int(bounds[1]), int(bounds[2]) if bounds[2] else LARGEST)
            rest = rest[bounds.end() :]
        types[name], meanings[name] = kind, rest
    return types, meanings, ranges


def _vary(path: Path, lines: list[tuple[int, str]], body: str) -> dict[str, str]:
    vary = {}
    for number, text in lines:
        name, separator, default = (part.strip() for part in text.partition("="))
        if not separator or not default:
            raise QueryFileError(
                f"{path}:{number}: expected // vary: name = text in the statement."
            )
        if name != "hierarchy" and not default.isdigit():
            raise QueryFileError(
                f"{path}:{number}: {name} may vary only a hierarchy or an integer, not {default!r}."
            )
        if name == "hierarchy" and default not in HIERARCHIES.values():
            raise QueryFileError(
                f"{path}:{number}: {default!r} is none of the hierarchies"
                f" {', '.join(HIERARCHIES.values())}."
            )
        if replaced(body, name, default, "\0") == body:
            raise QueryFileError(
                f"{path}:{number}: {name} = {default} does not occur in the statement."
            )
        vary[name] = default
    return vary


def _columns(path: Path, lines: list[tuple[int, str]]) -> dict[str, str]:
    columns = {}
    for number, text in lines:
        for item in text.split(", "):
            parts = item.split()
            if len(parts) != 2 or parts[1] not in RETURN_TYPES:
                raise QueryFileError(
                    f"{path}:{number}: expected // returns: column TYPE, …; {item!r} is not that."
                )
            columns[parts[0]] = parts[1]
    return columns


def _page(path: Path, lines: list[tuple[int, str]]) -> tuple[int, str] | None:
    """The number of the guide's page and its title."""
    if not lines:
        return None
    number, text = lines[0]
    page, _, title = text.partition(" ")
    if (place := unsigned(page)) is None or not title:
        raise QueryFileError(
            f"{path}:{number}: expected // page: number title, such as 3 What is this synset?"
        )
    return place, title


def _examples(path: Path, lines: list[tuple[int, str]]) -> tuple[Example, ...]:
    found = []
    for number, text in lines:
        values, brace, about = text.removeprefix(":param").strip().rpartition("}")
        quoted = re.sub(r"([{,]\s*)([a-z_]+)\s*:", r'\1"\2":', values + brace).replace("'", '"')
        try:
            found.append(Example(dict(parsed_json(quoted, "the values")), about.strip()))
        except (DataError, ValueError, TypeError) as error:
            raise QueryFileError(
                f"{path}:{number}: expected // try: :param {{name: value, …}} ({error})."
            ) from None
    return tuple(found)


def _check_body(query: Query, line: int) -> None:
    def wrong(what: str, pattern: str | None = None) -> QueryFileError:
        at = line
        if pattern and (match := re.search(pattern, query.body, re.IGNORECASE)):
            at += query.body[: match.start()].count("\n")
        return QueryFileError(f"{query.path}:{at}: {what}")

    # words inside strings and comments do not count
    code = re.sub(STRING_OR_COMMENT, lambda match: " " * len(match[0]), query.body)
    if not code.strip():
        raise wrong("there is no statement.")
    if ";" in code.strip().rstrip(";"):
        raise wrong("one file holds one statement.", ";")
    if query.mode == "read" and (match := _WRITE_WORDS.search(code)):
        raise wrong(f"mode is read, but the statement has {match[0].upper()}.", rf"\b{match[0]}\b")
    used = set(re.findall(r"\$(\w+)", code))
    for name in sorted(used - set(query.params)):
        raise wrong(f"${name} is used but not declared.", rf"\${name}\b")
    for name in sorted(set(query.params) - used):
        raise wrong(f"parameter {name} is declared but not used.")
    declared = set(query.params)
    examples = [each.values for each in query.examples] or [{}]
    for name in sorted(set().union(*(declared ^ (each.keys() - query.vary) for each in examples))):
        raise wrong(
            f"parameter {name} and the // try: line differ; every parameter needs an example value."
        )
    columns = _returned_columns(code)
    if columns != list(query.returns):
        raise wrong(
            f"returns {columns}, but the header declares {list(query.returns)}.",
            r"\bRETURN\b(?![\s\S]*\bRETURN\b)",
        )
    if (
        query.order
        and query.order.replace(" ", "") not in code.replace(" ", "").rpartition("ORDERBY")[2]
    ):
        raise wrong(f"// order: {query.order} is not how the statement ends.")


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
