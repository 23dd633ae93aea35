"""The randomness server of the STAR mode: evaluates the oblivious PRF once for each token and round."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shoal.errors import PolicyError
from shoal.protocol import tokens
from shoal.protocol.group import make_group
from shoal.protocol.messages import Body, Rejected, bytes_of, canonical, field, text_of
from shoal.protocol.session import Session, read_session
from shoal.protocol.star import oprf
from shoal.protocol.star.ladder import ladder
from shoal.protocol.transport import folders, web
from shoal.protocol.transport.miner_server import party
from shoal.protocol.transport.storage import Ledger


def init(directory: Path, url: str) -> None:
    """Make the PRF's key and the public file."""
    with folders.new_folder(directory) as part:
        certificate = web.make_certificate(part, url)
        group = make_group()
        key = oprf.derive_key(group, secrets.token_bytes(32), b"shoal randomness server")
        folders.write_private(part / "prf.key", group.scalar_data(key).hex().encode())
        folders.write_private(part / "randomness.toml", party("randomness", url, group.generate(key).hex(), certificate).encode())


class Evaluator:
    """The PRF's key and the evaluations given so far."""

    def __init__(self, session: Session, key: int, ledger: Ledger) -> None:
        self.session, self.key, self.ledger = session, key, ledger
        self.group = make_group()
        self.rounds = len(ladder(session))
        if session.randomness is None or session.randomness.key != self.group.generate(key).hex():
            raise PolicyError("The session file names another randomness server.")

    def evaluate(self, body: Body) -> Body:
        """One evaluation for each customer's key and round, with the proof that the right key was used."""
        if field(body, "session", str) != self.session.digest:
            raise Rejected(409, "session", "The request belongs to another session: compare the session files.")
        key, slot = bytes_of(field(body, "key", str)), field(body, "slot", int)
        if not 0 <= slot < self.rounds:
            raise Rejected(400, "round", "The session has no such round.")
        element = self.group.element(bytes_of(field(body, "blinded", str)))
        try:
            said = self.session.bind("evaluate", slot, key, element)
            Ed25519PublicKey.from_public_bytes(key).verify(bytes_of(field(body, "signature", str)), said)
        except (InvalidSignature, ValueError) as error:
            raise Rejected(403, "signature", "The signature of a request does not hold.") from error
        if self.session.registrar is not None:
            token = bytes_of(field(body, "token", str))
            tokens.check(self.session.registrar.randomness_key, tokens.purpose(self.session.context, "randomness", key), token)
        return self.answer(f"{slot}/{key.hex()}", element)

    def answer(self, name: str, element: bytes) -> Body:
        known = self.ledger.find(name)
        if known is None:
            after = oprf.evaluate(self.group, self.key, [element])
            proof = oprf.prove(self.group, self.key, [element], after)
            answer = self.ledger.keep(name, element, canonical([text_of(after[0]), text_of(proof)]))
        else:
            answer = known[1] or b"" if known[0] == element else b""
        if not answer:
            raise Rejected(409, "twice", "This customer's evaluation of this round was given already.")
        evaluated, proof_text = json.loads(answer)
        return {"evaluated": evaluated, "proof": proof_text}


def application(evaluator: Evaluator) -> Starlette:
    async def evaluate(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(evaluator.evaluate, await web.read_json(request)))

    return web.application([("POST", "/v1/evaluate", evaluate)])


def serve(directory: Path, session_path: Path, ready: web.Ready | None = None) -> None:
    """Serve one session until a signal."""
    session = read_session(session_path)
    try:
        key = make_group().scalar(bytes.fromhex((directory / "prf.key").read_text().strip()))
    except OSError as error:
        raise PolicyError(f"'{directory}' holds no key. Run 'shoal randomness init' first.") from error
    folders.make_private(directory)
    evaluator = Evaluator(session, key, Ledger(directory / "ledger.sqlite"))
    assert session.randomness is not None
    url = session.randomness.url
    web.serve(application(evaluator), directory, url, ready=web.said(ready, session, url))
