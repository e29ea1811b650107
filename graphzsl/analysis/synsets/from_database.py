"""All that the database knows of one synset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.database.class_sets import require_class_set
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.database.names import senses_of, unknown_wnid
from graphzsl.hierarchy.spelling import most_tagged
from graphzsl.sources.published import class_lists

#: Bounds in hops that a search is tried with, smallest first: most answers are near.
BOUNDS = (2, 5, 20)


@dataclass(frozen=True)
class Named:
    """A synset as it is shown."""

    wnid: str
    name: str


@dataclass(frozen=True)
class Sense(Named):
    """A synset that a word names, and whether it is a class of the universe."""

    gloss: str
    is_class: bool


@dataclass(frozen=True)
class Inherited:
    """Population from the classes of a set at or below a synset."""

    universe: str
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
    """Facts that ``look`` found on a synset. If one is None or empty because its data was not
    loaded, ``not_loaded`` names it, with the command that loads it."""

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
    training: Training | None
    hcorrect_set: Neighbourhood | None
    not_loaded: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The page as JSON can hold it."""
        return asdict(self)


def look(
    database: Database,
    text: str,
    train: str = "ilsvrc2012",
    universe: str = "imagenet-fall11",
    k: int = 5,
) -> SynsetPage:
    """All that the database knows of one synset.

    Args:
        database: what is read.
        text: its wnid, its name such as dog.n.01, or a word: of several senses the one that is
            tagged most often in text; where none is, the first that is a class of the universe, or
            of all.
        train: class set of the training classes.
        universe: class set of the inherited population, and of the valid labels of the
            hCorrectSet.
        k: least number of members of the hCorrectSet.

    Raises:
        DataError: there is no such synset; near ones are offered.
        SplitError: there is no such class set, and no list of that name to load.

    >>> page = look(db, "dog")
    >>> page.name, [each.name for each in page.hypernyms]
    ('dog.n.01', ['domestic_animal.n.01', 'canine.n.02'])
    """
    senses = senses_of(database, text)
    if not senses:
        raise DataError(unknown_wnid(database, text))
    stored = {each["name"] for each in database.rows(query("class_sets"))}
    sets_of = {each["wnid"]: _sets_of(database, each["wnid"]) for each in senses}
    tags = {each["wnid"]: each["tags"] for each in senses}
    wnid = most_tagged(tags)
    if wnid is None or not tags[wnid]:
        wnid = next((w for w, own in sets_of.items() if universe in own), senses[0]["wnid"])
    row = database.rows(query("synset_details"), wnid=wnid)[0]
    word, others = _other_senses(database, text, senses, row)
    sets = sets_of[wnid]
    sets_of |= {w: _sets_of(database, w) for each in others if (w := each["wnid"]) not in sets_of}
    loaded = {each["name"] for each in database.rows(query("sources"))}
    for name in (train, universe):
        if name not in class_lists():
            require_class_set(database, name)
    missing = [
        f"class set {name}: `graphzsl load class-set {name}`"
        for name in dict.fromkeys((train, universe))
        if name not in stored
    ]
    has_populations = "populations" in loaded or row["population"] is not None
    if not has_populations:
        missing.append("populations: `graphzsl load populations`")
    return SynsetPage(
        wnid=wnid,
        **{key: row[key] for key in ("name", "words", "gloss", "lexname", "depth")},
        word=word,
        other_senses=[
            Sense(
                each["wnid"],
                each["name"],
                each["gloss"],
                universe in sets_of[each["wnid"]],
            )
            for each in others
        ],
        hypernyms=_named(row["parents"], row["parent_names"]),
        way_up=[
            Named(each["wnid"], each["name"])
            for each in database.rows(query("way_up"), wnid=wnid)[1:]
        ],
        hyponyms=_named(row["children"], row["child_names"]),
        descendants=row["descendants"],
        population=row["population"],
        inherited_population=(
            _inherited(database, wnid, universe) if has_populations and universe in stored else None
        ),
        class_sets=sets,
        training=_training(database, wnid, train) if train in stored else None,
        hcorrect_set=_neighbourhood(database, wnid, universe, k) if universe in sets else None,
        not_loaded=missing,
    )


def _sets_of(database: Database, wnid: str) -> list[str]:
    return [each["name"] for each in database.rows(query("sets_of_synset"), wnid=wnid)]


def _other_senses(
    database: Database, text: str, senses: Sequence[dict[str, Any]], row: dict[str, Any]
) -> tuple[str, list[dict[str, Any]]]:
    """The word asked for, or the synset's first one, and the rows of its synsets but this one."""
    word = " ".join(text.replace("_", " ").split())
    if word.lower() not in (each.lower() for each in row["words"]):
        word = row["words"][0]
        senses = senses_of(database, word)
    return word, [each for each in senses if each["wnid"] != row["wnid"]]


def _inherited(database: Database, wnid: str, universe: str) -> Inherited:
    (row,) = database.rows(query("population_below"), wnid=wnid, class_set=universe)
    return Inherited(universe, **row)


def _training(database: Database, wnid: str, train: str) -> Training:
    for bound in BOUNDS:
        statement = query("closest_training_classes", max_hops=bound)
        rows = database.rows(statement, wnid=wnid, train=train)
        if rows:
            closest = [Named(row["wnid"], row["name"]) for row in rows]
            return Training(train, rows[0]["hops"], closest)
    return Training(train, None, [])


def _neighbourhood(database: Database, wnid: str, valid: str, k: int) -> Neighbourhood:
    for bound in BOUNDS:
        statement = query("hcorrect_set", max_hops=bound)
        (row,) = database.rows(statement, wnid=wnid, valid=valid, k=k)
        if not row["cut"]:
            break
    return Neighbourhood(valid, k, row["radius"], _named(row["members"], row["names"]))


def _named(wnids: Sequence[str], names: Sequence[str]) -> list[Named]:
    return [Named(*pair) for pair in zip(wnids, names, strict=True)]
