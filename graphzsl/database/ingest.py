"""Rows into the database: validated first, sent in batches, idempotent, with provenance in
(:Source).

A load that is interrupted leaves its Source at status ``loading``; loading again completes it.
Class sets, populations, frequencies and the release hierarchy go in one transaction each: all of a
file is kept, or none of it.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256
from graphzsl.common.progress import log, progress_bar
from graphzsl.database.class_sets import (
    class_set,
    described,
    put_class_set,
    refuse_other_classes,
    refuse_other_kind,
    renew_class_sets,
    renewed_class_sets,
)
from graphzsl.database.client import BATCH_ROWS, Database, batches
from graphzsl.database.library import Query, query
from graphzsl.database.names import DatabaseVocabulary, require_complete
from graphzsl.database.schema import create_later_indexes, create_schema, has_schema
from graphzsl.database.sources import Step, source_step, sources
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.resolver import resolve_entries
from graphzsl.sources.frequencies import read_frequencies
from graphzsl.sources.frequency_packages import is_single, packaged_frequencies
from graphzsl.sources.hierarchy import HUBS, IsAbove, read_hierarchy
from graphzsl.sources.imagenet import read_entries
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import hierarchy_path, list_path, populations_path
from graphzsl.sources.wordnet import SynsetRow, WordNet, depths, label_rows
from graphzsl.sources.wordnet_content import KNOWN_FILES

#: What a load of WordNet puts into the graph; a database loaded with less is loaded again.
CONTENTS = 5
#: Steps of loading WordNet whose rows each write to one node.
NODE_STEPS = frozenset({"synsets", "depths", "words", "other senses"})
#: What the record of a loaded WordNet says.
LOADED = {"kind": "wordnet", "version": "3.0", "contents": CONTENTS}
#: Steps whose rows are nodes and edges of their own.
_COUNTED = ("synsets", "hypernyms", "instance hypernyms", "words", "labels")
#: A database, or what opens it when the file is read: no server starts for a wrong one.
Connected = Database | Callable[[], Database]


def load_wordnet(database: Database, wordnet: WordNet, force: bool = False) -> bool:
    """Synsets, hypernym edges, words and labels of WordNet 3.0; False when this WordNet is already
    there, whichever of the known builds it came from.

    Every batch is a transaction that can be repeated; after an interruption a second load ends with
    the same graph. Raises DataError, and loads nothing, over the load of another WordNet, finished
    or not; and when the graph holds something else in the end than was sent: the source then stays
    at ``loading``.
    """
    _refuse_other_wordnet(database, wordnet.sha256)
    before = sources(database).get("wordnet", {})
    if not force and _is_loaded(before):
        if not has_schema(database):
            create_schema(database)
            create_later_indexes(database)
        return False
    contents = before.get("contents", 0) if before else CONTENTS
    if contents < CONTENTS:
        log("An earlier version of graphzsl loaded this database: bringing it up to date …")
    renewed = renewed_class_sets(database)
    create_schema(database)
    # of the earlier version until its last row is renewed
    loading = {**wordnet_source(wordnet), "contents": contents}
    database.write(source_step("wordnet", loading, "loading"))
    sent: dict[str, int] = {}
    with uncollected():
        for label, statement, parameter, rows in wordnet_steps(wordnet):
            sent[label] = send(database, label, statement, parameter, rows)
    renew_class_sets(database, renewed)
    # hubs that an earlier version loaded are concepts with a name too
    hubs = database.rows(query("release_hubs"))
    database.write(
        (query("create_release_hubs"), {"hubs": [hub["name"] for hub in hubs]}),
        (query("renew_sources"), {}),
    )
    finish_wordnet(database, wordnet, sent)
    return True


@contextmanager
def uncollected() -> Iterator[None]:
    """Switch garbage collection off in a block that makes a million small objects: none of them is
    garbage, and looking for garbage would take a sixth of the block's time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def wordnet_source(wordnet: WordNet) -> dict[str, Any]:
    """Properties of WordNet's source that the graph keeps."""
    return {**LOADED, "sha256": wordnet.sha256}


def finish_wordnet(database: Database, wordnet: WordNet, sent: dict[str, int]) -> None:
    """WordNet counts as loaded from here on; DataError when the graph does not hold exactly the
    nodes and edges that were ``sent``."""
    _require_counts(database, sent)
    rows = sum(sent[label] for label in _COUNTED)
    database.write(source_step("wordnet", {**wordnet_source(wordnet), "rows": rows}))
    create_later_indexes(database)


