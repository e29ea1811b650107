"""The class head of a CLIP model: one column per class, the mean of its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphzsl.clip.prompts import NEUTRAL, WORDNET, Prompts, Templates, make_prompts
from graphzsl.common.compute import Compute
from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest, sha256_text
from graphzsl.common.progress import Forecast, log, progress_bar
from graphzsl.common.wording import counted
from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix, unit_rows, with_column
from graphzsl.names.name_matching import Names

if TYPE_CHECKING:
    from graphzsl.clip.model import ClipModel

#: Texts at once.
BATCH = 256


def clip_head(
    classes: str | Path | Iterable[str] | None = None,
    model: str | ClipModel = "ViT-B-32",
    pretrained: str | Path | None = None,
    *,
    names: Names = WORDNET,
    templates: Templates = NEUTRAL,
    rule: str | None = None,
    shared: str = "error",
    batch: int = BATCH,
    device: str = "auto",
    precision: str = "float32",
) -> ClassMatrix:
    """The class head of a CLIP model of open_clip, for the names of a set of classes.

    A column is the mean of the normalised embeddings of the class's texts, normalised again.

    Args:
        classes: a shipped list (``ilsvrc2012``), a file, or the classes (default: those of the
            file of names, else ilsvrc2012).
        model: open_clip's name, ``local-dir:FOLDER`` or ``hf-hub:REPOSITORY``; or a loaded one.
        pretrained: a file of weights, or one of open_clip's tags (see ``load_clip``).
        names: ``wordnet``, ``openai``, a file, wnid -> name, or [C] names.
        templates: ``neutral``, ``openai``, ``bare``, a file, or texts with ``{c}`` for the name.
        rule: how names of WordNet are picked and told apart (default: as ``class_names``).
        shared: what is done where several classes have one name: ``error`` or ``keep``.
        batch: texts at once.
        device: auto, cpu, cuda, cuda:N or mps.
        precision: of dense products: float32 or bfloat16.

    Returns:
        Classifiers [C, D+1] with bias 0, of length 1; ``write_class_head`` writes them as a CLIP
        head [D, C].

    Raises:
        DataError: names are shared, or weights, names or templates are wrong or out of reach.
        MissingExtra: open_clip is not installed.

    Reference:
        Radford et al. 2021, section 3.1.4: prompts are averaged over the embedding space.

    >>> classes = ["n02084071", "n02121620"]
    >>> gz.clip_head(classes, "local-dir:tiny", templates=["a photo of a {c}."])
    <ClassMatrix: classifiers of 2 classes, 17 columns>
    """
    prompts = make_prompts(classes, names, templates, rule=rule, shared=shared)
    if isinstance(model, str):
        from graphzsl.clip.model import load_clip

        model = load_clip(model, pretrained, Compute(device, precision))
    elif pretrained is not None:
        raise DataError("A loaded model has its weights.", argument="pretrained")
    return head_of(prompts, model, batch)


def head_of(prompts: Prompts, model: ClipModel, batch: int = BATCH) -> ClassMatrix:
    """Classifiers [C, D+1] of prompts. Texts are made and encoded in blocks, equal ones of a block
    once, so that memory grows with classes × dimensions alone."""
    rows: list[Any] = [None] * len(prompts.classes)
    cut = 0
    blocks = list(_blocks(prompts, batch))
    said = f"{prompts.count:,} texts of {counted(len(prompts.classes), 'class', 'classes')}"
    forecast = Forecast(len(blocks), said)
    for block in progress_bar(blocks, "class head", total=len(blocks)):
        texts = [prompts.texts(row) for row in block]
        distinct = {
            text: at for at, text in enumerate(dict.fromkeys(t for each in texts for t in each))
        }
        tokens, longer = model.tokens(list(distinct))
        cut += longer
        encoded = np.concatenate(
            [
                model.encode_texts(tokens[start : start + batch])
                for start in range(0, len(distinct), batch)
            ]
        )
        for row, own in zip(block, texts, strict=True):
            rows[row] = encoded[[distinct[text] for text in own]].mean(axis=0)
        forecast.done()
    if cut:
        log(
            f"{counted(cut, 'text')} of {prompts.count:,} are longer than the model reads, and are"
            " cut."
        )
    values = unit_rows(np.array(rows, dtype=np.float32))
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1) | ~values.any(axis=1))
    if len(bad):
        raise DataError(
            f"The model gives no direction to {prompts.names[bad[0]]!r} ({len(bad):,} such"
            " classes): its weights are damaged, or the precision is too low."
        )
    metadata = manifest(
        CLASSIFIERS,
        network=model.metadata["model"],
        features=values.shape[1],
        clip=model.metadata,
        prompts=prompts.source,
        texts=prompts.count,
        cut_texts=cut,
        names_sha256=sha256_text("\n".join(prompts.names)),
        precision=model.where.precision,
    )
    return ClassMatrix(prompts.classes, with_column(values, 0.0), metadata)


def _blocks(prompts: Prompts, batch: int) -> Iterator[range]:
    """Classes whose texts fill about one batch."""
    start, size = 0, 0
    each = len(prompts.templates)
    for row, name in enumerate(prompts.classes):
        size += each or len(prompts.descriptions[name])
        if size >= batch or row + 1 == len(prompts.classes):
            yield range(start, row + 1)
            start, size = row + 1, 0
