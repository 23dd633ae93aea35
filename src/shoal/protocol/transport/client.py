"""The customer's side of the network, for the command line and for embedding: :func:`take_part` does it all.

The servers must show the certificates that the session file pins. Every request can be repeated without harm, so after
connection errors and from busy servers it tries again until ``patience`` seconds are over.
"""

from __future__ import annotations

import random
import ssl
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol import tokens
from shoal.protocol.agent import Customer, Secrets
from shoal.protocol.messages import Body, Message, Rejected, bytes_of, field, public_bytes, text_of
from shoal.protocol.session import SYSTEM, Party, Session
from shoal.protocol.transport.state import check_open, finish

TRY_AGAIN = (429, 502, 503, 504)


class Connection:
    """HTTP to one server of the session."""

    def __init__(self, party: Party, proxy: str | None = None, patience: float = 60.0) -> None:
        try:
            context = ssl.create_default_context(cadata=None if party.certificate == SYSTEM else party.certificate)
        except ssl.SSLError as error:
            raise PolicyError("A certificate in the session file cannot be read.") from error
        self.patience = patience
        self.client = httpx.Client(
            base_url=party.url,
            verify=context,
            proxy=proxy,
            timeout=min(30.0, patience + 5.0),
            trust_env=False,
            headers={"user-agent": "shoal"},
        )

    def request(self, method: str, path: str, content: bytes | None = None, json: Body | None = None) -> Any:
        """One request, repeated while the server is away."""
        end, wait = time.monotonic() + self.patience, 0.05
        while True:
            try:
                answer = self.client.request(method, path, content=content, json=json)
                if answer.status_code not in TRY_AGAIN:
                    return self.read(answer)
                problem = f"it answers {answer.status_code}"
            except httpx.TransportError as error:
                if "CERTIFICATE_VERIFY_FAILED" in str(error):
                    raise ProtocolError(
                        "A server does not show the certificate that the session file names: not connected."
                    ) from error
                problem = type(error).__name__
            if time.monotonic() + wait > end:
                raise ProtocolError(
                    f"A server of the session cannot be reached ({problem}). Nothing is lost: run the command again."
                )
            time.sleep(wait * random.uniform(0.5, 1.5))
            wait = min(wait * 2, 2.0)

    @staticmethod
    def read(answer: httpx.Response) -> Any:
        try:
            body = answer.json()
        except (ValueError, RecursionError) as error:
            raise ProtocolError("A server gave an answer that is not JSON.") from error
        if not isinstance(body, dict):
            raise ProtocolError("A server gave an answer that is not a JSON object.")
        if answer.status_code >= 400:
            raise Rejected(
                answer.status_code, str(body.get("code", "")), str(body.get("text", "A server refused a message."))
            )
        return body

    def close(self) -> None:
        self.client.close()


class MinerLink:
    """The miner, as a customer reaches him."""

    def __init__(self, session: Session, proxy: str | None = None, patience: float = 60.0) -> None:
        self.connection = Connection(session.miner, proxy, patience)

    def post(self, message: Message) -> Body:
        """The miner's reply, with his receipt in it."""
        answer = self.connection.request("POST", "/v1/messages", content=message.encode())
        return {**field(answer, "reply", dict), "receipt": answer.get("receipt")}

    def view(self, name: str) -> Body:
        body: Body = self.connection.request("GET", f"/v1/view/{name}")
        return body

    def ask(self, message: Message) -> Body:
        body: Body = self.connection.request("POST", "/v1/ask", content=message.encode())
        return body


class RandomnessLink:
    """The randomness server, as a customer reaches it."""

    def __init__(self, party: Party, proxy: str | None = None, patience: float = 60.0) -> None:
        self.connection = Connection(party, proxy, patience)

    def evaluate(self, body: Body) -> Body:
        answer: Body = self.connection.request("POST", "/v1/evaluate", json=body)
        return answer


def fetch_token(connection: Connection, key: str, session: Session, secrets: Secrets, use: str, code: str) -> str:
    """A token from the registrar, who does not see it.

    The blinding is kept, so that the invitation is not lost after a crash.
    """
    public = tokens.load_key(key)
    sign_key = public_bytes(Ed25519PrivateKey.from_private_bytes(secrets.sign_key))

    def make() -> list[str]:
        made = tokens.blind(public, tokens.prepare(tokens.purpose(session.context, use, sign_key)))
        return [made.prepared.hex(), made.data.hex(), hex(made.inverse)]

    prepared, data, inverse = secrets.once(f"token/{use}", make)
    blinded = tokens.Blinded(bytes.fromhex(prepared), bytes.fromhex(data), int(inverse, 16))
    answer = connection.request("POST", "/v1/token", json={"code": code, "use": use, "blinded": text_of(blinded.data)})
    signature = tokens.finalize(public, blinded, bytes_of(field(answer, "signature", str)))
    return text_of(blinded.prepared[: tokens.PREFIX_BYTES] + signature)


def fetch_tokens(
    session: Session, secrets: Secrets, code: str, proxy: str | None = None, patience: float = 60.0
) -> None:
    """The tokens that this session asks for, kept with the secrets."""
    if session.registrar is None or (secrets.token and (secrets.randomness_token or session.protocol != "star")):
        return
    if not code:
        raise PolicyError("The session has a registrar: give the invitation you got from it (--invitation).")
    connection = Connection(session.registrar, proxy, patience)
    if not secrets.token:
        secrets.token = fetch_token(connection, session.registrar.key, session, secrets, "join", code)
        secrets.save()
    if session.protocol == "star":
        secrets.randomness_token = fetch_token(
            connection, session.registrar.randomness_key, session, secrets, "randomness", code
        )
        secrets.save()
    connection.close()


def make_customer(
    session: Session,
    row: Mapping[str, str] | None,
    invitation: str = "",
    state: Path | None = None,
    proxy: str | None = None,
    roles: tuple[str, ...] = ("deal", "help"),
    patience: float = 60.0,
) -> Customer:
    """A customer who can reach the session's servers; her row is checked against the schema before anything is sent."""
    session.check_time()
    if row is not None:
        session.check_row(row)
    secrets = Secrets.load(session, state) if state else Secrets.fresh(session)
    check_open(secrets)
    link = MinerLink(session, proxy, patience)
    fetch_tokens(session, secrets, invitation, proxy, patience)
    randomness = RandomnessLink(session.randomness, proxy, patience) if session.randomness else None
    return Customer(session, link, secrets, row, randomness, roles)


def take_part(
    session: Session,
    row: Mapping[str, str] | None,
    invitation: str = "",
    state: Path | None = None,
    proxy: str | None = None,
    roles: tuple[str, ...] = ("deal", "help"),
    patience: float = 60.0,
    until: Callable[[Customer, str], bool] | None = None,
    poll: float = 0.5,
) -> Customer:
    """Take part in a session from joining to the end; ``until(customer, phase)`` may end it earlier."""
    customer = make_customer(session, row, invitation, state, proxy, roles, patience)
    phase = ""
    while phase != "done" and not (until and until(customer, phase)):
        phase = customer.work()
        if phase not in ("working", "done"):
            time.sleep(poll * random.uniform(0.5, 1.5))
    if phase == "done":
        finish(customer.secrets)
    return customer
