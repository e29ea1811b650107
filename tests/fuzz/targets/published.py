"""Files in the formats of others: published graphs, splits, classifiers and checkpoints."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.damage import change_of
from tests.fuzz.target import Target, names
from tests.fuzz.targets.common import WNIDS, class_matrix, dataset, samples, subgraph


def _make_goz(folder: Path) -> None:
    import h5py

    random = np.random.default_rng(0)
    with h5py.File(folder / "s.h5", "w") as file:
        for wnid in WNIDS[:3]:
            options = {"compression": "gzip"} if wnid == WNIDS[0] else {}
            file.create_dataset(f"images/{wnid}", data=random.random((5, 4), np.float32), **options)
            file[f"idx/{wnid}"] = np.arange(5)


def _read_goz(folder: Path) -> Any:
    from graphzsl.embeddings import read_goz

    return read_goz(folder / "s.h5")


def _make_gcnz(folder: Path) -> None:
    lists = {
        number: [other for other in (number - 1, number + 1) if 0 <= other < 6]
        for number in range(6)
    }
    (folder / "g.pkl").write_bytes(pickle.dumps(lists, 2))
    nodes = {str(number): wnid for number, wnid in enumerate(WNIDS)}
    (folder / "nodes.json").write_text(json.dumps(nodes))
    words = {str(number): f"a{number}, b" for number in range(6)}
    (folder / "wordntext.json").write_text(json.dumps(words))
    (folder / "corresp.json").write_text(
        json.dumps([[0, 0], [1, 0], [-1, 0], [0, 1], [1, 1], [-1, 1]])
    )


def _read_gcnz(folder: Path) -> Any:
    from graphzsl.embeddings import read_gcnz_graph, read_gcnz_unseen

    graph = read_gcnz_graph(folder / "g.pkl", folder / "nodes.json", folder / "wordntext.json")
    for side in read_gcnz_unseen(folder / "corresp.json", graph.wnids):
        names(side, "side", once=False)
    return graph


def _read_goz_classes(folder: Path) -> Any:
    from graphzsl.embeddings import read_goz_classes

    return read_goz_classes(folder / "c.pkl")


def _make_dgp(folder: Path) -> None:
    vectors = np.arange(18).reshape(6, 3).tolist()
    document = {"wnids": WNIDS, "vectors": vectors, "edges": [[1, 0], [2, 0], [3, 1]]}
    (folder / "g.json").write_text(json.dumps(document))
    split = {"train": WNIDS[:3], "test": WNIDS[3:]}
    (folder / "split.json").write_text(json.dumps(split))


def _read_dgp(folder: Path) -> Any:
    from graphzsl.embeddings import read_dgp_graph, read_dgp_split

    for members in read_dgp_split(folder / "split.json").values():
        names(members, "split")
    graph, embeddings, _ = read_dgp_graph(folder / "g.json")
    class_matrix(embeddings)
    return graph


def _make_pred(legacy: bool, name: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        import torch

        values = torch.arange(24.0).reshape(6, 4)
        state = {"wnids": WNIDS, "pred": torch.nn.Parameter(values) if legacy else values.half()}
        torch.save(state, folder / name, _use_new_zipfile_serialization=not legacy)

    return make


def _read_pred(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.embeddings import read_dgp_classifiers

        return read_dgp_classifiers(folder / name)

    return read


def _make_head(folder: Path) -> None:
    np.savez(
        folder / "h.npz", classifier=np.eye(4)[:, :3], bias=np.zeros(3), classes=["a", "b", "c"]
    )


def _read_head(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.embeddings import read_class_head

        listed = folder / "names.txt"
        return read_class_head(folder / name, listed if listed.exists() else None)

    return read


def _make_npy_head(folder: Path) -> None:
    np.save(folder / "h.npy", np.eye(4, dtype=np.float32)[:, :3])
    (folder / "names.txt").write_text("a\nb\nc\n")


def _make_pt_head(folder: Path) -> None:
    import torch

    torch.save(torch.eye(4)[:, :3].bfloat16(), folder / "h.pt")
    (folder / "names.txt").write_text("a\nb\nc\n")


_MAT = {
    "features": np.arange(24.0).reshape(4, 6),
    "labels": np.array([[1.0], [1], [2], [2], [3], [3]]),
}


_SPLITS = {
    "att": np.arange(9.0).reshape(3, 3) + 1,
    "trainval_loc": np.array([[1.0], [3]]),
    "test_seen_loc": np.array([[2.0], [4]]),
    "test_unseen_loc": np.array([[5.0], [6]]),
    "allclasses_names": np.array(["ant", "bee", "cat"], dtype=object)[:, None],
}


def _make_mat5(folder: Path) -> None:
    from scipy.io import savemat

    savemat(folder / "res101.mat", _MAT, do_compression=True)
    savemat(folder / "att_splits.mat", _SPLITS)


def _make_mat73(folder: Path) -> None:
    import h5py

    for name, values in (("res101.mat", _MAT), ("att_splits.mat", _SPLITS)):
        with h5py.File(folder / name, "w") as file:
            for key, value in values.items():
                if value.dtype != object:
                    file[key] = value.T
                    continue
                refs = file.create_dataset(key, (1, len(value)), dtype=h5py.ref_dtype)
                for place, (text_,) in enumerate(value):
                    codes = np.array([[ord(letter)] for letter in text_], np.uint16)
                    refs[0, place] = file.create_dataset(f"#refs#/{place}", data=codes).ref


def _read_xlsa17(folder: Path) -> Any:
    from graphzsl.embeddings import read_xlsa17

    return read_xlsa17(folder)


def _make_checkpoint(folder: Path) -> None:
    import torch

    torch.save({"w": torch.zeros(1000, 2), "b": torch.zeros(1000)}, folder / "c.pt")


def _read_checkpoint(folder: Path) -> Any:
    from graphzsl.embeddings import checkpoint_classifiers

    return checkpoint_classifiers(folder / "c.pt", "w", "b", "net")


TARGETS = (
    Target("GOZ", _make_goz, _read_goz, samples, 0.4),
    Target(
        "GOZ's classes",
        lambda folder: (folder / "c.pkl").write_bytes(pickle.dumps(WNIDS, 4)),  # type: ignore[arg-type, return-value]
        _read_goz_classes,
        lambda value: names(value, "classes"),
        2,
    ),
    Target("GCNZ", _make_gcnz, _read_gcnz, subgraph, 2),
    Target("DGP", _make_dgp, _read_dgp, subgraph, 2),
    Target("DGP's classifiers", _make_pred(False, "p.pred"), _read_pred("p.pred"), class_matrix),
    Target("DGP's classifiers, old", _make_pred(True, "p.old"), _read_pred("p.old"), class_matrix),
    Target("class head, npz", _make_head, _read_head("h.npz"), class_matrix),
    Target("class head, npy", _make_npy_head, _read_head("h.npy"), class_matrix, 2),
    Target("class head, torch", _make_pt_head, _read_head("h.pt"), class_matrix),
    Target("checkpoint", _make_checkpoint, _read_checkpoint, class_matrix, 0.5),
    Target("xlsa17, MATLAB 5", _make_mat5, _read_xlsa17, dataset, 0.3),
    Target(
        "xlsa17, MATLAB 7.3",
        _make_mat73,
        _read_xlsa17,
        dataset,
        0.3,
        changes=dict.fromkeys(("res101.mat", "att_splits.mat"), change_of(Path("x.h5"))),
    ),
)
