"""Everything that follows from the oblivious PRF's output: tag, key, polynomial; and the two messages made of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from shoal.errors import ProtocolError
from shoal.protocol import proofs, sealing
from shoal.protocol.group import Group
from shoal.protocol.group.ristretto import Ristretto
from shoal.protocol.messages import Body, Rejected, bytes_of, field, text_of
from shoal.protocol.session import Session
from shoal.protocol.shares import evaluate
from shoal.protocol.star.ladder import Levels

FIELD = Ristretto.order
CHECK_BYTES = 32
MOST_CUSTOMERS = 10_000_000
"""An index is a point of the polynomial: it lies between 1 and this, so that it is never 0 modulo the field's order."""


class Tag(NamedTuple):
    """What a customer posts in a round: equal for equal labels, and nothing that opens."""

    point: bytes
    """The generator raised to a secret that follows from the PRF."""
    check: bytes
    """A hash by which the miner knows the right secret when he has found it."""
    proof: bytes
    """That she knows what is behind ``point``: a tag cannot be copied."""

    @property
    def name(self) -> bytes:
        return self.point + self.check

    def body(self) -> Body:
        return {"point": text_of(self.point), "check": text_of(self.check), "proof": text_of(self.proof)}


class Share(NamedTuple):
    """What she sends once, when enough others posted her tag: her point of the polynomial, and her row under its
    key.
    """

    share: int
    sealed: bytes

    def body(self) -> Body:
        return {"share": text_of(self.share.to_bytes(32, "little")), "sealed": text_of(self.sealed)}


def prf_info(session: Session, rung: int, levels: Levels) -> bytes:
    """The public part of the PRF's input: session, k and schema (the context), and the rung with its levels."""
    return session.bind("star-rung", rung, *levels)


def prf_input(session: Session, labels: Sequence[str]) -> bytes:
    """The hidden part: the generalized quasi-identifier."""
    return session.bind("star", *labels)


def secret_of(output: bytes) -> int:
    """The value that is shared among those with the same labels."""
    return int.from_bytes(sealing.derive(output, b"shoal-v2-star-secret", 64), "little") % FIELD


def stream(secret: int, purpose: bytes, size: int) -> bytes:
    """As many bytes as are needed, from the secret."""
    return hashlib.shake_256(b"shoal-v2-star-" + purpose + secret.to_bytes(32, "little")).digest(size)


def check_of(secret: int) -> bytes:
    return stream(secret, b"check", CHECK_BYTES)


def key_of(secret: int) -> bytes:
    return stream(secret, b"key", 32)


def exponent_of(secret: int) -> int:
    return int.from_bytes(stream(secret, b"exponent", 64), "little") % FIELD


def polynomial_of(secret: int, threshold: int) -> list[int]:
    """Coefficients, the secret first."""
    data = stream(secret, b"polynomial", 64 * (threshold - 1))
    return [secret, *(int.from_bytes(data[i : i + 64], "little") % FIELD for i in range(0, len(data), 64))]


def tag_binding(session: Session, rung: int, sign_key: bytes, check: bytes) -> bytes:
    """What a tag's proof is bound to: this session and rung, this customer's key, and the rest of the tag."""
    return session.bind("star-tag", rung, sign_key, check)


def make_tag(session: Session, group: Group, rung: int, sign_key: bytes, secret: int) -> Tag:
    exponent, check = exponent_of(secret), check_of(secret)
    point = group.generate(exponent)
    return Tag(
        point, check, proofs.prove_knowledge(group, exponent, point, tag_binding(session, rung, sign_key, check))
    )


def read_tag(session: Session, group: Group, rung: int, sign_key: bytes, body: Body) -> Tag:
    """A tag from outside, its proof checked."""
    tag = Tag(*(bytes_of(field(body, name, str)) for name in ("point", "check", "proof")))
    if len(tag.check) != CHECK_BYTES or len(body) != len(Tag._fields):
        raise Rejected(400, "malformed", "A tag has a part too many or of the wrong length.")
    proofs.check_knowledge(group, group.element(tag.point), tag.proof, tag_binding(session, rung, sign_key, tag.check))
    return tag


def row_binding(session: Session, rung: int, tag: bytes) -> bytes:
    """What the rows of a group are bound to; the index follows in eight bytes."""
    return session.bind("star-row", rung, tag)


def make_share(session: Session, rung: int, index: int, tag: bytes, secret: int, cells: bytes) -> Share:
    """A customer's share from the shared secret and her padded cells."""
    if not 1 <= index <= MOST_CUSTOMERS:
        raise ProtocolError("The miner gave an index that no customer can have: nothing is sent.")
    polynomial = polynomial_of(secret, session.threshold)
    sealed = sealing.seal(key_of(secret), cells, row_binding(session, rung, tag) + index.to_bytes(8, "big"))
    return Share(evaluate(polynomial, index, FIELD), sealed)


def read_share(session: Session, body: Body) -> Share:
    """A share from outside."""
    share, sealed = (bytes_of(field(body, name, str)) for name in Share._fields)
    value = int.from_bytes(share, "little")
    size = session.row_bytes + sealing.NONCE_BYTES + sealing.TAG_BYTES
    if len(share) != 32 or value >= FIELD or len(sealed) != size or len(body) != len(Share._fields):
        raise Rejected(400, "malformed", "A share or sealed row has the wrong length or range.")
    return Share(value, sealed)
