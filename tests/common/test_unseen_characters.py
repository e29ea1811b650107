"""Characters that nobody sees, in names: each of them behind each kind of character."""

from __future__ import annotations

import unicodedata
from itertools import chain

import pytest

from graphzsl.common.checked_names import name_problem, wrong_names

#: Default_Ignorable_Code_Point of Unicode 15.0 (DerivedCoreProperties.txt), and what else has no
#: ink: interlinear marks, controls of hieroglyphs, the blank of Braille, the null notehead and the
#: filler of Khitan.
SHAPELESS = [
    *("\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u3164", "\ufeff"),
    *("\uffa0", "\u2800", "\U0001d159", "\U00016fe4"),
    *(
        chr(code)
        for code in chain(
            range(0x180B, 0x1810),
            range(0x200B, 0x2010),
            range(0x202A, 0x202F),
            range(0x2060, 0x2070),
            range(0xFE00, 0xFE10),
            range(0xFFF0, 0xFFFC),
            range(0x13430, 0x13440),
            range(0x1BCA0, 0x1BCA4),
            range(0x1D173, 0x1D17B),
            range(0xE0000, 0xE1000),
        )
    ),
]


#: Joiners, and selectors of variants.
JOINING = {
    chr(code)
    for code in chain(
        range(0x180B, 0x1810), range(0x200C, 0x200E), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)
    )
}


@pytest.mark.parametrize("before", ["a", "1", ".", "#", "e\u0301", "\u05d0", "\u0661"])
@pytest.mark.parametrize("after", ["0", "b", "", "\u05d0"])
def test_what_has_no_shape_is_refused_or_tells_no_names_apart(before: str, after: str) -> None:
    """Joiners and selectors are refused behind ASCII, everything else without a shape anywhere."""
    stays = set() if before.isascii() else JOINING
    for sign in SHAPELESS:
        name = f"x{before}{sign}{after}"
        if sign in stays:
            assert name_problem(name) is None
            said = wrong_names([f"x{before}{after}", name])
            assert "looks like" in said[name]
        else:
            assert f"U+{ord(sign):04X}" in (name_problem(name) or "")


VIRAMAS = [chr(code) for code in range(0x11FFF) if unicodedata.combining(chr(code)) == 9]


@pytest.mark.parametrize(
    "name",
    [
        *("می‌روم", "کتاب‌ها", "ܐ‍ܒ", "ᠠ‍ᠡ"),
        *("র‍্য", "ක්‍ෂ", "അവന്‍"),
        *(f"x{virama}\u200dx" for virama in VIRAMAS),
        *("1️⃣", "#️⃣", "©️", "™️", "ℹ️", "❤️", "☎︎", "👁️‍🗨️", "🏴‍☠️", "🙂‍↔️", "🧑🏻‍🤝‍🧑🏿", "👩‍❤️‍💋‍👨", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
        *("葛\U000e0101", "神\ufe00", "ᠠ᠋", "ᠨ᠎ᠠ"),
    ],
)
def test_what_scripts_need_stays(name: str) -> None:
    """Orthography of Persian, Syriac, Mongolian and India; sequences of emoji-zwj-sequences.txt and
    emoji-variation-sequences.txt; an ideograph of IVD_Sequences.txt."""
    assert name_problem(name) is None
