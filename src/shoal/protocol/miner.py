"""The miner of any protocol: one face for the servers, the command line and the tests.

``take`` is the one way in: it checks the sender's signature, answers a repeated message as before, and steps the protocol.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from shoal.errors import ProtocolError
from shoal.protocol.board import Board
from shoal.protocol.messages import Body, Message, Rejected, text_of
from shoal.protocol.result import Result
from shoal.protocol.session import Session
from shoal.protocol.suppression import work


@dataclass
class Miner:
    """A session's state, the digests and answers of all messages it took, and the desk that hands out work."""

    session: Session
    public_key: bytes
    protocol: Any = None
    state: Any = None
    answers: dict[str, tuple[str, Body]] = field(default_factory=dict)
    desk: work.Desk = field(default_factory=work.Desk)

    def __post_init__(self) -> None:
        self.protocol = import_module(f"shoal.protocol.{self.session.protocol}.miner")
        self.state = self.protocol.start(self.session)

    @property
    def board(self) -> Board:
        board: Board = self.state.board
        return board

    def known(self, message: Message) -> Body | None:
        """The answer to a message that was taken before; another body under its name is refused."""
        if message.name not in self.answers:
            return None
        digest, reply = self.answers[message.name]
        if digest != message.digest():
            raise Rejected(409, "conflict", "Another message of this name was taken before: a second submission is refused.")
        return reply

    def take(self, message: Message, now: float) -> tuple[Body, bool]:
        """Take a message: the answer, and whether it is new (and so must be kept before it is answered)."""
        if message.session != self.session.digest:
            raise Rejected(409, "session", "The message belongs to another session: compare the session files.")
        self.check_sender(message)
        reply = self.known(message)
        if reply is not None:
            return reply, False
        if now >= self.session.expires.timestamp() and (message.sender or message.kind == "join"):
            raise Rejected(410, "expired", "The session has expired.")
        if not self.board.since:
            self.board.since = now
        self.state, reply = self.protocol.step(self.state, message, now)
        assert reply is not None
        self.answers[message.name] = (message.digest(), reply)
        return reply, True

    def check_sender(self, message: Message) -> None:
        """Every message is signed: by the miner, by a member of the roster, or, when joining, by the key that joins."""
        if message.kind == "join":
            return  # checked against the key inside
        message.check_signature(self.board.member(message.sender).sign_key if message.sender else self.public_key)

    def needs_tick(self, now: float) -> bool:
        """Would time alone change the state?"""
        board = self.board
        limits = {"join": "join", "deal": "deal", "check": "check", "submit": "submit", "mix": "submit", "test": "submit"}
        if board.phase not in limits or not board.since:
            return False
        seconds = self.session.seconds[limits[board.phase]]
        if self.session.protocol == "star" and board.phase == "submit" and self.state.rung:
            seconds = self.session.seconds["round"]
        if board.phase == "deal":
            return any(now - at > seconds for d, at in board.appointed.items() if d not in board.out and d not in board.qualified)
        return now - board.since > seconds

    def ask(self, message: Message, now: float) -> Body:
        """Hand out work; not kept, since it can be handed out again."""
        self.check_sender(message)
        if self.session.protocol != "suppression":
            return {"task": "none"}
        return work.ask(self.desk, self.state, message.sender, now)

    def view(self, name: str) -> Body:
        """What anybody may see."""
        board = self.board
        if name == "status":
            return self.status()
        if name == "roster":
            return {"sign_keys": [text_of(m.sign_key) for m in board.roster], "seal_keys": [text_of(m.seal_key) for m in board.roster]}
        kind, _, number = name.partition("/")
        index = board.member(int(number)).index if number.isdigit() else 0
        if kind == "shares" and index:
            return {
                "dealers": {str(d): {"commit": board.commit_bodies[d], "sealed": text_of(board.sealed[d][index])} for d in board.qualified}
            }
        if kind == "outcome" and index and self.session.protocol == "star":
            return {"opened": index in self.state.opened}
        raise Rejected(404, "unknown", "There is nothing of this name.")

    def status(self) -> Body:
        board = self.board
        rows = self.state.seen if self.session.protocol == "star" else self.state.rows
        return {
            "session": self.session.digest,
            "phase": board.phase,
            "reason": board.reason,
            "customers": len(board.roster),
            "dealers": [d for d in board.dealers if d not in board.out],
            "qualified": board.qualified,
            "submitted": len(rows),
            "round": getattr(self.state, "rung", 0),
            "opened": len(getattr(self.state, "opened", ())),
            "open_jobs": len(getattr(self.state, "open_jobs", ())),
            "released": len(getattr(self.state, "finals", ())),
            "named": {str(i): why for i, why in board.named.items()},
        }

    def release(self) -> Result:
        """Open the table; only when the session is closed."""
        if self.board.phase == "failed":
            raise ProtocolError(f"The session failed: {self.board.reason}. There is no table.")
        if self.board.phase != "closed":
            raise ProtocolError(
                f"The session is in the phase '{self.board.phase}'. The table opens when it is closed; 'shoal miner close' ends a phase."
            )
        result: Result = self.protocol.release(self.state)
        return result
