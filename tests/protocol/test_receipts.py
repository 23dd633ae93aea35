"""Receipts are checked and kept; and what a state file holds after its part is over."""

import json
import random
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.errors import ProtocolError
from shoal.protocol.agent import Customer, Secrets
from shoal.protocol.messages import Message, public_bytes
from shoal.protocol.receipts import check_kept, check_receipt
from shoal.protocol.transport.engine import Engine
from tests.protocol.registry import MINER_KEY
from tests.protocol.star_fuzz import mutated
from tests.protocol.test_protocols import rows_of, session_of


class Wire:
    """A miner with a log, reached without a network; ``bend`` changes his receipts."""

    def __init__(self, session, path, bend=None):
        self.engine, self.bend = Engine(session, MINER_KEY, path), bend

    def post(self, message):
        answer = self.engine.post(message).result(timeout=60)
        receipt = answer["receipt"] if self.bend is None else self.bend(answer["receipt"])
        return {**answer["reply"], "receipt": json.loads(json.dumps(receipt))}

    def view(self, name):
        return self.engine.view(name)

    def ask(self, message):
        return self.engine.ask(message)


@pytest.fixture
def session():
    return session_of("extraction")


def customer(session, wire, path=None):
    secrets = Secrets.load(session, path) if path else Secrets.fresh(session)
    return Customer(session, wire, secrets, rows_of([("30", "07028")])[0])


def test_receipts_are_checked_and_kept(session, tmp_path):
    wire = Wire(session, tmp_path / "log.sqlite")
    made = customer(session, wire, tmp_path / "me.json")
    made.join()
    kept = json.loads((tmp_path / "me.json").read_text())["pending"]["receipts"]
    assert [receipt["seq"] for receipt in kept.values()] == [1]
    assert check_kept(kept, [(1, wire.engine.log.hash)]) == 1
    with pytest.raises(ProtocolError, match="entry 1"):
        check_kept(kept, [(1, "00" * 32)])
    with pytest.raises(ProtocolError, match="entry 1"):
        check_kept(kept, [])
    wire.engine.close()
    again = Wire(session, tmp_path / "log.sqlite")
    twin = Customer(session, again, replace(made.secrets, index=0, path=None), made.row)
    twin.join()
    assert twin.secrets.pending["receipts"] == kept, "after a restart, and for the message sent again, the same receipt"
    again.engine.close()


def test_a_receipt_for_something_else_is_refused(session, tmp_path):
    """The miner answers with the receipt of another message, of another chain, or signed by somebody else."""
    stranger = Ed25519PrivateKey.generate()
    bends = [
        lambda r: None,
        lambda r: {},
        lambda r: {**r, "hash": "00" * 32},
        lambda r: {**r, "before": "00" * 32},
        lambda r: {**r, "seq": r["seq"] + 1},
        lambda r: {**r, "at": r["at"] + 1},
        lambda r: {**r, "sent": ""},
        lambda r: {**r, "after": "ab" * 32},
        lambda r: {**r, "signature": stranger.sign(b"").hex()},
    ]
    for n, bend in enumerate(bends):
        wire = Wire(session, tmp_path / f"log{n}.sqlite", bend)
        made = customer(session, wire)
        with pytest.raises(ProtocolError):
            made.join()
        assert "receipts" not in made.secrets.pending
        wire.engine.close()


def test_mutated_receipts_raise_nothing_unforeseen(session, tmp_path):
    wire, rng = Wire(session, tmp_path / "log.sqlite"), random.Random(3)
    made = customer(session, wire)
    made.join()
    public = public_bytes(made.sign_key)
    message = Message(session.digest, 0, "join", public.hex(), made.secrets.pending["join"]).signed(made.sign_key)
    right = made.secrets.pending["receipts"][message.name]
    assert check_receipt(session, message, public, right) == right
    for _ in range(500):
        bent = mutated(rng, right)
        try:
            assert check_receipt(session, message, public, bent) == right
        except ProtocolError:
            assert bent != right
    wire.engine.close()
