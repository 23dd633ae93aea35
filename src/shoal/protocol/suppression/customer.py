"""What a customer does in suppression: encrypts her row, mixes, checks and decrypts for others, and releases her row in
the end.

She takes nothing from the miner but bytes: which job it is, whose rows go into it, who did and does what follows from
her own copy of the board, and every body she is given must have the digest that is there. A checker does a mixer's step
again from the opened seed and signs that it is right. A decryptor answers only if every step is signed by its mixer and
all its checkers; her share is sealed to the one who closes the job. If something that another customer made is wrong,
she refuses it and shows why.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from shoal.errors import ProtocolError
from shoal.protocol import letters
from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.extraction.customer import make_share
from shoal.protocol.group import Group
from shoal.protocol.keygen import Keys
from shoal.protocol.messages import Body, Message, Rejected, body_digest
from shoal.protocol.messages import field as take
from shoal.protocol.session import Session
from shoal.protocol.suppression import decryptor, mixing, packing
from shoal.protocol.suppression.jobs import Job
from shoal.protocol.suppression.mixing import Coins
from shoal.protocol.suppression.rows import read_row
from shoal.protocol.suppression.rules import Rules

Answer = list[tuple[str, str, Body]]
"""Messages to send: kind, slot and body."""


class Wrong(ProtocolError):
    """Something that another customer made for a job is not what it should be."""

    def __init__(self, who: int, letter: object, place: str) -> None:
        super().__init__(f"What customer {who} made for a job is not right.")
        self.who, self.letter, self.place = who, letter, place


@dataclass
class Helper:
    """A customer at work: her keys, her copy of the board's rules, and the rows that she has checked."""

    session: Session
    group: Group
    keys: Keys
    seal_secret: int
    rules: Rules
    cells: Sequence[str]
    sensitive: Sequence[str]
    rows: dict[tuple[int, str], list[Ciphertext]] = field(default_factory=dict)
    """By customer and digest: the proofs of a row are bound to its sender, so the same bytes sent by another customer
    prove nothing.
    """

    @property
    def index(self) -> int:
        return self.keys.index

    @property
    def columns(self) -> int:
        return len(self.session.quasi_identifiers)

    def seal_key(self, index: int) -> bytes:
        return self.rules.board.member(index).seal_key


def perform(helper: Helper, task: Body) -> Answer:
    """Do what is due in a job, if the board says that it is this customer's to do; else refuse."""
    job = helper.rules.jobs.get(take(task, "job", str))
    if job is None or helper.rules.board.waiting or helper.index not in job.awaited:
        raise Rejected(403, "task", "The miner asks for a task that does not follow from the board.")
    try:
        if len(job.mixed) < job.n_mixers:
            return do_mix(helper, job, task)
        if job.roles.stage_of(helper.index) >= 0:
            return do_check(helper, job, task)
        need_checked(helper, job)
        if helper.index in job.roles.decryptors:
            return do_share(helper, job, task)
        return do_close(helper, job, task)
    except Wrong as wrong:
        shown = letters.show(
            helper.session,
            helper.group,
            wrong.who,
            helper.seal_secret,
            helper.seal_key(helper.index),
            wrong.place,
            wrong.letter,
        )
        return [("refuse", f"{job.place}/{wrong.who}", shown)]


def entered_body(helper: Helper, message: Message, given: object) -> Body:
    """The body of an entry, as the miner gives it: signed by its sender, and with the digest that the board has."""
    if not isinstance(given, dict) or body_digest(given) != message.digest():
        raise Rejected(403, "task", "The miner gives another body than the one that is on the board.")
    message.header.check_signature(helper.rules.board.member(message.sender).sign_key)
    return given


def inputs(helper: Helper, job: Job, stage: int, task: Body) -> list[Ciphertext]:
    """What a stage starts from, later than the first: what the mixer before it made."""
    message = job.mixed[stage - 1]
    body = entered_body(helper, message, task.get("before"))
    return read_items(helper, job, message, body)


def read_items(helper: Helper, job: Job, message: Message, body: Body) -> list[Ciphertext]:
    """A mixer's ciphertexts, with the digest that she signed."""
    items = packing.unpack_items(helper.group, body, job.count(helper.columns), at_once=True)
    if packing.digest_of(items) != message.slot.rpartition("/")[2]:
        raise Rejected(403, "task", "A mixer's ciphertexts do not have the digest that she signed.")
    return items


def read_rows(helper: Helper, job: Job, task: Body) -> dict[int, list[Ciphertext]]:
    """The rows of a job: those of its members, with the digests that are on the board, and proved; checked once
    each.
    """
    given = take(task, "rows", dict)
    out = {}
    for member in job.members:
        digest = helper.rules.rows[member]
        if (member, digest) not in helper.rows:
            body = given.get(str(member))
            if not isinstance(body, dict) or body_digest(body) != digest:
                raise Rejected(403, "rows", "The rows of a task are not those that are on the board.")
            message = Message(helper.session.digest, member, "row", "0", body)
            helper.rows[member, digest] = read_row(helper.session, helper.group, message)
        out[member] = helper.rows[member, digest]
    return out


