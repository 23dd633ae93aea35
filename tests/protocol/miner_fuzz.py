"""A miner who answers honest customers with nonsense: mutated tasks, rows, boards, points, statuses and replies, in
every phase of a session.

A customer's program refuses with an error that was foreseen, or does what the board says all the same; it blames nobody
for what the miner altered; and when it is started again with what it kept, it goes on. ``play(n)`` raises if it is not
so, or if the session does not end with all rows.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

from shoal.errors import ShoalError
from shoal.protocol.agent import Customer
from shoal.protocol.messages import Message
from shoal.protocol.suppression.customer import perform
from tests.protocol.games.cast import helper_of
from tests.protocol.rehearsal import Room
from tests.protocol.star_fuzz import mutated
from tests.protocol.test_protocols import rows_of, session_of

CELLS = [("30", "07028")] * 4 + [("40", "07029")] * 3
STRANGE: list[Any] = [float("nan"), float("inf"), 10**400, -(10**20), "\ud800", {"\udfff": 1}, [1.5], "²", "0" * 300]
"""What JSON can bring and a program may not expect."""


class Liar:
    """The miner as one customer sees him: now and then an answer is not what it should be."""

    def __init__(self, room: Room, rng: random.Random, sent: Counter[str]) -> None:
        self.room, self.rng, self.sent = room, rng, sent
        self.lying = 0.0

    def altered(self, what: str, answer: Any) -> Any:
        if self.rng.random() >= self.lying:
            return answer
        self.sent[what] += 1
        return strange(self.rng, answer)

    def post(self, message: Message) -> Any:
        return self.altered("reply", self.room.post(message))

    def view(self, name: str) -> Any:
        return self.altered("status", self.room.view(name))

    def ask(self, message: Message) -> Any:
        return self.altered(message.slot.partition("/")[0].partition("-")[0], self.room.ask(message))

    def evaluate(self, body: Any) -> Any:
        return self.altered("evaluation", self.room.evaluate(body))


def strange(rng: random.Random, value: Any) -> Any:
    """An object with something changed in it.

    (That an answer is an object at all is looked at by who reads it from the wire.)
    """
    while True:
        found = mutated(rng, value)
        if rng.random() < 0.3:
            found = put(rng, value, rng.choice(STRANGE))
        if isinstance(found, dict):
            return found


def put(rng: random.Random, value: Any, what: Any) -> Any:
    """The value with something put in a place of it."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(sorted(value))
        return {**value, name: put(rng, value[name], what)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], put(rng, value[at], what), *value[at + 1 :]]
    return what


class Fuzz:
    """A session of honest customers with such a miner; ``each`` mutated tasks for everything that a helper is asked to
    do.
    """

    def __init__(self, protocol: str, seed: int) -> None:
        self.rng, self.sent = random.Random(seed), Counter[str]()
        self.room = Room(session_of(protocol, seconds={"lease": 10, "deal": 30}))
        self.liar = Liar(self.room, self.rng, self.sent)
        self.rows = rows_of(CELLS)
        self.customers = [self.started(self.room.customer(row), row) for row in self.rows]

    def started(self, customer: Customer, row: dict[str, str]) -> Customer:
        """A customer's program, started again with what it kept."""
        # heads of a board that was altered on the way; the next start looks at the right one
        customer.secrets.pending.pop("seals", None)
        return Customer(self.room.session, self.liar, customer.secrets, row, self.liar)

    def lie_to(self, n: int, times: int) -> None:
        """One customer's next turns with altered answers; after each she is started again."""
        for _ in range(times):
            customer = self.started(self.customers[n], self.rows[n])
            if self.room.miner.board.phase == "closed":
                return
            index, self.liar.lying = customer.secrets.index, 0.4
            try:
                customer.work()
            except ShoalError:
                pass
            finally:
                self.liar.lying = 0.0
            customer.secrets.index = index or customer.secrets.index
            self.customers[n] = self.started(customer, self.rows[n])

    def tasks(self, n: int, each: int) -> None:
        """Altered tasks for one helper who has something to do: she refuses, or does it all the same, and blames
        nobody.
        """
        customer = self.customers[n]
        task = self.room.ask(
            Message(self.room.session.digest, customer.index, "ask", "task", {}).signed(customer.sign_key)
        )
        if task["task"] == "none":
            return
        helper = helper_of(customer)
        expected = due(helper, task["job"])
        for _ in range(each):
            self.sent[f"task: {expected}"] += 1
            given = strange(self.rng, task)
            try:
                answer = perform(helper, given)
            except ShoalError:
                continue
            assert [kind for kind, _, _ in answer if kind != "order"] == [expected], (
                "what is the miner's doing is nobody else's fault"
            )

    def play(self, n: int) -> Counter[str]:
        """About n altered answers and tasks in one session."""
        room = self.room
        for customer in self.customers:
            customer.join()
        room.say("close", {"phase": "join"})
        for turn in itertools.count():
            if room.miner.board.phase in ("closed", "failed"):
                break
            before = room.miner.board.seq
            for place in range(len(self.customers)):
                if room.miner.board.phase in ("closed", "failed"):
                    break
                if (
                    room.session.protocol == "suppression"
                    and room.miner.board.phase in ("mix", "test")
                    and not room.miner.board.waiting
                ):
                    self.tasks(place, max(1, n // 20))
                if self.rng.random() < 0.3:
                    self.lie_to(place, max(1, n // 100))
                if room.miner.board.phase not in ("closed", "failed"):
                    self.customers[place].work()
            room.speak()
            if room.miner.board.seq == before:
                room.tick(11)
            assert turn < 2000, "the session goes on"
        assert room.miner.board.phase == "closed", room.miner.board.reason
        result = room.miner.release()
        assert {row["ill"] for row in self.rows} == {row[-1] for row in result.rows}, "all rows are there"
        assert not result.named, "nobody is named for what the miner altered"
        return self.sent


def due(helper: Any, name: str) -> str:
    """What a helper has to send in a job."""
    job = helper.rules.jobs[name]
    if len(job.mixed) < job.n_mixers:
        return "mix"
    if job.roles.stage_of(helper.index) >= 0:
        return "check"
    if helper.index in job.roles.decryptors:
        return "share"
    return "final" if job.is_group else "counts"
