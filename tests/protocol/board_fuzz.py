"""Signed, mutated messages in each phase of extraction and suppression, mutated entries of the board, and mutated
tasks.

One customer signs nonsense wherever she has something to say, and asks nonsense; the miner shows an onlooker mutated
entries and gives helpers mutated tasks. ``play(n)`` raises if anything but a refusal comes back, if a refused message
changed a state, or if the session does not end with the rows of all honest customers. A mutation that is another right
message of the sender's own counts as hers.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from shoal.errors import ProtocolError
from shoal.protocol.agent import Customer
from shoal.protocol.messages import Message
from shoal.protocol.miner import Miner
from shoal.protocol.replica import Replica
from shoal.protocol.suppression.customer import perform
from tests.protocol.games.cast import helper_of
from tests.protocol.rehearsal import Room
from tests.protocol.star_fuzz import mutated, wire
from tests.protocol.test_protocols import rows_of, session_of

CELLS = [("30", "07028")] * 4 + [("40", "07029")] * 3 + [("30", "07030")] * 3


class FuzzedRoom(Room):
    """A room in which one customer's messages are mutated before she sends them."""

    fuzz: Fuzz

    def post(self, message: Message) -> Any:
        taken = self.fuzz.before(message)
        return super().post(message) if taken is None else taken


