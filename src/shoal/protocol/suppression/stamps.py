"""Stamps: a mixer's signature on what went into her step and what came out. Decryptors answer for stamped ciphertexts only."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.group import Group
from shoal.protocol.messages import Body, Rejected, bytes_of, field, text_of
from shoal.protocol.session import Session

KeyOf = Callable[[int], bytes]


def digest_of(bodies: Sequence[bytes], hints: Sequence[bytes]) -> bytes:
    """A digest of ciphertexts of which either half can be checked with the other half's digest only."""
    return hashlib.sha256(hashlib.sha256(b"".join(bodies)).digest() + hashlib.sha256(b"".join(hints)).digest()).digest()


def rows_digest(session: Session, job: str, digests: Sequence[str]) -> bytes:
    """What the first mixer of a job starts from: the signed rows of its members."""
    return hashlib.sha256(session.bind("rows", job, *digests)).digest()


@dataclass(frozen=True)
class Stamp:
    """Mixer ``mixer`` did step ``stage`` of ``job``: from ``before`` she made ``after``."""

    mixer: int
    job: str
    stage: int
    before: bytes
    after: bytes
    signature: bytes

    def body(self) -> Body:
        return {
            "mixer": self.mixer,
            "job": self.job,
            "stage": self.stage,
            "before": text_of(self.before),
            "after": text_of(self.after),
            "signature": text_of(self.signature),
        }


def content(session: Session, mixer: int, job: str, stage: int, before: bytes, after: bytes) -> bytes:
    return session.bind("stamp", mixer, job, stage, before, after)


def make_stamp(session: Session, key: Ed25519PrivateKey, mixer: int, job: str, stage: int, before: bytes, after: bytes) -> Stamp:
    return Stamp(mixer, job, stage, before, after, key.sign(content(session, mixer, job, stage, before, after)))


def read_stamp(session: Session, body: Body, key_of: KeyOf) -> Stamp:
    """A stamp from outside, its signature checked against the roster."""
    stamp = Stamp(
        field(body, "mixer", int),
        field(body, "job", str),
        field(body, "stage", int),
        bytes_of(field(body, "before", str)),
        bytes_of(field(body, "after", str)),
        bytes_of(field(body, "signature", str)),
    )
    try:
        said = content(session, stamp.mixer, stamp.job, stamp.stage, stamp.before, stamp.after)
        Ed25519PublicKey.from_public_bytes(key_of(stamp.mixer)).verify(stamp.signature, said)
    except (InvalidSignature, ValueError) as error:
        raise Rejected(403, "stamp", "A mixer's signature on a chunk does not hold.") from error
    return stamp


def check_chain(session: Session, bodies: Sequence[Body], job: str, n_stages: int, after: bytes, key_of: KeyOf) -> list[Stamp]:
    """All stamps of a finished job: one a stage, in order, by different mixers, each starting where the last one ended."""
    stamps = [read_stamp(session, b, key_of) for b in bodies]
    linked = all(a.after == b.before for a, b in pairwise(stamps))
    right = (
        len(stamps) == n_stages
        and [s.stage for s in stamps] == list(range(n_stages))
        and all(s.job == job for s in stamps)
        and len({s.mixer for s in stamps}) == n_stages
        and linked
        and stamps[-1].after == after
    )
    if not right:
        raise Rejected(403, "stamp", "A chunk was not signed by all of its mixers.")
    return stamps


def pack(parts: Sequence[bytes]) -> str:
    """Elements one after the other."""
    return text_of(b"".join(parts))


def unpack(group: Group, text: object, count: int, identity_too: bool = False, at_once: bool = False) -> list[bytes]:
    """Elements from outside, each one checked. With ``at_once`` the caller computes with each of them now: where the group's
    operations refuse what is no element, only the identity is looked for here."""
    data, size = bytes_of(text), group.element_bytes
    if len(data) != size * count:
        raise Rejected(400, "malformed", "A chunk has the wrong number of elements.")
    parts = [data[i : i + size] for i in range(0, len(data), size)]
    if at_once and group.refuses_by_itself:
        if group.identity in parts and not identity_too:
            raise Rejected(400, "malformed", "A chunk holds the identity.")
        return parts
    for part in parts:
        if not (identity_too and part == group.identity):
            group.element(part)
    return parts


def halves(items: Sequence[Ciphertext]) -> tuple[list[bytes], list[bytes]]:
    return [c.body for c in items], [c.hint for c in items]
