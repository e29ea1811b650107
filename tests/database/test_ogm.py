"""Objects for notebooks, on the real server."""

from __future__ import annotations

import pytest

from graphzsl.database.client import Database
from graphzsl.database.ogm import ClassSet, Synset, Word, open_graph
from graphzsl.errors import DatabaseError
from graphzsl.settings import Settings
from tests.mini import MiniWordNet


def test_objects_follow_the_graph(
    mini_database: Database, mini_settings: Settings, mini: MiniWordNet
) -> None:
    graph = open_graph(mini_settings)
    dog = Synset.match(graph, mini["dog"]).first()
    assert (dog.name, dog.words, dog.population) == ("dog.n.01", ["dog"], 100)
    assert {parent.wnid for parent in dog.hypernyms} == set(mini.named("mammal", "domestic_animal"))
    assert {child.name for child in dog.hyponyms} == {"poodle.n.01", "beagle.n.01", "corgi.n.01"}
    assert [
        parent.name for parent in Synset.match(graph, mini["koko"]).first().instance_hypernyms
    ] == ["ape.n.01"]
    assert len(list(Word.match(graph, "queen").first().synsets)) == 4
    train = ClassSet.match(graph, "train").first()
    assert train.size == len(list(train.synsets)) == 7
    assert Synset.match(graph, "n99999999").first() is None


def test_objects_do_not_write(
    mini_database: Database, mini_settings: Settings, mini: MiniWordNet
) -> None:
    graph = open_graph(mini_settings)
    new = Word()
    new.text = "brand new"
    dog = Synset.match(graph, mini["dog"]).first()
    dog.gloss = "changed"
    for write, thing in (
        (graph.create, new),
        (graph.push, dog),
        (graph.merge, new),
        (graph.delete, dog),
    ):
        with pytest.raises(DatabaseError, match="only reads"):
            write(thing)
    assert Word.match(graph, "brand new").first() is None
    assert Synset.match(graph, mini["dog"]).first().gloss == "a mini dog"
