"""``graphzsl semantics``: class embeddings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphzsl import data, embeddings
from graphzsl.cli.groups import Group
from graphzsl.cli.options import (
    compute_options,
    graph_option,
    option,
    option_requires,
    out_option,
    packaged_vectors_option,
    seed_option,
    source_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import INPUT, WEIGHTS, NameOrFile, Whole, Written
from graphzsl.common import counted, require, sha256, step

if TYPE_CHECKING:
    from graphzsl.data import ClassMatrix, Subgraph
    from graphzsl.names import Descriptions

#: The names in ``embeddings.vectors`` (``TERMS``, ``FILLS``), ``semantics.descriptions`` and
#: ``embeddings.joined``, without the libraries that those need.
TERMS = ("mean", "first", "random")
VECTOR_FILLS, DESCRIPTION_FILLS, JOIN_FILLS = ("hypernyms",), ("glosses",), ("zero", "mean")
#: Descriptions that come with a package.
CUPL = "cupl"


@click.group(cls=Group)
def command() -> None:
    """Class embeddings for the nodes of an exported subgraph, as safetensors with their wnids.

    A node that cannot be embedded is listed, never given a silent zero vector.

    \b
    graphzsl semantics sentences --graph graph --out glosses.safetensors
    """


_out_option = out_option(Written(".safetensors"), "The .safetensors file to write.")
_dimensions_option = option("--dimensions", Whole(1), 300, "Length of a vector.")


def _graph(function):  # type: ignore[no-untyped-def]
    function = _out_option(function)
    return graph_option(required=True)(function)


_encoder = click.option(
    "--encoder",
    type=INPUT,
    help="A sentence-transformers folder (default: all-MiniLM-L6-v2 from its package).",
)


def _report(matrix: ClassMatrix, missing: list[str], out: Path) -> None:
    note(_written(matrix, out))
    if missing:
        have = counted(len(missing), "node has", "nodes have")
        note(f"{have} none (listed in the file's manifest), e.g. {', '.join(missing[:5])}.")


def _written(matrix: ClassMatrix, out: Path) -> str:
    width = counted(matrix.values.shape[1], "number")
    return f"{counted(len(matrix.wnids), 'class embedding')} of {width} in {out}."


@command.command("lsi")
@_graph
@_dimensions_option
@seed_option()
def lsi(graph: Path, out: Path, dimensions: int, seed: int) -> None:
    """Latent semantic indexing of words and glosses with gensim: needs nothing but the graph.

    \b
    graphzsl semantics lsi --graph graph --out glosses.safetensors
    """
    with step("embedding glosses"):
        matrix, missing = embeddings.embed_glosses(data.Subgraph.load(graph), dimensions, seed)
        matrix.save(out)
    _report(matrix, missing, out)


@command.command("word-vectors")
@_graph
@packaged_vectors_option(required=True)
@option(
    "--terms",
    click.Choice(TERMS),
    "mean",
    "The mean over a synset's words, its first word (as DeViSE does), or one drawn at random.",
)
@click.option(
    "--fill",
    type=click.Choice(VECTOR_FILLS),
    help="A node without a vector takes the mean of its hypernyms' (default: it is missing).",
)
@seed_option("with --terms random")
def word_vectors(
    graph: Path, out: Path, vectors: Path | str, terms: str, fill: str | None, seed: int
) -> None:
    """Word vectors of a synset's words: their mean, the first word's (DeViSE), or that of one drawn
    at random.

    A label is looked up as written with underscores, then in lower case; a phrase without a vector
    of its own is the mean of its parts if all of them have one; a synset without a vector is
    missing and listed, or filled. The manifest records --terms, --fill, and of a package its name
    and version.

    \b
    graphzsl semantics word-vectors --graph graph --vectors glove-6b-50d \\
      --fill hypernyms --out glove.safetensors
    graphzsl semantics word-vectors --graph graph --vectors vectors.bin \\
      --terms first --out vectors.safetensors
    """
    option_requires("seed", when=terms == "random", needs="--terms random")
    name = vectors if isinstance(vectors, str) else vectors.name
    with step(f"embedding words by {name}"):
        matrix, missing = embeddings.embed_vectors(
            data.Subgraph.load(graph), vectors, terms, seed, fill
        )
        matrix.save(out)
    borrowed = matrix.metadata.get("borrowed", [])
    if borrowed:
        have = counted(len(borrowed), "node without a vector has", "nodes without a vector have")
        note(f"{have} the mean of {'its' if len(borrowed) == 1 else 'their'} hypernyms'.")
    _report(matrix, missing, out)


@command.command()
@_graph
@_encoder
@compute_options
def sentences(graph: Path, out: Path, encoder: Path | None, device: str, precision: str) -> None:
    """A sentence encoder on "word, word: gloss" (about 250 texts per second on 2 cores).

    --precision bfloat16 takes 0.6 of that time on a processor that multiplies in it; a text's
    encoding then has a cosine of 0.9999 with the one of float32.

    \b
    graphzsl semantics sentences --graph graph --out text.safetensors
    """
    with step("loading the sentence encoder"):
        from graphzsl.common import Compute

        require("sentence_transformers")
        compute = Compute(device, precision)
        matrix = embeddings.embed_text(data.Subgraph.load(graph), encoder=encoder, compute=compute)
        matrix.save(out)
    _report(matrix, [], out)


@command.command()
@_graph
@source_option(
    "cupl, 70 sentences of a language model per ILSVRC class (pip install 'graphzsl[names]'); or a"
    " JSON file, class -> list of texts",
    kind=NameOrFile(CUPL),
    metavar="cupl|FILE.json",
    required=True,
)
@click.option(
    "--fill",
    type=click.Choice(DESCRIPTION_FILLS),
    help="Encode words and gloss of nodes without descriptions (default: they are missing).",
)
@_encoder
@compute_options
def descriptions(
    graph: Path,
    out: Path,
    source: Path | str,
    fill: str | None,
    encoder: Path | None,
    device: str,
    precision: str,
) -> None:
    """Embed each class by its descriptions: the mean of their encodings.

    The encoder is that of `semantics sentences`, so that descriptions and glosses are in one space.
    Of the 150 texts that CuPL's file has per class 80 are CLIP's templates with the name in them:
    those are left out. CuPL is by name, and two pairs of ILSVRC classes have one name (missile,
    sunglasses): both classes of a pair get the same texts, and so the same vector, which is said
    and recorded. Keys of a FILE.json are wnids, names of synsets (dog.n.01) or the names that CLIP
    was evaluated with; what `graphzsl names --from cupl` writes is read too.

    \b
    graphzsl semantics descriptions --graph graph --from cupl --fill glosses \\
      --out cupl.safetensors
    """
    from graphzsl.common import Compute

    nodes = data.Subgraph.load(graph)
    found, name = _described(source, nodes)
    with step("encoding descriptions"):
        compute = Compute(device, precision)
        matrix, missing = embeddings.embed_descriptions(nodes, found, name, fill, encoder, compute)
        matrix.save(out)
    for shared, wnids in found.shared.items():
        note(f"{' and '.join(wnids)} are both {shared!r}, and have the same vector.")
    outside = matrix.metadata["outside"]
    if outside:
        are = counted(len(outside), "class with descriptions is", "classes with descriptions are")
        note(f"{are} not among the nodes, e.g. {outside[0]}.")
    if fill:
        have = counted(len(matrix.metadata["filled"]), "node has", "nodes have")
        note(f"{have} the encoding of words and gloss.")
    _report(matrix, missing, out)


def _described(source: Path | str, graph: Subgraph) -> tuple[Descriptions, str]:
    """The descriptions, and where they come from."""
    if isinstance(source, str):
        from graphzsl.names import cupl_descriptions, package_version

        found = cupl_descriptions(templates=False)
        return found, (
            f"clip-benchmark {package_version()}, cupl_prompts.json, without CLIP's templates"
        )
    from graphzsl.names import read_descriptions

    names = dict(zip(graph.wnids, graph.names, strict=True))
    return read_descriptions(source, names), f"{source.name}, SHA-256 {sha256(source)}"


@command.command("hierarchy")
@_graph
@_dimensions_option
@seed_option()
def of_hierarchy(graph: Path, out: Path, dimensions: int, seed: int) -> None:
    """The hierarchy alone: two classes are alike when their common ancestors carry information.

    Before it is cut to --dimensions, the product of two nodes of a tree is (1 + IC(x)) /
    sqrt((1 + IC(a)) (1 + IC(b))), x their lowest common ancestor: Lin's similarity with a geometric
    mean. Needs nothing but the graph (20 seconds for 23,547 nodes). Join it with what texts say:
    `semantics join`.

    \b
    graphzsl semantics hierarchy --graph graph --out hierarchy.safetensors
    """
    with step("embedding the hierarchy"):
        matrix, missing = embeddings.embed_hierarchy(data.Subgraph.load(graph), dimensions, seed)
        matrix.save(out)
    kept = matrix.metadata["kept"]
    note(f"{dimensions} dimensions keep {kept:.1%} of the squared length of the vectors.")
    _report(matrix, missing, out)


@command.command()
@click.argument("files", type=INPUT, nargs=-1, required=True)
@click.option(
    "--weights",
    type=WEIGHTS,
    help="A number above 0 for each file, separated by commas (default: 1 for all).",
)
@click.option(
    "--fill",
    type=click.Choice(JOIN_FILLS),
    help="What stands for a part that a class lacks: zeros, or the mean of that part's rows"
    " (default: the class is dropped, and listed).",
)
@_out_option
def join(files: tuple[Path, ...], weights: list[float] | None, fill: str | None, out: Path) -> None:
    """Files of class embeddings side by side: each part is L2-normalised, then weighted.

    \b
    graphzsl semantics join text.safetensors hierarchy.safetensors \\
      --out joined.safetensors
    """
    parts = dict(
        zip(
            embeddings.part_names(files),
            (data.ClassMatrix.load(path, data.EMBEDDINGS) for path in files),
            strict=True,
        )
    )
    matrix, dropped = embeddings.join_embeddings(parts, weights or (), fill)
    matrix.save(out)
    for name, wnids in matrix.metadata["filled"].items():
        if wnids:
            lacked = counted(len(wnids), "class", "classes")
            note(f"{lacked} that {name} lacks: {fill} stands there, e.g. for {wnids[0]}.")
    note(_written(matrix, out))
    if dropped:
        note(
            f"{counted(len(dropped), 'class', 'classes')} dropped, which a file lacks (listed in"
            f" the manifest), e.g. {', '.join(dropped[:5])}."
        )
