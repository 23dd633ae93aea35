"""What an algorithm declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shoal.problem import Problem, Solution, Watch


@dataclass(frozen=True)
class Algorithm:
    """One paper's algorithm: its name, what it promises, and the function that runs it."""

    name: str
    title: str
    reference: str
    recoding: str
    """'local' (each group by itself), 'global' (a value is generalized alike everywhere) or 'full-domain'."""
    guarantee_text: str
    """The guarantee in words, for people."""
    guarantee: Callable[[Problem], float | None]
    """The proved factor for this problem, or None."""
    refuses: Callable[[Problem], str | None]
    """Why this problem cannot be done by it, with the algorithm to take instead; None if it can."""
    solve: Callable[[Problem, Watch], Solution]
    scales_to: int = 1_000_000_000
    """Beyond how many rows the contract tests and the benchmark should not ask it."""
