"""Messages: plain dictionaries with a kind, signed by their sender over a canonical encoding.

Bytes are base64 in JSON. A message is named by its sender, kind and slot; the same message again gets the same answer,
another body under the same name is refused. The signature covers session, sender, kind, slot, the board's last sealed
head and the body's digest: so a message of one session, phase or place is not valid in another, and somebody who may
not see the body can still check the signature. :class:`Rejected` carries the status that a server answers with.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shoal.errors import ProtocolError

Body = dict[str, Any]
SLOT_LENGTH = 256


class Rejected(ProtocolError):
    """A message that was refused, with the HTTP status of the answer and a word that programs can test."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.code = code


def text_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def bytes_of(text: object) -> bytes:
    """Bytes from a message's text; anything else is refused."""
    try:
        return base64.b64decode(str(text), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Rejected(400, "malformed", "A field of a message is not base64.") from error


def canonical(value: object) -> bytes:
    """One encoding for each value: sorted keys, no spaces.

    What has no encoding (NaN, half a character, too deep) is refused.
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise Rejected(400, "malformed", "A message holds something that has no encoding.") from error


@dataclass(frozen=True)
class Header:
    """A message without its body: what the board shows of a message that not everybody may read.

    The signature is valid for it too.
    """

    session: str
    sender: int
    kind: str
    slot: str
    after: str
    digest: str
    """Hexadecimal digest of the body."""
    signature: str

    @property
    def name(self) -> str:
        """What makes it the same message: sender, kind and slot."""
        return f"{self.sender}/{self.kind}/{self.slot}"

    def content(self) -> bytes:
        """What is signed."""
        return b"shoal-v2-message" + canonical(
            [self.session, self.sender, self.kind, self.slot, self.after, self.digest]
        )

    def check_signature(self, public: bytes) -> None:
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(bytes_of(self.signature), self.content())
        except (InvalidSignature, ValueError) as error:
            raise Rejected(
                403, "signature", "The signature of a message does not hold: altered, or sent by somebody else."
            ) from error


@dataclass(frozen=True)
class Message:
    """What one party says in one session."""

    session: str
    """Hexadecimal digest of the session file."""
    sender: int
    """A customer's index; 0 is the miner, or a customer who has none yet."""
    kind: str
    slot: str
    """Its place: a round, a job and its step, a range of customers."""
    body: Body
    after: str = ""
    """The sealed head of the board that the sender has seen and builds on; empty before the first."""
    signature: str = ""

    @property
    def name(self) -> str:
        """What makes it the same message: sender, kind and slot."""
        return f"{self.sender}/{self.kind}/{self.slot}"

    @property
    def header(self) -> Header:
        return Header(self.session, self.sender, self.kind, self.slot, self.after, self.digest(), self.signature)

    def digest(self) -> str:
        return body_digest(self.body)

    def signed(self, key: Ed25519PrivateKey) -> Message:
        return replace(self, signature=text_of(key.sign(self.header.content())))

    def check_signature(self, public: bytes) -> None:
        self.header.check_signature(public)

    def encode(self) -> bytes:
        return canonical(vars(self))

    @classmethod
    def decode(cls, data: bytes) -> Message:
        """A message from outside."""
        try:
            made = cls(**json.loads(data))
            made.encode()
        except (ValueError, TypeError, RecursionError) as error:
            raise Rejected(400, "malformed", "A message is not the JSON object that it should be.") from error
        right = (
            isinstance(made.session, str)
            and type(made.sender) is int
            and isinstance(made.kind, str)
            and isinstance(made.slot, str)
            and len(made.slot) <= SLOT_LENGTH
            and isinstance(made.after, str)
            and isinstance(made.body, dict)
            and isinstance(made.signature, str)
        )
        if not right:
            raise Rejected(400, "malformed", "A field of a message has the wrong type.")
        return made


def body_digest(body: Body) -> str:
    return hashlib.sha256(b"shoal-v2-body" + canonical(body)).hexdigest()


def public_bytes(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def field(body: Body, name: str, kind: type) -> Any:
    """A field of a body, of the type that is expected."""
    value = body.get(name)
    if type(value) is not kind:
        raise Rejected(400, "malformed", f"The field '{name}' of a message is missing or of the wrong type.")
    return value


def numbers(body: Body, name: str) -> list[int]:
    """A field that must be a list of whole numbers."""
    values = field(body, name, list)
    if any(type(v) is not int for v in values):
        raise Rejected(400, "malformed", f"The field '{name}' of a message is not a list of whole numbers.")
    return [int(v) for v in values]
