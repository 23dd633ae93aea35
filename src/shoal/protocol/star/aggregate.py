"""The miner's aggregation of one round: sort by tag, interpolate once a group, open each row."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from shoal.protocol.sealing import NONCE_BYTES
from shoal.protocol.shares import evaluate
from shoal.protocol.star.messages import FIELD, Contribution, binding, unfold

ATTEMPTS = 2000
"""So many choices of shares are tried in a group where some are wrong."""


@dataclass
class Aggregate:
    """The padded cells that opened, by group and index; and who was caught."""

    groups: list[dict[int, bytes]] = field(default_factory=list)
    named: dict[int, str] = field(default_factory=dict)


def aggregate(contributions: Mapping[int, Contribution], threshold: int) -> Aggregate:
    """Open every group with enough right shares."""
    by_tag: dict[bytes, list[int]] = {}
    for index, contribution in contributions.items():
        by_tag.setdefault(contribution.tag, []).append(index)
    result = Aggregate()
    for tag, members in by_tag.items():
        if len(members) >= threshold:
            open_tag(tag, members, contributions, threshold, result)
    return result


def open_tag(tag: bytes, members: Sequence[int], contributions: Mapping[int, Contribution], threshold: int, result: Aggregate) -> None:
    found = find_secret(tag, members, contributions, threshold)
    if found is None:
        return
    key, polynomial = found
    cipher = ChaCha20Poly1305(key)
    rows = {}
    right = [i for i in members if evaluate(polynomial, i, FIELD) == contributions[i].share]
    for index in right:
        sealed = contributions[index].sealed
        try:
            rows[index] = cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], binding(tag, index))
        except InvalidTag:
            result.named[index] = "sealed her row under another key"
    result.named.update((i, "sent a wrong share") for i in set(members).difference(right))
    if len(right) >= threshold:
        result.groups.append(rows)


def find_secret(
    tag: bytes, members: Sequence[int], contributions: Mapping[int, Contribution], threshold: int
) -> tuple[bytes, list[int]] | None:
    """The key and polynomial of a group: from the first shares, or, if some are wrong, from others until the tag fits."""
    for chosen in choices(members, threshold):
        secret = interpolate(chosen, [contributions[i].share for i in chosen])
        key, expected, polynomial = unfold(secret, threshold)
        if expected == tag:
            return key, polynomial
    return None


def choices(members: Sequence[int], threshold: int) -> Iterable[tuple[int, ...]]:
    """Disjoint runs first (with few liars one of them is clean), then combinations."""
    runs = [tuple(members[i : i + threshold]) for i in range(0, len(members) - threshold + 1, threshold)]
    return itertools.islice(itertools.chain(runs, itertools.combinations(members, threshold)), ATTEMPTS)


def interpolate(points: Sequence[int], values: Sequence[int]) -> int:
    """The polynomial's value at 0, with one inversion."""
    total, below = 0, 1
    tops, bottoms = [], []
    for i in points:
        top, bottom = 1, 1
        for l in points:
            if l != i:
                top *= l
                bottom *= l - i
        tops.append(top)
        bottoms.append(bottom)
        below *= bottom
    for value, top, bottom in zip(values, tops, bottoms, strict=True):
        total += value * top * (below // bottom)
    return total * pow(below, -1, FIELD) % FIELD
