"""ristretto255 (RFC 9496) by libsodium, which has fixed-time code for every call made here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shoal.errors import ProtocolError
from shoal.protocol.group import sodium
from shoal.protocol.group.base import Group
from shoal.protocol.group.hashing import expand


class Ristretto(Group):
    """Elements are 32 bytes, the order is the prime 2^252 + 27742317777372353535851937790883648493."""

    name = "ristretto255"
    order = 2**252 + 27742317777372353535851937790883648493
    element_bytes = 32
    scalar_bytes = 32
    identity = bytes(32)
    refuses_by_itself = True
    generator = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")

    def __init__(self, bundled: bool = False) -> None:
        super().__init__()
        self._lib, ffi = sodium.load(bundled)
        self._new, self._kind = ffi.new, ffi.typeof("unsigned char[32]")  # looked up once: a product takes microseconds
        self._buffer: Callable[[Any], bytes] = ffi.buffer  # bytes once it is sliced

    def power(self, element: bytes, scalar: int) -> bytes:
        self.powers += 1
        scalar %= self.order
        if scalar == 0 or element == self.identity:
            return self.identity
        out = self._new(self._kind)
        if self._lib.crypto_scalarmult_ristretto255(out, scalar.to_bytes(32, "little"), element):
            raise ProtocolError("libsodium refused a group element in an exponentiation.")
        return self._buffer(out)[:]

    def generate(self, scalar: int) -> bytes:
        self.powers += 1
        scalar %= self.order
        if scalar == 0:
            return self.identity
        out = self._new(self._kind)
        self._lib.crypto_scalarmult_ristretto255_base(out, scalar.to_bytes(32, "little"))
        return self._buffer(out)[:]

    def multiply(self, a: bytes, b: bytes) -> bytes:
        self.products += 1
        out = self._new(self._kind)
        if len(a) != 32 or len(b) != 32 or self._lib.crypto_core_ristretto255_add(out, a, b):
            raise ProtocolError("libsodium refused a group element in a product.")
        return self._buffer(out)[:]

    def divide(self, a: bytes, b: bytes) -> bytes:
        self.products += 1
        out = self._new(self._kind)
        if len(a) != 32 or len(b) != 32 or self._lib.crypto_core_ristretto255_sub(out, a, b):
            raise ProtocolError("libsodium refused a group element in a quotient.")
        return self._buffer(out)[:]

    def hash_to_group(self, message: bytes, tag: bytes) -> bytes:
        """``hash_to_ristretto255`` of RFC 9380, appendix B, with ``expand_message_xmd`` and SHA-512."""
        out = self._new(self._kind)
        self._lib.crypto_core_ristretto255_from_hash(out, expand(message, tag, 64))
        return self._buffer(out)[:]

    def hash_to_scalar(self, message: bytes, tag: bytes) -> int:
        """``HashToScalar`` of RFC 9497, section 4.1."""
        return int.from_bytes(expand(message, tag, 64), "little") % self.order

    def is_element(self, data: bytes) -> bool:
        return len(data) == 32 and bool(self._lib.crypto_core_ristretto255_is_valid_point(data))
