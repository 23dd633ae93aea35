"""The miner of the STAR mode: rounds of tags along the ladder, each ended by the registrar's countersignature; shares
meanwhile; then the table.

join ──► submit (tags) ──► countersign ──► submit (one rung up) ──► … ──► reveal (shares that are still awaited) ──►
closed
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from shoal.errors import ProtocolError
from shoal.protocol import board as boards
from shoal.protocol.board import Board
from shoal.protocol.countersign import read_head
from shoal.protocol.extraction.messages import decode_cells
from shoal.protocol.grouping import STAR
from shoal.protocol.messages import Body, Message, Rejected
from shoal.protocol.result import Formed, Result, make_result
from shoal.protocol.session import Session
from shoal.protocol.star import evidence
from shoal.protocol.star.aggregate import aggregate
from shoal.protocol.star.customer import GOING
from shoal.protocol.star.ladder import Levels, ladder
from shoal.protocol.star.messages import Share, read_share, read_tag
from shoal.protocol.star.rounds import Round, place_of


@dataclass
class State:
    """The board, the round that is under way, the rounds that are over, and the shares of those whose groups were large
    enough.
    """

    board: Board
    rungs: list[Levels]
    rung: int = 0
    tags: dict[int, bytes] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    """Who ever posted a tag."""
    expected: set[int] = field(default_factory=set)
    """Who is waited for in a round after the first: those who posted in the round before. Others may still post."""
    rounds: list[Round] = field(default_factory=list)
    awaited: Round | None = None
    """The round that waits for the registrar."""
    ended: tuple[int, str] | None = None
    """How long the board's chain was when that round ended, and its hash; None until the next message comes."""
    called: dict[int, int] = field(default_factory=dict)
    """The rung on which a customer's group was large enough."""
    shares: dict[int, Share] = field(default_factory=dict)
    joins: dict[int, Message] = field(default_factory=dict)
    posted: dict[int, dict[int, Message]] = field(default_factory=dict)
    """The messages with the tags, by rung and index: they are shown to others of the group."""


def start(session: Session) -> State:
    return State(Board(session, session.make_group()), ladder(session))


def step(state: State, message: Message, now: float) -> tuple[State, Body]:
    """Take one message; the caller must not use the given state afterwards."""
    if state.awaited is not None and state.ended is None:
        state.ended = (state.board.seq, state.board.hash)
    reply = boards.step(state.board, message, now)
    if message.kind == "join" and reply is not None:
        state.joins[int(reply["index"])] = message
    elif message.kind == "tag":
        reply = take_tag(state, message)
    elif message.kind == "share":
        reply = take_share(state, message)
    elif message.kind == "head":
        reply = take_head(state, message, now)
    elif message.kind == "tick":
        boards.advance(state.board, now)
        reply = {}
    elif message.kind == "close" and message.body.get("phase") == state.board.phase:
        reply = take_close(state, now)
    if reply is None:
        raise Rejected(400, "kind", "The session's protocol has no message of this kind.")
    move_on(state, now)
    return state, reply


def take_tag(state: State, message: Message) -> Body:
    state.board.need("submit")
    if message.slot != str(state.rung):
        raise Rejected(409, "round", f"Round {state.rung} is under way; this message belongs to another.")
    if message.sender in state.tags or message.sender in state.called:
        raise Rejected(409, "twice", "This customer has submitted already.")
    key = state.board.member(message.sender).sign_key
    state.tags[message.sender] = read_tag(state.board.session, state.board.group, state.rung, key, message.body).name
    state.posted.setdefault(state.rung, {})[message.sender] = message
    state.seen.add(message.sender)
    return {}


def take_share(state: State, message: Message) -> Body:
    """A share is taken until the session is closed, from those whose group was large enough."""
    state.board.need(*GOING)
    if message.slot != str(state.called.get(message.sender)):
        raise Rejected(409, "round", "This customer's group was not large enough in this round: no share is taken.")
    if message.sender in state.shares:
        raise Rejected(409, "twice", "This customer has sent her share already.")
    state.shares[message.sender] = read_share(state.board.session, message.body)
    return {}


def ended_round(state: State) -> tuple[int, Round] | None:
    """The round that waits for the registrar, with the chain as it was when it ended."""
    if state.awaited is None:
        return None
    seq, chain = state.ended or (state.board.seq, state.board.hash)
    if state.awaited.chain != bytes.fromhex(chain):
        state.awaited = replace(state.awaited, chain=bytes.fromhex(chain))
    return seq, state.awaited


def wanted_head(state: State) -> tuple[str, int, str] | None:
    """Place, length of the chain and digest that the registrar is to sign now."""
    ended = ended_round(state)
    return None if ended is None else (place_of(state.rung), ended[0], ended[1].digest(state.board.session))


