"""Auto: bound and search feed each other until little is left to gain.

Problem.     Given rows, a hierarchy for each quasi-identifier, k and whatever else was demanded, find groups that cost
             least.
Guarantee.   None in advance. Afterwards the bound of this table says how far from the optimum the release can be at
             most.
Method.      A table of a few rows is solved exactly. Else: a top-down split along the hierarchies, at once; if
             sensitive values must be diverse, groups are merged until they are. Prices on the rows, whose sum is a
             lower bound (bounds/dual.py), tell which rows pay more than they must; a second release is made of the
             dearest rows in tight boxes, and the search begins with the better of the two. A local search by simulated
             annealing takes neighbouring groups apart, those with such rows first. It cuts them again from a random row
             on, each time adding the row that costs least beyond its price, and lets what is left join the groups near
             it. It cools over some dozens of rounds, in parts that run on all cores; in between the prices rise
             further. Rows that may be withheld leave at a price that is adjusted to their number.
Deviations.  No paper's algorithm. The moves of a local search (move a row, exchange two, split, dissolve, merge and
             split again) are all cases of one: take some groups apart and cut them again. Of a tuple with many rows
             only some are moved (search/anchors.py); what is said of rows here is said of such units.
Complexity.  Time is effort, given or by the number of units, counted in cells looked at; memory O(units).
Notation.    worth = a row's price in the dual; excess = what it pays beyond.
Reference.   This project, docs/how-it-works.md. Ruin and recreate: Schrimpf et al., J. Comp. Physics 159, 2000.
"""

from __future__ import annotations

from dataclasses import replace

from shoal import demands, registry
from shoal.algorithms import CATALOG
from shoal.algorithms.base import Algorithm, too_few
from shoal.bounds.base import proved
from shoal.bounds.choice import better, prices_of
from shoal.bounds.dual import RisingPrices
from shoal.budget import stoppable
from shoal.errors import Refused
from shoal.problem import Ints, Problem, Solution, Watch, close
from shoal.search import cover, loosen, top_down, withhold
from shoal.search.effort import (
    CELLS_OF_COVER,
    PRICED_PER_SECOND,
    seconds_of,
)
from shoal.search.neighbours import near_tuples
from shoal.search.promises import can_search
from shoal.search.rounds import Rounds, Spending, prove_by_cuts, raise_prices, spending_of
from shoal.search.run import Run

EXACT_UP_TO = 12
"""Rows of a table that is solved exactly."""
LEAST_WALK = 500_000_000
"""Rows that a walk over boxes may always look at: some seconds."""
LATER = 0.25
"""What a search gets that goes on from a release without deletions, as a share of the effort of that one."""


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
    """A search in which no row is deleted, whole; then a shorter one goes on from there.

    So deletion never loses more than its absence.
    """
    kept = solve(replace(problem, deletion=False), watch)
    least = problem.effort * LATER, None if problem.time_limit is None else problem.time_limit * LATER
    later = replace(kept.problem, deletion=True, effort=least[0], time_limit=least[1])
    run = Run(
        later,
        watch,
        kept.group,
        kept.loss,
        history=list(kept.history),
        start=None if kept.bound is None else kept.bound.prices,
    )
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
    prices = first_prices(run)
    if not can_search(run.problem) or run.is_over():
        return
    near = near_of(run)
    if near is None:
        return
    spending = spending_of(run.problem)
    if spending.is_covered:
        cover_dearest(run, prices, near, spending)
    if run.watch.wants_stop():
        return
    rounds = Rounds(run, prices, near, spending)
    for number in range(rounds.most):
        if run.is_over() or not rounds.raise_prices(number):
            return
        rounds.loosen()
        if rounds.play(number):
            return


def first_prices(run: Run) -> RisingPrices:
    """Prices of the rows, and the bound that they prove at once."""
    most = int(RisingPrices.share * seconds_of(run.problem) * PRICED_PER_SECOND)
    prices = prices_of(run.problem, max(LEAST_WALK, most), run.watch, run.start)
    run.prove(prices.result().bound)
    run.work = prices.work / PRICED_PER_SECOND
    run.tell("boxes")
    return prices


def near_of(run: Run) -> Ints | None:
    """The tuples near each tuple; None if the run was stopped meanwhile."""
    try:
        with stoppable(run.watch) as stop:
            return near_tuples(run.problem, run.problem.seed, stop)
    except InterruptedError:
        return None


def cover_dearest(run: Run, prices: RisingPrices, near: Ints, spending: Spending) -> None:
    """A release of the dearest rows in tight boxes, kept if it is better; and what cuts prove."""
    problem = run.problem
    spending.besides += CELLS_OF_COVER / spending.cells
    raise_prices(run, prices, 0.1 * spending.seconds, least=1)
    if run.watch.wants_stop():
        return
    covered = cover(problem, prices.best, prices.own, prices.widely(), near, run.watch)
    if covered is not None:
        run.keep(withhold(problem, covered, run.watch) if problem.may_withhold else covered)
    run.tell("cover")
    spending.besides += prove_by_cuts(run, spending.seconds)


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
