"""Sealed letters from one customer to another, carried by the miner who cannot read them.

The sender proves that she knows the exponent of the letter's key, bound to sender, receiver and place. The receiver may
have to show others that a letter is not what it should be. For that she shows the secret that both share, which tells
the sender nothing that the sender did not know.
"""

from __future__ import annotations

from shoal.errors import ProtocolError
from shoal.protocol import proofs, sealing
from shoal.protocol.group import Group
from shoal.protocol.messages import Body, bytes_of, field, text_of
from shoal.protocol.session import Session


def binding(session: Session, sender: int, to: bytes, place: str) -> bytes:
    return session.bind("letter", sender, to, place)


def write(session: Session, group: Group, sender: int, to: bytes, place: str, data: bytes) -> Body:
    """Seal data to the holder of a sealing key."""
    secret, bound = group.random_scalar(), binding(session, sender, to, place)
    key = group.generate(secret)
    box = sealing.seal(sealing.derive(group.power(to, secret), bound), data, bound)
    return {
        "key": text_of(key),
        "proof": text_of(proofs.prove_knowledge(group, secret, key, bound)),
        "box": text_of(box),
    }


def read_key(session: Session, group: Group, sender: int, to: bytes, place: str, letter: Body) -> bytes:
    """The letter's key, its proof checked."""
    key = group.element(bytes_of(field(letter, "key", str)))
    proofs.check_knowledge(group, key, bytes_of(field(letter, "proof", str)), binding(session, sender, to, place))
    return key


def unseal(session: Session, sender: int, to: bytes, place: str, letter: Body, shared: bytes) -> bytes:
    bound = binding(session, sender, to, place)
    return sealing.open_sealed(sealing.derive(shared, bound), bytes_of(field(letter, "box", str)), bound)


def read(session: Session, group: Group, sender: int, secret: int, to: bytes, place: str, letter: object) -> bytes:
    """What is in a letter to the holder of ``secret``, whose sealing key is ``to``; a :class:`ProtocolError` if it
    cannot be read.
    """
    if not isinstance(letter, dict):
        raise ProtocolError("A letter is missing.")
    key = read_key(session, group, sender, to, place, letter)
    return unseal(session, sender, to, place, letter, group.power(key, secret))


def show(session: Session, group: Group, sender: int, secret: int, to: bytes, place: str, letter: object) -> Body:
    """What lets others read a letter: the shared secret with its proof; nothing if the letter has no right key to begin
    with.
    """
    try:
        if not isinstance(letter, dict):
            raise ProtocolError("A letter is missing.")
        key = read_key(session, group, sender, to, place, letter)
    except ProtocolError:
        return {"shared": "", "proof": ""}
    shared = group.power(key, secret)
    proof = proofs.prove_equality(group, secret, key, to, shared, binding(session, sender, to, place) + b"shown")
    return {"shared": text_of(shared), "proof": text_of(proof)}


def read_shown(
    session: Session, group: Group, sender: int, to: bytes, place: str, letter: object, shown: Body
) -> bytes | None:
    """What a shown letter holds; None if it holds nothing that can be read.

    It is refused if the proof does not hold.
    """
    try:
        if not isinstance(letter, dict):
            raise ProtocolError("A letter is missing.")
        key = read_key(session, group, sender, to, place, letter)
    except ProtocolError:
        return None
    shared = group.element(bytes_of(field(shown, "shared", str)))
    proofs.check_equality(
        group, key, to, shared, bytes_of(field(shown, "proof", str)), binding(session, sender, to, place) + b"shown"
    )
    try:
        return unseal(session, sender, to, place, letter, shared)
    except ProtocolError:
        return None
