"""hCorrectSets that were exported, read for an evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import check_class_names, check_classes, shown
from graphzsl.common.errors import DataError
from graphzsl.common.files import MANIFEST, check_files, read_json
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.common.reading.schema import check_document


def load_hcorrect(folder: Path) -> tuple[dict[int, dict[str, list[str]]], dict[str, Any]]:
    """(k -> wnid -> members, manifest) of a folder that ``graphzsl export hcorrect`` wrote as
    Parquet."""
    metadata = read_json(folder / MANIFEST)
    path = folder / "hcorrect.parquet"
    kind = metadata.get("kind") if isinstance(metadata, dict) else None
    if kind != "hcorrect" or not path.exists():
        raise DataError(
            f"{folder} holds no hcorrect.parquet. `graphzsl export hcorrect` writes one."
        )
    check_document(metadata, "hcorrect", folder / MANIFEST, "manifest", "Export it again.")
    check_files(folder, metadata, (path.name,), "Export it again.")
    table = read_parquet(path, ["wnid", "k", "members"], expected="Export the hCorrectSets again.")
    sets: dict[int, dict[str, list[str]]] = {}
    for place, row in enumerate(table.to_pylist()):
        wnid, k, members = row["wnid"], row["k"], row["members"]
        where = f"{path}: row {place}"
        check_class_names([wnid], where)
        if type(k) is not int or k < 1:
            raise DataError(f"{where}: k is {shown(k)}; expected a whole number from 1 on.")
        check_classes(members, f"{where}: members")
        if wnid not in members:
            raise DataError(f"{where}: the hCorrectSet of {wnid} lacks {wnid} itself.")
        if sets.setdefault(k, {}).setdefault(wnid, members) is not members:
            raise DataError(f"{where}: the hCorrectSet of {wnid} for k = {k} is there twice.")
    return sets, metadata
