"""The miner: takes one message from each customer, and opens what may be opened when the session is closed."""

from __future__ import annotations

from dataclasses import dataclass, field

from shoal.errors import ProtocolError
from shoal.protocol import board as boards
from shoal.protocol import keygen
from shoal.protocol.board import Board
from shoal.protocol.extraction.messages import Share, decode_cells, read_quasi_identifier, read_share, subject_of
from shoal.protocol.extraction.opening import open_group
from shoal.protocol.messages import Body, Message, Rejected
from shoal.protocol.result import Result, make_result
from shoal.protocol.session import Session

Row = tuple[tuple[str, ...], Share]


@dataclass
class State:
    """The board, and what was submitted: quasi-identifier and share by index."""

    board: Board
    rows: dict[int, Row] = field(default_factory=dict)


def start(session: Session) -> State:
    return State(Board(session, session.make_group()))


def step(state: State, message: Message, now: float) -> tuple[State, Body]:
    """Take one message; the state that was given belongs to the caller no longer."""
    reply = boards.step(state.board, message, now)
    if reply is None and message.kind == "submit":
        reply = take_submit(state, message, now)
    if reply is None and message.kind == "tick":
        boards.advance(state.board, now)
        reply = {}
    if message.kind == "close" and message.body.get("phase") == "submit" and state.board.phase == "submit":
        state.board.enter("closed", now)
        reply = {"phase": "closed"}
    if reply is None:
        raise Rejected(400, "kind", "The session's protocol has no message of this kind.")
    board = state.board
    if board.phase == "submit" and (len(state.rows) == len(board.roster) or now - board.since > board.session.seconds["submit"]):
        board.enter("closed", now)
    return state, reply


def take_submit(state: State, message: Message, now: float) -> Body:
    state.board.need("submit")
    session, group = state.board.session, state.board.group
    if message.sender in state.rows:
        raise Rejected(409, "twice", "This customer has submitted already.")
    state.rows[message.sender] = (read_quasi_identifier(session, message.body), read_share(session, group, message.body))
    return {}


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
        opened = open_group(session, group, subject_of(session, "quasi-identifier", quasi_identifier), shares, commitments)
        named.update(opened.named)
        for index, data in opened.rows.items():
            try:
                rows.append((*quasi_identifier, *decode_cells(data, len(session.sensitive))))
            except ProtocolError:
                named[index] = "sealed something that is no row"
    return make_result(session, rows, len(state.rows), named)
