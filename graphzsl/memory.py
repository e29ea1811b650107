"""Errors for want of memory, which numpy, Arrow and torch raise each in its own way."""

from __future__ import annotations

import re

#: What torch says in place of a MemoryError: on a processor, on a GPU, and for its matrix library.
_OF_TORCH = re.compile(
    "can't allocate memory|not enough memory: you tried to allocate|out of memory"
    "|CUBLAS_STATUS_ALLOC_FAILED"
)
_ASKED = re.compile(
    r"(?:Unable to|[Tt]ried to|malloc of size|allocate) (?:allocate )?([\d.,]+ ?[A-Za-z]+)"
)


def lacks_memory(error: BaseException) -> bool:
    """Whether an error says that memory could not be had, of the machine or of a GPU."""
    if isinstance(error, ImportError):  # a library that does not fit in
        return "failed to map segment" in str(error) or "allocate memory" in str(error)
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and _OF_TORCH.search(str(error)) is not None
    )


def of_gpu(error: BaseException) -> bool:
    """Whether it is a GPU's memory that ``error`` lacks."""
    return "CUDA" in str(error) or "CUBLAS" in str(error) or "MPS" in str(error)


def asked_for(error: BaseException) -> str:
    """How much was asked for when it failed, in words ("6.77 MiB"); empty where that is not
    said."""
    found = _ASKED.search(str(error))
    return found[1].replace(". ", " ") if found else ""
