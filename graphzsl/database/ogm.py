"""Read-only objects for notebooks, through py2neo (the extra ``graphzsl[py2neo]``).

>>> from graphzsl.database.ogm import Synset, open_graph   # doctest: +SKIP
>>> dog = Synset.match(open_graph(), "n02084071").first()  # doctest: +SKIP
>>> sorted(parent.name for parent in dog.hypernyms)        # doctest: +SKIP
['canine.n.02', 'domestic_animal.n.01']

Related objects come in no order. ``dog.labels.get(word, "rank")`` reads a property of the edge to
one of them: ``rank``, ``sense_number``, ``sense_count`` and ``name`` of a label, ``position`` in a
class set. docs/pyg.md has more examples.

py2neo's development has ended; reading works on Neo4j 5.26, and nothing else in graphzsl uses it.
Writing is refused: py2neo's create hides constraint errors.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NoReturn
from weakref import finalize

from graphzsl.common.errors import DatabaseError
from graphzsl.common.extras import missing
from graphzsl.common.settings import Settings, load_settings

try:
    from py2neo import Graph
    from py2neo.errors import ConnectionBroken
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
    key = Property()
    frequency = Property()
    other_senses = Property()
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
    train_sets = RelatedTo("ClassSet", "TRAIN")
    universes = RelatedTo("ClassSet", "UNIVERSE")


class Concept(_ReadOnly):
    """A node of a hierarchy: a synset, or a hub of ImageNet's release hierarchy."""

    __primarykey__ = "wnid"
    wnid = Property()
    name = Property()
    release_parents = RelatedTo("Concept", "RELEASE_PARENT")
    release_children = RelatedFrom("Concept", "RELEASE_PARENT")


class Synset(Concept):
    """A noun synset of WordNet 3.0. Its parents and children in the release hierarchy are concepts,
    since they may be hubs."""

    word = Property()
    words = Property()
    gloss = Property()
    lexname = Property()
    depth = Property()
    max_depth = Property()
    population = Property()
    hypernyms = RelatedTo("Synset", "HYPERNYM")
    hyponyms = RelatedFrom("Synset", "HYPERNYM")
    instance_hypernyms = RelatedTo("Synset", "INSTANCE_HYPERNYM")
    instance_hyponyms = RelatedFrom("Synset", "INSTANCE_HYPERNYM")
    labels = RelatedTo(Word, "HAS_LABEL")
    class_sets = RelatedTo(ClassSet, "IN_SET")


def open_graph(settings: Settings | None = None) -> Any:
    """A py2neo Graph on the database of the settings; the local server is started when it does not
    run. Its connections are closed with the last object that came from it, or at exit."""
    settings = settings or load_settings()
    if settings.local:
        from graphzsl.database.server import LocalServer

        server = LocalServer(settings)
        graph = Graph(server.start().bolt_uri, auth=("neo4j", server.password()), name="neo4j")
    else:
        user = (settings.username, settings.password)
        graph = Graph(settings.uri, auth=user, name=settings.database)
    finalize(graph, _close, graph.service.connector)
    return graph


def _close(connector: Any) -> None:
    with suppress(ConnectionBroken):  # the server was stopped
        connector.close()
