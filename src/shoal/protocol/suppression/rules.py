"""What follows from the board in suppression: whose rows count, which jobs there are, who does what in them, which
groups there are.

The miner and every customer apply these rules alike. They look at senders, places and digests; of bodies only at the
groups and at who is said to be late. What is in the other messages is checked by those who work with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from shoal.protocol import board as boards
from shoal.protocol.board import Board
from shoal.protocol.messages import Body, Message, Rejected, body_digest, numbers
from shoal.protocol.messages import field as take
from shoal.protocol.suppression.jobs import Job, blocks_of
from shoal.protocol.suppression.packing import DIGEST_LENGTH

POOL = 16
"""How many helpers, drawn from all, are asked before the others. Each helper checks the proofs of each row once, so it
is better to use few.
"""


@dataclass
class Rules:
    """The board and all that suppression adds to it."""

    board: Board
    rows: dict[int, str] = field(default_factory=dict)
    """Customer → digest of her encrypted row."""
    jobs: dict[str, Job] = field(default_factory=dict)
    open_jobs: dict[str, None] = field(default_factory=dict)
    groups: list[list[int]] = field(default_factory=list)
    groups_digest: str = ""
    group_of: dict[int, int] = field(default_factory=dict)
    finals: set[int] = field(default_factory=set)

    @property
    def active(self) -> list[int]:
        """Who sent an encrypted row in time."""
        return sorted(self.rows)

    @cached_property
    def ranked(self) -> list[int]:
        """All who offered to help, in the order of the draw."""
        return self.board.order("help", [m.index for m in self.board.roster if "help" in m.roles])

    def step(self, message: Message, now: float) -> Body:
        """Take one entry."""
        handlers = {
            "row": self.take_row,
            "order": self.take_order,
            "mix": self.take_mix,
            "check": self.take_check,
            "share": self.take_share,
            "counts": self.take_counts,
            "refuse": self.take_refuse,
            "final": self.take_final,
        }
        reply = boards.step(self.board, message, now)
        if message.kind in handlers:
            handlers[message.kind](message)
            reply = {}
        elif message.kind == "groups":
            self.take_groups(message, now)
            reply = {}
        elif message.kind == "tick":
            self.take_late(message)
            boards.advance(self.board, now)
            reply = {}
        elif (
            message.kind == "close"
            and message.body.get("phase") == self.board.phase in ("submit", "test")
            and not self.board.waiting
        ):
            self.end_phase(now)
            reply = {"phase": self.board.phase}
        if reply is None:
            raise Rejected(400, "kind", "The session's protocol has no message of this kind.")
        self.advance(now)
        return reply

    def advance(self, now: float) -> None:
        """Go on where everybody is done, or where the time is over."""
        board = self.board
        if board.waiting:
            return
        over = now - board.since > board.session.seconds["submit"]
        if board.phase == "submit" and (len(self.rows) == len(board.roster) or over):
            self.end_phase(now)
        elif board.phase == "mix" and over:
            board.enter("failed", now, f"{len(self.open_jobs)} chunks found no mixers or decryptors in time")
        elif board.phase == "test" and (len(self.finals) == len(self.rows) or over):
            self.end_phase(now)

    def end_phase(self, now: float) -> None:
        board, least = self.board, self.board.session.threshold
        if board.phase == "test":
            board.enter("closed", now)
        elif len(self.rows) < least:
            board.enter("failed", now, f"{len(self.rows)} customers sent a row, at least {least} are needed")
        else:
            board.enter("mix", now)
            columns = len(board.session.quasi_identifiers)
            self.set_jobs([self.make_job(name, left, right) for name, left, right in blocks_of(self.active, columns)])

    def set_jobs(self, made: list[Job]) -> None:
        self.jobs = {job.name: job for job in made}
        self.open_jobs = dict.fromkeys(self.jobs)

    def make_job(self, name: str, left: tuple[int, ...], right: tuple[int, ...], receiver: int = 0) -> Job:
        """A job with its helpers in the order of the draw: a few who were drawn for all jobs first."""
        session = self.board.session
        ranked = self.ranked
        order = [*self.board.order("job", ranked[:POOL], name), *ranked[POOL:]]
        return Job(
            name, left, right, receiver, [i for i in order if i != receiver], session.mixers - 1, session.decryptors - 1
        )

    def take_row(self, message: Message) -> None:
        self.board.need("submit")
        if message.sender in self.rows:
            raise Rejected(409, "twice", "This customer has submitted already.")
        self.rows[message.sender] = message.digest()

    def find_job(self, message: Message, n_parts: int) -> tuple[Job, list[str]]:
        """The job that a message belongs to, by its place: name, attempt, and what else the kind has."""
        self.board.need("mix", "test")
        name, *parts = message.slot.split("/")
        job = self.jobs.get(name)
        if job is None or job.done:
            raise Rejected(409, "job", "There is no such job, or no longer.")
        if len(parts) != n_parts or parts[0] != job.which:
            raise Rejected(
                409, "job", "The message belongs to another attempt of the job, or to one with other people in it."
            )
        return job, parts[1:]

    def take_order(self, message: Message) -> None:
        job, (stage, before) = self.find_job(message, 3)
        need_turn(job, message.sender, "mix")
        if stage != str(len(job.mixed)) or job.is_group:
            raise Rejected(409, "job", "This step of the job is done already, or has no order.")
        need_start(job, before)

    def take_mix(self, message: Message) -> None:
        job, (stage, before, after) = self.find_job(message, 4)
        need_turn(job, message.sender, "mix")
        if stage != str(len(job.mixed)) or len(after) != DIGEST_LENGTH:
            raise Rejected(409, "job", "This step of the job is done already.")
        need_start(job, before)
        job.mixed.append(message)

    def take_check(self, message: Message) -> None:
        """A checker did a mixer's step again: her message stands at the place of the mixer's."""
        job, _ = self.find_job(message, 4)
        need_turn(job, message.sender, "check")
        if message.slot != job.mixed[job.roles.stage_of(message.sender)].slot:
            raise Rejected(409, "job", "The check is of something else than the mixer made.")
        job.checks[message.sender] = message

    def take_share(self, message: Message) -> None:
        job, (after,) = self.find_job(message, 2)
        need_turn(job, message.sender, "share")
        if after != job.after:
            raise Rejected(409, "job", "The share is for something else than the last mixer made.")
        job.shares[message.sender] = message

    def take_counts(self, message: Message) -> None:
        job, _ = self.find_job(message, 1)
        need_turn(job, message.sender, "close")
        if job.is_group:
            raise Rejected(409, "job", "A member's job has no counts.")
        self.finish(job)

    def take_final(self, message: Message) -> None:
        self.board.need("test")
        job, _ = self.find_job(message, 1)
        need_turn(job, message.sender, "close")
        if not job.is_group or message.sender in self.finals:
            raise Rejected(409, "twice", "This customer has released her row already.")
        self.finals.add(message.sender)
        self.finish(job)

    def finish(self, job: Job) -> None:
        job.done = True
        self.open_jobs.pop(job.name, None)

    def take_refuse(self, message: Message) -> None:
        """One who works at a job will not go on with what another made: the job starts again without either."""
        job, (who,) = self.find_job(message, 2)
        made = [m.sender for m in job.mixed] + list(job.shares)
        checker = job.roles.stage_of(message.sender) >= 0
        if not (checker or message.sender == job.roles.closer) or message.sender in job.checks:
            raise Rejected(403, "role", "The sender has no part in the job, or has done it.")
        if who not in map(str, made):
            raise Rejected(409, "job", "Nothing of that customer's can be refused in this job.")
        job.again(message.sender, int(who))

    def take_late(self, message: Message) -> None:
        """The miner says who did not act in time; only who is awaited can be late, and a member is never replaced in
        her own job.
        """
        late = take(message.body, "late", list) if "late" in message.body else []
        found = []
        for entry in late:
            if (
                not isinstance(entry, list)
                or len(entry) != 2
                or type(entry[1]) is not int
                or not isinstance(entry[0], str)
            ):
                raise Rejected(400, "malformed", "The list of who is late is malformed.")
            job = self.jobs.get(entry[0])
            if job is None or entry[1] not in job.awaited or entry[1] == job.receiver:
                raise Rejected(409, "job", "Somebody is said to be late who has nothing to do now.")
            found.append((job, entry[1]))
        if len({job.name for job, _ in found}) != len(found):
            raise Rejected(400, "malformed", "Two are said to be late in one job.")
        for job, who in found:
            job.again(who)

    def take_groups(self, message: Message, now: float) -> None:
        """The miner's partition, once: everybody with a row is in one group, and each is large enough.

        Every such partition protects as well as any other.
        """
        self.board.need("mix")
        groups = [numbers({"group": g}, "group") for g in take(message.body, "groups", list)]
        if self.open_jobs or message.slot != "0":
            raise Rejected(409, "job", "There are chunks that are not counted yet.")
        if sorted(i for g in groups for i in g) != self.active or min(map(len, groups)) < self.board.session.threshold:
            raise Rejected(403, "group", "A group is too small, or somebody is in two groups or in none.")
        self.groups, self.groups_digest = [sorted(g) for g in groups], body_digest(message.body)
        self.group_of = {i: n for n, g in enumerate(self.groups) for i in g}
        self.set_jobs([self.make_job(f"member-{i}", tuple(self.groups[self.group_of[i]]), (), i) for i in self.active])
        self.board.enter("test", now)

    def subject(self, index: int) -> bytes:
        """What the members of a group share: the partition, their group, who is in it, and their rows."""
        g = self.group_of[index]
        rows = [self.rows[i] for i in self.groups[g]]
        return self.board.session.bind("group", self.groups_digest, g, *self.groups[g], *rows)


def need_turn(job: Job, sender: int, what: str) -> None:
    """Is it the sender's turn, and for this?"""
    if len(job.mixed) < job.n_mixers:
        step = "mix"
    elif len(job.checks) < job.n_mixers**2:
        step = "check"
    else:
        step = "share" if len(job.shares) < job.n_decryptors else "close"
    if step != what or sender not in job.awaited:
        raise Rejected(403, "role", "It is not the sender's turn in this job.")


def need_start(job: Job, before: str) -> None:
    """A mixer signs what she started from: a result of something else is not accepted here."""
    if before != job.after:
        raise Rejected(409, "job", "The mixer started from something else than the one before her made.")
