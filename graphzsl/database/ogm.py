"""Read-only objects for notebooks, through py2neo (the extra ``graphzsl[py2neo]``).

>>> from graphzsl.database.ogm import Synset, open_graph            # doctest: +SKIP
>>> dog = Synset.match(open_graph(), "n02084071").first()  # doctest: +SKIP
>>> [parent.name for parent in dog.hypernyms]              # doctest: +SKIP
['canine.n.02', 'domestic_animal.n.01']

py2neo's development has ended; reading works on Neo4j 5.26, and nothing else in graphzsl uses it.
Writing is refused: py2neo's create hides constraint errors.
"""

from __future__ import annotations

from typing import Any, NoReturn

from graphzsl.errors import DatabaseError
from graphzsl.extras import missing
from graphzsl.settings import Settings, load_settings

try:
    from py2neo import Graph
    from py2neo.ogm import GraphObject, Property, RelatedFrom, RelatedTo
except ModuleNotFoundError as error:
    raise missing(error) from None


class _ReadOnly(GraphObject):  # type: ignore[misc]
    """A py2neo object that does not write."""

    def __db_create__(self, *_: Any) -> NoReturn:
        raise DatabaseError(
            "graphzsl.database.ogm only reads. Use `graphzsl load` or Database.write."
        )

    __db_push__ = __db_merge__ = __db_delete__ = __db_create__


class Word(_ReadOnly):
    """A word label."""

    __primarykey__ = "text"
    text = Property()
    frequency = Property()
    synsets = RelatedFrom("Synset", "HAS_LABEL")


class ClassSet(_ReadOnly):
    """A set of classes: a list, or a split with its provenance."""

    __primarykey__ = "name"
    name = Property()
    kind = Property()
    size = Property()
    train = Property()
    universe = Property()
    hierarchy = Property()
    max_hops = Property()
    synsets = RelatedFrom("Synset", "IN_SET")


class Synset(_ReadOnly):
    """A noun synset of WordNet 3.0."""

    __primarykey__ = "wnid"
    wnid = Property()
    name = Property()
    words = Property()
    gloss = Property()
    lexname = Property()
    depth = Property()
    population = Property()
    hypernyms = RelatedTo("Synset", "HYPERNYM")
    hyponyms = RelatedFrom("Synset", "HYPERNYM")
    instance_hypernyms = RelatedTo("Synset", "INSTANCE_HYPERNYM")
    instance_hyponyms = RelatedFrom("Synset", "INSTANCE_HYPERNYM")
    labels = RelatedTo(Word, "HAS_LABEL")
    class_sets = RelatedTo(ClassSet, "IN_SET")


def open_graph(settings: Settings | None = None) -> Any:
    """A py2neo Graph on the database of the settings; the local server is started when it does not
    run."""
    settings = settings or load_settings()
    if settings.local:
        from graphzsl.database.server import LocalServer

        server = LocalServer(settings)
        return Graph(server.start().bolt_uri, auth=("neo4j", server.password()), name="neo4j")
    return Graph(settings.uri, auth=(settings.username, settings.password), name=settings.database)
