"""A session in one process, without sockets: the miner, the randomness server and all customers hand each other
messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.protocol.agent import Customer, Secrets
from shoal.protocol.board import own_head
from shoal.protocol.countersign import countersigned, request
from shoal.protocol.group import make_group
from shoal.protocol.messages import Message, public_bytes
from shoal.protocol.miner import Miner
from shoal.protocol.result import Result
from shoal.protocol.session import Session, parse_session
from shoal.protocol.star.evaluator import Evaluator
from tests.protocol.registry import MINER_KEY, countersigner, in_memory, make_token, registrar_text

HEAD = """
format = "shoal-session-1"
number = "{number}"
protocol = "{protocol}"
k = {k}
expires = 2100-01-01T00:00:00Z
{more}
[miner]
url = "https://127.0.0.1:1"
key = "{miner}"
certificate = "system"
"""
RANDOMNESS = """
[randomness]
url = "https://127.0.0.1:2"
key = "{key}"
certificate = "system"
"""


def make_session(
    protocol: str,
    k: int,
    columns: Sequence[Mapping[str, Any]],
    randomness_key: str = "",
    number: str = "ab" * 16,
    **more: Any,
) -> Session:
    """A session, with a registrar in the STAR mode only; ``columns`` as in the session file."""
    if protocol != "star":
        more = {"open": True, **more}
    values = [
        f"{name} = {str(v).lower() if isinstance(v, bool) else repr(v)}"
        for name, v in more.items()
        if name != "seconds"
    ]
    text = HEAD.format(
        miner=public_bytes(MINER_KEY).hex(), number=number, protocol=protocol, k=k, more="\n".join(values)
    )
    if protocol == "star":
        text += RANDOMNESS.format(key=randomness_key) + registrar_text()
    if "seconds" in more:
        text += "\n[seconds]\n" + "\n".join(f"{name} = {v}" for name, v in more["seconds"].items()) + "\n"
    for column in columns:
        text += "\n[[columns]]\n" + "\n".join(f"{name} = {v!r}" for name, v in column.items()) + "\n"
    return parse_session(text.encode())


@dataclass
class Room:
    """The miner in the same process; counts the messages."""

    session: Session
    now: float = 1000.0
    key: Ed25519PrivateKey = MINER_KEY
    oprf_key: int = 7
    messages: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.miner = Miner(self.session, public_bytes(self.key))
        self.miner.board.since = self.now
        self.group = make_group()
        if self.session.registrar is not None:
            self.registrar = countersigner(self.session)
        if self.session.protocol == "star":
            self.evaluator = Evaluator(self.session, 7, in_memory())
            self.evaluator.key = self.oprf_key

    def post(self, message: Message) -> Any:
        message = Message.decode(message.encode())
        reply, new = self.miner.take(message, self.now)
        if new:
            self.messages.append(message)
            self.seal()
        return reply

    def seal(self) -> None:
        """The end of a phase is sealed at once by the registrar; without one by the miner himself."""
        wanted = self.miner.wanted_head()
        if wanted is None:
            return
        if self.session.registrar is None:
            head = own_head(self.session, *wanted, self.key)
        else:
            head = countersigned(self.session, *wanted, self.registrar.sign(request(self.session, *wanted, self.key)))
        self.say("head", head.body(), head.place)

    def speak(self) -> None:
        """What the miner has to say by himself."""
        word = self.miner.word(self.now)
        if word is not None:
            self.say(word[0], word[2], word[1])

    def view(self, name: str) -> Any:
        return self.miner.view(name)

    def ask(self, message: Message) -> Any:
        return self.miner.ask(message, self.now)

    def evaluate(self, body: dict[str, Any]) -> Any:
        return self.evaluator.evaluate(body)

    def say(self, kind: str, body: Mapping[str, Any], slot: str = "0") -> Any:
        """The miner's own word."""
        return self.post(Message(self.session.digest, 0, kind, slot, dict(body)).signed(self.key))

    def tick(self, seconds: float) -> None:
        self.now += seconds
        self.speak()

    def customer(self, row: Mapping[str, str], **more: Any) -> Customer:
        secrets = Secrets.fresh(self.session)
        if self.session.registrar is not None:
            public = public_bytes(Ed25519PrivateKey.from_private_bytes(secrets.sign_key))
            secrets.token, secrets.randomness_token = (
                make_token(self.session, use, public) for use in ("join", "randomness")
            )
        return Customer(self.session, self, secrets, row, self, **more)


def run(room: Room, customers: Sequence[Customer], until: str = "closed", most: int = 100_000) -> None:
    """Let everybody work in turn until the session is in a phase."""
    for customer in customers:
        customer.join()
    if room.miner.board.phase == "join":
        room.say("close", {"phase": "join"})
    for _ in range(most):
        if room.miner.board.phase in (until, "closed", "failed"):
            return
        before = (room.miner.status(), len(room.messages))
        for customer in customers:
            if room.miner.board.phase in (until, "closed", "failed"):
                return
            customer.work()
            if room.miner.board.phase == "mix" and not room.miner.state.open_jobs:
                room.speak()
        if before == (room.miner.status(), len(room.messages)):
            room.tick(5)


def rehearse(session: Session, rows: Sequence[Mapping[str, str]], oprf_key: int = 7) -> tuple[Result, Room]:
    """A whole session with honest customers."""
    room = Room(session, oprf_key=oprf_key)
    run(room, [room.customer(row) for row in rows])
    return room.miner.release(), room


def randomness_key(key: int = 7) -> str:
    return make_group().generate(key).hex()
