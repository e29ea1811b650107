"""Computation of tensors: its device and precision."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphzsl.common.errors import ModelError
from graphzsl.common.extras import require
from graphzsl.common.memory import of_gpu

if TYPE_CHECKING:
    from torch import Tensor

PRECISIONS = ("float32", "bfloat16")


@dataclass(frozen=True)
class Compute:
    """``precision`` bfloat16 multiplies dense matrices in half the bits (torch.autocast); weights
    and losses stay float32."""

    device: str = "cpu"
    precision: str = "float32"

    def __post_init__(self) -> None:
        if self.precision not in PRECISIONS:
            raise ModelError(
                f"precision is {' or '.join(PRECISIONS)}, not {self.precision!r}.",
                argument="precision",
            )
        if self.device in ("auto", "cpu"):
            return  # both can always be used, and most linear models need no torch
        require("torch")
        import torch

        try:
            torch.empty(0, device=self.torch_device)
        except (RuntimeError, AssertionError) as error:
            if of_gpu(error):
                told = f"The memory of the device {self.device!r} is full: other programs use it."
            else:
                why = str(error).splitlines()[0].removesuffix(".")
                told = f"Device {self.device!r} cannot be used: {why}."
            raise ModelError(f"{told} Try the device cpu.", argument="device") from None

    @property
    def torch_device(self) -> str:
        """The device's name for torch; auto is cuda where there is one."""
        require("torch")
        import torch

        if self.device == "auto":
            return "cuda" if torch.cuda.is_available() else "cpu"
        return self.device

    def tensor(self, values: np.ndarray) -> Tensor:
        """A float32 tensor on the device; integer arrays stay int64."""
        require("torch")
        import torch

        kind = np.int64 if values.dtype.kind in "iu" else np.float32
        return torch.from_numpy(np.ascontiguousarray(values, dtype=kind)).to(self.torch_device)

    def autocast(self) -> AbstractContextManager[Any]:
        """The block in which dense products use the precision."""
        if self.precision == "float32":
            return nullcontext()
        require("torch")
        import torch

        return torch.autocast(self.torch_device, dtype=torch.bfloat16)


def array(tensor: Tensor) -> np.ndarray:
    """float32 on the CPU."""
    return np.asarray(tensor.detach().float().cpu().numpy())
