"""What mixers do: counts stay, places do not, and whoever has the seed can do it again."""

from __future__ import annotations

from collections import Counter

import pytest

from shoal.protocol.elgamal import Ciphertext, encrypt
from shoal.protocol.group import make_group
from shoal.protocol.suppression.decryptor import constant_columns, count_differences, plaintexts
from shoal.protocol.suppression.mixing import Coins, blend, mix, pair_order, pairs_of, quotients, raise_all

GROUP = make_group()
SECRET = GROUP.random_scalar()
PUBLIC = GROUP.generate(SECRET)
TABLE = {1: "aab", 2: "aac", 3: "bbb", 4: "aab"}


def cell(column: int, value: str) -> Ciphertext:
    return encrypt(GROUP, PUBLIC, GROUP.hash_to_group(f"{column}{value}".encode(), b"t"), GROUP.random_scalar())


def encrypted() -> dict[int, list[Ciphertext]]:
    return {index: [cell(j, value) for j, value in enumerate(cells)] for index, cells in TABLE.items()}


def opened(items: list[Ciphertext]) -> list[bytes]:
    return plaintexts(GROUP, [c.body for c in items], [[GROUP.power(c.hint, SECRET) for c in items]])


def coins(seed: bytes = b"s" * 32, place: bytes = b"job 1") -> Coins:
    return Coins(GROUP, seed, place)


def distance(i: int, j: int) -> int:
    return sum(a != b for a, b in zip(TABLE[i], TABLE[j], strict=True))


@pytest.mark.parametrize("again", [None, PUBLIC], ids=["raised", "re-randomised too"])
def test_mixed_pairs_have_the_distances_of_the_rows_in_another_order(again: bytes | None) -> None:
    pairs = pairs_of([1, 2, 3, 4], [1, 2, 3, 4])
    items = quotients(GROUP, encrypted(), pairs)
    mixed = mix(GROUP, coins(), items, 3, again)
    order = pair_order(coins(), len(items), 3)
    assert count_differences(GROUP, opened(mixed), 3) == [distance(*pairs[p]) for p in order]
    assert not {c.body for c in mixed} & {c.body for c in items}


def test_what_is_opened_after_mixing_tells_nothing_but_one_or_not_one() -> None:
    items = quotients(GROUP, encrypted(), [(1, 3)])
    once, twice = (
        {p for p in opened(mix(GROUP, coins(seed), items, 3)) if p != GROUP.identity} for seed in (b"s" * 32, b"t" * 32)
    )
    assert once
    assert not once & twice


def test_the_same_seed_and_place_do_the_same_again_and_no_other() -> None:
    items = quotients(GROUP, encrypted(), [(1, 2), (1, 3)])
    first = mix(GROUP, coins(), items, 3)
    assert mix(GROUP, coins(), items, 3) == first
    assert mix(GROUP, coins(place=b"job 2"), items, 3) != first
    assert mix(GROUP, coins(b"t" * 32), items, 3) != first


def test_a_blend_is_one_exactly_where_a_column_is_constant() -> None:
    rows = encrypted()
    blended = raise_all(GROUP, coins(), blend(GROUP, coins(), rows, [1, 2, 4], 3))
    assert constant_columns(GROUP, opened(blended)) == [True, True, False]
    assert constant_columns(GROUP, opened(blend(GROUP, coins(), rows, [1, 3, 4], 3))) == [False, False, True]


def test_pairs_of_one_block_and_of_two() -> None:
    assert pairs_of([1, 2, 3], [1, 2, 3]) == [(1, 2), (1, 3), (2, 3)]
    assert pairs_of([1, 2], [3]) == [(1, 3), (2, 3)]


def test_permutations_are_about_equally_frequent_and_powers_never_nothing() -> None:
    seen = Counter(tuple(coins(n.to_bytes(32, "big")).permutation("p", 3)) for n in range(1200))
    assert len(seen) == 6
    assert all(150 < count < 250 for count in seen.values())
    assert all(1 <= power < GROUP.order for power in coins().powers("x", 50))
