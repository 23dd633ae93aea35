"""``shoal miner``: set up a session, serve it, and release the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

DIRECTORY = click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))


@click.group(short_help="Collect a k-anonymous table; nobody sees the raw rows.")
def miner() -> None:
    """Collect a k-anonymous table from people who hold a row each.

    \b
    shoal miner init study --protocol star -k 5 --schema columns.toml --url https://127.0.0.1:8443 ...
    shoal miner serve study          (customers join and submit meanwhile)
    shoal miner close study
    shoal miner release study -o table.csv
    """


@miner.command(short_help="Make keys and the session file.")
@DIRECTORY
@click.option("--protocol", type=click.Choice(["extraction", "suppression", "star"]), required=True, help="How the table is made.")
@click.option("-k", type=int, required=True, help="Every row looks like at least K - 1 others; K is 3 or more.")
@click.option("--schema", type=click.Path(path_type=Path), required=True, metavar="FILE", help="A TOML file with the [[columns]].")
@click.option("--url", required=True, help="Where customers reach the miner: https://HOST:PORT.")
@click.option("--registrar", type=click.Path(path_type=Path), metavar="FILE", help="registrar.toml of the registrar.")
@click.option("--randomness", type=click.Path(path_type=Path), metavar="FILE", help="randomness.toml of the randomness server.")
@click.option("--open", is_flag=True, help="Without a registrar: anybody enters, and everybody is trusted to follow the protocol.")
@click.option("--customers", type=int, default=0, help="How many are expected; joining ends when they are there.")
@click.option("--tolerate", type=int, default=0, metavar="C", help="Keep k even if C customers collude with the miner.")
@click.option("--committee", type=int, default=None, help="How many customers deal keys.  [default: 3, or 2 x tolerate + 1]")
@click.option("--decryptors", type=int, default=3, show_default=True, help="Suppression: how many shares decrypt (t).")
@click.option("--mixers", type=int, default=2, show_default=True, help="Suppression: how many mixers in a chain.")
@click.option("--rerandomise", is_flag=True, help="Suppression: mixers re-randomise literally, as the paper has it.")
@click.option("--partition", default="local", show_default=True, help="Suppression: local, nearest, forest or meyerson-williams.")
@click.option("--rounds", type=int, default=32, show_default=True, help="STAR: how many generalizations are tried; 1 for exact rows only.")
@click.option("--hours", type=float, default=24.0, show_default=True, help="The session expires after so many hours.")
@click.option("--seconds", multiple=True, metavar="NAME=N", help="How long a phase may take: join, deal, check, submit, lease, round.")
def init(directory: Path, schema: Path, url: str, registrar: Path | None, randomness: Path | None, hours: float, seconds: tuple[str, ...],
         **settings: Any) -> None:  # fmt: skip
    """Make the miner's keys and DIR/session.toml, the file that all parties must see."""
    from datetime import UTC, datetime, timedelta

    from shoal.errors import PolicyError
    from shoal.protocol import numbers
    from shoal.protocol.transport import miner_server

    limits = {}
    for text in seconds:
        name, _, number = text.partition("=")
        if not number.isdecimal():
            raise PolicyError(f"--seconds {text}: write NAME=N, such as lease=20.")
        limits[name] = int(number)
    settings["committee"] = settings["committee"] or max(3, 2 * settings["tolerate"] + 1)
    parties = {name: read_text(path) for name, path in (("registrar", registrar), ("randomness", randomness)) if path is not None}
    expires = datetime.now(UTC) + timedelta(hours=hours)
    session = miner_server.init(directory, {**settings, "seconds": limits}, read_text(schema), parties, url, expires)
    click.echo(f"Session {session.digest[:16]} is in {directory / 'session.toml'}. Give this file to everybody who takes part.")
    click.echo("\n".join(numbers.describe(session)))


def read_text(path: Path) -> str:
    from shoal.errors import PolicyError

    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"The file '{path}' cannot be read.") from error


@miner.command(short_help="Serve the session.")
@DIRECTORY
@click.option("--until-closed", is_flag=True, help="Stop when the session is closed or has failed.")
def serve(directory: Path, until_closed: bool) -> None:
    """Take messages until a signal stops it. It may be stopped, or die, at any time: nothing that was answered is lost."""
    from contextlib import suppress

    from shoal.protocol.transport import miner_server

    def ready(what: str) -> None:
        click.echo(f"Miner of {what}. Stop with Ctrl-C; nothing that was answered is lost.", err=True)

    with suppress(KeyboardInterrupt):
        miner_server.serve(directory, until_closed, ready)


