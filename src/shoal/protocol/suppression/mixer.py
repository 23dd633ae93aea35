"""What mixers do: raise to secret powers, permute, sign. Phase 1 mixes the quotients of pairs, phase 3 blends a group's column."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from itertools import combinations, product

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.protocol import elgamal
from shoal.protocol.elgamal import Ciphertext, quotient, raised
from shoal.protocol.group import Group
from shoal.protocol.messages import Body
from shoal.protocol.session import Session
from shoal.protocol.suppression.stamps import digest_of, halves, make_stamp, pack

Rows = Mapping[int, Sequence[Ciphertext]]


def pairs_of(left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs i < i′ of two blocks of rows (or of one with itself)."""
    return list(combinations(left, 2)) if list(left) == list(right) else list(product(left, right))


def quotients(group: Group, rows: Rows, pairs: Sequence[tuple[int, int]]) -> list[Ciphertext]:
    """One ciphertext for each pair and column: it encrypts 1 where the two rows agree."""
    return [quotient(group, a, b) for i, j in pairs for a, b in zip(rows[i], rows[j], strict=True)]


def shuffled(count: int) -> list[int]:
    """A random permutation from the system's randomness."""
    order = list(range(count))
    secrets.SystemRandom().shuffle(order)
    return order


def mix(group: Group, items: Sequence[Ciphertext], columns: int, public: bytes | None = None) -> tuple[list[Ciphertext], list[int]]:
    """Raise every item to its own secret power, permute the columns within each pair, and the pairs.

    ``order[p]`` says where pair p of the result came from; the miner needs it, the closing mixer must not have it. With ``public`` every
    item is re-randomised too, as the paper has it; raising alone hides as much (see ``elgamal``).
    """
    order = shuffled(len(items) // columns)
    mixed = []
    for pair in order:
        for column in shuffled(columns):
            c = raised(group, items[pair * columns + column], group.random_scalar())
            mixed.append(c if public is None else elgamal.rerandomised(group, public, c))
    return mixed, order


def blend(group: Group, rows: Rows, members: Sequence[int], columns: int) -> list[Ciphertext]:
    """For each column the product of the first member's quotients with the others, each to its own secret power: 1 if all are equal."""
    first, rest = members[0], members[1:]
    out = []
    for j in range(columns):
        parts = [raised(group, quotient(group, rows[first][j], rows[i][j]), group.random_scalar()) for i in rest]
        out.append(elgamal.product(group, parts))
    return out


def raise_all(group: Group, items: Sequence[Ciphertext]) -> list[Ciphertext]:
    """The second mixer's step of phase 3: columns stay in their places."""
    return [raised(group, c, group.random_scalar()) for c in items]


def mix_body(
    session: Session,
    key: Ed25519PrivateKey,
    mixer: int,
    job: str,
    stage: int,
    before: bytes,
    items: Sequence[Ciphertext],
    order: Sequence[int],
) -> Body:
    """The message of a mixer's step."""
    bodies, hints = halves(items)
    stamp = make_stamp(session, key, mixer, job, stage, before, digest_of(bodies, hints))
    return {"bodies": pack(bodies), "hints": pack(hints), "order": list(order), "stamp": stamp.body()}
