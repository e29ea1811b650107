"""Models of open_clip, whose weights are read without running anything that they hold."""

from __future__ import annotations

import logging
import pickle
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.compute import Compute, array
from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import read_json, sha256
from graphzsl.common.memory import lacks_memory
from graphzsl.common.progress import log, step
from graphzsl.common.reading.safetensors_files import names_in_safetensors
from graphzsl.common.wording import did_you_mean, near
from graphzsl.embeddings.features.hub import hub_or_cache

Floats = npt.NDArray[np.float32]
#: A folder with open_clip_config.json and weights; a repository of Hugging Face.
FOLDER, HUB = "local-dir:", "hf-hub:"
_WEIGHTS = (".safetensors", ".pt", ".pth", ".bin")
_CONFIG = "open_clip_config.json"


@dataclass(frozen=True, eq=False)
class ClipModel:
    """A CLIP model with its tokenizer and preprocessing, ready to encode.

    Args:
        model: open_clip's.
        tokenizer: texts -> tokens [N, length].
        preprocess: RGB image -> tensor.
        where: device and precision.
        metadata: its name, weights and their checksum, and versions.
    """

    model: Any
    tokenizer: Any
    preprocess: Callable[[Any], Any]
    where: Compute
    metadata: dict[str, Any]

    def __repr__(self) -> str:
        return f"<ClipModel {self.metadata['model']}>"

    def tokens(self, texts: Sequence[str]) -> tuple[Any, int]:
        """(tokens [N, length], how many texts are longer than the model reads, and are cut).

        With a tokenizer of another kind than CLIP's own or Hugging Face's none is counted.
        """
        from open_clip.tokenizer import SimpleTokenizer

        if isinstance(self.tokenizer, SimpleTokenizer):
            length = int(self.tokenizer.context_length)
            longer = self.tokenizer(list(texts), context_length=length + 1)
            cut = (longer[:, length] != 0).nonzero().flatten().tolist()
            tokens = longer[:, :length].clone()
            if cut:
                tokens[cut] = self.tokenizer([texts[row] for row in cut])
            return tokens, len(cut)
        inner = getattr(self.tokenizer, "tokenizer", None)
        limit = getattr(self.tokenizer, "context_length", None)
        if not callable(inner) or limit is None:
            return self.tokenizer(list(texts)), 0
        with _silent():
            found = inner(list(texts), truncation=False, padding=False)["input_ids"]
        return self.tokenizer(list(texts)), sum(len(each) > limit for each in found)

    def encode_texts(self, tokens: Any) -> Floats:
        """[N, D] of tokens [N, length], of length 1."""
        return self._encoded(self.model.encode_text, tokens)

    def encode_images(self, inputs: Any) -> Floats:
        """[N, D] of preprocessed images, of length 1."""
        return self._encoded(self.model.encode_image, inputs)

    def _encoded(self, encode: Callable[..., Any], inputs: Any) -> Floats:
        import torch
        from torch.nn import functional

        with torch.inference_mode(), self.where.autocast():
            found = encode(inputs.to(self.where.torch_device))
            return array(functional.normalize(found.float(), dim=-1))


def load_clip(
    name: str, pretrained: str | Path | None = None, where: Compute | None = None
) -> ClipModel:
    """A model of open_clip with its weights.

    Args:
        name: open_clip's name (``ViT-B-32``); ``local-dir:FOLDER``, which holds
            ``open_clip_config.json`` and weights; or ``hf-hub:REPOSITORY``.
        pretrained: a file of weights (.safetensors, or a .pt that holds tensors alone), or one of
            open_clip's tags, whose weights it fetches once; None with ``local-dir:`` and
            ``hf-hub:``, which bring theirs.
        where: device and precision (default: the CPU, float32).

    Returns:
        The model, for use alone: nothing in it learns.

    Raises:
        DataError: there is no such model; the weights are not its, cannot be reached, or hold more
            than tensors.
        MissingExtra: open_clip is not installed.

    Reference:
        Ilharco et al. 2021, OpenCLIP; Radford et al. 2021.
    """
    require("open_clip")
    where = where or Compute()
    given = None if pretrained is None else str(pretrained)
    has_own = name.startswith((FOLDER, HUB))
    check_weights(name, pretrained)
    with step("importing open_clip"):
        import open_clip
    if not has_own:
        _check_known(open_clip, name, given)
    with hub_or_cache() if _fetches(open_clip, name, given) else nullcontext():
        with step(f"reading {name}"):
            model, _, preprocess = _made(open_clip, name, given, where)
            tokenizer = _tokenizer(open_clip, name)
        metadata = _metadata(open_clip, name, given)
    model.eval().requires_grad_(False)
    return ClipModel(model, tokenizer, preprocess, where, metadata)


