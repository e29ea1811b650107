"""Captions of images, and vocabularies: Flickr8k's own form, JSON lines, plain text.

A control character, of which captions from the web hold some, becomes a space.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import without_acting
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_lines
from graphzsl.common.reading.json_text import parsed_json

#: ``IMAGE#NUMBER<TAB>CAPTION``, a line of Flickr8k.token.txt.
_FLICKR = re.compile(r"(?P<image>[^\t]*)#(?P<number>[0-9]+)\t\s*(?P<caption>.+)")


def read_captions(path: Path) -> dict[str, list[str]]:
    """Sample -> its captions, in the order of the file.

    Args:
        path: lines of ``IMAGE#NUMBER<TAB>CAPTION`` (Flickr8k.token.txt); or .jsonl with a list of
            captions per line, whose samples are called 0, 1, ….

    Raises:
        DataError: a line of another form, a caption that is there twice, no captions.

    Reference:
        Hodosh, Young, Hockenmaier 2013 (Flickr8k: five captions per image).
    """
    found: dict[str, list[str]] = defaultdict(list)
    seen: dict[tuple[str, str], int] = {}
    for number, line in read_lines(path):
        place = f"{path}:{number}"
        if path.suffix == ".jsonl":
            found[str(len(found))] = _texts(parsed_json(line, place), place)
            continue
        match = _FLICKR.fullmatch(line)
        if match is None:
            raise DataError(
                f"{place}: expected IMAGE#NUMBER, a tab and a caption, as in Flickr8k.token.txt."
                " Lists of captions are .jsonl."
            )
        key = match["image"], match["number"]
        if seen.setdefault(key, number) != number:
            raise DataError(
                f"{place}: caption {key[1]} of {key[0]!r} is there twice: line {seen[key]} and line"
                f" {number}. Remove one of them."
            )
        found[match["image"]].append(without_acting(match["caption"]))
    if not found:
        raise DataError(f"{path} holds no captions.")
    return dict(found)


def read_vocabulary(path: Path) -> list[str]:
    """The texts of a vocabulary: lines of words or sentences (without the image of a Flickr8k
    caption); of .jsonl the keys of objects (word: relevance) or the members of lists.

    DataError where there are none.
    """
    texts: list[str] = []
    for number, line in read_lines(path):
        place = f"{path}:{number}"
        if path.suffix != ".jsonl":
            match = _FLICKR.fullmatch(line)
            texts.append(without_acting(match["caption"] if match else line))
            continue
        value = parsed_json(line, place)
        texts += _texts(list(value) if isinstance(value, dict) else value, place)
    if not texts:
        raise DataError(f"{path} holds no words.")
    return texts


def _texts(value: Any, place: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise DataError(f"{place}: expected a list of captions, which are texts.")
    return list(map(without_acting, value))
