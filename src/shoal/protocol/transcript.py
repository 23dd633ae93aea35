"""The transcript: every message that the miner took, in order, chained by hashes and signed by him at the end.

A third party with the session file checks the chain, every signature, token and proof, opens the table again and
compares. The file shows what the miner saw (so in extraction every quasi-identifier): it is for an auditor and not for
publication.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shoal.errors import ProtocolError
from shoal.protocol.chain import Entry, first_hash, next_hash, signed_head
from shoal.protocol.messages import Message, canonical
from shoal.protocol.miner import Miner
from shoal.protocol.result import Result
from shoal.protocol.session import Session

FORMAT = "shoal-transcript-2"


def write(path: Path, session: Session, entries: Iterable[Entry], result: Result, key: Ed25519PrivateKey) -> None:
    """Write the transcript, one JSON object per line."""
    last, seq = first_hash(session), 0
    with open(path, "wb") as out:
        out.write(canonical({"format": FORMAT, "session": session.digest}) + b"\n")
        for entry in entries:
            out.write(
                canonical({"seq": entry.seq, "at": entry.at, "message": vars(entry.message), "hash": entry.hash})
                + b"\n"
            )
            last, seq = entry.hash, entry.seq
        signature = key.sign(signed_head(session, seq, last, result.digest)).hex()
        out.write(canonical({"head": last, "seq": seq, "table": result.digest, "signature": signature}) + b"\n")


def read(path: Path) -> Iterator[dict[str, object]]:
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                entry = json.loads(line)
            except ValueError as error:
                raise ProtocolError(f"The transcript's line {number} is not JSON.") from error
            if not isinstance(entry, dict):
                raise ProtocolError(f"The transcript's line {number} is not an entry.")
            yield entry


def hashes(path: Path) -> Iterator[tuple[int, str]]:
    """Number and hash of each entry; to be read after the audit has checked them."""
    return ((int(str(line["seq"])), str(line["hash"])) for line in read(path) if "message" in line)


def audit(path: Path, session: Session) -> Result:
    """Check a transcript against its session file and open the table again; a :class:`ProtocolError` says what is
    wrong.
    """
    lines = read(path)
    if next(lines, None) != {"format": FORMAT, "session": session.digest}:
        raise ProtocolError("The transcript belongs to another session, or is none.")
    miner = Miner(session, bytes.fromhex(session.miner.key))
    last, seq = first_hash(session), 0
    for line in lines:
        if "head" in line:
            return _check_end(line, next(lines, None), session, miner, last, seq)
        message = Message.decode(canonical(line.get("message")))
        at = line.get("at")
        if (
            line.get("seq") != seq + 1
            or not isinstance(at, float)
            or next_hash(last, seq + 1, at, message.header) != line.get("hash")
        ):
            raise ProtocolError(f"The transcript's chain is broken at entry {seq + 1}.")
        _, new = miner.take(message, at)
        if not new:
            raise ProtocolError(f"The transcript holds a message twice, at entry {seq + 1}.")
        last, seq = str(line["hash"]), seq + 1
    raise ProtocolError("The transcript has no end.")


def _check_end(line: dict[str, object], more: object, session: Session, miner: Miner, last: str, seq: int) -> Result:
    if more is not None or line["head"] != last or line.get("seq") != seq:
        raise ProtocolError("The transcript's end does not fit its entries.")
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(session.miner.key))
        key.verify(bytes.fromhex(str(line.get("signature"))), signed_head(session, seq, last, str(line.get("table"))))
    except (InvalidSignature, ValueError) as error:
        raise ProtocolError("The transcript is not signed by the session's miner.") from error
    if miner.board.hash != last:
        raise ProtocolError("The transcript's chain is not the one that its entries make.")
    result = miner.release()
    if result.digest != line.get("table"):
        raise ProtocolError("The transcript opens to another table than the one that was signed.")
    return result
