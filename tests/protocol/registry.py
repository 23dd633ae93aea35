"""A registrar in the same process: keys that are made once, tokens without a network, and countersignatures."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA384

from shoal.protocol import tokens
from shoal.protocol.countersign import Countersigner
from shoal.protocol.messages import public_bytes, text_of
from shoal.protocol.session import Session
from shoal.protocol.transport.storage import Ledger

MINER_KEY = Ed25519PrivateKey.from_private_bytes(b"m" * 32)
HEAD_KEY = Ed25519PrivateKey.from_private_bytes(b"r" * 32)


@cache
def token_key(use: str) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def registrar_text() -> str:
    """The registrar's table in a session file."""
    join, randomness = (tokens.key_text(token_key(use).public_key()) for use in ("join", "randomness"))
    keys = f'key = """\n{join}"""\nrandomness_key = """\n{randomness}"""\nhead_key = "{public_bytes(HEAD_KEY).hex()}"\n'
    return f'\n[registrar]\nurl = "https://127.0.0.1:3"\n{keys}certificate = "system"\n'


def make_token(session: Session, use: str, sign_key: bytes) -> str:
    """A token as it is after unblinding."""
    prepared = tokens.prepare(tokens.purpose(session.context, use, sign_key))
    form = padding.PSS(mgf=padding.MGF1(SHA384()), salt_length=tokens.SALT_BYTES)
    return text_of(prepared[: tokens.PREFIX_BYTES] + token_key(use).sign(prepared, form, SHA384()))


def in_memory() -> Ledger:
    return Ledger(Path(":memory:"))


def countersigner(session: Session) -> Countersigner:
    return Countersigner(session, HEAD_KEY, in_memory())
