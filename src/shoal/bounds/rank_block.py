"""The linear program of prices and cuts for some of the tuples, while the prices of the others stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.bounds.base import gain_of, net_limit
from shoal.bounds.rank_boxes import Dearest, ListedBoxes
from shoal.bounds.rank_nodes import NodeCuts
from shoal.bounds.rank_program import PriceProgram, Wished, sets_of
from shoal.budget import Budget
from shoal.kernels.boxes import Boxes
from shoal.kernels.closed_boxes import ClosedBoxes
from shoal.problem import Floats, Ints, Longs, Problem

NEARLY_TIGHT = 0.97
MOST_TURNS = 24
CLOSE = 0.002
"""Cuts are looked for when the program promises no more than this share above what can be kept."""
ENOUGH = 1e-4
TOO_MANY = 0.02
"""By how many groups a box must hold more than fit, to become a cut."""
AT_ONCE, MOST_JOINS = 1_000, 200_000
STEPPED_PER_SECOND = 8_000_000_000.0
"""Steps of the simplex method, times tuples, times k to the fourth power, in a second of a common machine."""
COMPARED_PER_SECOND = 1_000_000_000
"""Columns of boxes that are compared with others, or with tuples, in a second."""


@dataclass
class Standing:
    """Prices and cuts so far. They need not be feasible in boxes that are not listed."""

    net: Floats
    cuts: NodeCuts
    price_of_cut: Floats
    """Of the cuts that there were; those that came later have no price."""

    def worth(self, problem: Problem) -> float:
        most_groups = self.cuts.most_groups[: len(self.price_of_cut)]
        return gain_of(problem, self.net, None) - float((most_groups * self.price_of_cut).sum())

    def more_cuts(self, boxes: Ints) -> None:
        self.cuts.add(boxes)
        self.price_of_cut = np.concatenate([self.price_of_cut, np.zeros(len(boxes))])


class Block:
    """Some tuples, the listed boxes that hold any of them, and the cuts inside of which there are no others."""

    def __init__(self, problem: Problem, listed: Boxes, tuples: Longs, now: Standing, reach: float) -> None:
        from scipy import sparse

        self.problem, self.tuples, self.current = problem, tuples, now
        self.is_mine = np.zeros(problem.n_tuples, dtype=np.bool_)
        self.is_mine[tuples] = True
        touched = np.add.reduceat(self.is_mine[listed.tuples], listed.start[:-1]) > 0
        closed = ClosedBoxes(listed.price, listed.start, listed.tuples).keep(touched)
        self.boxes = ListedBoxes(problem, np.zeros(problem.n_tuples), closed)
        self.nodes, self.one = listed.nodes[touched], closed.tuples[closed.start[:-1]].astype(np.int64)
        self.around = now.cuts.around(self.nodes, self.one)
        other = np.bincount(now.cuts.cut, weights=~self.is_mine[now.cuts.tuples], minlength=len(now.cuts))
        self.free = np.flatnonzero(other == 0)
        """The cuts whose prices may change, in the order of the program."""
        mean = float(now.net[now.net > 0].mean()) if (now.net > 0).any() else 0.0
        here = now.net[tuples]
        limit = net_limit(problem, now.net, None)[tuples]
        self.program = PriceProgram(
            problem.weight[tuples],
            np.minimum(here * (1.0 - reach), limit),
            np.minimum(here * (1.0 + reach) + reach * mean, limit),
        )
        self.program.add_columns(sparse.csc_matrix((0, len(self.free))), now.cuts.most_groups[self.free])
        self.box_of_set: Longs = np.zeros(0, dtype=np.int64)
        self.rows: Any = sparse.csr_matrix((0, problem.n_tuples))

    def improve(self, budget: Budget) -> Standing | None:
        """Solve, add what is overcharged and cuts, until neither is found; what can be kept of it, None if that is no
        gain.
        """
        if len(self.boxes) == 0:
            return None
        met = self.boxes.dearest(self.current.net / NEARLY_TIGHT, self.around @ self.current.price_of_cut)
        self.add(met, np.flatnonzero(met.excess > 0))
        least = 1e-9 * self.problem.price_of_suppression
        best, worth = None, self.current.worth(self.problem)
        for _ in range(MOST_TURNS):
            found = self.solve(budget)
            if found is None:
                break
            wished = self.standing(found)
            allowed = self.around @ wished.price_of_cut
            met = self.boxes.dearest(wished.net, allowed)
            broken = self.boxes.worst(met, least)
            promised = wished.worth(self.problem)
            kept = Standing(self.boxes.divided(wished.net, allowed, met)[0], wished.cuts, wished.price_of_cut)
            if kept.worth(self.problem) > worth:
                best, worth = kept, kept.worth(self.problem)
            self.add(met, broken)
            is_close = promised <= worth * (1.0 + CLOSE)
            if not (is_close and self.cut(found.share, budget)) and promised <= worth * (1.0 + ENOUGH):
                break
        return best

    def solve(self, budget: Budget) -> Wished | None:
        step = float(len(self.tuples) * self.problem.k**4)
        most = int(min(budget.left() * STEPPED_PER_SECOND / step, 2e9))
        found = self.program.solve(most)
        budget.spend((most if found is None else found.steps) * step, STEPPED_PER_SECOND)
        return found

    def standing(self, found: Wished) -> Standing:
        net, cuts = self.current.net.copy(), self.current.price_of_cut.copy()
        net[self.tuples], cuts[self.free] = found.net, found.cuts
        return Standing(net, self.current.cuts, cuts)

    def add(self, met: Dearest, which: Longs) -> None:
        """Tell the program about the rows taken in some boxes; what others than the block's pay is fixed."""
        from scipy import sparse

        if len(which) == 0:
            return
        boxes, n = self.boxes, self.problem.n_tuples
        rows, high = sets_of(met, which, boxes.boxes.price, boxes.own, self.around)
        fixed = np.where(self.is_mine, 0.0, self.current.net)
        given = self.current.price_of_cut.copy()
        given[self.free] = 0.0
        high = high - rows @ np.concatenate([fixed, given])
        prices = rows[:, :n]
        self.program.add_rows(sparse.hstack([prices[:, self.tuples], rows[:, n + self.free]], format="csr"), high)
        self.box_of_set = np.concatenate([self.box_of_set, which])
        self.rows = sparse.vstack([self.rows, prices], format="csr")

    def cut(self, share: Floats, budget: Budget) -> bool:
        """Add cuts: boxes around two groups that share a row, if more groups are inside than fit; whether there were
        any.
        """
        share = share[: len(self.box_of_set)]
        used = np.flatnonzero(share > 1e-6)
        boxes, share = self.nodes[self.box_of_set[used]], share[used]
        found = self.around_two(boxes, share, self.rows[used])
        if len(found) == 0:
            return False
        budget.spend(len(found) * len(boxes) * self.problem.n_columns, COMPARED_PER_SECOND)
        inside = np.concatenate(
            [self.now_inside(boxes, share, part) for part in np.array_split(found, len(found) // 500 + 1)]
        )
        found, inside = found[inside > 1.0 + TOO_MANY], inside[inside > 1.0 + TOO_MANY]
        n_asked = len(self.current.cuts.fitting)
        over = inside - self.current.cuts.groups_in(found)
        new_ones = len(self.current.cuts.fitting) - n_asked
        budget.spend(new_ones * self.problem.n_tuples * self.problem.n_columns, COMPARED_PER_SECOND)
        new = np.argsort(-over, kind="stable")[:AT_ONCE]
        new = new[over[new] > TOO_MANY]
        if len(new) == 0:
            return False
        n = len(self.current.cuts)
        self.current.more_cuts(np.ascontiguousarray(found[new]))
        self.around = self.current.cuts.around(self.nodes, self.one)
        self.program.add_columns(self.around[self.box_of_set][:, n:].tocsc(), self.current.cuts.most_groups[n:])
        self.free = np.concatenate([self.free, np.arange(n, len(self.current.cuts))])
        return True

    def now_inside(self, boxes: Ints, share: Floats, of: Ints) -> Floats:
        """How many of these groups, of each its share, are inside of each of some boxes."""
        found: Floats = self.current.cuts.nodes.inside(boxes, of).astype(np.float64) @ share
        return found

    def around_two(self, boxes: Ints, share: Floats, rows: Any) -> Ints:
        """The boxes around two groups that share a row, if one is used in part or a tuple of both too often; without
        those that are cuts already.
        """
        holds = (rows != 0).astype(np.float32)
        both = (holds @ holds.T).tocoo()
        in_part = np.abs(share - np.round(share)) > 1e-6
        is_full = holds[:, np.flatnonzero(rows.T @ share > self.problem.weight + 1e-6)].getnnz(axis=1) > 0
        able = in_part[both.row] | in_part[both.col] | (is_full[both.row] & is_full[both.col])
        pick = np.flatnonzero((both.row < both.col) & able)[:MOST_JOINS]
        joined = np.unique(self.current.cuts.nodes.joined(boxes[both.row[pick]], boxes[both.col[pick]]), axis=0)
        is_new = [box.tobytes() not in self.current.cuts.known for box in joined]
        return np.ascontiguousarray(joined[np.array(is_new, dtype=np.bool_)], dtype=np.int32)
