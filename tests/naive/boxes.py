"""Boxes the obvious way: every vector of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from shoal.problem import Problem, RankCut
from tests.naive.released import meets_demands


def ancestors(problem: Problem, j: int, leaf: int) -> list[int]:
    parent = problem.columns[j].tree.parent
    found = [leaf]
    while parent[found[-1]] != found[-1]:
        found.append(int(parent[found[-1]]))
    return found


def all_boxes(problem: Problem) -> dict[tuple[int, ...], tuple[float, list[int]]]:
    """Every box that holds at least k rows: its price and its tuples."""
    held: dict[tuple[int, ...], list[int]] = {}
    for t in range(problem.n_tuples):
        for nodes in product(*(ancestors(problem, j, int(problem.codes[t, j])) for j in range(problem.n_columns))):
            held.setdefault(nodes, []).append(t)
    return {
        nodes: (sum(float(c.price[v]) for c, v in zip(problem.columns, nodes, strict=True)), tuples)
        for nodes, tuples in held.items()
        if sum(int(problem.weight[t]) for t in tuples) >= problem.k
    }


def highest(problem: Problem, prices: list[float], tuples: list[int]) -> float:
    """The sum of the k highest prices of the rows of some tuples."""
    rows = [prices[t] for t in tuples for _ in range(int(problem.weight[t]))]
    return sum(sorted(rows, reverse=True)[: problem.k])


def net_tightness(problem: Problem, net: list[float], own: list[float], tuples: list[int], price: float) -> float:
    """By trying any k rows of some tuples: their net prices over what k rows pay at such a price beyond their own parts."""
    rows = [t for t in tuples for _ in range(int(problem.weight[t]))]
    found = 0.0
    for some in combinations(rows, problem.k):
        paid, added = sum(net[t] for t in some), problem.k * price - sum(own[t] for t in some)
        if paid > 0:
            found = max(found, paid / added if added > 1e-9 else float("inf"))
    return found


def is_feasible(problem: Problem, prices: list[float], slack: float = 1e-9, cuts: Sequence[RankCut] = ()) -> bool:
    """Whether in every box that a group may show the k highest prices average at most the price of the box; with cuts, see ``with_cuts``."""
    if cuts:
        return with_cuts(problem, prices, cuts, slack)
    of_tuple: list[list[int]] = [[] for _ in range(problem.n_tuples)]
    for unit, t in enumerate(problem.tuple_of_unit.tolist()):
        of_tuple[t].append(unit)
    return all(
        highest(problem, prices, tuples) <= problem.k * price + slack
        for price, tuples in all_boxes(problem).values()
        if meets_demands(problem, [unit for t in tuples for unit in of_tuple[t]])
    )


def with_cuts(problem: Problem, prices: list[float], cuts: Sequence[RankCut], slack: float = 1e-9) -> bool:
    """Whether in every box any k to 2k − 1 rows have prices of at most what they pay there and the prices of the cuts that hold the whole box."""
    for price, tuples in all_boxes(problem).values():
        allowed = sum(cut.price for cut in cuts if set(tuples) <= set(cut.tuples.tolist()))
        rows = sorted((prices[t] for t in tuples for _ in range(int(problem.weight[t]))), reverse=True)
        for m in range(problem.k, min(2 * problem.k - 1, len(rows)) + 1):
            if sum(rows[:m]) > m * price + allowed + slack:
                return False
    return True


def cheapest(problem: Problem) -> list[float]:
    least = [float("inf")] * problem.n_tuples
    for price, tuples in all_boxes(problem).values():
        for t in tuples:
            least[t] = min(least[t], price)
    return least