def check_weights(name: str, pretrained: str | Path | None = None) -> None:
    """Check a model and its weights as far as possible without importing open_clip or reading them.

    Raises:
        DataError: a folder is not there or holds no configuration or weights, or a file of weights
            is of no known kind or does not open.
    """
    if name.startswith((FOLDER, HUB)) and pretrained is not None:
        raise DataError(f"{name} brings its own weights.", argument="pretrained")
    if name.startswith(FOLDER):
        folder = Path(name.removeprefix(FOLDER))
        if not (folder / _CONFIG).is_file():
            raise DataError(
                f"{folder} holds no {_CONFIG}: no model of open_clip.", argument="model"
            )
        files = [each for each in sorted(folder.iterdir()) if each.suffix in _WEIGHTS]
        if not files:
            raise DataError(f"{folder} holds no weights ({', '.join(_WEIGHTS)}).", argument="model")
        for file in files:
            _check_header(file, "model")
    elif pretrained is not None and Path(pretrained).exists():
        if Path(pretrained).suffix not in _WEIGHTS:
            raise DataError(
                f"{pretrained} must end in {' or '.join(_WEIGHTS)}: weights are read from those.",
                argument="pretrained",
            )
        _check_header(Path(pretrained), "pretrained")


def _check_header(path: Path, argument: str) -> None:
    """Raise DataError if a file of weights does not begin as one."""
    try:
        if not path.stat().st_size:
            raise DataError(f"{path} is empty: no weights.")
        if path.suffix == ".safetensors" and not names_in_safetensors(path):
            raise DataError(f"{path} is empty: no weights.")
    except OSError as error:
        said = error.strerror or str(error)
        raise DataError(f"{path}: not a file of weights ({said}).", argument=argument) from None
    except DataError as error:
        raise DataError(error.message, argument=argument) from None


def _check_known(open_clip: Any, name: str, pretrained: str | None) -> None:
    names = open_clip.list_models()
    if name.replace("/", "-") not in names:
        close = near(name, names, 3, 0.5)
        raise DataError(
            f"open_clip has no model {name!r}.{did_you_mean(close)} Others are given as"
            f" {FOLDER}FOLDER or {HUB}REPOSITORY.",
            argument="model",
        )
    tags = open_clip.list_pretrained_tags_by_model(name)
    if pretrained is None:
        raise DataError(
            f"{name} needs weights: a file, or one of open_clip's tags"
            f"{' ' + ', '.join(tags) if tags else ', of which it has none'}.",
            argument="pretrained",
        )
    is_file = Path(pretrained).is_file()
    # open_clip compares tags so
    if not is_file and pretrained.lower().replace("-", "_") not in [each.lower() for each in tags]:
        raise DataError(
            f"{pretrained!r} is neither a file nor one of open_clip's tags for {name}:"
            f" {', '.join(tags) or 'it has none'}.",
            argument="pretrained",
        )


def _fetches(open_clip: Any, name: str, pretrained: str | None) -> bool:
    """True if anything is downloaded from Hugging Face's hub: weights, or a tokenizer that is not
    CLIP's own."""
    if name.startswith(HUB) or (pretrained is not None and not Path(pretrained).is_file()):
        return True
    if name.startswith(FOLDER):
        try:
            config = read_json(Path(name.removeprefix(FOLDER)) / _CONFIG)
            tower = config["model_cfg"]["text_cfg"]
            return "hf_tokenizer_name" in tower or "hf_model_name" in tower
        except (DataError, OSError, KeyError, TypeError):
            return False  # reading the model says what is wrong
    tower = (open_clip.get_model_config(name) or {}).get("text_cfg", {})
    return "hf_tokenizer_name" in tower or "hf_model_name" in tower


