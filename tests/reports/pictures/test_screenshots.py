"""The pictures of pages that README and docs show are what those pages look like today."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.pages import DOCS

#: Pixels of a block whose means are compared, and how far they may lie apart, of 255, on the mean
#: and at most: other versions of Chromium draw letters a little otherwise.
BLOCK, MEAN, MOST = 16, 1.0, 64.0


def blocks(path: Path) -> np.ndarray:
    """Mean colours of the blocks of a picture."""
    picture = Image.open(path).convert("RGB")
    size = picture.width // BLOCK, picture.height // BLOCK
    return np.asarray(picture.resize(size, Image.Resampling.BOX), dtype=float)


@pytest.mark.thorough("Chromium, on more than a page of each kind")
def test_screenshots_are_of_the_pages_of_today(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(DOCS / "pictures")
    import report

    monkeypatch.setattr(report, "FOLDER", tmp_path)
    picture, audit = report.hierarchy_pages(tmp_path)
    report.take_picture(chromium, picture)
    report.take_audit(chromium, audit)
    for name in ("picture-hops-1.png", "picture-sample.png"):
        today, shown = blocks(tmp_path / name), blocks(DOCS / "pictures" / name)
        assert today.shape == shown.shape, name
        apart = np.abs(today - shown)
        assert apart.mean() < MEAN, name
        assert apart.max() < MOST, name
