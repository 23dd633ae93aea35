"""Decryption in parts: any t of the shares open, and counts are read off."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

from shoal.protocol.elgamal import encrypt
from shoal.protocol.group import Group
from shoal.protocol.suppression.decryptor import constant_columns, count_differences, decrypt, plaintexts


def shares(group: Group, t: int, n: int) -> tuple[bytes, list[Any]]:
    """A key shared by a polynomial of degree t − 1: its public part, and what each of n decryptors holds."""
    coefficients = [group.random_scalar() for _ in range(t)]
    points = {i: sum(c * i**p for p, c in enumerate(coefficients)) % group.order for i in range(1, n + 1)}
    return group.generate(coefficients[0]), [
        SimpleNamespace(index=i, points={"key": {i: x}}) for i, x in points.items()
    ]


def test_any_t_of_the_decryptors_open_and_fewer_do_not(group: Group) -> None:
    public, keys = shares(group, 3, 5)
    message = group.hash_to_group(b"m", b"t")
    c = encrypt(group, public, message, group.random_scalar())

    def opened(some: tuple[Any, ...]) -> bytes:
        among = [k.index for k in some]
        return plaintexts(group, [c.body], [decrypt(group, k, [c.hint], among) for k in some])[0]

    assert {opened(some) for some in combinations(keys, 3)} == {message}
    assert message not in {opened(some) for some in combinations(keys, 2)}


def test_distances_and_constant_columns_are_read_off(group: Group) -> None:
    one, other = group.identity, group.generator
    assert count_differences(group, [one, other, one, other, other, one], 3) == [1, 2]
    assert constant_columns(group, [one, other]) == [True, False]
