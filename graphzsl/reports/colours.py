"""Marks of models in plots: colour, shape and dashes, none of which stands alone."""

from __future__ import annotations

#: Okabe & Ito 2008, "Color universal design", without yellow, which light paper swallows; black
#: becomes the colour of the text.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
#: The same on a dark page.
DARK_COLOURS = ("#4BA3DB", "#FF8A3D", "#2FC79B", "#E0A3C6", "#E8ECF1", "#F5B93B", "#9AD4F5")
#: Shapes of marks, as matplotlib calls them.
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "*")
#: Dashes of lines: lengths of strokes and gaps.
DASHES = ((), (6, 3), (2, 2), (8, 3, 2, 3), (1, 3))
