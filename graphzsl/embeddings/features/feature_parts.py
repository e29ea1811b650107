"""Features of more images than fit into memory: a folder of parts, each of which is written when it
is done, here or by processes of Dask. What is done is not done again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from graphzsl.common.atomic import atomic_write, check_replaceable, check_writable
from graphzsl.common.cluster import connected
from graphzsl.common.compute import Compute
from graphzsl.common.errors import DataError
from graphzsl.common.files import MANIFEST, manifest, read_json, sha256, write_json
from graphzsl.common.progress import progress_bar
from graphzsl.common.reading.parquet_files import open_parquet
from graphzsl.data.feature_folder import (
    KIND,
    UNFINISHED,
    FeatureFolder,
    feature_table,
    part_name,
)
from graphzsl.embeddings.features.feature_states import (
    Task,
    check_continued,
    checksum_of_images,
    states,
)
from graphzsl.embeddings.features.image_readers import open_images
from graphzsl.embeddings.features.image_source import ImageSource

#: Images of a part where nothing else is said: 32 MB of features of 2,048 dimensions.
PART = 4096


@dataclass(frozen=True)
class Extraction:
    """Images, network and options of an extraction of features.

    Args:
        source: the images (``open_images``).
        name: the timm model.
        checkpoint: its weights; without it timm looks for pretrained ones.
        pretrained: False: random weights, the same ones everywhere, and the features are called
            simulated.
        batch: images at once.
        part: images of a file of the folder, rounded up to whole batches; a webdataset has a file
            per shard.
        workers: processes that read and decode images.
        device: where to compute.
        keys: ``split``, ``image_key`` and ``label_key`` of ``open_images``.
    """

    source: str
    name: str
    checkpoint: Path | None = None
    pretrained: bool = True
    batch: int = 64
    part: int = PART
    workers: int = 0
    device: str = "auto"
    keys: dict[str, str | None] = field(default_factory=dict)

    @cached_property
    def images(self) -> ImageSource:
        """The images, listed once in a process."""
        return open_images(self.source, **self.keys)

    @cached_property
    def network(self) -> Any:
        """The network, loaded once in a process."""
        import torch

        from graphzsl.embeddings.features.images import backbone

        if not self.pretrained and not self.checkpoint:
            torch.manual_seed(0)
        network = backbone(self.name, self.checkpoint, self.pretrained)
        return network.eval().to(Compute(self.device).torch_device)

    @cached_property
    def tasks(self) -> list[Task]:
        """The parts."""
        images = self.images
        if images.streamed:
            return list(enumerate(images.reader.names))
        size = -(-self.part // self.batch) * self.batch
        starts = range(0, len(images), size)
        return [
            (number, (start, min(start + size, len(images)))) for number, start in enumerate(starts)
        ]

    @property
    def described(self) -> dict[str, Any]:
        """Facts that decide the content of the folder; parts of a folder with other facts do not
        belong to it."""
        images = self.images
        weights = "timm's pretrained" if self.pretrained else "random"
        return {
            "source": Path(images.place).name,
            "images": checksum_of_images(images),
            "files": states(images, self.tasks),
            "network": self.name,
            "weights": sha256(self.checkpoint) if self.checkpoint else weights,
            "versions": {name: version(name) for name in ("timm", "torch")},
            "simulated": not (self.pretrained or self.checkpoint),
            "batch": self.batch,
            "parts": len(self.tasks),
            "keys": self.keys,
        }

    @property
    def travelling(self) -> Extraction:
        """Copy with absolute paths, and nothing loaded, for another process."""
        prefix = next((each for each in ("wds/", "hfds/") if self.source.startswith(each)), "")
        place = Path(self.source.removeprefix(prefix))
        source = prefix + str(place.absolute()) if place.exists() else self.source
        checkpoint = self.checkpoint.absolute() if self.checkpoint else None
        return replace(self, source=source, checkpoint=checkpoint, workers=0)


def extract(made_of: Extraction, out: Path, scheduler: str | None = None) -> FeatureFolder:
    """Write the features of images as a folder of parts; the same call goes on where one was
    stopped or killed, with the same result.

    Args:
        made_of: images and network.
        out: the folder.
        scheduler: processes of Dask write parts (``common.cluster``); images and folder are under
            the same path for all.

    Returns:
        The folder; no more than a part of its features was in memory.

    Raises:
        DataError: an image is damaged (it is named; the other parts stay), or the folder holds
            something else.
        SettingsError: the scheduler cannot be used.
    """
    out = Path(out)
    plan = _plan(made_of, out)
    if plan is None:
        return FeatureFolder.open(out)
    todo = [task for task in made_of.tasks if not (out / part_name(task[0])).exists()]
    for number, facts in _written(made_of, out, todo, scheduler):
        plan["done"][part_name(number)] = facts
    rows, files, dimensions = [], {}, 0
    for number, _ in made_of.tasks:
        name = part_name(number)
        count, width, digest = plan["done"].get(name) or _facts(out / name)
        rows.append(count)
        files[name] = digest
        if dimensions and width != dimensions:
            raise DataError(
                f"{out / name} has {width} dimensions, the parts before it {dimensions}. Remove it,"
                " and give the command again."
            )
        dimensions = width
    about = {"images": sum(rows), "dimensions": dimensions, "rows": rows, "files": files}
    write_json(out / MANIFEST, manifest(KIND, **about, made_of=plan["made_of"]))
    (out / UNFINISHED).unlink()
    return FeatureFolder.open(out)


def _plan(made_of: Extraction, out: Path) -> dict[str, Any] | None:
    """Begin a folder of features, or continue one, and return the content of its file
    ``UNFINISHED``; None if the folder is finished."""
    check_writable(out)
    described = json.loads(json.dumps(made_of.described))
    if (out / MANIFEST).exists():
        check_replaceable(out, KIND)
        kept, finished = read_json(out / MANIFEST).get("made_of"), True
    elif (out / UNFINISHED).exists():
        document = read_json(out / UNFINISHED)
        kept, finished = document.get("made_of") if isinstance(document, dict) else None, False
    else:
        check_replaceable(out)
        out.mkdir(parents=True, exist_ok=True)
        write_json(out / UNFINISHED, manifest(KIND, made_of=described))
        return {"made_of": described, "done": {}}
    kept = kept if isinstance(kept, dict) else {}
    check_continued(out, kept, described, made_of.images, made_of.tasks, finished)
    if finished:
        return None
    write_json(out / UNFINISHED, manifest(KIND, made_of=described))
    return {"made_of": described, "done": {}}


def _facts(path: Path) -> tuple[int, int, str]:
    """(rows, dimensions, checksum) of a part that is there."""
    try:
        with open_parquet(path) as file:
            kind = file.schema_arrow.field("features").type
            return file.metadata.num_rows, int(kind.list_size), sha256(path)
    except (DataError, OSError, ValueError, KeyError, AttributeError) as error:
        raise DataError(
            f"{path} is not a part of features ({str(error).splitlines()[0]}). Remove it, and give"
            " the command again."
        ) from None


def _written(
    made_of: Extraction, out: Path, todo: list[Task], scheduler: str | None
) -> Iterator[tuple[int, tuple[int, int, str]]]:
    """(number, facts) of every part that was written."""
    if scheduler is None or not todo:
        for task in progress_bar(todo, "parts of features", len(todo)):
            yield write_part((made_of, out), task)
        return
    shared = (made_of.travelling, out.absolute())
    with connected(scheduler) as workers:
        yield from workers.map(write_part, todo, "parts of features", shared)


def write_part(shared: tuple[Extraction, Path], task: Task) -> tuple[int, tuple[int, int, str]]:
    """One part, whole or not at all."""
    from graphzsl.embeddings.features.images import feature_batches

    made_of, out = shared
    number, chosen = task
    images = made_of.images
    if isinstance(chosen, str):
        reader = replace(images.reader, names=(chosen,), count=0)
        images = replace(images, reader=reader)
    else:
        images = images.between(*chosen)
    batches = feature_batches(
        images, made_of.network, made_of.batch, made_of.workers, Compute(made_of.device)
    )
    blocks, labels, names = [], [], []
    for block, own, called in batches:
        blocks.append(block)
        labels += own
        names += called
    if not blocks:
        raise DataError(f"{images.place} holds no image in part {number}.")
    features = np.concatenate(blocks)
    path = out / part_name(number)
    with atomic_write(path) as partial:
        pq.write_table(feature_table(names, labels, features), partial)
    return number, (len(labels), features.shape[1], sha256(path))
