"""Cypher of one's own: a text, a file or standard input, with parameters given as texts."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError, QueryFileError
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.text_files import decoded, open_text
from graphzsl.database.library import library, unknown_query
from graphzsl.database.query_file import STRING_OR_COMMENT, Query

#: The end of a file of Cypher.
SUFFIX = ".cypher"


def find_statement(text: str) -> Query | str:
    """Find the statement that NAME, FILE.cypher, ``-`` or a text of Cypher stands for.

    A name of the library comes first, ``./NAME`` is a file. A text with a space or a bracket that
    is not a file is a statement itself.

    Returns:
        A query of the library, or the text of a statement.

    Raises:
        QueryFileError: a file that does not exist or is not text, no statement in it, or a name
            that no query has.
    """
    if text in library():
        return library()[text]
    if text == "-":
        return _checked(_standard_input(), "standard input")
    path = Path(text)
    if path.suffix == SUFFIX or _is_file(path):
        try:
            return _checked(open_text(path).read(), text)
        except FileNotFoundError:
            raise QueryFileError(f"There is no file {text}.") from None
        except DataError as error:
            raise QueryFileError(str(error)) from None
    if re.search(r"[\s(]", text.strip()) or not text.strip():
        return _checked(text, "the text")
    raise QueryFileError(
        f"{unknown_query(text)} A statement of your own goes in quotes, in a .cypher file, or to"
        " standard input (-)."
    )


def _standard_input() -> str:
    try:
        return decoded(sys.stdin.buffer.read(), "standard input")
    except DataError as error:
        raise QueryFileError(str(error)) from None


def parameter_values(statement: str, given: Mapping[str, str]) -> dict[str, Any]:
    """Parse the values of a statement's ``$parameters`` as JSON; other values stay texts.

    QueryFileError for one that the statement does not have, or that is not given.
    """
    code = re.sub(STRING_OR_COMMENT, " ", statement)
    names = list(dict.fromkeys(re.findall(r"\$(\w+)", code)))
    unknown = next((name for name in given if name not in names), None)
    missing = next((name for name in names if name not in given), None)
    if unknown or missing:
        problem = (
            f"has no parameter ${unknown}"
            if unknown
            else f"needs parameter ${missing}: give -p {missing}=VALUE"
        )
        takes = ", ".join(f"${name}" for name in names) or "nothing"
        raise QueryFileError(f"The statement {problem}. It takes: {takes}.")
    return {name: _value(text) for name, text in given.items()}


def _value(text: str) -> Any:
    try:
        return parsed_json(text, "the value", in_64_bits=True)
    except DataError as error:
        if isinstance(error.__cause__, ValueError) or text.strip().endswith(("NaN", "Infinity")):
            return text
        raise QueryFileError(error.message) from None


def _checked(statement: str, origin: str) -> str:
    without_comments = re.sub(
        STRING_OR_COMMENT, lambda match: "" if match[0].startswith("/") else match[0], statement
    )
    if not without_comments.strip():
        raise QueryFileError(f"There is no statement in {origin}.")
    return statement


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a long statement is not a path
        return False
