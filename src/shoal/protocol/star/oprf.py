"""The oblivious pseudorandom functions of RFC 9497, ristretto255 with SHA-512: modes OPRF (0), VOPRF (1) and POPRF (2).

The STAR mode uses the last one: the server sees the public part ``info`` of the input and proves that it used it, so
that what is granted for one ``info`` is worth nothing for another. An evaluation of POPRF maps ``after`` to ``before``:
its proofs are made with the two exchanged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from shoal.errors import ProtocolError
from shoal.protocol.group import Group

OPRF, VOPRF, POPRF = 0, 1, 2


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


def finalize(group: Group, blinded: Blinded, evaluated: bytes, info: bytes | None = None) -> bytes:
    """The output: 64 bytes; ``info`` is given in the mode POPRF only."""
    plain = group.power(group.element(evaluated), group.inverse(blinded.secret))
    public = () if info is None else (info,)
    return hashlib.sha512(prefixed(blinded.input, *public, plain) + b"Finalize").digest()


def composites(
    group: Group, public: bytes, before: Sequence[bytes], after: Sequence[bytes], mode: int
) -> tuple[list[int], bytes]:
    """The weights of ComputeComposites, section 2.2.1, and the weighted product of ``before``."""
    seed = hashlib.sha512(prefixed(public, b"Seed-" + suite(mode))).digest()
    weights = [
        group.hash_to_scalar(
            prefixed(seed) + i.to_bytes(2, "big") + prefixed(c, d) + b"Composite", b"HashToScalar-" + suite(mode)
        )
        for i, (c, d) in enumerate(zip(before, after, strict=True))
    ]
    return weights, group.combine(before, weights)


def challenge(group: Group, mode: int, public: bytes, *parts: bytes) -> int:
    return group.hash_to_scalar(prefixed(public, *parts) + b"Challenge", b"HashToScalar-" + suite(mode))


def prove(
    group: Group, key: int, before: Sequence[bytes], after: Sequence[bytes], nonce: int | None = None, mode: int = VOPRF
) -> bytes:
    """The server's proof that ``after`` is ``before`` raised to the key it is known by, for a batch."""
    public = group.generate(key)
    _, m = composites(group, public, before, after, mode)
    z = group.power(m, key)
    nonce = group.random_scalar() if nonce is None else nonce
    c = challenge(group, mode, public, m, z, group.generate(nonce), group.power(m, nonce))
    return group.scalar_data(c) + group.scalar_data(nonce - c * key)


def check(
    group: Group, public: bytes, before: Sequence[bytes], after: Sequence[bytes], proof: bytes, mode: int = VOPRF
) -> None:
    """Raise a :class:`ProtocolError` unless the server used the key behind ``public``."""
    if len(proof) != 64 or len(before) != len(after):
        raise ProtocolError("The randomness server's answer has the wrong length.")
    c, s = group.scalar(proof[:32]), group.scalar(proof[32:])
    weights, m = composites(group, public, [group.element(e) for e in before], [group.element(e) for e in after], mode)
    z = group.combine(after, weights)
    first = group.multiply(group.generate(s), group.power(group.element(public), c))
    second = group.multiply(group.power(m, s), group.power(z, c))
    if challenge(group, mode, public, m, z, first, second) != c:
        raise ProtocolError("The randomness server did not use the key that the session file names.")


def tweak(group: Group, info: bytes) -> int:
    """The scalar that stands for the public part of an input, section 3.3.3."""
    return group.hash_to_scalar(b"Info" + prefixed(info), b"HashToScalar-" + suite(POPRF))


def evaluate_for(
    group: Group, key: int, info: bytes, elements: Sequence[bytes], nonce: int | None = None
) -> tuple[list[bytes], bytes]:
    """The server's part in the mode POPRF: the evaluated elements and the proof that key and info were used."""
    tweaked = (key + tweak(group, info)) % group.order
    if not tweaked:
        raise ProtocolError("The public part of an input hashes to the key's inverse.")
    after = evaluate(group, group.inverse(tweaked), elements)
    return after, prove(group, tweaked, after, elements, nonce, POPRF)


def check_for(
    group: Group, public: bytes, info: bytes, elements: Sequence[bytes], evaluated: Sequence[bytes], proof: bytes
) -> None:
    """The client's check in the mode POPRF."""
    tweaked = group.multiply(group.element(public), group.generate(tweak(group, info)))
    check(group, tweaked, evaluated, elements, proof, POPRF)
