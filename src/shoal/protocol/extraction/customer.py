"""The customer's one message."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.protocol import proofs, sealing
from shoal.protocol.extraction.messages import TAG, Share, encode_cells, row_binding, subject_of
from shoal.protocol.group import Group
from shoal.protocol.keygen import Keys
from shoal.protocol.messages import Body
from shoal.protocol.session import Session


def make_share(session: Session, group: Group, keys: Keys, subject: bytes, cells: Sequence[str]) -> Share:
    """Seal ``cells`` so that they open when enough customers sent a share for the same subject."""
    index = keys.index
    base = group.hash_to_group(subject, TAG)
    key, shown = keys.points["seed"][2 * index - 1], keys.points["seed"][2 * index]
    binding = row_binding(session, subject, index)
    sealed = sealing.seal(
        sealing.derive(group.power(base, key), binding), encode_cells(cells, session.row_bytes), binding
    )
    share = group.power(base, shown)
    proof = proofs.prove_equality(group, shown, base, group.generate(shown), share, binding)
    return Share(share, proof, sealed)


def submit(
    session: Session, group: Group, keys: Keys, quasi_identifier: Sequence[str], sensitive: Sequence[str]
) -> Body:
    """The body of the message ``submit``."""
    subject = subject_of(session, "quasi-identifier", quasi_identifier)
    return {"quasi_identifier": list(quasi_identifier), **make_share(session, group, keys, subject, sensitive).body()}
