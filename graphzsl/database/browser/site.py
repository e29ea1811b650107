"""The folder that the local server serves as Neo4j Browser: Neo4j's own pages, and beside them
graphzsl's style and guide.

Neo4j serves the first ``browser/`` on its class path. From there the style and the guide have the
same origin as the page: they load without a network, and Browser trusts them.
"""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock

from graphzsl.atomic import exchanged_folder
from graphzsl.database.browser import style
from graphzsl.database.browser.begin import begin_script
from graphzsl.database.browser.guide import guide
from graphzsl.database.jars import browser_jar
from graphzsl.errors import DataError, ServerError
from graphzsl.files import sha256, write_text
from graphzsl.settings import Settings

#: Beside Neo4j's own files, below /browser/.
_OWN = "graphzsl"
GUIDE, _BEGIN = "guide.html", "begin.js"


def site_folder(home: Path) -> Path | None:
    """The folder to put on the class path of the server of ``home``; None where Java would read its
    name as two."""
    folder = home / "www"
    return None if os.pathsep in str(folder) else folder


def address(http_port: int, name: str) -> str:
    """Where a file of graphzsl's is served."""
    return f"http://127.0.0.1:{http_port}/browser/{_OWN}/{name}"


def after_login(http_port: int) -> str:
    """Browser's commands once a user has logged in: the guide, and nothing else to look at."""
    return f"guide {address(http_port, GUIDE)};clear"


def make_site(settings: Settings, home: Path) -> Path | None:
    """The folder for the class path, with Neo4j's pages, graphzsl's style and its guide.

    Neo4j's pages are unpacked once for all servers of this user; every home has links to them. None
    where no such folder can be on a class path: Browser then comes without style and guide.
    """
    folder = site_folder(home)
    jar = browser_jar(settings)
    if folder is None or jar is None:
        return None
    try:
        pages, made_of = _unpacked(settings, jar), folder / ".made-of"
        if not made_of.exists() or made_of.read_text(encoding="utf-8") != pages.name:
            with exchanged_folder(folder) as partial:
                shutil.copytree(pages / "browser", partial / "browser", copy_function=_linked)
                for page in ("index.html", "preview/index.html"):
                    _begin_with_own(partial / "browser" / page)
                (partial / "browser" / _OWN).mkdir()
                (partial / ".made-of").write_text(pages.name, encoding="utf-8")
        write_content(home)
    except (OSError, DataError) as error:
        raise ServerError(
            f"{folder} cannot hold Neo4j Browser ({error}). Set GRAPHZSL_HOME and GRAPHZSL_CACHE to"
            " folders that can be written to."
        ) from error
    return folder


def write_content(home: Path, own: Mapping[str, Any] | None = None) -> None:
    """The guide and the saved statements of a home's Browser; ``own`` are the parameters that its
    database has in place of the examples'."""
    folder = home / "www" / "browser" / _OWN
    if folder.is_dir():
        write_text(folder / style.NAME, style.style_text())
        write_text(folder / GUIDE, guide(own))
        write_text(folder / _BEGIN, begin_script(own))


def _begin_with_own(page: Path) -> None:
    """Put graphzsl's script before the others of a page of Neo4j's, where it has that page; the
    page is no link any more."""
    if not page.exists():
        return
    text = page.read_text(encoding="utf-8")
    page.unlink()
    script = f'<script src="/browser/{_OWN}/{_BEGIN}"></script>'
    page.write_text(text.replace("<script", f"{script}<script", 1), encoding="utf-8")


def _unpacked(settings: Settings, jar: Path) -> Path:
    """The pages of a jar of Neo4j Browser (45 MB), unpacked into the cache once."""
    pages = settings.cache / f"browser-{sha256(jar)[:16]}"
    with FileLock(settings.cache / "browser.lock"):
        if not pages.exists():
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
