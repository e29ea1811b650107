"""Labels of ImageNet's classes in the English Wikipedia and in GloVe, and images of branches: rows
beside the tables of Hascoet et al. (2019), from data that packages bring."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from statistics import median

import numpy as np
import numpy.typing as npt

from graphzsl.hierarchy import Hierarchy, Lexicon
from graphzsl.ilsvrc.papers import PrintedTable
from graphzsl.ilsvrc.papers.printed import Row
from graphzsl.sources.frequency_packages import packaged_frequencies
from graphzsl.sources.imagenet import listed_classes
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import populations_path

#: Branches of the text, by the synset at their top.
BRANCHES = {
    "animal": "n00015388",
    "bird": "n01503061",
    "dog": "n02084071",
    "plant": "n00017222",
    "artifact": "n00021939",
}
#: The package lists no word with fewer occurrences: the paper's 10 cannot be told from 0.
LEAST = 20
#: (what is counted once, a word, a word of the same or of another class).
Pair = tuple[str, str, str]
Vector = npt.NDArray[np.float64]


@cache
def occurrences() -> dict[str, int]:
    """Word in lower case -> how often the English Wikipedia has it, ``LEAST`` times at least."""
    return packaged_frequencies("wikipedia").of_word


@cache
def populations() -> dict[str, int]:
    """Class of Fall 2011 -> its images."""
    return {wnid: images for _, wnid, images in read_populations(populations_path())}


@cache
def word_vectors() -> dict[str, Vector]:
    """Word of a noun synset, in letters and lower case -> its GloVe vector."""
    from graphzsl.data.packaged_vectors import packaged_vectors

    vectors = packaged_vectors("glove-6b-50d")
    words = in_letters({text.lower() for text in lexicon().words[0]})
    return {word: vectors[word].astype(np.float64) for word in sorted(words) if word in vectors}


def cosine(one: Vector, other: Vector) -> float:
    """Cosine of two vectors."""
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


@cache
def lexicon() -> Lexicon:
    """WordNet's nouns and their words."""
    return Lexicon.load()


@cache
def hierarchy() -> Hierarchy:
    """WordNet's hierarchy."""
    return Hierarchy.load()


@cache
def classes() -> frozenset[str]:
    """The classes of Fall 2011."""
    return frozenset(listed_classes("imagenet-fall11"))


@cache
def leaves() -> frozenset[str]:
    """Classes without a class below them."""
    return classes() - {above for wnid in classes() for above in hierarchy().ancestors(wnid)}


@cache
def below(top: str) -> frozenset[str]:
    """Classes at or below a synset."""
    return classes() & {top, *hierarchy().descendants(top)}


@cache
def labels(wnids: frozenset[str]) -> set[str]:
    """Labels of classes in lower case, each once."""
    words = lexicon()
    return {text.lower() for wnid in wnids for text in words.words_of(words.index[wnid])}


def in_letters(given: Iterable[str]) -> set[str]:
    """Labels that the package counts as one word: it splits at blanks, hyphens and apostrophes."""
    return {label for label in given if label.isalpha()}


@cache
def parts(label: str) -> list[str]:
    """Words of a label."""
    return re.findall(r"[^\W_]+", re.sub(r"'s\b", "", label))


def most_occurrences(label: str) -> int:
    """Occurrences that a label has at most: its own, or those of its rarest word."""
    counts = occurrences()
    return max(counts.get(label, 0), min((counts.get(word, 0) for word in parts(label)), default=0))


def rare_labels(table: PrintedTable) -> list[Row]:
    """Shares of rare labels of one word; of all labels those with a rare word, which are rare."""
    every = labels(classes())
    rare = _shares("all, at least", [most_occurrences(label) for label in every])
    tops = {name: below(top) for name, top in BRANCHES.items()}
    sets = {"of one word": classes()}
    sets |= {f"of one word, {name}": wnids for name, wnids in tops.items()}
    sets |= {"of one word, leaf classes": leaves()}
    sets |= {
        f"of one word, leaf classes, {name}": tops[name] & leaves()
        for name in ("animal", "plant", "artifact")
    }
    counts = {
        name: [occurrences().get(label, 0) for label in in_letters(labels(wnids))]
        for name, wnids in sets.items()
    }
    return [rare | {"median": None}] + [
        _shares(name, found) | {"median": float(median(found))} for name, found in counts.items()
    ]


