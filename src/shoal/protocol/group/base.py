"""A group of prime order in which discrete logarithms are hard, with its elements as bytes.

Elements travel and are stored in one canonical encoding, so equality of bytes is equality of elements. Whatever comes
from outside goes through :meth:`Group.element` or :meth:`Group.scalar` first; they refuse the identity, other encodings
and scalars out of range. Each group counts the exponentiations that it did: the figures in ``benchmarks/protocol.py``
are these counters.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable

from shoal.errors import ProtocolError


class Group(ABC):
    """Multiplicative notation: ``power``, ``multiply``, ``divide``."""

    name: str
    order: int
    element_bytes: int
    scalar_bytes: int
    identity: bytes
    generator: bytes
    refuses_by_itself = False
    """Does every operation raise at an encoding that is not an element? Then what is used at once need not be checked
    before.
    """

    def __init__(self) -> None:
        self.powers = 0
        """Exponentiations so far."""
        self.products = 0
        """Multiplications and divisions so far."""

    @abstractmethod
    def power(self, element: bytes, scalar: int) -> bytes:
        """The element raised to a scalar; ``power(e, 0)`` is the identity."""

    @abstractmethod
    def generate(self, scalar: int) -> bytes:
        """The generator raised to a scalar."""

    @abstractmethod
    def multiply(self, a: bytes, b: bytes) -> bytes: ...

    @abstractmethod
    def divide(self, a: bytes, b: bytes) -> bytes: ...

    @abstractmethod
    def hash_to_group(self, message: bytes, tag: bytes) -> bytes:
        """An element whose discrete logarithm nobody knows; ``tag`` keeps the roles apart (RFC 9380)."""

    @abstractmethod
    def hash_to_scalar(self, message: bytes, tag: bytes) -> int: ...

    @abstractmethod
    def is_element(self, data: bytes) -> bool:
        """Is this the canonical encoding of an element, the identity among them?"""

    def element(self, data: bytes) -> bytes:
        """An element from outside, or a :class:`ProtocolError`."""
        if len(data) != self.element_bytes or data == self.identity or not self.is_element(data):
            raise ProtocolError(
                f"A group element was refused: not the canonical encoding of an element of {self.name} other than the "
                "identity."
            )
        return data

    def scalar(self, data: bytes) -> int:
        """A scalar from outside, or a :class:`ProtocolError`."""
        value = int.from_bytes(data, "little")
        if len(data) != self.scalar_bytes or value >= self.order:
            raise ProtocolError(f"A scalar was refused: not {self.scalar_bytes} bytes below the order of {self.name}.")
        return value

    def scalar_data(self, scalar: int) -> bytes:
        """The encoding that :meth:`scalar` reads."""
        return (scalar % self.order).to_bytes(self.scalar_bytes, "little")

    def random_scalar(self) -> int:
        """A secret in [1, order − 1]."""
        return 1 + secrets.randbelow(self.order - 1)

    def inverse(self, scalar: int) -> int:
        return pow(scalar, -1, self.order)

    def product(self, elements: Iterable[bytes]) -> bytes:
        """The product of elements; of none, the identity."""
        total = self.identity
        for element in elements:
            total = element if total == self.identity else self.multiply(total, element)
        return total

    def combine(self, elements: Iterable[bytes], scalars: Iterable[int]) -> bytes:
        """The product of elements, each raised to its scalar."""
        return self.product(self.power(e, s) for e, s in zip(elements, scalars, strict=True))
