"""Weaker rules, most of them of 0.1.0, put in place of the product's for one game."""

from __future__ import annotations

import hashlib

import pytest

from shoal.protocol import board, keygen, letters, messages, miner, proofs
from shoal.protocol.messages import bytes_of, text_of
from shoal.protocol.suppression import customer, jobs, packing, rules


def clear_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decryption shares and coins pass the miner in clear, for whoever reads them."""
    monkeypatch.setattr(
        letters, "write", lambda session, group, sender, to, place, data: {"box": text_of(bytes(12) + data + bytes(16))}
    )
    monkeypatch.setattr(
        letters, "read", lambda session, group, sender, secret, to, place, letter: bytes_of(letter["box"])[12:-16]
    )


def unsigned_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The miner answers without a signature: it is enough to state a name."""
    monkeypatch.setattr(miner.Miner, "check_sender", lambda self, message: None)


def unsigned_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Customers take the dealers' messages from the miner without looking who signed them."""
    monkeypatch.setattr(messages.Header, "check_signature", lambda self, public: None)


def unchecked_mixing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkers sign whatever the mixers signed."""
    monkeypatch.setattr(customer, "check_stage", lambda helper, job, stage, task: None)


def decryptors_with_coins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decryptors do the mixing again themselves: those who know the coins make the shares."""
    right = customer.confidants
    monkeypatch.setattr(customer, "confidants", lambda job, stage: (*right(job, stage), *job.roles.decryptors))


def unchained_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mixer's message does not say what she started from."""
    monkeypatch.setattr(rules, "need_start", lambda job, before: None)


def places_without_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """The place of a message says which attempt it is, and not who is in it."""
    monkeypatch.setattr(jobs.Job, "which", property(lambda self: str(self.attempt)))


def any_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dealer's points come in chunks of her choice."""
    monkeypatch.setattr(board, "need_chunk", lambda start, count, n_customers: None)


def rows_by_their_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that was proved once is not looked at again, whoever sends it."""
    right, seen = customer.read_row, {}

    def read(session, group, message):
        if message.digest() not in seen:
            seen[message.digest()] = right(session, group, message)
        return seen[message.digest()]

    monkeypatch.setattr(customer, "read_row", read)


def no_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of ciphertexts must not hold the identity."""
    right = packing.unpack

    def unpack(group, data, count, at_once=False):
        parts = right(group, data, count, at_once)
        return [group.element(p) for p in parts]

    monkeypatch.setattr(packing, "unpack", unpack)


def unbound_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing links members, rows, jobs and outputs: a helper works on what she is given."""
    monkeypatch.setattr(customer, "entered_body", lambda helper, message, given: given)

    def items(helper, job, message, body):
        return customer.packing.unpack_items(helper.group, body, job.count(helper.columns))

    monkeypatch.setattr(customer, "read_items", items)


def unproved_ephemerals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dealer need not know the exponent of her sealing key."""
    right = proofs.check_knowledge

    def check(group, public, proof, context):
        if b"ephemeral" not in context:
            right(group, public, proof, context)

    monkeypatch.setattr(keygen.proofs, "check_knowledge", check)


def roster_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who deals follows from the roster itself, which the last to join completes."""

    def draw(self):
        return hashlib.sha256(b"".join(m.sign_key + m.seal_key for m in self.roster)).digest()

    monkeypatch.setattr(board.Board, "draw", property(draw))


def helpers_that_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something wrong from one customer ends the program of another who works with it."""

    def show(*_):
        raise ValueError("a share that cannot be read")

    monkeypatch.setattr(customer.letters, "show", show)
