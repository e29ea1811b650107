"""Texts that people write for a class, and what each means everywhere; by WordNet's index and the
counts of its tagged senses."""

from __future__ import annotations

#: Text -> the wnid that it means; None where it is open, or unknown, and refused.
MEANT: dict[str, str | None] = {
    # ways to write a class
    "n02084071": "n02084071",
    "N02084071": "n02084071",
    "n02084071/": "n02084071",
    "./n02084071": "n02084071",
    "n02084071.tar": "n02084071",
    "dog.n.01": "n02084071",
    "Dog.n.1": "n02084071",
    "domestic_dog.n.01": "n02084071",
    "German shepherd": "n02106662",
    "German_shepherd": "n02106662",
    "grizzly+bear": "n02132580",
    "tench, Tinca tinca": "n01440764",
    "crane (wading bird)": "n02012849",
    "001.Black_footed_Albatross": "n02058747",
    "crème brûlée": "n07619409",
    # ids of other WordNets, by CILI: the dog of WordNet 3.1
    "oewn-02086723-n": "n02084071",
    # one sense alone, or one that is tagged far more often than all others
    "tench": "n01440764",
    "ice bear": "n02134084",
    "dog": "n02084071",
    "cat": "n02121620",
    "horse": "n02374451",
    "mouse": "n02330245",
    "couch": "n04256520",
    # open
    "crane": None,
    "kite": None,
    "plate": None,
    "school": None,
    "ray": None,
    "boy": None,
    "face": None,
    "foot": None,
    "water": None,
    "apple": None,
    # no synsets
    "background": None,
    "N/A": None,
    "n.a.": None,
    "001.background": None,
    "null": None,
    "None": None,
    "unknown": None,
    "other": None,
    "0": None,
    "207": None,
    "n0208407": None,
    "n020840711": None,
    "2084071": None,
    "wn:02084071n": None,
    "n02084071_123.JPEG": None,
    "dog.n.99": None,
    "no such thing": None,
}
