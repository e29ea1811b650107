"""Counts for information content where no database is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from graphzsl.analysis.structure import OFFLINE_COUNTS
from graphzsl.common.errors import SettingsError
from graphzsl.common.settings import Settings
from graphzsl.hierarchy.graph import Hierarchy


def offline_counts(hierarchy: Hierarchy, kind: str, settings: Settings) -> Mapping[str, int]:
    """wnid -> how often it was seen.

    ``uniform``: nothing was, so that every node counts once. ``senses``: its tagged senses in
    WordNet's semantic concordance, all its words together. ``populations``: its images, of the
    hierarchy where that knows them, else of ImageNet's Fall 2011 release. SettingsError for another
    kind.
    """
    if kind == "uniform":
        return {}
    if kind == "senses":
        from graphzsl.sources.wordnet import WordNet
        from graphzsl.sources.wordnet_files import wordnet_folder

        totals: Counter[str] = Counter()
        for (wnid, _), (_, count) in WordNet(wordnet_folder(settings)).senses().items():
            totals[wnid] += count
        return totals
    if kind == "populations":
        from graphzsl.sources.populations import read_populations
        from graphzsl.sources.published import populations_path

        if hierarchy.populations:
            return hierarchy.populations
        return {wnid: images for _, wnid, images in read_populations(populations_path())}
    raise SettingsError(
        f"There are no counts {kind!r} here. Choose one of {', '.join(OFFLINE_COUNTS)}."
    )
