"""The command line: ``graphzsl GROUP COMMAND``. Every command is thin; the work is in the
package."""

from __future__ import annotations

import errno
import logging
import os
import sys
from typing import Any

import click

from graphzsl.cli.groups import COMMAND, Lazy
from graphzsl.cli.interruption import STATUS, ended_in_time
from graphzsl.common import (
    GraphZSLError,
    asked_for,
    cleared_progress,
    lacks_memory,
    missing,
    of_gpu,
)

#: Heading in --help -> command -> (module, one line of help); modules are imported when their
#: command is used.
SECTIONS = {
    "Begin": {
        "demo": (
            "graphzsl.cli.demo",
            "The whole way on real data, from an empty database to scores.",
        ),
        "audit": (
            "graphzsl.cli.audit",
            "Any classifier by its predictions: accuracy, how far mistakes are, confusions.",
        ),
        "look": ("graphzsl.cli.look", "All that is known of one class, on one screen."),
        "picture": (
            "graphzsl.cli.picture",
            "Classes in the hierarchy as one page to zoom and search; no server is needed.",
        ),
        "report": (
            "graphzsl.cli.report",
            "One HTML page with the table and plots of several runs.",
        ),
    },
    "Data": {
        "load": (
            "graphzsl.cli.load",
            "Load WordNet, class sets, populations, frequencies, the release hierarchy.",
        ),
        "query": ("graphzsl.cli.query", "List, show and run the queries of the Cypher library."),
        "split": (
            "graphzsl.cli.split",
            "Build benchmarks and splits; check, measure, explain, compare, export them.",
        ),
        "names": (
            "graphzsl.cli.class_names",
            "Names and prompts for classes, as CLIP tools read them; check a list of names.",
        ),
        "export": (
            "graphzsl.cli.export",
            "Write closest classes, hCorrectSets, ancestors and subgraphs to files.",
        ),
        "db": ("graphzsl.cli.db", "Start, stop, check and look at the local Neo4j server."),
    },
    "Models": {
        "train": ("graphzsl.cli.train", "Train a zero-shot model and predict classifiers."),
        "evaluate": (
            "graphzsl.cli.evaluate",
            "Score a model or a grid of runs, one JSON per run; compare runs.",
        ),
        "clip": (
            "graphzsl.cli.clip",
            "Zero-shot with CLIP: names to a class head, images to predictions, audited.",
        ),
        "semantics": (
            "graphzsl.cli.semantics",
            "Class embeddings: from glosses, word vectors, descriptions, the hierarchy; joined.",
        ),
        "convert": (
            "graphzsl.cli.convert",
            "Your arrays, images, classifier rows and published data sets into plain files.",
        ),
        "finetune": ("graphzsl.cli.finetune", "Fit an image backbone to predicted classifiers."),
    },
    "Studies": {
        "study": (
            "graphzsl.cli.study",
            "Words, frequencies, populations, granularity, the ILSVRC paper, tables of papers.",
        ),
    },
}


