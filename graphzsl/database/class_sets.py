"""The members of class sets and splits, storing and deleting them: what is removed is said, and
what others derive from is kept unless it is insisted on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from graphzsl.checked_names import check_name, shown
from graphzsl.database.client import Database, batches
from graphzsl.database.library import query
from graphzsl.database.names import unknown_class_set, unknown_wnid
from graphzsl.errors import DataError, SplitError
from graphzsl.files import now
from graphzsl.sources.published import LITERATURE_NAMES

#: Properties that are texts of their own, not references to class sets.
_OWN = ("name", "kind", "source", "query", "hierarchy", "recipe")


def members(database: Database, name: str) -> list[str]:
    """The wnids of a class set in its order; SplitError when there is no such set."""
    known = _set_name(name)
    return [row["wnid"] for row in database.many_rows(query("member_wnids"), class_set=known)]


def require_class_set(database: Database, name: object) -> None:
    """SplitError naming near and known class sets when there is none of that name."""
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
    """Create or replace a class set, in one transaction; positions follow the order given.

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
            {"class_set": name, "properties": {**properties, "size": len(members)}},
        ),
        *((query("add_members"), {"class_set": name, "rows": batch}) for batch in batches(members)),
    )


def store_class_set(
    database: Database, name: str, wnids: Sequence[str], provenance: dict[str, Any]
) -> None:
    """Store the outcome of an analysis as a class set (kind ``selection``).

    SplitError for a name that a list or split has, and for an outcome without any class.
    """
    refuse_other_kind(database, name, "selection")
    if not wnids:
        raise SplitError(f"The selection {name!r} has no class, so it is not stored.")
    put_class_set(database, name, wnids, {"kind": "selection", **provenance, "created_at": now()})


def refuse_other_kind(
    database: Database,
    name: str,
    kind: str,
    remedy: str = "Choose another name.",
    argument: str | None = None,
) -> None:
    """SplitError when the name belongs to a class set of another kind, which one of this kind does
    not replace; ``argument`` is the caller's that would."""
    taken = {row["name"]: row["kind"] for row in database.rows(query("class_sets"))}.get(name, kind)
    if taken != kind:
        raise SplitError(
            f"{name!r} is a {taken} already, which a {kind} does not replace. {remedy}",
            argument=argument,
        )


def refuse_other_classes(database: Database, name: str, wnids: set[str]) -> None:
    """SplitError when class sets are derived from the list of that name, and the one to load holds
    other classes."""
    sets = {row["name"]: row for row in database.rows(query("class_sets"))}
    derived = dependants(sets.values(), name) if name in sets else []
    if derived and set(members(database, name)) != wnids:
        raise SplitError(
            f"{name!r} has other classes already, and {', '.join(derived)} derive from them. Choose"
            " another name, or make those anew and replace it.",
            argument="replace",
        )


def delete_class_set(
    database: Database, name: str, kind: str | None = None, force: bool = False
) -> dict[str, Any]:
    """Remove a class set and its memberships; the synsets stay. Returns what was removed: ``size``
    and its provenance.

    SplitError when there is none of that name, when it is not of that ``kind``, and,
    without ``force``, when other class sets name it in their provenance (their training classes,
    universe or parameters).
    """
    sets = {row["name"]: row for row in database.rows(query("class_sets"))}
    if name not in sets:
        raise SplitError(unknown_class_set(database, name))
    class_set = sets[name]
    if kind not in (None, class_set["kind"]):
        raise SplitError(
            f"{name!r} is a {class_set['kind']}, not a {kind}; see `graphzsl class-set delete`."
        )
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
    """Every text in the properties that may name a class set; ``parameters`` is JSON."""
    values: list[Any] = [value for key, value in properties.items() if key not in _OWN]
    if "parameters" in properties:
        values.append(_parameters(properties))
    names: set[str] = set()
    while values:
        value = values.pop()
        if isinstance(value, str):
            names.add(value)
        elif isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list):
            values += value
    return names


def _parameters(properties: dict[str, Any]) -> Any:
    """DataError where they are not JSON: graphzsl wrote them otherwise."""
    try:
        return json.loads(properties["parameters"])
    except (TypeError, ValueError, RecursionError):
        raise DataError(
            f"The property `parameters` of the class set {properties.get('name')!r} in the database"
            " is not JSON, so graphzsl did not write it. Remove or mend it with Neo4j Browser."
        ) from None


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
