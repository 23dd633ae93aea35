"""The registrar: knows who is entitled, signs one token each without seeing it, and countersigns where the session
stands.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shoal.errors import PolicyError
from shoal.protocol import tokens
from shoal.protocol.countersign import Countersigner
from shoal.protocol.messages import Body, Message, Rejected, bytes_of, field, public_bytes, text_of
from shoal.protocol.session import read_session
from shoal.protocol.transport import folders, web
from shoal.protocol.transport.miner_server import party
from shoal.protocol.transport.storage import Ledger

USES = ("join", "randomness")


def init(directory: Path, url: str, bits: int = 3072) -> None:
    """Make one key for each use of a token (else a token for one use could be spent for another), one for heads, and
    the public file.
    """
    with folders.new_folder(directory) as part:
        certificate = web.make_certificate(part, url)
        public = {}
        for use in USES:
            key = rsa.generate_private_key(65537, bits)
            folders.write_private(
                part / f"{use}.key", key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            )
            public[use] = tokens.key_text(key.public_key())
        heads = Ed25519PrivateKey.generate()
        folders.write_private(part / "head.key", heads.private_bytes_raw().hex().encode())
        more = {"randomness_key": public["randomness"], "head_key": public_bytes(heads).hex()}
        folders.write_private(
            part / "registrar.toml", party("registrar", url, public["join"], certificate, **more).encode()
        )


def code_name(code: str, use: str) -> str:
    return hashlib.sha256(f"shoal-v1-invitation/{use}/{code}".encode()).hexdigest()


def invite(directory: Path, count: int) -> list[str]:
    """So many new invitations; only their hashes are kept."""
    codes = [secrets.token_urlsafe(18) for _ in range(count)]
    Ledger(directory / "ledger.sqlite").add([code_name(c, use) for c in codes for use in USES])
    return codes


def load_keys(directory: Path) -> dict[str, rsa.RSAPrivateKey]:
    keys = {}
    for use in USES:
        try:
            key = load_pem_private_key((directory / f"{use}.key").read_bytes(), None)
        except OSError as error:
            raise PolicyError(f"'{directory}' holds no registrar's keys. Run 'shoal registrar init' first.") from error
        assert isinstance(key, rsa.RSAPrivateKey)
        keys[use] = key
    return keys


def sign(ledger: Ledger, keys: dict[str, rsa.RSAPrivateKey], body: Body) -> Body:
    """One signature for each invitation and use; the same request again gets the same answer."""
    use = field(body, "use", str)
    if use not in keys:
        raise Rejected(400, "malformed", "There is no such use of a token.")
    name, request = code_name(field(body, "code", str), use), bytes_of(field(body, "blinded", str))
    known = ledger.find(name)
    if known is None:
        raise Rejected(403, "invitation", "The registrar does not know this invitation.")
    if known[0] is not None and known[0] != request:
        raise Rejected(409, "twice", "This invitation was used already: each entitled person gets one token.")
    answer = known[1] or ledger.keep(name, request, tokens.blind_sign(keys[use], request))
    if not answer:
        raise Rejected(409, "twice", "This invitation was used already: each entitled person gets one token.")
    return {"signature": text_of(answer)}


def application(ledger: Ledger, keys: dict[str, rsa.RSAPrivateKey], heads: Countersigner) -> Starlette:
    async def token(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(sign, ledger, keys, await web.read_json(request)))

    async def head(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(heads.sign, Message.decode(await web.read_body(request))))

    return web.application([("POST", "/v1/token", token), ("POST", "/v1/head", head)])


def load_countersigner(directory: Path, session_path: Path) -> Countersigner:
    try:
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex((directory / "head.key").read_text().strip()))
    except (OSError, ValueError) as error:
        raise PolicyError(f"'{directory}' holds no registrar's keys. Run 'shoal registrar init' first.") from error
    return Countersigner(read_session(session_path), key, Ledger(directory / "heads.sqlite"))


def serve(directory: Path, session_path: Path, ready: web.Ready | None = None) -> None:
    """Serve one session until a signal, or until it expires: then the keys are wiped."""
    keys = load_keys(directory)
    folders.make_private(directory)
    heads = load_countersigner(directory, session_path)
    session = heads.session
    assert session.registrar is not None
    url, app = session.registrar.url, application(Ledger(directory / "ledger.sqlite"), keys, heads)
    web.serve(app, directory, url, lambda: web.until_expired(session), web.said(ready, session, url))
    if datetime.now(UTC) >= session.expires:
        folders.wipe_all(directory, "*.key")


def status(directory: Path) -> tuple[int, int]:
    """How many tokens may be given, and how many were."""
    load_keys(directory)
    return Ledger(directory / "ledger.sqlite").count()
