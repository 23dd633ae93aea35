"""``shoal customer``: take part in a session with your own row, or with a table of rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]
SESSION = click.argument("session", type=click.Path(path_type=Path))
STATE = click.option(
    "--state",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Your keys for this session, made if it is not there; a folder where there are many rows.",
)


def shared(command: Command) -> Command:
    for option in (
        click.option("--poll", type=float, default=0.5, show_default=True, metavar="SECONDS", help="How often to ask the miner for news."),
        click.option("--patience", type=float, default=60.0, show_default=True, metavar="SECONDS", help="How long to wait for a server."),
        click.option("--no-help", is_flag=True, help="Do not offer to deal keys, mix or decrypt."),
        click.option("--proxy", metavar="URL", help="Go through a proxy, such as socks5://127.0.0.1:9050, so that servers see no address."),
        click.option("--invitation", default="", envvar="SHOAL_INVITATION", metavar="CODE", help="What the registrar gave you."),
        STATE,
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


@click.group(short_help="Take part in a session: send your row to a miner.")
def customer() -> None:
    """Take part in a session of a miner with your own row, or with a table of rows.

    \b
    shoal customer check session.toml
    shoal customer submit session.toml --state me.json --row row.json --invitation CODE
    shoal customer submit rows.csv --session session.toml --state rows.state --invitations codes.txt
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


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table; as for one row, no value is repeated in a message."""
    import csv

    from shoal.errors import PolicyError

    try:
        with open(path, newline="", encoding="utf-8-sig") as lines:
            rows = list(csv.DictReader(lines, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise PolicyError(f"The table '{path}' cannot be read as CSV.") from error
    if not rows:
        raise PolicyError(f"The table '{path}' has no rows.")
    bad = [n for n, row in enumerate(rows, start=2) if None in row or None in row.values()]
    if bad:
        raise PolicyError(f"The table '{path}': line {bad[0]} has another number of cells than the header.")
    return rows


def take_part(session: Path, row: dict[str, str] | None, no_help: bool, until: Callable[[Any, str], bool] | None, **how: Any) -> Any:
    from shoal.protocol import numbers
    from shoal.protocol.session import read_session
    from shoal.protocol.transport import client

    read = read_session(session)
    click.echo(numbers.describe(read)[0], err=True)
    return client.take_part(read, row, roles=() if no_help else ("deal", "help"), until=until, **how)


@customer.command(short_help="Say what a session withstands.")
@SESSION
def check(session: Path) -> None:
    """Print what a session is and what it withstands, in numbers, before you send anything."""
    from shoal.protocol import numbers
    from shoal.protocol.session import read_session

    read = read_session(session)
    click.echo(f"Session {read.digest[:16]}: {read.protocol}, k = {read.k}, until {read.expires:%Y-%m-%d %H:%M} UTC.")
    click.echo("\n".join(numbers.describe(read)))


@customer.command(short_help="Get on the roster, and deal and check keys.")
@SESSION
@shared
def join(session: Path, no_help: bool, **how: Any) -> None:
    """Join; stay until the keys are dealt and checked. The row is not needed yet."""
    made = take_part(session, None, no_help, lambda _, phase: phase in ("submit", "mix", "test"), **how)
    click.echo(f"Joined as customer {made.index}.")


@customer.command(short_help="Send the row, or a table of rows.")
@click.argument("file", type=click.Path(path_type=Path))
@shared
@click.option(
    "--row", type=click.Path(path_type=Path, allow_dash=True), metavar="FILE", help="Your row: a JSON object; - for standard input."
)
@click.option("--session", type=click.Path(path_type=Path), metavar="FILE", help="The session file, where FILE is a table of rows.")
@click.option(
    "--invitations", type=click.Path(path_type=Path), metavar="FILE", help="One invitation per line, one for each row of the table."
)
@click.option("--leave", is_flag=True, help="Suppression: end as soon as the encrypted row is sent, and come back with 'help'.")
def submit(
    file: Path, row: Path | None, session: Path | None, invitations: Path | None, leave: bool, no_help: bool, **how: Any
) -> None:  # fmt: skip
    """Join if you have not, send the row, and stay as long as the protocol needs you. Extraction does not need you any longer.

    FILE is the session file, and --row your row; or FILE is a table of rows (.csv), and --session the session file.
    """
    from shoal.errors import PolicyError

    leaving: Callable[[Any, str], bool] | None = (lambda customer, _: "row" in customer.submitted) if leave else None
    if session is not None:
        if row is not None or no_help or how.pop("invitation", ""):
            raise PolicyError("With a table of rows give --invitations, and neither --row nor --invitation nor --no-help.")
        submit_table(file, session, invitations, leaving, **how)
        return
    if row is None:
        raise PolicyError("Give your row with --row, or a table of rows with --session.")
    from shoal.protocol.transport.state import Finished

    try:
        made = take_part(file, read_row(row), no_help, leaving, **how)
    except Finished as done:
        click.echo(str(done))
        return
    kept = len(made.secrets.pending.get("receipts", {}))
    click.echo(f"Customer {made.index}: the row is submitted; {kept} receipts of the miner were checked and kept.")


def submit_table(
    table: Path, session: Path, invitations: Path | None, until: Callable[[Any, str], bool] | None, state: Path, poll: float, **how: Any
) -> None:
    """All rows of an owner."""
    from shoal.errors import PolicyError
    from shoal.protocol import numbers
    from shoal.protocol.session import read_session
    from shoal.protocol.transport import owner

    read, rows = read_session(session), read_rows(table)
    try:
        codes = invitations.read_text().split() if invitations else []
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"The invitations '{invitations}' cannot be read.") from error
    click.echo(numbers.describe(read)[0], err=True)
    click.echo(numbers.of_owner(read, len(rows)), err=True)
    made = owner.make_customers(read, rows, codes, state, **how)
    owner.take_part(made, poll, until)
    click.echo(f"{len(made)} rows are submitted.")


@customer.command(name="help", short_help="Stay online to mix and decrypt.")
@SESSION
@shared
@ROW
def help_(session: Path, row: Path, no_help: bool, **how: Any) -> None:
    """Come back after 'submit --leave': mix and decrypt for others, and release your own row at the end."""
    made = take_part(session, read_row(row), no_help, None, **how)
    click.echo(f"Customer {made.index}: the session is over.")


@customer.command(short_help="Print the board's sealed heads, for comparing.")
@SESSION
@STATE
@click.option("--proxy", metavar="URL", help="Go through a proxy.")
def digest(session: Path, state: Path, proxy: str | None) -> None:
    """Fetch the board, check all of it, and print the sealed head of each phase (in STAR of each round).

    Whoever took part in the same session must see the same: compare them by telephone, or on paper.
    """
    from shoal.errors import PolicyError
    from shoal.protocol.agent import Customer, Secrets
    from shoal.protocol.session import read_session
    from shoal.protocol.transport import client

    read = read_session(session)
    secrets = Secrets.load(read, state) if state.exists() else None
    if secrets is None or not secrets.index:
        raise PolicyError(f"The state file '{state}' belongs to a customer who has not joined.")
    made = Customer(read, client.MinerLink(read, proxy), secrets, None)
    click.echo(f"session   {'':>7} {read.digest}")
    for head in made.sealed_heads():
        click.echo(f"{head.place:<9} {head.seq:>7} {head.digest}")
