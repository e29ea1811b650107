"""Files that hold no predictions: what they are, and what to write instead."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from graphzsl.audit.formats.roles import plain
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.text_files import HTML

#: What to write from Python.
_SAVE = (
    'numpy.savez("predictions.npz", scores=scores, classes=classes, labels=labels), with the scores'
    " [N, C] of the samples"
)
_CLIP_BENCHMARK = frozenset(
    ("acc1", "acc5", "mean_per_class_recall", "mean_average_precision", "top1_zeroshot_accuracy")
)
_TIMM = frozenset(("top1_err", "top5_err"))
_TORCH = (".ckpt", ".tar", ".bin")
#: Their readers say what is wrong.
_ARRAYS = (".pt", ".pth", ".npy")
_PICKLE = (".pkl", ".pickle", ".joblib")
#: Bytes of a file that tell what it is.
_HEAD = 65_536
#: How a text begins, what it is, and what to write in its place.
_TEXTS = (
    (
        re.compile(
            r"\s*(?:precision\s+recall\s+f1-score\s+support\s*\n"
            r'|\{\s*"[^"]*"\s*:\s*\{\s*"precision"\s*:)'
        ),
        "a classification report. It holds no predictions of samples; write a table with the true"
        f" class and the predicted ones of each sample, or {_SAVE}",
    ),
    (
        re.compile(r'\s*\{\s*"(?:cells"\s*:\s*\[|nbformat(?:_minor)?"\s*:)'),
        f"a Jupyter notebook; in a cell of it save the predictions as CSV, or {_SAVE}",
    ),
    (
        HTML,
        "a page of HTML, not a table; where it was downloaded get the file itself, and save a table"
        " in a page as CSV (pandas.read_html reads it)",
    ),
)
#: First bytes of a file, what it is, and what to do.
_MAGIC = (
    (b"\x80", "a pickle", "pickles run code and are never read"),
    (b"\x89HDF", "an HDF5 file", "read its arrays and save them"),
    (b"\x1f\x8b", "compressed by gzip", "decompress it first"),
    (b"\xff\xd8", "an image", "predictions are made by a classifier"),
    (b"\x89PNG", "an image", "predictions are made by a classifier"),
    (b"SQLite", "an SQLite database", "export its table as CSV"),
)
_SUFFIXES = {
    ".safetensors": "tensors of a network",
    ".onnx": "a network",
    ".h5": "an HDF5 file",
    ".hdf5": "an HDF5 file",
    ".mat": "a MATLAB file",
}


def check_no_metrics(source: Path | str, names: Iterable[str]) -> None:
    """DataError where the keys or columns are those of a result: CLIP_benchmark's, timm's
    ``validate.py``, graphzsl's own, pybioclip's embeddings."""
    found = {plain(str(name)) for name in names}
    said = None
    if found & _CLIP_BENCHMARK or {"metrics", "dataset", "task"} <= found:
        said = (
            "metrics of CLIP_benchmark. It holds no predictions, and CLIP_benchmark writes none:"
            " its run_classification (clip_benchmark.metrics.zeroshot_classification) returns"
            f" logits and targets; save those, {_SAVE}"
        )
    elif found & _TIMM or {"model", "top1", "top5"} <= found:
        said = (
            "results of timm's validate.py. It holds no predictions; run timm's inference.py with"
            " topk 5, label-type name and fullname, and give the file that it writes"
        )
    elif {"graphzsl", "kind"} <= found:
        said = (
            "what graphzsl wrote itself. It holds no predictions; where it is a run, these lie"
            " beside it as RUN.samples.parquet"
        )
    elif "embeddings" in found and "predictions" not in found:
        said = (
            f"embeddings. It holds no predictions; compare them with those of classes, and {_SAVE}"
        )
    if said:
        raise DataError(f"{source}: this is {said}.")


def check_kind(path: Path) -> None:
    """DataError for a file of weights, a pickle, an image and whatever else is not a table; nothing
    of it is unpickled."""
    if path.is_dir() or not path.is_file():
        return
    with open_file(path) as file:
        head = file.read(_HEAD)
    start = head[:8]
    if not head.strip():
        raise DataError(f"{path} is empty; expected predictions.")
    _refuse_texts(path, head.decode("utf-8-sig", "replace"))
    suffix = path.suffix.lower()
    if suffix in _ARRAYS:
        return
    if start[:2] == b"PK" and suffix != ".npz":
        _check_archive(path)
    if suffix in _TORCH and start.lstrip()[:1] not in (b"{", b"["):
        raise _weights(path)
    for magic, what, why in _MAGIC:
        if start.startswith(magic) and suffix not in (".npz", ".parquet"):
            raise DataError(
                f"{path}: this is {what}, and not predictions that can be read: {why}. Write"
                f" {_SAVE}, or a table."
            )
    if suffix in _PICKLE:
        raise DataError(f"{path}: this is a pickle; pickles run code and are never read. {_SAVE}")
    if suffix in _SUFFIXES:
        raise DataError(
            f"{path}: this is {_SUFFIXES[suffix]}; it holds no predictions that can be read. Write"
            f" {_SAVE}, or a table."
        )


def _refuse_texts(path: Path, text: str) -> None:
    """DataError for a classification report, a notebook and a web page."""
    for pattern, what in _TEXTS:
        if pattern.match(text):
            raise DataError(f"{path}: this is {what}.")


def _check_archive(path: Path) -> None:
    """A zip archive: weights, a spreadsheet, or an .npz under another name."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError):
        names = []
    if any(name.endswith("data.pkl") for name in names):
        raise _weights(path)
    if any(name.startswith("xl/") for name in names):
        raise DataError(f"{path}: this is an Excel workbook: save it as CSV.")
    if not any(name.endswith(".npy") for name in names):
        raise DataError(f"{path}: this is a zip archive; unpack it, and give the file inside.")


def _weights(path: Path) -> DataError:
    return DataError(
        f"{path}: these are weights of a network as torch saves them, and are never unpickled. They"
        " hold no predictions: apply the network to the samples, and write what it says of them:"
        f" {_SAVE}."
    )
