"""Word frequencies of installed packages: the real ones where they are installed, and ones made
here with the same files."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from graphzsl.cli import options
from graphzsl.common import DataError
from graphzsl.common.errors import MissingExtra
from graphzsl.hierarchy import Lexicon
from graphzsl.sources.frequency_packages import PACKAGES, is_single, packaged_frequencies

SYMSPELL = "frequency_dictionary_en_82_765.txt"
WIKIPEDIA = "word_frequencies.gz"
#: wordfreq's face on a small list: what is asked of it, and nothing else.
WORDFREQ = """
from pathlib import Path

def available_languages(wordlist="best"):
    return {"en": str(Path(__file__).parent / f"{wordlist}_en.msgpack.gz")}

def get_frequency_dict(lang, wordlist="best"):
    assert (lang, wordlist) == ("en", "large")
    return {"the": 10 ** (-127 / 100), "dog": 1e-4, "crane": 10 ** (-5.43), "don't": 1e-3,
            "hot dog": 1e-5}
"""


def _installed(*modules: str) -> pytest.MarkDecorator:
    absent = [module for module in modules if find_spec(module) is None]
    said = f"{', '.join(absent)}: not installed: pip install 'graphzsl[words]'"
    return pytest.mark.skipif(bool(absent), reason=said)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a small wordfreq, and of a symspellpy and a pywordfreq that fail when they are
    imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    for module in ("wordfreq", "symspellpy", "pywordfreq"):
        monkeypatch.delitem(sys.modules, module, raising=False)
        (tmp_path / module).mkdir()
    (tmp_path / "wordfreq" / "__init__.py").write_text(WORDFREQ)
    (tmp_path / "wordfreq" / "large_en.msgpack.gz").write_bytes(gzip.compress(b"a list"))
    for module in ("symspellpy", "pywordfreq"):
        (tmp_path / module / "__init__.py").write_text("raise RuntimeError('imported')")
    _symspell(tmp_path, "\ufeffthe 23135851162\ndog 83000\ncovid 300000\nhi 3")
    yield tmp_path
    sys.modules.pop("wordfreq", None)


def _symspell(folder: Path, text: str) -> None:
    (folder / "symspellpy" / SYMSPELL).write_text(text, encoding="utf-8")


def _wikipedia(folder: Path, text: str) -> None:
    (folder / "pywordfreq" / WIKIPEDIA).write_bytes(gzip.compress(text.encode()))


def test_wordfreq_is_counted_in_occurrences_per_billion(packages: Path) -> None:
    found = packaged_frequencies("wordfreq")
    # -127 centibels: 10^-1.27 of 10^9
    assert found.of_word == {
        "the": 53_703_180,
        "dog": 100_000,
        "crane": 3_715,
        "don't": 1_000_000,
        "hot dog": 10_000,
    }
    assert found.scale == "occurrences per billion words"
    assert len(found.sha256) == 64
    assert repr(found) == "<PackagedFrequencies wordfreq: 5 words, occurrences per billion words>"


def test_symspell_is_read_and_not_imported(packages: Path) -> None:
    found = packaged_frequencies("symspell")
    assert found.of_word == {"the": 23_135_851_162, "dog": 83_000, "covid": 300_000, "hi": 3}
    assert "n-grams" in found.scale
    assert "symspellpy" not in sys.modules


def test_wikipedia_is_read_and_not_imported(packages: Path) -> None:
    """The real list has a word without a letter, words with a semicolon, and no line at its end."""
    _wikipedia(packages, "the;175007854\n;74465562\nr&amp;b;56393\ncrane;25279\n")
    found = packaged_frequencies("wikipedia")
    assert found.of_word == {"the": 175_007_854, "r&amp;b": 56_393, "crane": 25_279}
    assert found.of_labels(["Crane", "the crane", "heron"]) == {"Crane": 25_279}
    assert (found.name, len(found.sha256)) == ("wikipedia", 64)
    assert "Wikipedia" in found.scale
    assert "pywordfreq" not in sys.modules


def test_another_list_of_wikipedia_is_refused(packages: Path) -> None:
    for text, message in (
        ("the;9\ncrane", "gz:2: the count must be a whole number of at least 0, not 'crane'"),
        ("the;9\ncrane;1\nthe;2", "gz:3: the is there twice: line 1 and line 3"),
        (";7\n", "is empty; expected a word and its count per line"),
    ):
        _wikipedia(packages, text)
        with pytest.raises(DataError, match=message):
            packaged_frequencies("wikipedia")
    path = packages / "pywordfreq" / WIKIPEDIA
    path.write_bytes(gzip.compress(b"the;9\n" * 99)[:-9])
    with pytest.raises(DataError, match=r"gz cannot be unpacked: .*end-of-stream"):
        packaged_frequencies("wikipedia")
    path.unlink()
    with pytest.raises(DataError, match=f"pywordfreq has no file {WIKIPEDIA}"):
        packaged_frequencies("wikipedia")


def test_single_words_alone_have_a_frequency(packages: Path) -> None:
    found = packaged_frequencies("wordfreq")
    labels = ["Crane", "crane", "dog", "hot dog", "the dog", "poodle"]
    assert found.of_labels(labels) == {"Crane": 3_715, "crane": 3_715, "dog": 100_000}
    assert [is_single(label) for label in labels] == [True, True, True, False, False, True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dog 83000\ncat", ":2: the count must be a whole number of at least 0, not 'cat'"),
        ("dog 83000\ncat many", ":2: the count must be a whole number"),
        ("dog 83000\ncat 1\ndog 2", ":3: dog is there twice: line 1 and line 3"),
        ("", "is empty; expected a word and its count per line"),
    ],
)
def test_another_list_is_refused(packages: Path, text: str, message: str) -> None:
    _symspell(packages, text)
    with pytest.raises(DataError, match=message):
        packaged_frequencies("symspell")


def test_what_is_missing_is_said(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (packages / "symspellpy" / SYMSPELL).unlink()
    with pytest.raises(DataError, match=f"symspellpy has no file {SYMSPELL}"):
        packaged_frequencies("symspell")
    init = packages / "wordfreq" / "__init__.py"
    init.write_text(WORDFREQ.replace("1e-4", "40"))
    with pytest.raises(DataError, match="not of shares of all words"):
        packaged_frequencies("wordfreq")
    with pytest.raises(
        DataError, match=r"no packaged frequencies 'bnc'\. Known: wordfreq, symspell"
    ):
        packaged_frequencies("bnc")
    monkeypatch.setattr("graphzsl.common.extras.find_spec", lambda name: None)
    for name, module in (
        ("wordfreq", "wordfreq"),
        ("symspell", "symspellpy"),
        ("wikipedia", "pywordfreq"),
    ):
        with pytest.raises(MissingExtra, match=rf"{module}, which .*graphzsl\[words\]"):
            packaged_frequencies(name)


def test_the_command_line_knows_the_names() -> None:
    assert tuple(PACKAGES) == options.PACKAGED_FREQUENCIES


@_installed("wordfreq", "msgpack", "langcodes", "ftfy", "locate")
def test_wordfreq_and_wordnet() -> None:
    """321,180 words, of which the labels of a word have 41,365 of 58,690; "the" is 5.37 % of all
    words, and a word of 3.0 on the Zipf scale occurs a thousand times in a billion."""
    from wordfreq import zipf_frequency

    found = packaged_frequencies("wordfreq")
    assert (len(found.of_word), found.of_word["the"]) == (321_180, 53_703_180)
    for word in ("dog", "poodle", "chickadee"):
        zipf = zipf_frequency(word, "en", wordlist="large")
        assert found.of_word[word] == pytest.approx(10**zipf, rel=0.02)
    labels = set(Lexicon.load().words[0])
    assert (len(labels), sum(map(is_single, labels))) == (119_034, 58_690)
    assert len(found.of_labels(labels)) == 41_365


@_installed("symspellpy")
def test_symspell_and_wordnet() -> None:
    """82,834 words; "the" has the count of Google's trillion words."""
    found = packaged_frequencies("symspell")
    assert (len(found.of_word), found.of_word["the"]) == (82_834, 23_135_851_162)
    assert sum(count == 300_000 for count in found.of_word.values()) == 67
    assert len(found.of_labels(set(Lexicon.load().words[0]))) == 32_921


@_installed("pywordfreq")
def test_wikipedia_and_wordnet() -> None:
    """829,254 lines, counted once by another script, of which three begin with a semicolon; "the"
    is the most frequent word of 2.4 billion, and none below 20 is listed."""
    found = packaged_frequencies("wikipedia")
    assert (len(found.of_word), found.of_word["the"]) == (829_251, 175_007_854)
    assert (sum(found.of_word.values()), min(found.of_word.values())) == (2_383_919_601, 20)
    assert len(found.of_labels(set(Lexicon.load().words[0]))) == 46_754
