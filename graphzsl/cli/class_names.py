"""``graphzsl names``: names and prompts for classes, and lists of names checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from graphzsl import sources
from graphzsl.cli.classes import read_classes
from graphzsl.cli.groups import Group
from graphzsl.cli.options import (
    LISTED,
    check_subcommand,
    listed_set_option,
    option,
    option_requires,
    out_option,
    output_options,
    senses_option,
    set_option,
    source_option,
    templates_option,
)
from graphzsl.cli.output import keep, note, show
from graphzsl.cli.types import INPUT, Written
from graphzsl.common import DataError, counted, require, step, write_texts

FORMATS = ("clip_benchmark", "open_clip", "timm", "webdataset", "json")
SOURCES = ("wordnet", "openai", "cupl")
TEMPLATES = ("neutral", "openai", "bare")
RULE = "first+word+parent+gloss"
CLASSES = ("class", "classes")
#: Names that WordNet lacks, of which a check shows so many.
_UNKNOWN = 5
#: What told names apart, in words.
_ADDED = {
    "word": "by another word",
    "parent": "with the parent",
    "gloss": "with the definition",
    "wnid": "with the wnid",
}


@click.group(cls=Group, invoke_without_command=True, no_args_is_help=True)
@listed_set_option
@option(
    "--rule", None, RULE, "Which word names a class, and what is done to names that classes share."
)
@source_option(
    "openai (the names of CLIP's evaluation) and cupl (descriptions by a language model) know"
    " ILSVRC 2012 alone and need clip-benchmark",
    "wordnet",
    kind=click.Choice(SOURCES),
)
@click.option(
    "--language",
    metavar="CODE",
    help="Names in a language (Babel-ImageNet: DE, SW, ZH …); needs clip-benchmark.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    help="What reads it. Default: timm (a wnid, a tab and a name per line); for cupl json.",
)
@templates_option(
    "five of our own, the 80 of CLIP's evaluation (need clip-benchmark), or the bare name (default:"
    " neutral; those of the language with --language)",
    kind=click.Choice(TEMPLATES),
)
@option("--data-set", None, "imagenet1k", "What CLIP_benchmark calls the data set.")
@out_option(
    Written(".json", ".txt"),
    "File to write, .json or .txt as the format is. Default: stdout.",
    required=False,
)
@click.option(
    "--templates-out",
    type=Written(".json", ".txt"),
    help="Also write the templates to this file (clip_benchmark, webdataset).",
)
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Names for the classes of a set, unique and in the order of its wnids.

    A rule picks a word of each synset: `first` its first word, `meaning` the word of which it is
    the best-known sense. Where classes of the set would share a name, +word takes another word of
    the synset, +parent adds the parent, "crane (wading bird)", and +gloss the head of the
    definition; what is shared even then gets its wnid. No server is needed.

    \b
    graphzsl names --set ilsvrc2012 --out names.txt
    graphzsl names --set imagenet-fall11 --format json --out fall11.json
    graphzsl names --format clip_benchmark --out names.json \\
        --templates-out templates.json
    graphzsl names --language DE --format open_clip --out german.json
    graphzsl names --from cupl --out descriptions.json
    graphzsl names check names.txt
    """
    if ctx.invoked_subcommand is None:
        _write(**options)
        return
    check_subcommand()


def _write(
    class_set: str,
    rule: str,
    source: str,
    language: str | None,
    output_format: str | None,
    templates: str | None,
    data_set: str,
    out: Path | None,
    templates_out: Path | None,
) -> None:
    output_format = output_format or ("json" if source == "cupl" else "timm")
    of_wordnet = source == "wordnet" and language is None
    has_rule = of_wordnet or (source == "cupl" and output_format == "clip_benchmark")
    option_requires("rule", when=has_rule, needs="names of WordNet")
    option_requires("source", when=language is None, needs="no --language")
    option_requires(
        "data_set", when=output_format == "clip_benchmark", needs="--format clip_benchmark"
    )
    option_requires(
        "templates_out",
        when=output_format in ("clip_benchmark", "webdataset") and source != "cupl",
        needs="names in the format clip_benchmark or webdataset, which have templates apart",
    )
    option_requires(
        "templates",
        when=source != "cupl" and (templates_out or output_format in ("open_clip", "json")),
        needs="a file that holds templates: --format open_clip or json, or --templates-out",
    )
    _check_suffixes(output_format, out, templates_out)
    if not of_wordnet or templates == "openai":
        require("clip_benchmark")  # before WordNet is read, which takes seconds
    if source == "cupl":
        text = _descriptions(class_set, rule, output_format, data_set)
        _put((text, out))
        return
    from graphzsl.names import names_text, templates_text

    names, provenance = _names(class_set, rule, source, language)
    prompts = _templates(templates, language)
    texts = [
        (names_text(names, output_format, prompts, data_set=data_set, provenance=provenance), out)
    ]
    if templates_out is not None:
        texts.append((templates_text(prompts, output_format, data_set=data_set), templates_out))
    _put(*texts)


