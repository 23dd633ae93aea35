"""A customer in the STAR mode: one tag per round until enough others hold the same labels, then her share, once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.errors import ProtocolError
from shoal.protocol.countersign import Head
from shoal.protocol.extraction.messages import encode_cells
from shoal.protocol.group import Group
from shoal.protocol.messages import Body, Message, Rejected, bytes_of, field, public_bytes, text_of
from shoal.protocol.session import Session
from shoal.protocol.star import evidence, oprf
from shoal.protocol.star.ladder import generalize, ladder
from shoal.protocol.star.messages import Share, Tag, make_share, make_tag, prf_info, prf_input, secret_of

GOING = ("submit", "countersign", "reveal")
"""The phases between joining and the end."""


class Link(Protocol):
    """How she reaches the miner and the randomness server, and what she keeps."""

    def ask(self, message: Message) -> Body: ...


class Randomness(Protocol):
    def evaluate(self, body: Body) -> Body: ...


class Memory(Protocol):
    """What survives her program; ``once`` keeps a value before it is used the first time."""

    pending: dict[str, Any]
    randomness_token: str

    def once(self, name: str, make: Callable[[], Any]) -> Any: ...

    def save(self) -> None: ...


@dataclass
class Climber:
    """One customer on the ladder. ``send`` posts a signed message and returns when it is taken."""

    session: Session
    group: Group
    sign_key: Ed25519PrivateKey
    index: int
    quasi_identifier: Sequence[str]
    sensitive: Sequence[str]
    link: Link
    randomness: Randomness
    memory: Memory
    send: Callable[[str, Body, str], Body]

    def __post_init__(self) -> None:
        self.rungs = ladder(self.session)
        self.public = public_bytes(self.sign_key)
        self.settled: dict[int, evidence.Verdict] = {}

    def work(self, phase: str, current: int) -> str:
        """Do what is to be done now: settle the round that she posted a tag in, then post one in the round that is
        open.
        """
        if not 0 <= current <= len(self.rungs) or (phase == "submit" and current == len(self.rungs)):
            raise ProtocolError("The miner speaks of a round that the session does not have.")
        if "reveal" in self.memory.pending:
            return self.reveal(self.memory.pending["reveal"])
        if f"taken/{current}" in self.memory.pending:
            return "submit"
        last = max((r for r in range(current) if f"tag/{r}" in self.memory.pending), default=-1)
        if last >= 0 and self.settle(last).reached:
            return self.reveal(self.memory.once("reveal", lambda: last))
        if phase == "submit":
            self.post_tag(current, self.settle(current - 1).head if current else None)
            return "submit"
        return "done" if phase in ("reveal", "closed") else phase

    def settle(self, rung: int) -> evidence.Verdict:
        """Look at a round that is over, on evidence that the registrar countersigned."""
        if rung in self.settled:
            return self.settled[rung]
        shown = self.link.ask(
            Message(self.session.digest, self.index, "ask", f"round-{rung}", {}).signed(self.sign_key)
        )
        posted = self.memory.pending.get(f"tag/{rung}")
        tag = bytes_of(posted["point"]) + bytes_of(posted["check"]) if posted else None
        verdict = evidence.check(self.session, self.group, rung, tag, self.public, shown)
        if f"taken/{rung}" in self.memory.pending and not verdict.present:
            raise ProtocolError(
                f"The miner took this customer's tag and left it out of round {rung}. Keep the state file: it proves "
                "it."
            )
        self.settled[rung] = verdict
        self.remember(verdict.head)
        return verdict

    def remember(self, head: Head) -> None:
        """What was countersigned once must never change; the heads are kept to compare them with others."""
        seen = self.memory.pending.setdefault("seals", {})
        if seen.get(head.place, head.digest) != head.digest:
            raise ProtocolError(
                f"The end of '{head.place}' is another one than the one seen before: the miner shows two boards."
            )
        if head.place not in seen:
            seen[head.place] = head.digest
            self.memory.save()

    def labels(self, rung: int) -> tuple[str, ...]:
        return generalize(self.session, self.quasi_identifier, self.rungs[rung])

    def post_tag(self, rung: int, head: Head | None) -> None:
        """Have the labels evaluated without showing them, and post the tag that follows."""
        try:
            body = self.memory.once(f"tag/{rung}", lambda: self.make_tag(rung, head).body())
            self.send("tag", body, str(rung))
        except Rejected as refused:
            if refused.code in ("round", "phase"):
                return  # late: she goes on with the next round
            raise
        self.memory.once(f"taken/{rung}", lambda: True)

    def make_tag(self, rung: int, head: Head | None) -> Tag:
        return make_tag(self.session, self.group, rung, self.public, self.secret(rung, head))

    def secret(self, rung: int, head: Head | None) -> int:
        """What those with her labels share, from the randomness server; kept, since it answers only while the round is
        open.
        """
        return int(self.memory.once(f"secret/{rung}", lambda: hex(self.evaluate(rung, head))), 16)

    def evaluate(self, rung: int, head: Head | None) -> int:
        assert self.session.randomness is not None
        hidden = prf_input(self.session, self.labels(rung))
        blind = self.memory.once(f"blind/{rung}", lambda: hex(self.group.random_scalar()))
        blinded = oprf.blind(self.group, hidden, oprf.POPRF, int(blind, 16))
        said = self.session.bind("evaluate", rung, self.public, blinded.element)
        request: Body = {
            "session": self.session.digest,
            "key": text_of(self.public),
            "token": self.memory.randomness_token,
            "slot": rung,
            "blinded": text_of(blinded.element),
            "signature": text_of(self.sign_key.sign(said)),
        }
        if head is not None:
            request["head"] = head.body()
        answer = self.randomness.evaluate(request)
        info, evaluated = prf_info(self.session, rung, self.rungs[rung]), bytes_of(field(answer, "evaluated", str))
        key = bytes.fromhex(self.session.randomness.key)
        oprf.check_for(self.group, key, info, [blinded.element], [evaluated], bytes_of(field(answer, "proof", str)))
        return secret_of(oprf.finalize(self.group, blinded, evaluated, info))

    def reveal(self, rung: int) -> str:
        """Send the share of the one rung where her group was large enough; never of another."""
        try:
            self.send("share", self.memory.once(f"share/{rung}", lambda: self.make_share(rung).body()), str(rung))
        except Rejected as refused:
            if refused.code != "phase":  # too late: the session is closed, and her row stays out
                raise
        return "done"

    def make_share(self, rung: int) -> Share:
        posted, labels = self.memory.pending[f"tag/{rung}"], self.labels(rung)
        tag = bytes_of(posted["point"]) + bytes_of(posted["check"])
        cells = encode_cells([*labels, *self.sensitive], self.session.row_bytes)
        return make_share(self.session, rung, self.index, tag, self.secret(rung, None), cells)
