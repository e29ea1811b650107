"""Classes of a benchmark that their words do not tell apart: the limits that its card says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from graphzsl.benchmark.record import Benchmark
from graphzsl.common.wording import counted
from graphzsl.hierarchy.spelling import word_key

#: Two classes may be one thing where so large a share of one's words are the other's too.
SHARE = 0.5
#: Pairs that a card lists.
_SHOWN = 20


def look_alikes(benchmark: Benchmark) -> list[tuple[str, str, list[str]]]:
    """(test class, test class, their shared words) of the pairs that share half or more of the
    words of one of them: a plant and the part of it that is eaten, or one thing as two classes. By
    the order of the test classes."""
    words = {wnid: _words(benchmark, wnid) for wnid in benchmark.test}
    of_key: dict[str, list[str]] = {}
    for wnid, own in words.items():
        for key in own:
            of_key.setdefault(key, []).append(wnid)
    pairs = {pair for wnids in of_key.values() for pair in combinations(wnids, 2)}
    place = {wnid: at for at, wnid in enumerate(benchmark.test)}
    found = []
    for one, other in sorted(pairs, key=lambda pair: (place[pair[0]], place[pair[1]])):
        both = [word for key, word in words[one].items() if key in words[other]]
        if len(both) >= SHARE * min(len(words[one]), len(words[other])):
            found.append((one, other, both))
    return found


def called_as_training(benchmark: Benchmark) -> list[tuple[str, str, str]]:
    """(test class, its name in prompts, the first training class that has this name among its
    words), in the order of the test classes."""
    of_key: dict[str, str] = {}
    for wnid in benchmark.training:
        for key in _words(benchmark, wnid):
            of_key.setdefault(key, wnid)
    names = benchmark.names.of_class
    return [
        (wnid, name, of_key[word_key(name)])
        for wnid, name in names.items()
        if word_key(name) in of_key
    ]


def limits(benchmark: Benchmark) -> Iterator[str]:
    """Sentences of a card on pairs of test classes that share words, and on test classes that are
    named by a word of a training class."""
    names, lexicon = benchmark.names.of_class, benchmark.lexicon
    pairs = [
        f"{names[one]} ({one}) and {names[other]} ({other}; both are {' and '.join(both)})"
        for one, other, both in look_alikes(benchmark)
    ]
    if pairs:
        share = "shares" if len(pairs) == 1 else "share"
        yield (
            f"{counted(len(pairs), 'pair')} of test classes {share} half or more of the words of"
            " one of them: one word can mean both, and some are one thing in a photograph, such as"
            f" a plant and what is eaten of it: {_some(pairs)}."
        )
    called = [
        f"{name} ({wnid}; training class {other}, {lexicon.names[lexicon.index[other]]})"
        for wnid, name, other in called_as_training(benchmark)
    ]
    if called:
        are = "test class is" if len(called) == 1 else "test classes are"
        yield (
            f"{len(called):,} {are} called in `names.json` by a word of a training class, so that"
            " with training classes among the candidates one prompt can mean both:"
            f" {_some(called)}."
        )


def _words(benchmark: Benchmark, wnid: str) -> dict[str, str]:
    lexicon = benchmark.lexicon
    return {word_key(word): word for word in lexicon.words_of(lexicon.index[wnid])}


def _some(listed: Sequence[str]) -> str:
    more = f"; and {len(listed) - _SHOWN:,} more" if len(listed) > _SHOWN else ""
    return "; ".join(listed[:_SHOWN]) + more
