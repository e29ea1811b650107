"""Old spellings and what they are now: an old one is answered by the new one."""

from __future__ import annotations

from collections.abc import Sequence

import click

from graphzsl.common.wording import did_you_mean, near

#: Old option -> what it may be called now; the answer is the first that the command has.
OPTIONS = {
    "--level": ("--confidence",),
    "--hierarchy": ("--wordnet",),
    "--graph": ("--wordnet",),
    "--classes": ("--each", "--classes-per-round"),
    "--choose": ("--tune",),
    "--no-choose": ("--no-tune",),
}
#: Command and option that it no longer has -> why.
GONE = {("accuracy-by", "--set"): "--set is gone: the classes are those of the tables."}
#: Group and old command -> what it is now.
COMMANDS = {
    "semantics": {
        "glosses": "semantics lsi",
        "vectors": "semantics word-vectors",
        "text": "semantics sentences",
    },
    "evaluate": {"audit": "audit"},
}


def option_answer(error: click.NoSuchOption) -> click.UsageError:
    """The error of an unknown option, or one that names what an old spelling has become."""
    if error.ctx is None:
        return error
    if said := GONE.get((error.ctx.command.name or "", error.option_name)):
        return click.UsageError(said, error.ctx)
    parameters = error.ctx.command.params
    known = {name for each in parameters for name in (*each.opts, *each.secondary_opts)}
    for new in OPTIONS.get(error.option_name, ()):
        if new in known:
            return click.UsageError(f"{error.option_name} is now {new}.", error.ctx)
    return error


def unknown_command(group: str, name: str, known: Sequence[str]) -> str:
    """What to answer to a command that the group does not have."""
    new = COMMANDS.get(group, {}).get(name)
    if new:
        return f"`{group} {name}` is now `{new}`."
    close = near(name, known, 3, 0.6)
    return f"No such command {name!r}.{did_you_mean([repr(each) for each in close])}"
