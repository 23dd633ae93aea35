"""The miner: collects encrypted rows, hands out chunks, partitions by the distances, hands out groups, and opens what is released."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from shoal.errors import ProtocolError
from shoal.protocol import board as boards
from shoal.protocol import keygen
from shoal.protocol.board import Board
from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.extraction.messages import Share, decode_cells, read_share, subject_of
from shoal.protocol.extraction.opening import open_group
from shoal.protocol.messages import Body, Message, Rejected, bytes_of, numbers
from shoal.protocol.messages import field as take
from shoal.protocol.result import Result, make_result
from shoal.protocol.session import Session
from shoal.protocol.suppression import jobs, stamps
from shoal.protocol.suppression.jobs import Job, Mixed
from shoal.protocol.suppression.partition import Distances, partition
from shoal.protocol.suppression.rows import read_row


@dataclass
class State:
    """The board, the encrypted rows, and the jobs of the phase that is under way (``mix``, then ``test``)."""

    board: Board
    rows: dict[int, list[Ciphertext]] = field(default_factory=dict)
    row_messages: dict[int, Message] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    open_jobs: dict[str, None] = field(default_factory=dict)
    distances: Distances | None = None
    group_of: dict[int, int] = field(default_factory=dict)
    finals: dict[int, Share] = field(default_factory=dict)

    @property
    def active(self) -> list[int]:
        """Who sent an encrypted row in time."""
        return sorted(self.rows)

    def key_of(self, index: int) -> bytes:
        return self.board.member(index).sign_key


def start(session: Session) -> State:
    return State(Board(session, session.make_group()))


def step(state: State, message: Message, now: float) -> tuple[State, Body]:
    """Take one message; the state that was given belongs to the caller no longer."""
    handlers = {"row": take_row, "mix": take_mix, "share": take_share, "counts": take_counts, "final": take_final}
    reply = boards.step(state.board, message, now)
    if message.kind in handlers:
        reply = handlers[message.kind](state, message)
    elif message.kind == "tick":
        boards.advance(state.board, now)
        reply = {}
    elif message.kind == "close" and message.body.get("phase") == state.board.phase and state.board.phase in ("submit", "test"):
        end_phase(state, now)
        reply = {"phase": state.board.phase}
    if reply is None:
        raise Rejected(400, "kind", "The session's protocol has no message of this kind.")
    advance(state, now)
    return state, reply


def advance(state: State, now: float) -> None:
    """Go on where everybody is done, or where the time is over."""
    board = state.board
    over = now - board.since > board.session.seconds["submit"]
    if board.phase == "submit" and (len(state.rows) == len(board.roster) or over):
        end_phase(state, now)
    elif board.phase == "mix" and not state.open_jobs:
        begin_test(state, now)
    elif board.phase == "mix" and over:
        board.enter("failed", now, f"{len(state.open_jobs)} chunks found no mixers or decryptors in time")
    elif board.phase == "test" and (len(state.finals) == len(state.rows) or over):
        end_phase(state, now)


def end_phase(state: State, now: float) -> None:
    board = state.board
    if board.phase == "test":
        board.enter("closed", now)
        return
    if len(state.rows) < board.session.threshold:
        board.enter("failed", now, f"{len(state.rows)} customers sent a row, at least {board.session.threshold} are needed")
        return
    made = jobs.chunks(state.active, len(board.session.quasi_identifiers))
    state.jobs = {job.name: job for job in made}
    state.open_jobs = dict.fromkeys(state.jobs)
    state.distances = np.zeros((len(state.rows), len(state.rows)), dtype=np.int64)
    board.enter("mix", now)


def begin_test(state: State, now: float) -> None:
    """Phase 2: the partition; then the groups become the jobs of phase 3."""
    assert state.distances is not None
    session, active = state.board.session, state.active
    groups = [[active[i] for i in g] for g in partition(session.partition, state.distances, session.threshold)]
    state.group_of = {i: g for g, members in enumerate(groups) for i in members}
    state.jobs = {job.name: job for job in jobs.groups(groups)}
    state.open_jobs = dict.fromkeys(state.jobs)
    state.board.enter("test", now)


def take_row(state: State, message: Message) -> Body:
    state.board.need("submit")
    if message.sender in state.rows:
        raise Rejected(409, "twice", "This customer has submitted already.")
    state.rows[message.sender] = read_row(state.board.session, state.board.group, message)
    state.row_messages[message.sender] = message
    return {}


def find_job(state: State, message: Message) -> Job:
    """The job that a result belongs to."""
    state.board.need("mix", "test")
    if "help" not in state.board.member(message.sender).roles:
        raise Rejected(403, "role", "The sender did not offer to help.")
    job = state.jobs.get(take(message.body, "job", str))
    if job is None:
        raise Rejected(409, "job", "There is no such job, or no longer.")
    return job


def n_stages(session: Session, job: Job) -> int:
    """How many mixers raise: in phase 1 the last of the chain decrypts and counts instead."""
    return session.mixers if job.is_group else session.mixers - 1


def take_mix(state: State, message: Message) -> Body:
    """A mixer's step: her stamp must start from what she was given and end at what she sends."""
    job = find_job(state, message)
    session, group = state.board.session, state.board.group
    columns = len(session.quasi_identifiers)
    stamp = stamps.read_stamp(session, take(message.body, "stamp", dict), state.key_of)
    if len(job.mixed) == n_stages(session, job) or stamp.stage != len(job.mixed) or message.sender in job.mixers:
        raise Rejected(409, "job", "This step of the job is done already.")
    count = columns if job.is_group else columns * len(job.pairs)
    bodies = stamps.unpack(group, take(message.body, "bodies", str), count, identity_too=job.is_group)
    hints = stamps.unpack(group, take(message.body, "hints", str), count)
    right = (stamp.mixer, stamp.job, stamp.before, stamp.after) == (
        message.sender,
        job.name,
        before_digest(state, job),
        stamps.digest_of(bodies, hints),
    )
    order = numbers(message.body, "order")
    if not right or sorted(order) != (list(range(len(job.pairs))) if not job.is_group else []):
        raise Rejected(400, "stamp", "A mixer's stamp does not fit what she was given and sent.")
    job.mixed.append(Mixed(message.sender, [Ciphertext(b, h) for b, h in zip(bodies, hints, strict=True)], order, stamp.body()))
    return {}


