"""The group of commands, and how an error reaches a person: one readable message, and the right exit status."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from difflib import get_close_matches
from types import FrameType
from typing import Any

import click

import shoal
from shoal.disk.atomic import forget, still_there
from shoal.disk.system import ENDINGS
from shoal.registry import load

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("shoal.cli.init:init", "Write a starter policy: roles, hierarchies and the questions left open."),
    "anonymize": ("shoal.cli.anonymize:anonymize", "Turn a table about people into a verified k-anonymous release."),
    "verify": ("shoal.cli.verify:verify", "Recount a release by any tool."),
    "measure": ("shoal.cli.measure:measure", "Say what a release by any tool has lost."),
    "read": ("shoal.cli.read:read", "Say what a release by any tool tells, with its uncertainty."),
    "assess": ("shoal.cli.assess:assess", "Say what a table gives away as it is."),
    "explore": ("shoal.cli.explore:explore", "Draw loss, bound and risk against k."),
    "hierarchy": ("shoal.cli.hierarchy:hierarchy", "Suggest, check, complete or show hierarchies."),
    "cluster": ("shoal.cli.cluster:cluster", "Publish centres of clusters of at least r rows."),
    "miner": ("shoal.cli.miner:miner", "Collect a k-anonymous table; nobody sees the raw rows."),
    "customer": ("shoal.cli.customer:customer", "Take part in a session: send your row to a miner."),
    "registrar": ("shoal.cli.registrar:registrar", "Give each entitled person one anonymous token."),
    "randomness": ("shoal.cli.randomness:randomness", "Serve the randomness of the STAR mode."),
    "studio": ("shoal.cli.studio:studio", "Open the local web page."),
    "spark": ("shoal.cli.spark:spark", "Pack shoal for the workers of a Spark cluster."),
    "algorithms": ("shoal.cli.catalogs:algorithms", "List the algorithms, with guarantee and reference."),
    "measures": ("shoal.cli.catalogs:measures", "List the measures, with formula and reference."),
    "criteria": ("shoal.cli.catalogs:criteria", "List the privacy criteria, with parameters and reference."),
    "instance": ("shoal.cli.instance:instance", "Write a paper's hard table, to try an algorithm on."),
    "demo": ("shoal.cli.demo:demo", "A guided run on the table we ship."),
}


EXTRAS = {"miner": "protocol", "customer": "protocol", "registrar": "protocol", "randomness": "protocol", "studio": "studio"}
"""The commands that as a whole need libraries which are not installed by default, and what to install."""

EXIT_STATUS: dict[int, str] = {
    0: "done; what was written is verified",
    1: "verify: the release does not keep its promise",
    2: "bad usage, policy, file or data; nothing was written",
    3: "infeasible: no release of this table meets what was asked",
    4: "verify: nothing wrong was found, but cells could not be compared",
    130: "interrupted; nothing was written, unless the message names files",
}
"""What every command says by its exit status."""


class LazyGroup(click.Group):
    """A group whose commands are loaded when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = load(COMMANDS[name][0])
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"There is no command '{args[0]}'.{hint} There are: {', '.join(COMMANDS)}.")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    epilog="\b\nExit status:\n" + "\n".join(f"  {n:<4} {words}" for n, words in EXIT_STATUS.items()),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(shoal.__version__, "--version", prog_name="shoal")
@click.option("--debug", is_flag=True, help="Show the traceback of an error. It may contain cells of the data.")
def cli(debug: bool) -> None:
    """shoal publishes tables about people so that nobody stands alone in the columns that you name.

    \b
    shoal anonymize patients.csv -o release.csv -k 5 --qi age --qi postcode --qi sex
    shoal verify patients.csv release.csv -k 5 --qi age --qi postcode --qi sex
    shoal COMMAND --help
    """


def run(arguments: list[str] | None = None) -> int:
    """Run a command and give its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in arguments
    arguments = [a for a in arguments if a != "--debug"]
    interrupt = _Interrupt()
    forget()
    warnings.simplefilter("ignore", shoal.ShoalWarning)  # the summary says the same, and --quiet asks for silence
    try:
        result = cli.main(args=arguments, prog_name="shoal", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        return _interrupted()
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the pipe is closed; give Python something that it can close
        return 0
    except shoal.ShoalError as error:
        if debug:
            traceback.print_exc()
        click.echo(f"Error: {error}", err=True)
        return error.exit_status
    except MemoryError:
        click.echo("Error: not enough memory for this table. Try fewer columns, or a machine with more.", err=True)
        return 2
    except Exception as error:
        if interrupt.came:  # while a library was loading, or called back: it made an error of its own of it
            return _interrupted()
        if debug:
            traceback.print_exc()
        click.echo(f"Error: {_needed(error, arguments) or _unexpected(error)}", err=True)
        return 2


def _needed(error: Exception, arguments: list[str]) -> str | None:
    """What to install, where a command lacks a library that is not installed by default."""
    command = next(iter(arguments), "")
    if not isinstance(error, ModuleNotFoundError) or command not in EXTRAS or (error.name or "shoal").startswith("shoal"):
        return None
    return f"'shoal {command}' needs '{error.name}', which is not installed: pip install 'shoal[{EXTRAS[command]}]'."


def _unexpected(error: Exception) -> str:
    return (
        f"shoal met something it did not expect ({type(error).__name__}). {_written()} "
        "Run again with --debug to see where; what that prints may contain cells of your data."
    )


def _written() -> str:
    there = still_there()
    return f"This was written before: {', '.join(there)}." if there else "Nothing was written."


def _interrupted() -> int:
    there = still_there()
    click.echo(f"Interrupted after this was written: {', '.join(there)}." if there else "Interrupted. Nothing was written.", err=True)
    return 130


class _Interrupt:
    """Makes an interrupt of every request to end, and remembers it. What is ignored stays so: ``nohup``, and jobs in the background."""

    def __init__(self) -> None:
        self.came = False
        for number in ENDINGS:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.raise_it)

    def raise_it(self, number: int, frame: FrameType | None) -> Any:
        self.came = True
        raise KeyboardInterrupt
