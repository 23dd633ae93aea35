"""Who is to blame when one customer refuses what another made: the refusal shows the letter, and everybody who has the
bodies can check it.

The rules (``rules``) take both out of the job, whoever is right; this only finds out which of the two cheated.
"""

from __future__ import annotations

from collections.abc import Mapping

from shoal.errors import ProtocolError
from shoal.protocol import keygen, letters
from shoal.protocol.group import Group
from shoal.protocol.keygen import Keys
from shoal.protocol.messages import Body, Message
from shoal.protocol.suppression import mixing, packing
from shoal.protocol.suppression.customer import Helper, do_stage
from shoal.protocol.suppression.jobs import Job
from shoal.protocol.suppression.rules import Rules

WRONG = {
    "mix": "mixed what she was not given",
    "share": "sealed something that is not a share",
    "refuse": "refused what was right",
}


def judge(rules: Rules, message: Message, row_bodies: Mapping[int, Body]) -> tuple[int, str] | None:
    """Who is to blame, and for what; None if the refusal is not one that the rules take."""
    name, _, rest = message.slot.partition("/")
    attempt, _, number = rest.partition("/")
    job = rules.jobs.get(name)
    if job is None or job.done or attempt != job.which or message.sender in job.checks:
        return None
    made = next((m for m in [*job.mixed, *job.shares.values()] if str(m.sender) == number), None)
    if made is None or not (job.roles.stage_of(message.sender) >= 0 or message.sender == job.roles.closer):
        return None
    if is_wrong(rules, job, made, message, row_bodies):
        return made.sender, WRONG[made.kind]
    return message.sender, WRONG["refuse"]


def is_wrong(rules: Rules, job: Job, made: Message, refusal: Message, row_bodies: Mapping[int, Body]) -> bool:
    """Is what was refused not what it should be? A refusal that shows nothing of the kind is itself wrong."""
    board, session = rules.board, rules.board.session
    to = board.member(refusal.sender).seal_key
    if made.kind == "mix":
        stage = job.mixed.index(made)
        if refusal.sender not in job.roles.checkers[stage]:
            return False
        sealed, place = made.body.get("letters"), job.mix_place(stage)
        letter = sealed.get(str(refusal.sender)) if isinstance(sealed, dict) else None
    elif refusal.sender != job.roles.closer:
        return False
    else:
        letter, place = made.body.get("letter"), f"{job.place}/{job.after}"
    try:
        data = letters.read_shown(session, board.group, made.sender, to, place, letter, refusal.body)
    except ProtocolError:
        return False
    if data is None:
        return True
    return not (
        repeats(rules, job, made, data, row_bodies) if made.kind == "mix" else is_share(board.group, job, rules, data)
    )


def is_share(group: Group, job: Job, rules: Rules, data: bytes) -> bool:
    try:
        packing.unpack(group, data, job.count(len(rules.board.session.quasi_identifiers)))
    except ProtocolError:
        return False
    return True


def repeats(rules: Rules, job: Job, made: Message, seed: bytes, row_bodies: Mapping[int, Body]) -> bool:
    """Does the mixer's step, done again from the seed, give what she signed?"""
    board, stage = rules.board, job.mixed.index(made)
    if len(seed) != mixing.SEED_BYTES:
        return False
    commitments = keygen.sum_commitments(board.group, [board.commitments[d] for d in board.qualified])
    helper = Helper(board.session, board.group, Keys(0, {}, commitments), 0, rules, (), ())
    task: Body = {
        "rows": {str(i): row_bodies[i] for i in job.members},
        "before": job.mixed[stage - 1].body if stage else None,
    }
    try:
        return packing.digest_of(do_stage(helper, job, stage, task, seed)) == made.slot.rpartition("/")[2]
    except ProtocolError:
        return False