def before_digest(state: State, job: Job) -> bytes:
    """What the next mixer's stamp must start from: the signed rows, or the last mixer's output."""
    if job.mixed:
        return bytes_of(job.mixed[-1].stamp["after"])
    return stamps.rows_digest(state.board.session, job.name, [state.row_messages[i].digest() for i in job.members])


def take_share(state: State, message: Message) -> Body:
    """A decryptor's part."""
    job = find_job(state, message)
    session, group = state.board.session, state.board.group
    if len(job.mixed) < n_stages(session, job) or message.sender in job.mixers or message.sender in job.shares:
        raise Rejected(409, "job", "This share is not wanted, or no longer.")
    among = numbers(message.body, "among")
    if not job.is_group and (message.sender not in among or len(set(among)) != session.decryptors):
        raise Rejected(400, "malformed", "A share is for a set of decryptors that does not fit.")
    parts = stamps.unpack(group, take(message.body, "parts", str), len(job.mixed[-1].items))
    job.shares[message.sender] = (among, parts)
    job.share_messages[message.sender] = vars(message)
    return {}


def take_counts(state: State, message: Message) -> Body:
    """The closing mixer's counts: the distances of the chunk's pairs."""
    job = find_job(state, message)
    session = state.board.session
    if job.is_group or len(job.mixed) < n_stages(session, job) or message.sender in job.mixers or job.counts is not None:
        raise Rejected(409, "job", "These counts are not wanted, or no longer.")
    counts = numbers(message.body, "counts")
    columns = len(session.quasi_identifiers)
    if len(counts) != len(job.pairs) or any(not 0 <= c <= columns for c in counts):
        raise Rejected(400, "malformed", "The counts of a chunk are malformed.")
    job.counts = counts
    assert state.distances is not None
    place = {i: n for n, i in enumerate(state.active)}
    for source, count in zip(job.source_of(), counts, strict=True):
        i, j = job.pairs[source]
        state.distances[place[i], place[j]] = state.distances[place[j], place[i]] = count
    job.mixed, job.shares, job.share_messages = [], {}, {}
    state.open_jobs.pop(job.name, None)
    return {}


def take_final(state: State, message: Message) -> Body:
    """A customer's row, sealed so that it opens if enough of her group send theirs."""
    state.board.need("test")
    if message.sender not in state.group_of or message.sender in state.finals:
        raise Rejected(409, "twice", "This customer has no row in the session, or has released it already.")
    state.finals[message.sender] = read_share(state.board.session, state.board.group, message.body)
    return {}


def release(state: State) -> Result:
    """Open every group of which enough members are left, and count again."""
    session, group = state.board.session, state.board.group
    state.board.need("closed")
    commitments = keygen.sum_commitments(group, [state.board.commitments[d] for d in state.board.qualified])["seed"]
    rows, named = [], dict(state.board.named)
    members: dict[int, dict[int, Share]] = {}
    for index, share in state.finals.items():
        members.setdefault(state.group_of[index], {})[index] = share
    for g, shares in sorted(members.items()):
        opened = open_group(session, group, subject_of(session, "group", [g]), shares, commitments)
        named.update(opened.named)
        for index, data in opened.rows.items():
            try:
                rows.append(decode_cells(data, len(session.columns)))
            except ProtocolError:
                named[index] = "sealed something that is no row"
    return make_result(session, rows, len(state.rows), named)
