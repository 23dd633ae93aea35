"""Lower bounds on the optimum of a given table, one file each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.problem import Bound, Problem, Watch

CATALOG: dict[str, str] = {
    "neighbour": "shoal.bounds.neighbour:NEIGHBOUR",
    "box": "shoal.bounds.box:BOX",
    "dual": "shoal.bounds.dual:DUAL",
    "anchored": "shoal.bounds.anchored:ANCHORED",
    "linear": "shoal.bounds.linear:LINEAR",
    "rank": "shoal.bounds.rank:RANK",
}


def best(problem: Problem, watch: Watch, effort: int = 12) -> Bound:
    """The highest of the bounds that ``effort`` turns of raising prices allow (0: the quick ones only)."""
    from shoal.bounds.choice import choose

    return choose(problem, watch, effort)
