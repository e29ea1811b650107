"""Files about classes: hierarchies, populations, lists, names and descriptions."""

from __future__ import annotations

import json
from itertools import pairwise

from tests.fuzz.target import Target, names
from tests.fuzz.targets.common import WNIDS, reader, values, wnid_rows, written

_STRUCTURE = """<?xml version="1.0"?>
<ImageNetStructure><releaseData>fall2011</releaseData>
<synset wnid="fall11" words="all" gloss="all">
<synset wnid="n02084071" words="dog" gloss="a dog"><synset wnid="n02121620" words="cat"/></synset>
<synset wnid="n01503061" words="bird"/></synset></ImageNetStructure>
"""


_POPULATIONS = """<?xml version="1.0"?>
<ReleaseStatus><releaseData>fall2011</releaseData><images>
<synset wnid="n02084071" released="1" version="w" numImages="1200"/>
<synset wnid="n02121620" released="1" version="w" numImages="3"/></images></ReleaseStatus>
"""


_CAPTIONS = {
    "kind": "class-descriptions",
    "descriptions": {WNIDS[0]: ["a dog", "an animal"], WNIDS[1]: ["x"]},
}


TARGETS = (
    Target(
        "release hierarchy",
        written("s.xml", _STRUCTURE),
        reader("sources.hierarchy", "read_hierarchy", "s.xml"),
        wnid_rows,
        2,
    ),
    Target(
        "hierarchy, table",
        written(
            "s.tsv",
            "child\tparent\n" + "\n".join(f"{a}\t{b}" for a, b in pairwise(WNIDS)),
        ),
        reader("sources.hierarchy", "read_hierarchy", "s.tsv"),
        wnid_rows,
    ),
    Target(
        "populations",
        written("s.xml", _POPULATIONS),
        reader("sources.populations", "read_populations", "s.xml"),
        wnid_rows,
    ),
    Target(
        "populations, table",
        written(
            "s.csv", "wnid,images\n" + "\n".join(f"{wnid},{n}" for n, wnid in enumerate(WNIDS))
        ),
        reader("sources.populations", "read_populations", "s.csv"),
        wnid_rows,
    ),
    Target(
        "frequencies",
        written("s.tsv", "word\tfrequency\ndog\t10\ncat\t3\nhot dog\t1\n"),
        reader("sources.frequencies", "read_frequencies", "s.tsv"),
    ),
    Target(
        "values by class",
        written("s.csv", "\n".join(f"{wnid},{n / 7}" for n, wnid in enumerate(WNIDS))),
        reader("names.class_values", "class_values", "s.csv"),
        lambda value: values((value,)),
    ),
    Target(
        "superclasses",
        written(
            "s.tsv", "shape\tsuperclass\tname\twnid\tpart\n" + f"a\tb\tc\t{WNIDS[0]}\ttrain\n" * 3
        ),
        reader("sources.superclasses", "read_superclasses", "s.tsv"),
    ),
    Target(
        "class list",
        written("c.txt", "# classes\n" + "\n".join(f"{wnid} a name" for wnid in WNIDS)),
        reader("sources.imagenet", "read_names", "c.txt"),
        # lists that number their names have a tab behind the number
        lambda value: names([each.replace("\t", " ") for each in value], "classes"),
        2,
    ),
    Target(
        "class list, json",
        written("c.json", json.dumps(WNIDS)),
        reader("sources.imagenet", "read_names", "c.json"),
        lambda value: names(value, "classes"),
    ),
    Target(
        "class texts",
        written("c.json", json.dumps({wnid: [f"a {wnid}", "b"] for wnid in WNIDS})),
        reader("names.class_texts", "read_class_texts", "c.json"),
    ),
    Target(
        "name list",
        written("c.json", json.dumps(["dog", "barn owl", "cat"])),
        reader("names.name_lists", "read_name_list", "c.json"),
    ),
    Target(
        "name list, text",
        written("c.txt", "dog\ncat\nbarn owl\nhot dog\n"),
        reader("names.name_lists", "read_name_list", "c.txt"),
    ),
    Target(
        "descriptions",
        written("c.json", json.dumps(_CAPTIONS)),
        reader(
            "names.class_descriptions",
            "read_descriptions",
            "c.json",
            {WNIDS[0]: "dog", WNIDS[1]: "cat"},
        ),
    ),
    Target(
        "templates",
        written("c.txt", "a photo of a {}.\na drawing of the {}.\n"),
        reader("clip.prompts", "read_templates", "c.txt"),
    ),
    Target(
        "templates, json",
        written("c.json", json.dumps({"imagenet": ["the {}", "my {}"]})),
        reader("clip.prompts", "read_templates", "c.json"),
    ),
)
