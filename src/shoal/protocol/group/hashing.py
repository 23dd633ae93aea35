"""Hashing into groups by RFC 9380, and the encoding of tuples that goes into every hash.

``join`` puts each part's length before it, so that no two tuples have the same encoding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from shoal.errors import ProtocolError


def join(parts: Iterable[bytes | str | int]) -> bytes:
    """An injective encoding of a tuple: the number of parts, then kind, length and bytes of each.

    >>> join(["ab", "c"]) == join(["a", "bc"])
    False
    >>> join([1]) == join(["1"])
    False
    """
    encoded = []
    for part in parts:
        kind, data = b"b", part
        if isinstance(part, str):
            kind, data = b"s", part.encode()
        elif isinstance(part, int):
            kind, data = b"i", part.to_bytes(part.bit_length() // 8 + 1, "big", signed=True)
        assert isinstance(data, bytes | bytearray)
        encoded.append(kind + len(data).to_bytes(4, "big") + bytes(data))
    return len(encoded).to_bytes(4, "big") + b"".join(encoded)


def expand(message: bytes, tag: bytes, length: int, algorithm: str = "sha512") -> bytes:
    """``expand_message_xmd`` of RFC 9380, section 5.3.1."""
    size, block = hashlib.new(algorithm).digest_size, hashlib.new(algorithm).block_size
    rounds = -(-length // size)
    if rounds > 255 or length > 65535:
        raise ProtocolError(f"expand_message_xmd cannot give {length} bytes.")
    if len(tag) > 255:
        tag = hashlib.new(algorithm, b"H2C-OVERSIZE-DST-" + tag).digest()
    tail = tag + bytes([len(tag)])
    first = hashlib.new(algorithm, bytes(block) + message + length.to_bytes(2, "big") + b"\0" + tail).digest()
    blocks = [hashlib.new(algorithm, first + b"\1" + tail).digest()]
    for i in range(2, rounds + 1):
        mixed = bytes(x ^ y for x, y in zip(first, blocks[-1], strict=True))
        blocks.append(hashlib.new(algorithm, mixed + bytes([i]) + tail).digest())
    return b"".join(blocks)[:length]
