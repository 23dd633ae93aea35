"""Rounds of annealing, with turns of the prices in between that guide it: what each may do, and when there is no more
to gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal import demands
from shoal.bounds import dual
from shoal.bounds.base import dearest
from shoal.bounds.choice import FEW_FOR_CUTS, SHARE_OF_CUTS, cut
from shoal.bounds.dual import RisingPrices
from shoal.problem import Floats, Ints, Problem
from shoal.search.annealing import Annealing, temperatures
from shoal.search.effort import (
    CELLS_OF_COVER,
    CELLS_OF_NEAR,
    CELLS_OF_ROUND,
    CELLS_PER_SECOND,
    PRICED_PER_SECOND,
    seconds_of,
    spare_seconds,
)
from shoal.search.run import Run
from shoal.search.withholding import bring_back, withhold

LEAST_ROUNDS, FEWEST_ROUNDS = 24, 6
"""Rounds of a short search; fewer where beginning and ending them would take more than ``OF_ROUNDS`` of it."""
OF_ROUNDS = 0.12
WORTH_A_TURN = 2.0
"""Seconds from which on the prices are raised before the search begins, and a cover is made along them."""
TOO_HOT = 0.75
"""After a round that ends above the least cost so far, the temperature falls by this factor at once, so that a good
start is not undone.

In a search of more than ``LEAST_ROUNDS`` rounds by much less, so that a long search does not cool as soon as a short
one."""
MOST_PRICING = 0.5
"""The share of an effort that prices may take at most, as long as a turn gains more in its time than a round of the
search.
"""
RISEN, LONG = 1e-4, 50.0
"""The prices rise no further if a turn raises their sum by no more than this share; of more than so many seconds of
effort, by less in proportion.
"""
STILL, STILL_ROUNDS, STILL_SHARE = 1e-4, 6, 0.125
"""The search has stopped moving if its cost changed by no more than this share over so many rounds, and is the least so
far.

