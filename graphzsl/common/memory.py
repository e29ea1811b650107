"""Errors for want of memory, which numpy, Arrow, torch and the system raise each in its own way."""

from __future__ import annotations

import errno
import re

#: What torch says of a GPU, and of the libraries that compute there.
_OF_GPU = re.compile(
    r"(CUDA|HIP|MPS|XPU)( error:|:| backend)? out of memory|(CU|HIP)[A-Z]+_STATUS_ALLOC_FAILED"
)
#: What it says of the machine's memory.
_OF_MACHINE = re.compile(
    "can't allocate memory|not enough memory: you tried to allocate|Cannot allocate memory"
    "|can't start new thread"
)
_ASKED = re.compile(
    r"(?:Unable to allocate|[Tt]ried to allocate|tried to allocate) ([\d.,]+ [A-Za-z]+)"
    r"|malloc of size (\d+)"
)


def lacks_memory(error: BaseException) -> bool:
    """True if an error means that memory could not be allocated, of the machine or of a GPU."""
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    if isinstance(error, RuntimeError):
        return of_gpu(error) or _OF_MACHINE.search(str(error)) is not None
    return isinstance(error, MemoryError)


def of_gpu(error: BaseException) -> bool:
    """True if an error means that the memory of a GPU is full."""
    return _OF_GPU.search(str(error)) is not None


def asked_for(error: BaseException) -> str:
    """Amount of memory in the error, in words ("6.77 MiB"); empty if it names none."""
    if not (found := _ASKED.search(str(error))):
        return ""
    return found[1].replace(". ", " ") if found[1] else f"{int(found[2]):,} bytes"
