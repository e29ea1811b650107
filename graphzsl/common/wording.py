"""Words of messages: nouns that go with a number, names that go with a wnid, near spellings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from unicodedata import combining, normalize

#: Of more known texts than this only those with the same first letter are compared: difflib takes
#: a second for WordNet's words.
_MANY = 5000
#: What two spellings of one name may differ in.
_JOINTS = str.maketrans("", "", " -_")


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 hop``, ``2 hops``, ``1,548 classes``."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def called(wnid: str, names: Mapping[str, str]) -> str:
    """``n02084071 (dog.n.01)``, and the wnid alone where there is no name."""
    return f"{wnid} ({names[wnid]})" if names.get(wnid) else wnid


#: Letters of a text that a message repeats.
_LONGEST = 200


def some(texts: Collection[str], most: int = 5) -> str:
    """``'a', 'b' …``: the first of some texts, of long ones the beginning, and whether there are
    more."""
    return _first(texts, most, repr) + " …" * (len(texts) > most)


def listed(names: Collection[str], most: int = 8) -> str:
    """``a, b, … (1,000 in all)``: the same without quotes, and how many there are."""
    rest = f", … ({len(names):,} in all)" if len(names) > most else ""
    return _first(names, most, str) + rest


def _first(texts: Collection[str], most: int, written: Callable[[str], str]) -> str:
    return ", ".join(
        written(text) if len(text) <= _LONGEST else f"{written(text[:_LONGEST])} …"
        for text in islice(texts, most)
    )


def near(text: str, known: Iterable[str], most: int = 3, cutoff: float = 0.7) -> list[str]:
    """The known texts that are spelt nearly as this one, the nearest first; case and accents do not
    count. Of few known texts one that differs in nothing but these, spaces, hyphens and underscores
    is the only one.

    The one function behind every "did you mean".

    >>> near("ImageNet_A", ["imagenet-r", "imagenet-a"])
    ['imagenet-a']
    """
    wanted = _folded(text)
    spelt: dict[str, str] = {}
    for each in known:
        spelt.setdefault(_folded(each), each)
    among: Collection[str] = spelt
    if len(spelt) <= _MANY:
        same = [each for each in spelt if each.translate(_JOINTS) == wanted.translate(_JOINTS)]
        if same:
            return [spelt[same[0]]]
    else:
        among = [each for each in spelt if each[:1] == wanted[:1]]
    # what is much longer or shorter cannot be near, and difflib takes long to say so
    size = len(wanted)
    near_in_size = [
        each for each in among if 2 * min(len(each), size) >= cutoff * (len(each) + size)
    ]
    return [spelt[each] for each in get_close_matches(wanted, near_in_size, most, cutoff)]


def _folded(text: str) -> str:
    """A text without its case and accents."""
    if text.isascii():
        return text.casefold()
    letters = normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not combining(letter))


def did_you_mean(found: Collection[str]) -> str:
    """``" Did you mean 'dog' or 'dug'?"``; empty where nothing is near."""
    return f" Did you mean {' or '.join(found)}?" if found else ""
