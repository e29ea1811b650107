"""The members of class sets and splits, storing and deleting them: what is removed is said, and
what others derive from is kept unless it is insisted on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from graphzsl.common.checked_names import check_name, shown
from graphzsl.common.errors import DataError, SplitError
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.database.client import Database, batches
from graphzsl.database.library import query
from graphzsl.database.names import unknown_class_set, unknown_wnid
from graphzsl.sources.published import LITERATURE_NAMES

#: Dictionaries that are given -> how the names of their properties begin.
_PREFIXES = {"parameters": "parameter_", "window": "window_"}
#: Columns of a step of a recipe beside its name.
_STEP = ("rule", "kept", "dropped", "keep_ratio")


def members(database: Database, name: object) -> list[str]:
    """The wnids of a class set in its order; SplitError when there is no such set."""
    known = _set_name(name)
    return [row["wnid"] for row in database.many_rows(query("member_wnids"), class_set=known)]


def require_class_set(database: Database, name: object) -> None:
    """Raise SplitError with near and known class sets if there is none of that name."""
    known = _set_name(name)
    if database.rows(query("unknown_class_sets"), class_sets=[known]):
        raise SplitError(unknown_class_set(database, known))


def _set_name(name: object) -> str:
    if not isinstance(name, str):
        raise SplitError(
            f"A database has class sets by their names, not {shown(name)}. Store the classes under"
            " a name: write them into a file, one wnid per line, and run `graphzsl load class-set`"
            " with the name and the file."
        )
    return name


def class_set(database: Database, name: str) -> dict[str, Any] | None:
    """The row of a class set, where there is one of that name."""
    return {row["name"]: row for row in database.rows(query("class_sets"))}.get(name)


def put_class_set(
    database: Database, name: str, wnids: Sequence[str], properties: dict[str, Any]
) -> None:
    """Create or replace a class set, in one transaction; positions follow the order given. Of the
    properties, which ``flat`` makes flat, ``train`` and ``universe`` become edges too.

    SplitError for a name that people cannot tell from others, or of the literature, which counts
    one hop too many; DataError for a class that is not in
    the database, which could be no member.
    """
    check_name(name, "a class set", kind=SplitError)
    if name in LITERATURE_NAMES:
        raise SplitError(
            f"{name!r} is a name of the literature that counts one hop too many. Use"
            f" {LITERATURE_NAMES[name]!r}."
        )
    unknown = next(database.rows_in_batches(query("unknown_wnids"), list(wnids)), None)
    if unknown:
        raise DataError(
            f"The class set {name!r} is not stored: {unknown_wnid(database, unknown['wnid'])}"
        )
    members = [{"wnid": wnid, "position": position} for position, wnid in enumerate(wnids)]
    database.write(
        (query("delete_class_set"), {"class_set": name}),
        (
            query("create_class_set"),
            {"class_set": name, "properties": {**flat(properties), "size": len(members)}},
        ),
        *((query("add_members"), {"class_set": name, "rows": batch}) for batch in batches(members)),
        (query("link_class_set"), {"class_set": name}),
    )


def flat(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of a class set as Neo4j keeps them: texts, numbers and lists of them.

    Of the structured ones, ``parameters`` and ``window`` become a property each, ``parameter_NAME``
    and ``window_NAME``; ``statistics`` become properties of their own names, which are listed in
    order; ``steps`` become lists side by side, ``steps`` and ``step_COLUMN``; ``sources`` become
    ``SOURCE_sha256``.
    """
    found = dict(properties)
    for key, prefix in _PREFIXES.items():
        values = found.pop(key, {})
        found |= {f"{prefix}{name}": value for name, value in values.items()}
    for name, checksum in (found.pop("sources", None) or {}).items():
        found[f"{name.replace('-', '_')}_sha256"] = checksum
    if "statistics" in found:
        found |= {**found["statistics"], "statistics": list(found["statistics"])}
    if "steps" in found:
        rows = found["steps"]
        found |= {f"step_{key}": [row[key] for row in rows] for key in _STEP}
        found["steps"] = [row["step"] for row in rows]
    return found


def statistics_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The ``statistics`` that ``flat`` was given."""
    return {name: properties.get(name) for name in properties["statistics"]}


def steps_of(properties: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The ``steps`` that ``flat`` was given."""
    columns = {"step": properties["steps"], **{key: properties[f"step_{key}"] for key in _STEP}}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def renewed_class_sets(database: Database) -> dict[str, dict[str, Any]]:
    """Class set -> its properties as this version keeps them; ``renew_class_sets`` stores them.

    DataError names the first property that graphzsl did not write.
    """
    rows = database.rows(query("class_set_properties"))
    return {row["name"]: _renewed(row["name"], row["properties"]) for row in rows}


def renew_class_sets(database: Database, renewed: Mapping[str, dict[str, Any]]) -> None:
    """Bring what an earlier version said of its class sets up to date: structures as texts of JSON
    are made flat, times that were texts become times, and the edges to training classes and
    universes are drawn. One transaction for each."""
    for name, properties in renewed.items():
        database.write(
            (query("renew_class_set"), {"class_set": name, "properties": properties}),
            (query("link_class_set"), {"class_set": name}),
        )


