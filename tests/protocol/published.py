"""The protocols of the paper as printed, for the attacks on them. Nothing in shoal uses this."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from shoal.protocol import sealing
from shoal.protocol.elgamal import Ciphertext, encrypt, quotient, raised, rerandomised
from shoal.protocol.group import Group
from shoal.protocol.shares import evaluate, lagrange, random_polynomial

TAG = b"published"


@dataclass
class Published:
    """Formulation 2: one key in (N, t) shares, one customer i0 who re-randomises, a miner who chooses the exponents."""

    group: Group
    n: int
    t: int

    def __post_init__(self) -> None:
        self.polynomial = random_polynomial(self.group, self.t)
        self.public = self.group.generate(self.polynomial[0])

    def share(self, i: int) -> int:
        return evaluate(self.polynomial, i, self.group.order)

    def element(self, value: str) -> bytes:
        return self.group.hash_to_group(value.encode(), TAG)

    def submit(self, cells: list[str]) -> list[Ciphertext]:
        """No proof of anything."""
        return [encrypt(self.group, self.public, self.element(c), self.group.random_scalar()) for c in cells]

    def decryptor(self, i: int, hint: bytes) -> bytes:
        """Answers any request."""
        return self.group.power(hint, self.share(i))

    def decrypt(self, c: Ciphertext, who: list[int]) -> bytes:
        weights = lagrange(who, 0, self.group.order)
        mask = self.group.combine([self.decryptor(i, c.hint) for i in who], weights)
        return self.group.divide(c.body, mask)

    def distances_phase(self, a: list[Ciphertext], b: list[Ciphertext], exponents: list[int]) -> list[bytes]:
        """One pair: the miner raises, i0 re-randomises and permutes, I decrypts; the miner sees the permuted
        quotients.
        """
        items = [raised(self.group, quotient(self.group, x, y), e) for x, y, e in zip(a, b, exponents, strict=True)]
        items = [rerandomised(self.group, self.public, c) for c in items]
        secrets.SystemRandom().shuffle(items)
        return [self.decrypt(c, list(range(1, self.t + 1))) for c in items]


def printed_weights(helpers: list[int], i: int, order: int) -> list[int]:
    """The exponents of phase 3 as printed: the product runs over i″ ≠ i and so contains i″ = i′."""
    weights = []
    for one in helpers:
        above, below = 1, 1
        for l in helpers:
            if l != i:
                above = above * l % order
                below = below * (l - one) % order
        weights.append(above * pow(below, -1, order) % order)
    return weights


@dataclass
class PublishedExtraction:
    """Formulation 1: H(quasi-identifier) without session, keys that live on."""

    group: Group
    k: int

    def __post_init__(self) -> None:
        self.polynomial = random_polynomial(self.group, self.k)

    def point(self, x: int) -> int:
        return evaluate(self.polynomial, x, self.group.order)

    def submit(self, i: int, quasi_identifier: str, sensitive: bytes) -> tuple[int, bytes, bytes]:
        base = self.group.hash_to_group(quasi_identifier.encode(), TAG)
        key = sealing.derive(self.group.power(base, self.point(2 * i - 1)), b"")
        return i, self.group.power(base, self.point(2 * i)), sealing.seal(key, sensitive, b"")


def open_row(group: Group, points: dict[int, bytes], row: tuple[int, bytes, bytes]) -> bytes:
    """What anybody with enough points in the exponent does."""
    at = 2 * row[0] - 1
    value = group.combine(list(points.values()), lagrange(list(points), at, group.order))
    return sealing.open_sealed(sealing.derive(value, b""), row[2], b"")
