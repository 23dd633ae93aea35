"""The miner of the STAR mode: rounds along the ladder, each ended by an aggregation."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from shoal.errors import ProtocolError
from shoal.protocol import board as boards
from shoal.protocol.board import Board
from shoal.protocol.extraction.messages import decode_cells
from shoal.protocol.messages import Body, Message, Rejected
from shoal.protocol.result import Result, make_result
from shoal.protocol.session import Session
from shoal.protocol.star.aggregate import aggregate
from shoal.protocol.star.ladder import Levels, ladder
from shoal.protocol.star.messages import Contribution, read_contribution


@dataclass
class State:
    """The board, the rung that is under way with its messages, and what opened on which rung."""

    board: Board
    rungs: list[Levels]
    rung: int = 0
    current: dict[int, Contribution] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    opened: dict[int, tuple[str, ...]] = field(default_factory=dict)
    opened_on: dict[int, int] = field(default_factory=dict)
    named: dict[int, str] = field(default_factory=dict)


def start(session: Session) -> State:
    return State(Board(session, session.make_group()), ladder(session))


def step(state: State, message: Message, now: float) -> tuple[State, Body]:
    """Take one message; the state that was given belongs to the caller no longer."""
    reply = boards.step(state.board, message, now)
    if message.kind == "submit":
        reply = take_submit(state, message)
    elif message.kind == "tick":
        boards.advance(state.board, now)
        reply = {}
    elif message.kind == "close" and message.body.get("phase") == "submit" and state.board.phase == "submit":
        end_round(state, now)
        reply = {"phase": state.board.phase}
    if reply is None:
        raise Rejected(400, "kind", "The session's protocol has no message of this kind.")
    if state.board.phase == "submit" and is_round_over(state, now):
        end_round(state, now)
    return state, reply


def take_submit(state: State, message: Message) -> Body:
    state.board.need("submit")
    if message.slot != str(state.rung):
        raise Rejected(409, "round", f"Round {state.rung} is under way; this message belongs to another.")
    if message.sender in state.current or message.sender in state.opened:
        raise Rejected(409, "twice", "This customer has submitted already.")
    state.current[message.sender] = read_contribution(state.board.session, message.body)
    state.seen.add(message.sender)
    return {}


def is_round_over(state: State, now: float) -> bool:
    """Everybody who is not opened yet has sent; or, after the first round, everybody who ever sent; or the time is over."""
    waiting = (state.seen if state.rung else {m.index for m in state.board.roster}) - state.opened.keys() - state.current.keys()
    seconds = state.board.session.seconds
    return not waiting or now - state.board.since > (seconds["round"] if state.rung else seconds["submit"])


def end_round(state: State, now: float) -> None:
    """Aggregate, remember what opened, and go one rung up; at the top, or when too few are left, close."""
    session = state.board.session
    found = aggregate(state.current, session.threshold)
    state.named.update(found.named)
    for group in found.groups:
        take_group(state, group)
    state.current = {}
    state.rung += 1
    left = len(state.seen - state.opened.keys())
    if state.rung >= len(state.rungs) or left < session.threshold:
        state.board.enter("closed", now)
    else:
        state.board.enter("submit", now)


def take_group(state: State, group: dict[int, bytes]) -> None:
    """Decode one group's rows; whoever states other labels than the rest is left out."""
    session = state.board.session
    n_qi = len(session.quasi_identifiers)
    rows = {}
    for index, data in group.items():
        try:
            rows[index] = decode_cells(data, len(session.columns))
        except ProtocolError:
            state.named[index] = "sealed something that is no row"
    if not rows:
        return
    labels, _ = Counter(row[:n_qi] for row in rows.values()).most_common(1)[0]
    for index, row in rows.items():
        if row[:n_qi] == labels:
            state.opened[index] = row
            state.opened_on[index] = state.rung
        else:
            state.named[index] = "sealed other labels than her group"


def release(state: State) -> Result:
    """The table of everybody who was opened."""
    state.board.need("closed")
    return make_result(state.board.session, list(state.opened.values()), len(state.seen), {**state.board.named, **state.named})
