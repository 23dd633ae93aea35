"""What a bound is: a number no release of these rows, by these hierarchies, can cost less than."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shoal.problem import Bound, Problem, Watch


@dataclass(frozen=True)
class BoundMethod:
    """A way to bound the optimum of one very table from below."""

    name: str
    title: str
    reference: str
    compute: Callable[[Problem, Watch], Bound]
    """Raises :class:`shoal.Refused` where it does not apply; the message says why."""
