"""The paper's own group: quadratic residues modulo a safe prime (RFC 3526), by gmpy2. For tests and comparison."""

from __future__ import annotations

import gmpy2

from shoal.errors import ProtocolError
from shoal.protocol.group.base import Group
from shoal.protocol.group.hashing import expand


def rfc3526(bits: int, offset: int) -> int:
    """The prime 2^n − 2^(n−64) − 1 + 2^64 · (⌊2^(n−130) π⌋ + offset)."""
    with gmpy2.context(gmpy2.get_context(), precision=bits + 64):
        scaled = gmpy2.floor(gmpy2.const_pi() * gmpy2.exp2(bits - 130))
        return int(2**bits - 2 ** (bits - 64) - 1 + 2**64 * (int(gmpy2.mpz(scaled)) + offset))


OFFSETS = {1536: 741804, 2048: 124476, 3072: 1690314, 4096: 240904}


class SafePrime(Group):
    """The subgroup of order q = (p − 1) / 2, with generator 4."""

    def __init__(self, bits: int = 2048) -> None:
        super().__init__()
        if bits not in OFFSETS:
            raise ProtocolError(
                f"There is no safe prime of {bits} bits here. There are: {', '.join(map(str, OFFSETS))}."
            )
        self.name = f"safe-prime-{bits}"
        self.modulus = gmpy2.mpz(rfc3526(bits, OFFSETS[bits]))
        self.order = int(self.modulus - 1) // 2
        self.element_bytes = self.scalar_bytes = bits // 8
        self.identity = self._encode(gmpy2.mpz(1))
        self.generator = self._encode(gmpy2.mpz(4))

    def _encode(self, value: gmpy2.mpz) -> bytes:
        return int(value).to_bytes(self.element_bytes, "big")

    @staticmethod
    def _decode(element: bytes) -> gmpy2.mpz:
        return gmpy2.mpz(int.from_bytes(element, "big"))

    def power(self, element: bytes, scalar: int) -> bytes:
        self.powers += 1
        return self._encode(gmpy2.powmod(self._decode(element), scalar % self.order, self.modulus))

    def generate(self, scalar: int) -> bytes:
        return self.power(self.generator, scalar)

    def multiply(self, a: bytes, b: bytes) -> bytes:
        self.products += 1
        return self._encode(self._decode(a) * self._decode(b) % self.modulus)

    def divide(self, a: bytes, b: bytes) -> bytes:
        self.products += 1
        return self._encode(gmpy2.divm(self._decode(a), self._decode(b), self.modulus))

    def hash_to_group(self, message: bytes, tag: bytes) -> bytes:
        """``hash_to_field`` of RFC 9380 with 128 spare bits, then the square; 0 and 1 do not come out."""
        value = int.from_bytes(expand(message, tag + b"-" + self.name.encode(), self.element_bytes + 16), "big")
        return self._encode(gmpy2.powmod(2 + value % (self.modulus - 3), 2, self.modulus))

    def hash_to_scalar(self, message: bytes, tag: bytes) -> int:
        return (
            int.from_bytes(expand(message, tag + b"-" + self.name.encode(), self.scalar_bytes + 16), "big") % self.order
        )

    def is_element(self, data: bytes) -> bool:
        value = self._decode(data)
        return len(data) == self.element_bytes and 0 < value < self.modulus and gmpy2.jacobi(value, self.modulus) == 1