class Fuzz:
    """A session with honest customers, and one who signs nonsense in every phase."""

    def __init__(self, protocol: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.room = FuzzedRoom(session_of(protocol, seconds={"lease": 10, "deal": 30}))
        self.room.fuzz = self
        self.rows = rows_of(CELLS)
        self.honest = [self.room.customer(row) for row in self.rows]
        self.odd = self.room.customer({"age": "50", "zip": "07028", "ill": "odd"})
        self.onlooker = Replica(self.room.session)
        self.sent: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()
        self.each = 0

    def fingerprint(self, board: Any = None, rules: Any = None) -> Any:
        """Everything that a refused message must leave as it is."""
        board, rules = board or self.room.miner.board, rules or self.room.miner.state.rules
        jobs = [
            (j.name, j.attempt, len(j.mixed), sorted(j.checks), sorted(j.shares), j.done)
            for j in getattr(rules, "jobs", {}).values()
        ]
        sets = (
            board.commitments,
            board.covered,
            board.named,
            board.out,
            board.confirmed,
            getattr(rules, "rows", ()),
            getattr(rules, "finals", ()),
        )
        return (
            board.seq,
            board.hash,
            board.phase,
            board.waiting,
            len(board.roster),
            len(board.seals),
            jobs,
            [sorted(s) for s in sets],
        )

    def attempt(self, what: str, call: Callable[[], Any], state: Callable[[], Any] | None = None) -> Any:
        """It is refused and changes nothing, or it is taken as the sender's own."""
        state = state or self.fingerprint
        before = state()
        self.sent[what] += 1
        try:
            reply = call()
        except ProtocolError:
            assert state() == before, what
            return None
        self.accepted[what] += 1
        return reply

    def before(self, message: Message) -> Any:
        """Variants of what the odd customer is about to say; the reply to one that was taken, if one was."""
        own = (
            0 < message.sender == self.odd.index
            or message.slot == self.odd.sign_key.public_key().public_bytes_raw().hex()
        )
        if not own or not self.each:
            return None
        kept, length = clone(self.room.miner), len(self.room.messages)
        for _ in range(self.each):
            variant = self.variant(message)
            if (variant.kind, variant.slot, variant.body, variant.after) == (
                message.kind,
                message.slot,
                message.body,
                message.after,
            ):
                continue
            reply = self.attempt(message.kind, lambda v=variant: Room.post(self.room, v))
            if reply is None:
                continue
            # sometimes it is kept, and the session must go on with it
            if message.kind != "join" and self.rng.random() < 3 / self.each:
                return reply if variant.name == message.name else None
            self.room.miner, kept = kept, clone(kept)
            del self.room.messages[length:]
        return None

    def variant(self, message: Message) -> Message:
        """One thing changed: the body, the place, the kind, the head it builds on, or the sender."""
        part, rng = self.rng.random(), self.rng
        if part < 0.75:
            body = mutated(rng, message.body)
            message = replace(message, body=body if isinstance(body, dict) else {"odd": body})
        elif part < 0.9:
            other = message.slot[:-1] + rng.choice("0x/") if message.slot else "0"
            message = replace(
                message, slot=rng.choice([other, "", "0", "-1", "1-1", "²", message.slot + "/0", "9" * 99])
            )
        elif part < 0.95:
            kinds = [
                "commit",
                "deal",
                "complain",
                "confirm",
                "submit",
                "row",
                "mix",
                "check",
                "share",
                "counts",
                "refuse",
                "final",
                "head",
                "tick",
                "groups",
            ]
            message = replace(message, kind=rng.choice(kinds))
        else:
            message = replace(
                message,
                after=rng.choice(["", "ab" * 32, message.after[:-1]]),
                sender=rng.choice([message.sender, -1, 99]),
            )
        return message.signed(self.odd.sign_key)

    def asks(self, n: int) -> None:
        for _ in range(n):
            what = self.rng.choice(
                [
                    "board/0",
                    "board/-1",
                    "board/²",
                    "board/" + "9" * 30,
                    "points",
                    "task",
                    "task/x",
                    "",
                    "round-0",
                    "body/1",
                ]
            )
            question = Message(
                self.room.session.digest, self.odd.index, self.rng.choice(["ask", "ask", "row"]), what, {}
            )
            question = question.signed(self.odd.sign_key)
            self.attempt("ask", lambda q=question: self.room.ask(wire(q)))

    def entries(self, n: int) -> None:
        """By the miner to a customer who looks at the board."""
        new = [s.data() for s in self.room.miner.shown[self.onlooker.seq :]]
        for entry in new:
            for _ in range(max(1, n // max(1, len(new)))):
                shown = mutated(self.rng, entry)
                if shown != entry and not same(shown, entry):
                    self.attempt("entry", lambda s=shown: self.onlooker.take([s]), self.onlooker_state)
                    if self.onlooker.seq == entry["seq"]:  # a time that nobody can check before the seal; start again
                        self.onlooker = Replica(self.room.session)
                        self.onlooker.take([s.data() for s in self.room.miner.shown[: entry["seq"] - 1]])
            self.onlooker.take([entry])

    def onlooker_state(self) -> Any:
        return self.fingerprint(self.onlooker.board, self.onlooker.rules)

    def tasks(self, customers: Sequence[Customer], n: int) -> None:
        """By the miner to honest helpers: they refuse, or do what the board says all the same; their programs go on."""
        for customer in customers:
            task = self.room.ask(
                Message(self.room.session.digest, customer.index, "ask", "task", {}).signed(customer.sign_key)
            )
            if task["task"] == "none":
                continue
            helper = helper_of(customer)
            for _ in range(n):
                given = mutated(self.rng, task)
                self.attempt("task", lambda g=given, h=helper: perform(h, g if isinstance(g, dict) else {}))

    def play(self, n: int) -> Counter[str]:
        """A session with about n mutated messages, in every phase of it."""
        room, everybody = self.room, [*self.honest, self.odd]
        self.each = max(1, n // (9 if room.session.protocol == "suppression" else 3))
        for customer in everybody:
            customer.join()
        room.say("close", {"phase": "join"})
        idle = 0
        while room.miner.board.phase not in ("closed", "failed"):
            before = room.miner.board.seq
            for customer in everybody:
                if room.miner.board.phase in ("closed", "failed"):
                    break
                if self.rng.random() < 0.2:
                    self.asks(self.each // 50 + 1)
                if (
                    room.session.protocol == "suppression"
                    and room.miner.board.phase in ("mix", "test")
                    and self.rng.random() < 0.1
                ):
                    self.tasks([customer], min(20, self.each // 500 + 1))
                customer.work()
            self.entries(self.each // 20 + 1)
            room.speak()
            idle = idle + 1 if room.miner.board.seq == before else 0
            if idle:
                room.tick(11)
        assert room.miner.board.phase == "closed", room.miner.board.reason
        result = room.miner.release()
        assert {row["ill"] for row in self.rows[:7]} <= {row[-1] for row in result.rows}, "the honest groups are there"
        assert set(result.named) <= {self.odd.index}, "nobody is named but who sent nonsense"
        return self.sent


def clone(miner: Miner) -> Miner:
    """The miner as he is now, to come back to."""
    shared = (miner.session, miner.board.group, miner.protocol)
    return copy.deepcopy(miner, {id(one): one for one in shared})


def same(shown: Any, entry: Any) -> bool:
    """An entry with something more beside it, or another number of the same value, says the same."""
    return isinstance(shown, dict) and all(shown.get(name) == entry[name] for name in entry)


def play(protocol: str, seed: int, n: int) -> Counter[str]:
    return Fuzz(protocol, seed).play(n)