def loaded_wordnet(database: Database) -> dict[str, int] | None:
    """Nodes and edges by kind, where one of the known builds of WordNet 3.0 is there completely;
    else None."""
    source = sources(database).get("wordnet", {})
    known = _is_loaded(source) and source["sha256"] in KNOWN_FILES["data.noun"]
    if not known or not has_schema(database):
        return None
    return {row["element"]: row["total"] for row in database.rows(query("graph_counts"))}


def _refuse_other_wordnet(database: Database, sha256: str) -> None:
    """Raise DataError if a load of another WordNet was begun: two in one graph would be a mixture
    that looks complete."""
    loaded = sources(database).get("wordnet", {})
    same = {sha256, *(KNOWN_FILES["data.noun"] if sha256 in KNOWN_FILES["data.noun"] else ())}
    if loaded and loaded.get("sha256") not in same:
        raise DataError(
            "The database holds another WordNet, or a part of one (SHA-256 of its data.noun"
            f" {str(loaded.get('sha256'))[:12]}…, status {loaded.get('status')}); this one has"
            f" {sha256[:12]}…. Nothing was loaded. Load it into an empty database: set"
            " GRAPHZSL_HOME to a new folder, or NEO4J_DATABASE to another database."
        )


def _require_counts(database: Database, sent: dict[str, int]) -> None:
    """Raise DataError if the graph does not hold exactly the nodes and edges that were sent."""
    counts = {row["element"]: row["total"] for row in database.rows(query("graph_counts"))}
    for label in _COUNTED:
        total = counts[label.replace(" ", "_")]
        if total != sent[label]:
            raise DataError(
                f"The graph holds {total:,} {label} where WordNet has {sent[label]:,}, so the load"
                " does not count as complete. Something else wrote to this database: load WordNet"
                " into an empty one (GRAPHZSL_HOME, NEO4J_DATABASE)."
            )


def wordnet_steps(wordnet: WordNet) -> Iterator[tuple[str, Query, str, Iterable[Any]]]:
    """(label, statement, list parameter, rows) of every step of loading WordNet, in order."""
    synsets: list[SynsetRow] = []

    def parsed() -> Iterator[dict[str, Any]]:
        for synset in wordnet.synsets():
            synsets.append(synset)
            yield {
                name: getattr(synset, name)
                for name in ("wnid", "name", "words", "gloss", "lexname")
            }

    yield "synsets", query("merge_synsets"), "rows", parsed()
    known = {synset.wnid for synset in synsets}
    for synset in synsets:
        for parent in synset.hypernyms + synset.instance_hypernyms:
            if parent not in known:
                raise DataError(
                    f"Synset {synset.wnid} has the hypernym {parent}, which this WordNet does not"
                    " have."
                )
    depth = depths(synsets)
    yield (
        "depths",
        query("set_depths"),
        "rows",
        [
            {"wnid": wnid, "depth": fewest, "max_depth": most}
            for wnid, (fewest, most) in depth.items()
        ],
    )
    for relation in ("hypernyms", "instance_hypernyms"):
        edges = [
            {"child": s.wnid, "parent": parent} for s in synsets for parent in getattr(s, relation)
        ]
        yield relation.replace("_", " "), query(f"merge_{relation}"), "rows", edges
    yield (
        "words",
        query("merge_words"),
        "texts",
        sorted({word for synset in synsets for word in synset.words}),
    )
    other = wordnet.other_senses()
    words = sorted({word for synset in synsets for word in synset.words if word.lower() in other})
    rows = [{"text": word, "other_senses": other[word.lower()]} for word in words]
    yield "other senses", query("set_other_senses"), "rows", rows
    yield "labels", query("merge_labels"), "rows", list(label_rows(synsets, wordnet.senses()))


def load_class_set(
    connected: Connected,
    name: str,
    path: Path | None = None,
    replace: bool = False,
    usual: bool = False,
) -> int:
    """A class set from a file of wnids, names or words, or the shipped list of that name. Returns
    its size.

    A list is replaced by loading it again, and left as it is when it is there from the same file.
    A split or selection of that name, whose provenance goes, and a list of other classes from
    which class sets are derived, are replaced only with ``replace``. ``usual`` reads open words
    in the sense that is tagged most often (``settle_list``); otherwise they are refused.
    """
    origin = path or list_path(name)
    entries = read_entries(origin)
    database = _opened(connected)
    if not replace:
        refuse_other_kind(database, name, "list", "Choose another name, or replace it.", "replace")
    _require_wordnet(database)
    vocabulary = DatabaseVocabulary(database)
    wnids = resolve_entries(entries, vocabulary, usual=usual)
    checksum = sha256(origin)
    facts = {"kind": "list", "source": origin.name, "sha256": checksum, "size": len(wnids)}
    if _is_stored(database, name, facts):
        return len(wnids)
    if not replace:
        refuse_other_classes(database, name, set(wnids))
    _say_what_goes(database, name)
    properties = {"kind": "list", "source": origin.name, "sha256": checksum}
    put_class_set(database, name, wnids, properties)
    return len(wnids)


