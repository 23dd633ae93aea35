"""The miner's opening of one rung: interpolate once for each group, check every share, open each row."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from shoal.protocol.sealing import NONCE_BYTES
from shoal.protocol.session import Session
from shoal.protocol.shares import evaluate
from shoal.protocol.star.messages import CHECK_BYTES, FIELD, Share, check_of, key_of, polynomial_of, row_binding

ATTEMPTS = 2000
"""So many further choices of shares are tried in a group where some are wrong; fewer where a choice costs more."""


@dataclass
class Aggregate:
    """The padded cells that opened, by group and index; and who was caught."""

    groups: list[dict[int, bytes]] = field(default_factory=list)
    named: dict[int, str] = field(default_factory=dict)


def aggregate(
    session: Session, rung: int, groups: Mapping[bytes, Sequence[int]], shares: Mapping[int, Share]
) -> Aggregate:
    """Open every group of a rung (its members by tag) in which enough shares are right."""
    result = Aggregate()
    for tag, members in groups.items():
        there = [i for i in members if i in shares]
        if len(there) >= session.threshold:
            open_group(session, rung, tag, there, shares, result)
    return result


def open_group(
    session: Session, rung: int, tag: bytes, members: Sequence[int], shares: Mapping[int, Share], result: Aggregate
) -> None:
    secret = find_secret(tag, members, shares, session.threshold)
    if secret is None:
        return
    polynomial, cipher = polynomial_of(secret, session.threshold), ChaCha20Poly1305(key_of(secret))
    right = [i for i in members if evaluate(polynomial, i, FIELD) == shares[i].share]
    result.named.update((i, "sent a wrong share") for i in set(members).difference(right))
    rows, binding = {}, row_binding(session, rung, tag)
    for index in right:
        sealed = shares[index].sealed
        try:
            rows[index] = cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], binding + index.to_bytes(8, "big"))
        except InvalidTag:
            result.named[index] = "sealed her row under another key"
    if len(right) >= session.threshold:
        result.groups.append(rows)


def find_secret(tag: bytes, members: Sequence[int], shares: Mapping[int, Share], threshold: int) -> int | None:
    """The secret whose hash the tag holds: from the first shares, or, if some are wrong, from others."""
    for secret in candidates(members, shares, threshold):
        if check_of(secret) == tag[-CHECK_BYTES:]:
            return secret
    return None


def candidates(members: Sequence[int], shares: Mapping[int, Share], threshold: int) -> Iterable[int]:
    """Choices of shares to try: disjoint runs (with few liars, one run has none); runs with one share more, each member
    left out in turn; then combinations.
    """
    for start in range(0, len(members) - threshold + 1, threshold):
        chosen = members[start : start + threshold]
        yield interpolate(chosen, [shares[i].share for i in chosen])
    for start in range(0, len(members) - threshold, threshold + 1):
        chosen = members[start : start + threshold + 1]
        yield from leaving_one_out(chosen, [shares[i].share for i in chosen])
    attempts = min(ATTEMPTS, 2_000_000 // threshold**2)
    for some in itertools.islice(itertools.combinations(members, threshold), attempts):
        yield interpolate(some, [shares[i].share for i in some])


def weights_at_zero(points: Sequence[int]) -> list[int]:
    """Lagrange's weights for the value at 0: products of l / (l − i) over the other points l; all with one
    inversion.
    """
    total = math.prod(points) % FIELD
    below = [i * math.prod(l - i for l in points if l != i) % FIELD for i in points]
    products = list(itertools.accumulate(below, lambda a, b: a * b % FIELD))
    inverse = pow(products[-1], -1, FIELD)
    weights = [0] * len(points)
    for n in range(len(points) - 1, -1, -1):
        before = products[n - 1] if n else 1
        weights[n] = total * inverse * before % FIELD
        inverse = inverse * below[n] % FIELD
    return weights


def interpolate(points: Sequence[int], values: Sequence[int]) -> int:
    """The polynomial's value at 0.

    >>> interpolate([1, 2, 4], [5 + 7 * x + 11 * x * x for x in (1, 2, 4)])
    5
    """
    return sum(w * v for w, v in zip(weights_at_zero(points), values, strict=True)) % FIELD


def leaving_one_out(points: Sequence[int], values: Sequence[int]) -> list[int]:
    """The value at 0 that follows from all points but one, for each of them; together no more expensive than one
    interpolation.

    Without point j the weight of point i is multiplied by (l_j − l_i) / l_j.

    >>> leaving_one_out([1, 2, 4, 3], [*(5 + 7 * x + 11 * x * x for x in (1, 2, 4)), 1])[3]
    5
    """
    parts = [w * v % FIELD for w, v in zip(weights_at_zero(points), values, strict=True)]
    whole, moment = sum(parts), sum(p * i for p, i in zip(parts, points, strict=True))
    return [(whole - moment * pow(j, -1, FIELD)) % FIELD for j in points]
