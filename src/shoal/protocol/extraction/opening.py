"""Opening a group: interpolation in the exponent, and finding out who lied when it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shoal.errors import ProtocolError
from shoal.protocol import keygen, proofs, sealing
from shoal.protocol.extraction.messages import TAG, Share, row_binding
from shoal.protocol.group import Group
from shoal.protocol.session import Session
from shoal.protocol.shares import coefficients_in_exponent, evaluate_in_exponent, lagrange_many


@dataclass
class Opened:
    """The rows of one group that opened, and who was caught."""

    rows: dict[int, bytes] = field(default_factory=dict)
    named: dict[int, str] = field(default_factory=dict)


def open_group(
    session: Session, group: Group, subject: bytes, shares: Mapping[int, Share], commitments: Sequence[bytes]
) -> Opened:
    """Open every row of a group if at least as many shares are right as the polynomial has coefficients; else none."""
    result = Opened()
    left = dict(sorted(shares.items()))
    while len(left) >= session.threshold:
        used = dict(list(left.items())[: session.threshold])
        rows, failed = unseal(session, group, subject, used, left)
        liars = (
            [i for i in used if not has_right_share(session, group, subject, i, left[i], commitments)] if failed else []
        )
        if not liars:
            result.rows = rows
            result.named.update(dict.fromkeys(failed, "sealed her row under another key"))
            return result
        for i in liars:
            result.named[i] = "sent a wrong share"
            del left[i]
    return result


def unseal(
    session: Session, group: Group, subject: bytes, used: Mapping[int, Share], rows: Mapping[int, Share]
) -> tuple[dict[int, bytes], list[int]]:
    """The rows that open under the keys interpolated from ``used``, and those that do not."""
    opened, failed = {}, []
    for i, key in zip(
        rows,
        keys_of(group, [2 * j for j in used], [s.share for s in used.values()], [2 * j - 1 for j in rows]),
        strict=True,
    ):
        binding = row_binding(session, subject, i)
        try:
            opened[i] = sealing.open_sealed(sealing.derive(key, binding), rows[i].sealed, binding)
        except ProtocolError:
            failed.append(i)
    return opened, failed


def keys_of(group: Group, points: Sequence[int], values: Sequence[bytes], wanted: Sequence[int]) -> list[bytes]:
    """h^P(x) for each wanted x.

    Where it is cheaper, the coefficients are interpolated once and then Horner's rule is used.
    """
    k = len(points)
    # a plain modular power by a small number is cheap; libsodium's takes its time in any case
    cheap_by_small = group.element_bytes > 64
    if len(wanted) > (k if cheap_by_small else k * k):
        coefficients = coefficients_in_exponent(group, points, values)
        return [evaluate_in_exponent(group, coefficients, x) for x in wanted]
    return [group.combine(values, weights) for weights in lagrange_many(points, wanted, group.order)]


def has_right_share(
    session: Session, group: Group, subject: bytes, index: int, share: Share, commitments: Sequence[bytes]
) -> bool:
    """Does the share's proof hold against the commitments of the key generation?"""
    public = keygen.public_point(group, commitments, 2 * index)
    try:
        proofs.check_equality(
            group,
            group.hash_to_group(subject, TAG),
            public,
            share.share,
            share.proof,
            row_binding(session, subject, index),
        )
    except ProtocolError:
        return False
    return True
