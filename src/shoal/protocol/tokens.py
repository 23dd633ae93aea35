"""Anonymous tokens: blind RSA signatures by RFC 9474 (RSABSSA-SHA384-PSS-Randomized).

The registrar sees who asks and signs what it cannot read; the miner sees a token that the registrar must have signed
and cannot tell for whom. A token is bound to the session and to the customer's fresh signing key, so nobody else can
use it and it counts once.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from dataclasses import dataclass

import gmpy2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA384
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

from shoal.errors import ProtocolError
from shoal.protocol.group.hashing import join
from shoal.protocol.messages import Rejected

PREFIX_BYTES = 32
SALT_BYTES = 48


@dataclass(frozen=True)
class Blinded:
    """What the customer keeps (prefix, inverse) and what she sends (data)."""

    prepared: bytes
    data: bytes
    inverse: int


def purpose(context: bytes, use: str, key: bytes) -> bytes:
    """What a token says: this session, this use, this customer's key."""
    return join([context, "token", use, key])


def mask(seed: bytes, length: int) -> bytes:
    """MGF1 with SHA-384."""
    blocks = [hashlib.sha384(seed + i.to_bytes(4, "big")).digest() for i in range(-(-length // 48))]
    return b"".join(blocks)[:length]


def encode_pss(message: bytes, bits: int, salt: bytes) -> bytes:
    """EMSA-PSS-ENCODE of RFC 8017 with SHA-384."""
    size = -(-bits // 8)
    digest = hashlib.sha384(bytes(8) + hashlib.sha384(message).digest() + salt).digest()
    block = bytes(size - len(salt) - len(digest) - 2) + b"\x01" + salt
    hidden = bytearray(a ^ b for a, b in zip(block, mask(digest, len(block)), strict=True))
    hidden[0] &= 0xFF >> (8 * size - bits)
    return bytes(hidden) + digest + b"\xbc"


def prepare(message: bytes) -> bytes:
    """PrepareRandomize: a random prefix, so that the registrar gains nothing even from a message that it guesses."""
    return os.urandom(PREFIX_BYTES) + message


def blind(public: rsa.RSAPublicKey, prepared: bytes, salt: bytes | None = None, inverse: int | None = None) -> Blinded:
    """Hide a prepared message; salt and inverse are given by the test vectors only."""
    numbers = public.public_numbers()
    size = (numbers.n.bit_length() + 7) // 8
    encoded = encode_pss(prepared, numbers.n.bit_length() - 1, os.urandom(SALT_BYTES) if salt is None else salt)
    m = int.from_bytes(encoded, "big")
    if gmpy2.gcd(m, numbers.n) != 1:
        raise ProtocolError("A message shares a factor with the registrar's key.")
    r = int(gmpy2.invert(inverse, numbers.n)) if inverse is not None else _unit(numbers.n)
    hidden = m * pow(r, numbers.e, numbers.n) % numbers.n
    return Blinded(prepared, hidden.to_bytes(size, "big"), int(gmpy2.invert(r, numbers.n)))


def _unit(modulus: int) -> int:
    while True:
        r = 1 + secrets.randbelow(modulus - 1)
        if gmpy2.gcd(r, modulus) == 1:
            return r


def blind_sign(private: rsa.RSAPrivateKey, data: bytes) -> bytes:
    """The registrar's part, with exponentiations that take the same time for all exponents, one for each prime; the
    result is checked before it leaves.
    """
    numbers = private.private_numbers()
    n, e = numbers.public_numbers.n, numbers.public_numbers.e
    size = (n.bit_length() + 7) // 8
    m = int.from_bytes(data, "big")
    if len(data) != size or not 0 < m < n:
        raise Rejected(400, "malformed", "A blinded token has the wrong length or range.")
    by_p = gmpy2.powmod_sec(m % numbers.p, numbers.dmp1, numbers.p)
    by_q = gmpy2.powmod_sec(m % numbers.q, numbers.dmq1, numbers.q)
    s = int(by_q + numbers.q * ((by_p - by_q) * numbers.iqmp % numbers.p))
    if pow(s, e, n) != m:
        raise ProtocolError("The registrar's signature does not verify.")
    return s.to_bytes(size, "big")


def finalize(public: rsa.RSAPublicKey, blinded: Blinded, blind_signature: bytes, salt_bytes: int = SALT_BYTES) -> bytes:
    """The token: prefix and signature, after checking it."""
    n = public.public_numbers().n
    size = (n.bit_length() + 7) // 8
    if len(blind_signature) != size:
        raise ProtocolError("The registrar answered with a signature of the wrong length.")
    signature = (int.from_bytes(blind_signature, "big") * blinded.inverse % n).to_bytes(size, "big")
    verify(public, blinded.prepared, signature, salt_bytes)
    return signature


def verify(public: rsa.RSAPublicKey, prepared: bytes, signature: bytes, salt_bytes: int = SALT_BYTES) -> None:
    try:
        public.verify(signature, prepared, padding.PSS(mgf=padding.MGF1(SHA384()), salt_length=salt_bytes), SHA384())
    except InvalidSignature as error:
        raise Rejected(
            403, "token", "A token was not signed by this session's registrar, or for somebody else."
        ) from error


def check(key: str, message: bytes, token: bytes) -> None:
    """Refuse a token (prefix and signature) that the registrar did not sign for this message."""
    verify(load_key(key), token[:PREFIX_BYTES] + message, token[PREFIX_BYTES:])


def load_key(pem: str) -> rsa.RSAPublicKey:
    public = load_pem_public_key(pem.encode())
    if not isinstance(public, rsa.RSAPublicKey):
        raise ProtocolError("The registrar's key is not an RSA key.")
    return public


def key_text(public: rsa.RSAPublicKey) -> str:
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
