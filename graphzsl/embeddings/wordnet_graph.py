"""The graph of a data set's classes, made of WordNet's own files: no database is needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest
from graphzsl.data.subgraph import KIND, Subgraph
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.names.shipped_names import class_synsets
from graphzsl.sources.wordnet import VERSION
from graphzsl.sources.wordnet_content import CONTENT


def wordnet_subgraph(classes: Sequence[str]) -> Subgraph:
    """Make the graph of some classes and all their ancestors.

    It has the nodes and edges of `graphzsl export subgraph` in the hierarchy ``wordnet``, without
    depths and populations. A class that is called otherwise than its synset is a node by the name
    that it has; the manifest says which synset it is.

    Args:
        classes: wnids, or names that ``class_synsets`` reads.

    Returns:
        The graph, its nodes sorted by wnid, edges from child to parent.

    Raises:
        DataError: a class is no noun synset of WordNet, or may be several.

    Reference:
        Fellbaum 1998, WordNet: an electronic lexical database.
    """
    lexicon = Lexicon.load()
    try:
        synset_of = class_synsets(classes, WordNetVocabulary(lexicon))
    except DataError as error:
        raise DataError(
            f"{error.message}\nA graph of WordNet holds synsets: call the classes by wnids or names"
            " such as dog.n.01, or give a graph that has a node for each of them."
        ) from None
    inside = {lexicon.index[wnid] for wnid in synset_of.values()}
    inside.update(*(lexicon.ancestors(each) for each in [*inside]))
    positions = sorted(inside)
    place = {position: row for row, position in enumerate(positions)}
    edges = [
        (place[child], place[parent]) for child in positions for parent in lexicon.hypernyms(child)
    ]
    name_of = {wnid: name for name, wnid in synset_of.items()}
    wnids = [lexicon.wnids[each] for each in positions]
    own = {name: wnid for name, wnid in synset_of.items() if name != wnid}
    edge_types = [
        Subgraph.EDGE_TYPES[int(lexicon.instances[positions[child]])] for child, _ in edges
    ]
    return Subgraph(
        [name_of.get(wnid, wnid) for wnid in wnids],
        [lexicon.names[each] for each in positions],
        [lexicon.words_of(each) for each in positions],
        [lexicon.gloss(each) for each in positions],
        np.array(edges, dtype=np.int64).reshape(-1, 2).T,
        {},
        manifest(
            KIND,
            hierarchy="wordnet",
            made_of="WordNet's files: the classes and all their ancestors",
            version=VERSION,
            sources={"wordnet": CONTENT["data.noun"]},
            nodes=len(positions),
            edges=len(edges),
            **({"synsets": own} if own else {}),
        ),
        edge_types=edge_types,
    )
