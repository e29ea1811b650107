"""A table of the frequencies of WordNet's word labels in text, with its manifest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphzsl.analysis.words.counting import Counted, count_labels
from graphzsl.analysis.words.texts import find_text, sha256_of
from graphzsl.common.errors import DataError
from graphzsl.common.files import check_result, manifest, manifest_path, sha256, write_result
from graphzsl.sources.tables import write_table
from graphzsl.sources.wordnet import WordNet

#: How occurrences are told, as the manifest says it.
RULES = (
    "whole words, overlaps counted, apostrophes dropped, inflection by WordNet's noun morphology"
)


def write_frequencies(
    texts: Sequence[str],
    path: Path,
    wordnet: WordNet,
    *,
    match_case: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    index: str | None = None,
) -> Counted:
    """Count WordNet's labels in texts (``count_labels``), and write the table word,frequency and a
    manifest beside it.

    What is done is kept in PATH.state; the same call goes on there after an interruption.

    Raises:
        DataError: a text cannot be read; the manifest would replace something else.
    """
    found = [find_text(text, index) for text in texts]
    described = manifest_path(path)
    check_result(described, "frequencies")
    if not any(text.size for text in found):
        raise DataError(f"{', '.join(text.shown for text in found)}: there is no text in it.")
    labels = wordnet.labels()
    counted = count_labels(
        texts,
        labels,
        wordnet,
        match_case=match_case,
        workers=workers,
        state=path.with_name(path.name + ".state"),
        scheduler=scheduler,
        index=index,
    )
    rows = zip(labels, counted.counts.tolist(), strict=True)
    write_table(path, ("word", "frequency"), rows)
    names, sums = [text.name for text in found], [sha256_of(text) for text in found]
    metadata = manifest(
        "frequencies",
        text=names[0] if len(names) == 1 else names,
        text_sha256=sums[0] if len(sums) == 1 else sums,
        wordnet_sha256=wordnet.sha256,
        match_case=match_case,
        rules=RULES,
        files={path.name: sha256(path)},
    )
    write_result(described, metadata)
    return counted
