"""Keys from shared secrets (HKDF-SHA256), authenticated encryption (ChaCha20-Poly1305, fresh nonces) and padding to a
fixed length.
"""

from __future__ import annotations

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from shoal.errors import ProtocolError

NONCE_BYTES = 12
TAG_BYTES = 16


def derive(secret: bytes, purpose: bytes, length: int = 32) -> bytes:
    """A key for one purpose."""
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=purpose).derive(secret)


def pad(data: bytes, size: int) -> bytes:
    """The data with its length before it, filled to ``size`` bytes: a sealed value's length says nothing about it.

    >>> pad(b"ab", 8), unpad(pad(b"ab", 8))
    (b'\\x00\\x00\\x00\\x02ab\\x00\\x00', b'ab')
    """
    if len(data) + 4 > size:
        raise ProtocolError(f"A row is too long: its encoding takes {len(data)} bytes, the session allows {size - 4}.")
    return len(data).to_bytes(4, "big") + data + bytes(size - 4 - len(data))


def unpad(padded: bytes) -> bytes:
    """What was padded."""
    length = int.from_bytes(padded[:4], "big")
    if len(padded) < 4 or length > len(padded) - 4 or padded[4 + length :] != bytes(len(padded) - 4 - length):
        raise ProtocolError("A sealed value is not padded as the protocol asks.")
    return padded[4 : 4 + length]


def seal(key: bytes, data: bytes, bound_to: bytes) -> bytes:
    """Nonce and ciphertext; ``bound_to`` must be given again to open it."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, data, bound_to)


def open_sealed(key: bytes, sealed: bytes, bound_to: bytes) -> bytes:
    """What was sealed, or a :class:`ProtocolError`."""
    try:
        return ChaCha20Poly1305(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound_to)
    except (InvalidTag, ValueError) as error:
        raise ProtocolError("A sealed value could not be opened: wrong key, or altered.") from error
