"""Signed, mutated messages for every part of STAR: whoever signs may be a customer, so only what she says is wrong, not
that it is hers.

``play(n)`` sends so many. It raises if anything but a refusal comes back, if a refused message changed a state, or if
the session does not end with the rows of all honest customers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol import countersign
from shoal.protocol.messages import Message, bytes_of, public_bytes, text_of
from shoal.protocol.star import evidence
from shoal.protocol.star.customer import Climber
from tests.protocol.rehearsal import Room, run
from tests.protocol.test_protocols import rows_of, session_of

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1,
    2**70,
    1.5,
    "",
    "A",
    "*" * 9,
    "é",
    "=" * 4,
    [],
    {},
    [[]],
    ["A"],
    {"a": 1},
    text_of(bytes(32)),
    text_of(b"\xff" * 32),
]


def mutated(rng: random.Random, value: Any) -> Any:
    """The value with one thing changed, somewhere in it; now and then something else altogether."""
    if rng.random() < 0.08:
        return rng.choice(ODD)
    if isinstance(value, dict) and value:
        name = rng.choice(sorted(value))
        change = rng.random()
        if change < 0.1:
            return {n: v for n, v in value.items() if n != name}
        if change < 0.2:
            return {**value, rng.choice(["more", "", name + "x"]): rng.choice(ODD)}
        return {**value, name: mutated(rng, value[name])}
    if isinstance(value, list) and value:
        at = rng.randrange(len(value))
        return rng.choice(
            [
                value[:at] + value[at + 1 :],
                [*value, value[at]],
                [*value[:at], mutated(rng, value[at]), *value[at + 1 :]],
            ]
        )
    if isinstance(value, str) and value:
        return mutated_text(rng, value)
    if isinstance(value, int):
        return value + rng.choice([-1, 1, 2**31, 2**64, -value])
    return rng.choice(ODD)


def mutated_text(rng: random.Random, text: str) -> str:
    """Other bytes of the same length in base64 or hexadecimal, or another text."""
    try:
        data = bytearray(bytes_of(text))
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return text_of(bytes(data)) if rng.random() < 0.9 else text_of(bytes(data[:-1]))
    except (ProtocolError, ValueError, IndexError):
        return text[:-1] + rng.choice("0a*") if rng.random() < 0.7 else text * 2


def wire(message: Message) -> Message:
    """As it comes out of the network."""
    return Message.decode(message.encode())


class Fuzz:
    """A session with honest customers, and one who signs nonsense in every phase."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.room = Room(session_of("star"))
        self.rows = rows_of([("30", "07028")] * 4 + [("40", "07029"), ("40", "07030"), ("50", "07029")])
        self.honest = [self.room.customer(row) for row in self.rows]
        self.odd = self.room.customer({"age": "50", "zip": "07028", "ill": "odd"})
        self.member = self.room.customer({"age": "30", "zip": "07028", "ill": "member"})
        """One of the honest group, who sends nonsense instead of her share."""
        self.sent: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()

    def attempt(self, what: str, call: Callable[[], Any], may_be_right: bool = False) -> None:
        """It must be refused, and change nothing; where a mutation can be another right message of the sender's own,
        that is taken.
        """
        before = self.fingerprint()
        self.sent[what] += 1
        try:
            call()
        except (ProtocolError, PolicyError):
            assert self.fingerprint() == before, what
        else:
            assert may_be_right, what
            self.accepted[what] += 1

    def fingerprint(self) -> Any:
        state = self.room.miner.state
        parts = (state.tags, state.seen, state.shares, state.called)
        return (
            state.board.phase,
            state.rung,
            state.board.since,
            *(sorted(p) for p in parts),
            len(self.room.miner.answers),
            self.room.evaluator.open,
        )

    def message(self, kind: str, slot: str, body: Any, sender: int | None = None) -> Message:
        """Signed by the odd customer, or by the miner himself."""
        key = self.room.key if sender == 0 else self.odd.sign_key
        slot = self.rng.choice([slot, slot, slot, "", "-1", "9", "0" * 64, "round-0", "round-9999", "round-²"])
        return Message(self.room.session.digest, self.odd.index if sender is None else sender, kind, slot, body).signed(
            key
        )

    def tags(self, n: int) -> None:
        """Before her own tag of this round is taken: a mutated tag is never right, since its proof is bound to all of
        it.
        """
        climber, rung = self.odd.climber, self.room.miner.state.rung
        assert climber is not None
        head = self.room.miner.state.rounds[-1].head if rung else None
        right = climber.memory.once(f"tag/{rung}", lambda: climber.make_tag(rung, head).body())
        for _ in range(n):
            message = self.message("tag", str(rung), mutated(self.rng, right) if self.rng.random() < 0.9 else right)
            if message.body != right or message.slot != str(rung):
                self.attempt("tag", lambda m=message: self.room.post(m))

    def shares(self, n: int) -> None:
        """From somebody whose group was not large enough, whatever is in them."""
        right = {"share": text_of(bytes(32)), "sealed": text_of(bytes(540))}
        for _ in range(n):
            message = self.message("share", str(self.room.miner.state.rung), mutated(self.rng, right))
            self.attempt("share", lambda m=message: self.room.post(m))

    def shares_of_a_member(self, n: int) -> None:
        """From somebody whose group was large enough: a share of the right form is hers, however wrong, and counts
        once.
        """
        sender, rung = self.member, self.room.miner.state.called[self.member.index]
        right = {"share": text_of(bytes(32)), "sealed": text_of(bytes(540))}
        for _ in range(n):
            body = mutated(self.rng, right)
            message = Message(self.room.session.digest, sender.index, "share", str(rung), body).signed(sender.sign_key)
            # the one that was taken may come again, and is answered as before
            taken = self.room.miner.answers.get(message.name)
            fresh = taken is None or taken[0] == message.digest()
            self.attempt("share of a member", lambda m=message: self.room.post(m), may_be_right=fresh)

    def heads(self, n: int) -> None:
        """By the miner to himself and to the registrar."""
        rounds = self.room.miner.state.rounds
        done = rounds[-1].head if rounds else countersign.Head("round-0", 1, "ab" * 32, "cd" * 64)
        for _ in range(n):
            message = self.message("head", done.place, mutated(self.rng, done.body()), sender=0)
            self.attempt("head", lambda m=message: self.room.post(m))
            asked = self.message(
                "head", done.place, mutated(self.rng, {"seq": done.seq, "digest": done.digest}), sender=0
            )
            asked = replace(asked, slot=done.place).signed(self.room.key) if rounds else asked
            unused = not rounds and asked.slot != "round-0"  # a place that nobody uses
            same = isinstance(asked.body, dict) and (asked.body.get("seq"), asked.body.get("digest")) == (
                done.seq,
                done.digest,
            )
            if rounds or unused:
                self.attempt(
                    "head at the registrar",
                    lambda m=asked: self.room.registrar.sign(wire(m)),
                    may_be_right=unused or same,
                )

    def asks(self, n: int) -> None:
        for _ in range(n):
            message = self.message(self.rng.choice(["ask", "join", "tag", ""]), "round-0", mutated(self.rng, {"a": 1}))
            self.attempt(
                "ask",
                lambda m=message: self.room.ask(wire(m)),
                may_be_right=message.kind == "ask" and bool(self.room.miner.state.rounds),
            )

    def evaluations(self, n: int) -> None:
        """At the randomness server; the signature is made again where the mutation left something to sign."""
        session, key = self.room.session, self.odd.sign_key
        public = public_bytes(key)
        for _ in range(n):
            element = self.room.group.generate(self.rng.randrange(1, 99))
            right = {
                "session": session.digest,
                "key": text_of(public),
                "token": self.odd.secrets.randomness_token,
                "slot": self.rng.choice([0, 1, 5, 99]),
                "blinded": text_of(element),
                "signature": "",
                "head": {"seq": 1, "digest": "ab" * 32, "signature": "cd" * 64},
            }
            body = mutated(self.rng, right)
            if isinstance(body, dict) and body.get("slot") == right["slot"]:
                body["signature"] = text_of(key.sign(session.bind("evaluate", right["slot"], public, element)))
            if isinstance(body, dict):
                own = body.get("slot") == 0 and body.get("token") == right["token"]
                self.attempt("evaluate", lambda b=body: self.room.evaluate(b), may_be_right=own)

    def evidence(self, n: int) -> None:
        """By the miner to a customer: she refuses, or it says the same; she sends nothing either way."""
        rounds = self.room.miner.state.rounds
        for customer in self.honest:
            climber = customer.climber
            if not rounds or climber is None or 0 not in {r.rung for r in rounds if customer.index in r.tags}:
                continue
            tag = rounds[0].tags[customer.index]
            right = self.room.ask(
                Message(customer.session.digest, customer.index, "ask", "round-0", {}).signed(customer.sign_key)
            )
            self.evidence_of(climber, tag, right, n // len(self.honest))

    def evidence_of(self, climber: Any, tag: bytes, right: Any, n: int) -> None:
        verdict = evidence.check(climber.session, climber.group, 0, tag, climber.public, right)
        for _ in range(n):
            shown = mutated(self.rng, right)
            self.sent["evidence"] += 1
            try:
                found = evidence.check(
                    climber.session, climber.group, 0, tag, climber.public, shown if isinstance(shown, dict) else {}
                )
            except (ProtocolError, PolicyError):
                continue
            assert found == verdict or not found.present

    def play(self, n: int) -> Counter[str]:
        """A session with about n mutated messages, in every phase of it."""
        everybody = [*self.honest, self.member, self.odd]
        run(self.room, everybody, until="submit")
        c = self.odd
        c.climber = Climber(
            c.session,
            c.group,
            c.sign_key,
            c.index,
            c.quasi_identifier,
            c.sensitive,
            self.room,
            self.room,
            c.secrets,
            c.send,
        )
        share = max(1, n // 45)
        while self.room.miner.board.phase != "closed":
            for part in (self.tags, self.shares, self.heads, self.asks, self.evaluations, self.evidence):
                if part != self.tags or self.room.miner.board.phase == "submit":
                    part(share)
            for customer in everybody:
                if customer is self.member and customer.index in self.room.miner.state.called:
                    self.shares_of_a_member(share)
                    continue
                customer.work()
                self.shares(share // 10)
                self.asks(share // 10)
        result = self.room.miner.release()
        assert {row["ill"] for row in self.rows[:4]} <= {row[-1] for row in result.rows}, "the honest group is there"
        assert set(result.named) == {self.member.index}, "and who sent nonsense is named, nobody else"
        return self.sent
