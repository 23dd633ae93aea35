"""What decryptors do: raise the second halves of stamped ciphertexts to their share of the key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shoal.protocol.group import Group
from shoal.protocol.keygen import Keys
from shoal.protocol.shares import lagrange


def weight(group: Group, index: int, among: Sequence[int]) -> int:
    """The Lagrange weight at 0 of one of a set of decryptors: the product of l / (l − index) over the others."""
    return lagrange(list(among), 0, group.order)[list(among).index(index)]


def decrypt(group: Group, keys: Keys, hints: Sequence[bytes], among: Sequence[int]) -> list[bytes]:
    """The customer's part of the decryption, with her Lagrange weight folded in: one exponentiation an item."""
    exponent = keys.points["key"][keys.index] * weight(group, keys.index, among) % group.order
    return [group.power(h, exponent) for h in hints]


def plaintexts(group: Group, bodies: Sequence[bytes], parts: Sequence[Sequence[bytes]]) -> list[bytes]:
    """What all parts together decrypt."""
    return [group.divide(body, group.product(part[n] for part in parts)) for n, body in enumerate(bodies)]


def count_differences(group: Group, plain: Sequence[bytes], columns: int) -> list[int]:
    """For each pair, how many of its quotients are not 1: the distance of the two rows."""
    return [sum(p != group.identity for p in plain[i : i + columns]) for i in range(0, len(plain), columns)]


def own_verdict(
    group: Group, keys: Keys, bodies: Sequence[bytes], hints: Sequence[bytes], parts: Mapping[int, Sequence[bytes]]
) -> list[bool]:
    """Phase 3, at a member: which columns are constant in her group, from the raw shares of t − 1 others and her own.

    The weights are those of the set of all t, herself among them; the printed formula has a zero in its denominator.
    """
    among = [keys.index, *parts]
    weights = lagrange(among, 0, group.order)
    own = keys.points["key"][keys.index] * weights[0] % group.order
    constant = []
    for n, (body, hint) in enumerate(zip(bodies, hints, strict=True)):
        shared = [group.power(part[n], w) for part, w in zip(parts.values(), weights[1:], strict=True)]
        constant.append(group.product([group.power(hint, own), *shared]) == body)
    return constant