def _check_suffixes(output_format: str, out: Path | None, templates_out: Path | None) -> None:
    from graphzsl.names import NAME_FORMATS

    for flag, path, suffix in zip(
        ("--out", "--templates-out"), (out, templates_out), NAME_FORMATS[output_format], strict=True
    ):
        if path is not None and path.suffix != suffix:
            raise click.UsageError(f"{flag} {path}: a file of {output_format} ends in {suffix}.")
    if out is not None and out == templates_out:
        raise click.UsageError("--out and --templates-out name one file.")


def _names(
    class_set: str, rule: str, source: str, language: str | None
) -> tuple[Mapping[str, str], dict[str, Any]]:
    """wnid -> name, and the provenance of the names for a file."""
    provenance: dict[str, Any] = {"set": class_set}
    if source == "wordnet" and language is None:
        from graphzsl.names import class_names

        with step("naming the classes"):
            named = class_names(read_classes(class_set), rule)
        _say_shared(named.shared)
        added = Counter(named.added)
        longer = [f"{added[kind]:,} {said}" for kind, said in _ADDED.items() if added[kind]]
        note(f"{counted(len(named), *CLASSES)} named{', ' * bool(longer)}{', '.join(longer)}.")
        return named.of_class, {**provenance, "rule": rule, "wordnet": "3.0"}
    from graphzsl.names import babel_names, openai_names, package_version

    classes = read_classes(class_set)
    found = babel_names(language, classes) if language else openai_names(classes)
    if found.without:
        note(
            f"{counted(len(found.without), *CLASSES)} of"
            f" {len(found.without) + len(found.names):,} have no name in"
            f" {(language or '').upper()} and are left out, e.g. {found.without[0]}."
        )
    _say_shared(found.shared)
    note(f"{counted(len(found.names), *CLASSES)} named.")
    provenance |= {"source": f"clip-benchmark {package_version()}"}
    provenance |= {"language": language.upper()} if language else {}
    return found.names, {**provenance, "without_name": found.without}


def _say_shared(shared: Mapping[str, Sequence[str]]) -> None:
    if not shared:
        return
    name, wnids = next(iter(shared.items()))
    total = sum(map(len, shared.values()))
    note(
        f"Not unique: {counted(total, *CLASSES)} share {counted(len(shared), 'name')}, e.g."
        f" {name!r}: {', '.join(wnids[:4])}{' …' * (len(wnids) > 4)}."
    )


def _templates(chosen: str | None, language: str | None) -> list[str]:
    from graphzsl.names import DEFAULT_TEMPLATES, PROMPT_SLOT

    if chosen == "openai":
        from graphzsl.names import openai_templates

        return openai_templates()
    if chosen is None and language is not None:
        from graphzsl.names import babel_templates

        return babel_templates(language) or [PROMPT_SLOT]
    return [PROMPT_SLOT] if chosen == "bare" else list(DEFAULT_TEMPLATES)


