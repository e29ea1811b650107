"""Natural and man-made (section 6.3.4 of Russakovsky et al. 2015): what is below neither is
"other". The paper gives no rule: these roots are ours."""

from __future__ import annotations

# living thing, natural object, geological formation
NATURAL = ("n00004258", "n00019128", "n09287968")
MAN_MADE = ("n00021939",)  # artifact
#: Sides of classes, in the order of tables.
SIDES = ("natural", "man-made", "both", "other")
