"""Words: written forms, counting in text, primary meanings, distributions."""

from __future__ import annotations

import bz2
import gzip
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphzsl.analysis import frequency_distribution, survivors, without_frequency
from graphzsl.analysis.words import counting, texts
from graphzsl.analysis.words.counting import count_labels
from graphzsl.analysis.words.inflection import normalised, surface_forms
from graphzsl.analysis.words.labels import Label, Words
from graphzsl.analysis.words.meaning import (
    first_senses,
    neighbour_meanings,
    sense_count_meanings,
    single_meanings,
)
from graphzsl.analysis.words.occurrences import FormCounter
from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy


class Plurals:
    """A morphology of two rules: -s, and goose, geese."""

    def __init__(self, lemmas: list[str]):
        self.known = {lemma.lower() for lemma in lemmas}

    def plurals(self, lemma: str) -> list[str]:
        return ["geese"] if lemma == "goose" else [lemma + "s"]

    def lemmas(self, form: str) -> list[str]:
        found = (
            ["goose"] if form == "geese" else [form.removesuffix("s")] if form.endswith("s") else []
        )
        return [lemma for lemma in found if lemma in self.known]


LABELS = [
    "Adam's apple",
    "crane",
    "Crane",
    "dog",
    "glass",
    "glasses",
    "goose",
    "hot dog",
    "merry-go-round",
    "tv",
]
MORPHOLOGY = Plurals(LABELS)


def test_normalising_keeps_letters_and_digits() -> None:
    assert normalised("The  Merry-go-Round_(TV3)!\n") == b"the merry go round tv3"
    assert normalised("Adam's dogs’ “Äpfel”") == "adams dogs äpfel".encode()
    assert normalised("Crane", match_case=True) == b"Crane"


def test_forms_of_labels() -> None:
    forms = {
        form: [LABELS[place] for place in places]
        for form, places in surface_forms(LABELS, MORPHOLOGY).items()
    }
    assert forms[b"dogs"] == ["dog"]
    assert forms[b"hot dogs"] == ["hot dog"]
    assert forms[b"geese"] == ["goose"]
    assert forms[b"crane"] == ["crane", "Crane"]
    assert forms[b"glasses"] == ["glasses"]  # a label itself, so not the plural of glass
    cased = surface_forms(LABELS, MORPHOLOGY, match_case=True)
    assert [LABELS[place] for place in cased[b"geese"]] == ["goose"]
    assert [LABELS[place] for place in cased[b"Cranes"]] == ["Crane"]
    assert b"gooese" not in cased
    assert b"goose" in cased


def _count(path: Path, **options: object) -> dict[str, int]:
    found = count_labels(path, LABELS, MORPHOLOGY, workers=2, **options)  # type: ignore[arg-type]
    return {label: int(count) for label, count in zip(LABELS, found.counts, strict=True) if count}


TEXT = (
    "The dog's glasses; a hot\ndog and hot dogs. Geese, GOOSE, cranes: Adam's apple -"
    " merry-go-round. Hotdog, dogma."
)
EXPECTED = {
    "dog": 3,
    "glasses": 1,
    "hot dog": 2,
    "goose": 2,
    "crane": 1,
    "Crane": 1,
    "Adam's apple": 1,
    "merry-go-round": 1,
}