def _descriptions(class_set: str, rule: str, output_format: str, data_set: str) -> str:
    """The file of CuPL's descriptions."""
    import json

    from graphzsl.names import cupl_descriptions, package_version

    if output_format not in ("json", "clip_benchmark"):
        raise click.UsageError(
            "Descriptions are written as json (by wnid) or clip_benchmark (by name)."
        )
    classes = read_classes(class_set)
    found = cupl_descriptions(classes)
    for name, wnids in found.shared.items():
        note(f"{' and '.join(wnids)} are both {name!r} in CuPL, and have the same descriptions.")
    if output_format == "clip_benchmark":
        from graphzsl.names import class_names

        names = class_names(classes, rule)
        _say_shared(names.shared)
        if names.shared:
            raise click.UsageError("Descriptions by name need unique names: add +parent to --rule.")
        by_name = {name: found.of_class[wnid] for wnid, name in names.of_class.items()}
        return json.dumps({data_set: by_name}, ensure_ascii=False, indent=1) + "\n"
    document = {
        "kind": "class-descriptions",
        "set": class_set,
        "source": f"clip-benchmark {package_version()}, cupl_prompts.json",
        "shared": found.shared,
        "descriptions": found.of_class,
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _put(*texts: tuple[str, Path | None]) -> None:
    """Texts into their files, together; one without a file to stdout."""
    files = {path: text for text, path in texts if path is not None}
    write_texts(files)
    for text, path in texts:
        if path is None:
            click.echo(text, nl=False)
    for path in files:
        note(f"Wrote {path}.")


@command.command()
@click.argument("file")
@set_option(
    f"{LISTED} (default: what FILE says, its recorded set or its own wnids, else ilsvrc2012)"
)
@click.option(
    "--key",
    help="Which list of a file that holds several: a key of its JSON, or a name in a .py file.",
)
@click.option(
    "--ignore-others",
    is_flag=True,
    help="Leave out what the list says of classes that are not in the set.",
)
@click.option(
    "--first-sense",
    is_flag=True,
    help="Also names that are better known for what is no class: a boxer fights first.",
)
@senses_option
@output_options
def check(
    file: str,
    class_set: str | None,
    key: str | None,
    ignore_others: bool,
    first_sense: bool,
    output_format: str,
) -> None:
    """Is a list of class names right? Exit status 3 and one row per finding when it is not.

    Names that several classes have, wrong and missing wnids, another order, and names that WordNet
    gives to another synset, each with a name that would do. FILE is JSON (a list, wnid or class
    number to name, CLIP_benchmark's), text (a name per line, or a wnid and a name), a table with
    the columns wnid and name, or a .py file; PACKAGE:PATH is a file of an installed package, which
    is not imported. Names that WordNet lacks are counted, and the first few shown.

    \b
    graphzsl names check names.txt --set ilsvrc2012
    graphzsl names check classnames.json --key imagenet1k
    graphzsl names check timm:data/_info/imagenet_synset_to_lemma.txt \\
        --ignore-others
    """
    from graphzsl.names import check_names

    with step("reading the names"):
        known = None if class_set is None else read_classes(class_set)
        options: dict[str, Any] = {"key": key, "ignore_others": ignore_others}
        try:
            found = check_names(file, known, first_senses=first_sense, **options)
        except DataError as error:
            # the library's parameter
            error.argument = "class_set" if error.argument == "classes" else error.argument
            raise
    if class_set is None:
        note(f"Held against {found.against}; --set gives another set.")
    unread = f" {counted(len(found.unknown), 'name')} not in WordNet{_first(found.unknown)}."
    unread = unread if found.unknown else ""
    if not found.findings:
        note(f"The names of {counted(found.classes, *CLASSES)} are sound.{unread}")
        return
    rows = found.rows()
    keep(rows)
    show(rows, output_format)
    said = ", ".join(f"{times:,} {kind}" for kind, times in found.counts.items() if times)
    note(f"{said}.{unread}")
    raise SystemExit(3)


@command.command()
@click.argument("file", type=INPUT)
@out_option(Written(".csv", ".tsv"), "Draft to write, to be settled by hand.", required=False)
@output_options
def resolve(file: Path, out: Path | None, output_format: str) -> None:
    """Resolve the names of a list to classes: a draft, its open names first.

    One row per name: wnid, name, synset, how sure that is, the gloss, and the other readings. A row
    without a wnid is open: write the wnid of one of its readings. The settled draft is a list of
    names, which every command takes.

    \b
    graphzsl names resolve labels.txt --out draft.csv
    graphzsl audit predictions.csv --names draft.csv
    """
    from graphzsl.names import DRAFT_COLUMNS, draft_names

    with step("looking the names up"):
        found = draft_names(file)
    if found.repeated:
        note(f"{counted(found.repeated, 'name')} more than once: one row for each name.")
    rows = found.rows()
    keep(rows)
    if out is None:
        show(rows, output_format)
    else:
        cells = [[row[column] or "" for column in DRAFT_COLUMNS] for row in rows]
        sources.write_table(out, DRAFT_COLUMNS, cells)
    said = f"{counted(len(found.open), 'name is', 'names are')} open, of {len(rows):,}."
    note(f"{said} Wrote {out}." if out else said)


def _first(unknown: Sequence[object]) -> str:
    """Text with the first unknown names, such as ``: line 1: 'goldfsh' (near 'goldfish'); …``."""
    listed = "; ".join(map(str, unknown[:_UNKNOWN]))
    return f", {listed}{'; …' * (len(unknown) > _UNKNOWN)}"


@command.command()
@listed_set_option
@output_options
def rules(class_set: str, output_format: str) -> None:
    """Compare the naming rules on a set: how many names are shared, and what is added to how many.

    \b
    graphzsl names rules --set imagenet-fall11
    """
    from graphzsl.names import rule_rows

    with step("naming the classes by every rule"):
        rows = rule_rows(read_classes(class_set))
    keep(rows)
    show(rows, output_format)
