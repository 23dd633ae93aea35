"""The randomness server of the STAR mode: evaluates the oblivious PRF once for each token and round."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shoal.errors import PolicyError
from shoal.protocol.group import make_group
from shoal.protocol.session import read_session
from shoal.protocol.star import oprf
from shoal.protocol.star.evaluator import Evaluator
from shoal.protocol.transport import folders, web
from shoal.protocol.transport.miner_server import party
from shoal.protocol.transport.storage import Ledger


def init(directory: Path, url: str) -> None:
    """Make the PRF's key and the public file."""
    with folders.new_folder(directory) as part:
        certificate = web.make_certificate(part, url)
        group = make_group()
        key = oprf.derive_key(group, secrets.token_bytes(32), b"shoal randomness server", oprf.POPRF)
        folders.write_private(part / "prf.key", group.scalar_data(key).hex().encode())
        folders.write_private(
            part / "randomness.toml", party("randomness", url, group.generate(key).hex(), certificate).encode()
        )


def application(evaluator: Evaluator) -> Starlette:
    async def evaluate(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(evaluator.evaluate, await web.read_json(request)))

    return web.application([("POST", "/v1/evaluate", evaluate)])


def serve(directory: Path, session_path: Path, ready: web.Ready | None = None) -> None:
    """Serve one session until a signal, or until it expires: then the key is wiped."""
    session = read_session(session_path)
    try:
        key = make_group().scalar(bytes.fromhex((directory / "prf.key").read_text().strip()))
    except OSError as error:
        raise PolicyError(f"'{directory}' holds no key. Run 'shoal randomness init' first.") from error
    folders.make_private(directory)
    evaluator = Evaluator(session, key, Ledger(directory / "ledger.sqlite"))
    assert session.randomness is not None
    url = session.randomness.url
    web.serve(application(evaluator), directory, url, lambda: web.until_expired(session), web.said(ready, session, url))
    if datetime.now(UTC) >= session.expires:
        folders.wipe_all(directory, "*.key")
