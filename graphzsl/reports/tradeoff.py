"""A picture of accuracy against specificity: how much information right answers carry, for every
share of right ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.extras import require
from graphzsl.common.files import checked_suffix
from graphzsl.reports.picture_files import PICTURES, save_picture


def draw_tradeoff(
    accuracy: npt.ArrayLike,
    information: npt.ArrayLike,
    marked: Sequence[Mapping[str, Any]],
    path: Path,
    title: str = "",
) -> None:
    """[P] bits of information against [P] shares of right answers, and the rows that are ``marked``
    (with ``accuracy`` and ``information``), as .svg, .png or .pdf by the ending of ``path``.

    Reference: Deng et al. 2012, figure 4.
    """
    require("matplotlib")
    from matplotlib.figure import Figure

    checked_suffix(path, PICTURES)
    figure = Figure(figsize=(5.2, 3.6), layout="constrained")
    axes = figure.subplots()
    shares, bits = 100 * np.asarray(accuracy), np.asarray(information)
    axes.plot(shares, bits, linewidth=1.4, label="every lambda")
    axes.plot(
        [100 * row["accuracy"] for row in marked],
        [row["information"] for row in marked],
        linestyle="",
        marker="o",
        markersize=5,
        clip_on=False,
        label="rows of the table",
    )
    axes.legend(fontsize="small", frameon=False)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("right answers: the true class or above it (%)")
    axes.set_ylabel("information of right answers (bits)")
    axes.set_title(title, fontsize="medium")
    axes.grid(alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    save_picture(figure, path)
