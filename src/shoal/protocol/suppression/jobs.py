"""Jobs: chunks of pairs in phase 1 and groups in phase 3, each with the results that came in so far.

A job waits for its mixers one after the other, then for shares of the decryption. Which customer does what is decided in ``work``; what is kept here is
only what arrived, so that it can be rebuilt from the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.messages import Body
from shoal.protocol.suppression.mixer import pairs_of
from shoal.protocol.suppression.stamps import halves, pack

ITEMS = 512
"""About so many ciphertexts make a chunk."""


@dataclass
class Mixed:
    """A mixer's result."""

    mixer: int
    items: list[Ciphertext]
    order: list[int]
    stamp: Body


@dataclass
class Job:
    """A chunk (``left`` and ``right`` blocks of rows) or a group (``left`` only)."""

    name: str
    left: tuple[int, ...]
    right: tuple[int, ...]
    mixed: list[Mixed] = field(default_factory=list)
    shares: dict[int, tuple[list[int], list[bytes]]] = field(default_factory=dict)
    """Decryptor → (the set her Lagrange weight is for, her shares). In phase 3 shares carry no weight."""
    share_messages: dict[int, Body] = field(default_factory=dict)
    counts: list[int] | None = None

    @property
    def is_group(self) -> bool:
        return self.name.startswith("group")

    @property
    def members(self) -> list[int]:
        """Whose rows go into it."""
        return sorted({*self.left, *self.right})

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return pairs_of(self.left, self.right)

    @property
    def mixers(self) -> list[int]:
        return [m.mixer for m in self.mixed]

    def output(self) -> tuple[str, str]:
        """Bodies and hints after the last mixer."""
        bodies, hints = halves(self.mixed[-1].items)
        return pack(bodies), pack(hints)

    def source_of(self) -> list[int]:
        """Where each pair of the last output came from, through all mixers."""
        source = list(range(len(self.pairs)))
        for mixed in self.mixed:
            source = [source[p] for p in mixed.order]
        return source


def chunks(active: Sequence[int], columns: int) -> list[Job]:
    """All pairs of active rows, in square blocks, so that a mixer needs few rows for many pairs."""
    side = max(2, int((ITEMS / columns) ** 0.5))
    blocks = [tuple(active[i : i + side]) for i in range(0, len(active), side)]
    made = [Job(f"chunk-{u}-{v}", blocks[u], blocks[v]) for u, v in combinations_with_replacement(range(len(blocks)), 2)]
    return [job for job in made if job.pairs]


def groups(partition: Sequence[Sequence[int]]) -> list[Job]:
    return [Job(f"group-{g}", tuple(members), ()) for g, members in enumerate(partition)]
