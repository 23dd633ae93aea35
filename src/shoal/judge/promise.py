"""What a release must keep, in texts and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shoal.judge.criteria.base import Requirement
from shoal.judge.texts import Texts


@dataclass(frozen=True)
class ReleasePromise:
    """What a release must keep."""

    k: int
    quasi_identifiers: tuple[str, ...]
    demands: tuple[Requirement, ...]
    texts: Mapping[str, Texts]
    columns: tuple[str, ...]
    """The columns that the release must have, in their order."""
    max_withheld: int | None
    """How many rows of the original may be lacking; None for any number."""
    deletion: bool
    """Whether rows that are left out are paid for as if they were suppressed whole."""
    measure: str | None
    """By which the loss is told, with weights; None for none."""
    weights: Mapping[str, float]
    person: str | None = None
    sensitive: tuple[str, ...] = ()
    is_reported: bool = False
    """Whether a report will be made of what was counted: then sensitive columns are counted too, whether or not something is asked of them."""

    @property
    def counted(self) -> tuple[str, ...]:
        """The columns of the release that are counted: all that must be, and what a report tells of."""
        return (*self.folded, *(name for name in self.sensitive if name not in self.folded)) if self.is_reported else self.folded

    @property
    def folded(self) -> tuple[str, ...]:
        """The columns of the release over which it is counted."""
        return (*self.quasi_identifiers, *dict.fromkeys(d.column for d in self.demands if d.column not in self.quasi_identifiers))

    @property
    def kept(self) -> tuple[str, ...]:
        """Columns that must be released as they were."""
        return tuple(name for name in self.columns if name not in self.quasi_identifiers)
