"""``graphzsl convert samples`` and ``images``: own features, and features of own images."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphzsl.cli.completion import LISTS
from graphzsl.cli.groups import Command
from graphzsl.cli.options import (
    backbone_options,
    batch_option,
    check_workers_option,
    classes_option,
    device_option,
    image_options,
    labels_option,
    option,
    option_requires,
    out_option,
    scheduler_option,
    seed_option,
    semantics_option,
    test_option,
    train_option,
    workers_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import IMAGES, INPUT, FileOrFolder, Folder, Real, Whole
from graphzsl.common import EXTRAS, DataError, counted, require, some, step

if TYPE_CHECKING:
    from graphzsl.data import ClassMatrix


dataset_option = out_option(Folder("dataset"))
#: What --train and --test of own samples take.
_LIST = "a file, one per line, or a shipped list"


@click.command(cls=Command)
@click.argument("samples", type=INPUT)
@labels_option(".npy, .pt, or one per line", kind=INPUT)
@classes_option(
    "what labels that are numbers are positions of, from 0, and the rows of --semantics in an"
    " array: a file with one class per line, or the name of an ImageNet list",
    kind=None,
    metavar="FILE|LIST",
)
@semantics_option(
    ".safetensors; .npy or .pt with a row for each of --classes; or word vectors of GloVe or"
    " word2vec (default: latent semantic indexing of WordNet's glosses of the classes and their"
    " ancestors)",
    metavar="FILE",
)
@train_option(_LIST, None, shell_complete=LISTS, required=True, metavar="FILE|LIST")
@test_option(_LIST, shell_complete=LISTS, required=True, metavar="FILE|LIST")
@option(
    "--held-out",
    Real(0, 1, max_open=True),
    0.2,
    "Share of each training class's samples kept for the test.",
)
@seed_option()
@dataset_option
def samples(
    samples: Path,
    labels: Path | None,
    classes: str | None,
    semantics: str | None,
    train: str,
    test: str,
    held_out: float,
    seed: int,
    out: Path,
) -> None:
    """Your own samples into a data set. SAMPLES are features [N, D]: .npy, .npz, .pt, .parquet, or
    a folder of `graphzsl convert images`.

    Classes may be wnids, names such as dog.n.01, words, or positions in a list. Which words were
    read as which wnids stands on stderr.

    \b
    graphzsl convert samples features.npz --train seen.txt --test unseen.txt \\
      --out dataset
    graphzsl convert samples features.npy --labels labels.npy \\
      --classes classes.txt --semantics vectors.npy \\
      --train seen.txt --test unseen.txt --out dataset
    """
    from graphzsl.data import load_samples, own_dataset

    with step("reading samples and class embeddings"):
        loaded = load_samples(samples, labels)
        vectors = semantics or _gloss_embeddings
        data = own_dataset(loaded, vectors, train, test, classes, held_out, seed)
        data.save(out)
    if outside := sorted({*data.samples.labels}.difference(data.train, *data.tests.values())):
        left = int((data.parts == "").sum())
        classes_left = counted(len(outside), "class", "classes")
        note(f"Left out: {left:,} samples of {classes_left} in neither list: {some(outside)}.")
    note(f"{data.summary()}; in {out}.")


def _gloss_embeddings(classes: Sequence[str]) -> ClassMatrix:
    """LSI of the glosses of classes and their ancestors, under the classes' own names."""
    from graphzsl.embeddings import embed_glosses, wordnet_subgraph

    embeddings, missing = embed_glosses(wordnet_subgraph(classes), fewer=True)
    if bare := sorted(set(missing).intersection(classes)):
        raise DataError(
            f"The glosses of {some(bare)} share no word with those of the other classes: give"
            " class embeddings.",
            argument="semantics",
        )
    return embeddings


@click.command(cls=Command)
@click.argument("source", type=IMAGES)
@image_options
@backbone_options
@batch_option("images", 64)
@workers_option("read and decode images", 0)
@device_option
@option(
    "--part",
    Whole(1),
    4096,
    "Images per file of a folder, in whole batches; a webdataset has a file per shard.",
)
@scheduler_option
@out_option(
    FileOrFolder(".npz"),
    "What to write: .npz, which is held in memory first, or a folder of Parquet files.",
)
def images(
    source: str,
    model: str,
    checkpoint: Path | None,
    random: bool,
    batch: int,
    workers: int,
    device: str,
    part: int,
    scheduler: str | None,
    out: Path,
    **keys: str | None,
) -> None:
    """Features of the images of SOURCE through a timm model.

    SOURCE is a folder with one folder of images per class, a .tar of such folders, a folder of
    tars, wds/FOLDER (shards of a webdataset), or hfds/NAME (a data set of Hugging Face).

    A folder as --out is written part by part, and never whole in memory. The same command goes on
    where it was stopped; with --scheduler processes of Dask write the parts. Whatever takes
    features takes the folder.

    \b
    graphzsl convert images val --model resnet50 --out features.npz
    graphzsl convert images wds/shards --model resnet50 --out features.npz
    graphzsl convert images train --model resnet50 --scheduler local:8 \\
      --out features
    """
    from graphzsl.common import Compute
    from graphzsl.data import save_samples
    from graphzsl.embeddings import require_reader

    require_reader(source)
    require(*EXTRAS["images"])
    from graphzsl.embeddings import Extraction, check_source, extract, image_features

    option_requires("random", when=checkpoint is None, needs="the command without --checkpoint")
    option_requires("part", "scheduler", when=not out.suffix, needs="a folder as --out")
    option_requires("workers", when=scheduler is None, needs="the command without --scheduler")
    check_workers_option(source)
    check_source(source, **keys)
    if not out.suffix:
        made_of = Extraction(
            source, model, checkpoint, not random, batch, part, workers, device, keys
        )
        folder = extract(made_of, out, scheduler)
        note(f"{folder.borders[-1]:,} images, {folder.dimensions:,} dimensions in {out}.")
        return
    samples = image_features(
        source,
        model,
        checkpoint,
        pretrained=not random,
        batch=batch,
        workers=workers,
        where=Compute(device),
        **keys,
    )
    save_samples(samples, out)
    note(f"{len(samples.labels):,} images, {samples.features.shape[1]:,} dimensions in {out}.")
