"""``graphzsl clip``: zero-shot classification with CLIP models of open_clip, at once or step by
step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphzsl import clip, embeddings
from graphzsl.cli.completion import LISTS
from graphzsl.cli.groups import Group
from graphzsl.cli.options import (
    batch_option,
    check_workers_option,
    compute_options,
    features_option,
    image_options,
    length_option,
    missing_option,
    model_option,
    names_option,
    option,
    out_option,
    output_options,
    set_option,
    templates_option,
    workers_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import IMAGES, INPUT, Written
from graphzsl.common import counted, manifest_path, sha256, write_result

_MODEL = model_option("open_clip's name, e.g. ViT-B-32; local-dir:FOLDER or hf-hub:REPOSITORY")
_PRETRAINED = click.option(
    "--pretrained",
    metavar="FILE|TAG",
    help="Weights: a .safetensors or a .pt of tensors alone; or one of open_clip's tags.",
)


@click.group(cls=Group)
def command() -> None:
    """Zero-shot classification with CLIP: names, class head, images, predictions, audit.

    `run` does all of it from one configuration file; `names`, `clip head`, `clip features`,
    `clip predict` and `audit` are its steps. docs/clip.md has an example of each.

    \b
    graphzsl clip run clip.toml
    graphzsl clip head --model ViT-B-32 --pretrained weights.safetensors \\
        --out head.npz
    graphzsl clip predict head.npz --features features.parquet \\
        --out predictions.parquet
    """


@command.command()
@click.argument("config", type=INPUT)
@output_options
def run(config: Path, output_format: str) -> None:
    """Everything from a CONFIG file (TOML): class head, predictions, and their audit.

    \b
    out = "runs/vit-b-32"
    model = "ViT-B-32"
    pretrained = "open_clip_model.safetensors"
    set = "ilsvrc2012"
    templates = "openai"
    images = "val"

    Paths are relative to the file. The folder `out` is there when all is done: names.json,
    templates.json, classes.txt, head.npz, predictions.parquet, run.json and manifest.json. An
    earlier run in it is replaced; what is no such run never is. features = "FILE" stands in place
    of images, and head = "FILE" in place of names and templates. docs/clip.md lists all settings.

    \b
    graphzsl clip run clip.toml
    """
    from graphzsl.cli.evaluation_page import show_evaluation

    done = clip.run_clip(config)
    show_evaluation(done.evaluated, output_format, done.out / clip.CLIP_RUN)
    if done.evaluated.manifest["features"]["simulated"]:
        note("Simulated, as configuration or features say: the numbers say nothing of a model.")
    note(f"The lists are in {done.out / clip.CLIP_PREDICTIONS}.")


@command.command()
@_MODEL
@_PRETRAINED
@set_option(
    "a shipped list or a file (default: those of --names, or ilsvrc2012)", shell_complete=LISTS
)
@names_option(
    "by WordNet, those of CLIP's evaluation, or a file (see `names check`)",
    "wordnet",
    metavar="wordnet|openai|FILE",
)
@click.option("--rule", help="How names of WordNet are told apart (see `names`).")
@templates_option(
    "a choice of `names`, or a file of them or of descriptions",
    "neutral",
    metavar="neutral|openai|bare|FILE",
)
@option(
    "--shared",
    click.Choice(["error", "keep"]),
    "error",
    "What is done where classes have one name.",
)
@batch_option("texts", 256)
@compute_options
@out_option(
    Written(".npz", ".safetensors"),
    "Head to write: .npz (classifier [D, C], bias, classes), or classifiers (.safetensors).",
)
def head(
    class_set: str | None, model: str, pretrained: str | None, out: Path, **made_of: Any
) -> None:
    """The class head [D, C] of names in templates, by a model's text tower.

    A column is the mean of the normalised embeddings of the class's texts, normalised again
    (Radford et al. 2021). A manifest beside the file says what it was made of.

    \b
    graphzsl clip head --model ViT-B-32 --pretrained weights.safetensors \\
        --out head.npz
    graphzsl clip head --model ViT-B-32 --pretrained laion2b_s34b_b79k \\
        --set imagenet-fall11 --templates openai --out head.npz
    """
    found = clip.clip_head(class_set, model, pretrained, **made_of)
    if out.suffix == ".npz":
        embeddings.write_class_head(found, out)
    else:
        found.save(out)
    write_result(manifest_path(out), {**found.metadata, "files": {out.name: sha256(out)}})
    classes = counted(len(found.wnids), "class", "classes")
    note(
        f"{classes}, {found.values.shape[1] - 1:,} dimensions, {found.metadata['texts']:,} texts in"
        f" {out}."
    )


@command.command()
@click.argument("source", type=IMAGES)
@image_options
@_MODEL
@_PRETRAINED
@batch_option("images", 64)
@workers_option("read and decode images", 0)
@compute_options
@out_option(
    Written(".parquet", ".npz"),
    "Features to write: .parquet as they come, or .npz, which is held in memory first.",
)
def features(
    source: str,
    model: str,
    pretrained: str | None,
    batch: int,
    workers: int,
    device: str,
    precision: str,
    out: Path,
    **keys: str | None,
) -> None:
    """Features of images by a model's image tower, with the class of each.

    SOURCE is a folder with one folder of images per class, a .tar of such folders, a folder of
    tars, wds/FOLDER (shards of a webdataset), or hfds/NAME (a data set of Hugging Face).

    \b
    graphzsl clip features val --model ViT-B-32 \\
        --pretrained weights.safetensors --out features.parquet
    """
    from graphzsl.common import Compute

    check_workers_option(source)
    embeddings.check_source(source, **keys)
    # before the images are listed, which can take long
    tower = clip.load_clip(model, pretrained, Compute(device, precision))
    found = embeddings.open_images(source, **keys)
    blocks = clip.image_blocks(found, tower, batch, workers)
    count, width = clip.save_features(blocks, out, clip=tower.metadata, precision=precision)
    note(f"{counted(count, 'image')}, {width:,} dimensions in {out}.")


@command.command()
@click.argument("head", type=INPUT)
@features_option(required=True)
@names_option("those of the head, where the features call theirs by name", kind=INPUT)
@length_option("predictions of each sample", 20)
@missing_option("samples whose class is not a candidate are an error, or misses")
@option(
    "--normalize/--as-they-are", None, True, "Bring features to length 1, as those of CLIP are."
)
@out_option(Written(".parquet"), "Predictions to write (.parquet).")
def predict(
    head: Path,
    features: Path,
    names: Path | None,
    k: int,
    missing: str,
    normalize: bool,
    out: Path,
) -> None:
    """Predictions of a class HEAD for features, as `audit` reads them. Needs no torch.

    One row per sample: file, label, the best classes and their scores.

    \b
    graphzsl clip predict head.npz --features features.parquet \\
        --out predictions.parquet
    graphzsl audit predictions.parquet --candidates ilsvrc2012
    """
    classifiers = clip.load_head(head)
    called: dict[str, Any] = {}
    if names is not None:
        prompts = clip.make_prompts(classifiers.wnids, str(names), shared="keep")
        called = dict(zip(prompts.classes, prompts.names, strict=True))
    labels = clip.LabelReader(classifiers.wnids, called, features.name)
    labels.learn(clip.file_labels(features))
    if missing == "error":
        labels.check_known()
    found = clip.predict_classes(
        classifiers,
        clip.file_blocks(features),
        out,
        labels=labels,
        top=k,
        missing=missing,
        normalize=normalize,
    )
    note(f"{counted(len(found.labels), 'sample')} in {out}.")
