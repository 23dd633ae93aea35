"""What decryptors do: raise the second halves of mixed ciphertexts to their share of the key, with the Lagrange weight
folded in.
"""

from __future__ import annotations

from collections.abc import Sequence

from shoal.protocol.group import Group
from shoal.protocol.keygen import Keys
from shoal.protocol.shares import lagrange


def weight(group: Group, index: int, among: Sequence[int]) -> int:
    """The Lagrange weight at 0 of one of a set of decryptors: the product of l / (l − index) over the others."""
    return lagrange(list(among), 0, group.order)[list(among).index(index)]


def decrypt(group: Group, keys: Keys, hints: Sequence[bytes], among: Sequence[int]) -> list[bytes]:
    """The customer's part of the decryption, with her Lagrange weight folded in: one exponentiation per item."""
    exponent = keys.points["key"][keys.index] * weight(group, keys.index, among) % group.order
    return [group.power(h, exponent) for h in hints]


def plaintexts(group: Group, bodies: Sequence[bytes], parts: Sequence[Sequence[bytes]]) -> list[bytes]:
    """What all parts together decrypt."""
    return [group.divide(body, group.product(part[n] for part in parts)) for n, body in enumerate(bodies)]


def count_differences(group: Group, plain: Sequence[bytes], columns: int) -> list[int]:
    """For each pair, how many of its quotients are not 1: the distance of the two rows."""
    return [sum(p != group.identity for p in plain[i : i + columns]) for i in range(0, len(plain), columns)]


def constant_columns(group: Group, plain: Sequence[bytes]) -> list[bool]:
    """Phase 3, at a member: which columns are constant in her group."""
    return [p == group.identity for p in plain]