def take_head(state: State, message: Message, now: float) -> Body:
    """The registrar's countersignature ends the round."""
    ended, session = ended_round(state), state.board.session
    if message.sender or ended is None:
        raise Rejected(409, "phase", "No round waits for the registrar.")
    head = read_head(message.slot, message.body)
    if (head.place, head.seq, head.digest) != (place_of(state.rung), ended[0], ended[1].digest(session)):
        raise Rejected(400, "malformed", "This is not the head of the round that waits.")
    head.check(session)
    done = replace(ended[1], head=head)
    state.rounds.append(done)
    for members in done.groups.values():
        if len(members) >= session.threshold:
            state.called.update(dict.fromkeys(members, state.rung))
    state.posted[state.rung] = {i: m for i, m in state.posted.get(state.rung, {}).items() if i in state.called}
    state.expected = state.tags.keys() - state.called.keys()
    state.awaited, state.ended, state.tags = None, None, {}
    state.rung += 1
    over = state.rung >= len(state.rungs) or len(state.expected) < session.threshold
    state.board.enter("reveal" if over else "submit", now)
    return {}


def take_close(state: State, now: float) -> Body | None:
    """The miner ends a round of tags, or the waiting for shares."""
    if state.board.phase == "submit":
        end_round(state, now)
    elif state.board.phase == "reveal":
        end_session(state, now)
    return {"phase": state.board.phase}


def move_on(state: State, now: float) -> None:
    """End what everybody has done her part in, or what has run out of time."""
    board, seconds = state.board, state.board.session.seconds
    past = now - board.since
    if board.phase == "submit":
        expected = state.expected if state.rung else {m.index for m in board.roster}
        if not expected - state.tags.keys() or past > (seconds["round"] if state.rung else seconds["submit"]):
            end_round(state, now)
    elif board.phase == "countersign" and past > seconds["submit"]:
        board.enter("failed", now, f"the registrar did not countersign round {state.rung}")
    elif board.phase == "reveal" and (not state.called.keys() - state.shares.keys() or past > seconds["round"]):
        end_session(state, now)


def end_round(state: State, now: float) -> None:
    state.awaited = Round(state.rung, state.tags)
    state.board.enter("countersign", now)


def end_session(state: State, now: float) -> None:
    for index in sorted(state.called.keys() - state.shares.keys()):
        state.board.named.setdefault(index, "did not send her share")
    state.board.enter("closed", now)


def ask(state: State, message: Message) -> Body:
    """Show a customer what she needs of a round that is over; nobody else gets it."""
    kind, _, number = message.slot.partition("-")
    if message.kind != "ask" or kind != "round" or not number.isdecimal() or len(number) > 4:
        raise Rejected(404, "unknown", "There is nothing of this name.")
    if int(number) >= len(state.rounds):
        raise Rejected(409, "round", "This round is not over yet.")
    done = state.rounds[int(number)]
    return evidence.show(state.board.session, done, message.sender, state.joins, state.posted.get(done.rung, {}))


def release(state: State) -> Result:
    """Open every group, and count again what came out."""
    state.board.need("closed")
    session, named = state.board.session, dict(state.board.named)
    rows: list[tuple[str, ...]] = []
    hidden: list[int] = []
    for done in state.rounds:
        groups = {tag: members for tag, members in done.groups.items() if len(members) >= session.threshold}
        found = aggregate(session, done.rung, groups, state.shares)
        named.update(found.named)
        for group in found.groups:
            taken = take_group(session, group, named)
            rows += taken
            hidden += [sum(level > 0 for level in state.rungs[done.rung])] * len(taken)
    return make_result(session, rows, len(state.seen), named, formed_of(state), hidden)


def formed_of(state: State) -> Formed:
    """Whose exact labels too few others have must hide a cell at least; whoever came after the first round may have the
    same labels, too.

    Due are those whose group was large enough in the first round, and whoever came too late for it.
    """
    least = state.board.session.threshold
    groups = [len(members) for members in state.rounds[0].groups.values()] if state.rounds else []
    n_later = len(state.seen) - sum(groups)
    bound = sum(size for size in groups if size + n_later < least)
    return Formed(STAR, bound, len(state.seen), sum(size for size in groups if size >= least) + n_later)


def take_group(session: Session, group: dict[int, bytes], named: dict[int, str]) -> list[tuple[str, ...]]:
    """Decode one group's rows; whoever states other labels than the rest is left out."""
    n_qi = len(session.quasi_identifiers)
    rows = {}
    for index, data in group.items():
        try:
            rows[index] = decode_cells(data, len(session.columns))
        except ProtocolError:
            named[index] = "sealed something that is not a row"
    if not rows:
        return []
    labels, _ = Counter(row[:n_qi] for row in rows.values()).most_common(1)[0]
    named.update((index, "sealed other labels than her group") for index, row in rows.items() if row[:n_qi] != labels)
    return [row for row in rows.values() if row[:n_qi] == labels]