def test_counting_whole_words_phrases_and_inflections(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    assert _count(tmp_path / "a.txt") == EXPECTED
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    assert _count(tmp_path / "a.txt.gz") == EXPECTED
    assert _count(tmp_path / "a.txt", match_case=True) == {
        **{k: v for k, v in EXPECTED.items() if k not in ("Crane", "goose", "tv")},
        "crane": 1,
    }


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from(["dog", "hot", "dogs", "goose", "x", "glass", "\n", "merry-go-round"]),
        max_size=60,
    ),
    st.integers(
        6, 40
    ),  # with 5 the longest word is longer than a text without a space may be before it is cut
)
def test_chunks_lose_and_repeat_nothing(words: list[str], size: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder) / "text"
        text = " ".join(words)
        path.write_text(text)
        patch.setattr(texts, "CHUNK", size)
        patch.setattr(texts, "AHEAD", 30)
        forms = list(surface_forms(LABELS, MORPHOLOGY))
        counting._prepare(forms, False)
        counts = np.zeros(len(forms), dtype=int)
        chunks = list(texts.find_text(str(path)).chunks())
        assert "".join(own for own, *_ in chunks) == text
        for own, following, _, _ in chunks:
            found, times = counting._count(own, following, False)
            counts[found] += times
        plain = f" {normalised(text).decode()} "
        assert counts.tolist() == [
            len(re.findall(f"(?= {re.escape(form.decode())} )", plain)) for form in forms
        ]
        if len(chunks) > 2:
            rest = "".join(own for own, *_ in texts.find_text(str(path)).chunks(chunks[1][2]))
            assert rest == "".join(own for own, *_ in chunks[2:])


_WORDS = st.sampled_from(["a", "b", "c", "ä", "aa"])


