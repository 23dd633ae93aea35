"""Auto: bound and search feed each other until little is left to gain.

Problem.     Given rows, a hierarchy for each quasi-identifier, k and whatever else was demanded, find groups that cost least.
Guarantee.   None in advance. Afterwards the bound of this table says how far from the optimum the release can be at most.
Method.      A table of a few rows is solved exactly. Else: a top-down split along the hierarchies, at once; if sensitive values
             must be diverse, groups are merged until they are. Prices on the rows, whose sum is a lower bound (bounds/dual.py), tell
             which rows pay more than they must; a second release is made of the dearest rows in tight boxes, and the search begins
             with the better of the two. A local search by simulated annealing takes neighbouring groups apart, those with such rows
             first. It cuts them again from a random row on, each time adding the row that costs least beyond its price, and lets
             what is left join the groups near it. It cools over some dozens of rounds, in parts that run on all cores; in between
             the prices rise further. Rows that may be withheld leave at a price that is adjusted to their number.
Deviations.  No paper's algorithm. The moves of a local search (move a row, exchange two, split, dissolve, merge and split again) are
             all cases of one: take some groups apart and cut them again.
             Of a tuple with many rows only some are moved (search/anchors.py); what is said of rows here is said of such units.
Complexity.  Time is effort, given or by the number of units, counted in cells looked at; memory O(units).
Notation.    worth = a row's price in the dual; excess = what it pays beyond.
Reference.   This project, docs/how-it-works.md. Ruin and recreate: Schrimpf et al., J. Comp. Physics 159, 2000.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from shoal import demands, registry
from shoal.algorithms import CATALOG
from shoal.algorithms.base import Algorithm, too_few
from shoal.bounds import dual
from shoal.bounds.base import dearest, proved
from shoal.bounds.choice import FEW_FOR_CUTS, SHARE_OF_CUTS, better, cut, prices_of
from shoal.bounds.dual import RisingPrices
from shoal.budget import stoppable
from shoal.errors import Refused
from shoal.problem import Bound, Floats, Ints, Longs, Moment, Problem, Solution, Watch, close
from shoal.search import Annealing, cover, loosen, top_down, withhold
from shoal.search.annealing import temperatures
from shoal.search.effort import (
    CELLS_OF_COVER,
    CELLS_OF_NEAR,
    CELLS_OF_ROUND,
    CELLS_PER_SECOND,
    PRICED_PER_SECOND,
    seconds_of,
    spare_seconds,
)
from shoal.search.neighbours import near_tuples
from shoal.search.promises import can_search
from shoal.search.withholding import bring_back

EXACT_UP_TO = 12
"""Rows of a table that is solved exactly."""
LEAST_ROUNDS, FEWEST_ROUNDS = 24, 6
"""Rounds of a short search; fewer where beginning and ending them would take more than ``OF_ROUNDS`` of it."""
OF_ROUNDS = 0.12
LEAST_WALK = 500_000_000
"""Rows that a walk over boxes may always look at: some seconds."""
WORTH_A_TURN = 2.0
"""Seconds from which on the prices are raised before the search begins, and a cover is made along them."""
TOO_HOT = 0.75
"""After a round that ends above the least cost so far, the temperature falls by this factor at once, so that a good start is not undone.

In a search of more than ``LEAST_ROUNDS`` rounds by much less, so that a long search does not cool as soon as a short one."""
MOST_PRICING = 0.5
"""The share of an effort that prices may take at most, as long as a turn gains more in its time than a round of the search."""
RISEN, LONG = 1e-4, 50.0
"""The prices rise no further if a turn raises their sum by no more than this share; of more than so many seconds of effort, by less in proportion."""
STILL, STILL_ROUNDS, STILL_SHARE = 1e-4, 6, 0.125
"""The search has stopped moving if its cost changed by no more than this share over so many rounds, and is the least so far.

