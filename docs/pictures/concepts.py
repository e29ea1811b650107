"""Draws the pictures of docs/concepts.md: `python docs/pictures/concepts.py`.

They stand on a white card, so that they are legible on light and on dark pages; colours are those
of Neo4j Browser's style here, which colour-blind people can tell apart.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
TRAINING, UNSEEN, CANDIDATE, PLAIN = "#56B4E9", "#E69F00", "#F5EC8A", "#DCE0E6"
INK, LINE = "#2A2C34", "#5B6573"


def card(title: str, width: int, height: int, *shapes: str) -> str:
    """A whole picture; its title is what screen readers say."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}" role="img"'
            ' font-family="Helvetica, Arial, sans-serif" font-size="15">',
            f"<title>{escape(title)}</title>",
            f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10" fill="#FFFFFF"'
            ' stroke="#C5CAD3"/>',
            *shapes,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, words: str, anchor: str = "middle", **more: str) -> str:
    """One line of text; its middle stands at y."""
    style = {"fill": INK, **more}
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<text x="{x}" y="{y + 5}" text-anchor="{anchor}"{attributes}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str = LINE, dash: str = "") -> str:
    """A straight line."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="2"'
        f"{dashes}/>"
    )


def node(x: float, y: float, words: str, colour: str = PLAIN, below: str = "") -> str:
    """A class as a box, with a note below."""
    width = max(60, 9 * len(words) + 20)
    drawn = (
        f'<rect x="{x - width / 2}" y="{y - 17}" width="{width}" height="34" rx="17"'
        f' fill="{colour}" stroke="{INK}"/>'
    ) + text(x, y, words)
    return drawn + (text(x, y + 30, below, font_size="13") if below else "")


def bar(x: float, y: float, width: float, colour: str, words: str) -> str:
    """A part of a stacked bar."""
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="44" fill="{colour}" stroke="{INK}"/>'
        + text(x + width / 2, y + 22, words)
    )


def legend(x: float, y: float, *entries: tuple[str, str]) -> str:
    """Colours and what they mean, side by side."""
    drawn = []
    for colour, words in entries:
        drawn.append(f'<circle cx="{x}" cy="{y}" r="8" fill="{colour}" stroke="{INK}"/>')
        drawn.append(text(x + 14, y, words, "start", font_size="13"))
        x += 36 + 7 * len(words)
    return "".join(drawn)


def hops() -> str:
    """Unseen classes with their number of edges to the closest training class."""
    middle = (330, 130)
    below = [
        (80, "tabby", TRAINING, ""),
        (210, "Persian cat", TRAINING, ""),
        (350, "Siamese cat", TRAINING, ""),
        (470, "Angora", UNSEEN, "2 hops"),
        (580, "kitty", UNSEEN, "2 hops"),
    ]
    return card(
        "Hops: the domestic cat is one edge from five training classes, of which three are drawn;"
        " cat and Angora are two edges from one",
        660,
        320,
        line(330, 50, *middle),
        *(line(*middle, x, 225) for x, *_ in below),
        node(330, 45, "cat", UNSEEN),
        text(380, 45, "2 hops", "start", font_size="13"),
        node(*middle, "domestic cat", UNSEEN),
        text(410, 118, "1 hop", "start", font_size="13"),
        *(node(x, 225, *rest) for x, *rest in below),
        legend(190, 296, (TRAINING, "training class"), (UNSEEN, "unseen class")),
    )


def hcorrect() -> str:
    """Shells around a class, added whole until k classes are in."""
    rings = [
        (130, "radius 2: 11 more, 13 classes ≥ 5: stop", "#FFF3D6"),
        (85, "radius 1: 1 more, 2 classes", "#FFE0A3"),
        (45, "radius 0: 1 class", UNSEEN),
    ]
    drawn = []
    for place, (radius, words, colour) in enumerate(rings):
        y = 60 + 100 * place
        drawn.append(
            f'<circle cx="170" cy="160" r="{radius}" fill="{colour}" stroke="{INK}"'
            ' stroke-width="1.5"/>'
        )
        drawn.append(line(170 + radius * 0.72, 160 + (y - 160) * radius / 145, 330, y, dash="3 4"))
        drawn.append(text(338, y, words, "start"))
    return card(
        "hCorrectSet of the German shepherd for k = 5: whole shells of 1, 1 and 11 classes",
        660,
        320,
        *drawn,
        text(170, 153, "German"),
        text(170, 171, "shepherd"),
        text(170, 94, "shepherd dog", font_size="12"),
        text(170, 48, "kelpie, briard, …", font_size="12"),
    )


def ratio() -> str:
    """Two training and two unseen classes under two parents."""
    below = [
        (110, "horse", TRAINING),
        (260, "zebra", UNSEEN),
        (400, "laptop", UNSEEN),
        (550, "monitor", TRAINING),
    ]
    return card(
        "Structural ratio: zebra is 2 edges from the closest training class and 4 from laptop",
        660,
        330,
        line(330, 50, 185, 120),
        line(330, 50, 475, 120),
        *(line(185 if x < 330 else 475, 120, x, 195) for x, *_ in below),
        *(
            f'<circle cx="{x}" cy="{y}" r="9" fill="{PLAIN}" stroke="{INK}"/>'
            for x, y in ((330, 50), (185, 120), (475, 120))
        ),
        *(node(x, 195, name, colour) for x, name, colour in below),
        text(330, 240, "r(zebra) = 2 / 4,  r(laptop) = 2 / 4,  R = 0.5"),
        text(
            330,
            265,
            "2 edges to the closest training class, 4 to the other unseen class",
            font_size="13",
        ),
        legend(190, 304, (TRAINING, "training class"), (UNSEEN, "unseen class")),
    )


def interval() -> str:
    """Shares of outcomes as one bar, and the two ends of the interval."""
    parts = [(8, "correct", "#009E73"), (4, "parent", CANDIDATE), (3, "child", TRAINING)]
    parts.append((5, "unrelated", PLAIN))
    x, unit, drawn = 40.0, 29, []
    for count, words, colour in parts:
        drawn.append(bar(x, 70, unit * count, colour, f"{words} {count}"))
        x += unit * count
    ends = [40 + unit * 12, 40 + unit * 15]
    return card(
        "Semantic interval: 8 correct, 4 parent and 3 child predictions of 20 give 60 to 75 %",
        660,
        230,
        text(40, 40, "A made-up example: 20 predictions for pictures of dogs", "start"),
        *drawn,
        *(line(end, 118, end, 160) for end in ends),
        line(ends[0], 160, ends[1], 160),
        text(ends[0] - 8, 150, "60 %", "end"),
        text(ends[1] + 8, 150, "75 %", "start"),
        text(330, 192, "correct + parent  to  correct + parent + child"),
    )


def generalized() -> str:
    """A seen-unseen curve with the axes of Chao et al. (2016) and of the report, the point without
    a margin, and the area below."""
    points = [(90, 60), (202, 77), (285, 103), (337, 143), (363, 190), (375, 250)]
    path = " ".join(f"{x},{y}" for x, y in points)
    return card(
        "Generalized setting: accuracy on seen classes falls as that on unseen ones grows",
        660,
        330,
        f'<polygon points="90,250 {path}" fill="#FFF3D6"/>',
        f'<polyline points="{path}" fill="none" stroke="{UNSEEN}" stroke-width="3"/>',
        line(90, 30, 90, 250),
        line(90, 250, 420, 250),
        text(255, 280, "accuracy of unseen classes (ts)"),
        f'<g transform="rotate(-90 60 145)">{text(60, 145, "of seen ones (tr)")}</g>',
        f'<circle cx="202" cy="77" r="7" fill="{TRAINING}"/>',
        text(200, 170, "AUSUC"),
        text(200, 190, "the area", font_size="13"),
        text(220, 40, "γ = 0: scores as they are", "start"),
        text(220, 62, "H = 2 · ts · tr / (ts + tr)", "start"),
        text(390, 130, "γ is taken off the scores of", "start", font_size="13"),
        text(390, 148, "seen classes: to the right", "start", font_size="13"),
        text(330, 310, "a sketch, not a measurement", font_size="13"),
    )


PICTURES = {
    "hops": hops,
    "hcorrect-set": hcorrect,
    "structural-ratio": ratio,
    "semantic-interval": interval,
    "generalized": generalized,
}


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")
