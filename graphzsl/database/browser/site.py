"""The folder that the local server serves as Neo4j Browser: Neo4j's own pages, and beside them
graphzsl's style and guide.

Neo4j serves the first ``browser/`` on its class path. From there the style and the guide have the
same origin as the page: they load without a network, and Browser trusts them.
"""

from __future__ import annotations

import os
import re
import shutil
import zipfile
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlencode

from filelock import FileLock

from graphzsl.common.atomic import exchanged_folder
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_json, sha256, write_json, write_text
from graphzsl.common.progress import log
from graphzsl.common.settings import Settings
from graphzsl.common.version import __version__
from graphzsl.database.browser import style
from graphzsl.database.browser.begin import begin_script
from graphzsl.database.browser.guide import Own, guide
from graphzsl.database.jars import browser_jar
from graphzsl.database.query_file import HIERARCHIES
from graphzsl.database.server_state import ServerState

#: Beside Neo4j's own files, below /browser/, where everybody may read.
_OWN = "graphzsl"
GUIDE, _BEGIN, _KEPT = "guide.html", "begin.js", "guide.json"
#: The page itself asks for fonts, statistics and reports of errors elsewhere. Bolt stays on this
#: machine.
_POLICY = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:;"
    " connect-src 'self' ws://127.0.0.1:* ws://localhost:* http://127.0.0.1:* http://localhost:*"
)
#: Counts the ways in which pages of Neo4j's were changed: a home of an earlier one is made again.
_FORM = 3
_HEAD = re.compile("<head(?: [^>]*)?>", re.IGNORECASE)


def site_folder(home: Path) -> Path | None:
    """The folder to put on the class path of the server of ``home``; None where Java would read its
    name as two."""
    folder = home / "www"
    return None if os.pathsep in str(folder) else folder


def address(http_port: int, name: str) -> str:
    """URL of a file that graphzsl serves."""
    return f"http://127.0.0.1:{http_port}/browser/{_OWN}/{name}"


def after_login(http_port: int) -> str:
    """Browser's commands once a user has logged in: the guide, and nothing else to look at."""
    return f"guide {address(http_port, GUIDE)};clear"


def make_site(settings: Settings, home: Path) -> Path | None:
    """The folder for the class path, with Neo4j's pages, graphzsl's style and its guide.

    Neo4j's pages are unpacked once for all servers of this user; every home has links to them. None
    where no such folder can be made, or be on a class path: Browser then comes without style and
    guide, and the database is there all the same.
    """
    folder = site_folder(home)
    jar = browser_jar(settings)
    if folder is None or jar is None:
        return None
    try:
        pages, made_of = _unpacked(settings, jar), folder / ".made-of"
        version = f"{pages.name} {__version__} {_FORM}"
        if not made_of.exists() or made_of.read_bytes() != version.encode():
            with exchanged_folder(folder) as partial:
                shutil.copytree(pages / "browser", partial / "browser", copy_function=_linked)
                for page in ("index.html", "preview/index.html"):
                    _begin_with_own(partial / "browser" / page)
                (partial / "browser" / _OWN).mkdir()
                (partial / ".made-of").write_text(version, encoding="utf-8")
        write_content(home, _kept(home))
    except (OSError, DataError, zipfile.BadZipFile) as error:
        log(f"Neo4j Browser comes without graphzsl's guide and style: {error}")
        return None
    return folder


def write_content(home: Path, own: Own) -> None:
    """Write the guide and the saved statements of a home's Browser for the content of its database;
    the next start keeps them."""
    folder = home / "www" / "browser" / _OWN
    if folder.is_dir():
        write_json(home / _KEPT, asdict(own))
        write_text(folder / style.NAME, style.style_text())
        write_text(folder / GUIDE, guide(own))
        write_text(folder / _BEGIN, begin_script(own))


def _kept(home: Path) -> Own:
    """Read the values of the guide that was last written; empty ones if the file is damaged."""
    try:
        own = Own(**read_json(home / _KEPT))
    except (DataError, TypeError):
        return Own()
    return own if _is_whole(own) else Own()


def _is_whole(own: Own) -> bool:
    """True if values read from a file have the right types and name a known hierarchy."""
    if not isinstance(own.values, dict) or not isinstance(own.needs, dict):
        return False
    lists = [value for value in (own.known, *own.values.values()) if isinstance(value, list)]
    single = [value for value in own.values.values() if not isinstance(value, list)]
    texts = [*single, *own.needs.values(), *(text for each in lists for text in each)]
    is_known = own.hierarchy in (*HIERARCHIES, *HIERARCHIES.values())
    is_listed = isinstance(own.known, list | None)
    return is_known and is_listed and all(isinstance(text, str) for text in texts)


def _begin_with_own(page: Path) -> None:
    """Put graphzsl's script before the other scripts of a page of Neo4j's, and replace a link to
    the page by a file. Requests to its maker's services are refused: the policy stands first in the
    head, since content before it is not held to it, and in the body it has no effect."""
    if not page.exists():
        return
    text = page.read_text(encoding="utf-8")
    page.unlink()
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    script = f'<script src="/browser/{_OWN}/{_BEGIN}"></script>'
    text = text.replace("<script", f"{script}<script", 1)
    page.write_text(_HEAD.sub(lambda head: head[0] + policy, text, count=1), encoding="utf-8")


def _unpacked(settings: Settings, jar: Path) -> Path:
    """The pages of a jar of Neo4j Browser (45 MB), unpacked into the cache once."""
    pages = settings.cache / f"browser-{sha256(jar)[:16]}"
    page = pages / "browser" / "index.html"
    if page.exists():
        return pages
    with FileLock(settings.cache / "browser.lock"):
        if not page.exists():
            with exchanged_folder(pages) as partial, zipfile.ZipFile(jar) as archive:
                names = [name for name in archive.namelist() if name.startswith("browser/")]
                archive.extractall(partial, names)
    return pages


def _linked(source: str, target: str) -> None:
    """A link to a file, or a copy where the two lie on different disks."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def browser_address(state: ServerState, statement: str = "") -> str:
    """The address of a local server's Browser: server, database and user are filled in, and a
    ``statement`` waits in the editor.

    Browser decodes the whole address before it looks for the next ``&`` or ``#``, so those of names
    in the statement become Cypher's escapes.
    """
    fields = {
        "dbms": f"neo4j://neo4j@127.0.0.1:{state.bolt_port}",
        "db": "neo4j",
        "preselectAuthMethod": "NATIVE",
    }
    if statement:
        whole = statement.replace("&", r"\u0026").replace("#", r"\u0023")
        fields |= {"cmd": "edit", "arg": whole}
    return f"{state.browser_url}?{urlencode(fields)}"
