"""Receipts: the miner's signed statement that a message is at a certain place of his chain.

A receipt holds what is needed to compute the chain's hash after the message from the hash before it. Whoever kept one
can show later that a chain without her message is not the one that the miner had when he answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shoal.errors import ProtocolError
from shoal.protocol.chain import Entry, next_hash, signed_head
from shoal.protocol.messages import Body, Message, field
from shoal.protocol.session import Session


def make_receipt(entry: Entry, before: str) -> Body:
    """What the miner says of an entry, without his signature."""
    header = entry.message.header
    return {
        "seq": entry.seq,
        "at": entry.at,
        "before": before,
        "hash": entry.hash,
        "after": header.after,
        "sent": header.signature,
    }


def sign_receipt(session: Session, receipt: Body, key: Ed25519PrivateKey) -> Body:
    return {**receipt, "signature": key.sign(signed_head(session, receipt["seq"], receipt["hash"])).hex()}


def check_receipt(session: Session, message: Message, sign_key: bytes, receipt: object) -> Body:
    """Raise a :class:`ProtocolError` unless the miner signed a chain that ends with this message of this customer's.

    Sent again after a crash, a message may build on a later head than the one that was taken; then the one that was
    taken is in the receipt, and is hers.
    """
    if not isinstance(receipt, dict):
        raise ProtocolError("The miner gave no receipt.")
    texts = {name: field(receipt, name, str) for name in ("before", "hash", "after", "sent", "signature")}
    seq, at = field(receipt, "seq", int), field(receipt, "at", float)
    header = replace(message.header, after=texts["after"], signature=texts["sent"])
    header.check_signature(sign_key)
    try:
        right = next_hash(texts["before"], seq, at, header) == texts["hash"]
        signature = bytes.fromhex(texts["signature"])
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(session.miner.key)).verify(
            signature, signed_head(session, seq, texts["hash"])
        )
    except (InvalidSignature, ValueError) as error:
        raise ProtocolError("The miner's receipt is not signed by the session's miner.") from error
    if not right:
        raise ProtocolError("The miner's receipt is for another message than the one that was sent.")
    return {"seq": seq, "at": at, **texts}


def check_kept(receipts: Mapping[str, Body], hashes: Iterable[tuple[int, str]]) -> int:
    """Are all kept receipts on a chain, given as numbers and hashes?

    Their number; a :class:`ProtocolError` names what is missing.
    """
    chain = dict(hashes)
    for name, receipt in receipts.items():
        if chain.get(int(receipt["seq"])) != receipt["hash"]:
            raise ProtocolError(
                f"The transcript does not hold what the miner signed to have taken: entry {receipt['seq']} ({name})."
            )
    return len(receipts)
