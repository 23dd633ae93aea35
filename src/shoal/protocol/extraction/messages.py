"""What a customer sends: her quasi-identifier, her share, its proof, and the sealed rest of her row."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol import sealing
from shoal.protocol.group import Group
from shoal.protocol.messages import Body, Rejected, bytes_of, field, text_of
from shoal.protocol.session import Session

TAG = b"shoal-v1-extraction-quasi-identifier"


@dataclass(frozen=True)
class Share:
    """One customer's contribution to one group."""

    share: bytes
    proof: bytes
    sealed: bytes

    def body(self) -> Body:
        return {"share": text_of(self.share), "proof": text_of(self.proof), "sealed": text_of(self.sealed)}


def read_share(session: Session, group: Group, body: Body) -> Share:
    """A share from outside. Its proof is looked at only when its group does not open."""
    share = Share(
        group.element(bytes_of(field(body, "share", str))),
        bytes_of(field(body, "proof", str)),
        bytes_of(field(body, "sealed", str)),
    )
    if (
        len(share.sealed) != session.row_bytes + sealing.NONCE_BYTES + sealing.TAG_BYTES
        or len(share.proof) != 2 * group.scalar_bytes
    ):
        raise Rejected(400, "malformed", "A sealed row or a proof has the wrong length.")
    return share


def read_quasi_identifier(session: Session, body: Body) -> tuple[str, ...]:
    """The quasi-identifier of a submission, each cell within the schema."""
    cells = field(body, "quasi_identifier", list)
    columns = session.quasi_identifiers
    if len(cells) != len(columns) or any(type(c) is not str for c in cells):
        raise Rejected(400, "malformed", "A quasi-identifier has the wrong number of cells.")
    for column, cell in zip(columns, cells, strict=True):
        try:
            column.check(cell)
        except PolicyError as error:
            raise Rejected(422, "schema", str(error)) from error
    return tuple(cells)


def subject_of(session: Session, kind: str, parts: Sequence[str | int]) -> bytes:
    """What the members of one group have in common, bound to the session."""
    return session.bind(kind, *parts)


def row_binding(session: Session, subject: bytes, index: int) -> bytes:
    return session.bind("row", subject, index)


def encode_cells(cells: Sequence[str], size: int) -> bytes:
    """Cells as padded bytes."""
    return sealing.pad(json.dumps(list(cells), ensure_ascii=False, separators=(",", ":")).encode(), size)


def decode_cells(data: bytes, n_cells: int) -> tuple[str, ...]:
    try:
        cells = json.loads(sealing.unpad(data))
    except ValueError as error:
        raise ProtocolError("A sealed row is not a list of cells.") from error
    if not isinstance(cells, list) or len(cells) != n_cells or any(type(c) is not str for c in cells):
        raise ProtocolError("A sealed row has the wrong number of cells.")
    return tuple(cells)
