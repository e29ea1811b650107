"""``study granularity relevance | vocabulary``: what captions make relevant, and the classes
that texts mention."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from graphzsl import analysis, hierarchy, sources
from graphzsl.cli.classes import read_classes
from graphzsl.cli.connection import settings
from graphzsl.cli.granularity.group import command
from graphzsl.cli.options import (
    LISTED,
    option,
    out_option,
    output_options,
    set_option,
    store_option,
)
from graphzsl.cli.output import emit, note, store_classes
from graphzsl.cli.types import INPUT, Written
from graphzsl.common import (
    DataError,
    counted,
    progress_bar,
    read_lines,
    sha256,
    step,
    write_json_lines,
    write_text,
)


@command.command()
@click.argument("captions", type=INPUT)
@option(
    "--nouns",
    click.Choice(["tagger", "wordnet"]),
    "tagger",
    "How nouns are found: by NLTK's tagger, whose data its downloader fetches; or as words of"
    " WordNet that are tagged as nouns at least as often as other parts of speech.",
)
@click.option(
    "--order",
    type=INPUT,
    help="Samples in the order of the scores, one per line (default: as they come in CAPTIONS).",
)
@out_option(
    Written(".jsonl"),
    "JSON lines to write (.jsonl), for `sweep --relevance`: word: relevance of each sample.",
)
def relevance(captions: Path, nouns: str, order: Path | None, out: Path) -> None:
    """The relevance of words from CAPTIONS: how many captions of a sample mention a noun (Wang et
    al. 2014, section 3.3).

    CAPTIONS has a line IMAGE#NUMBER, tab, caption for each caption, as Flickr8k.token.txt has; or
    is .jsonl with a list of captions per sample. Nouns that share a synset have the relevance of
    the one that most captions mention. The paper finds nouns with FreeLing.

    \b
    graphzsl study granularity relevance captions.txt --nouns wordnet \\
      --out relevance.jsonl
    graphzsl study granularity sweep --scores scores.npz \\
      --relevance relevance.jsonl
    """
    texts = sources.read_captions(captions)
    samples = [*texts.values()]
    if order:
        lines = read_lines(order)
        for number, sample in lines:
            if sample not in texts:
                raise DataError(
                    f"{order}:{number}: {sample!r} has no captions in {captions}. Correct it, or"
                    " take it off the list and out of the scores."
                )
        samples = [texts[sample] for _, sample in lines]
    config = settings()
    with step("reading WordNet"):
        lexicon = hierarchy.Lexicon.load()
        finder = analysis.NOUN_RULES[nouns](sources.WordNet(sources.wordnet_folder(config)))
    rows = analysis.relevance_of_captions(
        progress_bar(samples, "captions"), finder, lexicon.synsets_of
    )
    write_json_lines(out, rows)
    words = len({word for row in rows for word in row})
    empty = sum(not row for row in rows)
    note(
        f"{counted(len(rows), 'sample')}, {counted(words, 'noun')}"
        + (f", none in {counted(empty, 'sample')}" if empty else "")
        + f": {out}."
    )


@command.command()
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True, type=INPUT)
@set_option(LISTED, "imagenet-fall11")
@store_option()
@out_option(Written(".txt"), "A list to write (.txt), with a wnid per line.", required=False)
@output_options
def vocabulary(
    texts: tuple[Path, ...],
    class_set: str,
    store: str | None,
    out: Path | None,
    output_format: str,
) -> None:
    """The classes that have a word in TEXT: a vocabulary, captions, or what `relevance` wrote (Wang
    et al. 2014, section 4.1).

    TEXT has a word, a phrase or a sentence per line, or is .jsonl of lists of captions, or of word:
    relevance. Whole words and phrases count, in any inflection. A class is there for whatever sense
    of its word: the vocabulary does not tell.

    \b
    graphzsl study granularity vocabulary captions.txt --out captioned.txt
    graphzsl study granularity vocabulary relevance.jsonl --set ilsvrc2012
    """
    given = [text for path in texts for text in sources.read_vocabulary(path)]
    classes = read_classes(class_set)
    config = settings()
    with step(f"looking for the words of {counted(len(classes), 'class', 'classes')}"):
        lexicon = hierarchy.Lexicon.load()
        unknown = [wnid for wnid in classes if wnid not in lexicon.index]
        if unknown:
            raise DataError(
                f"{unknown[0]} of {class_set} is not a noun synset of WordNet 3.0, so its words are"
                " not known. Take it off the set.",
                argument="class_set",
            )
        words = {wnid: lexicon.words_of(lexicon.index[wnid]) for wnid in classes}
        found = analysis.mentioned_classes(
            given, words, sources.WordNet(sources.wordnet_folder(config))
        )
    emit(map(asdict, found), output_format, ("wnid", "words", "occurrences"))
    note(f"{len(found):,} of {counted(len(classes), 'class', 'classes')} have a word there.")
    wnids = [each.wnid for each in found]
    if (store or out) and not wnids:
        raise DataError("No class has a word there, so there is no class set to keep.")
    if store:
        described = {"texts": [path.name for path in texts], "sha256": [*map(sha256, texts)]}
        store_classes(store, wnids, universe=class_set, parameters=described)
    if out:
        write_text(out, "".join(f"{wnid}\n" for wnid in wnids))
        note(f"The list is {out}.")
