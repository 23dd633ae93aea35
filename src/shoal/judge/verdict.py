"""What a recount found: the verdict, and the bound that a proof proves beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

import numpy as np

from shoal.judge.compare import Compared
from shoal.judge.count_people import People
from shoal.judge.criteria.judging import Fulfilled
from shoal.judge.gate import KEY, Verified
from shoal.judge.hints.hints import Hint
from shoal.judge.words import is_warning, words_of
from shoal.text.shown import Shown


@dataclass(frozen=True)
class Audit:
    """A bound that was proved to the checker, and the loss of the release measured beside it."""

    measure: str
    lower_bound: float
    loss: float | None
    """None where rows could not be matched and the measure needs that."""
    max_withheld: int = 0
    """The bound holds for every release that leaves out at most so many rows, whichever."""
    deletion: bool = False
    """The bound and the loss count rows that were left out, as if they were suppressed whole."""

    @property
    def ratio(self) -> float | None:
        if self.loss is None or (self.lower_bound <= 0 and self.loss > 1e-12):
            return None
        return self.loss / self.lower_bound if self.lower_bound > 0 else 1.0


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Verdict(Shown, Verified):
    """What the recount found."""

    k: int
    """What was promised."""
    n_rows: int
    n_groups: int
    smallest_group: int
    sizes: tuple[int, ...] = field(repr=False)
    """Sizes of the groups, rising."""
    criteria: tuple[Fulfilled, ...] = ()
    """What was asked of sensitive columns or people, and what the weakest group reaches."""
    how: str | None
    """How rows were set beside rows: 'row by row', 'by position', 'in order', 'in any order'; None if cells could not be compared."""
    why_not: str = ""
    """Why cells could not be compared."""
    quasi_identifiers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Columns of the release about which nothing was asked."""
    named: tuple[str, ...] = ()
    """Of all other columns than quasi-identifiers, those that the caller named: sensitive, or kept on purpose."""
    hints: tuple[Hint, ...] = ()
    """Columns that tell what the release hides, named or not."""
    lacking: tuple[str, ...] = ()
    """Columns of the original that the release does not have, and that were not named as dropped."""
    columns: tuple[Compared, ...] = field(default=(), repr=False)
    """Each column of the release: whether it was compared, how, and what could not be."""
    measures: Mapping[str, Mapping[str, float]] = field(default_factory=dict, repr=False)
    """Every measure as recounted from the released texts, without weights: total, and per cell of a quasi-identifier."""
    loss: float | None = None
    """The chosen measure with the columns' weights, as recounted from the released texts."""
    audit: Audit | None = None
    """What a proof proves, where one was checked."""
    people: People | None = field(default=None, repr=False)
    """The people of each group, where k counts people."""
    n_withheld: int = 0
    """How many rows of the original are not in the release."""
    counts_withheld: bool = False
    """Whether losses count these rows, as if every cell of them were suppressed: they do where rows may be deleted at that price."""
    withheld_are_certain: bool = True
    """Whether the release tells which rows these are, or at least what they hold; else other rows of the original fit in their place."""

    @property
    def n_cells(self) -> int:
        """How many cells of quasi-identifiers the losses count."""
        return max((self.n_rows + self.n_withheld * self.counts_withheld) * len(self.quasi_identifiers), 1)

    @property
    def reached(self) -> dict[str, float]:
        """For each criterion that was asked for, in words, what the weakest group reaches."""
        return {kept.asked.text(): kept.reached for kept in self.criteria}

    @property
    def has_checked_cells(self) -> bool:
        """Whether each released cell was compared with its original."""
        return self.how is not None

    def size_array(self) -> np.ndarray:
        """Sizes of the groups as an array."""
        return np.array(self.sizes, dtype=np.int64)

    @property
    def added(self) -> tuple[str, ...]:
        """Columns that the original lacks and nobody named: there is nothing to hold them to."""
        return tuple(column.name for column in self.columns if column.kind == "added" and column.name not in self.named)

    @property
    def telling(self) -> tuple[Hint, ...]:
        """What columns tell that nobody named."""
        return tuple(hint for hint in self.hints if hint.column not in self.named)

    @property
    def is_whole(self) -> bool:
        """Whether every column of the table was looked at and found to be true and to tell nothing, or was named by the caller."""
        return self.has_checked_cells and not self.added and not self.telling

    def warnings(self) -> list[str]:
        return [said for said in words_of(self) if is_warning(said)]

    def sentences(self) -> list[str]:
        return [said for said in words_of(self) if not is_warning(said)]

    def in_numbers(self) -> list[tuple[str, str]]:
        half = self.sizes[len(self.sizes) // 2] if self.sizes else 0
        return [
            ("rows", f"{self.n_rows:,}"),
            ("groups", f"{self.n_groups:,}"),
            ("smallest group", f"{self.smallest_group:,}"),
            ("half of the groups have at least", f"{half:,} rows"),
            (
                "columns compared cell by cell",
                f"{sum(column.kind != 'added' for column in self.columns):,}" if self.has_checked_cells else "none",
            ),
        ]

    def with_audit(self, audit: Audit) -> Verdict:
        """The same verdict, with what a proof proves."""
        same = {f.name: getattr(self, f.name) for f in fields(self)}
        return Verdict(**{**same, "audit": audit}, key=KEY)