Of a long search, over this share of its rounds: it cools slowly, and from one round to the next it always seems to
stand still."""


@dataclass
class Spending:
    """What a search may spend, in seconds."""

    seconds: float
    cells: float
    """Cells that are looked at in a second for each unit."""
    besides: float
    """What goes to other things than rounds and prices."""
    is_covered: bool
    """Whether the dearest rows are covered with tight boxes before the search."""


def spending_of(problem: Problem) -> Spending:
    """What was asked for, before anything of it is spent."""
    seconds, cells = seconds_of(problem), CELLS_PER_SECOND / problem.n_units
    is_quick = CELLS_OF_COVER / cells <= 0.15 * seconds
    is_covered = not problem.demands and not problem.deletion and seconds >= WORTH_A_TURN and is_quick
    return Spending(seconds, cells, CELLS_OF_NEAR / cells, is_covered)


class Rounds:
    """Rounds of annealing: how warm they are, what each cost, and what is left for the next ones."""

    def __init__(self, run: Run, prices: RisingPrices, near: Ints, spending: Spending) -> None:
        """The first round is cold. It tells how warm the others should be."""
        problem, seconds = run.problem, spending.seconds
        self.run, self.prices, self.near, self.spending, self.problem = run, prices, near, spending, problem
        self.fee = first_fee(problem, prices) if problem.may_withhold else None
        leave = leave_prices(problem, self.fee)
        self.annealing = Annealing(problem, run.group, prices.prices, near, leave, run.watch)
        pause = 1.0 + problem.n_units / 300_000  # seconds of a round: short enough to stop between two
        self.costs = [self.annealing.round(int(min(0.04 * seconds, pause) * CELLS_PER_SECOND), 0.0, 0.0)]
        keep(run, self.annealing, near)
        run.tell("search", 0.0)
        shares = temperatures(problem.k, is_good=spending.is_covered)
        self.warm, self.cold = (share * self.annealing.uphill for share in shares)
        each = CELLS_OF_ROUND / spending.cells
        self.most = max(FEWEST_ROUNDS, min(LEAST_ROUNDS, int(OF_ROUNDS * seconds / each)), int(seconds / pause))
        spending.besides += (self.most + 1) * each

    def raise_prices(self, number: int) -> bool:
        """Turns of the prices before a round; False if the run was stopped meanwhile."""
        run, prices, seconds = self.run, self.prices, self.spending.seconds
        self.spending.besides += prove_by_cuts(run, seconds) if self.spending.is_covered else 0.0
        is_cheap = prices.work < MOST_PRICING * seconds * PRICED_PER_SECOND
        least = prices.turns + 1 if is_cheap and run.rise > fall_of(self.costs, self.annealing) else 0
        raise_prices(run, prices, prices.share * seconds * min(2.0 * (number + 1) / self.most, 1.0), least)
        return not run.watch.wants_stop()

    def loosen(self) -> None:
        """What the last round told: the price of leaving, finer units, the prices that guide the next."""
        if self.fee is not None:
            self.fee = adjusted(self.run.problem, self.fee, self.annealing.group)
        was = self.annealing.loosen_more()
        if was is not None:
            self.run.cut_anew(self.annealing.problem, was)
        self.annealing.guide(self.prices.prices, leave_prices(self.problem, self.fee))

    def play(self, number: int) -> bool:
        """One round; whether it was the last."""
        run, prices, annealing, costs = self.run, self.prices, self.annealing, self.costs
        warm, self.warm = self.warm, cooler(self.warm, self.cold, self.most - number)
        is_done = run.is_priced and self.fee is None and is_still(costs, self.most)  # nothing worse passes any more
        is_last = number == self.most - 1 or is_done
        cost = annealing.round(self._work(number), 0.0 if is_last else warm, 0.0 if is_last else self.warm)
        if cost > min(costs) and self.fee is None:
            self.warm = max(TOO_HOT ** min((LEAST_ROUNDS / self.most) ** 2, 1.0) * self.warm, self.cold)
        costs.append(cost)
        run.work = annealing.work / CELLS_PER_SECOND + prices.work / PRICED_PER_SECOND
        keep(run, annealing, self.near)
        run.tell("search", (number + 1) / self.most)
        return is_last

    def _work(self, number: int) -> int:
        """The cells that a round may look at: its part of what is left, and not too little however much the prices
        took.
        """
        seconds, besides, prices = self.spending.seconds, self.spending.besides, self.prices
        priced = prices.work / PRICED_PER_SECOND
        reserved = 0.0 if self.run.is_priced else max(prices.share * seconds - priced, 0.0)
        left = seconds - besides - self.annealing.work / CELLS_PER_SECOND - priced - reserved
        share = max(prices.share, min(priced / seconds, MOST_PRICING))
        least_left = max((1.0 - share) * seconds - besides, 0.1 * seconds) / self.most
        return int(max(left / (self.most - number), least_left) * CELLS_PER_SECOND)


def is_still(costs: Sequence[float], rounds: int) -> bool:
    """Whether a search of so many rounds has stopped moving, as far as its costs after each round tell."""
    window = max(STILL_ROUNDS, int(STILL_SHARE * rounds))
    recent = costs[-window:]
    return (
        len(costs) > window
        and max(recent) - min(recent) <= STILL * min(costs)
        and recent[-1] <= (1.0 + STILL) * min(costs)
    )


def fall_of(costs: Sequence[float], annealing: Annealing) -> float:
    """By what share the cost fell in a second of the last round; 0 if it rose, or if there was but one round."""
    if len(costs) < 2 or annealing.last_work <= 0:
        return 0.0
    return max(1.0 - costs[-1] / costs[-2], 0.0) * CELLS_PER_SECOND / annealing.last_work if costs[-2] > 0.0 else 0.0


def cooler(warm: float, cold: float, rounds: int) -> float:
    """The temperature after the next round, when so many rounds are left until it is cold."""
    return float(warm * (cold / warm) ** (1.0 / rounds)) if warm > 0.0 else 0.0


def raise_prices(run: Run, prices: RisingPrices, allowed: float, least: int = 0) -> None:
    """Turns of the prices, as long as they gain and their share of the effort lasts."""
    little = RISEN * LONG / max(seconds_of(run.problem), LONG)
    while not run.is_priced and not run.watch.wants_stop():
        if prices.turns >= least and prices.work / PRICED_PER_SECOND >= allowed:
            break
        before, work = prices.worth(prices.best), prices.work
        prices.turn()
        run.prove(prices.result().bound)
        after = prices.worth(prices.best)
        risen = after > before * (1.0 + little)
        run.rise = (after / before - 1.0) * PRICED_PER_SECOND / max(prices.work - work, 1) if before > 0.0 else 0.0
        run.is_priced = prices.is_stuck or prices.is_final or not risen or prices.turns >= 3 * dual.TURNS


def prove_by_cuts(run: Run, seconds: float) -> float:
    """What cuts prove beyond prices, once: on a larger table when the prices rise no further.

    It comes on top of the search; of a limit of time, the search lends what is not left: how much.
    """
    problem = run.problem
    if run.bound is None or run.is_cut or run.is_over() or not (run.is_priced or problem.n_tuples <= FEW_FOR_CUTS):
        return 0.0
    run.is_cut = True
    spare = spare_seconds(problem, seconds)
    bound, took = cut(problem, run.bound, run.watch, max(SHARE_OF_CUTS * seconds, min(seconds, spare)))
    run.prove(bound)
    run.tell("cuts")
    return max(took - spare, 0.0)


def keep(run: Run, annealing: Annealing, near: Ints) -> None:
    """Keep the search's groups if they are better, after bringing the number of withheld rows within what is
    allowed.
    """
    group, problem = annealing.group, run.problem
    if not problem.may_withhold and problem.is_laminar:
        run.keep(group, max(annealing.cost - float((problem.weight * problem.offset_of_tuple).sum()), 0.0))
        return
    if problem.max_withheld:
        over = int(problem.rows_of_unit[group < 0].sum()) - problem.max_withheld
        if over != 0 and run.watch.wants_stop():
            return  # on a million rows that takes seconds: the best so far stays
        if over > 0:
            group = bring_back(problem, group, near, over)
            if problem.demands:
                group = demands.satisfy(problem, group, run.watch)
        elif over < 0:
            group = withhold(problem, group, run.watch)
    run.keep(group)


def first_fee(problem: Problem, prices: RisingPrices) -> float:
    """The price of leaving to begin with: that of suppression, or what the last of the rows is worth that may leave, if
    the dearest do.
    """
    if problem.deletion:
        return problem.price_of_suppression
    return dearest(problem, prices.prices - problem.offset_of_tuple)[1]


def adjusted(problem: Problem, fee: float, group: Ints) -> float:
    """A higher price of leaving if too many rows left, a lower one if too few."""
    if problem.deletion:
        return fee
    left = int(problem.rows_of_unit[group < 0].sum())
    ratio = (left + 1) / (problem.max_withheld + 1)
    return fee * min(max(float(ratio**0.25), 0.7), 1.4)


def leave_prices(problem: Problem, fee: float | None) -> Floats | None:
    """What leaving costs a row of each tuple, offsets not taken off: the fee, and where it is for nothing the offset
    that is taken off.
    """
    if fee is None:
        return None
    return np.full(problem.n_tuples, fee) if problem.deletion else problem.offset_of_tuple + fee
