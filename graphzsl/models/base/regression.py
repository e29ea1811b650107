"""Linear classifiers on training samples by L-BFGS: all outputs at once, convex losses, the same
result every time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from graphzsl.common.compute import Compute, array
from graphzsl.data.class_matrix import Matrix

if TYPE_CHECKING:
    from torch import Tensor


def softmax_regression(
    x: Matrix, y: np.ndarray, classes: int, ridge: float, where: Compute
) -> tuple[Matrix, Matrix]:
    """([T, D] rows, [T] biases) minimising mean cross-entropy + ridge/2 ‖W‖²; biases are not
    penalised."""
    import torch
    from torch.nn import functional

    inputs, labels = where.tensor(x), where.tensor(y)
    weight = torch.zeros(classes, x.shape[1], device=inputs.device)
    bias = torch.zeros(classes, device=inputs.device)

    def loss(parts: list[Tensor]) -> Tensor:
        weight, bias = parts
        return (
            functional.cross_entropy(inputs @ weight.T + bias, labels)
            + ridge / 2 * (weight**2).sum()
        )

    weight, bias = minimise(loss, [weight, bias])
    return array(weight), array(bias)


def logistic_regression(
    x: Matrix, targets: Matrix, ridge: float, where: Compute
) -> tuple[Matrix, Matrix]:
    """([D, M] weights, [M] biases) of M binary classifiers; ``targets`` [N, M] in {0, 1}. Mean log
    loss + ridge/2 ‖W‖²."""
    import torch
    from torch.nn import functional

    inputs, outputs = where.tensor(x), where.tensor(targets)
    weight = torch.zeros(x.shape[1], targets.shape[1], device=inputs.device)
    bias = torch.zeros(targets.shape[1], device=inputs.device)

    def loss(parts: list[Tensor]) -> Tensor:
        weight, bias = parts
        losses = functional.binary_cross_entropy_with_logits(
            inputs @ weight + bias, outputs, reduction="none"
        )
        return losses.mean(dim=0).sum() + ridge / 2 * (weight**2).sum()

    weight, bias = minimise(loss, [weight, bias])
    return array(weight), array(bias)


def minimise(
    loss: Callable[[list[Tensor]], Tensor], start: list[Tensor], iterations: int = 200
) -> list[Tensor]:
    """The parameters that minimise a smooth loss, by L-BFGS with a strong Wolfe search."""
    import torch

    parameters = [part.clone().requires_grad_() for part in start]
    optimizer = torch.optim.LBFGS(
        parameters,
        max_iter=iterations,
        history_size=10,
        tolerance_grad=1e-6,
        line_search_fn="strong_wolfe",
    )

    def closure() -> Tensor:
        optimizer.zero_grad()
        value = loss(parameters)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(closure)  # type: ignore[arg-type, no-untyped-call]
    return [part.detach() for part in parameters]
