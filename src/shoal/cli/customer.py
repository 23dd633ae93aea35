"""``shoal customer``: take part in a session with one's own row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]


def shared(command: Command) -> Command:
    for option in (
        click.option("--poll", type=float, default=0.5, show_default=True, metavar="SECONDS", help="How often to ask the miner for news."),
        click.option("--patience", type=float, default=60.0, show_default=True, metavar="SECONDS", help="How long to wait for a server."),
        click.option("--no-help", is_flag=True, help="Do not offer to deal keys, mix or decrypt."),
        click.option("--proxy", metavar="URL", help="Go through a proxy, such as socks5://127.0.0.1:9050, so that servers see no address."),
        click.option("--invitation", default="", envvar="SHOAL_INVITATION", metavar="CODE", help="What the registrar gave you."),
        click.option(
            "--state",
            type=click.Path(path_type=Path),
            required=True,
            metavar="FILE",
            help="Your keys for this session; made if it is not there.",
        ),
        click.argument("session", type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


ROW = click.option(
    "--row",
    type=click.Path(path_type=Path, allow_dash=True),
    required=True,
    metavar="FILE",
    help="Your row: a JSON object; - for standard input.",
)


@click.group(short_help="Hand one's row to a miner.")
def customer() -> None:
    """Take part in a session of a miner with your own row.

    \b
    shoal customer submit session.toml --state me.json --row row.json --invitation CODE
    """


def read_row(path: Path) -> dict[str, str]:
    """A row from a file; its values are never repeated in a message."""
    import json
    import sys

    from shoal.errors import PolicyError

    try:
        data = json.loads(sys.stdin.read() if str(path) == "-" else path.read_text())
    except (OSError, ValueError) as error:
        raise PolicyError(f"The row '{path}' cannot be read as JSON.") from error
    if not isinstance(data, dict) or not all(isinstance(v, str | int) for v in data.values()):
        raise PolicyError(f"The row '{path}' is not a JSON object of texts.")
    return {str(name): str(value) for name, value in data.items()}


def take_part(session: Path, row: dict[str, str] | None, no_help: bool, until: Callable[[Any, str], bool] | None, **how: Any) -> Any:
    from shoal.protocol.session import read_session
    from shoal.protocol.transport import client

    return client.take_part(read_session(session), row, roles=() if no_help else ("deal", "help"), until=until, **how)


@customer.command(short_help="Get on the roster, and deal and check keys.")
@shared
def join(session: Path, no_help: bool, **how: Any) -> None:
    """Join; stay until the keys are dealt and checked. The row is not needed yet."""
    made = take_part(session, None, no_help, lambda _, phase: phase in ("submit", "mix", "test"), **how)
    click.echo(f"Joined as customer {made.index}.")


@customer.command(short_help="Send the row.")
@shared
@ROW
@click.option("--leave", is_flag=True, help="Suppression: go as soon as the encrypted row is sent, and come back with 'help'.")
def submit(session: Path, row: Path, leave: bool, no_help: bool, **how: Any) -> None:
    """Join if need be, send the row, and stay as long as the protocol needs you: in extraction not at all."""
    leaving: Callable[[Any, str], bool] | None = (lambda customer, _: "row" in customer.submitted) if leave else None
    made = take_part(session, read_row(row), no_help, leaving, **how)
    click.echo(f"Customer {made.index}: the row is submitted; {len(made.link.receipts)} receipts of the miner were received.")


@customer.command(name="help", short_help="Stay online to mix and decrypt.")
@shared
@ROW
def help_(session: Path, row: Path, no_help: bool, **how: Any) -> None:
    """Come back after 'submit --leave': mix and decrypt for others, and release the own row in the end."""
    made = take_part(session, read_row(row), no_help, None, **how)
    click.echo(f"Customer {made.index}: the session is over.")
