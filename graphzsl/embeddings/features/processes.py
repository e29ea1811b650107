"""Training by one process or by many, which ``accelerate launch`` or ``torchrun`` started: every
batch is divided among them, and their gradients are added."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from graphzsl.common.checked_names import shown
from graphzsl.common.compute import Compute
from graphzsl.common.errors import SettingsError
from graphzsl.common.extras import require
from graphzsl.common.reading.number_texts import unsigned


def started() -> int:
    """Number of processes that a launcher has started, this one included."""
    text = os.environ.get("WORLD_SIZE", "1")
    if not (count := unsigned(text)):
        raise SettingsError(
            f"WORLD_SIZE is {shown(text)}; a launcher sets it to a number of processes."
        )
    return count


def is_first() -> bool:
    """True if this process is the first of those that a launcher started."""
    return os.environ.get("RANK", "0") == "0"


@dataclass(frozen=True, eq=False)
class Processes:
    """This process among those that train together.

    Args:
        where: device and precision that were asked for.
    """

    where: Compute

    @cached_property
    def _accelerator(self) -> Any:
        """accelerate's; None for a single process, which needs no accelerate."""
        if started() == 1:
            return None
        require("accelerate")
        from accelerate import Accelerator

        return Accelerator(cpu=self.where.torch_device == "cpu")

    @property
    def compute(self) -> Compute:
        """Device and precision of this process."""
        if self._accelerator is None:
            return self.where
        return Compute(str(self._accelerator.device), self.where.precision)

    @property
    def is_main(self) -> bool:
        """True if this process writes the files."""
        return self._accelerator is None or bool(self._accelerator.is_main_process)

    def own(self, rows: list[int]) -> list[int]:
        """The part of a batch that this process computes."""
        if self._accelerator is None:
            return rows
        return rows[self._accelerator.process_index :: self._accelerator.num_processes]

    def same(self, tensors: Iterable[Tensor]) -> None:
        """Give every process the values of the first."""
        if self._accelerator is not None:
            for tensor in tensors:
                torch.distributed.broadcast(tensor, src=0)

    def add(self, tensor: Tensor) -> Tensor:
        """The sum of a tensor over all processes."""
        if self._accelerator is None:
            return tensor
        found: Tensor = self._accelerator.reduce(tensor, "sum")
        return found

    def add_gradients(self, parameters: Iterable[Tensor]) -> None:
        """Every parameter's gradient becomes the sum over all processes; one without any sample in
        a batch adds nothing."""
        if self._accelerator is None:
            return
        for parameter in parameters:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            torch.distributed.all_reduce(parameter.grad)

    def end(self) -> None:
        """Wait for the others, and let go of them."""
        if self._accelerator is not None:
            self._accelerator.wait_for_everyone()
            self._accelerator.end_training()
