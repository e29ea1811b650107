"""Graph networks that predict classifiers, on torch-geometric's sparse product: layers, receptive
fields, predictions.

Every model of the family is a list of layers h ← σ(Σ_k α_k Â_k (dropout(h) W + b)); they differ in
their operators Â_k [V, V], in where the bias is added, and in whether the α_k are learned (softmax
attention over the groups of a layer).

Only the part of the graph that the loss can see is computed: the rows of each layer that the next
one averages. And because Â(HW) = (ÂH)W, a layer averages before or after its product with W,
whichever is less work. Both are the same mathematics as the full graph (tested).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor, nn
from torch.nn import functional

from graphzsl.common.errors import ModelError
from graphzsl.models.graph.propagation import Layer, Operator, seen_rows

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # torch_geometric still scripts functions with torch.jit
    from torch_geometric.nn import Linear
    from torch_geometric.utils import from_scipy_sparse_matrix, spmm, to_torch_csr_tensor

SLOPE = 0.2  #: of LeakyReLU, in every paper of the family


@dataclass(frozen=True)
class LayerSlice:
    """The rows of a layer's operators that some outputs depend on, CSR [rows, columns] each."""

    matrices: tuple[Tensor, ...]
    masses: Tensor  #: [rows, K] row sums, what a bias before the operators is multiplied with

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrices[0].shape[0], self.matrices[0].shape[1]

    @property
    def entries(self) -> int:
        return sum(int(matrix.values().numel()) for matrix in self.matrices)


@dataclass(frozen=True)
class ReceptiveField:
    """The receptive field of some output rows: a part a layer, and the positions of the rows of
    every level, inputs first."""

    parts: tuple[LayerSlice, ...]
    rows: tuple[np.ndarray, ...]


def receptive_field(
    layers: Sequence[Layer], outputs: np.ndarray, device: str = "cpu"
) -> ReceptiveField:
    """Find the nodes that ``outputs`` (positions) depend on through the layers, and slice the
    layers to them."""
    rows = seen_rows(layers, outputs)
    parts = tuple(
        slice_layer(layer, above, below, device)
        for layer, below, above in zip(layers, rows, rows[1:], strict=False)
    )
    return ReceptiveField(parts, tuple(rows))


def slice_layer(
    layer: Layer, rows: np.ndarray, columns: np.ndarray, device: str = "cpu"
) -> LayerSlice:
    """The operators of a layer cut to some rows and columns."""
    cut = [sparse.csr_array(operator[rows][:, columns]) for operator in layer.operators]
    masses = np.stack([each.sum(axis=1) for each in cut], axis=1).astype(np.float32)
    return LayerSlice(
        tuple(csr_tensor(each).to(device) for each in cut),
        torch.from_numpy(masses).to(device),
    )


def dropout(x: Tensor, rate: float, generator: torch.Generator | None = None) -> Tensor:
    """Dropout with one random byte an element: the rate is rounded to 256ths (0.5 is exact).

    torch draws a 53-bit number for each element on a CPU, which takes longer than the layer that
    follows.
    """
    border = round(rate * 256)
    if not 0 <= border < 256:
        raise ModelError(f"dropout is a rate from 0 to below 1, not {rate}.")
    words = torch.empty(x.numel() // 8 + 1, dtype=torch.int64, device=x.device).random_(
        -(2**63), None, generator=generator
    )
    kept = words.view(torch.uint8)[: x.numel()].view(x.shape) >= border
    return x * kept.to(x.dtype).mul_(256 / (256 - border))


def propagate(x: Tensor, part: LayerSlice, weights: Tensor | None) -> Tensor:
    """Σ_k α_k Â_k x [rows, width] from x [columns, width], in float32: torch-geometric's product,
    with which GCNConv aggregates too."""
    with torch.autocast(x.device.type, enabled=False):
        x = x.float()
        products = [spmm(matrix, x) for matrix in part.matrices]
        if weights is None:
            return products[0] if len(products) == 1 else torch.stack(products).sum(dim=0)
        return torch.einsum("k,kvw->vw", weights, torch.stack(products))


