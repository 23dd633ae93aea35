"""A customer from joining to the end, without knowing how her messages travel: a ``Link`` carries them.

What she must not lose (her keys, index and token) is in :class:`Secrets`, which the caller may keep in a file.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol import keygen, proofs
from shoal.protocol.board import Board, join_context
from shoal.protocol.chain import Broken
from shoal.protocol.countersign import Head, read_head
from shoal.protocol.extraction.customer import submit as extraction_body
from shoal.protocol.keygen import Keys
from shoal.protocol.messages import Body, Message, Rejected, body_digest, canonical, public_bytes, text_of
from shoal.protocol.messages import field as take
from shoal.protocol.receipts import check_receipt
from shoal.protocol.replica import Replica
from shoal.protocol.session import Session
from shoal.protocol.star.customer import GOING, Climber
from shoal.protocol.star.rounds import place_of
from shoal.protocol.suppression.customer import Helper, perform
from shoal.protocol.suppression.rows import encrypt_row

STALE = ("job", "phase", "conflict", "twice", "seal", "after", "task", "role", "dealers")
"""Refusals that only say that the session has moved on: she reads the board again."""


class Link(Protocol):
    """How a customer reaches the miner: ``post`` a signed message, ``view`` something public, ``ask`` for a task."""

    def post(self, message: Message) -> Body: ...

    def view(self, name: str) -> Body: ...

    def ask(self, message: Message) -> Body: ...


class Randomness(Protocol):
    """How she reaches the randomness server."""

    def evaluate(self, body: Body) -> Body: ...


@dataclass(repr=False)
class Secrets:
    """What a customer keeps between two starts of her program.

    Printing it shows nothing, so that no secret gets into a log.
    """

    session: str
    sign_key: bytes
    seal_secret: int
    index: int = 0
    token: str = ""
    randomness_token: str = ""
    pending: dict[str, Any] = field(default_factory=dict)
    """What was made for sending, by name: after a crash the very same is sent again."""
    path: Path | None = None

    @classmethod
    def fresh(cls, session: Session, path: Path | None = None) -> Secrets:
        group = session.make_group()
        made = cls(session.digest, Ed25519PrivateKey.generate().private_bytes_raw(), group.random_scalar(), path=path)
        made.save()
        return made

    @classmethod
    def load(cls, session: Session, path: Path) -> Secrets:
        """From a file, or fresh ones if there is none."""
        if not path.exists():
            return cls.fresh(session, path)
        try:
            data = json.loads(path.read_text())
        except (OSError, ValueError) as error:
            raise PolicyError(f"The state file '{path}' cannot be read.") from error
        if data["session"] != session.digest:
            raise PolicyError(f"The state file '{path}' belongs to another session. Take another file with --state.")
        return cls(
            data["session"],
            bytes.fromhex(data["sign_key"]),
            int(data["seal_secret"], 16),
            data["index"],
            data["token"],
            data["randomness_token"],
            data["pending"],
            path,
        )

    def save(self) -> None:
        """Write the file so that only its owner can read it, completely or not at all."""
        if self.path is None:
            return
        data = {
            "session": self.session,
            "sign_key": self.sign_key.hex(),
            "seal_secret": hex(self.seal_secret),
            "index": self.index,
            "token": self.token,
            "randomness_token": self.randomness_token,
            "pending": self.pending,
        }
        part = self.path.with_name(self.path.name + ".part")
        part.unlink(missing_ok=True)  # left by a crash, or put there by somebody who wants to read what is written
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            json.dump(data, out)
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, self.path)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """What is kept under a name; made and kept before it is used the first time."""
        if name not in self.pending:
            self.pending[name] = make()
            self.save()
        return self.pending[name]


@dataclass
class Customer:
    """One customer in one session. She believes only what she derives from her own copy of the board."""

    session: Session
    link: Link
    secrets: Secrets
    row: Mapping[str, str] | None
    """None as long as she only joins and deals."""
    randomness: Randomness | None = None
    roles: tuple[str, ...] = ("deal", "help")
    replica: Replica | None = None
    """Her copy of the board; customers of one owner may share one."""
    keys: Keys | None = None
    helper: Helper | None = None
    climber: Climber | None = None
    submitted: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.session.check_time()
        self.quasi_identifier, self.sensitive = self.session.check_row(self.row) if self.row is not None else ((), ())
        self.group = self.session.make_group()
        self.sign_key = Ed25519PrivateKey.from_private_bytes(self.secrets.sign_key)
        if self.row is None:
            return
        tag = hmac.digest(self.secrets.sign_key, canonical([self.quasi_identifier, self.sensitive]), "sha256").hex()
        if self.secrets.once("row", lambda: tag) != tag:
            raise PolicyError("This customer entered the session with another row. Each person submits one row, once.")

    @property
    def index(self) -> int:
        return self.secrets.index

    @property
    def board(self) -> Board:
        assert self.replica is not None
        return self.replica.board

    @property
    def after(self) -> str:
        """The last sealed head that she has seen."""
        return self.replica.board.after if self.replica else ""

    def send(self, kind: str, body: Body, slot: str = "0") -> Body:
        """Sign and post a message; it says on which head of the board it builds."""
        return self.post(Message(self.session.digest, self.index, kind, slot, body, self.after).signed(self.sign_key))

    def post(self, message: Message) -> Body:
        """Post a message; the miner's receipt, where the link brings one, is checked and kept."""
        reply = dict(self.link.post(message))
        if "receipt" in reply:
            receipt = check_receipt(self.session, message, public_bytes(self.sign_key), reply.pop("receipt"))
            self.secrets.pending.setdefault("receipts", {})[message.name] = receipt
            self.secrets.save()
        return reply

    def send_once(self, kind: str, make: Callable[[], Body], slot: str = "0") -> Body:
        """Send a message that is made once and kept until it is answered, whatever happens to this program."""
        return self.send(kind, self.secrets.once(f"{kind}/{slot}", make), slot)

    def ask(self, what: str) -> Body:
        """A signed question to the miner."""
        return self.link.ask(Message(self.session.digest, self.index, "ask", what, {}).signed(self.sign_key))

    def join(self) -> int:
        """Get on the roster; doing it again gives the same index."""
        if not self.index:
            public, secret = public_bytes(self.sign_key), self.secrets.seal_secret
            seal_key = self.group.generate(secret)
            body: Body = {"sign_key": text_of(public), "seal_key": text_of(seal_key), "roles": list(self.roles)}
            body["proof"] = text_of(
                proofs.prove_knowledge(self.group, secret, seal_key, join_context(self.session, public))
            )
            if self.secrets.token:
                body["token"] = self.secrets.token
            body = self.secrets.once("join", lambda: body)
            message = Message(self.session.digest, 0, "join", public.hex(), body).signed(self.sign_key)
            index = take(self.post(message), "index", int)
            if index < 1:
                raise ProtocolError("The miner gave an index that no customer can have.")
            self.secrets.index = index
            self.secrets.save()
        return self.index

    def follow(self, fetch: bool = True) -> Board:
        """Fetch what is new on the board and check it; what was sealed when she last looked must still be there."""
        if self.replica is None:
            self.replica = Replica(self.session)
        more = fetch
        while more:
            page = self.ask(f"board/{self.replica.seq}")
            entries = take(page, "entries", list)
            self.replica.take(entries)
            more = bool(page.get("more")) and bool(entries)
        board = self.board
        if len(board.roster) < self.index or board.roster[self.index - 1].sign_key != public_bytes(self.sign_key):
            raise Broken("The board that the miner shows does not have this customer at her place of the roster.")
        for receipt in self.secrets.pending.get("receipts", {}).values():
            self.replica.check_receipt(receipt["seq"], receipt["hash"])
        seen = {head.place: head.digest for head in board.seals}
        self.replica.check_seals(self.secrets.pending.get("seals", {}))
        if self.secrets.pending.get("seals") != seen:
            self.secrets.pending["seals"] = seen
            self.secrets.save()
        return board

    def sealed_heads(self) -> list[Head]:
        """The heads of the phases that are over, or in STAR of the rounds, each checked: all who take part must see the
        same.
        """
        if self.session.protocol != "star":
            return self.follow().seals
        heads = []
        for rung in range(take(self.link.view("status"), "round", int)):
            place = place_of(rung)
            heads.append(read_head(place, take(self.ask(place), "head", dict)))
            heads[-1].check(self.session)
        return heads

    def work(self, status: Body | None = None, fetch: bool = True) -> str:
        """Do what is to be done now, once. Returns the phase, or ``done`` when she is no longer needed.

        An owner of many rows asks for the status, and fetches what is new on their common board, once for all of them.
        """
        status = status or self.link.view("status")
        phase: str = take(status, "phase", str)
        if status.get("session") != self.session.digest:
            raise PolicyError("The miner runs another session than the session file says. Ask him for the right file.")
        if phase == "failed":
            raise ProtocolError(f"The session failed: {take(status, 'reason', str)}.")
        if phase == "join" and not self.index:
            self.join()
            return phase
        if not self.index:
            raise ProtocolError(f"The session takes no new customers: it is in the phase '{phase}'.")
        if self.session.protocol == "star":
            return self.climb(phase, take(status, "round", int))
        return self.act(self.follow(fetch))

    def act(self, board: Board) -> str:
        """Her part in the phase that the board is in."""
        try:
            if board.waiting or board.phase == "join":
                return "done" if board.phase == "closed" else "join"
            if board.phase == "deal":
                self.deal(board)
            elif board.phase == "check":
                self.check(board)
            elif board.phase in ("submit", "mix", "test"):
                return self.submit(board)
        except Rejected as refused:
            if refused.code not in STALE:
                raise
        return "done" if board.phase == "closed" else board.phase

    def deal(self, board: Board) -> None:
        """Deal keys, if the draw says so."""
        if self.index not in board.dealers or self.index in board.out or "deal" in self.submitted:
            return
        slots = keygen.chunk_slots(len(board.roster))

        def make() -> list[Body]:
            commit, chunks = keygen.deal(self.session, self.group, self.index, [m.seal_key for m in board.roster])
            return [commit, *chunks]

        commit, *chunks = self.secrets.once("dealing", make)
        self.send("commit", commit)
        for slot, chunk in zip(slots, chunks, strict=True):
            self.send("deal", chunk, slot)
        self.submitted.add("deal")
        self.secrets.pending.pop("dealing", None)
        self.secrets.save()

    def check(self, board: Board) -> None:
        """Check the dealt points; complain of a dealer whose points do not fit, or confirm."""
        dealers = board.qualified
        if f"confirm-{dealers}" in self.submitted:
            return
        bad, chunks = self.collect(board)
        for dealer in bad:
            ephemeral = board.commitments[dealer].ephemeral
            body = keygen.complain(
                self.session, self.group, self.index, dealer, self.secrets.seal_secret, ephemeral, chunks[dealer]
            )
            self.send("complain", body, str(dealer))
        if not bad:
            self.send("confirm", {"dealers": dealers}, "-".join(map(str, dealers)))
        self.submitted.add(f"confirm-{dealers}")

    def collect(self, board: Board) -> tuple[list[int], dict[int, Body]]:
        """Fetch and add up her points; the dealers whose points do not fit, and the chunks that were fetched."""
        given = take(self.ask("points"), "chunks", dict)
        dealers, chunks = {}, {}
        for dealer in board.qualified:
            start = max(s for s in board.dealt[dealer] if s <= self.index)
            chunk = given.get(str(dealer))
            if not isinstance(chunk, dict) or body_digest(chunk) != board.dealt[dealer][start]:
                raise Broken("The miner hands out other points than the dealer sent.")
            dealers[dealer], chunks[dealer] = (
                (board.commitments[dealer], keygen.point_of(chunk, start, self.index)),
                chunk,
            )
        self.keys, bad = keygen.collect(self.session, self.group, self.index, self.secrets.seal_secret, dealers)
        return bad, chunks

    def submit(self, board: Board) -> str:
        """Send the row in the way of the protocol, and help where the protocol asks for it."""
        if self.row is None:
            return board.phase
        if self.keys is None and self.collect(board)[0]:
            raise ProtocolError(
                "Points of a dealer do not fit, and it is too late to complain: this customer is left out."
            )
        assert self.keys is not None
        if self.session.protocol == "extraction":
            if board.phase == "submit":
                keys = self.keys
                self.send_once(
                    "submit",
                    lambda: extraction_body(self.session, self.group, keys, self.quasi_identifier, self.sensitive),
                )
            return "done"
        if board.phase == "submit":
            if "row" not in self.submitted:
                public = self.keys.public()
                self.send_once(
                    "row", lambda: encrypt_row(self.session, self.group, self.index, public, self.quasi_identifier)
                )
                self.submitted.add("row")
            return "submit"
        return self.help(board)

    def help(self, board: Board) -> str:
        """Ask for a task and do it."""
        if self.helper is None:
            assert self.keys is not None
            assert self.replica is not None
            self.helper = Helper(
                self.session,
                self.group,
                self.keys,
                self.secrets.seal_secret,
                self.replica.rules,
                self.quasi_identifier,
                self.sensitive,
            )
        task = self.ask("task")
        if task.get("task") == "none":
            return board.phase
        self.follow()  # the task may depend on entries that came since
        for kind, slot, body in perform(self.helper, task):
            self.send(kind, body, slot)
        return "working"

    def climb(self, phase: str, current: int) -> str:
        """STAR: go on along the ladder."""
        if phase not in GOING or self.row is None:
            return "done" if phase == "closed" else phase
        if self.climber is None:
            assert self.randomness is not None
            self.climber = Climber(
                self.session, self.group, self.sign_key, self.index, self.quasi_identifier, self.sensitive,
                self.link, self.randomness, self.secrets, self.send,
            )  # fmt: skip
        return self.climber.work(phase, current)
