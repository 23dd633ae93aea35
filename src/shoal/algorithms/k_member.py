"""k-member clustering: groups grown one row at a time, each time the row that adds least.

Problem.     Given rows, a measure and k, partition the rows into groups of at least k of little total loss.
Guarantee.   None.
Method.      A group begins with the row that is farthest from the row taken last (the first group: from a row drawn by
             the seed). It takes in rows one after the other, each time the row with which it loses least, until it has
             k. This is repeated while k rows are left. Each row left over then joins the group to which it adds least.
Deviations.  The loss is that of the chosen measure, and not the paper's. Equal rows are taken together, as far as the
             group needs them: the second adds no more than the first. When time is over, the rows left are cut into
             groups of k in the order of their values. Rows may be withheld and groups merged for other criteria
             afterwards, which the paper does not do.
Complexity.  O(n · t · q) time for t different rows, O(n · q) memory.
Notation.    cluster = group, IL = loss of a group, distance = loss of a row in a group of two.
Reference.   Byun, Kamra, Bertino and Li. Efficient k-anonymization using clustering techniques. DASFAA 2007, section 4.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.algorithms.base import Algorithm, meet_demands, too_few
from shoal.budget import Budget
from shoal.problem import Floats, Ints, Longs, Problem, Solution, Watch, close
from shoal.search.withholding import withhold

MOST_TUPLES = 20_000
CELLS_PER_SECOND = 40_000_000
"""Cells joined with a group in a second."""
NOTE = "No guarantee: groups are grown one row at a time."


def solve(problem: Problem, watch: Watch) -> Solution:
    nothing = too_few(problem)
    if nothing is not None:
        return nothing
    growing = Growing(problem)
    budget = Budget(problem.time_limit, watch)
    last = int(np.random.default_rng(problem.seed).integers(problem.n_tuples))
    while growing.left.sum() >= problem.k:
        if budget.is_over():
            growing.cut_the_rest()
            break
        last = growing.grow_from(growing.farthest(last))
        budget.spend(problem.k * problem.n_tuples * problem.n_columns, CELLS_PER_SECOND)
        watch.tell("members", 1.0 - float(growing.left.sum()) / problem.n_rows)
    growing.deal_out()
    group = meet_demands(problem, growing.group(), watch)
    if problem.may_withhold:
        group = withhold(problem, group, watch)
    return close(problem, group, note=NOTE)


class Growing:
    """Groups that grow, and the rows of each tuple that are in none."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.left: Longs = problem.weight.copy()
        self.nodes: list[Ints] = []
        """What each group shows so far."""
        self.size: list[int] = []
        self.taken: list[tuple[int, int, int]] = []
        """Tuple, group and number of rows, in the order in which they were taken."""
        self.work = np.concatenate([problem.codes, problem.codes[:1]])

    def joined(self, node: Ints, others: Ints) -> tuple[Ints, Floats]:
        """What a group shows if each of some others joins it, and what a row of it then pays.

        The others are rows of ``work``.
        """
        self.work[-1] = node
        n = len(others)
        pair = np.concatenate([np.full(n, len(self.work) - 1, dtype=np.int32), others])
        label = np.tile(np.arange(n, dtype=np.int32), 2)
        nodes = kernels.closures(self.problem.packed, self.work, pair, label, n)
        return nodes, self.price(nodes)

    def price(self, nodes: Ints) -> Floats:
        paid = [column.price[nodes[:, j]] for j, column in enumerate(self.problem.columns)]
        return np.asarray(np.sum(paid, axis=0))

    def farthest(self, tuple_: int) -> int:
        """Of the tuples left, the one whose row would lose most in a group with a row of this tuple."""
        there = np.flatnonzero(self.left).astype(np.int32)
        _, price = self.joined(self.problem.codes[tuple_], there)
        return int(there[np.argmax(2 * price - self.problem.offset_of_tuple[there])])

    def grow_from(self, tuple_: int) -> int:
        """A group of k rows that begins with one; the tuple taken last."""
        k, offset = self.problem.k, self.problem.offset_of_tuple
        node, size = self.problem.codes[tuple_].copy(), 0
        while True:
            count = min(k - size, int(self.left[tuple_]))
            self.take(tuple_, len(self.nodes), count)
            size += count
            if size == k:
                self.nodes.append(node)
                self.size.append(k)
                return tuple_
            there = np.flatnonzero(self.left).astype(np.int32)
            nodes, price = self.joined(node, there)
            best = int(np.argmin((size + 1) * price - offset[there]))
            tuple_, node = int(there[best]), nodes[best]

    def take(self, tuple_: int, group: int, count: int) -> None:
        self.left[tuple_] -= count
        self.taken.append((tuple_, group, count))

    def cut_the_rest(self) -> None:
        """Groups of k in the order of the tuples, while so many rows are left."""
        while self.left.sum() >= self.problem.k:
            first = np.flatnonzero(self.left)
            taken = np.minimum(np.cumsum(self.left[first]), self.problem.k)
            count = np.diff(taken, prepend=0)
            for t, n in zip(first[count > 0].tolist(), count[count > 0].tolist(), strict=True):
                self.take(t, len(self.nodes), n)
            rows = first[count > 0].astype(np.int32)
            self.nodes.append(
                kernels.closures(self.problem.packed, self.problem.codes, rows, np.zeros(len(rows), dtype=np.int32), 1)[
                    0
                ]
            )
            self.size.append(self.problem.k)

    def deal_out(self) -> None:
        """Each row left joins the group to which it adds least."""
        for t in np.repeat(np.arange(len(self.left)), self.left).tolist():
            shown, size = np.array(self.nodes, dtype=np.int32), np.array(self.size)
            self.work = np.concatenate([shown, self.problem.codes[:1]])
            nodes, price = self.joined(self.problem.codes[t], np.arange(len(shown), dtype=np.int32))
            g = int(np.argmin((size + 1) * price - size * self.price(shown)))
            self.take(t, g, 1)
            self.nodes[g], self.size[g] = nodes[g], self.size[g] + 1

    def group(self) -> Ints:
        """The group of each row."""
        tuple_, group, count = np.array(self.taken, dtype=np.int64).T
        order = np.argsort(tuple_, kind="stable")
        out = np.empty(self.problem.n_rows, dtype=np.int32)
        out[self.problem.units_by_tuple] = np.repeat(group[order], count[order])
        return out


def refuses(problem: Problem) -> str | None:
    if problem.n_tuples > MOST_TUPLES:
        return (
            f"k-member compares every two of {problem.n_tuples} different rows, above {MOST_TUPLES}. Take --algorithm "
            "auto or mondrian."
        )
    return None


K_MEMBER = Algorithm(
    name="k-member",
    title="Groups grown one row at a time",
    reference="Byun, Kamra, Bertino and Li 2007",
    recoding="local",
    guarantee_text="none",
    guarantee=lambda problem: None,
    refuses=refuses,
    solve=solve,
)