def _renewed(name: str, properties: dict[str, Any]) -> dict[str, Any]:
    structured: dict[str, Any] = {}
    for key, is_good in _STRUCTURES.items():
        if isinstance(properties.get(key), str):
            try:
                structured[key] = parsed_json(properties[key], key, in_64_bits=True)
            except DataError:
                raise _foreign(name, key) from None
            if not is_good(structured[key]):
                raise _foreign(name, key)
    own = {key: value for key, value in properties.items() if key not in structured}
    if own.keys() & structured.get("statistics", {}).keys():
        raise _foreign(name, "statistics")
    try:
        datetime.fromisoformat(own["created_at"] or "2000-01-01")
    except ValueError:
        raise _foreign(name, "created_at") from None
    if "no_overlap" in own:
        own["disjoint"] = own.pop("no_overlap")
    if own.pop("windows_of", None):  # their universe
        structured["window"] = structured.pop("parameters", {})
    if own.get("query") in ("hop_split", "difference"):  # of train and universe
        structured.pop("parameters", None)
    return own | flat(structured)


def _foreign(name: str, key: str) -> DataError:
    return DataError(
        f"The property {key} of the class set {name!r} in the database is none that graphzsl wrote."
        " Remove or mend it with Neo4j Browser, and load again. Nothing was loaded."
    )


def _is_value(value: Any) -> bool:
    """True for what Neo4j keeps as a property: a text, a number, or a list of one kind of them."""
    if not isinstance(value, list):
        return value is None or isinstance(value, str | int | float)
    kinds = {*map(type, value)}
    return len(kinds) < 2 and kinds <= {str, bool, int, float}


def _are_values(values: Any) -> bool:
    return isinstance(values, dict) and all(map(_is_value, values.values()))


def _are_steps(rows: Any) -> bool:
    columns = {"step", *_STEP}
    return isinstance(rows, list) and all(
        _are_values(row) and row.keys() == columns for row in rows
    )


#: Properties that earlier versions kept as texts of JSON -> whether one can be made flat.
_STRUCTURES: dict[str, Callable[[Any], bool]] = {
    "parameters": _are_values,
    "sources": lambda value: value is None or _are_values(value),
    "statistics": _are_values,
    "steps": _are_steps,
}


def store_class_set(
    database: Database, name: str, wnids: Sequence[str], provenance: dict[str, Any]
) -> None:
    """Store the outcome of an analysis as a class set (kind ``selection``).

    SplitError for a name that a list or split has, and for an outcome without any class.
    """
    refuse_other_kind(database, name, "selection")
    if not wnids:
        raise SplitError(f"The selection {name!r} has no class, so it is not stored.")
    put_class_set(database, name, wnids, {"kind": "selection", **provenance})


def refuse_other_kind(
    database: Database,
    name: str,
    kind: str,
    remedy: str = "Choose another name.",
    argument: str | None = None,
) -> None:
    """Raise SplitError if the name belongs to a class set of another kind, which one of this kind
    does not replace; ``argument`` is the caller's argument that would replace it."""
    taken = {row["name"]: row["kind"] for row in database.rows(query("class_sets"))}.get(name, kind)
    if taken != kind:
        raise SplitError(
            f"{name!r} is a {taken} already, which a {kind} does not replace. {remedy}",
            argument=argument,
        )


def refuse_other_classes(database: Database, name: str, wnids: set[str]) -> None:
    """Raise SplitError if class sets are derived from the list of that name and the list to load
    holds other classes."""
    sets = {row["name"]: row for row in database.rows(query("class_sets"))}
    derived = dependants(sets.values(), name) if name in sets else []
    if derived and set(members(database, name)) != wnids:
        raise SplitError(
            f"{name!r} has other classes already, and {', '.join(derived)} derive from them. Choose"
            " another name, or make those anew and replace it.",
            argument="replace",
        )


def delete_class_set(database: Database, name: str, force: bool = False) -> dict[str, Any]:
    """Remove a class set and its memberships; the synsets stay. Returns what was removed: ``size``
    and its provenance.

    SplitError when there is none of that name, and, without ``force``, when other class sets name
    it in their provenance (their training classes, universe or parameters).
    """
    sets = {row["name"]: row for row in database.rows(query("class_sets"))}
    if name not in sets:
        raise SplitError(unknown_class_set(database, name))
    class_set = sets[name]
    others = dependants(sets.values(), name)
    if others and not force:
        listed = ", ".join(f"{other} ({sets[other]['kind']})" for other in others)
        raise SplitError(
            f"{name!r} is not deleted, because of what is derived from it: {listed}. To delete it"
            " all the same takes force.",
            argument="force",
        )
    database.write((query("delete_class_set"), {"class_set": name}))
    return {**class_set["properties"], "size": class_set["size"]}


def dependants(class_sets: Any, name: str) -> list[str]:
    """The class sets among the rows of the query ``class_sets`` whose provenance names another one;
    sorted."""
    return sorted(
        row["name"]
        for row in class_sets
        if row["name"] != name and name in _references(row["properties"])
    )


def _references(properties: dict[str, Any]) -> set[str]:
    """The texts in the properties that may name a class set."""
    found: set[str] = set()
    for key, value in properties.items():
        if key in ("train", "universe") or key.startswith("parameter_"):
            found.update(value if isinstance(value, list) else [value])
    return found


def described(properties: dict[str, Any]) -> str:
    """One line about a class set: kind, name, number of classes, provenance."""
    keys = ("train", "universe", "hierarchy", "max_hops", "query", "source", "created_at")
    provenance = ", ".join(
        f"{key} {properties[key]}" for key in keys if properties.get(key) is not None
    )
    size = properties["size"]
    return (
        f"{properties['kind']} {properties['name']}: {size:,} class{'es' if size != 1 else ''}"
        + (f" ({provenance})" if provenance else "")
    )