Of a long search, over this share of its rounds: it cools slowly, and from one round to the next it always seems to stand still."""
LATER = 0.25
"""What a search gets that goes on from a release without deletions, as a share of the effort of that one."""
ENOUGH = 1.0005
"""A proved ratio at which there is nothing left to do."""


@dataclass
class Run:
    """What a run has found so far."""

    problem: Problem
    watch: Watch
    group: Ints
    loss: float
    bound: Bound | None = None
    work: float = 0.0
    is_priced: bool = False
    """Whether the prices rise no further."""
    is_cut: bool = False
    """Whether cuts were looked for."""
    rise: float = 0.0
    """By what share the bound rose in a second of the last turn of the prices."""
    history: list[Moment] = field(default_factory=list)
    start: Floats | None = None
    """Prices to begin with, of an easier problem."""
    closed: Solution | None = None
    """The best groups closed, where the run is about to end with them: with free columns of a million rows that takes a second."""

    def keep(self, group: Ints, loss: float | None = None) -> None:
        """Keep groups if they are better than the best so far; what they lose is counted unless it is known."""
        made = close(self.problem, group) if loss is None else None
        loss = loss if made is None else made.loss
        if loss is not None and loss < self.loss:
            self.group, self.loss = group, loss
            self.closed = made if self.watch.wants_stop() else None

    def prove(self, bound: Bound) -> None:
        """Keep a bound if it is higher than the best so far."""
        if self.bound is None or bound.value > self.bound.value:
            self.bound = bound

    def cut_anew(self, problem: Problem, was: Longs) -> None:
        """Take the problem with its rows cut into other units; each was a part of one of today's."""
        self.problem, self.group, self.closed = problem, self.group[was], None

    def tell(self, stage: str, done: float | None = None) -> None:
        """Say where the run stands, and note it down."""
        bound = None if self.bound is None else self.bound.value
        self.watch.tell(stage, done, loss=self.loss, bound=bound)
        self.history.append(Moment(stage, self.work, self.loss, bound))

    def is_over(self) -> bool:
        if self.watch.wants_stop():
            return True
        if self.loss <= 1e-9:
            return True
        enough = max(self.problem.stop_at_ratio, ENOUGH)
        return self.bound is not None and self.loss <= enough * self.bound.value


def solve(problem: Problem, watch: Watch) -> Solution:
    """The best groups that the effort finds, with the best bound."""
    nothing = too_few(problem)
    if nothing is not None:
        return nothing
    demands.check_whole(problem)
    if problem.n_rows <= EXACT_UP_TO:
        try:
            exact: Algorithm = registry.find(CATALOG, "exact")
            return exact.solve(problem.by_rows(), watch)
        except Refused:
            pass
    run = go_on_deleting(problem, watch) if problem.deletion else begin(loosen(problem), watch)
    if not run.is_over():
        search(run)
    if run.bound is not None:
        run.bound = better(problem, run.bound, watch)
    return conclude(run)


def go_on_deleting(problem: Problem, watch: Watch) -> Run:
    """A search in which no row is deleted, whole; then a shorter one goes on from there. So deletion never loses more than its absence."""
    kept = solve(replace(problem, deletion=False), watch)
    least = problem.effort * LATER, None if problem.time_limit is None else problem.time_limit * LATER
    later = replace(kept.problem, deletion=True, effort=least[0], time_limit=least[1])
    run = Run(later, watch, kept.group, kept.loss, history=list(kept.history), start=None if kept.bound is None else kept.bound.prices)
    if run.start is not None:
        run.bound = proved(problem, "dual", run.start)
    run.keep(withhold(later, kept.group, watch))
    run.tell("withholding")
    return run


def begin(problem: Problem, watch: Watch) -> Run:
    """A first release, at once: top-down, then what demands and withholding ask for."""
    watch.tell("split")
    group = top_down(problem)
    if problem.demands:
        group = demands.satisfy(problem, group, watch)
    if problem.may_withhold:
        group = withhold(problem, group, watch)
    made = close(problem, group)
    run = Run(problem, watch, group, made.loss, closed=made if watch.wants_stop() else None)
    run.tell("split", 1.0)
    return run


