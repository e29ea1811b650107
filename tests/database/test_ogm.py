"""Objects for notebooks, on the real server."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from graphzsl.common import DatabaseError, Settings
from graphzsl.database import Database, LocalServer, query
from graphzsl.database.ogm import ClassSet, Concept, Synset, Word, open_graph
from graphzsl.splits import hop_split
from tests.end_to_end.test_tour import own_environment
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
    crane = Word.match(graph).where(key="crane").first()
    assert (crane.text, crane.other_senses) == ("crane", 1)
    numbers = {synset.name: crane.synsets.get(synset, "sense_number") for synset in crane.synsets}
    assert numbers == {"crane.n.01": 1, "lifting_truck.n.01": 2}
    lorry = Synset.match(graph, mini["lorry"]).first()
    assert lorry.word == "lorry"
    ranks = {word.text: lorry.labels.get(word, "rank") for word in lorry.labels}
    assert ranks == {"lorry": 1, "truck": 2}


def test_objects_of_what_is_loaded_besides(
    mini_database: Database, mini_settings: Settings, mini: MiniWordNet
) -> None:
    """The release hierarchy with a hub, and a split with its training classes and universe."""
    hop_split(mini_database, 1, train="train", universe="universe", name="near").store(
        mini_database
    )
    edges = [{"child": mini["dog"], "parent": parent} for parent in ("fa11misc", mini["mammal"])]
    mini_database.write(
        (query("create_release_hubs"), {"hubs": ["fa11misc"]}),
        (query("create_release_edges"), {"rows": edges}),
    )
    graph = open_graph(mini_settings)
    dog = Synset.match(graph, mini["dog"]).first()
    assert (dog.depth, dog.max_depth) == (5, 6)
    assert {parent.wnid for parent in dog.release_parents} == {"fa11misc", mini["mammal"]}
    hub = Concept.match(graph, "fa11misc").first()
    assert hub.name == "fa11misc"
    assert [child.name for child in hub.release_children] == ["dog.n.01"]
    split = ClassSet.match(graph, "near").first()
    assert [found.name for found in split.train_sets] == ["train"]
    assert [found.name for found in split.universes] == ["universe"]


def _at_exit(settings: Settings, last: str) -> str:
    """The stderr of a Python that read an object, and then did this."""
    code = f"""
from graphzsl.database.ogm import Synset, open_graph
from graphzsl.database.server import LocalServer
from graphzsl.common.settings import load_settings
synset = Synset.match(open_graph()).first()
{last}
"""
    command = [sys.executable, "-W", "always::ResourceWarning", "-c", code]
    environment = {**os.environ, **own_environment(settings)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_connections_are_closed_at_exit(mini_database: Database, mini_settings: Settings) -> None:
    assert _at_exit(mini_settings, "assert synset.wnid") == ""


def test_a_server_that_was_stopped_is_no_error_at_exit(settings: Settings) -> None:
    LocalServer(settings).start()
    assert "Error" not in _at_exit(settings, "LocalServer(load_settings()).stop()")


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