@miner.command(short_help="Say how far the session is.")
@DIRECTORY
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def status(directory: Path, as_json: bool) -> None:
    """Print the phase and the counts, from the log."""
    import json

    from shoal.protocol.transport import miner_server

    said = miner_server.load_miner(directory)[0].status()
    if as_json:
        click.echo(json.dumps(said))
        return
    click.echo(f"phase {said['phase']}" + (f" ({said['reason']})" if said["reason"] else ""))
    click.echo(
        f"{said['customers']} customers joined, {said['submitted']} submitted, {said['opened'] or said['released']} opened or released"
    )
    for index, why in said["named"].items():
        click.echo(f"customer {index} {why}")


@miner.command(short_help="End the phase that is under way.")
@DIRECTORY
def close(directory: Path) -> None:
    """End joining, or submission, through the running server; whoever has not come by now is left out."""
    from shoal.protocol.messages import Message
    from shoal.protocol.transport import miner_server
    from shoal.protocol.transport.client import MinerLink

    session, key = miner_server.load(directory)
    link = MinerLink(session, patience=5)
    before = link.view("status")
    slot = f"{before['phase']}-{before['round']}"
    message = Message(session.digest, 0, "close", slot, {"phase": before["phase"]}).signed(key)
    click.echo(f"{before['phase']} is closed; the session is now in the phase {link.post(message)['phase']}.")


@miner.command(short_help="Open the table and write it.")
@DIRECTORY
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Where to write the table, as CSV.")
@click.option("--transcript", type=click.Path(path_type=Path), metavar="FILE", help="Write the signed transcript for an auditor.")
def release(directory: Path, output: Path, transcript: Path | None) -> None:
    """Open what may be opened in a closed session, count it again, and write it."""
    from shoal.protocol import transcript as transcripts
    from shoal.protocol.transport import miner_server

    found, log, key = miner_server.load_miner(directory)
    result = found.release()
    write_whole(output, lambda part: part.write_text(result.csv()))
    if transcript:
        write_whole(transcript, lambda part: transcripts.write(part, found.session, log.entries(), result, key), private=True)
    click.echo(
        f"{len(result.rows)} of {result.n_submitted} rows released, {result.n_suppressed} cells starred, every group has {result.k} rows or more."
    )
    if result.reached is not None:
        click.echo(result.reached.sentence())
    for index, why in result.named.items():
        click.echo(f"customer {index} {why}")


def write_whole(path: Path, write: Callable[[Path], Any], private: bool = False) -> None:
    """Write a file completely or not at all; only its owner can read a private one."""
    from shoal.errors import WriteError

    part = path.with_name(path.name + ".part")
    try:
        if private:
            part.unlink(missing_ok=True)
            part.touch(mode=0o600)
        write(part)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise WriteError(f"'{path}' could not be written: {error.strerror}.") from error


@miner.command(short_help="Wipe the miner's keys.")
@DIRECTORY
def wipe(directory: Path) -> None:
    """Overwrite and remove the miner's keys, when the table and the transcript are written: nothing can be signed in the session's name any more."""
    from shoal.protocol.transport import folders

    click.echo(f"{folders.wipe_all(directory, '*.key')} keys are wiped.")


@miner.command(short_help="Check a transcript as a third party.")
@click.argument("transcript", type=click.Path(path_type=Path))
@click.option("--session", type=click.Path(path_type=Path), required=True, metavar="FILE", help="The session file.")
@click.option(
    "--state", type=click.Path(path_type=Path), multiple=True, metavar="FILE", help="A customer's state file: are her messages in it?"
)
@click.option("--table", type=click.Path(path_type=Path), metavar="FILE", help="The table that is said to come from it.")
def audit(transcript: Path, session: Path, table: Path | None, state: tuple[Path, ...]) -> None:
    """Check the chain, every signature, token and proof, open the table again, and compare.

    With --state also that nothing is missing for which the miner gave this customer a receipt.
    """
    from shoal.errors import PolicyError, ProtocolError
    from shoal.protocol import transcript as transcripts
    from shoal.protocol.agent import Secrets
    from shoal.protocol.receipts import check_kept
    from shoal.protocol.session import read_session

    read = read_session(session)
    result = transcripts.audit(transcript, read)
    if table and read_text(table) != result.csv():
        raise ProtocolError("The table did not come from this session: the transcript opens to another one.")
    for path in state:
        if not path.exists():
            raise PolicyError(f"There is no state file '{path}'.")
        kept = Secrets.load(read, path).pending.get("receipts", {})
        click.echo(f"All {check_kept(kept, transcripts.hashes(transcript))} messages with a receipt in {path} are in the transcript.")
    click.echo(f"The transcript holds: {len(result.rows)} rows, {result.n_submitted} customers, table {result.digest[:16]}.")
