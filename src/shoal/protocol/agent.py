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
from shoal.protocol import keygen
from shoal.protocol.extraction.customer import submit as extraction_body
from shoal.protocol.extraction.messages import encode_cells
from shoal.protocol.keygen import Keys
from shoal.protocol.messages import Body, Message, Rejected, bytes_of, canonical, public_bytes, text_of
from shoal.protocol.session import Session
from shoal.protocol.star import messages as star_messages
from shoal.protocol.star import oprf
from shoal.protocol.star.ladder import generalize, ladder
from shoal.protocol.suppression.customer import Helper, perform
from shoal.protocol.suppression.rows import encrypt_row


class Link(Protocol):
    """How a customer reaches the miner: ``post`` a signed message, ``view`` something public, ``ask`` for a task."""

    def post(self, message: Message) -> Body: ...

    def view(self, name: str) -> Body: ...

    def ask(self, message: Message) -> Body: ...


class Randomness(Protocol):
    """How she reaches the randomness server."""

    def evaluate(self, body: Body) -> Body: ...


@dataclass
class Secrets:
    """What a customer keeps between two starts of her program."""

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
        """Write the file so that only its owner reads it, and never half."""
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
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
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
    """One customer in one session."""

    session: Session
    link: Link
    secrets: Secrets
    row: Mapping[str, str] | None
    """None as long as she only joins and deals."""
    randomness: Randomness | None = None
    roles: tuple[str, ...] = ("deal", "help")
    keys: Keys | None = None
    helper: Helper | None = None
    dealt: bool = False
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

    def send(self, kind: str, body: Body, slot: str = "0") -> Body:
        """Sign and post a message."""
        return self.link.post(Message(self.session.digest, self.index, kind, slot, body).signed(self.sign_key))

    def send_once(self, kind: str, make: Callable[[], Body], slot: str = "0") -> Body:
        """Send a message that is made once and kept until it is answered, whatever happens to this program."""
        return self.send(kind, self.secrets.once(f"{kind}/{slot}", make), slot)

    def join(self) -> int:
        """Get on the roster; doing it again gives the same index."""
        if not self.index:
            public = public_bytes(self.sign_key)
            body: Body = {
                "sign_key": text_of(public),
                "seal_key": text_of(self.group.generate(self.secrets.seal_secret)),
                "roles": list(self.roles),
            }
            if self.secrets.token:
                body["token"] = self.secrets.token
            message = Message(self.session.digest, 0, "join", public.hex(), body).signed(self.sign_key)
            self.secrets.index = int(self.link.post(message)["index"])
            self.secrets.save()
        return self.index

    def work(self) -> str:
        """Do whatever is to be done now, once. Returns the phase, or ``done`` when she is needed no more."""
        status = self.link.view("status")
        phase = str(status["phase"])
        if status["session"] != self.session.digest:
            raise PolicyError("The miner runs another session than the session file says. Ask him for the right file.")
        if phase == "failed":
            raise ProtocolError(f"The session failed: {status['reason']}.")
        if phase == "join":
            self.join()
        elif not self.index:
            raise ProtocolError(f"The session takes no new customers: it is in the phase '{phase}'.")
        elif phase == "deal":
            self.deal(status)
        elif phase == "check":
            self.check(status)
        elif phase in ("submit", "mix", "test"):
            return self.submit(status)
        return "done" if phase == "closed" else phase

    def deal(self, status: Body) -> None:
        """Deal keys, if the committee wants her."""
        if self.index not in status["dealers"] or self.dealt:
            return
        roster = self.link.view("roster")
        commit, chunks = keygen.deal(self.session, self.group, self.index, [bytes_of(k) for k in roster["seal_keys"]])
        self.dealt = True
        try:
            self.send("commit", commit)
            for n, chunk in enumerate(chunks):
                self.send("deal", chunk, str(n))
        except Rejected as refused:
            if refused.code not in ("conflict", "role", "phase"):
                raise

    def check(self, status: Body) -> None:
        """Check the dealt points; complain of a dealer whose points do not fit, or confirm."""
        if f"confirm-{status['qualified']}" in self.submitted:
            return
        bad = self.collect(status)
        for dealer, ephemeral in bad.items():
            body = keygen.complain(self.session, self.group, self.index, dealer, self.secrets.seal_secret, ephemeral)
            self.send("complain", body, str(dealer))
        if not bad:
            try:
                self.send("confirm", {"dealers": status["qualified"]}, "-".join(map(str, status["qualified"])))
            except Rejected as refused:
                if refused.code not in ("dealers", "phase"):
                    raise
        self.submitted.add(f"confirm-{status['qualified']}")

    def collect(self, status: Body) -> dict[int, bytes]:
        """Fetch and add up her points; the dealers whose points do not fit, with their sealing keys."""
        given = self.link.view(f"shares/{self.index}")
        dealers = {}
        for name, entry in given["dealers"].items():
            commitment = keygen.read_commitment(self.session, self.group, int(name), entry["commit"])
            dealers[int(name)] = (commitment, bytes_of(entry["sealed"]))
        if sorted(dealers) != sorted(status["qualified"]):
            raise ProtocolError("The miner's answers about the dealers do not agree.")
        self.keys, bad = keygen.collect(self.session, self.group, self.index, self.secrets.seal_secret, dealers)
        return {d: dealers[d][0].ephemeral for d in bad}

    def submit(self, status: Body) -> str:
        """Send the row in the way of the protocol, and help where the protocol asks for it."""
        if self.row is None:
            return str(status["phase"])
        if self.session.protocol == "star":
            return self.submit_star(status)
        if self.keys is None and self.collect(status):
            raise ProtocolError("Points of a dealer do not fit, and it is too late to complain: this customer is left out.")
        assert self.keys is not None
        if self.session.protocol == "extraction":
            if status["phase"] == "submit":
                keys = self.keys
                self.send_once("submit", lambda: extraction_body(self.session, self.group, keys, self.quasi_identifier, self.sensitive))
            return "done"
        if status["phase"] == "submit":
            if "row" not in self.submitted:
                public = self.keys.public()
                self.send_once("row", lambda: encrypt_row(self.session, self.group, self.index, public, self.quasi_identifier))
                self.submitted.add("row")
            return "submit"
        return self.help(str(status["phase"]))

    def help(self, phase: str) -> str:
        """Ask for a task and do it."""
        if self.helper is None:
            assert self.keys is not None
            roster = [bytes_of(k) for k in self.link.view("roster")["sign_keys"]]
            self.helper = Helper(self.session, self.group, self.keys, self.sign_key, roster, self.quasi_identifier, self.sensitive)
        task = self.link.ask(Message(self.session.digest, self.index, "ask", "0", {}).signed(self.sign_key))
        if task["task"] == "none":
            return phase
        kind, body = perform(self.helper, task)
        try:
            if kind == "final":
                self.send_once(kind, lambda: body)
            else:
                self.send(kind, body, f"{task['job']}/{task.get('stage', 0)}")
        except Rejected as refused:
            if refused.code not in ("job", "phase", "conflict", "twice"):
                raise
        return "working"

    def submit_star(self, status: Body) -> str:
        """One round: hide the quasi-identifier, have it evaluated, check the proof, send the share. Done when she is opened."""
        rung = int(status["round"])
        if self.link.view(f"outcome/{self.index}")["opened"]:
            return "done"
        if f"round-{rung}" in self.submitted:
            return "submit"
        assert self.randomness is not None
        assert self.session.randomness is not None
        levels = ladder(self.session)[rung]
        labels = generalize(self.session, self.quasi_identifier, levels)
        secret = self.secrets.once(f"blind/{rung}", lambda: hex(self.group.random_scalar()))
        blinded = oprf.blind(self.group, star_messages.prf_input(self.session, levels, labels), secret=int(secret, 16))
        public = public_bytes(self.sign_key)
        said = self.session.bind("evaluate", rung, public, blinded.element)
        answer = self.randomness.evaluate(
            {
                "session": self.session.digest,
                "key": text_of(public),
                "token": self.secrets.randomness_token,
                "slot": rung,
                "blinded": text_of(blinded.element),
                "signature": text_of(self.sign_key.sign(said)),
            }
        )
        evaluated = bytes_of(answer["evaluated"])
        oprf.check(self.group, bytes.fromhex(self.session.randomness.key), [blinded.element], [evaluated], bytes_of(answer["proof"]))
        cells = encode_cells([*labels, *self.sensitive], self.session.row_bytes)
        output = oprf.finalize(self.group, blinded, evaluated)
        try:
            self.send_once("submit", lambda: star_messages.contribute(self.session, self.index, output, cells).body(), str(rung))
        except Rejected as refused:
            if refused.code not in ("round", "phase"):
                raise
        self.submitted.add(f"round-{rung}")
        return "submit"
