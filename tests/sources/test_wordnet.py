"""WordNet's rows against another reader of the same files."""

from __future__ import annotations

from graphzsl.common import load_settings
from graphzsl.sources import WordNet, wordnet_folder
from graphzsl.sources.wordnet import SynsetRow


def test_the_rows_are_those_of_nltk(wordnet_rows: list[SynsetRow]) -> None:
    """All 82,115 synsets, as NLTK's own parser reads the same lines."""
    wordnet = WordNet(wordnet_folder(load_settings()))
    reader, folder = wordnet._reader, wordnet.folder
    lines = [
        line
        for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines()
        if not line.startswith("  ")
    ]
    assert len(wordnet_rows) == len(lines) == 82_115
    for row, line in zip(wordnet_rows, lines, strict=True):
        synset = reader._synset_from_pos_and_line("n", line)
        examples = "".join(f'; "{example}"' for example in synset.examples())
        assert (row.wnid, row.name, row.lexname, row.gloss, row.words) == (
            f"n{synset.offset():08d}",
            synset.name(),
            synset.lexname(),
            synset.definition() + examples,
            [name.replace("_", " ") for name in synset.lemma_names()],
        )
        for pointer, targets in (("@", row.hypernyms), ("@i", row.instance_hypernyms)):
            assert targets == sorted(f"n{offset:08d}" for _, offset in synset._pointers[pointer])
