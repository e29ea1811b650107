"""The samples of a webdataset, read one after another from its shards."""

from __future__ import annotations

import io
import logging
import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import text_problem
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_json
from graphzsl.common.reading.bounds import is_file
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.number_texts import whole
from graphzsl.common.reading.tar_files import check_no_link, tar_members
from graphzsl.common.text_files import decoded
from graphzsl.common.wording import counted

#: What holds the image and, where no key is given, the class number of a sample.
IMAGE_KEYS, LABEL_KEY = "jpg;png;webp", "cls"
#: Bytes of a sample: its files are in memory together.
LARGEST_SAMPLE = 256 << 20
#: Files that describe the splits, the first of which counts.
_INFO = ("_info.json", "info.json")
_READER_LOG = "timm.data.readers.reader_wds"


@dataclass(frozen=True)
class Sample:
    """One sample: its name (shard and key), its class number, and what opens its image."""

    name: str
    label: int
    open_image: Callable[[], Any]


@dataclass(frozen=True)
class Shards:
    """The shards of a webdataset.

    Args:
        folder: where they lie.
        names: the shards, in their order.
        image_keys: what may hold the image, the first that is there.
        label_key: the key of the class number in a sample's JSON; empty for its ``.cls``.
        count: how many samples they hold; 0 where that is not known.
    """

    folder: Path
    names: tuple[str, ...]
    image_keys: tuple[str, ...] = field(default=tuple(IMAGE_KEYS.split(";")))
    label_key: str = ""
    count: int = 0

    def __len__(self) -> int:
        return self.count

    def samples(self) -> Iterator[Sample | str]:
        """The samples, or what is wrong with one of them.

        Raises:
            DataError: a shard is damaged, so that what follows cannot be read; or there are fewer
                samples than the description says.
        """
        read = 0
        for name in self.names:
            for sample in self._of_shard(name):
                read += 1
                try:
                    yield self._sample(name, sample)
                except _Wrong as wrong:
                    yield f"{self._place(name, sample)} {wrong}"
        if not read:
            raise DataError(f"{self.folder} holds no sample: its shards are empty.")
        if self.count and read != self.count:
            raise DataError(
                f"{self.folder} holds {counted(read, 'image')}; its description says"
                f" {self.count:,}."
            )

    def check_keys(self) -> None:
        """DataError where the first sample lacks the keys of its image or class: all will."""
        name = self.names[0]
        for sample in self._of_shard(name):
            try:
                self._sample(name, sample)
            except _Absent as absent:
                raise DataError(
                    f"{self._place(name, sample)} {absent}", argument=absent.argument
                ) from None
            except _Wrong:
                pass  # it is named beside the others of the kind
            return

    def _of_shard(self, name: str) -> Iterator[dict[str, Any]]:
        """The samples of one shard, as webdataset reads them."""
        import webdataset

        # webdataset ends at a damaged header as if nothing followed
        self._check(self.folder / name)
        pipeline = webdataset.DataPipeline(
            webdataset.SimpleShardList([str(self.folder.resolve() / name)]),
            webdataset.tarfile_to_samples(),
        )
        read = 0
        try:
            for sample in pipeline:
                read += 1
                yield sample
        except (OSError, ValueError, EOFError, tarfile.TarError) as error:
            said = str(error.args[0] if error.args else error).partition(" @ ")[0]
            raise DataError(
                f"{self.folder / name}: what follows {counted(read, 'sample')} cannot be read"
                f" ({said or type(error).__name__}). Fetch the shard again."
            ) from None

    def _check(self, path: Path) -> None:
        """DataError for a shard that is damaged, has links, or a sample that fills the memory."""
        keys = (*self.image_keys, LABEL_KEY, "json")
        suffixes, key, size = [f".{each}" for each in keys], "", 0
        for member, _ in tar_members(path):
            check_no_link(member, suffixes, path)
            folder, slash, file = member.name.rpartition("/")
            own = folder + slash + file.partition(".")[0]
            key, size = own, member.size + (size if own == key else 0)
            if size > LARGEST_SAMPLE:
                raise DataError(
                    f"{path}: sample {key} has {size:,} bytes or more; {LARGEST_SAMPLE:,} are the"
                    " most. Leave out what is no image."
                )

    def _place(self, shard: str, sample: dict[str, Any]) -> str:
        return f"{self.folder / shard}: sample {sample['__key__']}"

    def _sample(self, shard: str, sample: dict[str, Any]) -> Sample:
        if problem := text_problem(sample["__key__"]):
            raise _Wrong(f"cannot be named: its name {problem}. Rename it.")
        content = next((sample[each] for each in self.image_keys if each in sample), None)
        if content is None:
            wanted = " or ".join(f".{key}" for key in self.image_keys)
            raise _Absent(f"has no {wanted}; it has {_keys(sample)}.", "image_key")
        label = self._label(sample)
        return Sample(f"{shard}/{sample['__key__']}", label, lambda: io.BytesIO(content))

    def _label(self, sample: dict[str, Any]) -> int:
        """The class number of a sample; _Wrong says what is wrong with it."""
        if self.label_key:
            value, where = self._of_json(sample), f"{self.label_key!r}"
        elif LABEL_KEY in sample:
            value, where = sample[LABEL_KEY].decode(errors="replace").strip(), f".{LABEL_KEY}"
        else:
            raise _Absent(
                f"has no .{LABEL_KEY}; it has {_keys(sample)}. Name the key of its JSON that holds"
                " the class.",
                "label_key",
            )
        number = _class_number(value)
        if number is None:
            raise _Wrong(f"has the class {value!r} in {where}; expected a class number.")
        if number < 0:
            # timm's reader passes over such samples
            raise _Wrong(
                f"has the class {number} in {where}: it has no label. Leave the sample out of the"
                " shards."
            )
        return number

    def _of_json(self, sample: dict[str, Any]) -> Any:
        try:
            document = parsed_json(decoded(bytes(sample["json"]), "its .json"), "its .json")
        except KeyError:
            raise _Absent(
                f"has no .json, where {self.label_key!r} would stand; it has {_keys(sample)}.",
                "label_key",
            ) from None
        except DataError as error:
            raise _Wrong(f"has a .json that is not valid ({error}).") from None
        known = sorted(document) if isinstance(document, dict) else []
        value = document
        for part in [self.label_key] if self.label_key in known else self.label_key.split("/"):
            if not isinstance(value, dict) or part not in value:
                raise _Absent(
                    f"has no {self.label_key!r} in its .json, which has"
                    f" {', '.join(known) or 'no keys'}.",
                    "label_key",
                )
            value = value[part]
        return value


