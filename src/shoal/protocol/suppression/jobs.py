"""Jobs: chunks of pairs in phase 1, members of groups in phase 3. Who does what in a job follows from the draw and from
the board.

A job passes its mixers one after the other, then those who do a mixer's step again and sign that it is right
(*checkers*), then its decryptors, then the one who closes it: in phase 1 a further customer who counts, in phase 3 the
member herself. All are different people: whoever knows the coins of a step takes no part in the decryption. If one of
them is late, or is refused by another, the job starts again without her, with fresh coins (another *attempt*). The
place of every message says which attempt it is and who is out of it, so that all who work at it agree on all roles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement

from shoal.protocol.group.hashing import join
from shoal.protocol.messages import Message
from shoal.protocol.suppression.mixing import pairs_of

START = "rows"
"""What the first mixer starts from has no digest: the rows are on the board."""
ITEMS = 2048
"""About so many ciphertexts make a chunk."""


@dataclass(frozen=True)
class Roles:
    """Who does what in one attempt."""

    mixers: tuple[int, ...]
    checkers: tuple[tuple[int, ...], ...]
    """For each mixer those who do her step again."""
    decryptors: tuple[int, ...]
    closer: int

    @property
    def among(self) -> list[int]:
        """Whose shares decrypt."""
        return sorted([self.closer, *self.decryptors])

    def stage_of(self, checker: int) -> int:
        """The step that she does again; −1 if she is not a checker."""
        return next((stage for stage, some in enumerate(self.checkers) if checker in some), -1)


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
    """Mixers' messages of this attempt, as the board shows them; likewise the checkers' and the decryptors'."""
    checks: dict[int, Message] = field(default_factory=dict)
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
        """Who does what in this attempt. Each step has as many checkers as there are mixing steps.

        So if no more people collude than there are mixing steps, one of the step's mixer and checkers is honest.
        """
        stages = self.n_mixers
        alive = [i for i in self.order if i not in self.out]
        rest = alive[stages if self.is_group else stages + 1 :]
        checkers, rest = rest[: stages**2], rest[stages**2 :]
        by_stage = tuple(tuple(checkers[stage::stages]) for stage in range(stages))
        return Roles(tuple(alive[:stages]), by_stage, tuple(rest[: self.n_decryptors]), self.receiver or alive[stages])

    @property
    def needed(self) -> int:
        """So many helpers must be left."""
        return self.n_mixers + self.n_mixers**2 + self.n_decryptors + (0 if self.is_group else 1)

    def again(self, *without: int) -> None:
        """Begin again, without some; if too few were left, with everybody again but those."""
        gone = {i for i in without if i != self.receiver}
        self.out |= gone
        if len([i for i in self.order if i not in self.out]) < self.needed:
            self.out = gone if len(self.order) - len(gone) >= self.needed else set()
        self.attempt += 1
        self.clear()
        self.__dict__.pop("roles", None)

    def clear(self) -> None:
        self.mixed, self.checks, self.shares = [], {}, {}

    @property
    def awaited(self) -> list[int]:
        """Who is to act now."""
        if self.done:
            return []
        if len(self.mixed) < self.n_mixers:
            return [self.roles.mixers[len(self.mixed)]]
        unchecked = [c for some in self.roles.checkers for c in some if c not in self.checks]
        missing = [d for d in self.roles.decryptors if d not in self.shares]
        return unchecked or missing or [self.roles.closer]

    def digest(self, stage: int) -> str:
        """What a mixer's ciphertexts are known by: it is at the end of her message's place."""
        return self.mixed[stage].slot.rpartition("/")[2] if stage >= 0 else START

    @property
    def after(self) -> str:
        """The digest of what was mixed last."""
        return self.digest(len(self.mixed) - 1)

    @property
    def which(self) -> str:
        """The attempt, and who is out of it; all roles follow from that."""
        out = hashlib.sha256(join([self.name, self.attempt, *sorted(self.out)])).hexdigest()
        return f"{self.attempt}-{out}"

    @property
    def place(self) -> str:
        return f"{self.name}/{self.which}"

    def mix_place(self, stage: int) -> str:
        """The place of a mixer's step: the attempt, the step, and the digest of what it starts from."""
        return f"{self.place}/{stage}/{self.digest(stage - 1)}"


def blocks_of(active: Sequence[int], columns: int) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """All pairs of active rows, in square blocks, so that a mixer needs few rows for many pairs: name, left and
    right.
    """
    side = max(2, int((ITEMS / columns) ** 0.5))
    blocks = [tuple(active[i : i + side]) for i in range(0, len(active), side)]
    made = [(f"chunk-{u}-{v}", blocks[u], blocks[v]) for u, v in combinations_with_replacement(range(len(blocks)), 2)]
    return [one for one in made if pairs_of(one[1], one[2])]