def _made(open_clip: Any, name: str, pretrained: str | None, where: Compute) -> Any:
    """open_clip's model and transforms."""
    from safetensors import SafetensorError

    try:
        with warnings.catch_warnings(record=True) as told, _silent():
            warnings.simplefilter("always")
            made = open_clip.create_model_and_transforms(
                name,
                pretrained,
                device=where.torch_device,
                weights_only=True,
                require_pretrained=True,
            )
    except (
        DataError,
        RuntimeError,
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        EOFError,
        StopIteration,
        AssertionError,
        pickle.UnpicklingError,
        SafetensorError,
    ) as error:
        if lacks_memory(error):
            raise
        raise _unreadable(open_clip, name, pretrained, error) from None
    for each in told:
        if issubclass(each.category, UserWarning) and "QuickGELU" in str(each.message):
            log(f"{each.message} Take the model with -quickgelu in its name.")
    return made


def _unreadable(open_clip: Any, name: str, pretrained: str | None, error: Exception) -> DataError:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = " ".join(lines[:2])[:300].rstrip(".") or type(error).__name__
    if pretrained is not None and Path(pretrained).is_file():
        return DataError(
            f"{pretrained}: not the weights of {name}, as .safetensors or as a .pt of tensors alone"
            f" ({said}). Nothing in it was run.",
            argument="pretrained",
        )
    if name.startswith(FOLDER):
        return DataError(f"{name}: no model of open_clip with its weights ({said}).")
    if name.startswith(HUB):
        repository, where = name.removeprefix(HUB), "its files, open_clip_config.json among them"
    else:
        known = open_clip.get_pretrained_cfg(name, pretrained)
        repository = (known.get("hf_hub") or known.get("url") or "").rstrip("/")
        where = "open_clip_model.safetensors"
    return DataError(
        f"The weights {pretrained or 'of ' + name} cannot be reached ({said}). Where there is a"
        f" network, download {where} of {repository}; then give the file as the pretrained weights,"
        f" or a folder with all of its files as the model {FOLDER}FOLDER.",
        argument="pretrained",
    )


def _tokenizer(open_clip: Any, name: str) -> Any:
    try:
        with _silent():
            return open_clip.get_tokenizer(name)
    except (OSError, ValueError, RuntimeError, ImportError, KeyError) as error:
        if lacks_memory(error):
            raise
        said = (str(error).splitlines() or [""])[0][:300]
        raise DataError(
            f"The tokenizer of {name} cannot be had ({said}). Where there is a network, fetch it"
            f" once; or put its files into the folder of {FOLDER}FOLDER.",
            argument="model",
        ) from None


def _metadata(open_clip: Any, name: str, pretrained: str | None) -> dict[str, Any]:
    import torch

    found: dict[str, Any] = {
        "model": name,
        "pretrained": pretrained,
        "open_clip": open_clip.__version__,
        "torch": str(torch.__version__),
    }
    if pretrained is not None and Path(pretrained).is_file():
        found |= {"pretrained": Path(pretrained).name, "weights_sha256": sha256(Path(pretrained))}
    elif (fetched := _fetched(open_clip, name, pretrained)) is not None:
        found |= {"weights": fetched.name, "weights_sha256": sha256(fetched)}
    if name.startswith(FOLDER):
        folder = Path(name.removeprefix(FOLDER))
        files = sorted(each for each in folder.iterdir() if each.is_file())
        found["files"] = {each.name: sha256(each) for each in files}
    return found


def _fetched(open_clip: Any, name: str, pretrained: str | None) -> Path | None:
    """The file of weights that open_clip has in its cache for a tag or a repository; None where it
    fetched none."""
    try:
        with _silent():
            if name.startswith(HUB):
                found = open_clip.pretrained.download_pretrained_from_hf(name.removeprefix(HUB))
            elif pretrained is not None:
                known = open_clip.get_pretrained_cfg(name.replace("/", "-"), pretrained)
                found = open_clip.download_pretrained(known)
            else:
                return None
    except (OSError, RuntimeError, ValueError):
        return None
    return Path(found) if found and Path(found).is_file() else None


@contextmanager
def _silent() -> Iterator[None]:
    """Silence the logs of libraries: the error holds the part that matters."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
