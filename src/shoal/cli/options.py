"""Options that several commands share and that are no settings: how files are read, where the work is done, what is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from shlex import quote
from typing import Any

import click

from shoal.cli.settings import SEVERAL, Command, columns_of


def columns(words: str) -> Callable[[Command], Command]:
    """--column: which columns a command is about."""
    return click.option("--column", "columns", multiple=True, metavar="COL", callback=columns_of, help=f"{words} {SEVERAL}")


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
        from shoal.io.addresses import with_query

        source = "input" if "input" in named else "original"
        return command(*given, **{**named, source: with_query(named[source], query)})

    return click.option("--query", metavar="SELECT…", help="Read what this query gives; the input is the address of a database.")(asked)


def character(delimiter: str | None) -> str | None:
    """A delimiter; ``\\t`` for a tab."""
    return "\t" if delimiter == "\\t" else delimiter


force = click.option("--force", is_flag=True, help="Replace output files that exist.")


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
