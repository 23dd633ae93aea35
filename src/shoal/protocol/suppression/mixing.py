"""What mixers do: raise to secret powers and permute. All coins of a step follow from one seed, so that who knows the
seed can do it again.

Phase 1 mixes the quotients of pairs: each item gets its own power, columns are permuted within their pair, and the
pairs among each other. Phase 3 blends a group's column into one ciphertext that encrypts 1 if and only if the column is
constant.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import combinations, product

from shoal.protocol import elgamal
from shoal.protocol.elgamal import Ciphertext, quotient, raised
from shoal.protocol.group import Group

SEED_BYTES = 32
Rows = Mapping[int, Sequence[Ciphertext]]


def pairs_of(left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs i < i′ of two blocks of rows (or of one with itself)."""
    return list(combinations(left, 2)) if list(left) == list(right) else list(product(left, right))


def quotients(group: Group, rows: Rows, pairs: Sequence[tuple[int, int]]) -> list[Ciphertext]:
    """One ciphertext for each pair and column: it encrypts 1 where the two rows agree."""
    return [quotient(group, a, b) for i, j in pairs for a, b in zip(rows[i], rows[j], strict=True)]


class Coins:
    """The coins of one step of one job, drawn from its seed by name: SHAKE-256 of seed and name."""

    def __init__(self, group: Group, seed: bytes, place: bytes) -> None:
        self.group, self.seed = group, hashlib.sha256(b"shoal-v2-coins" + seed + place).digest()

    def stream(self, name: str, length: int) -> bytes:
        return hashlib.shake_256(self.seed + name.encode()).digest(length)

    def powers(self, name: str, count: int) -> list[int]:
        """Secret powers in [1, order − 1]; 16 bytes more than the order has, so that none is likelier than another."""
        size = self.group.scalar_bytes + 16
        data = self.stream(name, size * count)
        return [
            1 + int.from_bytes(data[i : i + size], "little") % (self.group.order - 1) for i in range(0, len(data), size)
        ]

    def permutation(self, name: str, count: int) -> list[int]:
        """Fisher and Yates, with 16 bytes for each choice."""
        data, order = self.stream(name, 16 * count), list(range(count))
        for i in range(count - 1, 0, -1):
            j = int.from_bytes(data[16 * i : 16 * i + 16], "little") % (i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def mix(
    group: Group, coins: Coins, items: Sequence[Ciphertext], columns: int, public: bytes | None = None
) -> list[Ciphertext]:
    """Raise every item to its own secret power, permute the columns within each pair, and the pairs.

    With ``public`` every item is re-randomised too, as the paper has it; raising alone hides as much (see ``elgamal``).
    """
    powers, order = coins.powers("powers", len(items)), pair_order(coins, len(items), columns)
    again = coins.powers("again", len(items)) if public is not None else []
    mixed = []
    for pair in order:
        for column in coins.permutation(f"columns/{pair}", columns):
            n = pair * columns + column
            c = raised(group, items[n], powers[n])
            mixed.append(c if public is None else elgamal.rerandomised(group, public, c, again[n]))
    return mixed


def pair_order(coins: Coins, n_items: int, columns: int) -> list[int]:
    """``order[p]`` says where pair p of the result came from; the miner needs it, the closing mixer must not have
    it.
    """
    return coins.permutation("pairs", n_items // columns)


def blend(group: Group, coins: Coins, rows: Rows, members: Sequence[int], columns: int) -> list[Ciphertext]:
    """For each column the product of the first member's quotients with the others, each to its own secret power:

    1 if all are equal.
    """
    first, rest = members[0], members[1:]
    out = []
    for j in range(columns):
        powers = coins.powers(f"blend/{j}", len(rest))
        out.append(
            elgamal.product(
                group,
                [
                    raised(group, quotient(group, rows[first][j], rows[i][j]), e)
                    for i, e in zip(rest, powers, strict=True)
                ],
            )
        )
    return out


def raise_all(group: Group, coins: Coins, items: Sequence[Ciphertext]) -> list[Ciphertext]:
    """A later mixer's step of phase 3: columns stay in their places."""
    return [raised(group, c, e) for c, e in zip(items, coins.powers("powers", len(items)), strict=True)]
