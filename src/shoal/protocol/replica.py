"""A customer's own copy of the board: she checks every entry that the miner shows and draws every conclusion herself.

An entry counts if it continues the chain, is signed by whom it names, builds on the last sealed head, and follows the
rules that the miner himself must follow. Any other entry is an error that ends her part: the miner who shows it does
not follow the protocol. Two customers whose replicas agree on a sealed head agree on everything before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from shoal.errors import ProtocolError
from shoal.protocol.board import Board
from shoal.protocol.chain import Broken, Shown, first_hash, read_shown
from shoal.protocol.messages import Body, Message, Rejected
from shoal.protocol.session import Session

LAZY = frozenset({"order", "mix", "check", "share", "counts"})
"""The signatures of these are checked only by those who use them, and by the audit: there are many, and nobody else
relies on them.
"""
OWN = frozenset({"close", "tick", "head", "groups"})
"""The kinds of messages that only the miner sends."""


class Replica:
    """The board and the rules of the session's protocol, from the entries shown so far."""

    def __init__(self, session: Session) -> None:
        self.session = session
        rules = import_module(f"shoal.protocol.{session.protocol}.rules").Rules
        self.rules: Any = rules(Board(session, session.make_group()))
        self.hashes = [first_hash(session)]

    @property
    def board(self) -> Board:
        board: Board = self.rules.board
        return board

    @property
    def seq(self) -> int:
        return self.board.seq

    def take(self, entries: Sequence[Body]) -> None:
        """Check and apply the entries that come next."""
        for data in entries:
            shown = read_shown(self.session, data)
            if shown.seq != self.seq + 1:
                raise Broken(f"The board that the miner shows has a gap after entry {self.seq}.")
            try:
                self.apply(shown)
            except ProtocolError as error:
                raise Broken(
                    f"Entry {shown.seq} of the board that the miner shows breaks the rules: {error}"
                ) from error
            self.hashes.append(self.board.hash)

    def apply(self, shown: Shown) -> None:
        header, board = shown.header, self.board
        if header.kind not in LAZY and header.kind != "join":
            header.check_signature(
                board.member(header.sender).sign_key if header.sender else bytes.fromhex(self.session.miner.key)
            )
        check_place(board, header.kind, header.sender, header.after)
        if not board.since:
            board.since = shown.at
        message = Entered(
            self.session.digest,
            header.sender,
            header.kind,
            header.slot,
            shown.body or {},
            header.after,
            header.signature,
        )
        object.__setattr__(message, "shown_digest", header.digest)
        self.rules.step(message, shown.at)
        board.record(shown.at, header)

    def check_receipt(self, seq: int, hash_: str) -> None:
        """What the miner signed to have taken must be what he shows."""
        if seq >= len(self.hashes) or self.hashes[seq] != hash_:
            raise Broken("The miner signed another board than the one that he shows.")

    def check_seals(self, known: Mapping[str, str]) -> None:
        """What was sealed when she looked last must be sealed now."""
        for head in self.board.seals:
            if known.get(head.place, head.digest) != head.digest:
                raise Broken(
                    f"The end of '{head.place}' is another one than the one seen before: the miner shows two boards."
                )


class Entered(Message):
    """A message as the board shows it; where the body is not shown, its digest is known all the same."""

    shown_digest = ""

    def digest(self) -> str:
        return self.shown_digest or super().digest()


def check_place(board: Board, kind: str, sender: int, after: str) -> None:
    """Who may send which kind of message, and that it builds on the last sealed head."""
    if (kind in OWN) != (sender == 0 and kind != "join"):
        raise Rejected(403, "role", "Only the miner, or only a customer, says such a thing.")
    if after != ("" if sender == 0 else board.after):
        raise Rejected(
            409, "after", "The message builds on another head of the board than the last one that was sealed."
        )