def search(run: Run) -> None:
    """Rounds of the search, cooler from one to the next, with turns of the prices in between."""
    problem = run.problem
    seconds = seconds_of(problem)
    prices = prices_of(problem, max(LEAST_WALK, int(RisingPrices.share * seconds * PRICED_PER_SECOND)), run.watch, run.start)
    run.prove(prices.result().bound)
    run.work = prices.work / PRICED_PER_SECOND
    run.tell("boxes")
    if not can_search(problem) or run.is_over():
        return
    try:
        with stoppable(run.watch) as stop:
            near = near_tuples(problem, problem.seed, stop)
    except InterruptedError:
        return
    second = CELLS_PER_SECOND / problem.n_units  # cells for each unit
    besides = CELLS_OF_NEAR / second
    is_quick = CELLS_OF_COVER / second <= 0.15 * seconds
    is_covered = not problem.demands and not problem.deletion and seconds >= WORTH_A_TURN and is_quick
    if is_covered:
        besides += CELLS_OF_COVER / second
        raise_prices(run, prices, 0.1 * seconds, least=1)
        if run.watch.wants_stop():
            return
        covered = cover(problem, prices.best, prices.own, prices.widely(), near, run.watch)
        if covered is not None:
            run.keep(withhold(problem, covered, run.watch) if problem.may_withhold else covered)
        run.tell("cover")
        besides += prove_by_cuts(run, seconds)
    if run.watch.wants_stop():
        return
    fee = first_fee(problem, prices) if problem.may_withhold else None
    annealing = Annealing(problem, run.group, prices.prices, near, leave_prices(problem, fee), run.watch)
    pause = 1.0 + problem.n_units / 300_000  # seconds of a round: short enough to stop between two
    costs = [annealing.round(int(min(0.04 * seconds, pause) * CELLS_PER_SECOND), 0.0, 0.0)]
    keep(run, annealing, near)
    run.tell("search", 0.0)
    warm, cold = (share * annealing.uphill for share in temperatures(problem.k, is_good=is_covered))
    each = CELLS_OF_ROUND / second
    rounds = max(FEWEST_ROUNDS, min(LEAST_ROUNDS, int(OF_ROUNDS * seconds / each)), int(seconds / pause))
    besides += (rounds + 1) * each
    for number in range(rounds):
        if run.is_over():
            return
        besides += prove_by_cuts(run, seconds) if is_covered else 0.0
        is_worth_more = run.rise > fall_of(costs, annealing) and prices.work < MOST_PRICING * seconds * PRICED_PER_SECOND
        least = prices.turns + 1 if is_worth_more else 0
        raise_prices(run, prices, prices.share * seconds * min(2.0 * (number + 1) / rounds, 1.0), least)
        if run.watch.wants_stop():
            return
        if fee is not None:
            fee = adjusted(run.problem, fee, annealing.group)
        was = annealing.loosen_more()
        if was is not None:
            run.cut_anew(annealing.problem, was)
        annealing.guide(prices.prices, leave_prices(problem, fee))
        begin_at, warm = warm, cooler(warm, cold, rounds - number)
        last = number == rounds - 1 or (run.is_priced and fee is None and is_still(costs, rounds))  # nothing worse passes any more
        reserved = 0.0 if run.is_priced else max(prices.share * seconds - prices.work / PRICED_PER_SECOND, 0.0)
        left = seconds - besides - annealing.work / CELLS_PER_SECOND - prices.work / PRICED_PER_SECOND - reserved
        share = max(prices.share, min(prices.work / PRICED_PER_SECOND / seconds, MOST_PRICING))
        least_left = max((1.0 - share) * seconds - besides, 0.1 * seconds) / rounds  # however much the prices took
        work = int(max(left / (rounds - number), least_left) * CELLS_PER_SECOND)
        cost = annealing.round(work, 0.0 if last else begin_at, 0.0 if last else warm)
        if cost > min(costs) and fee is None:
            warm = max(TOO_HOT ** min((LEAST_ROUNDS / rounds) ** 2, 1.0) * warm, cold)
        costs.append(cost)
        run.work = annealing.work / CELLS_PER_SECOND + prices.work / PRICED_PER_SECOND
        keep(run, annealing, near)
        run.tell("search", (number + 1) / rounds)
        if last:
            return


def is_still(costs: Sequence[float], rounds: int) -> bool:
    """Whether a search of so many rounds has stopped moving, as far as its costs after each round tell."""
    window = max(STILL_ROUNDS, int(STILL_SHARE * rounds))
    recent = costs[-window:]
    return len(costs) > window and max(recent) - min(recent) <= STILL * min(costs) and recent[-1] <= (1.0 + STILL) * min(costs)


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
    """Keep the search's groups if they are better, after bringing the number of withheld rows within what is allowed."""
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
    """The price of leaving to begin with: that of suppression, or what the last of the rows is worth that may leave, if the dearest do."""
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
    """What leaving costs a row of each tuple, offsets not taken off: the fee, and where it is for nothing the offset that is taken off."""
    if fee is None:
        return None
    return np.full(problem.n_tuples, fee) if problem.deletion else problem.offset_of_tuple + fee


def conclude(run: Run) -> Solution:
    """Close the best groups."""
    made = close(run.problem, run.group) if run.closed is None else run.closed
    note = "No guarantee in advance: the bound tells how far from the optimum it can be."
    return replace(made, note=note, bound=run.bound, history=tuple(run.history))


AUTO = Algorithm(
    name="auto",
    title="Search guided by prices, with a bound for this table",
    reference="This project, docs/how-it-works.md",
    recoding="local",
    guarantee_text="None in advance; the proved ratio is found with the release.",
    guarantee=lambda problem: None,
    refuses=lambda problem: None,
    solve=solve,
    by_rows=False,
    deletes=True,
)
