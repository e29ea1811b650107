"""Errors that a user can act on.

::

    GraphZSLError
    ├── SettingsError         a setting, environment variable or configuration file
    ├── MissingExtra          a library that an extra of the package brings is not installed
    ├── DatabaseError         the Neo4j server or the connection to it
    │   └── ServerError       the local server that graphzsl manages
    ├── QueryFileError        a file of the Cypher library, or how it was called
    ├── DataError             a source file, a data set, or a file with a manifest
    ├── SplitError            a class set or split
    ├── ModelError            training, predicting or evaluating
    └── NotEnoughMemoryError  what was asked for does not fit in memory

Every message names the file, line, wnid or setting, says what was expected, and what to do.
Where an argument of the caller decides, ``argument`` is its name. The command line prints the
message, names that argument as an option (of a configuration: as a key), and exits with status 1;
with ``--debug`` it shows the traceback.
"""

import re
from typing import Self

#: Letters of a message that a person still reads, and of a word in a longer one.
LONGEST, LONGEST_WORD = 10_000, 200
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD},}}")


class GraphZSLError(Exception):
    """Base of all errors that graphzsl raises on purpose.

    ``argument`` names the caller's argument that mends it, where there is one, and ``value`` what
    to give it; the text of the error ends with both.
    """

    def __init__(self, *args: object, argument: str | None = None, value: object = None):
        super().__init__(*args)
        self.argument, self.value = argument, value

    @property
    def message(self) -> str:
        """The message without argument and value, which the command line names in its own way; of a
        very long message, its beginning and its end."""
        return _readable(super().__str__())

    def at(self, place: str) -> Self:
        """Copy of the error with ``place`` before its message."""
        return type(self)(f"{place}{self.message}", argument=self.argument, value=self.value)

    def __str__(self) -> str:
        if self.argument is None or self.value is None:
            return self.message
        return f"{self.message.removesuffix('.')} ({self.argument}={self.value!r})."


def _readable(message: str) -> str:
    if len(message) <= LONGEST:
        return message
    message = _LONG_WORD.sub(lambda word: _ends(word[0], LONGEST_WORD), message)
    return _ends(message, LONGEST)


def _ends(text: str, letters: int) -> str:
    """The beginning and the end of a longer text, and how long it is."""
    if len(text) <= letters:
        return text
    return f"{text[: letters * 3 // 4]} … ({len(text):,} letters) … {text[-letters // 4 :]}"


class SettingsError(GraphZSLError):
    """A setting, environment variable or configuration file is wrong."""


class MissingExtra(GraphZSLError, ImportError):
    """A library that an extra of the package brings is not installed."""


class DatabaseError(GraphZSLError):
    """The Neo4j server cannot be used."""


class ServerError(DatabaseError):
    """The local Neo4j server cannot be fetched, started or stopped."""


class QueryFileError(GraphZSLError):
    """A Cypher file breaks its contract, or was called against it."""


class DataError(GraphZSLError):
    """A file holds something else than was expected."""


class SplitError(GraphZSLError):
    """A class set or split is unknown, unsound or cannot be built."""


class ModelError(GraphZSLError):
    """A model cannot be trained, loaded or evaluated."""


class NotEnoughMemoryError(GraphZSLError):
    """A file does not fit in the memory that is free."""


# A traceback names them as users do: graphzsl.DataError.
for _error in (
    GraphZSLError,
    SettingsError,
    DatabaseError,
    ServerError,
    QueryFileError,
    DataError,
    SplitError,
    ModelError,
    NotEnoughMemoryError,
):
    _error.__module__ = "graphzsl"
