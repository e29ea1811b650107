"""SSE, semantic similarity embedding (Zhang & Saligrama 2015): classes and samples as mixtures of the seen classes.

A class c is its closest mixture ψ(c) = argmin_{α on the simplex} γ/2 ‖α‖² + ½ ‖s_c - Σ_y α_y s_y‖²; a sample is
π_s(x) = ⟨w, min(x, v_s)⟩ (intersection) or ⟨w, max(0, x - v_s)⟩ (rectified); f(x, c) = ⟨π(x), ψ(c)⟩. The prototypes v_s are
the class means and stay fixed, as in the paper's own cross-validation; then learning w is a convex max-margin problem:
‖w‖²/2N + align · mean ε + instance · mean ξ, where ε and ξ are the hinge losses of the class means' and of the samples' margins
Δ(y, c) = 1 - s_y·s_c against every other class, by Adam on batches of both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from graphzsl.class_matrix import Matrix
from graphzsl.models.compatibility import Watch, epochs, step
from graphzsl.models.compute import array
from graphzsl.models.encoders import SeenProportions
from graphzsl.models.head import Head, example_head
from graphzsl.models.options import Iterative, option
from graphzsl.models.task import Task

FAMILY = "hybrid"
GRID = [{"gamma": gamma} for gamma in (0.01, 0.1, 1.0)]


@dataclass(frozen=True)
class Options(Iterative):
    """Hyper-parameters."""

    epochs: int = option(20, "Passes over the samples at most; chosen on validation classes unless given.")
    kind: str = option("intersection", "π: min(x, v) or max(0, x - v).", ("intersection", "rectified"))
    gamma: float = option(0.1, "γ: how evenly a class spreads over the seen classes.")
    align: float = option(1.0, "Weight of the class means' margins.")
    instance: float = option(1.0, "Weight of the samples' margins.")


def fit(task: Task, options: Options, watch: Watch | None = None) -> Head:
    """The prototypes and w as encoder, ψ(c) as the candidates' rows."""
    examples, where = task.examples, task.where
    mixtures = simplex_mixtures(examples.s, examples.s, options.gamma)
    candidates = simplex_mixtures(task.candidate_semantics, examples.s, options.gamma)
    prototypes = examples.class_means
    x, v, z = where.tensor(examples.x), where.tensor(prototypes), where.tensor(mixtures)
    y, s = where.tensor(examples.y), where.tensor(examples.s)
    margins = (1 - s @ s.T).clamp(min=0).fill_diagonal_(0)
    generator = torch.Generator().manual_seed(task.seed)
    weight = torch.full((x.shape[1],), 1 / x.shape[1], device=x.device, requires_grad=True)
    optimizer = torch.optim.Adam([weight], options.lr)

    def head() -> Head:
        encoder = SeenProportions(prototypes, array(weight), options.kind)
        return example_head(task, candidates, model="sse", encoder=encoder)

    for epoch in epochs(options, generator, len(x), "sse"):
        for batch in epoch.batches:
            value = (weight**2).sum() / (2 * len(x)) + options.weight_decay * (weight**2).sum()
            found = proportions(x[batch], v, weight, options.kind) @ z.T
            value = value + options.instance * _hinge(found, y[batch], margins).mean()
            some = torch.randperm(len(v), generator=generator)[: options.batch].to(x.device)
            means = proportions(v[some], v, weight, options.kind) @ z.T
            value = value + options.align * _hinge(means, some, margins).mean()
            step(optimizer, value, epoch.number)
        if watch and epoch.is_look:
            watch(epoch.number, head())
    return head()


def simplex_mixtures(values: Matrix, seen: Matrix, gamma: float, iterations: int = 300) -> Matrix:
    """[C, T] ψ of each row of ``values`` [C, S], by accelerated projected gradients onto the simplex."""
    gram = (seen @ seen.T).astype(np.float64) + gamma * np.eye(len(seen))
    linear = (values @ seen.T).astype(np.float64)
    size = 1 / np.linalg.eigvalsh(gram)[-1]
    found = ahead = np.full((len(values), len(seen)), 1 / len(seen))
    momentum = 1.0
    for _ in range(iterations):
        new = project_to_simplex(ahead - size * (ahead @ gram - linear))
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - found)
        moved, found, momentum = np.abs(new - found).max(), new, following
        if moved < 1e-7:
            break
    return found.astype(np.float32)


def project_to_simplex(rows: np.ndarray) -> np.ndarray:
    """The nearest point of the probability simplex to each row (Duchi et al. 2008)."""
    ordered = -np.sort(-rows, axis=1)
    excess = np.cumsum(ordered, axis=1) - 1
    counts = np.arange(1, rows.shape[1] + 1)
    support = (ordered - excess / counts > 0).sum(axis=1)
    shift = excess[np.arange(len(rows)), support - 1] / support
    return np.asarray(np.maximum(rows - shift[:, None], 0))


def proportions(x: Tensor, v: Tensor, weight: Tensor, kind: str) -> Tensor:
    """[B, T] π_s(x)."""
    parts = torch.minimum(x[:, None], v[None]) if kind == "intersection" else (x[:, None] - v[None]).clamp(min=0)
    return parts @ weight


def _hinge(scores: Tensor, truth: Tensor, margins: Tensor) -> Tensor:
    true = scores.gather(1, truth[:, None])
    return (margins[truth] + scores - true).clamp(min=0).scatter(1, truth[:, None], 0.0).mean(dim=1)
