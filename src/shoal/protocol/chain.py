"""The board as a chain of hashes: each entry's hash covers everything before it.

An entry is a message and when it was taken. Its hash is made of the message's header, so the chain can also be checked
by parties who see only the header of some messages; ``PUBLIC`` names the kinds whose bodies everybody on the roster
sees.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from shoal.errors import ProtocolError
from shoal.protocol.messages import Body, Header, Message, Rejected, body_digest, canonical, field
from shoal.protocol.session import Session

PUBLIC = frozenset({"join", "close", "tick", "head", "commit", "complain", "confirm", "groups"})

LATEST = 2.0**40
"""Later than the time of any entry; times must be numbers below this."""


@dataclass(frozen=True)
class Entry:
    """A message, when it was taken, and the hash of everything up to it."""

    seq: int
    at: float
    message: Message
    hash: str


@dataclass(frozen=True)
class Shown:
    """An entry as the board shows it: the header, and the body if everybody may see it."""

    seq: int
    at: float
    header: Header
    body: Body | None

    def data(self) -> Body:
        shown = {name: value for name, value in vars(self.header).items() if name != "session"}
        return {"seq": self.seq, "at": self.at, "body": self.body, **shown}


def show(seq: int, at: float, message: Message) -> Shown:
    return Shown(seq, at, message.header, message.body if message.kind in PUBLIC else None)


def read_shown(session: Session, data: Body) -> Shown:
    """An entry from the miner; a body that does not fit its digest is refused."""
    if not isinstance(data, dict) or type(data.get("at")) not in (int, float) or not 0 <= data["at"] < LATEST:
        raise Rejected(400, "board", "The miner shows something that is not an entry of a board.")
    texts = [field(data, name, str) for name in ("kind", "slot", "after", "digest", "signature")]
    header = Header(session.digest, field(data, "sender", int), *texts)
    body = data.get("body")
    if (header.kind in PUBLIC) != isinstance(body, dict) or (
        isinstance(body, dict) and body_digest(body) != header.digest
    ):
        raise Rejected(400, "board", "The miner shows an entry whose body does not fit its digest.")
    return Shown(field(data, "seq", int), float(data["at"]), header, body)


def first_hash(session: Session) -> str:
    return hashlib.sha256(b"shoal-v2-board" + bytes.fromhex(session.digest)).hexdigest()


def next_hash(before: str, seq: int, at: float, header: Header) -> str:
    """The hash of a chain with one entry more."""
    leaf = [seq, at, header.sender, header.kind, header.slot, header.after, header.digest, header.signature]
    return hashlib.sha256(bytes.fromhex(before) + canonical(leaf)).hexdigest()


def signed_head(session: Session, seq: int, hash_: str, table: str = "") -> bytes:
    """What the miner signs: the session, how far the chain goes, its hash, and in the end the table's digest."""
    return b"shoal-v2-head" + canonical([session.digest, seq, hash_, table])


class Broken(ProtocolError):
    """A party was shown two chains that differ: the session must stop."""
