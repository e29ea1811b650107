"""Nouns of sentences: by NLTK's tagger, or by looking words up in WordNet.

Both give nouns in the base form of WordNet's morphology. Of several base forms (*men* is man, and
men for workers) it is the one that is tagged most often in text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from graphzsl.common.errors import DataError

_FUNCTION_WORDS = """
a about above across after against along am among an and any are around as at be because been before
behind being below beneath beside between beyond both but by can could did do does doing down during
each either every few for from had has have having he her hers him his i if in into is it its itself
like many may me might mine more most much must my near neither no nor not of off on onto or others
our out over own past per she should since so some such than that the their them then there these
they this those though through to toward towards under until up upon us was we were what when where
which while who whom whose will with within without would you your
"""
#: English words that are neither noun, verb, adjective nor adverb, and helping verbs. WordNet has
#: some of them as other nouns: a is ångström, in is inch, he is helium.
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
#: How often the -ing form of a verb is tagged as a noun, if it is one: building, painting; not
#: running, sitting, standing.
LEAST_OF_ING = 5
#: Forms of a verb (eat, eats, ate, eating): one of them is a noun if it is tagged as one as often
#: as it is a verb, which is this part of the verb's counts.
FORMS = 4
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
#: The tags of nouns in the Penn Treebank.
_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_UNTAGGED = (0, -1, -1)
_NLTK_DATA = "averaged_perceptron_tagger_eng"


class Lemmas(Protocol):
    """Interface to the part of WordNet that finding nouns needs."""

    def lemmas(self, form: str) -> list[str]:
        """Nouns in lower case that a form in lower case is inflected from."""

    def part_counts(self) -> Mapping[str, tuple[int, int, int]]:
        """Word -> how often it is tagged as a noun, a verb, an adjective or adverb; -1 for a part
        of speech that it is not."""


#: From a sentence to its nouns, each once.
Nouns = Callable[[str], set[str]]


def nouns_by_lookup(wordnet: Lemmas) -> Nouns:
    """Nouns are words of WordNet that are tagged as nouns at least as often as verbs, adjectives or
    adverbs, in their base form.

    Function words are not looked up. A noun that is also the -s or -ing form of a verb (*eats*,
    *fighting*, *playing*) must be tagged as a noun as often as each of the verb's four forms, on
    average, is as a verb; the -ing form ``LEAST_OF_ING`` times at least. The rule knows nothing of
    the sentence: *a white dog runs* has the noun dog, *children on swings* child alone, and no bear
    is one, for *to bear* is tagged more often; *saw* and *left* are looked up as they stand.
    """
    counts = wordnet.part_counts()

    def base(word: str) -> str | None:
        if word in FUNCTION_WORDS:
            return None
        lemma = _best(wordnet.lemmas(word), counts)
        if lemma is None:
            return None
        noun, *others = counts.get(lemma, _UNTAGGED)
        if noun < max(others):
            return None
        return None if lemma == word and _is_rather_verb(word, counts) else lemma

    known: dict[str, str | None] = {}

    def nouns(sentence: str) -> set[str]:
        words = [word.lower() for word in _WORD.findall(sentence)]
        for word in words:
            if word not in known:
                known[word] = base(word.removesuffix("'s"))
        return {noun for word in words if (noun := known[word]) is not None}

    return nouns


def nouns_by_tagger(wordnet: Lemmas) -> Nouns:
    """Nouns are the words that NLTK's averaged perceptron tags NN, NNS, NNP or NNPS, in their base
    form; those that WordNet does not have as they are written, in lower case.

    Raises:
        DataError: the tagger's data are not installed; they come with NLTK's downloader, not with
            NLTK.
    """
    from nltk.tag.perceptron import PerceptronTagger
    from nltk.tokenize import NLTKWordTokenizer

    try:
        tagger: Any = PerceptronTagger()
    except LookupError:
        raise DataError(
            f"NLTK's tagger has no data here: {_NLTK_DATA} is not installed. Run `python -m"
            f" nltk.downloader {_NLTK_DATA}`, or look words up in WordNet, whose rule is coarser.",
            argument="nouns",
            value="wordnet",
        ) from None
    counts, tokenizer = wordnet.part_counts(), NLTKWordTokenizer()

    def nouns(sentence: str) -> set[str]:
        tagged = tagger.tag(tokenizer.tokenize(sentence))
        words = {word.lower() for word, tag in tagged if tag in _TAGS and _WORD.fullmatch(word)}
        return {_best(wordnet.lemmas(word), counts) or word for word in words}

    return nouns


#: How nouns are found.
NOUN_RULES: dict[str, Callable[[Lemmas], Nouns]] = {
    "tagger": nouns_by_tagger,
    "wordnet": nouns_by_lookup,
}


def _best(lemmas: Iterable[str], counts: Mapping[str, tuple[int, int, int]]) -> str | None:
    """The lemma that is tagged most often as a noun; the first of several."""
    return max(lemmas, key=lambda lemma: counts.get(lemma, _UNTAGGED)[0], default=None)


def _is_rather_verb(noun: str, counts: Mapping[str, tuple[int, int, int]]) -> bool:
    """True if a noun is the -s or -ing form of a verb and is tagged too seldom as a noun."""
    stems: list[str] = []
    is_ing, tagged = noun.endswith("ing"), counts.get(noun, _UNTAGGED)[0]
    if is_ing:
        stem = noun.removesuffix("ing")
        stems = [stem, stem + "e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem]
    elif noun.endswith("s"):
        stems = [noun[:-1]]
        stems += [noun[:-2]] if noun.endswith("es") else []
        stems += [noun[:-3] + "y"] if noun.endswith("ies") else []
    verb = max((counts.get(stem, _UNTAGGED)[1] for stem in stems if len(stem) > 1), default=-1)
    return verb >= 0 and (FORMS * tagged < verb or (is_ing and tagged < LEAST_OF_ING))
