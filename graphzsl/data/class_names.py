"""Class names as data sets write them: what of a name can be a word label, and the lists that are
shipped.

Names come as ``grizzly+bear`` (AWA), ``diningtable`` (aPY), ``001.Black_footed_Albatross`` (CUB),
``/i/ice_skating_rink/outdoor`` (SUN).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from graphzsl.errors import DataError
from graphzsl.sources.imagenet import read_names
from graphzsl.sources.tables import WNID

#: Class names of AWA and aPY: ``[data set]`` with ``classes``, and the names of test classes by
#: split.
SHIPPED = Path(__file__).with_name("class_names.toml")
#: A name of WordNet: its word, and which of the word's noun synsets it is.
_NAME = re.compile(r"(.+)\.n\.(\d{1,3})")
_LIKE_WNID = re.compile(r"[nN]\d+")


def key(name: str) -> str:
    """A name in lower case without spaces, hyphens, full stops and 's: what the query
    ``synsets_of_names`` compares."""
    return re.sub(r"'s|[\s.-]", "", name.lower())


def synset_name(text: str) -> str | None:
    """The name of a synset, such as ``dog.n.01``, that a text is; None where it is none.

    Case is ignored, spaces are underscores, and ``dog.n.1`` is ``dog.n.01``.
    """
    name = _NAME.fullmatch(text.strip().lower().replace(" ", "_"))
    return f"{name[1]}.n.{int(name[2]):02d}" if name else None


def readings(name: str) -> list[str]:
    """The word labels that a class name may stand for, the closest to it first.

    A leading number is dropped, underscores and plus signs are spaces. Of a path (SUN) the first
    part is a letter; the last may qualify the scene: ``/i/ice_skating_rink/outdoor`` is "ice
    skating rink outdoor", "outdoor ice skating rink", or "ice skating rink".
    """
    name = re.sub(r"^\s*(\d+[\s.]+)+", "", name)
    parts = [re.sub(r"[\s_+]+", " ", part).strip() for part in name.split("/") if part.strip()]
    if name.startswith("/") and len(parts) > 1 and len(parts[0]) == 1:
        parts = parts[1:]
    if len(parts) < 2:
        return parts
    return [" ".join(parts), " ".join([parts[-1], *parts[:-1]]), " ".join(parts[:-1])]


def shipped_lists() -> dict[str, list[str]]:
    """Name -> class names: ``awa``, ``awa-standard`` (its test classes), ``awa-proposed``, and the
    same of ``apy``."""
    lists = {}
    for data_set, entry in tomllib.loads(SHIPPED.read_text(encoding="utf-8")).items():
        lists[data_set] = entry["classes"]
        lists |= {f"{data_set}-{split}": names for split, names in entry["test"].items()}
    return lists


def refuse_wrong_wnids(classes: Sequence[str]) -> None:
    """DataError for an n with digits alone: no word label is one, so it is a misspelt wnid, not an
    unknown name."""
    wrong = [text for text in classes if _LIKE_WNID.fullmatch(text) and not WNID.match(text)]
    if wrong:
        more = f" ({len(wrong):,} such classes)" if len(wrong) > 1 else ""
        raise DataError(f"{wrong[0]!r} is not a wnid (n and 8 digits){more}. Correct or remove it.")


def outside_names(text: str) -> list[str]:
    """The classes of a file (a wnid or a name per line), or of a shipped list; DataError names the
    known ones."""
    if Path(text).is_file():
        return read_names(Path(text))
    lists = shipped_lists()
    if text not in lists:
        raise DataError(
            f"{text!r} is neither a class set, a file, nor a shipped list of names"
            f" ({', '.join(lists)})."
        )
    return lists[text]


def matches(names: Sequence[str], labels: Mapping[str, Sequence[str]]) -> dict[str, str | None]:
    """Name -> its first reading whose key is in ``labels``, or None."""
    return {
        name: next((text for text in readings(name) if labels.get(key(text))), None)
        for name in names
    }
