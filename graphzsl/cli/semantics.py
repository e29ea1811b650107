"""``graphzsl semantics``: class embeddings."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.common import INPUT, effective, note, seed_option
from graphzsl.cli.computing import compute_options
from graphzsl.cli.groups import Group
from graphzsl.cli.paths import Written
from graphzsl.progress import step

#: The names in ``semantics.vectors.TERMS``, without the libraries that it needs.
TERMS = ("mean", "first", "random")


@click.group(cls=Group)
def command() -> None:
    """Class embeddings for the nodes of an exported subgraph, as safetensors with their wnids.

    A node that cannot be embedded is listed, never given a silent zero vector.

    \b
    graphzsl semantics sentences --graph graph --out glosses.safetensors
    """


def _graph(function):  # type: ignore[no-untyped-def]
    function = click.option(
        "--out", type=Written(".safetensors"), required=True, help="The .safetensors file to write."
    )(function)
    return click.option(
        "--graph", type=INPUT, required=True, help="Folder of `graphzsl export subgraph`."
    )(function)


def _report(wnids: int, missing: list[str], out: Path) -> None:
    note(f"{wnids:,} class embeddings in {out}.")
    if missing:
        note(
            f"{len(missing):,} nodes have none (listed in the file's manifest), e.g."
            f" {', '.join(missing[:5])}."
        )


@command.command("lsi")
@_graph
@click.option(
    "--dimensions",
    type=click.IntRange(1),
    default=300,
    show_default=True,
    help="Length of a vector.",
)
@seed_option("Seed of the decomposition.")
def lsi(graph: Path, out: Path, dimensions: int, seed: int) -> None:
    """Latent semantic indexing of words and glosses with gensim: needs nothing but the graph.

    \b
    graphzsl semantics lsi --graph graph --out glosses.safetensors
    """
    with step("embedding glosses"):
        from graphzsl.data.subgraph import Subgraph
        from graphzsl.semantics.glosses import embed_glosses

        matrix, missing = embed_glosses(Subgraph.load(graph), dimensions, seed)
        matrix.save(out)
    _report(len(matrix.wnids), missing, out)


@command.command("word-vectors")
@_graph
@click.option(
    "--file", "path", type=INPUT, required=True, help="word2vec (.bin or text) or GloVe vectors."
)
@click.option(
    "--terms",
    type=click.Choice(TERMS),
    default="mean",
    show_default=True,
    help="The mean over a synset's words, its first word (as DeViSE does), or one drawn at random.",
)
@seed_option("Of --terms random.")
def word_vectors(graph: Path, out: Path, path: Path, terms: str, seed: int) -> None:
    """Word vectors of a synset's words: their mean, the first word's (DeViSE), or that of one drawn
    at random.

    A label is looked up as written with underscores, then in lower case; a phrase without a vector
    of its own is the mean of its parts if all of them have one; a synset without a vector is
    missing and listed. The manifest records --terms.

    \b
    graphzsl semantics word-vectors --graph graph --file vectors.bin \\
      --terms first --out vectors.safetensors
    """
    effective("seed", when=terms == "random", needs="--terms random")
    with step(f"embedding words by {path.name}"):
        from graphzsl.data.subgraph import Subgraph
        from graphzsl.semantics.vectors import embed_vectors

        matrix, missing = embed_vectors(Subgraph.load(graph), path, terms, seed)
        matrix.save(out)
    _report(len(matrix.wnids), missing, out)


@command.command()
@_graph
@click.option(
    "--encoder",
    type=INPUT,
    help="A sentence-transformers folder (default: all-MiniLM-L6-v2 from its package).",
)
@compute_options
def sentences(graph: Path, out: Path, encoder: Path | None, device: str, precision: str) -> None:
    """A sentence encoder on "word, word: gloss" (about 250 texts per second on 2 cores).

    --precision bfloat16 takes 0.6 of that time on a processor that multiplies in it; a text's
    encoding then has a cosine of 0.9999 with the one of float32.

    \b
    graphzsl semantics sentences --graph graph --out text.safetensors
    """
    with step("loading the sentence encoder"):
        from graphzsl.compute import Compute
        from graphzsl.data.subgraph import Subgraph
        from graphzsl.extras import require
        from graphzsl.semantics.text import embed_text

        require("sentence_transformers")
        compute = Compute(device, precision)
        matrix = embed_text(Subgraph.load(graph), encoder=encoder, compute=compute)
        matrix.save(out)
    _report(len(matrix.wnids), [], out)