def do_stage(helper: Helper, job: Job, stage: int, task: Body, seed: bytes) -> list[Ciphertext]:
    """One mixer's step with the coins of a seed: the mixer does it, and her checkers do it again."""
    coins = coins_of(helper.session, helper.group, job, stage, seed)
    if stage == 0 and job.is_group:
        return mixing.blend(helper.group, coins, read_rows(helper, job, task), job.left, helper.columns)
    if job.is_group:
        return mixing.raise_all(helper.group, coins, inputs(helper, job, stage, task))
    public = helper.keys.public() if helper.session.rerandomise else None
    given = (
        inputs(helper, job, stage, task)
        if stage
        else mixing.quotients(helper.group, read_rows(helper, job, task), job.pairs)
    )
    return mixing.mix(helper.group, coins, given, helper.columns, public)


def coins_of(session: Session, group: Group, job: Job, stage: int, seed: bytes) -> Coins:
    return Coins(group, seed, session.bind("coins", job.mix_place(stage)))


def confidants(job: Job, stage: int) -> tuple[int, ...]:
    """Who gets a mixer's coins: her checkers, who take no part in the decryption, and nobody else."""
    return job.roles.checkers[stage]


def do_mix(helper: Helper, job: Job, task: Body) -> Answer:
    """A mixer's step; its seed goes, sealed, to those who will do it again."""
    stage, seed = len(job.mixed), os.urandom(mixing.SEED_BYTES)
    items = do_stage(helper, job, stage, task, seed)
    place = job.mix_place(stage)
    sealed = {
        str(d): letters.write(helper.session, helper.group, helper.index, helper.seal_key(d), place, seed)
        for d in confidants(job, stage)
    }
    mixed: Answer = [("mix", f"{place}/{packing.digest_of(items)}", {**packing.pack_items(items), "letters": sealed})]
    if job.is_group:
        return mixed
    coins = coins_of(helper.session, helper.group, job, stage, seed)
    return [("order", place, {"order": mixing.pair_order(coins, len(items), helper.columns)}), *mixed]


def do_check(helper: Helper, job: Job, task: Body) -> Answer:
    """A checker: do a mixer's step again, and only if it is what she signed, sign it too."""
    stage = job.roles.stage_of(helper.index)
    check_stage(helper, job, stage, task)
    return [("check", job.mixed[stage].slot, {})]


def need_checked(helper: Helper, job: Job) -> None:
    """Every step must be signed by its mixer and by all its checkers before anybody uses her share of the key for what
    came out.
    """
    for message in (*job.mixed, *job.checks.values()):
        message.header.check_signature(helper.rules.board.member(message.sender).sign_key)


def do_share(helper: Helper, job: Job, task: Body) -> Answer:
    """A decryptor: her share, sealed to the one who closes."""
    last = job.mixed[-1]
    items = read_items(helper, job, last, entered_body(helper, last, task.get("last")))
    parts = decryptor.decrypt(helper.group, helper.keys, [c.hint for c in items], job.roles.among)
    place = f"{job.place}/{job.after}"
    letter = letters.write(
        helper.session, helper.group, helper.index, helper.seal_key(job.roles.closer), place, b"".join(parts)
    )
    return [("share", place, {"letter": letter})]


def check_stage(helper: Helper, job: Job, stage: int, task: Body) -> None:
    """Do the step again from the seed in the letter."""
    message = job.mixed[stage]
    body = entered_body(helper, message, task.get("stage"))
    sealed, place = body.get("letters"), job.mix_place(stage)
    letter = sealed.get(str(helper.index)) if isinstance(sealed, dict) else None
    try:
        seed = letters.read(
            helper.session,
            helper.group,
            message.sender,
            helper.seal_secret,
            helper.seal_key(helper.index),
            place,
            letter,
        )
    except ProtocolError as error:
        raise Wrong(message.sender, letter, place) from error
    if (
        len(seed) != mixing.SEED_BYTES
        or packing.digest_of(do_stage(helper, job, stage, task, seed)) != message.slot.rpartition("/")[2]
    ):
        raise Wrong(message.sender, letter, place)


def do_close(helper: Helper, job: Job, task: Body) -> Answer:
    """The one who closes: decrypt with the others' shares and her own. She tells counts; a member releases her row."""
    last = job.mixed[-1]
    items = read_items(helper, job, last, entered_body(helper, last, task.get("last")))
    given = take(task, "shares", dict)
    parts = [decryptor.decrypt(helper.group, helper.keys, [c.hint for c in items], job.roles.among)]
    parts += [read_share(helper, job, d, given.get(str(d)), len(items)) for d in job.roles.decryptors]
    plain = decryptor.plaintexts(helper.group, [c.body for c in items], parts)
    if not job.is_group:
        return [("counts", job.place, {"counts": decryptor.count_differences(helper.group, plain, helper.columns)})]
    constant = decryptor.constant_columns(helper.group, plain)
    cells = [cell if keep else "*" for cell, keep in zip(helper.cells, constant, strict=True)]
    share = make_share(
        helper.session, helper.group, helper.keys, helper.rules.subject(helper.index), [*cells, *helper.sensitive]
    )
    return [("final", job.place, share.body())]


def read_share(helper: Helper, job: Job, sender: int, given: object, count: int) -> list[bytes]:
    """Another's share of the decryption, out of its letter."""
    body = entered_body(helper, job.shares[sender], given)
    letter, place = body.get("letter"), f"{job.place}/{job.after}"
    try:
        data = letters.read(
            helper.session, helper.group, sender, helper.seal_secret, helper.seal_key(helper.index), place, letter
        )
        return packing.unpack(helper.group, data, count)
    except ProtocolError as error:
        raise Wrong(sender, letter, place) from error
