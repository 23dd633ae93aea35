"""What follows from the board in extraction, without seeing what was submitted: who did, and when the session is
closed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from shoal.protocol import board as boards
from shoal.protocol.board import Board
from shoal.protocol.messages import Body, Message, Rejected


@dataclass
class Rules:
    """The board, and who submitted."""

    board: Board
    sent: set[int] = field(default_factory=set)

    def step(self, message: Message, now: float) -> Body:
        """Take one entry; only the sender of a submission is looked at."""
        board = self.board
        reply = boards.step(board, message, now)
        if message.kind == "submit":
            self.take_submit(message)
            reply = {}
        elif message.kind == "tick":
            boards.advance(board, now)
            reply = {}
        elif message.kind == "close" and message.body.get("phase") == "submit" == board.phase and not board.waiting:
            board.enter("closed", now)
            reply = {"phase": "closed"}
        if reply is None:
            raise Rejected(400, "kind", "The session's protocol has no message of this kind.")
        over = now - board.since > board.session.seconds["submit"]
        if board.phase == "submit" and not board.waiting and (len(self.sent) == len(board.roster) or over):
            board.enter("closed", now)
        return reply

    def take_submit(self, message: Message) -> None:
        self.board.need("submit")
        if message.sender in self.sent:
            raise Rejected(409, "twice", "This customer has submitted already.")
        self.sent.add(message.sender)
