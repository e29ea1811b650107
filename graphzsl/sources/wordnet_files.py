"""Where WordNet 3.0 comes from: a given folder, NLTK's data, or the system's WordNet package."""

from __future__ import annotations

import io
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from filelock import FileLock

from graphzsl.errors import DataError
from graphzsl.files import sha256
from graphzsl.progress import log
from graphzsl.settings import Settings
from graphzsl.sources.wordnet_content import LEXNAMES, check_content

SYSTEM_FOLDER = Path("/usr/share/wordnet")
PACKAGES = ("wordnet-base", "wordnet-sense-index")
NEEDED = (
    "cntlist.rev",
    "index.sense",
    *(f"{kind}.{part}" for kind in ("data", "index") for part in ("noun", "verb", "adj", "adv")),
    *(f"{part}.exc" for part in ("noun", "verb", "adj", "adv")),
)


def wordnet_folder(settings: Settings) -> Path:
    """A folder that NLTK's reader can open, fetched when there is none yet.

    Tried in turn: the ``wordnet`` setting, NLTK's data folders, the system's WordNet package,
    NLTK's downloader, and the system's package manager (installed as root; otherwise unpacked into
    the user's cache). Raises DataError.
    """
    if settings.wordnet:
        return _prepared(settings.wordnet, settings)
    found = _in_nltk_data() or _in_system(settings)
    if found:
        return _prepared(found, settings)
    if _download_with_nltk() and (found := _in_nltk_data()):
        return _prepared(found, settings)
    return _prepared(_from_package(settings), settings)


def _in_nltk_data() -> Path | None:
    import nltk

    for folder in nltk.data.path:
        candidate = Path(folder) / "corpora" / "wordnet"
        if (candidate / "data.noun").exists():
            try:
                check_content(candidate)
            except DataError as error:
                log(f"{error} This copy is passed by.")
                continue
            return candidate
    return None


def _in_system(settings: Settings) -> Path | None:
    for candidate in (SYSTEM_FOLDER, _unpacked(settings)):
        if all((candidate / name).exists() for name in NEEDED):
            return candidate
    return None


def _unpacked(settings: Settings) -> Path:
    return settings.cache / "wordnet-package"


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


def _from_package(settings: Settings) -> Path:
    if not shutil.which("apt-get"):
        raise DataError(
            "WordNet 3.0 is not on this machine and NLTK's data server does not answer. Get the"
            " WordNet 3.0 database files (data.noun, index.noun, cntlist.rev …), then set"
            " GRAPHZSL_WORDNET to their folder; or try `python -m nltk.downloader wordnet` later."
        )
    log(
        "NLTK's data server does not answer; fetching the system packages"
        f" {' and '.join(PACKAGES)} …"
    )
    if os.geteuid() == 0:
        if _apt("install", "-y", "--no-install-recommends", *PACKAGES) or (
            _apt("update") and _apt("install", "-y", "--no-install-recommends", *PACKAGES)
        ):
            return SYSTEM_FOLDER
        raise DataError(_failed("apt-get install"))
    return _unpack_as_user(settings)


def _unpack_as_user(settings: Settings) -> Path:
    target = _unpacked(settings)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        state = Path(scratch) / "state"
        (state / "lists" / "partial").mkdir(parents=True)
        own_lists = (
            "-o",
            f"Dir::State::Lists={state / 'lists'}",
            "-o",
            f"Dir::Cache={scratch}/cache",
        )
        (Path(scratch) / "cache" / "archives" / "partial").mkdir(parents=True)
        if not _apt("download", *PACKAGES, folder=scratch) and not (
            _apt(*own_lists, "update", folder=scratch)
            and _apt(*own_lists, "download", *PACKAGES, folder=scratch)
        ):
            raise DataError(_failed("apt-get download"))
        for package in Path(scratch).glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", str(package), f"{scratch}/unpacked"], check=True)
        shutil.rmtree(target, ignore_errors=True)
        os.rename(f"{scratch}/unpacked/usr/share/wordnet", target)
    return target


def _apt(*arguments: str, folder: str | None = None) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return (
        subprocess.run(
            ["apt-get", "-q", *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
        ).returncode
        == 0
    )


def _failed(command: str) -> str:
    return (
        f"WordNet 3.0 could not be fetched: NLTK's data server does not answer and `{command}"
        f" {' '.join(PACKAGES)}` failed. Check the network, or set GRAPHZSL_WORDNET to a folder"
        " with the WordNet 3.0 database files."
    )


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
    copy.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(copy.with_suffix(".lock")):
        if not copy.exists():
            with tempfile.TemporaryDirectory(dir=copy.parent) as scratch:
                partial = Path(scratch) / "wordnet"
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
