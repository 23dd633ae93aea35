"""The miner of any protocol: one face for the servers, the command line and the tests.

``take`` is the one way in: it checks the sender's signature, answers a repeated message as before, steps the protocol
and continues the chain. ``ask`` answers signed questions of members of the roster; ``word`` is the message that the
miner himself must send next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from shoal.errors import ProtocolError
from shoal.protocol.board import Board
from shoal.protocol.chain import Shown, show
from shoal.protocol.keygen import CHUNK
from shoal.protocol.messages import Body, Message, Rejected, bytes_of
from shoal.protocol.messages import field as need
from shoal.protocol.replica import check_place
from shoal.protocol.result import Result
from shoal.protocol.session import Session

PAGE = 500
"""So many entries of the board are shown at a time."""


@dataclass
class Miner:
    """A session's state, the digests and answers of all messages it took, and the board as it is shown."""

    session: Session
    public_key: bytes
    protocol: Any = None
    state: Any = None
    answers: dict[str, tuple[str, Body]] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    chunks: dict[tuple[int, int], Body] = field(default_factory=dict)
    """Dealers' sealed points: (dealer, first customer) → body."""

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
            raise Rejected(
                409, "conflict", "Another message of this name was taken before: a second submission is refused."
            )
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
        check_place(self.board, message.kind, message.sender, message.after)
        if message.kind == "deal":
            check_chunk(message)
        if not self.board.since:
            self.board.since = now
        self.state, reply = self.protocol.step(self.state, message, now)
        assert reply is not None
        self.board.record(now, message.header)
        self.shown.append(show(self.board.seq, now, message))
        if message.kind == "deal":
            self.chunks[message.sender, int(message.slot.partition("-")[0])] = message.body
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
        limits = {"mix": "submit", "test": "submit", "countersign": "submit", "reveal": "round"}
        limits |= {phase: phase for phase in ("join", "deal", "check", "submit")}
        if board.phase not in limits or not board.since or board.waiting:
            return False
        seconds = self.session.seconds[limits[board.phase]]
        if self.session.protocol == "star" and board.phase == "submit" and self.state.rung:
            seconds = self.session.seconds["round"]
        return now - board.since > seconds

    def word(self, now: float) -> tuple[str, str, Body] | None:
        """The message that the miner must send now: kind, slot and body."""
        if self.board.waiting:
            return None
        own = getattr(self.protocol, "word", None)
        said: tuple[str, str, Body] | None = own(self.state, now) if own else None
        if said is None and self.needs_tick(now):
            said = ("tick", f"{now:.3f}", {})
        return said

    def ask(self, message: Message, now: float) -> Body:
        """Answer a member's question: a page of the board, her sealed points, or her next task.

        What she gets follows from who she is.
        """
        if message.session != self.session.digest:
            raise Rejected(409, "session", "The question belongs to another session: compare the session files.")
        if message.kind != "ask" or message.sender < 1:
            raise Rejected(403, "role", "Only members of the roster ask.")
        self.check_sender(message)
        if self.session.protocol == "star":
            shown: Body = self.protocol.ask(self.state, message)
            return shown
        what, _, number = message.slot.partition("/")
        if what == "board" and number.isascii() and number.isdigit() and len(number) < 12:
            return {
                "entries": [s.data() for s in self.shown[int(number) : int(number) + PAGE]],
                "more": int(number) + PAGE < len(self.shown),
            }
        if what == "points":
            start = (message.sender - 1) // CHUNK * CHUNK + 1
            return {
                "chunks": {str(d): self.chunks[d, start] for d in self.board.qualified if (d, start) in self.chunks}
            }
        if what == "task" and self.session.protocol == "suppression":
            task: Body = self.protocol.ask(self.state, message.sender, now)
            return task
        return {"task": "none"}

    def view(self, name: str) -> Body:
        """What anybody may see."""
        if name == "status":
            return self.status()
        raise Rejected(404, "unknown", "There is nothing of this name.")

    def status(self) -> Body:
        board = self.board
        rows = self.state.seen if self.session.protocol == "star" else self.state.rows
        return {
            "session": self.session.digest,
            "phase": board.phase,
            "waiting": board.waiting,
            "reason": board.reason,
            "customers": len(board.roster),
            "dealers": [d for d in board.dealers if d not in board.out],
            "qualified": board.qualified,
            "submitted": len(rows),
            "round": getattr(self.state, "rung", 0),
            "opened": len(getattr(self.state, "shares", ())),
            "open_jobs": len(getattr(self.state, "open_jobs", ())),
            "released": len(getattr(self.state, "finals", ())),
            "named": {str(i): why for i, why in board.named.items()},
            "seals": [{"place": s.place, **s.body()} for s in board.seals],
        }

    def wanted_head(self) -> tuple[str, int, str] | None:
        """Place, number and digest that the registrar is to countersign now; None if nothing waits for it."""
        own = getattr(self.protocol, "wanted_head", None)
        if own:
            wanted: tuple[str, int, str] | None = own(self.state)
            return wanted
        head = self.board.closing
        return None if head is None else (head.place, head.seq, head.digest)

    def release(self) -> Result:
        """Open the table; only when the session is closed."""
        if self.board.phase == "failed":
            raise ProtocolError(f"The session failed: {self.board.reason}. There is no table.")
        if self.board.phase != "closed":
            raise ProtocolError(
                f"The session is in the phase '{self.board.phase}'. The table opens when it is closed; 'shoal miner "
                "close' ends a phase."
            )
        result: Result = self.protocol.release(self.state)
        return result


def check_chunk(message: Message) -> None:
    """A dealer's message must hold as many sealed points as its place says."""
    _, _, count = message.slot.partition("-")
    if str(len([bytes_of(s) for s in need(message.body, "sealed", list)])) != count:
        raise Rejected(400, "malformed", "A dealer sent another number of points than the message's place says.")
