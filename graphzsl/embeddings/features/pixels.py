"""RGB images of 8 bits from files of any kind; what cannot become one is named."""

from __future__ import annotations

import re
import tarfile
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError

#: How many times as long as wide an image may be: its smaller side is brought to the model's.
_LONGEST = 200


def read_rgb(open_file: Callable[[], Any], name: str) -> Any:
    """The RGB image of a file, which is closed again.

    Grey, CMYK and palettes are converted. 16 bits per channel become 8: 65,535 is white.
    Transparent pixels have the colour that is stored under them, as in open_clip and timm. Of an
    animation it is the first picture.

    Args:
        open_file: opens the file.
        name: what messages call the image.

    Raises:
        DataError: the file cannot be read, is no image or damaged, has too many pixels or such of
            no known range; the message names it.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        # Pillow tells of odd metadata by warnings that name no file
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with open_file() as file, Image.open(file) as image:
                return _rgb(image)
    except Image.DecompressionBombError as error:
        sizes = [f"{int(size):,}" for size in re.findall(r"\d{5,}", str(error))]
        counts = f"{sizes[0]} pixels, and at most {sizes[1]}" if len(sizes) > 1 else "more than"
        raise DataError(f"{name}: it has {counts} are read. Make the image smaller.") from None
    except UnidentifiedImageError:
        raise DataError(f"{name}: not an image (of no known format).") from None
    except MemoryError:
        raise DataError(f"{name}: too large for the memory. Make the image smaller.") from None
    except OSError as error:
        if error.errno is not None:
            raise DataError(f"{name}: cannot be read ({error.strerror}).") from None
        raise DataError(f"{name}: not an image ({_said(error)}).") from None
    # SyntaxError: what Pillow raises for a broken PNG; AttributeError: an entry without content
    except (SyntaxError, ValueError, EOFError, KeyError, AttributeError, tarfile.TarError) as error:
        raise DataError(f"{name}: not an image ({_said(error)}).") from None


def _said(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__


def _rgb(image: Any) -> Any:
    from PIL import Image

    width, height = image.size
    if max(width, height) > _LONGEST * min(width, height):
        raise ValueError(
            f"{width:,} × {height:,} pixels: one side is more than {_LONGEST} times the other"
        )
    # Pillow before 11 opens a PNG of 16 bits as 32
    if image.mode.startswith("I;16") or (image.mode == "I" and image.format == "PNG"):
        values = np.asarray(image).astype(np.int64)
        # Pillow's own conversion makes everything above 255 white
        return Image.fromarray(((values + 128) // 257).astype(np.uint8)).convert("RGB")
    if image.mode in ("I", "F"):
        kind = "whole numbers" if image.mode == "I" else "floating-point numbers"
        raise ValueError(
            f"its pixels are {kind} of 32 bits, of which white is not known: save it with 8 bits"
        )
    if image.mode in ("P", "PA"):
        return image.convert("RGBA").convert("RGB")
    return image.convert("RGB")
