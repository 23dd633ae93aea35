"""The randomness server without its network: one evaluation for each token and rung, and rungs in order.

The rung is the public part of the PRF's input: what is evaluated for one rung says nothing on another. A rung is
evaluated only when the registrar has countersigned the round before it, and no longer when it has countersigned the
rung's own: so nobody keeps an exact guess until coarser rounds have told what to guess.
"""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from shoal.errors import PolicyError
from shoal.protocol import tokens
from shoal.protocol.countersign import read_head
from shoal.protocol.group import make_group
from shoal.protocol.messages import Body, Rejected, bytes_of, canonical, field, text_of
from shoal.protocol.session import Session
from shoal.protocol.star import oprf
from shoal.protocol.star.ladder import ladder
from shoal.protocol.star.messages import prf_info
from shoal.protocol.star.rounds import place_of


class Answers(Protocol):
    """Where answers are kept: the same request gets the same answer, another one under its name gets none."""

    def find(self, name: str) -> tuple[bytes | None, bytes | None] | None: ...

    def keep(self, name: str, request: bytes, answer: bytes) -> bytes: ...


class Evaluator:
    """The PRF's key, the evaluations given so far, and the rung that is open."""

    def __init__(self, session: Session, key: int, answers: Answers) -> None:
        self.session, self.key, self.answers = session, key, answers
        self.group, self.rungs, self.lock = make_group(), ladder(session), threading.Lock()
        if session.randomness is None or session.randomness.key != self.group.generate(key).hex():
            raise PolicyError("The session file names another randomness server.")
        self.open = max((r for r in range(1, len(self.rungs)) if answers.find(f"open/{r}")), default=0)

    def evaluate(self, body: Body) -> Body:
        """One evaluation for each customer's key and rung, with the proof that the right key was used for the right
        rung.
        """
        if field(body, "session", str) != self.session.digest:
            raise Rejected(409, "session", "The request belongs to another session: compare the session files.")
        if datetime.now(UTC) >= self.session.expires:
            raise Rejected(410, "expired", "The session has expired.")
        key, rung = bytes_of(field(body, "key", str)), field(body, "slot", int)
        if not 0 <= rung < len(self.rungs):
            raise Rejected(400, "round", "The session has no such round.")
        element = self.group.element(bytes_of(field(body, "blinded", str)))
        self.check_sender(key, rung, element, body)
        name = f"{rung}/{key.hex()}"
        self.admit(rung, name, element, body)
        return self.answer(rung, name, element)

    def check_sender(self, key: bytes, rung: int, element: bytes, body: Body) -> None:
        """Only a customer with a token of the registrar for her key is answered."""
        try:
            said = self.session.bind("evaluate", rung, key, element)
            Ed25519PublicKey.from_public_bytes(key).verify(bytes_of(field(body, "signature", str)), said)
        except (InvalidSignature, ValueError) as error:
            raise Rejected(403, "signature", "The signature of a request does not hold.") from error
        assert self.session.registrar is not None
        token = bytes_of(field(body, "token", str))
        tokens.check(
            self.session.registrar.randomness_key, tokens.purpose(self.session.context, "randomness", key), token
        )

    def admit(self, rung: int, name: str, element: bytes, body: Body) -> None:
        """Refuse a rung that is not open yet, or no longer; what was answered once is answered again."""
        if rung:
            read_head(place_of(rung - 1), field(body, "head", dict)).check(self.session)
        with self.lock:
            if rung > self.open:
                self.answers.keep(f"open/{rung}", b"open", b"open")
                self.open = rung
            if rung < self.open and (self.answers.find(name) or (None,))[0] != element:
                raise Rejected(409, "round", f"Round {self.open} is open: nothing is evaluated for an earlier one.")

    def answer(self, rung: int, name: str, element: bytes) -> Body:
        known = self.answers.find(name)
        if known is None:
            after, proof = oprf.evaluate_for(
                self.group, self.key, prf_info(self.session, rung, self.rungs[rung]), [element]
            )
            answer = self.answers.keep(name, element, canonical([text_of(after[0]), text_of(proof)]))
        else:
            answer = known[1] or b"" if known[0] == element else b""
        if not answer:
            raise Rejected(409, "twice", "This customer's evaluation of this round was given already.")
        evaluated, proof_text = json.loads(answer)
        return {"evaluated": evaluated, "proof": proof_text}
