"""Options that several commands share."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from shlex import quote
from typing import Any

import click

Command = Callable[..., Any]
SEVERAL = "May be repeated, or several with commas (a name that has one in double quotes)."


def roles(command: Command) -> Command:
    """--qi, --sensitive, --identifier: each may be given several times, or once with commas."""
    for option in (
        click.option("--identifier", multiple=True, metavar="COL", callback=columns_of, help=f"A column to drop. {SEVERAL}"),
        sensitive,
        qi,
    ):
        command = option(command)
    return command


def columns_of(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Column names, each by itself or several with commas."""
    names = [name for text in given for name in _split(text)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise click.BadParameter(f"the column '{twice[0]}' is named twice")
    return tuple(names)


def _split(text: str) -> list[str]:
    return [part.strip() for part in next(csv.reader([text], skipinitialspace=True)) if part.strip()] if "," in text else [text]


def columns(words: str) -> Callable[[Command], Command]:
    """--column: which columns a command is about."""
    return click.option("--column", "columns", multiple=True, metavar="COL", callback=columns_of, help=f"{words} {SEVERAL}")


sensitive = click.option(
    "--sensitive",
    multiple=True,
    metavar="COL",
    callback=columns_of,
    help=f"A sensitive column: it is kept, and groups can be asked to vary in it. {SEVERAL}",
)
qi = click.option(
    "--qi",
    multiple=True,
    metavar="COL",
    callback=columns_of,
    help=f"A quasi-identifier: a column outsiders may know. {SEVERAL}",
)

withhold = click.option(
    "--withhold",
    "--suppress",
    "withhold",
    type=float,
    metavar="FRACTION",
    help="How many of the rows may be withheld, such as 0.01. (--suppress is its old name.)",
)


@dataclass(frozen=True)
class TextForm:
    """How a text file is written, as far as it was said."""

    delimiter: str | None = None
    encoding: str | None = None

    def open(self, path: str) -> Any:
        """The input: as it is, or read in this way."""
        if self == TextForm():
            return path
        from shoal import io

        return io.read(path, delimiter=self.delimiter, encoding=self.encoding)

    @property
    def flags(self) -> str:
        """The same again, for a command that is printed."""
        said = (("--delimiter", "\\t" if self.delimiter == "\t" else self.delimiter), ("--encoding", self.encoding))
        return "".join(f" {flag} {quote(value)}" for flag, value in said if value is not None)


def reading(command: Command) -> Command:
    """--delimiter and --encoding, for a file where they cannot be found out; the command gets them as one ``reading``."""

    @wraps(command)
    def read(*given: Any, delimiter: str | None = None, encoding: str | None = None, **named: Any) -> Any:
        return command(*given, **named, reading=TextForm(character(delimiter), encoding))

    return _reading_options("The input's", "")(read)


def reading_both(command: Command) -> Command:
    """The same for an original and its release, which may be written in different ways: ``reading`` and ``release_reading``."""

    @wraps(command)
    def read(*given: Any, delimiter: str | None = None, encoding: str | None = None, release_delimiter: str | None = None,
             release_encoding: str | None = None, **named: Any) -> Any:  # fmt: skip
        own = TextForm(character(release_delimiter or delimiter), release_encoding)
        return command(*given, **named, reading=TextForm(character(delimiter), encoding), release_reading=own)

    return _reading_options("ORIGINAL's", "")(_reading_options("RELEASE's", "release-")(read))


def _reading_options(whose: str, prefix: str) -> Callable[[Command], Command]:
    """Both options for one file. What is written has the input's delimiter by default, so it is looked for in a release too."""
    delimiter = "--delimiter's, if given; else found out" if prefix else "found out"

    def declare(command: Command) -> Command:
        command = click.option(
            f"--{prefix}encoding", metavar="NAME", help=f"{whose} encoding, such as latin-1 (default: found out)."
        )(command)  # fmt: skip
        return click.option(f"--{prefix}delimiter", metavar="CHAR", help=f"{whose} delimiter; \\t for a tab (default: {delimiter}).")(
            command
        )

    return declare


def query(command: Command) -> Command:
    """--query: what a database is asked for, beside its address."""

    @wraps(command)
    def asked(*given: Any, query: str | None = None, **named: Any) -> Any:
        from shoal.io.uris import with_query

        source = "input" if "input" in named else "original"
        return command(*given, **{**named, source: with_query(named[source], query)})

    return click.option("--query", metavar="SELECT…", help="Read what this query gives; the input is the address of a database.")(asked)


def character(delimiter: str | None) -> str | None:
    """A delimiter; ``\\t`` for a tab."""
    return "\t" if delimiter == "\\t" else delimiter


order = click.option(
    "--keep-order/--shuffle",
    default=None,
    help="Write rows in the input's order, which may reveal something (default); or sorted by what they show, which reveals nothing.",
)
force = click.option("--force", is_flag=True, help="Replace output files that exist.")
keep = click.option(
    "--keep", multiple=True, metavar="COL", callback=columns_of, help=f"A column to release as it is, on purpose. {SEVERAL}"
)
person = click.option(
    "--person", metavar="COL", help="The column that says which person a row is about: K counts people, and the column is dropped."
)
missing_values = click.option(
    "--missing-value",
    "missing_values",
    multiple=True,
    metavar="MARK",
    help="A text that stands for a missing cell, such as NA. May be repeated.",
)


target = click.option("--target", metavar="COL", help="A column that analysts want to predict: columns weigh by how much they tell of it.")


def weights(command: Command) -> Command:
    """--weight, --workload and --target: which columns matter most."""
    command = click.option(
        "--workload",
        metavar="FILE",
        help="Questions that analysts will ask, one a line (age=30..39 sex): columns weigh by how many need them.",
    )(command)
    command = target(command)
    return click.option(
        "--weight",
        "weights",
        multiple=True,
        metavar="COL=W",
        callback=_weights,
        help="How much the loss of a column counts (default 1). May be repeated.",
    )(command)


def _weights(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, float] | None:
    found: dict[str, float] = {}
    for text in given:
        name, equals, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise click.BadParameter(f"write COLUMN=NUMBER, as in age=2; not '{text}'")
    return found or None


def _master(context: click.Context, option: click.Parameter, given: str | None) -> None:
    if given is not None:
        os.environ["SHOAL_SPARK_MASTER"] = given  # where the session is made, it is looked for


def _archive(context: click.Context, option: click.Parameter, given: str | None) -> None:
    if given is not None:
        os.environ["SHOAL_SPARK_ARCHIVE"] = given


def engine(command: Command) -> Command:
    """--engine, --master, --archive, --memory and --work: where the rows are and who counts them."""
    from shoal import engines

    for option in (
        click.option(
            "--work", metavar="DIR", help="A folder for what an interrupted run can take up again. It holds data: only you may read it."
        ),
        click.option(
            "--archive",
            metavar="FILE",
            expose_value=False,
            callback=_archive,
            help="With --engine spark: what `shoal spark package` made, for workers that solve parts of a very large table.",
        ),
        click.option(
            "--master",
            metavar="URL",
            expose_value=False,
            callback=_master,
            help="With --engine spark: the cluster, such as spark://host:7077 (default: this machine).",
        ),
        click.option("--memory", metavar="SIZE", help="How much memory the run may use, such as 4GB (default: what the machine has)."),
        click.option(
            "--engine",
            metavar="NAME",
            help=f"Where the rows are and who counts them: {', '.join(engines.CATALOG)} (default: the one that fits the input).",
        ),
    ):
        command = option(command)
    return command


form = click.option(
    "--form",
    type=click.Choice(["labels", "bounds", "typed"]),
    default="labels",
    help="How cells are written: labels such as [20, 30); bounds, two columns age_from and age_to, and lists; typed, one value, and the label where it is a guess.",
)
policy = click.option("--policy", metavar="FILE", help="A TOML policy; flags override it.")
hierarchies = click.option("--hierarchies", metavar="DIR", help="A folder with one hierarchy file per column, in ARX's form.")

suppression_only = click.option(
    "--suppression-only",
    is_flag=True,
    default=None,
    help="A cell of a quasi-identifier keeps its value or becomes *, in every column. Not with hierarchies.",
)


def criteria(command: Command) -> Command:
    """``--require NAME=PARAMETERS`` and the shorthands that criteria declare, each an option. They arrive as ``require`` and by their keys."""
    from shoal.privacy import asking

    for key, shared in reversed(asking.shorthands().items()):
        first, *others = shared
        letters = ",".join(p.name.upper() for p in first.parameters)
        also = "".join(f", or {c.kind}:{','.join(p.name.upper() for p in c.parameters)}" for c in others)
        words = f"Every group: {'; '.join(p.words for p in first.parameters)}{also}."
        command = click.option(f"--{key.replace('_', '-')}", key, metavar=letters, help=words)(command)
    return click.option(
        "--require",
        multiple=True,
        metavar="NAME=PARAMETERS",
        callback=_requirements,
        help="Ask for a criterion by name; see 'shoal criteria'.",
    )(command)


def _requirements(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    from shoal.privacy import asking

    return dict(asking.read_requirement(text) for text in given)