def _opened(connected: Connected) -> Database:
    return connected if isinstance(connected, Database) else connected()


def _say_what_goes(database: Database, name: str) -> None:
    """Log the class set of that name, which is about to be replaced."""
    replaced = class_set(database, name)
    if replaced:
        log(f"Replaced: {described({**replaced['properties'], 'size': replaced['size']})}.")


def _is_stored(database: Database, name: str, facts: dict[str, Any]) -> bool:
    """True if the class set is stored with these properties and with as many members as its
    ``size`` says."""
    found = class_set(database, name)
    return (
        found is not None
        and facts.items() <= found["properties"].items()
        and found["size"] == facts["size"]
    )


def load_populations(connected: Connected, path: Path | None = None) -> int:
    """Images per class, replacing all populations of before; without a path, the shipped ones of
    the Fall 2011 release. Returns the number of classes."""
    path = path or populations_path()
    rows = read_populations(path)
    database = _opened(connected)
    _require_wordnet(database)
    _refuse_unknown(database, path, [(line, wnid) for line, wnid, _ in rows])
    values = [{"wnid": wnid, "images": images} for _, wnid, images in rows]
    steps: list[Step] = [(query("clear_populations"), {})]
    steps += [(query("set_populations"), {"rows": batch}) for batch in batches(values)]
    database.write(
        *steps, source_step("populations", _file_metadata("populations", path, rows=len(rows)))
    )
    return len(rows)


def load_frequencies(connected: Connected, path: Path) -> tuple[int, list[str]]:
    """Word frequencies, replacing all of before. Returns how many words were set, and the texts
    that label no synset.

    A corpus counts words that WordNet does not have: those are left out and reported, not an error.
    """
    rows = read_frequencies(path)
    database = _opened(connected)
    _require_wordnet(database)
    unknown = {
        row["text"]
        for row in database.rows_in_batches(
            query("unknown_words"), [t for _, t, _ in rows], "texts"
        )
    }
    values = [
        {"text": text, "frequency": frequency} for _, text, frequency in rows if text not in unknown
    ]
    if not values:
        raise DataError(
            f"{path}: none of its {len(rows)} words labels a noun synset; expected a word,frequency"
            " table."
        )
    steps: list[Step] = [(query("clear_frequencies"), {})]
    steps += [(query("set_frequencies"), {"rows": batch}) for batch in batches(values)]
    database.write(
        *steps, source_step("frequencies", _file_metadata("frequencies", path, rows=len(values)))
    )
    return len(values), sorted(unknown)


def load_packaged_frequencies(connected: Connected, name: str) -> tuple[int, int, int]:
    """Frequencies of single words from an installed package, by its name in ``PACKAGES``, replacing
    all of before. Returns how many labels have one, how many are single words, and how many there
    are.

    Phrases, and words that the package does not list, have none: that is unknown, and not 0. The
    source in the graph says which package and version it is, and what its numbers count.
    """
    found = packaged_frequencies(name)
    database = _opened(connected)
    _require_wordnet(database)
    labels = [row["text"] for row in database.many_rows(query("word_labels"))]
    values = [
        {"text": label, "frequency": number} for label, number in found.of_labels(labels).items()
    ]
    if not values:
        raise DataError(f"{found.package} lists none of the {len(labels):,} word labels.")
    source = {
        "kind": "frequencies",
        "file": found.package,
        "scale": found.scale,
        "sha256": found.sha256,
        "rows": len(values),
    }
    steps: list[Step] = [(query("clear_frequencies"), {})]
    steps += [(query("set_frequencies"), {"rows": batch}) for batch in batches(values)]
    database.write(*steps, source_step("frequencies", source))
    return len(values), sum(map(is_single, labels)), len(labels)


def frequency_scale(database: Database) -> str:
    """File and scale of the loaded word frequencies; empty if the graph records neither."""
    source = sources(database).get("frequencies", {})
    return ", ".join(text for text in (source.get("file"), source.get("scale")) if text)


