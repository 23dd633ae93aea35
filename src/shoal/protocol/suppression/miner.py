"""The miner: collects encrypted rows, hands out jobs, partitions by the distances, and opens what is released."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shoal import registry
from shoal.errors import ProtocolError
from shoal.protocol import keygen
from shoal.protocol.board import Board
from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.extraction.messages import Share, decode_cells, read_share
from shoal.protocol.extraction.opening import open_group
from shoal.protocol.grouping import Distances, Grouping, bound_by_distances
from shoal.protocol.messages import Body, Message, Rejected, bytes_of, numbers
from shoal.protocol.messages import field as take
from shoal.protocol.result import Formed, Result, make_result
from shoal.protocol.session import Session
from shoal.protocol.suppression import judging, packing, work
from shoal.protocol.suppression.jobs import Job
from shoal.protocol.suppression.partition import CATALOG, partition
from shoal.protocol.suppression.rows import read_row
from shoal.protocol.suppression.rules import Rules


@dataclass
class State:
    """The board with its rules, and what is in the messages of which the rules see the digest only."""

    rules: Rules
    rows: dict[int, list[Ciphertext]] = field(default_factory=dict)
    row_bodies: dict[int, Body] = field(default_factory=dict)
    orders: dict[str, list[int]] = field(default_factory=dict)
    """Place of a mixer's step → where each pair of her result came from."""
    distances: Distances | None = None
    finals: dict[int, Share] = field(default_factory=dict)
    desk: work.Desk = field(default_factory=work.Desk)

    @property
    def board(self) -> Board:
        return self.rules.board

    @property
    def group_of(self) -> dict[int, int]:
        return self.rules.group_of

    @property
    def open_jobs(self) -> dict[str, None]:
        return self.rules.open_jobs


def start(session: Session) -> State:
    return State(Rules(Board(session, session.make_group())))


def step(state: State, message: Message, now: float) -> tuple[State, Body]:
    """Take one message: its content is checked first, then the rules are applied, then it is kept."""
    checks: dict[str, Callable[[State, Message], Any]] = {
        "row": read_row_message,
        "order": read_order,
        "mix": read_mix,
        "check": read_check,
        "share": read_letter,
        "counts": read_counts,
        "final": read_final,
    }
    blame = judging.judge(state.rules, message, state.row_bodies) if message.kind == "refuse" else None
    found: Any = checks[message.kind](state, message) if message.kind in checks else None
    job = state.rules.jobs.get(message.slot.partition("/")[0])
    reply = state.rules.step(message, now)
    if message.kind == "row":
        state.rows[message.sender], state.row_bodies[message.sender] = found, message.body
    elif message.kind == "order":
        state.orders[message.slot] = found
    elif message.kind == "counts":
        assert job is not None
        keep_counts(state, job, found)
    elif message.kind == "final":
        state.finals[message.sender] = found
    elif blame is not None:
        state.board.named.setdefault(*blame)
    return state, reply


def read_row_message(state: State, message: Message) -> list[Ciphertext]:
    state.board.need("submit")
    return read_row(state.board.session, state.board.group, message)


def find_job(state: State, message: Message) -> Job:
    state.board.need("mix", "test")
    job = state.rules.jobs.get(message.slot.partition("/")[0])
    if job is None or message.sender not in job.awaited:
        raise Rejected(409, "job", "There is no such job, or it is not the sender's turn.")
    return job


def read_order(state: State, message: Message) -> list[int]:
    job, order = find_job(state, message), numbers(message.body, "order")
    if sorted(order) != list(range(len(job.pairs))):
        raise Rejected(400, "malformed", "An order of pairs is not a permutation.")
    return order


def read_mix(state: State, message: Message) -> None:
    """A mixer's step: as many elements as there must be, and the digest that she signs."""
    job, columns = find_job(state, message), len(state.board.session.quasi_identifiers)
    items = packing.unpack_items(state.board.group, message.body, job.count(columns))
    if packing.digest_of(items) != message.slot.rpartition("/")[2]:
        raise Rejected(400, "malformed", "A mixer's ciphertexts do not have the digest in her message's place.")
    if not job.is_group and job.mix_place(len(job.mixed)) not in state.orders:
        raise Rejected(409, "order", "A mixer's order of the pairs comes before her ciphertexts.")


