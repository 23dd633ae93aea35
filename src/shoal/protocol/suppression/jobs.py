"""Jobs: chunks of pairs in phase 1, members of groups in phase 3. Who does what in a job follows from the draw and from the board.

A job passes its mixers one after the other, then its decryptors, then the one who closes it: in phase 1 a further customer who counts, in phase 3
the member herself. All are different people. If one of them is late, or is refused by another, the job begins anew without her, with
fresh coins (another *attempt*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement

from shoal.protocol.messages import Message
from shoal.protocol.suppression.mixing import pairs_of

ITEMS = 2048
"""About so many ciphertexts make a chunk."""


@dataclass(frozen=True)
class Roles:
    """Who does what in one attempt. Decryptor number d does stage d modulo the number of stages again before she answers."""

    mixers: tuple[int, ...]
    decryptors: tuple[int, ...]
    closer: int

    @property
    def among(self) -> list[int]:
        """Whose shares decrypt."""
        return sorted([self.closer, *self.decryptors])

    def stage_of(self, decryptor: int) -> int:
        return self.decryptors.index(decryptor) % len(self.mixers)

    def checkers(self, stage: int) -> list[int]:
        return [d for d in self.decryptors if self.stage_of(d) == stage]


@dataclass
class Job:
    """A chunk (``left`` and ``right`` blocks of rows), or a member (``left`` is her group, ``receiver`` herself)."""

    name: str
    left: tuple[int, ...]
    right: tuple[int, ...]
    receiver: int
    order: Sequence[int]
    """Helpers in the order of the draw for this job."""
    n_mixers: int
    n_decryptors: int
    attempt: int = 0
    out: set[int] = field(default_factory=set)
    mixed: list[Message] = field(default_factory=list)
    """Mixers' messages of this attempt, as the board shows them; likewise the decryptors'."""
    shares: dict[int, Message] = field(default_factory=dict)
    done: bool = False

    @property
    def is_group(self) -> bool:
        return self.receiver > 0

    @property
    def members(self) -> list[int]:
        """Whose rows go into it."""
        return sorted({*self.left, *self.right})

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        return [] if self.is_group else pairs_of(self.left, self.right)

    def count(self, columns: int) -> int:
        """How many ciphertexts come out of it."""
        return columns if self.is_group else columns * len(self.pairs)

    @cached_property
    def roles(self) -> Roles:
        alive = [i for i in self.order if i not in self.out]
        closer = self.receiver or alive[self.n_mixers]
        rest = alive[self.n_mixers + (0 if self.is_group else 1) :]
        return Roles(tuple(alive[: self.n_mixers]), tuple(rest[: self.n_decryptors]), closer)

    @property
    def needed(self) -> int:
        """So many helpers must be left."""
        return self.n_mixers + self.n_decryptors + (0 if self.is_group else 1)

    def again(self, *without: int) -> None:
        """Begin anew, without some; if too few were left, with everybody again but those."""
        gone = {i for i in without if i != self.receiver}
        self.out |= gone
        if len([i for i in self.order if i not in self.out]) < self.needed:
            self.out = gone if len(self.order) - len(gone) >= self.needed else set()
        self.attempt += 1
        self.mixed, self.shares = [], {}
        self.__dict__.pop("roles", None)

    @property
    def awaited(self) -> list[int]:
        """Who is to act now."""
        if self.done:
            return []
        if len(self.mixed) < self.n_mixers:
            return [self.roles.mixers[len(self.mixed)]]
        missing = [d for d in self.roles.decryptors if d not in self.shares]
        return missing or [self.roles.closer]

    @property
    def after(self) -> str:
        """The digest of what the last mixer made: it is in the place of her message."""
        return self.mixed[-1].slot.rpartition("/")[2]

    @property
    def place(self) -> str:
        return f"{self.name}/{self.attempt}"

    def mix_place(self, stage: int) -> str:
        return f"{self.place}/{stage}"


def blocks_of(active: Sequence[int], columns: int) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """All pairs of active rows, in square blocks, so that a mixer needs few rows for many pairs: name, left and right."""
    side = max(2, int((ITEMS / columns) ** 0.5))
    blocks = [tuple(active[i : i + side]) for i in range(0, len(active), side)]
    made = [(f"chunk-{u}-{v}", blocks[u], blocks[v]) for u, v in combinations_with_replacement(range(len(blocks)), 2)]
    return [one for one in made if pairs_of(one[1], one[2])]
