"""Tables of what people and programs said: votes, judgements, mistakes, relevance."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tests.fuzz.damage import change_of
from tests.fuzz.target import Target, must, names
from tests.fuzz.targets.common import WNIDS, number_tree, reader, written
from tests.fuzz.targets.predictions import make_scores

_VOTES = f"image,class,vote\n1,{WNIDS[0]},yes\n1,{WNIDS[0]},no\n2,{WNIDS[1]},1\n"


_JUDGEMENTS = f"image,class,entry,right\n1,{WNIDS[0]},a,yes\n1,{WNIDS[0]},b,no\n2,{WNIDS[1]},a,1\n"


_WINDOWS = "\n".join(
    json.dumps({"name": f"w{n}", "mean": n / 3, "classes": WNIDS[n : n + 3]}) for n in range(3)
)


TARGETS = (
    Target(
        "windows", written("w.jsonl", _WINDOWS), reader("data.windows", "read_windows", "w.jsonl")
    ),
    Target(
        "relevance",
        written("r.txt", "\n".join(json.dumps({"dog": 1.0, "cat": 0.2}) for _ in range(3))),
        reader("analysis.granularity.inputs", "read_relevance", "r.txt", 3),
        number_tree,
        changes={"r.txt": change_of(Path("x.jsonl"))},
    ),
    Target(
        "captions",
        written("c.txt", "a.jpg#0\tA dog .\na.jpg#1\tTwo dogs\nb.jpg#0\tA cat\n"),
        reader("sources.captions", "read_captions", "c.txt"),
    ),
    Target(
        "captions, json lines",
        written("c.jsonl", '["A dog", "Two dogs"]\n["A cat"]\n'),
        reader("sources.captions", "read_captions", "c.jsonl"),
    ),
    Target(
        "vocabularies",
        written("v.jsonl", '{"dog": 2}\n["A cat"]\n'),
        reader("sources.captions", "read_vocabulary", "v.jsonl"),
    ),
    Target(
        "scores of words",
        make_scores,
        reader("analysis.granularity.inputs", "read_scores", "p.npz"),
        lambda value: must(np.isfinite(value[0]).all(), "not finite"),
    ),
    Target(
        "configurations",
        written("c.csv", "a,b,accuracy\n0,0,0.1\n0,1,0.2\n1,0,0.3\n1,1,0.9\n"),
        reader("benchmark.attribution", "read_configurations", "c.csv"),
    ),
    Target(
        "votes",
        written("v.csv", _VOTES),
        reader("sources.judgements", "read_votes", "v.csv"),
        lambda value: names(value.of_class, "classes") if "" not in value.of_class else None,
    ),
    Target(
        "judgements",
        written("j.csv", _JUDGEMENTS),
        reader("sources.judgements", "read_judgements", "j.csv", ("class", "entry")),
        lambda value: names(
            (text for row in value.rows for text in (row.image, row.label, row.entry)),
            "texts",
            once=False,
        ),
    ),
    Target(
        "mistakes",
        written("m.tsv", "image\ttype\ttrue\tpredicted\n1\tsmall\tdog\tcat\n2\t\tcat\tdog\n"),
        reader("sources.judgements", "read_mistakes", "m.tsv"),
        changes={"m.tsv": change_of(Path("x.csv"))},
    ),
    Target(
        "submissions",
        written("s.csv", "task,data,team,value\ncls,provided,A,6.5\ndet,outside,B,40\n"),
        reader("sources.leaderboard", "read_submissions", "s.csv"),
        lambda value: must(np.isfinite([each.value for each in value]).all(), "not finite"),
    ),
    Target(
        "flags",
        written("c.csv", "row,wnid,asked,right,good\n0,n02084071,1,1,1\n1,n02121620,1,0,0\n"),
        reader("benchmark.sample_selection", "read_flags", "c.csv", WNIDS[:2]),
    ),
)
