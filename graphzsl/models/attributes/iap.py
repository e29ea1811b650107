"""IAP, indirect attribute prediction (Lampert et al. 2009, 2014): attributes from the probabilities
of the seen classes.

p(a_m = 1 | x) = Σ_k a_m^k p(k | x) over the seen classes k, p(k | x) a softmax classifier; then as
DAP. From classifier rows p is the network's own where images are classified, and the softmax over
xᵀ row of centred unit rows where rows are.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphzsl.models.attributes import dap
from graphzsl.models.base.encoders import AttributesOfClasses
from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel

GRID = [{"cut": cut} for cut in ("global", "dimension")]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    ridge: float = option(
        1e-4, "L2 penalty of the softmax regression, where there are samples.", least=0
    )
    scale: float = option(
        1.0,
        "Inverse temperature of the softmax over seen classes; the paper has none, which is 1.",
        above=0,
    )
    cut: str = option("global", "At which mean embeddings become 0 or 1.", ("global", "dimension"))


def fit(task: Task, options: Options) -> ZeroShotModel:
    """The seen classifier and its classes' attributes as encoder."""
    train, candidates = dap.attributes(task, options.cut)
    seen = task.seen_classifier(options.ridge)
    encoder = AttributesOfClasses(seen.weights, train, options.scale, seen.directions)
    return dap.attribute_model(task, encoder, train, candidates, "iap")
