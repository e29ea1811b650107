"""A hand-made mini WordNet: a DAG with double parents, instance hypernyms, homonyms, unknown and
zero populations.

The 60 synsets are named after what they stand for, so that an expected answer can be read off the
tree below. A line is: indentation (child of the line above with less), name, words, optional marks:
``+other`` a second hypernym, ``@`` an instance of its parent, ``=N`` a population.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphzsl.hierarchy import Hierarchy, Lexicon, wordnet
from graphzsl.sources.wordnet import SynsetRow
from graphzsl.sources.wordnet_content import LEXNAMES

TREE = """
entity
  object
    living thing
      animal =0
        domestic animal
        chordate
          bird =12
            raptor =30
              hawk =40
              eagle =50
              vulture =60
            parrot =70
            crane =80
          mammal
            dog +domestic_animal =100
              poodle =110
                toy poodle =120
                standard poodle =130
              beagle =140
              corgi =150
                cardigan =160
            cat +domestic_animal =200
              tabby =210
              siamese =220
              queen =0
            horse +domestic_animal =230
              pony =240
            zebra =250
            ape
              gorilla =260
              koko @
        insect
          bee =300
            queen bee|queen =310
            drone =320
          ant =330
      plant
        tree =400
          oak =410
          maple =420
            sugar maple =430
        flower =440
          rose =450
      person
        ruler
          queen regnant|queen =500
          king =510
            king arthur|Arthur @
    artifact
      vehicle =600
        car =610
          sports car =620
        lorry|truck =640
        lifting truck|crane +machine =650
      machine =700
        computer =710
          laptop =720
          desktop computer =730
        monitor =740
      garment =800
        sweater =810
          cardigan sweater|cardigan =820
        chesspiece|chess piece
          chess queen|queen =830
"""

TRAIN = ("vulture", "toy_poodle", "horse", "monitor", "oak", "sports_car", "drone")
#: Everything with a known population, and a few without.
UNIVERSE_WITHOUT = (
    "entity",
    "object",
    "living_thing",
    "artifact",
    "chesspiece",
    "koko",
    "king_arthur",
    "chordate",
)


class MiniWordNet:
    """The same face as graphzsl.sources.wordnet.WordNet."""

    sha256 = "mini"

    def __init__(self) -> None:
        self.rows, self.populations = _parse()
        self.wnid = {row.name.partition(".")[0]: row.wnid for row in self.rows}

    def synsets(self) -> Iterator[SynsetRow]:
        yield from self.rows

    def senses(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Sense numbers in the order of the tree; the count of a sense falls with its number."""
        seen: dict[str, int] = {}
        senses = {}
        for row in self.rows:
            for word in row.words:
                seen[word.lower()] = number = seen.get(word.lower(), 0) + 1
                senses[row.wnid, word.lower()] = (number, 10 - number)
        return senses

    def other_senses(self) -> dict[str, int]:
        """``crane``, ``queen`` and ``dog`` are verbs too."""
        return {"crane": 1, "queen": 2, "dog": 1}

    def relations(self) -> list[dict[str, str | None]]:
        """Made up, and across the tree."""
        rows = [
            ("PART_MERONYM", "chess_queen", "chesspiece", None, None),
            ("MEMBER_MERONYM", "bee", "queen_bee", None, None),
            ("ANTONYM", "king", "queen_regnant", "king", "queen"),
            ("ANTONYM", "queen_regnant", "king", "queen", "king"),
            ("SUBSTANCE_MERONYM", "oak", "tree", None, None),
            ("TOPIC", "monitor", "computer", None, None),
            ("TOPIC", "laptop", "computer", "laptop", "computer"),
            ("REGION", "lorry", "object", "lorry", "object"),
        ]
        return [
            {"type": kind, "wnid": self[one], "other": self[two], "word": a, "other_word": b}
            for kind, one, two, a, b in rows
        ]

    def __getitem__(self, name: str) -> str:
        return self.wnid[name]

    def named(self, *names: str) -> list[str]:
        return [self.wnid[name] for name in names]

    def universe(self) -> list[str]:
        return [row.wnid for row in self.rows if row.name.partition(".")[0] not in UNIVERSE_WITHOUT]

    def edges(self, hierarchy: str = "wordnet") -> list[tuple[str, str]]:
        """Pairs of child and parent; instance edges are no hypernyms."""
        with_instances = hierarchy == "wordnet"
        return [
            (row.wnid, parent)
            for row in self.rows
            for parent in row.hypernyms + with_instances * row.instance_hypernyms
        ]

    def hierarchy(self, name: str = "wordnet", **provenance: Any) -> Hierarchy:
        """All synsets, with their names, as a hierarchy in memory."""
        return Hierarchy.from_edges(
            self.edges(name),
            [row.wnid for row in self.rows],
            names={row.wnid: row.name for row in self.rows},
            provenance={"hierarchy": name, **provenance},
        )


def write_nouns(mini: MiniWordNet, path: Path) -> None:
    """The mini WordNet as the file of nouns that the package has of WordNet."""
    rows = sorted(mini.rows, key=lambda row: row.wnid)
    index = {row.wnid: position for position, row in enumerate(rows)}
    senses = mini.senses()
    own = [[senses[row.wnid, word.lower()] for word in row.words] for row in rows]
    parents = [[index[each] for each in (*row.hypernyms, *row.instance_hypernyms)] for row in rows]
    columns = {
        "wnid": [row.wnid for row in rows],
        "name": [row.name for row in rows],
        "gloss": [row.gloss for row in rows],
        "lexicographer": [[*dict(LEXNAMES)].index(row.lexname) for row in rows],
        "parents": pa.array(parents, pa.list_(pa.int32())),
        "instance": pa.array([int(bool(row.instance_hypernyms)) for row in rows], pa.int8()),
        "words": [row.words for row in rows],
        "sense_numbers": pa.array([[each[0] for each in one] for one in own], pa.list_(pa.int16())),
        "sense_counts": pa.array([[each[1] for each in one] for one in own], pa.list_(pa.int32())),
    }
    provenance = json.dumps({"hierarchy": "wordnet", "whole": True})
    table = pa.table(columns).replace_schema_metadata({"provenance": provenance})
    pq.write_table(table, path)


def mini_lexicon(nouns: Path) -> Lexicon:
    """The words of a file that ``write_nouns`` wrote."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wordnet, "NOUNS", nouns)
        return Lexicon.load()


def _parse() -> tuple[list[SynsetRow], dict[str, int]]:
    rows, populations, path, extra = [], {}, [], []
    wnids: dict[str, str] = {}
    for number, line in enumerate(TREE.strip("\n").splitlines()):
        depth = (len(line) - len(line.lstrip())) // 2
        marks = [token for token in line.split() if token[0] in "+@="]
        words = " ".join(token for token in line.split() if token[0] not in "+@=").split("|")
        name = words[0].replace(" ", "_")
        wnid = wnids[name] = "n00001740" if number == 0 else f"n{1000 + number:08d}"
        path[depth:] = [wnid]
        parent = [path[depth - 1]] if depth else []
        hypernyms, instances = ([], parent) if "@" in marks else (list(parent), [])
        rows.append(
            SynsetRow(
                wnid, f"{name}.n.01", words, f"a mini {words[0]}", "noun.Tops", hypernyms, instances
            )
        )
        for mark in marks:
            if mark[0] == "=":
                populations[wnid] = int(mark[1:])
            if mark[0] == "+":
                extra.append((rows[-1], mark[1:]))
    for row, other in extra:
        row.hypernyms.append(wnids[other])
    return rows, populations