class _Main(Lazy):
    """All commands; errors are one line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for text in args:
            # neither a database nor a file of text holds what is not UTF-8
            if any("\ud800" <= letter <= "\udfff" for letter in text):
                raise click.UsageError(
                    f"{text!r} is not UTF-8. Type it anew; where it is a file, rename the file."
                )
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with ended_in_time(), cleared_progress():
                return super().invoke(ctx)
        except GraphZSLError as error:
            if ctx.params["debug"]:
                raise
            click.echo(f"Error: {_with_option(error, ctx.meta.get(COMMAND))}", err=True)
            ctx.exit(1)
        except ModuleNotFoundError as error:
            answer = missing(error)
            if ctx.params["debug"] or answer is error:
                raise
            click.echo(f"Error: {answer}", err=True)
            ctx.exit(1)
        except (MemoryError, RuntimeError) as error:
            if ctx.params["debug"] or not lacks_memory(error):
                raise
            click.echo(f"Error: {_without_memory(error, ctx.meta.get(COMMAND))}", err=True)
            ctx.exit(1)
        except OSError as error:
            # click ends in silence when its reader has gone
            if ctx.params["debug"] or error.errno == errno.EPIPE:
                raise
            named = " and ".join(
                str(name) for name in (error.filename, error.filename2) if name is not None
            )
            click.echo(f"Error: {named or 'the system'}: {error.strerror or error}.", err=True)
            ctx.exit(1)
        except KeyboardInterrupt as stop:
            click.echo("Stopped.", err=True)
            # worker processes that were cut off while they started cannot be ended twice
            sys.unraisablehook = lambda _: None
            ctx.exit(getattr(stop, "status", STATUS))


def _with_option(error: GraphZSLError, command: click.Command | None) -> str:
    """The message of an error, with the option of the command that mends it, or, where it has none
    of that name, the key of its configuration."""
    if error.argument is None:
        return str(error)
    options = {each.name: each for each in (command.params if command else ())}
    option = options.get(error.argument)
    flag, kind = f"--{error.argument.replace('_', '-')}", "option"
    if option is not None:
        flag = next((each for each in option.opts if each.startswith("--")), option.opts[0])
        if isinstance(option, click.Argument):
            flag, kind = option.human_readable_name, "argument"
    elif command is not None:
        value = "" if error.value is None else f" = {error.value}"
        return _with_note(error.message, "key", f"{error.argument}{value}")
    # a flag has no value
    value = "" if error.value is None or error.value is True else f" {error.value}"
    return _with_note(error.message, kind, f"{flag}{value}")


def _with_note(said: str, kind: str, called: str) -> str:
    """A message and the option, argument or key in brackets behind it; behind a list, where
    brackets would stand alone, a sentence on a line of its own."""
    if "\n" in said:
        return f"{said}\nThe {kind} is {called}."
    return f"{said.removesuffix('.')} ({called})."


#: Options that make a command take less memory -> what to do with them.
_TAKES_LESS = {"batch": "a smaller --batch", "shard": "a part at a time (--shard I/N)"}


def _without_memory(error: BaseException, command: click.Command | None) -> str:
    """Say where memory is short, and which options of the command take less."""
    options = {each.name for each in (command.params if command else ())}
    advice = [told for name, told in _TAKES_LESS.items() if name in options]
    whose = "the memory of the GPU is full" if of_gpu(error) else "there is not enough memory"
    if "start new thread" in str(error):
        whose = "no other thread can be started, for want of memory or by a limit (ulimit -u)"
    if of_gpu(error) and "device" in options:
        advice.append("--device cpu")
    elif not advice:
        advice.append("a machine with more memory, or less at once")
    asked = f" ({wanted} more at once)" if (wanted := asked_for(error)) else ""
    return f"{whose}{asked}. Try {' or '.join(advice)}."


@click.group(
    cls=_Main,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--uri", help="Another Neo4j server (default: NEO4J_URI; without it the local server)."
)
@click.option("--database", help="Its database (default: NEO4J_DATABASE, then neo4j).")
@click.version_option(package_name="graphzsl")
@click.pass_context
def main(ctx: click.Context, debug: bool, uri: str | None, database: str | None) -> None:
    """Zero-shot recognition over WordNet and ImageNet, on Neo4j.

    \b
    A first tour; the first two commands need no database:
      graphzsl audit sample
      graphzsl picture hops-1
      graphzsl load wordnet
      graphzsl load class-set ilsvrc2012
      graphzsl load class-set imagenet-fall11
      graphzsl split hops --max-hops 2
      graphzsl query run hop_split -p train=ilsvrc2012 -p universe=imagenet-fall11
      graphzsl db browser

    Tables are for people; --format json, jsonl or csv is for programs. Data goes to stdout, all
    else to stderr.
    """
    ctx.obj = {"uri": uri, "database": database}
    # https://no-color.org and a terminal that knows no styles; rich heeds both by itself
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    if not debug:
        _silence_driver(ctx)


def _silence_driver(ctx: click.Context) -> None:
    """Keep the driver's log off the terminal while the command runs: the error's one line has the
    part that matters."""
    logger = logging.getLogger("neo4j")
    previous = logger.level
    logger.setLevel(logging.CRITICAL)
    ctx.call_on_close(lambda: logger.setLevel(previous))