class _Wrong(ValueError):
    """Raised for a sample that cannot be used; the message says why."""


class _Absent(_Wrong):
    """A key that a sample lacks; ``argument`` names another one."""

    def __init__(self, said: str, argument: str):
        super().__init__(said)
        self.argument = argument


def _class_number(value: Any) -> int | None:
    """The whole number that a label is, also as a text or as 3.0; None where it is none."""
    if isinstance(value, str):
        return whole(value.strip())
    is_whole = type(value) is int or (isinstance(value, float) and value.is_integer())
    return int(value) if is_whole else None


def _keys(sample: dict[str, Any]) -> str:
    return ", ".join(f".{key}" for key in sample if not key.startswith("__")) or "nothing"


def find_shards(
    folder: Path, split: str | None, image_key: str | None, label_key: str | None
) -> Shards:
    """The shards of a split, of a pattern, or every tar of a folder.

    Raises:
        DataError: there is no shard, one is missing, or the description of the splits is damaged.
    """
    from timm.data.readers.reader_wds import ReaderWds

    if not folder.is_dir():
        raise DataError(f"{folder} is not a folder; expected the shards (.tar) of a webdataset.")
    if split is None:
        tars = sorted(child.name for child in folder.glob("*.tar"))
        if not tars:
            raise DataError(f"{folder} holds no shard (.tar) of a webdataset.")
        split = "::".join(tars)
    elif ":" in split.replace("::", "") or "/" in split:
        # webdataset runs what stands behind pipe:
        raise DataError(f"{split!r} is neither a split nor names of shards.", argument="split")
    else:
        _check_description(folder, split)
    try:
        with _quiet(_READER_LOG):
            found = ReaderWds(str(folder.resolve()), split=split).split_info
    except (RuntimeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{folder}: {str(error).strip(chr(34))}", argument="split") from None
    if not found.filenames:
        raise DataError(f"{folder}: the split {split!r} has no shard.", argument="split")
    for name in found.filenames:
        if not os.path.isfile(folder / name):  # whatever the name is
            raise DataError(f"{folder / name} does not exist; it is a shard of {split!r}.")
    shards = Shards(
        folder,
        tuple(found.filenames),
        tuple((image_key or IMAGE_KEYS).split(";")),
        label_key or str(found.alt_label or ""),
        int(found.num_samples),
    )
    shards.check_keys()
    return shards


def _check_description(folder: Path, split: str) -> None:
    """DataError for a description of splits that is no such, which timm would pass over."""
    path = next((folder / name for name in _INFO if is_file(folder / name)), None)
    is_pattern = "tar" in split or ".." in split  # as timm tells them apart
    if path is None:
        if is_pattern:
            return
        raise DataError(
            f"{folder} holds no {_INFO[0]}, which would describe the split {split!r}. Name shards,"
            " such as 'val-{00..63}.tar', or leave the split out to read every tar.",
            argument="split",
        )
    info = read_json(path)
    splits = info.get("splits") if isinstance(info, dict) else None
    if not isinstance(splits, dict):
        raise DataError(f"{path}: expected an object with splits by name under 'splits'.")
    if split not in splits:
        if is_pattern:
            return
        raise DataError(
            f"{path} has no split {split!r}; it has {', '.join(sorted(splits)) or 'none'}.",
            argument="split",
        )
    given = splits[split]
    expected: dict[str, type] = {
        "name": str,
        "num_samples": int,
        "filenames": list,
        "shard_lengths": list,
    }
    for key, kind in expected.items():
        if not isinstance(given, dict) or not isinstance(given.get(key), kind):
            had = f"; it has {', '.join(sorted(given))}" if isinstance(given, dict) else ""
            raise DataError(f"{path}: the split {split!r} has no {key} that can be read{had}.")
    if not all(isinstance(name, str) for name in given["filenames"]):
        raise DataError(f"{path}: the filenames of the split {split!r} must be texts.")


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """No message of a logger below an error."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
