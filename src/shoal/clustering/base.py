"""What a clustering method is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from shoal.clustering.criteria import Watched
from shoal.clustering.diversity import Diverse, diverse_of
from shoal.clustering.points import Floats, Found, Points

Centres = Literal["input", "any"]


@dataclass(frozen=True, eq=False)
class Task:
    """Cluster these points."""

    points: Points
    r: int
    centres: Centres
    """Whether a centre must be a row."""
    max_clusters: int | None = None
    max_outliers: int = 0
    """How many rows may be left out: ⌊εn⌋, exact."""
    setup: Floats | None = None
    """The set-up cost of a cluster at each point; None for none at all."""
    sharing: bool = False
    """Whether a row may be counted by several clusters (cellular)."""
    watched: tuple[Watched, ...] = ()
    """What is asked of the sensitive values of every cluster."""

    @cached_property
    def diverse(self) -> Diverse | None:
        """What a ball must hold beside r rows to be a cluster; None for nothing."""
        return diverse_of(self.points, self.watched)


@dataclass(frozen=True, eq=False)
class Answer:
    """A clustering, what it costs, and what every clustering of these rows costs at least."""

    found: Found
    problem: str
    """The problem's name in the paper."""
    cost: float
    paper_cost: float
    """What the guaranteed phase reached, before improvement."""
    lower_bound: float
    bound_text: str
    proof: dict[str, object] = field(default_factory=dict)
    """What a checker needs to follow the bound: a threshold, or a price for each row."""


@dataclass(frozen=True)
class Method:
    """One of the paper's families of problems."""

    name: str
    title: str
    reference: str
    default_centres: Centres
    publishes_radius: bool
    """Whether each cluster's own radius is published, or the largest alone."""
    solve: Callable[[Task], Answer]
