"""Everything that follows from the oblivious PRF's output: key, polynomial, tag; and the message made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shoal.protocol import sealing
from shoal.protocol.group.ristretto import Ristretto
from shoal.protocol.messages import Body, Rejected, bytes_of, field, text_of
from shoal.protocol.session import Session
from shoal.protocol.shares import evaluate
from shoal.protocol.star.ladder import Levels

FIELD = Ristretto.order
TAG_BYTES = 32


class Contribution(NamedTuple):
    """One customer's message of one round."""

    tag: bytes
    share: int
    sealed: bytes

    def body(self) -> Body:
        return {"tag": text_of(self.tag), "share": text_of(self.share.to_bytes(32, "little")), "sealed": text_of(self.sealed)}


def prf_input(session: Session, levels: Levels, labels: Sequence[str]) -> bytes:
    """What goes into the PRF: session, k and schema (the context), the rung of the ladder, the generalized quasi-identifier."""
    return session.bind("star", *levels, *labels)


def secret_of(output: bytes) -> int:
    """The value that is shared among those with the same quasi-identifier."""
    return int.from_bytes(sealing.derive(output, b"shoal-v1-star-secret", 64), "little") % FIELD


def unfold(secret: int, threshold: int) -> tuple[bytes, bytes, list[int]]:
    """Key, tag and polynomial that follow from the secret."""
    data = sealing.derive(secret.to_bytes(32, "little"), b"shoal-v1-star-unfold", 64 + 64 * (threshold - 1))
    rest = [int.from_bytes(data[i : i + 64], "little") % FIELD for i in range(64, len(data), 64)]
    return data[:32], data[32:64], [secret, *rest]


def contribute(session: Session, index: int, output: bytes, cells: bytes) -> Contribution:
    """A customer's message from the PRF's output and her padded cells."""
    key, tag, polynomial = unfold(secret_of(output), session.threshold)
    return Contribution(tag, evaluate(polynomial, index, FIELD), sealing.seal(key, cells, binding(tag, index)))


def binding(tag: bytes, index: int) -> bytes:
    return tag + index.to_bytes(8, "big")


def read_contribution(session: Session, body: Body) -> Contribution:
    """A message from outside."""
    tag, share, sealed = (bytes_of(field(body, name, str)) for name in ("tag", "share", "sealed"))
    value = int.from_bytes(share, "little")
    size = session.row_bytes + sealing.NONCE_BYTES + sealing.TAG_BYTES
    if len(tag) != TAG_BYTES or len(share) != 32 or value >= FIELD or len(sealed) != size:
        raise Rejected(400, "malformed", "A tag, share or sealed row has the wrong length or range.")
    return Contribution(tag, value, sealed)
