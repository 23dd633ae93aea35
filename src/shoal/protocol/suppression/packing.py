"""Ciphertexts on the wire: elements one after the other, and the digest by which a mixed list is known."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.group import Group
from shoal.protocol.messages import Body, Rejected, bytes_of, field, text_of

DIGEST_LENGTH = 64


def pack(parts: Sequence[bytes]) -> str:
    """Elements one after the other."""
    return text_of(b"".join(parts))


def unpack(group: Group, data: bytes, count: int, at_once: bool = False) -> list[bytes]:
    """Elements from outside, each one checked. With ``at_once`` the caller computes with each of them now, where the
    group's operations refuse what is not an element by themselves.

    The identity is allowed here like every other element. Two customers who use the same coins make quotients that
    contain it; this must not stop anybody.
    """
    size = group.element_bytes
    if len(data) != size * count:
        raise Rejected(400, "malformed", "A list of elements has the wrong length.")
    parts = [data[i : i + size] for i in range(0, len(data), size)]
    if not (at_once and group.refuses_by_itself):
        for part in parts:
            if part != group.identity:
                group.element(part)
    return parts


def pack_items(items: Sequence[Ciphertext]) -> Body:
    return {"bodies": pack([c.body for c in items]), "hints": pack([c.hint for c in items])}


def unpack_items(group: Group, body: Body, count: int, at_once: bool = False) -> list[Ciphertext]:
    """Ciphertexts from a mixer's message."""
    bodies = unpack(group, bytes_of(field(body, "bodies", str)), count, at_once)
    hints = unpack(group, bytes_of(field(body, "hints", str)), count, at_once)
    return [Ciphertext(b, h) for b, h in zip(bodies, hints, strict=True)]


def digest_of(items: Sequence[Ciphertext]) -> str:
    """What a list of ciphertexts is known by."""
    found = hashlib.sha256(b"shoal-v2-items" + len(items).to_bytes(4, "big"))
    for c in items:
        found.update(c.body + c.hint)
    return found.hexdigest()