def load_hierarchy(connected: Connected, path: Path | None = None) -> int:
    """The release hierarchy, replacing the one of before; without a path, the shipped one of the
    Fall 2011 release. Returns the number of edges."""
    rows = read_hierarchy(path, _is_above()) if path else read_hierarchy(hierarchy_path())
    path = path or hierarchy_path()
    database = _opened(connected)
    _require_wordnet(database)
    _refuse_unknown(
        database, path, [(line, name) for line, *edge in rows for name in edge if name not in HUBS]
    )
    hubs = sorted({name for _, *edge in rows for name in edge} & set(HUBS))
    edges = [{"child": child, "parent": parent} for _, child, parent in rows]
    steps: list[Step] = [
        # the record first: a second load waits for it
        source_step("release-hierarchy", _file_metadata("hierarchy", path, rows=len(edges))),
        (query("delete_release"), {}),
        (query("delete_release_hubs"), {}),
        (query("create_release_hubs"), {"hubs": hubs}),
    ]
    steps += [(query("create_release_edges"), {"rows": batch}) for batch in batches(edges)]
    database.write(*steps)
    return len(edges)


def _is_above() -> IsAbove:
    """The function that says whether a synset of WordNet is an ancestor of another."""
    lexicon = Lexicon.load()

    def is_above(one: str, other: str) -> bool:
        known = one in lexicon.index and other in lexicon.index
        return known and lexicon.is_above(lexicon.index[one], lexicon.index[other])

    return is_above


def load_relations(database: Database, wordnet: WordNet) -> int:
    """WordNet's pointers between nouns that are no part of a hierarchy (``RELATIONS``), replacing
    those of before. Returns their number."""
    _require_wordnet(database)
    rows = wordnet.relations()
    source = {"kind": "relations", "sha256": wordnet.sha256, "rows": len(rows)}
    # the record first: a second load waits for it
    steps: list[Step] = [source_step("relations", source), (query("delete_relations"), {})]
    steps += [(query("create_relations"), {"rows": batch}) for batch in batches(rows)]
    database.write(*steps)
    return len(rows)


def send(
    database: Database, label: str, statement: Query, parameter: str, rows: Iterable[Any]
) -> int:
    """Send rows in batches, one transaction each, with a bar. Returns how many.

    While the database is busy with a batch the next ones are prepared. Batches whose rows write to
    one node each (NODE_STEPS) are sent two at a time; two batches of edges would wait for each
    other's nodes and one of them be sent again.
    """
    total = -(-len(rows) // BATCH_ROWS) if isinstance(rows, Sequence) else None
    streams = 2 if label in NODE_STEPS else 1
    with ThreadPoolExecutor(streams) as pool:

        def write(batch: list[Any]) -> int:
            database.write((statement, {parameter: batch}))
            return len(batch)

        def written() -> Iterator[int]:
            waiting: deque[Future[int]] = deque()
            try:
                for batch in batches(rows):
                    waiting.append(pool.submit(write, batch))
                    if len(waiting) > streams:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:  # an error, or Ctrl-C: what has not begun is not sent
                for batch_write in waiting:
                    batch_write.cancel()

        return sum(progress_bar(written(), f"loading {label}", total=total))


def _is_loaded(source: dict[str, Any]) -> bool:
    """True where the record of WordNet says that this version loaded it to its end."""
    return {**LOADED, "status": "loaded"}.items() <= source.items()


def _require_wordnet(database: Database) -> None:
    if "wordnet" not in sources(database):
        raise DataError(
            "WordNet is not loaded, and everything else refers to it. Run `graphzsl load wordnet`"
            " first."
        )
    require_complete(database)


def _refuse_unknown(database: Database, path: Path, rows: list[tuple[int, str]]) -> None:
    """Raise DataError with the first lines whose wnid is not a noun synset of the database."""
    wnids = list(dict.fromkeys(wnid for _, wnid in rows))
    unknown = {row["wnid"] for row in database.rows_in_batches(query("unknown_wnids"), wnids)}
    if unknown:
        line, wnid = next(row for row in rows if row[1] in unknown)
        more = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise DataError(
            f"{path}:{line}: {wnid} is not a noun synset of WordNet 3.0{more}. Nothing of it was"
            " kept."
        )


def _file_metadata(kind: str, path: Path, **more: Any) -> dict[str, Any]:
    digest = {"sha256": sha256(path)} if path.is_file() else {}
    return {"kind": kind, "file": path.name, **digest, **more}
