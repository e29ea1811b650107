"""All that is known of one synset."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphzsl.common.text_files import read_text
from graphzsl.database.class_sets import class_set, members, require_class_set
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.database.names import DatabaseVocabulary
from graphzsl.hierarchy.closest import closest_classes
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.hcorrect import hcorrect_sets
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.meanings import tagged_senses
from graphzsl.hierarchy.resolver import resolve_entries, usual_sense
from graphzsl.hierarchy.search import row_of
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.sources.imagenet import class_entries, listed_classes
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import class_lists, list_path, populations_path
from graphzsl.sources.wordnet import definition


@dataclass(frozen=True)
class Named:
    """A synset as it is shown."""

    wnid: str
    name: str


@dataclass(frozen=True)
class Sense(Named):
    """A synset that a word names, and whether it is a valid label."""

    gloss: str
    is_class: bool


@dataclass(frozen=True)
class Inherited:
    """Population from the valid labels at or below a synset."""

    valid: str
    classes: int
    population_mean: float | None
    images: int


@dataclass(frozen=True)
class Training:
    """The training classes with the fewest hops to a synset; without any within reach, ``hops`` is
    None."""

    train: str
    hops: int | None
    closest: list[Named]


@dataclass(frozen=True)
class Neighbourhood:
    """hCorrectSet of a synset among the classes of a set."""

    valid: str
    k: int
    radius: int
    members: list[Named]


@dataclass(frozen=True)
class SynsetPage:
    """Facts that ``look`` found on a synset; None or empty where nothing is known."""

    wnid: str
    name: str
    words: list[str]
    gloss: str
    lexname: str
    depth: int
    word: str  #: the word whose senses are listed
    other_senses: list[Sense]
    hypernyms: list[Named]
    way_up: list[Named]  #: a shortest way to the root, the synset itself not counted
    hyponyms: list[Named]
    descendants: int
    population: int | None
    inherited_population: Inherited | None
    class_sets: list[str]
    training: Training
    hcorrect_set: Neighbourhood | None

    def to_dict(self) -> dict[str, Any]:
        """The page as JSON can hold it."""
        return asdict(self)


def look(
    text: str,
    train: str = "ilsvrc2012",
    valid: str = "imagenet-fall11",
    k: int = 5,
    database: Database | None = None,
) -> SynsetPage:
    """All that is known of one synset, from WordNet's nouns and the shipped lists and populations;
    of a database, the class sets and populations that it has.

    Args:
        text: its wnid, its name such as dog.n.01, or a word: of several senses the one that is
            tagged most often in text; where none is, the first that is a valid label, or of all.
        train: the training classes: a class set of the database, a shipped list, or a file.
        valid: likewise the valid labels of the hCorrectSet, of which the inherited population is.
        k: least number of members of the hCorrectSet.
        database: that holds class sets and populations besides.

    Raises:
        DataError: there is no such synset, list or file; near ones are offered.
        SplitError: a k that is not a whole number of at least 1.

    Reference:
        Frome et al. 2013, appendix A.3 (hCorrectSets); Hascoet et al. 2019 (closest training
        classes).

    >>> page = look("dog")
    >>> page.name, [each.name for each in page.hypernyms]
    ('dog.n.01', ['domestic_animal.n.01', 'canine.n.02'])
    >>> page.training.hops, page.hcorrect_set.radius
    (1, 1)
    """
    lexicon, hierarchy = Lexicon.load(), Hierarchy.load()
    vocabulary = WordNetVocabulary(lexicon)
    labels, training = _classes(valid, "valid", database), _classes(train, "train", database)
    among = set(labels)
    wnid = usual_sense(text, vocabulary, among)
    if database is not None and not DatabaseVocabulary(database).has(wnid):
        database = None  # it does not hold WordNet
    at = lexicon.index[wnid]
    word = " ".join(text.replace("_", " ").split())
    if word.lower() not in (each.lower() for each in lexicon.words_of(at)):
        text = word = lexicon.words_of(at)[0]
    subtree = hierarchy.subtree([wnid])
    population, inherited = _population(wnid, valid, subtree & among, database)

    way = _way_up(hierarchy, wnid)

    def named(wnids: Iterable[str]) -> list[Named]:
        return [Named(each, hierarchy.names[each]) for each in wnids]

    closest = closest_classes(hierarchy, training, [wnid])
    near = next(hcorrect_sets(hierarchy, [wnid], labels, [k])) if wnid in among else None
    return SynsetPage(
        wnid=wnid,
        name=lexicon.names[at],
        words=lexicon.words_of(at),
        gloss=definition(lexicon.gloss(at)),
        lexname=lexicon.lexname(at),
        depth=len(way),
        word=word,
        other_senses=[
            Sense(
                each,
                hierarchy.names[each],
                definition(lexicon.gloss(lexicon.index[each])),
                each in among,
            )
            for each in tagged_senses(text, vocabulary)
            if each != wnid
        ],
        hypernyms=named(_beside(hierarchy, hierarchy.up, wnid)),
        way_up=named(way),
        hyponyms=named(_beside(hierarchy, hierarchy.down, wnid)),
        descendants=len(subtree) - 1,
        population=population,
        inherited_population=inherited,
        class_sets=_sets_of(wnid, database),
        training=(
            Training(train, closest[0].hops, named(closest[0].closest))
            if closest
            else Training(train, None, [])
        ),
        hcorrect_set=(
            None if near is None else Neighbourhood(valid, k, near.radius, named(near.members))
        ),
    )


def look_between(
    one: str, other: str, valid: str = "imagenet-fall11", database: Database | None = None
) -> list[dict[str, Any]]:
    """One row per lowest common ancestor of two synsets (no other common ancestor is below it): the
    synsets, the hops from one to the other, the ancestor and its height; by height, then wnid.

    Args:
        one: a synset, as ``look`` reads it; a synset counts as its own ancestor.
        other: the synset to compare it with, read the same way.
        valid: as ``look`` takes it.
        database: where class sets are looked up first.

    Raises:
        DataError: there is no such synset or list.

    Reference:
        Russakovsky et al. 2015, section 4.1 (height of the lowest common ancestor).
    """
    hierarchy = Hierarchy.load()
    among = set(_classes(valid, "valid", database))
    vocabulary = WordNetVocabulary()
    pair = [usual_sense(text, vocabulary, among) for text in (one, other)]
    heights, hops = hierarchy.heights, hierarchy.hops_from(pair[:1])[pair[1]]
    rows = [
        {
            "first": pair[0],
            "last": pair[1],
            "hops": hops,
            "ancestor": wnid,
            "height": int(heights[hierarchy.index[wnid]]),
        }
        for wnid in hierarchy.lowest_common_ancestors(*pair)
    ]
    return sorted(rows, key=lambda row: (row["height"], row["ancestor"]))


def _classes(given: str, argument: str, database: Database | None) -> list[str]:
    """The wnids of a class set of the database, or else of a shipped list or a file."""
    if database is not None:
        if class_set(database, given) is not None:
            return members(database, given)
        if given not in class_lists() and not Path(given).is_file():
            require_class_set(database, given)
    if given in class_lists():
        return listed_classes(given)
    return resolve_entries(class_entries(given, argument), WordNetVocabulary(), argument=argument)


def _sets_of(wnid: str, database: Database | None) -> list[str]:
    """The shipped lists and the class sets of the database that hold a class."""
    found = {name for name in class_lists() if wnid in read_text(list_path(name))}
    if database is not None:
        found |= {each["name"] for each in database.rows(query("sets_of_synset"), wnid=wnid)}
    return sorted(found)


def _population(
    wnid: str, valid: str, below: Set[str], database: Database | None
) -> tuple[int | None, Inherited | None]:
    """(images of the class, those of the valid labels at or below it): of the database, where it
    has populations, else of the Fall 2011 release."""
    if database is not None:
        rows = database.many_rows(query("synset_properties"), wnids=sorted({wnid, *below}))
        found = {each["wnid"]: each["population"] for each in rows}
        loaded = {each["name"] for each in database.rows(query("sources"))}
        if "populations" in loaded or found[wnid] is not None:
            counts = [found[each] for each in below if found.get(each) is not None]
            return found[wnid], _inherited(valid, len(counts), sum(counts))
    known = {each: images for _, each, images in read_populations(populations_path())}
    counts = [known[each] for each in below if each in known]
    return known.get(wnid), _inherited(valid, len(counts), sum(counts))


def _inherited(valid: str, classes: int, images: int) -> Inherited:
    return Inherited(valid, classes, images / classes if classes else None, images)


def _beside(hierarchy: Hierarchy, edges: Any, wnid: str) -> list[str]:
    """The nodes that edges lead to from one, by wnid."""
    return sorted(hierarchy.wnids_at(row_of(edges, hierarchy.index[wnid])))


def _way_up(hierarchy: Hierarchy, wnid: str) -> list[str]:
    """A shortest way to a root, the first by wnids, without its beginning."""
    ways: dict[str, list[str]] = {wnid: []}
    while True:
        longer: dict[str, list[str]] = {}
        for end, way in ways.items():  # the first by wnids first
            parents = _beside(hierarchy, hierarchy.up, end)
            if not parents:
                return way
            for parent in parents:
                longer.setdefault(parent, [*way, parent])
        ways = longer
