"""ElGamal encryption of group elements, under a key that is held in shares.

A ciphertext of M is (M · y^r, g^r). Quotients of ciphertexts encrypt quotients; a ciphertext raised to a secret power e
encrypts M^e and cannot be linked to the one it came from without deciding Diffie–Hellman: so a mixer who raises needs
no separate re-randomisation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shoal.protocol.group import Group


class Ciphertext(NamedTuple):
    """(M · y^r, g^r)."""

    body: bytes
    hint: bytes


def encrypt(group: Group, public: bytes, message: bytes, secret: int) -> Ciphertext:
    """The ciphertext of an element; ``secret`` is r."""
    return Ciphertext(group.multiply(message, group.power(public, secret)), group.generate(secret))


def quotient(group: Group, a: Ciphertext, b: Ciphertext) -> Ciphertext:
    return Ciphertext(group.divide(a.body, b.body), group.divide(a.hint, b.hint))


def raised(group: Group, c: Ciphertext, exponent: int) -> Ciphertext:
    return Ciphertext(group.power(c.body, exponent), group.power(c.hint, exponent))


def rerandomised(group: Group, public: bytes, c: Ciphertext, r: int | None = None) -> Ciphertext:
    """The literal re-randomisation of the paper; two exponentiations more."""
    r = group.random_scalar() if r is None else r
    return Ciphertext(group.multiply(c.body, group.power(public, r)), group.multiply(c.hint, group.generate(r)))


def product(group: Group, parts: Sequence[Ciphertext]) -> Ciphertext:
    return Ciphertext(group.product(p.body for p in parts), group.product(p.hint for p in parts))
