"""SSE, semantic similarity embedding (Zhang & Saligrama 2015): classes and samples as mixtures of
the seen classes.

A class c is its closest mixture z_c = ψ(c) = argmin_{α on the simplex} γ/2 ‖α‖² + ½ ‖s_c - Σ_y α_y
s_y‖²; a sample is π_s(x) = ⟨w, min(x, v_s)⟩ (intersection) or ⟨w, max(0, x - v_s)⟩ (rectified);
f(x, c) = ⟨π(x), z_c⟩. w and the prototypes v minimise ½ ‖w‖² + λ₁/2 Σ_s ‖v_s‖² + λ₂ Σ_{y,c} ε_yc +
λ₃ Σ_{i,c} ξ_ic with v ≥ 0 and the hinge losses

    ε_yc = max(0, Δ(y, c) - mean_{i: y_i = y} [f(x_i, y) - f(x_i, c)])
    ξ_ic = max(0, Δ(y_i, c) - f(x_i, y_i) + f(x_i, c))
    Δ(y, c) = 1 - s_y·s_c

(ε aligns classes, by the mean of f and not f of the mean; ξ is of instances) in turns: the first
epoch moves w, the second v, and so on, by Adam on batches of whole classes; v starts at the class
means. Samples are L2-normalised and not centred, because the histogram intersection is of
non-negative values. A dimension that is negative somewhere in training is first shifted by its
minimum. That shift alone changes no decision: min(x + a, v + a) = min(x, v) + a adds the same ⟨w,
a⟩ to every π_s(x), and every z_c sums to 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from graphzsl.common.compute import array
from graphzsl.data.class_matrix import Matrix, unit_rows
from graphzsl.models.base.encoders import SeenProportions
from graphzsl.models.base.options import Iterative, option
from graphzsl.models.base.scaling import Scaling
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model
from graphzsl.models.compatibility.bilinear import Callback, epochs, step

if TYPE_CHECKING:
    from torch import Tensor

GRID = [
    {"gamma": gamma, "instance": instance} for gamma in (0.01, 0.1, 1.0) for instance in (0.01, 1.0)
]
#: What the manifest says of the features' scaling: this model has its own.
FEATURE_SCALING = "less the training minimum where that is negative, then L2-normalised"


@dataclass(frozen=True)
class Options(Iterative):
    """Hyper-parameters."""

    epochs: int = option(
        20, "Passes over the samples at most; chosen on validation classes unless given.", least=1
    )
    check_every: int = option(1, "Epochs between two validations.", least=1)
    kind: str = option(
        "intersection", "π: min(x, v) or max(0, x - v).", ("intersection", "rectified")
    )
    gamma: float = option(0.1, "γ: how evenly a class spreads over the seen classes.", above=0)
    prototypes: float = option(
        1e-4, "λ₁, the weight of the prototypes' norms (the paper: 1e-4).", least=0
    )
    align: float = option(1.0, "λ₂, the weight of the class means' margins.", least=0)
    instance: float = option(1.0, "λ₃, the weight of the samples' margins.", least=0)


def fit(task: Task, options: Options, callback: Callback | None = None) -> ZeroShotModel:
    """The prototypes and w as encoder, ψ(c) as the candidates' rows."""
    import torch

    where, labels = task.where, task.examples.y
    values, scaling = non_negative(task)
    semantics, candidates = unit_rows(task.examples.s), unit_rows(task.candidate_semantics)
    mixtures = simplex_mixtures(semantics, semantics, options.gamma)
    rows = simplex_mixtures(candidates, semantics, options.gamma)
    counts = np.bincount(labels, minlength=len(semantics))
    sums = np.zeros((len(semantics), values.shape[1]))
    np.add.at(sums, labels, values)
    x, y, z, s = (where.tensor(part) for part in (values, labels, mixtures, semantics))
    v = where.tensor(sums / counts[:, None]).requires_grad_()
    w = torch.ones(x.shape[1], device=x.device, requires_grad=True)
    margins = (1 - s @ s.T).clamp(min=0).fill_diagonal_(0)
    generator = torch.Generator().manual_seed(task.seed)
    # a step of Adam is as long as its rate, so the prototypes' rate is in units of their mean
    by_w = torch.optim.Adam([w], options.lr, weight_decay=options.weight_decay)
    by_v = torch.optim.Adam([v], options.lr * float(v.detach().mean()))

    def learned() -> ZeroShotModel:
        encoder = SeenProportions(array(v), array(w), options.kind)
        return replace(example_model(task, rows, model="sse", encoder=encoder), scaling=scaling)

    whole = replace(options, batch=max(1, options.batch * len(s) // len(x)))  # classes per step
    for epoch in epochs(whole, generator, len(s), "sse"):
        for classes in epoch.batches:
            chosen = torch.isin(y, classes.to(y.device))
            value = objective(
                x[chosen], y[chosen], w, v, z, margins, options, len(s) / len(classes)
            )
            step(by_w if epoch.number % 2 else by_v, value, epoch.number)
            with torch.no_grad():
                v.clamp_(min=0)
        if callback and epoch.is_validation_epoch:
            callback(epoch.number, learned())
    return learned()


def non_negative(task: Task) -> tuple[Matrix, Scaling]:
    """([N, D] training samples, how they were scaled): see FEATURE_SCALING; not normalised where
    the task says none."""
    samples = task.samples
    values = task.examples.x if samples is None else samples.select(task.train).features
    lowest = np.minimum(values.min(axis=0), 0).astype(np.float32)
    scaling = Scaling(lowest, np.ones(1, np.float32), task.feature_scaling != "none")
    return scaling(values), scaling


def objective(
    x: Tensor,
    y: Tensor,
    w: Tensor,
    v: Tensor,
    z: Tensor,
    margins: Tensor,
    options: Options,
    share: float = 1.0,
) -> Tensor:
    """The paper's objective on all samples [B, D] of some classes; ``share`` is training classes
    over those classes."""
    import torch

    scores = proportions(x, v, w, options.kind) @ z.T
    instance = _hinge(scores, y, margins).sum()
    classes, place = y.unique(return_inverse=True)  # type: ignore[no-untyped-call]
    sums = torch.zeros(len(classes), scores.shape[1], device=x.device).index_add(0, place, scores)
    align = _hinge(sums / place.bincount()[:, None], classes, margins).sum()
    norms = (w**2).sum() / 2 + options.prototypes / 2 * (v**2).sum()
    return norms + share * (options.align * align + options.instance * instance)


def simplex_mixtures(values: Matrix, seen: Matrix, gamma: float, iterations: int = 300) -> Matrix:
    """[C, T] ψ of each row of ``values`` [C, S], by accelerated projected gradients onto the
    simplex."""
    gram = (seen @ seen.T).astype(np.float64) + gamma * np.eye(len(seen))
    linear = (values @ seen.T).astype(np.float64)
    size = 1 / np.linalg.eigvalsh(gram)[-1]
    mixtures = ahead = np.full((len(values), len(seen)), 1 / len(seen))
    momentum = 1.0
    for _ in range(iterations):
        new = project_to_simplex(ahead - size * (ahead @ gram - linear))
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - mixtures)
        moved, mixtures, momentum = np.abs(new - mixtures).max(), new, following
        if moved < 1e-7:
            break
    return mixtures.astype(np.float32)


def project_to_simplex(rows: np.ndarray) -> np.ndarray:
    """The nearest point of the probability simplex to each row (Duchi et al. 2008)."""
    ordered = -np.sort(-rows, axis=1)
    excess = np.cumsum(ordered, axis=1) - 1
    counts = np.arange(1, rows.shape[1] + 1)
    support = (ordered - excess / counts > 0).sum(axis=1)
    shift = excess[np.arange(len(rows)), support - 1] / support
    return np.asarray(np.maximum(rows - shift[:, None], 0))


def proportions(x: Tensor, v: Tensor, weight: Tensor, kind: str) -> Tensor:
    """[B, T] π_s(x), by min(x, v) = (x + v - |x - v|) / 2 and max(0, x - v) = (x - v + |x - v|) /
    2.

    So π is two sums and a weighted city-block distance, of which a CPU keeps nothing of B × T × D
    numbers for the gradient.
    """
    import torch

    distances = x.new_zeros(len(x), len(v))
    for sign in (1, -1):  # a distance has no negative weights
        side = sign * weight > 0
        size = sign * weight[side]
        distances = distances + sign * torch.cdist(x[:, side] * size, v[:, side] * size, p=1)
    own, others = (x @ weight)[:, None], (v @ weight)[None]
    return (
        (own + others - distances) / 2 if kind == "intersection" else (own - others + distances) / 2
    )


def _hinge(scores: Tensor, truth: Tensor, margins: Tensor) -> Tensor:
    """[B] Σ_c max(0, Δ(y, c) - f(y) + f(c)) of scores [B, T]; Δ(y, y) = 0, so that the true class
    adds nothing."""
    true = scores.gather(1, truth[:, None])
    return (margins[truth] + scores - true).clamp(min=0).sum(dim=1)
