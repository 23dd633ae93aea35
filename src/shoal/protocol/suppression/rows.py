"""A customer's encrypted quasi-identifier, and the proofs that she knows what is in it."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.protocol import proofs
from shoal.protocol.elgamal import Ciphertext, encrypt
from shoal.protocol.group import Group
from shoal.protocol.messages import Body, Message, Rejected, bytes_of, field, text_of
from shoal.protocol.session import Session

TAG = b"shoal-v1-suppression-cell"


def cell_element(session: Session, group: Group, column: int, value: str) -> bytes:
    """A cell as an element; different values, columns and sessions give unrelated ones."""
    return group.hash_to_group(session.bind("cell", column, value), TAG)


def cell_context(session: Session, index: int, column: int, ciphertext: Ciphertext) -> bytes:
    """What a proof of knowledge is bound to: the sender's index, the column, and the whole ciphertext."""
    return session.bind("cell-proof", index, column, ciphertext.body, ciphertext.hint)


def encrypt_row(session: Session, group: Group, index: int, public: bytes, cells: Sequence[str]) -> Body:
    """The body of the message ``row``."""
    out = []
    for j, cell in enumerate(cells):
        secret = group.random_scalar()
        c = encrypt(group, public, cell_element(session, group, j, cell), secret)
        proof = proofs.prove_knowledge(group, secret, c.hint, cell_context(session, index, j, c))
        out.append([text_of(c.body), text_of(c.hint), text_of(proof)])
    return {"cells": out}


def read_row(session: Session, group: Group, message: Message) -> list[Ciphertext]:
    """The ciphertexts of a row, each element and each proof checked."""
    cells = field(message.body, "cells", list)
    if len(cells) != len(session.quasi_identifiers):
        raise Rejected(400, "malformed", "An encrypted row has the wrong number of cells.")
    out = []
    for j, cell in enumerate(cells):
        if not isinstance(cell, list) or len(cell) != 3:
            raise Rejected(400, "malformed", "An encrypted cell is malformed.")
        body, hint, proof = (bytes_of(x) for x in cell)
        c = Ciphertext(group.element(body), group.element(hint))
        proofs.check_knowledge(group, c.hint, proof, cell_context(session, message.sender, j, c))
        out.append(c)
    return out
