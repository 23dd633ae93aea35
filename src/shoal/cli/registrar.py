"""``shoal registrar``: one anonymous token for each entitled person, and one signature for each state of the session."""

from __future__ import annotations

from pathlib import Path

import click

DIRECTORY = click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))


@click.group(short_help="Give each entitled person one anonymous token.")
def registrar() -> None:
    """Give each entitled person one anonymous token, so that nobody enters twice and nobody is named.

    One registrar serves one session: its keys must not be used for another.
    """


@registrar.command(short_help="Make keys.")
@DIRECTORY
@click.option("--url", required=True, help="Where customers reach the registrar: https://HOST:PORT.")
@click.option("--bits", type=click.IntRange(2048, 8192), default=3072, show_default=True, help="Size of the RSA keys.")
def init(directory: Path, url: str, bits: int) -> None:
    """Make the keys and DIR/registrar.toml, the public part that the miner needs."""
    from shoal.protocol.transport import registrar_server

    registrar_server.init(directory, url, bits)
    click.echo(f"Give {directory / 'registrar.toml'} to the miner.")


@registrar.command(short_help="Write invitations.")
@DIRECTORY
@click.option("--count", type=click.IntRange(1, 10_000_000), required=True, help="How many people are entitled.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Where to write the codes, one per line.")
def invite(directory: Path, count: int, output: Path) -> None:
    """Make invitation codes. Hand one to each entitled person, and delete the file."""
    from shoal.protocol.transport import folders, registrar_server

    registrar_server.load_keys(directory)
    folders.write_private(output, ("\n".join(registrar_server.invite(directory, count)) + "\n").encode())
    click.echo(f"{count} invitations are in {output}.")


@registrar.command(short_help="Sign tokens and heads.")
@DIRECTORY
@click.option("--session", type=click.Path(path_type=Path), required=True, metavar="FILE", help="The session file.")
def serve(directory: Path, session: Path) -> None:
    """Answer requests for tokens, and countersign what the miner has at the end of each phase, until a signal stops it.

    When the session expires it ends by itself and wipes its keys.
    """
    from contextlib import suppress

    from shoal.protocol.transport import registrar_server

    with suppress(KeyboardInterrupt):
        registrar_server.serve(directory, session, lambda what: click.echo(f"Registrar of {what}. Stop with Ctrl-C.", err=True))


@registrar.command(short_help="Say how many tokens were given.")
@DIRECTORY
def status(directory: Path) -> None:
    """Print how many tokens may be given and how many were; never to whom."""
    from shoal.protocol.transport import registrar_server

    names, asked = registrar_server.status(directory)
    click.echo(f"{asked} of {names} tokens were given ({len(registrar_server.USES)} for each invitation).")


@registrar.command(short_help="Wipe the keys.")
@DIRECTORY
def wipe(directory: Path) -> None:
    """Overwrite and remove the keys, when the session is closed: no token and no countersignature can be made any more."""
    from shoal.protocol.transport import folders

    click.echo(f"{folders.wipe_all(directory, '*.key')} keys are wiped.")
