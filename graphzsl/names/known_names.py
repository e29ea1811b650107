"""Lists of names that ImageNet's classes are known by: the names that all come from one of them are
read by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from graphzsl.common.errors import DataError, MissingExtra
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.meanings import CLASSES
from graphzsl.hierarchy.spelling import word_key
from graphzsl.names.class_naming import class_names, every_rule
from graphzsl.names.name_lists import read_name_list
from graphzsl.sources.imagenet import shipped_classes


@dataclass(frozen=True)
class KnownNames:
    """Names as a list of them reads: ``meant`` name -> its wnids, of which several are left where
    the lists give the name to several classes; ``lists`` are the titles of the lists that have all
    of the names."""

    meant: Mapping[str, frozenset[str]]
    lists: list[str]


class KnownLists:
    """The lists of names that can be read here.

    Args:
        lexicon: WordNet's nouns; by default those of the package.
    """

    def __init__(self, lexicon: Lexicon | None = None):
        self._classes: dict[str, dict[str, set[str]]] = {}
        for title, listed in _lists(lexicon or Lexicon.load()):
            of_name = self._classes.setdefault(title, {})
            for wnid, name in listed:
                of_name.setdefault(name, set()).add(wnid)

    def of_all(self, names: Sequence[str]) -> KnownNames | None:
        """Meanings of names by the lists that have every one of them, spelt alike; None if no list
        has them all.

        Where several lists have all names, a name means whatever any of them gives it to.
        """
        wanted = set(names)
        lists = {title: found for title, found in self._classes.items() if wanted <= found.keys()}
        if not wanted or not lists:
            return None
        meant = {
            name: frozenset().union(*(found[name] for found in lists.values())) for name in names
        }
        return KnownNames(meant, list(lists))

    def of_any(self, name: str) -> frozenset[str]:
        """The classes that any list gives a name to, whatever other names there are."""
        return frozenset().union(*(found.get(name, ()) for found in self._classes.values()))

    def of_key(self, key: str) -> frozenset[str]:
        """The classes that any list gives a name of this ``word_key`` to."""
        return frozenset(self._of_key.get(key, ()))

    @cached_property
    def _of_key(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for of_name in self._classes.values():
            for name, wnids in of_name.items():
                found.setdefault(word_key(name), set()).update(wnids)
        return found


@lru_cache(maxsize=1)
def known_lists(lexicon: Lexicon) -> KnownLists:
    """The lists, read once for the nouns that the process keeps."""
    return KnownLists(lexicon)


def _lists(lexicon: Lexicon) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """(title, (wnid, name) of every class) of each list that can be read here."""
    sources: list[tuple[str, Callable[[], list[tuple[str, str]]]]] = [
        ("CLIP's evaluation (clip-benchmark)", _openai),
        ("torchvision", _torchvision),
        ("timm", _timm),
    ]
    for title, read in sources:
        try:
            yield title, read()
        except (DataError, MissingExtra):  # it is not installed, or laid out otherwise
            continue
    for rule in every_rule():
        named = class_names(CLASSES, rule, lexicon)
        yield f"`graphzsl names --rule {rule}`", list(named.of_class.items())


def _openai() -> list[tuple[str, str]]:
    from graphzsl.names.clip_benchmark import openai_names

    return list(openai_names(CLASSES).names.items())


def _torchvision() -> list[tuple[str, str]]:
    wnids = shipped_classes(CLASSES)
    listed = read_name_list("torchvision:models/_meta.py", "_IMAGENET_CATEGORIES", len(wnids))
    names = [str(entry.name) for entry in listed.entries]
    if len(names) != len(wnids):
        raise DataError(f"torchvision lists {len(names):,} names for {len(wnids):,} classes.")
    return list(zip(wnids, names, strict=True))


def _timm() -> list[tuple[str, str]]:
    listed = read_name_list("timm:data/_info/imagenet_synset_to_lemma.txt")
    classes = set(shipped_classes(CLASSES))
    return [(str(each.wnid), str(each.name)) for each in listed.entries if each.wnid in classes]