class GraphNetwork(nn.Module):
    """The layers of a model as a module; sizes inputs -> widths of the layers. ``random`` draws the
    dropout."""

    def __init__(self, inputs: int, layers: Sequence[Layer], random: torch.Generator | None = None):
        super().__init__()
        self.random = random
        self.layers = tuple(layers)
        sizes = [inputs, *(layer.width for layer in layers)]
        self.linears = nn.ModuleList(
            Linear(
                a,
                b,
                bias=layer.bias != "none",
                weight_initializer="glorot",
                bias_initializer="zeros",
            )
            for a, b, layer in zip(sizes, sizes[1:], layers, strict=False)
        )
        attended = [
            nn.Parameter(torch.ones(len(layer.operators))) for layer in layers if layer.attention
        ]
        self.attention = nn.ParameterList(attended)

    def forward(self, x: Tensor, field: ReceptiveField) -> Tensor:
        """[outputs, D+1] unit rows from inputs [I, S]."""
        for index, part in enumerate(field.parts):
            x = self.layer(index, x, part)
        return functional.normalize(x.float())

    def layer(self, index: int, x: Tensor, part: LayerSlice) -> Tensor:
        """[rows, width] activations of one layer; the last has none."""
        layer, linear = self.layers[index], self.linears[index]
        weight: Any = linear.weight
        offset: Any = linear.bias
        x = dropout(x, layer.dropout, self.random) if self.training and layer.dropout else x
        weights = self.weights(index)
        rows, columns = part.shape
        size_in, size_out = x.shape[1], layer.width
        before = columns * size_in * size_out + part.entries * size_out
        after = rows * size_in * size_out + part.entries * size_in
        if after <= before:
            x = functional.linear(propagate(x, part, weights), weight)
            if layer.bias == "before":
                x = (
                    x
                    + (
                        part.masses
                        @ (
                            weights
                            if weights is not None
                            else part.masses.new_ones(part.masses.shape[1])
                        )
                    )[:, None]
                    * offset
                )
        else:
            x = functional.linear(x, weight, offset if layer.bias == "before" else None)
            x = propagate(x, part, weights)
        if layer.bias == "after":
            x = x + offset
        return x if index == len(self.layers) - 1 else functional.leaky_relu(x, SLOPE)

    def weights(self, index: int) -> Tensor | None:
        """[K] softmax attention of a layer over its groups, or None."""
        if not self.layers[index].attention:
            return None
        return functional.softmax(
            self.attention[sum(layer.attention for layer in self.layers[:index])], dim=0
        )


@torch.no_grad()
def predict(
    network: GraphNetwork, inputs: Any, outputs: np.ndarray, block: int, device: str
) -> Tensor:
    """[len(outputs), D+1] unit rows on the CPU, every layer in blocks of ``block`` rows.
    ``inputs(positions)`` [n, S]."""
    network.eval()
    rows = seen_rows(network.layers, outputs)
    x = inputs(rows[0])
    for index, layer in enumerate(network.layers):
        blocks = []
        for start in range(0, len(rows[index + 1]), block):
            wanted = rows[index + 1][start : start + block]
            columns = seen_rows([layer], wanted)[0]
            part = slice_layer(layer, wanted, columns, device)
            below = torch.from_numpy(np.searchsorted(rows[index], columns)).to(x.device)
            blocks.append(network.layer(index, x[below], part))
        x = torch.cat(blocks)
    return functional.normalize(x.float()).cpu()


def csr_tensor(part: Operator) -> Tensor:
    """A torch CSR tensor."""
    with warnings.catch_warnings(), torch.sparse.check_sparse_tensor_invariants():  # type: ignore[no-untyped-call]
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        tensor: Tensor = to_torch_csr_tensor(*from_scipy_sparse_matrix(part), size=part.shape)
    return tensor