@given(
    st.sets(st.lists(_WORDS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=8),
    st.lists(st.one_of(_WORDS, st.sampled_from(["d", " "])), max_size=30),
    st.integers(0, 30),
)
def test_forms_are_counted_as_a_search_for_each_counts_them(
    forms: set[str], text: list[str], own: int
) -> None:
    """Forms that begin, end and overlap like others, words of no form, and ends of the text."""
    given_forms = sorted(forms)
    before, behind = " ".join(text[:own]), " ".join(text[own:])
    found, times = FormCounter([form.encode() for form in given_forms]).count(
        before.encode(), behind.encode()
    )
    words = before.split()
    expected = {}
    for form in given_forms:
        wanted = form.split()
        whole = [*words, *behind.split()]
        starts = [whole[i : i + len(wanted)] == wanted for i in range(len(words))]
        if any(starts):
            expected[form] = sum(starts)
    assert {given_forms[f]: n for f, n in zip(found, times, strict=True)} == expected


@pytest.mark.thorough("commands that are stopped or killed")
def test_an_interrupted_count_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, state = tmp_path / "a.txt", tmp_path / "state"
    path.write_text((TEXT + "\n") * 200)
    monkeypatch.setattr(texts, "CHUNK", 1000)
    whole = _count(path)
    original, seen = counting._counted, 0

    def broken(*arguments: object) -> object:
        nonlocal seen
        for item in original(*arguments):  # type: ignore[arg-type]
            seen += 1
            if seen == 5:
                raise KeyboardInterrupt
            yield item

    monkeypatch.setattr(counting, "_counted", broken)
    with pytest.raises(KeyboardInterrupt):
        _count(path, state=state)
    assert state.exists()
    monkeypatch.setattr(counting, "_counted", original)
    found = count_labels(path, LABELS, MORPHOLOGY, workers=1, state=state)
    assert found.resumed_at > 0
    assert (
        {label: int(n) for label, n in zip(LABELS, found.counts, strict=True) if n}
        == whole
        == {k: 200 * v for k, v in EXPECTED.items()}
    )
    assert not state.exists()
    path.write_text(TEXT)  # another text: what was kept is not used
    monkeypatch.setattr(counting, "_counted", original)
    assert _count(path, state=state) == EXPECTED


def test_a_dump_is_read_without_markup_redirects_and_talk(tmp_path: Path) -> None:
    pages = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><siteinfo><sitename>W</sitename></siteinfo>
    <page><title>Dog</title><ns>0</ns><id>1</id>
      <revision><text>A '''dog''' is no [[goose|crane]]. {{box|glass}}</text></revision></page>
    <page><title>Dogs</title><ns>0</ns><id>2</id><redirect title="Dog" />
      <revision><text>#REDIRECT [[Dog]] goose</text></revision></page>
    <page><title>Talk:Dog</title><ns>1</ns><id>3</id>
      <revision><text>goose goose</text></revision></page>
    <page><title>Hot</title><ns>0</ns><id>4</id><revision><text>dog hot</text></revision></page>
    <page><title>D</title><ns>0</ns><id>5</id><revision><text>dog</text></revision></page></mediawiki>"""
    path = tmp_path / "w.xml.bz2"
    path.write_bytes(bz2.compress(pages.encode()))
    # "hot" ends one article, "dog" starts the next
    assert _count(path) == {
        "dog": 3,
        "crane": 1,
        "Crane": 1,
    }
    cut = tmp_path / "cut.xml.bz2"
    cut.write_bytes(path.read_bytes()[:-60])
    with pytest.raises(DataError, match="cut short"):
        _count(cut)


def test_texts_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is not a file"):
        _count(tmp_path / "absent.txt")
    broken = tmp_path / "a.txt.gz"
    broken.write_bytes(gzip.compress(TEXT.encode() * 100)[:-20])
    with pytest.raises(DataError, match="cannot be read"):
        _count(broken)


def _words() -> Words:
    """queen names a person, a bee and a chess piece; bee and piece have another word."""
    rows = [
        ("n1", "queen", 1, 2, 5, 900),
        ("n2", "queen", 1, 3, 0, 900),
        ("n2", "queen bee", 2, 1, 0, None),
        ("n3", "queen", 1, 4, 7, 900),
        ("n4", "dog", 1, 1, 42, 20),
        ("n5", "crane", 1, 1, 0, 60),
    ]
    labels = [
        Label(wnid, text, rank, number, count, frequency, 0)
        for wnid, text, rank, number, count, frequency in rows
    ]
    return Words("u", labels, {"queen": ["n0", "n1", "n2", "n3"], "crane": ["n5", "n9"]})


def test_a_dump_whose_beginning_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A disk fails where it is read (EIO), as the first byte of a process's memory does."""
    dump, index = tmp_path / "w-multistream.xml.bz2", tmp_path / "index.txt"
    dump.symlink_to("/proc/self/mem")
    index.write_text("600:1:Title\n")
    text = texts.Text(str(dump), 1_000, "", index=str(index))
    with pytest.raises(DataError, match=rf"{dump} cannot be read: Input/output error\."):
        texts.parts_of([text])


def test_primary_meanings() -> None:
    words = _words()
    assert survivors(single_meanings(words)) == {"n2", "n4"}
    shared = Words("u", [Label("n1", "Crane", 1, 1, 0, None, 0)], {"crane": ["n1", "n9"]})
    assert survivors(single_meanings(shared)) == set(), "Crane and crane are one word"
    assert survivors(first_senses(words)) == {"n2", "n4", "n5"}
    assert survivors(sense_count_meanings(words)) == {"n2", "n3", "n4", "n5"}
    tied = Words("u", [Label("n1", "a", 1, 2, 0, None, 0), Label("n2", "A", 1, 1, 0, None, 0)], {})
    # no tagged sense: the lower sense number
    assert survivors(sense_count_meanings(tied)) == {"n2"}


def test_neighbourhoods_decide_by_cosine() -> None:
    words = _words()
    hierarchy = Hierarchy.from_edges(
        [("n1", "ruler"), ("n2", "insect"), ("n3", "chess"), ("n4", "animal"), ("n5", "animal")]
    )
    vectors = {
        "queen": np.array([1.0, 0.1]),
        "ruler": np.array([1.0, 0]),
        "insect": np.array([0, 1.0]),
        "chess": np.array([-1.0, 0]),
    }
    first = {"ruler": "ruler", "insect": "insect", "chess": "chess", "animal": "animal"}
    found = neighbour_meanings(words, hierarchy, first, vectors)
    scores = {(m.wnid, m.text): m.score for m in found}
    assert scores["n1", "queen"] == pytest.approx(1 / np.hypot(1, 0.1))
    assert scores["n3", "queen"] == pytest.approx(-1 / np.hypot(1, 0.1))
    assert scores["n4", "dog"] is None  # no vector; the word names nothing else
    assert survivors(found) == {"n1", "n2", "n4", "n5"}


def test_a_neighbourhood_is_parents_and_children() -> None:
    """Equation 6 of Hascoet et al. 2019: the mean of bird (0, 1) and whooper (1, 0) is at 45
    degrees to crane (1, 0); what is two edges away points the other way."""
    words = Words("u", [Label("crane", "crane", 1, 1, 0, None, 0)], {})
    names = ("chick", "whooper", "crane", "bird", "animal")
    hierarchy = Hierarchy.from_edges(list(pairwise(names)))
    vectors = {
        "crane": np.array([1.0, 0]),
        "bird": np.array([0, 1.0]),
        "whooper": np.array([1.0, 0]),
        "animal": np.array([-1.0, 0]),
        "chick": np.array([-1.0, 0]),
    }
    (found,) = neighbour_meanings(words, hierarchy, {name: name for name in names}, vectors)
    assert found.score == pytest.approx(np.sqrt(0.5))


def test_a_neighbour_of_the_same_name_says_nothing() -> None:
    """n1's parent is a queen too: the word would be compared with itself. What is left around n1 is
    unlike it, so n3 is meant."""
    words = Words(
        "u", [Label("n1", "Queen", 1, 1, 0, None, 0), Label("n3", "queen", 1, 2, 0, None, 0)], {}
    )
    hierarchy = Hierarchy.from_edges([("n1", "n0"), ("n1", "insect"), ("n3", "ruler")])
    vectors = {
        "queen": np.array([1.0, 0.0]),
        "insect": np.array([0.0, 1.0]),
        "ruler": np.array([0.6, 0.8]),
    }
    vectors["Queen"] = vectors["queen"]
    first = {"n0": "queen", "insect": "insect", "ruler": "ruler"}
    found = {
        meaning.wnid: meaning for meaning in neighbour_meanings(words, hierarchy, first, vectors)
    }
    assert (found["n1"].score, found["n3"].score) == (0.0, pytest.approx(0.6))
    assert [found[wnid].primary for wnid in ("n1", "n3")] == [False, True]


def test_distributions_of_labels_and_classes() -> None:
    rows = {row["below"]: row for row in frequency_distribution(_words(), below=(1, 50, 100, 1000))}
    # dog 20, crane 60, queen 900; queen bee is unknown, and that is not 0
    assert [rows[b]["labels"] for b in (1, 50, 100, 1000)] == [0, 1, 2, 3]
    assert [rows[b]["classes"] for b in (1, 50, 100, 1000)] == [0, 1, 2, 5]
    assert rows[100]["classes_share"] == 2 / 5
    assert [row["labels_in_bin"] for row in rows.values()] == [0, 1, 1, 1, 0]
    assert (rows[50]["labels_share"], rows[None]["classes"]) == (1 / 3, 5)
    assert without_frequency(_words()) == (1, 0)
    nothing = Words("u", [Label("n1", "a", 1, 1, 0, None, 0)], {})
    with pytest.raises(DataError, match=r"frequencies count.*load frequencies wordfreq"):
        nothing.frequencies()


def test_an_unknown_frequency_is_not_zero() -> None:
    """A class is absent where no label has a frequency, and where the first one decides and has
    none; a frequency of 0 is known."""
    labels = [
        Label("n1", "hot dog", 1, 1, 0, None, 0),
        Label("n1", "frank", 2, 1, 0, 7, 0),
        Label("n1", "frankfurter", 3, 1, 0, 4, 0),
        Label("n2", "sports car", 1, 1, 0, None, 0),
        Label("n3", "zyzzyva", 1, 1, 0, 0, 0),
    ]
    words = Words("u", labels, {})
    assert words.frequencies("max") == {"n1": 7, "n3": 0}
    assert words.frequencies("min") == {"n1": 4, "n3": 0}
    assert words.frequencies("mean") == {"n1": 5, "n3": 0}
    assert words.frequencies("first") == {"n3": 0}
    assert without_frequency(words) == (2, 1)
    assert without_frequency(words, "first") == (2, 2)
    rows = frequency_distribution(words, "first", below=(1,))
    assert [(row["labels"], row["classes"]) for row in rows] == [(1, 1), (3, 1)]
