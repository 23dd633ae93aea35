"""``shoal randomness``: the server that turns quasi-identifiers into keys without seeing them."""

from __future__ import annotations

from pathlib import Path

import click

DIRECTORY = click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))


@click.group(short_help="Serve the randomness of the STAR mode.")
def randomness() -> None:
    """Serve the oblivious PRF of the STAR mode. It must be run by somebody who does not collude with the miner."""


@randomness.command(short_help="Make the key.")
@DIRECTORY
@click.option("--url", required=True, help="Where customers reach the server: https://HOST:PORT.")
def init(directory: Path, url: str) -> None:
    """Make the key and DIR/randomness.toml, the public part that the miner needs."""
    from shoal.protocol.transport import randomness_server

    randomness_server.init(directory, url)
    click.echo(f"Give {directory / 'randomness.toml'} to the miner.")


@randomness.command(short_help="Answer evaluations.")
@DIRECTORY
@click.option("--session", type=click.Path(path_type=Path), required=True, metavar="FILE", help="The session file.")
def serve(directory: Path, session: Path) -> None:
    """Evaluate the PRF, once for each token and round, until a signal stops it.

    When the session expires it ends by itself and wipes the key: nobody can test guesses with it any more.
    """
    from contextlib import suppress

    from shoal.protocol.transport import randomness_server

    with suppress(KeyboardInterrupt):
        randomness_server.serve(directory, session, lambda what: click.echo(f"Randomness server of {what}. Stop with Ctrl-C.", err=True))


@randomness.command(short_help="Wipe the key.")
@DIRECTORY
def wipe(directory: Path) -> None:
    """Overwrite and remove the keys, when the session is closed: nobody can test guesses with them any more."""
    from shoal.protocol.transport import folders

    click.echo(f"{folders.wipe_all(directory, '*.key')} keys are wiped.")
