"""What a round ends with: how often each tag was posted, as a tree of hashes whose root the registrar countersigns.

A leaf is a tag with its count; the leaves stand in the order of the tags. A customer is shown her own leaf and the
hashes beside its path.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest

from shoal.errors import ProtocolError
from shoal.protocol.countersign import Head
from shoal.protocol.session import Session


def place_of(rung: int) -> str:
    """Where the session stands when a round is over."""
    return f"round-{rung}"


def leaf_hash(tag: bytes, count: int) -> bytes:
    return hashlib.sha256(b"\0" + tag + count.to_bytes(8, "big")).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def digest_of(session: Session, rung: int, size: int, root: bytes, chain: bytes) -> str:
    """What is countersigned: session, rung, the number of different tags, the root, and the board's chain up to the end
    of the round.
    """
    return hashlib.sha256(session.bind("star-round", rung, size, root, chain)).hexdigest()


@dataclass(frozen=True)
class Round:
    """The tags of one round, by index, and the countersigned head."""

    rung: int
    tags: dict[int, bytes]
    chain: bytes = bytes(32)
    """The hash of the board's chain when the round ended."""
    head: Head | None = None
    groups: dict[bytes, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        groups: dict[bytes, list[int]] = {}
        for index, tag in sorted(self.tags.items()):
            groups.setdefault(tag, []).append(index)
        object.__setattr__(self, "groups", {tag: groups[tag] for tag in sorted(groups)})

    @cached_property
    def order(self) -> list[bytes]:
        return list(self.groups)

    @cached_property
    def levels(self) -> list[list[bytes]]:
        """The hashes from the leaves up to the root; a node without a neighbour moves up as it is."""
        rows = [[leaf_hash(tag, len(members)) for tag, members in self.groups.items()] or [bytes(32)]]
        while len(rows[-1]) > 1:
            pairs = zip_longest(rows[-1][::2], rows[-1][1::2])
            rows.append([a if b is None else node_hash(a, b) for a, b in pairs])
        return rows

    def digest(self, session: Session) -> str:
        return digest_of(session, self.rung, len(self.groups), self.levels[-1][0], self.chain)

    def path(self, tag: bytes) -> tuple[int, list[bytes]]:
        """The leaf's place, and the hash beside each node on the way up, where there is one."""
        place = at = bisect_left(self.order, tag)
        beside = []
        for row in self.levels[:-1]:
            if at ^ 1 < len(row):
                beside.append(row[at ^ 1])
            at //= 2
        return place, beside


def root_of(tag: bytes, count: int, place: int, size: int, beside: Sequence[bytes]) -> bytes:
    """The root that follows from a leaf and its path."""
    if not 0 <= place < size:
        raise ProtocolError("The miner's path through a round's tags has no such leaf.")
    left, at, width, hash_ = list(beside), place, size, leaf_hash(tag, count)
    while width > 1:
        if at ^ 1 < width:
            if not left:
                raise ProtocolError("The miner's path through a round's tags is too short.")
            other = left.pop(0)
            hash_ = node_hash(other, hash_) if at & 1 else node_hash(hash_, other)
        at, width = at // 2, (width + 1) // 2
    if left:
        raise ProtocolError("The miner's path through a round's tags is too long.")
    return hash_
