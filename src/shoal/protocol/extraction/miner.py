"""The miner: takes one message from each customer, and opens what may be opened when the session is closed."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass, field

from shoal.errors import ProtocolError
from shoal.protocol import keygen
from shoal.protocol.board import Board
from shoal.protocol.extraction.messages import Share, decode_cells, read_quasi_identifier, read_share, subject_of
from shoal.protocol.extraction.opening import open_group
from shoal.protocol.extraction.rules import Rules
from shoal.protocol.grouping import EXTRACTION, bound_by_rows
from shoal.protocol.messages import Body, Message
from shoal.protocol.result import Formed, Result, make_result
from shoal.protocol.session import Session

Row = tuple[tuple[str, ...], Share]


@dataclass
class State:
    """The board with its rules, and what was submitted: quasi-identifier and share by index."""

    rules: Rules
    rows: dict[int, Row] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        return self.rules.board


def start(session: Session) -> State:
    return State(Rules(Board(session, session.make_group())))


def step(state: State, message: Message, now: float) -> tuple[State, Body]:
    """Take one message; the caller must not use the given state afterwards."""
    row = read_submit(state, message) if message.kind == "submit" else None
    reply = state.rules.step(message, now)
    if row is not None:
        state.rows[message.sender] = row
    return state, reply


def read_submit(state: State, message: Message) -> Row:
    state.board.need("submit")
    session, group = state.board.session, state.board.group
    return read_quasi_identifier(session, message.body), read_share(session, group, message.body)


def release(state: State) -> Result:
    """Open every group that is large enough, and count again what came out."""
    session, group = state.board.session, state.board.group
    state.board.need("closed")
    commitments = keygen.sum_commitments(group, [state.board.commitments[d] for d in state.board.qualified])["seed"]
    members: dict[tuple[str, ...], dict[int, Share]] = {}
    for index, (quasi_identifier, share) in state.rows.items():
        members.setdefault(quasi_identifier, {})[index] = share
    rows, named = [], dict(state.board.named)
    for quasi_identifier, shares in members.items():
        opened = open_group(
            session, group, subject_of(session, "quasi-identifier", quasi_identifier), shares, commitments
        )
        named.update(opened.named)
        for index, data in opened.rows.items():
            try:
                rows.append((*quasi_identifier, *decode_cells(data, len(session.sensitive))))
            except ProtocolError:
                named[index] = "sealed something that is not a row"
    return make_result(session, rows, len(state.rows), named, formed_of(state, members))


def formed_of(state: State, members: Mapping[tuple[str, ...], Sized]) -> Formed:
    """The miner sees every quasi-identifier, so he knows the distances; all rows of a group that is large enough are
    due.
    """
    least = state.board.session.threshold
    submitted = [quasi_identifier for quasi_identifier, _ in state.rows.values()]
    due = sum(len(shares) for shares in members.values() if len(shares) >= least)
    return Formed(EXTRACTION, bound_by_rows(submitted, least), len(submitted), due)
