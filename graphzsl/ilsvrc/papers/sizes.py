"""Sizes of data sets: small, medium and large."""

from __future__ import annotations

from graphzsl.common.errors import DataError

#: Least and most of a medium data set (Xian et al. 2017, section 4.1).
IMAGES = (10_000, 1_000_000)
CLASSES = (100, 1_000)


def size_of(images: int, classes: int) -> tuple[str, str]:
    """Size of a data set, small, medium or large: (by its images, by its classes).

    Both bounds are in: medium are 10,000 to 1,000,000 images and 100 to 1,000 classes. The two can
    differ, and the paper has no rule for that.

    Args:
        images: how many images the data set has.
        classes: how many classes.

    Returns:
        small, medium or large, twice.

    Raises:
        DataError: a number is below 0.

    Reference:
        Xian et al. 2017, section 4.1.

    >>> gz.papers.size_of(30475, 50)
    ('medium', 'small')
    """
    if min(images, classes) < 0:
        raise DataError(f"A data set cannot have {min(images, classes)} images or classes.")
    return _size(images, IMAGES), _size(classes, CLASSES)


def _size(number: int, medium: tuple[int, int]) -> str:
    if number < medium[0]:
        return "small"
    return "large" if number > medium[1] else "medium"
