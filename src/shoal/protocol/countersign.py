"""The registrar's countersignature: one digest for each place of a session.

A *place* is where a session stands, such as ``round-3``. The miner sends the digest of what he has there; the registrar
signs the first one and no other. So two customers who check the countersignature of a place have seen the same, and the
signature of a place is a value that the miner cannot know before what is signed is fixed (Ed25519 signatures are
deterministic).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol.messages import Body, Message, Rejected, canonical, field, public_bytes
from shoal.protocol.session import Session

PLACE_LENGTH = 32


@dataclass(frozen=True)
class Head:
    """What a session held at a place, and the registrar's signature under it."""

    place: str
    seq: int
    """How many messages the miner had taken."""
    digest: str
    signature: str = ""

    def body(self) -> Body:
        return {"seq": self.seq, "digest": self.digest, "signature": self.signature}

    def check(self, session: Session) -> None:
        """Raise a :class:`ProtocolError` unless the session's registrar signed it."""
        if session.registrar is None or not session.registrar.head_key:
            raise PolicyError("The session has no registrar that countersigns.")
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(session.registrar.head_key))
            key.verify(bytes.fromhex(self.signature), statement(session.digest, self.place, self.seq, self.digest))
        except (InvalidSignature, ValueError) as error:
            raise Rejected(
                403, "countersignature", f"The registrar did not sign what the miner shows at '{self.place}'."
            ) from error


def statement(session: str, place: str, seq: int, digest: str) -> bytes:
    """What the registrar signs."""
    return b"shoal-v1-countersign" + canonical([session, place, seq, digest])


def read_head(place: str, body: Body) -> Head:
    """A head from outside, unchecked."""
    head = Head(place, field(body, "seq", int), field(body, "digest", str), field(body, "signature", str))
    if len(place) > PLACE_LENGTH or len(head.digest) != 64 or len(head.signature) != 128:
        raise Rejected(400, "malformed", "A head has a part of the wrong length.")
    return head


def request(session: Session, place: str, seq: int, digest: str, key: Ed25519PrivateKey) -> Message:
    """What the miner sends to the registrar."""
    return Message(session.digest, 0, "head", place, {"seq": seq, "digest": digest}).signed(key)


class Heads(Protocol):
    """Where a registrar keeps what it signed."""

    def find(self, name: str) -> tuple[bytes | None, bytes | None] | None: ...

    def keep(self, name: str, request: bytes, answer: bytes) -> bytes: ...


@dataclass
class Countersigner:
    """The registrar's part, for one session."""

    session: Session
    key: Ed25519PrivateKey
    heads: Heads

    def __post_init__(self) -> None:
        if self.session.registrar is None or self.session.registrar.head_key != public_bytes(self.key).hex():
            raise PolicyError("The session file names another registrar, or one that does not countersign.")

    def sign(self, message: Message) -> Body:
        """Sign the miner's digest of a place; the same again gets the same answer, another one is refused."""
        if message.session != self.session.digest:
            raise Rejected(409, "session", "The request belongs to another session: compare the session files.")
        message.check_signature(bytes.fromhex(self.session.miner.key))
        if message.kind != "head" or message.sender or len(message.slot) > PLACE_LENGTH:
            raise Rejected(400, "malformed", "This is not a head of a session.")
        seq, digest = field(message.body, "seq", int), field(message.body, "digest", str)
        if seq < 0 or len(digest) != 64:
            raise Rejected(400, "malformed", "A head has a part of the wrong length or range.")
        said = statement(self.session.digest, message.slot, seq, digest)
        name = f"{self.session.digest}/{message.slot}"
        known = self.heads.find(name)
        if known is None or known[0] is None:
            answer = self.heads.keep(name, said, self.key.sign(said))
        else:
            answer = known[1] or b"" if known[0] == said else b""
        if not answer:
            raise Rejected(409, "twice", "Another head of this place was signed before: the miner shows two boards.")
        return {"signature": answer.hex()}


def countersigned(session: Session, place: str, seq: int, digest: str, answer: Body) -> Head:
    """The head with the registrar's answer, checked."""
    head = Head(place, seq, digest, str(answer.get("signature", "")))
    try:
        head.check(session)
    except Rejected as error:
        raise ProtocolError(str(error)) from error
    return head