def _shares(name: str, counts: Sequence[int]) -> Row:
    return {"labels": name, "number": len(counts)} | {
        f"below_{limit}": sum(count < limit for count in counts) / len(counts) * 100
        for limit in (LEAST, 50, 100)
    }


def frequent_classes() -> list[Row]:
    """Shares of classes that f > 500 keeps, by readings of f; a class counts by its best label."""
    counts = occurrences()
    of_class = [labels(frozenset([wnid])) for wnid in classes()]
    one_word = [in_letters(each) for each in of_class]
    best = {
        "of one word": [max(map(most_occurrences, each)) for each in one_word if each],
        "all, at most": [max(map(most_occurrences, each)) for each in of_class],
        "all, by the most frequent word of a label": [
            max(counts.get(word, 0) for one in each for word in (one, *parts(one)))
            for each in of_class
        ],
    }
    return [
        {
            "labels": name,
            "classes": len(found),
            "keeps": sum(count > 500 for count in found) / len(found) * 100,
        }
        for name, found in best.items()
    ]


def populations_by_branch() -> list[Row]:
    """Images per class of all classes and of branches, with the standard error of the mean."""
    rows = []
    for name, wnids in {"all": classes(), **{k: below(v) for k, v in BRANCHES.items()}}.items():
        images = np.array([populations()[wnid] for wnid in sorted(wnids)], np.float64)
        rows.append({"branch": name, "classes": len(images)} | _mean(images, "images_per_class"))
    return rows


def similarities(table: PrintedTable) -> list[Row]:
    """Cosines of the printed words, and means of pairs of words that belong together beside those
    of as many that chance puts together."""
    rows: list[Row] = [
        {
            "meaning": row["meaning"],
            "cosine": cosine(word_vectors()["queen"], _around(row["words"])),
        }
        for row in table.rows()
    ]
    for name, pairs in (("hypernym", hypernym_pairs()), ("synonym", synonym_pairs())):
        order = np.random.default_rng(0).permutation(len(pairs))
        mixed = [
            (group, one, pairs[at][2]) for (group, one, _), at in zip(pairs, order, strict=True)
        ]
        rows += [_cosines(name, pairs), _cosines(f"{name} of a random pair", mixed)]
    return rows


def _around(words: str) -> Vector:
    """Mean of the vectors of words (Hascoet et al. 2019, equation 6)."""
    mean: Vector = np.mean([word_vectors()[word] for word in words.split(", ")], axis=0)
    return mean


@cache
def hypernym_pairs() -> list[Pair]:
    """First words of test classes and of their direct hypernyms, by hypernym."""
    words, found = lexicon(), []
    for wnid in sorted(classes() - {*listed_classes("ilsvrc2012")}):
        own = words.index[wnid]
        for above in words.hypernyms(own):
            pair = [words.words_of(each)[0].lower() for each in (own, above)]
            if len({*pair} & word_vectors().keys()) == 2:
                found.append((words.wnids[above], *pair))
    return found


@cache
def synonym_pairs() -> list[Pair]:
    """Labels of one word of the same class, in pairs, by class."""
    found = []
    for wnid in sorted(classes()):
        known = sorted(labels(frozenset([wnid])) & word_vectors().keys())
        found += [(wnid, one, other) for at, one in enumerate(known) for other in known[at + 1 :]]
    return found


def _cosines(name: str, pairs: Sequence[Pair]) -> Row:
    """Mean over groups of the mean cosine of their pairs, which are not independent."""
    vectors = word_vectors()
    one, other = (np.stack([vectors[pair[at]] for pair in pairs]) for at in (1, 2))
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    _, groups = np.unique([group for group, *_ in pairs], return_inverse=True)
    cosines = (one * other).sum(axis=1) / lengths
    means = np.bincount(groups, cosines) / np.bincount(groups)
    return {"pairs": name, "groups": len(means)} | _mean(means, "cosine")


def _mean(values: Vector, name: str) -> Row:
    error = values.std(ddof=1) / np.sqrt(len(values))
    return {name: float(values.mean()), "se": float(error)}
