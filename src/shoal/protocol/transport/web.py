"""What the three servers share: JSON answers, limits, TLS, and a log without addresses."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from shoal.disk.system import on_end
from shoal.errors import PolicyError, ProtocolError
from shoal.protocol.messages import Body, Rejected
from shoal.protocol.session import Session
from shoal.protocol.transport import folders
from shoal.protocol.transport.gate import Guarded, open_door

MOST_BYTES = 2_000_000
"""Larger requests are refused before they are read."""
MOST_BYTES_IN_ALL = 200_000_000
"""Of all requests that are being worked on; what comes on top is refused and tried again."""
MOST_REQUESTS = 1000
"""Requests that are being worked on; what comes on top is refused and tried again."""

Handler = Callable[[Request], Awaitable[Response]]
Ready = Callable[[str], None]
"""Told, once the socket is open, what is served and where."""


class Load:
    """What the server is working on: requests that are there in full, and the bytes of their bodies."""

    def __init__(self) -> None:
        self.requests = 0
        self.bytes = 0

    def check(self) -> None:
        if self.requests > MOST_REQUESTS or self.bytes > MOST_BYTES_IN_ALL:
            raise Rejected(503, "busy", "The server has too much to do. Try again.")


LOAD = Load()


async def read_body(request: Request) -> bytes:
    """The body of a request, not more than is allowed.

    While it arrives, the gate watches it, and it does not count as load.
    """
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > MOST_BYTES:
        raise Rejected(413, "size", f"A message may have {MOST_BYTES} bytes.")
    data = bytearray()
    LOAD.requests -= 1
    try:
        async for part in request.stream():
            data += part
            if len(data) > MOST_BYTES:
                raise Rejected(413, "size", f"A message may have {MOST_BYTES} bytes.")
    except ClientDisconnect as error:
        raise Rejected(400, "malformed", "A request ended before its body.") from error
    finally:
        LOAD.requests += 1
    request.state.size = len(data)
    LOAD.bytes += len(data)
    LOAD.check()
    return bytes(data)


async def read_json(request: Request) -> Body:
    try:
        body = json.loads(await read_body(request))
    except (ValueError, RecursionError) as error:
        raise Rejected(400, "malformed", "The request is not JSON.") from error
    if not isinstance(body, dict):
        raise Rejected(400, "malformed", "The request is not a JSON object.")
    return body


def answer_errors(handler: Handler) -> Handler:
    """A refusal becomes its status and words; an unexpected error becomes status 500 without details."""

    async def wrapped(request: Request) -> Response:
        LOAD.requests += 1
        try:
            LOAD.check()
            return await handler(request)
        except Rejected as refused:
            return JSONResponse({"code": refused.code, "text": str(refused)}, refused.status)
        except ProtocolError as refused:
            return JSONResponse({"code": "refused", "text": str(refused)}, 400)
        except Exception:
            return JSONResponse({"code": "internal", "text": "The server failed at this request."}, 500)
        finally:
            LOAD.requests -= 1
            LOAD.bytes -= getattr(request.state, "size", 0)

    return wrapped


def application(routes: list[tuple[str, str, Handler]]) -> Starlette:
    return Starlette(routes=[Route(path, answer_errors(handler), methods=[method]) for method, path, handler in routes])


def make_certificate(directory: Path, url: str, days: int = 398) -> str:
    """A key and a self-signed certificate for the host of a URL. The session file pins it."""
    host = urlsplit(url).hostname or "localhost"
    try:
        name: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        name = x509.DNSName(host)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "shoal")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(
            subject,
            subject,
            key.public_key(),
            x509.random_serial_number(),
            now - timedelta(days=1),
            now + timedelta(days=days),
        )
        .add_extension(x509.SubjectAlternativeName([name]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
    )
    pem = certificate.public_bytes(Encoding.PEM)
    folders.write_private(directory / "tls.key", key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    folders.write_private(directory / "tls.crt", pem)
    return pem.decode()


def said(ready: Ready | None, session: Session, url: str) -> Callable[[], None] | None:
    """What a server says of itself when it begins."""
    if ready is None:
        return None
    words = (
        f"session {session.digest[:16]} ({session.protocol}, k = {session.k}) at {url} until "
        f"{session.expires:%Y-%m-%d %H:%M} UTC"
    )
    return lambda: ready(words)


async def until_expired(session: Session) -> None:
    """Ends when the session does."""
    while (left := (session.expires - datetime.now(UTC)).total_seconds()) > 0:
        await asyncio.sleep(min(left, 60.0))


def serve(
    app: Starlette,
    directory: Path,
    url: str,
    background: Callable[[], Awaitable[Any]] | None = None,
    ready: Callable[[], None] | None = None,
) -> None:
    """Serve over TLS at the URL's host and port until a signal (or the background task's end) stops it.

    No address is logged.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "127.0.0.1", parts.port or 443
    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="critical",
        server_header=False,
        date_header=False,
        ssl_keyfile=str(directory / "tls.key"),
        ssl_certfile=str(directory / "tls.crt"),
        timeout_keep_alive=30,
        http=Guarded,
        ws="none",
        lifespan="off",
    )
    server = Server(config)
    with open_socket(host, port) as listener:
        if ready is not None:
            ready()
        asyncio.run(_run(server, listener, background))


class Server(uvicorn.Server):
    """Ends quietly at SIGINT and SIGTERM, after the requests under way."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Every connection goes through a gate (see there)."""
        await self.lifespan.startup()
        self.servers: list[Any] = [open_door(self, listener, self.lifespan.state) for listener in sockets or []]
        self.started = True

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        on_end(asyncio.get_running_loop(), self.end)
        yield

    def end(self) -> None:
        self.should_exit = True


def open_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise PolicyError(
            f"Cannot listen at port {port}: {error.strerror}. Is another server running there?"
        ) from error
    listener.listen(2048)
    return listener


async def _run(server: Any, listener: socket.socket, background: Callable[[], Awaitable[Any]] | None) -> None:
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    if background is None:
        await serving
        return
    task = asyncio.ensure_future(background())
    await asyncio.wait({serving, task}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    task.cancel()
    await serving
