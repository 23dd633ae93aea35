"""The verifiable oblivious pseudorandom function of RFC 9497, ristretto255 with SHA-512: modes OPRF (0) and VOPRF (1)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from shoal.errors import ProtocolError
from shoal.protocol.group import Group

OPRF, VOPRF = 0, 1


def suite(mode: int) -> bytes:
    """The context string."""
    return b"OPRFV1-" + bytes([mode]) + b"-ristretto255-SHA512"


def prefixed(*parts: bytes) -> bytes:
    """Each part with its length in two bytes before it."""
    return b"".join(len(p).to_bytes(2, "big") + p for p in parts)


def derive_key(group: Group, seed: bytes, info: bytes, mode: int = VOPRF) -> int:
    """DeriveKeyPair, section 3.2.1; the public key is ``group.generate(key)``."""
    for counter in range(256):
        key = group.hash_to_scalar(seed + prefixed(info) + bytes([counter]), b"DeriveKeyPair" + suite(mode))
        if key:
            return key
    raise ProtocolError("No key could be derived from this seed.")


@dataclass(frozen=True)
class Blinded:
    """What the client keeps and, in ``element``, what she sends."""

    input: bytes
    secret: int
    element: bytes


def blind(group: Group, data: bytes, mode: int = VOPRF, secret: int | None = None) -> Blinded:
    """Hide an input; ``secret`` is given by the test vectors only."""
    secret = group.random_scalar() if secret is None else secret
    point = group.hash_to_group(data, b"HashToGroup-" + suite(mode))
    if point == group.identity:
        raise ProtocolError("An input hashes to the identity.")
    return Blinded(data, secret, group.power(point, secret))


def evaluate(group: Group, key: int, elements: Sequence[bytes]) -> list[bytes]:
    """The server's part."""
    return [group.power(group.element(e), key) for e in elements]


def finalize(group: Group, blinded: Blinded, evaluated: bytes) -> bytes:
    """The output: 64 bytes."""
    plain = group.power(group.element(evaluated), group.inverse(blinded.secret))
    return hashlib.sha512(prefixed(blinded.input, plain) + b"Finalize").digest()


def composites(group: Group, public: bytes, before: Sequence[bytes], after: Sequence[bytes]) -> tuple[list[int], bytes]:
    """The weights of ComputeComposites, section 2.2.1, and the weighted product of ``before``."""
    seed = hashlib.sha512(prefixed(public, b"Seed-" + suite(VOPRF))).digest()
    weights = [
        group.hash_to_scalar(prefixed(seed) + i.to_bytes(2, "big") + prefixed(c, d) + b"Composite", b"HashToScalar-" + suite(VOPRF))
        for i, (c, d) in enumerate(zip(before, after, strict=True))
    ]
    return weights, group.combine(before, weights)


def challenge(group: Group, public: bytes, *parts: bytes) -> int:
    return group.hash_to_scalar(prefixed(public, *parts) + b"Challenge", b"HashToScalar-" + suite(VOPRF))


def prove(group: Group, key: int, before: Sequence[bytes], after: Sequence[bytes], nonce: int | None = None) -> bytes:
    """The server's proof that it used the key it is known by, for a batch."""
    public = group.generate(key)
    _, m = composites(group, public, before, after)
    z = group.power(m, key)
    nonce = group.random_scalar() if nonce is None else nonce
    c = challenge(group, public, m, z, group.generate(nonce), group.power(m, nonce))
    return group.scalar_data(c) + group.scalar_data(nonce - c * key)


def check(group: Group, public: bytes, before: Sequence[bytes], after: Sequence[bytes], proof: bytes) -> None:
    """Raise a :class:`ProtocolError` unless the server used the key behind ``public``."""
    if len(proof) != 64 or len(before) != len(after):
        raise ProtocolError("The randomness server's answer has the wrong length.")
    c, s = group.scalar(proof[:32]), group.scalar(proof[32:])
    weights, m = composites(group, public, before, [group.element(e) for e in after])
    z = group.combine(after, weights)
    first = group.multiply(group.generate(s), group.power(group.element(public), c))
    second = group.multiply(group.power(m, s), group.power(z, c))
    if challenge(group, public, m, z, first, second) != c:
        raise ProtocolError("The randomness server did not use the key that the session file names.")
