"""The graph of a data set's classes, of WordNet's files alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphzsl.common import DataError, load_settings
from graphzsl.data import Subgraph
from graphzsl.database import Database, export_subgraph
from graphzsl.embeddings import wordnet_subgraph
from graphzsl.hierarchy import Lexicon
from graphzsl.names import shipped_lists
from graphzsl.names.shipped_names import class_synsets
from graphzsl.sources import WordNet, wordnet_folder

ANIMALS = ["n02084071", "n02121620", "n02391049"]


def test_it_is_the_classes_and_their_ancestors() -> None:
    """Against NLTK's own closure; a person is an instance."""
    reader = WordNet(wordnet_folder(load_settings()))._reader
    einstein = "n10954498"
    graph = wordnet_subgraph([*ANIMALS, einstein])
    synsets = [
        reader.synset_from_pos_and_offset("n", int(wnid[1:])) for wnid in [*ANIMALS, einstein]
    ]
    above = {each for synset in synsets for path in synset.hypernym_paths() for each in path}
    assert graph.wnids == sorted(f"n{each.offset():08}" for each in above)
    edges = {
        (f"n{each.offset():08}", f"n{parent.offset():08}", kind)
        for each in above
        for kind, parents in (
            ("HYPERNYM", each.hypernyms()),
            ("INSTANCE_HYPERNYM", each.instance_hypernyms()),
        )
        for parent in parents
    }
    found = {
        (graph.wnids[child], graph.wnids[parent], kind)
        for (child, parent), kind in zip(graph.edge_index.T, graph.edge_types, strict=True)
    }
    assert found == edges
    assert "INSTANCE_HYPERNYM" in graph.edge_types
    row = graph.index["n02084071"]
    assert graph.names[row] == "dog.n.01"
    assert graph.words[row] == ["dog", "domestic dog", "Canis familiaris"]
    assert graph.glosses[row].startswith("a member of the genus Canis")


def test_classes_keep_their_names() -> None:
    """The names of AWA, most of which have several senses, are the synsets that are shipped with
    them; without the others of AWA a name is looked up like any other."""
    awa = shipped_lists()["awa"]
    graph = wordnet_subgraph(awa)
    assert set(awa) <= set(graph.wnids)
    own = graph.manifest["synsets"]
    assert (own["seal"], own["polar+bear"], own["mouse"]) == ("n02076196", "n02134084", "n02330245")
    assert graph.names[graph.index["seal"]] == "seal.n.09"
    assert class_synsets(["zebra", "grizzly bear"]) == {
        "zebra": "n02391049",
        "grizzly bear": "n02132580",
    }
    with pytest.raises(DataError, match="'bat' names 5 noun synsets"):
        class_synsets(["mouse", "bat"])


def test_shipped_synsets_are_meanings_of_their_names() -> None:
    """Every shipped synset has the name of its class among its words, but for four."""
    lexicon = Lexicon.load()
    lists = shipped_lists()
    others = []
    for data_set in ("awa", "apy"):
        synsets = class_synsets(lists[data_set])
        assert len(set(synsets.values())) == len(lists[data_set])
        for name, wnid in synsets.items():
            words = {
                word.casefold().replace(" ", "") for word in lexicon.words_of(lexicon.index[wnid])
            }
            if name.replace("+", "") not in words:
                others.append(name)
    assert others == ["motorbike", "pottedplant", "tvmonitor", "jetski"]


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        (["seal", "zebra", "mole", "okapi"], r"'seal' names 9 noun synsets"),
        (["zebra", "Acadian_Flycatcher"], "class 'Acadian_Flycatcher': .* is not a noun synset"),
        (["n02391049", "zebra"], r"n02391049 \(zebra.n.01\) is there twice"),
        (["n02391049", "n99999999"], "n99999999 is not a noun synset"),
    ],
)
def test_what_is_no_synset_or_several_is_named(classes: list[str], said: str) -> None:
    with pytest.raises(DataError, match=rf"(?s){said}.*\nA graph of WordNet holds synsets"):
        wordnet_subgraph(classes)


def test_it_is_the_export_of_the_database(full_database: Database, tmp_path: Path) -> None:
    export_subgraph(full_database, ["ilsvrc2012"], tmp_path / "graph")
    exported = Subgraph.load(tmp_path / "graph")
    made = wordnet_subgraph(exported.classes("ilsvrc2012"))
    for column in ("wnids", "names", "words"):
        assert getattr(made, column) == getattr(exported, column), column
    # WordNet's own order of quotations, and NLTK's
    words = [[sorted(re.findall(r"\w+", gloss)) for gloss in g.glosses] for g in (made, exported)]
    assert words[0] == words[1]
    ways = [
        {
            (int(child), int(parent), kind)
            for (child, parent), kind in zip(graph.edge_index.T, graph.edge_types, strict=True)
        }
        for graph in (made, exported)
    ]
    assert ways[0] == ways[1]