def read_check(state: State, message: Message) -> None:
    """All that a checker says is in the place of her message."""
    find_job(state, message)
    if message.body:
        raise Rejected(400, "malformed", "A check has nothing in it.")


def read_letter(state: State, message: Message) -> None:
    """A share is sealed to another: what can be seen of it is its length."""
    job, columns = find_job(state, message), len(state.board.session.quasi_identifiers)
    box = bytes_of(take(take(message.body, "letter", dict), "box", str))
    if len(box) != job.count(columns) * state.board.group.element_bytes + 28:
        raise Rejected(400, "malformed", "A sealed share has the wrong length.")


def read_counts(state: State, message: Message) -> list[int]:
    """The closing mixer's counts: the distances of the chunk's pairs."""
    job, counts = find_job(state, message), numbers(message.body, "counts")
    columns = len(state.board.session.quasi_identifiers)
    if len(counts) != len(job.pairs) or any(not 0 <= c <= columns for c in counts):
        raise Rejected(400, "malformed", "The counts of a chunk are malformed.")
    return counts


def keep_counts(state: State, job: Job, counts: list[int]) -> None:
    active = state.rules.active
    if state.distances is None:
        state.distances = np.zeros((len(active), len(active)), dtype=np.int64)
    place = {i: n for n, i in enumerate(active)}
    source = list(range(len(job.pairs)))
    for stage in range(job.n_mixers):
        source = [source[p] for p in state.orders[job.mix_place(stage)]]
    for pair, count in zip(source, counts, strict=True):
        i, j = (place[x] for x in job.pairs[pair])
        state.distances[i, j] = state.distances[j, i] = count
    job.clear()


def read_final(state: State, message: Message) -> Share:
    """A customer's row, sealed so that it opens if enough of her group send theirs."""
    find_job(state, message)
    return read_share(state.board.session, state.board.group, message.body)


def word(state: State, now: float) -> tuple[str, str, Body] | None:
    """The message that the miner must send: the groups, once all chunks are counted; or who is late."""
    rules, board = state.rules, state.board
    if board.phase == "mix" and not rules.open_jobs and state.distances is not None:
        found = partition(board.session.partition, state.distances, board.session.threshold)
        return "groups", "0", {"groups": [[rules.active[i] for i in g] for g in found]}
    late = work.late(state.desk, rules, now) if board.phase in ("mix", "test") else []
    return ("tick", f"{now:.3f}", {"late": late}) if late else None


def ask(state: State, index: int, now: float) -> Body:
    return work.ask(state.desk, state.rules, state.row_bodies, index, now)


def release(state: State) -> Result:
    """Open every group of which enough members are left, and count again."""
    session, group = state.board.session, state.board.group
    state.board.need("closed")
    commitments = keygen.sum_commitments(group, [state.board.commitments[d] for d in state.board.qualified])["seed"]
    rows, named = [], dict(state.board.named)
    members: dict[int, dict[int, Share]] = {}
    for index, share in state.finals.items():
        members.setdefault(state.group_of[index], {})[index] = share
    for _, shares in sorted(members.items()):
        opened = open_group(session, group, state.rules.subject(next(iter(shares))), shares, commitments)
        named.update(opened.named)
        for index, data in opened.rows.items():
            try:
                rows.append(decode_cells(data, len(session.columns)))
            except ProtocolError:
                named[index] = "sealed something that is not a row"
    return make_result(session, rows, len(state.rows), named, formed_of(state))


def formed_of(state: State) -> Formed | None:
    """The groups were made of all rows that came in time, from their distances alone."""
    session, distances = state.board.session, state.distances
    if distances is None:
        return None
    grouping: Grouping = registry.find(CATALOG, session.partition, "partition")
    return Formed(
        grouping, bound_by_distances(distances, session.threshold), len(distances), len(distances), exactly=False
    )
