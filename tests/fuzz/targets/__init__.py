"""What is read: a valid set of files for each reader, the reader, and what must hold for whatever
it accepts."""

from __future__ import annotations

from tests.fuzz.target import Target
from tests.fuzz.targets import (
    boxes,
    classes,
    configurations,
    images,
    judgements,
    own,
    predictions,
    published,
    texts,
)

TARGETS: tuple[Target, ...] = (
    *own.TARGETS,
    *predictions.TARGETS,
    *published.TARGETS,
    *classes.TARGETS,
    *judgements.TARGETS,
    *configurations.TARGETS,
    *texts.TARGETS,
    *boxes.TARGETS,
    *images.TARGETS,
)
