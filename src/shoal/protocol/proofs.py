"""Proofs without interaction (Schnorr, Chaum–Pedersen, by Fiat–Shamir): of knowing a logarithm, and of two being equal.

``context`` binds a proof to the session, the sender's index and the role: copied elsewhere it does not verify.
A proof is the pair (challenge, response) as bytes.
"""

from __future__ import annotations

from shoal.errors import ProtocolError
from shoal.protocol.group import Group
from shoal.protocol.group.hashing import join

KNOWLEDGE = b"shoal-v1-proof-of-knowledge"
EQUALITY = b"shoal-v1-proof-of-equality"


def prove_knowledge(group: Group, secret: int, public: bytes, context: bytes) -> bytes:
    """I know ``secret`` with ``public = generator^secret``."""
    nonce = group.random_scalar()
    challenge = group.hash_to_scalar(join([context, public, group.generate(nonce)]), KNOWLEDGE)
    return group.scalar_data(challenge) + group.scalar_data(nonce + challenge * secret)


def check_knowledge(group: Group, public: bytes, proof: bytes, context: bytes) -> None:
    """Raise a :class:`ProtocolError` unless the proof holds."""
    challenge, response = split(group, proof)
    commitment = group.divide(group.generate(response), group.power(group.element(public), challenge))
    if group.hash_to_scalar(join([context, public, commitment]), KNOWLEDGE) != challenge:
        raise ProtocolError("A proof of knowledge does not hold.")


def prove_equality(group: Group, secret: int, base: bytes, public: bytes, image: bytes, context: bytes) -> bytes:
    """The same ``secret`` is behind ``public = generator^secret`` and ``image = base^secret``."""
    nonce = group.random_scalar()
    parts = [context, base, public, image, group.generate(nonce), group.power(base, nonce)]
    challenge = group.hash_to_scalar(join(parts), EQUALITY)
    return group.scalar_data(challenge) + group.scalar_data(nonce + challenge * secret)


def check_equality(group: Group, base: bytes, public: bytes, image: bytes, proof: bytes, context: bytes) -> None:
    """Raise a :class:`ProtocolError` unless the proof holds."""
    challenge, response = split(group, proof)
    first = group.divide(group.generate(response), group.power(group.element(public), challenge))
    second = group.divide(group.power(group.element(base), response), group.power(group.element(image), challenge))
    if group.hash_to_scalar(join([context, base, public, image, first, second]), EQUALITY) != challenge:
        raise ProtocolError("A proof that two logarithms are equal does not hold.")


def split(group: Group, proof: bytes) -> tuple[int, int]:
    """Challenge and response."""
    size = group.scalar_bytes
    if len(proof) != 2 * size:
        raise ProtocolError("A proof has the wrong length.")
    return group.scalar(proof[:size]), group.scalar(proof[size:])
