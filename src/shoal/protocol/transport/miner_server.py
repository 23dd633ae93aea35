"""The miner's server, its directory, and how a session is set up."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol import countersign
from shoal.protocol.messages import Message, public_bytes
from shoal.protocol.miner import Miner
from shoal.protocol.session import FORMAT, Session, parse_session, read_session
from shoal.protocol.transport import folders, web
from shoal.protocol.transport.client import Connection
from shoal.protocol.transport.engine import Engine, replay
from shoal.protocol.transport.storage import Log


def init(
    directory: Path, settings: Mapping[str, Any], columns: str, parties: Mapping[str, str], url: str, expires: datetime
) -> Session:
    """Make the miner's keys and the session file. ``columns`` and ``parties`` are TOML text."""
    with folders.new_folder(directory) as part:
        key = Ed25519PrivateKey.generate()
        certificate = web.make_certificate(part, url)
        lines = [
            f'format = "{FORMAT}"',
            f'number = "{secrets.token_hex(16)}"',
            f"expires = {expires.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        ]
        lines += [f"{name} = {toml(value)}" for name, value in settings.items() if name != "seconds"]
        text = "\n".join(lines) + "\n"
        text += party("miner", url, public_bytes(key).hex(), certificate)
        for other in parties.values():
            text += "\n" + other.strip() + "\n"
        if settings.get("seconds"):
            text += "\n[seconds]\n" + "\n".join(f"{n} = {v}" for n, v in settings["seconds"].items()) + "\n"
        text += "\n" + columns.strip() + "\n"
        session = parse_session(text.encode())
        folders.write_private(part / "miner.key", key.private_bytes_raw().hex().encode())
        folders.write_private(part / "session.toml", session.raw)
    return session


def toml(value: Any) -> str:
    """A number, truth value or text as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def party(name: str, url: str, key: str, certificate: str, **more: str) -> str:
    """The table of a server in the session file."""
    values = {"key": key, **more, "certificate": certificate}
    lines = [f'{n} = """\n{v}"""' if "\n" in v else f"{n} = {toml(v)}" for n, v in values.items()]
    return f"\n[{name}]\nurl = {toml(url)}\n" + "\n".join(lines) + "\n"


def load(directory: Path) -> tuple[Session, Ed25519PrivateKey]:
    """Session and key of a miner's directory."""
    session = read_session(directory / "session.toml")
    try:
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex((directory / "miner.key").read_text().strip()))
    except (OSError, ValueError) as error:
        raise PolicyError(f"'{directory}' holds no miner's key.") from error
    return session, key


def load_miner(directory: Path) -> tuple[Miner, Log, Ed25519PrivateKey]:
    """The miner as his log says, without a server; works while the server runs."""
    session, key = load(directory)
    if not (directory / "log.sqlite").exists():
        raise PolicyError(f"'{directory}' has no log yet: nothing was sent to this session.")
    log = Log(directory / "log.sqlite", session, read_only=True)
    return replay(session, public_bytes(key), log), log, key


def application(engine: Engine) -> Starlette:
    async def messages(request: Request) -> Response:
        message = Message.decode(await web.read_body(request))
        return JSONResponse(await asyncio.wrap_future(engine.post(message)))

    async def ask(request: Request) -> Response:
        message = Message.decode(await web.read_body(request))
        return JSONResponse(await run_in_threadpool(engine.ask, message))

    async def view(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(engine.view, request.path_params["name"]))

    async def session(request: Request) -> Response:
        return PlainTextResponse(engine.session.raw)

    return web.application(
        [
            ("POST", "/v1/messages", messages),
            ("POST", "/v1/ask", ask),
            ("GET", "/v1/session", session),
            ("GET", "/v1/view/{name:path}", view),
        ]
    )


def fetch_head(engine: Engine) -> None:
    """Have the registrar countersign what waits for it.

    If it cannot be reached, this is tried again at the next tick.
    """
    wanted, session = engine.wanted_head(), engine.session
    if wanted is None or session.registrar is None:
        return
    connection = Connection(session.registrar, patience=1.0)
    try:
        answer = connection.request(
            "POST", "/v1/head", content=countersign.request(session, *wanted, engine.key).encode()
        )
        head = countersign.countersigned(session, *wanted, answer)
        engine.post(Message(session.digest, 0, "head", head.place, head.body()).signed(engine.key)).result(timeout=60)
    except (ProtocolError, TimeoutError):
        return
    finally:
        connection.close()


def serve(directory: Path, until_closed: bool = False, ready: web.Ready | None = None) -> None:
    """Serve a session until a signal; with ``until_closed`` until it is over and everybody had time to see it."""
    session, key = load(directory)
    folders.make_private(directory)
    engine = Engine(session, key, directory / "log.sqlite")

    async def keep_time() -> None:
        fetching: asyncio.Future[None] | None = None
        while not engine.broken:
            await asyncio.sleep(0.25)
            engine.tick()
            if engine.wanted_head() is not None and (fetching is None or fetching.done()):
                fetching = asyncio.ensure_future(run_in_threadpool(fetch_head, engine))
            if until_closed and engine.view("status")["phase"] in ("closed", "failed"):
                await asyncio.sleep(2)
                return

    try:
        web.serve(
            application(engine), directory, session.miner.url, keep_time, web.said(ready, session, session.miner.url)
        )
    finally:
        engine.close()
