"""Commands and groups as graphzsl has them: summaries that are never cut, options in sections,
near names for misspelt commands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import click

from graphzsl.common import did_you_mean, near

#: Section of --help -> the parameters in it, in the order in which the sections are shown. What is
#: not listed is the command's own and comes before them.
SECTIONS = {
    "Inputs": """
        data graph semantics classifiers features vectors candidates train test universe
        class_set senses classes names labels truth generalized missing numbered center_features
        feature_scaling semantic_scaling model checkpoint pretrained random rule templates shared
        source split below at image_key label_key wordnet hcorrect valid hierarchy text label_column
        pred_column score_column answer_column splits wnids nodes words per_class
    """,
    "Validation": "validate_with tune validation_seed calibrate",
    "Computing": """
        k decode rounds level seed device precision batch workers engine shard scheduler
    """,
    "Output": """
        name simulated strict names_out mapped_out vectors_out out store store_secondary figure
        logarithmic flags configurations classes_table kind output_format save
    """,
}
#: Parameters whose names begin like this are a model's own.
OWN = "option_"
#: Commands with fewer options than this show them in one list.
MANY = 9


#: Where a context holds the command that runs.
COMMAND = "graphzsl.command"


class Command(click.Command):
    """A command that shows its options in sections where it has many."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run it; errors name its options."""
        ctx.meta[COMMAND] = self
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections = sections_of(self, ctx)
        for name, parameters in sections.items():
            records = [parameter.get_help_record(ctx) for parameter in parameters]
            with formatter.section(name):
                formatter.write_dl([record for record in records if record is not None])


def sections_of(command: click.Command, ctx: click.Context) -> dict[str, list[click.Parameter]]:
    """Section of --help -> its options: the command's own first, --help last."""
    found: dict[str, list[click.Parameter]] = defaultdict(list)
    options = [each for each in command.get_params(ctx) if isinstance(each, click.Option)]
    shown = [each for each in options if not each.hidden and "--help" not in each.opts]
    last = [each for each in options if "--help" in each.opts]
    if len(shown) < MANY:
        return {"Options": [*shown, *last]}
    for option in shown:
        found[section_of(option, command.name or "")].append(option)
    order = [*(name for name in found if name not in SECTIONS), *SECTIONS]
    ordered = {name: found[name] for name in order if name in found}
    next(reversed(ordered.values())).extend(last)
    return ordered


def section_of(parameter: click.Parameter, command: str) -> str:
    """The section of --help that an option stands in."""
    name = parameter.name or ""
    if name.startswith(OWN):
        return f"Options of {command}"
    listed = (section for section, names in SECTIONS.items() if name in names.split())
    return next(listed, "Options")


class Group(click.Group):
    """A group whose commands are summed up in whole sentences, and whose misspelt ones are
    answered by near ones."""

    command_class = Command
    group_class = type

    def invoke(self, ctx: click.Context) -> Any:
        """Run it; where it is a command itself, errors name its options."""
        if self.invoke_without_command:
            ctx.meta[COMMAND] = self
        return super().invoke(ctx)

    def summaries(self, ctx: click.Context) -> list[tuple[str, str]]:
        """(command, its first sentence)."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        return [
            (name, first_sentence(command))
            for name, command in commands
            if command is not None and not command.hidden
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(self.summaries(ctx))

    def paths(self, ctx: click.Context, path: str = "") -> Iterator[str]:
        """The commands in it, and in the groups in it, by the words that call each, the choices of
        an argument among them."""
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            yield f"{path}{name}"
            if isinstance(command, Group):
                yield from command.paths(ctx, f"{path}{name} ")
                continue
            for argument in command.params if command else ():
                if isinstance(argument, click.Argument) and isinstance(argument.type, click.Choice):
                    yield from (f"{path}{name} {choice}" for choice in argument.type.choices)

    def offers(self, ctx: click.Context, name: str, cutoff: float = 0.7) -> list[str]:
        """The commands that a misspelt or misplaced one may mean, in full: an option of this group,
        commands of it and those below, else of all; ``cutoff`` is how near a word has to be."""
        own = " ".join(["graphzsl", *ctx.command_path.split()[1:], ""])
        if any(f"--{name}" in each.opts for each in self.params):
            return [f"{own}--{name}"]
        paths: dict[str, list[str]] = defaultdict(list)
        for path in self.paths(ctx, own):
            paths[path.split()[-1]].append(path)
        begun = [word for word in paths if _begins(word, name)]
        words = near(name, paths, cutoff=1) or begun or near(name, paths, cutoff=cutoff)
        found = [
            path
            for word in words
            for path in ([own + word] if own + word in paths[word] else paths[word])
        ]
        root = ctx.find_root()
        if found or root is ctx or not isinstance(root.command, Group):
            return found
        # a word of another group says less, and has to be nearer
        return root.command.offers(root, name, cutoff=0.85)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        known = self.get_command(ctx, name) is not None
        if not known and not ctx.resilient_parsing and not name.startswith("-"):
            hint = did_you_mean([repr(each) for each in self.offers(ctx, name)[:3]])
            raise click.UsageError(f"No such command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


def _begins(word: str, name: str) -> bool:
    """One of the two begins with the other, which has four letters or more; hyphens do not
    count."""
    short, long = sorted((word.replace("-", ""), name.lower().replace("-", "")), key=len)
    return len(short) > 3 and long.startswith(short)


class Lazy(Group):
    """A group whose commands are imported when they are used, so that --help answers at once.

    Args:
        sections: heading in --help -> command -> (the module of it, one line of help).
    """

    def __init__(
        self, *args: Any, sections: Mapping[str, Mapping[str, tuple[str, str]]], **how: Any
    ) -> None:
        super().__init__(*args, **how)
        self.sections = sections
        self.modules = {name: at for part in sections.values() for name, (at, _) in part.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            return None
        command = import_module(self.modules[cmd_name]).command
        assert isinstance(command, click.Command)
        return command

    def summaries(self, ctx: click.Context) -> list[tuple[str, str]]:
        return [(name, text) for part in self.sections.values() for name, (_, text) in part.items()]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, self.modules))
        for title, commands in self.sections.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(widest), text) for name, (_, text) in commands.items()]
                )


def first_sentence(command: click.Command) -> str:
    """The short help of a command, or the first sentence of its help: never cut."""
    if command.short_help:
        return command.short_help
    paragraph = " ".join((command.help or "").split("\n\n")[0].split())
    # a full stop within brackets, as in "(Xian et al. 2017)", ends no sentence
    depth = 0
    for place, sign in enumerate(paragraph):
        depth += (sign in "([") - (sign in ")]")
        if sign == "." and depth == 0 and paragraph[place + 1 : place + 2] in ("", " "):
            return paragraph[: place + 1]
    return paragraph
