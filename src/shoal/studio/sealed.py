"""A table inside a project, encrypted with a passphrase: a key by scrypt (RFC 7914), and AES-256-GCM, both of the
library *cryptography*.

Whoever changes a byte of what is sealed, or of the name and fingerprint beside it, is found out when it is opened.
"""

from __future__ import annotations

import base64
import io
import secrets
from typing import Any

import polars as pl
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from shoal.errors import DataError

SHORTEST = 10
"""Letters of a passphrase."""
COST = {"n": 2**16, "r": 8, "p": 1}
"""64 MB and about a fifth of a second for each guess."""
WRONG = "The passphrase does not open this project, or the file was changed since it was saved."


def seal(frame: pl.DataFrame, passphrase: str, beside: str) -> dict[str, Any]:
    """The table as data that only the passphrase opens; ``beside`` is bound to it."""
    if len(passphrase) < SHORTEST:
        raise DataError(
            f"A passphrase needs at least {SHORTEST} letters: whoever has the file can try as many as he likes."
        )
    plain = io.BytesIO()
    frame.write_parquet(plain)
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    sealed = AESGCM(_key(passphrase, salt, COST)).encrypt(nonce, plain.getvalue(), beside.encode())
    return {
        "cipher": "AES-256-GCM",
        "kdf": "scrypt",
        **COST,
        "salt": _text(salt),
        "nonce": _text(nonce),
        "sealed": _text(sealed),
    }


def unseal(sealed: dict[str, Any], passphrase: str, beside: str) -> pl.DataFrame:
    """The table again."""
    try:
        cost = {name: int(sealed[name]) for name in COST}
        salt, nonce, content = (base64.b64decode(sealed[name], validate=True) for name in ("salt", "nonce", "sealed"))
    except (KeyError, TypeError, ValueError):
        raise DataError("The table in this project cannot be read.") from None
    if any(cost[name] > 4 * COST[name] for name in COST) or sealed.get("cipher") != "AES-256-GCM":
        raise DataError("The table in this project is sealed in a way that this version does not know.")
    try:
        plain = AESGCM(_key(passphrase, salt, cost)).decrypt(nonce, content, beside.encode())
    except (InvalidTag, ValueError):
        raise DataError(WRONG) from None
    return pl.read_parquet(io.BytesIO(plain))


def _key(passphrase: str, salt: bytes, cost: dict[str, int]) -> bytes:
    return Scrypt(salt=salt, length=32, **cost).derive(passphrase.encode())


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
