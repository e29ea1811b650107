"""Detection against COCO's own evaluation, scikit-learn, and counts by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphzsl.boxes.detection import detection
from tests.boxes.simulated import CATEGORIES, detection_files


@pytest.mark.parametrize("crowds", [False, True])
def test_average_precision_is_that_of_coco(
    tmp_path: Path, crowds: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Simulated boxes, every class at IoU 0.5 and 0.75, of all sizes."""
    pytest.importorskip("pycocotools", reason="pycocotools is not installed")
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    truth, results = detection_files(tmp_path, crowds=crowds)
    coco = COCO(str(truth))
    evaluation = COCOeval(coco, coco.loadRes(str(results)), "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    for at, overlap in ((0, 0.5), (5, 0.75)):
        expected = evaluation.eval["precision"][at, :, :, 0, 2].mean(axis=0)
        recall = evaluation.eval["recall"][at, :, 0, 2]
        ours = detection(
            truth, [results], overlap=overlap, relax=False, interpolation="101", rounds=0
        )
        place = [ours.classes.index(each["name"]) for each in CATEGORIES]
        assert ours.precision[0, place] == pytest.approx(expected, abs=1e-12)
        assert ours.recall[0, place] == pytest.approx(recall, abs=1e-12)
        assert 0.1 < expected.mean() < 0.9
