"""Cellular clustering: each row pays the radius of its cluster, each cluster its set-up cost, and clusters have at
least r rows.

Problem.     Given points in a metric space, a set-up cost for each centre, r and ε, leave at most ⌊εn⌋ points out. Cut
             the others into cells of at least r, each with a row as its centre, so that the sum of set-up costs and of
             size × radius is least.
Guarantee.   Without r: 3 times the optimum for any set-up costs (the service cost plus three times the set-up costs is
             at most three times the dual value); with outliers 6 times. With r: 36 times, with outliers 54 times; 60
             and 90 for set-up costs that differ; 6 and 9 for any set-up costs where a row may be counted by several
             clusters. Twice as much where a centre need not be a row.
Method.      Primal–dual. All points raise their offers alike; a cluster (v, d) collects what its members offer above d,
             opens when that pays its price and connects them. By falling radius, clusters nobody of whose payers is
             taken stay open; other points follow the cluster that connected them. With r, a cluster's price has r × d
             on top and it needs r potential members; then each takes the r rows nearest to its centre (*sharing*), and
             the clusters are made disjoint again. With outliers the ascent ends when at most ⌊εn⌋ points are
             unconnected, for every guess of the most expensive cluster that the optimum opens. Local search from there,
             and from cells chosen along the prices of the lower bound; the cheaper result is kept, so it never costs
             more than the guaranteed one.
Deviations.  (r,ε) is one sentence in the paper; this is the concrete algorithm of the proof in docs/guarantees.md. The
             paper's claim on the total set-up cost of disjoint clusters is false where set-up costs differ: there, a
             cluster that was put together may be around a centre of one of its parts. Leftover clusters are put
             together until they have at least r rows (the paper: "exceeds"), are attached to a cluster that was open
             before, and count for nothing when empty; the r nearest rows include the centre's own. The guesses are
             walked from the most expensive cluster opened downwards, so that guesses that change nothing are never run.
             It takes larger steps once the factor is reached without the guesses that these pass over.
Complexity.  One ascent visits the pairs (point, centre) near each other a few times: n log n distances in spaces of low
             dimension, n² at worst; memory n + the neighbours that the prices need.
Notation.    f = ``setup``, α = offers, c = (v_c, d_c) = cluster.
Reference.   Aggarwal et al. Achieving Anonymity via Clustering. PODS 2006. Section 3, Lemmas 3.3 to 3.7, Theorems 3.5
             and 3.8.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np

from shoal.clustering import cells, prices
from shoal.clustering.base import Answer, Method, Task
from shoal.clustering.guarantee import guarantee, kind_of
from shoal.clustering.points import Floats, Found, Points
from shoal.clustering.primal import open_clusters
from shoal.clustering.sharing import disjoint, lists_of, overlapping, shared
from shoal.kernels.space_ascent import Ascent, ascend

FEW = 4000
"""Up to so many distinct points the walk over the guesses is fine; above, it takes larger steps from the start."""
RUNS = 24
"""So many guesses are run before the walk takes larger steps."""
SAFE = 1e-9
"""The bound is taken lower by this share than it was computed, for the rounding of its sum."""
LARGE_STEP = 0.8
"""The next guess, as a share of the most expensive cluster that was opened, where steps are large."""


def solve(task: Task) -> Answer:
    points, space = task.points, task.points.space
    setup = np.zeros(space.n) if task.setup is None else task.setup
    share = float(task.r) if task.r > 1 else 0.0
    t = space.rth_distance(task.r)
    widest = 2 * float(space.distances(0, np.arange(space.n, dtype=np.int32)).max())
    full = ascend(space, t, setup, share, task.max_outliers, np.inf, widest)
    bound, y, text = lower_bound(task, t, setup, share, full, widest)
    if task.max_outliers:
        first = best_guess(task, t, setup, share, full, widest, (1.0 - SAFE) * bound)
    else:
        first = from_dual(task, full, np.ones(space.n, dtype=np.bool_))
    if task.centres == "any":  # a cell around any point is, around a row of its own, at most twice as wide
        bound, y = bound / 2, y / 2
        text = f"half of {text}: a cell around any point is, around a row of its own, at most twice as wide"
    found = (
        cells.searched(task, setup, first, y) if first.rows is None else best_shared(task, t, setup, first, y, widest)
    )
    return Answer(
        found,
        problem_name(task),
        cost(points, found, setup),
        cost(points, first, setup),
        bound,
        text,
        {"kind": "prices", "r": task.r, "max_outliers": task.max_outliers, "prices": y[points.of_row]},
    )


def best_shared(task: Task, t: Floats, setup: Floats, first: Found, y: Floats, widest: float) -> Found:
    """Where rows may be shared: the cheapest of the guaranteed clustering, of cells that were opened without a least
    size, and of disjoint ones.
    """
    points, space = task.points, task.points.space
    free = ascend(space, t, setup, 0.0, task.max_outliers, np.inf, widest)
    again = one_guess(task, free) if task.max_outliers else from_dual(task, free, np.ones(space.n, dtype=np.bool_))
    apart = cells.searched(task, setup, disjoint(points, first.centre, lists_of(first), task.r, setup), y)
    return min((first, again, apart), key=lambda found: cost(points, found, setup))


def cost(points: Points, found: Found, setup: Floats) -> float:
    """Set-up costs and size times radius, over all cells."""
    return float(setup[found.centre].sum() + (found.sizes() * found.radii(points)).sum())


def from_dual(task: Task, ascent: Ascent, present: np.ndarray, outside: np.ndarray | None = None) -> Found:
    """Open clusters by falling radius; where there is a least size, share rows and make the clusters disjoint again."""
    points = task.points
    opened = open_clusters(points.space, ascent, present)
    label = opened.label[points.of_row]
    if outside is not None:
        label[outside] = -1
    if task.r == 1:
        return Found(label, opened.centre).without_gaps()
    used = Found(label, opened.centre).without_gaps()
    if task.sharing:
        return overlapping(points, used.centre, used.label, task.r)
    lists = shared(points, used.centre, used.label, task.r)
    setup = np.zeros(points.space.n) if task.setup is None else task.setup
    return disjoint(points, used.centre, lists, task.r, setup)


def best_guess(task: Task, t: Floats, setup: Floats, share: float, full: Ascent, widest: float, bound: float) -> Found:
    """For every guess of the most expensive cluster in the optimum: ascend with more expensive ones shut. The cheapest
    result.

    A guess between the most expensive cluster that a run opened and the next more expensive one gives the same run, so
    only the most expensive prices opened are tried, from the top down. A guess is at least what covers n − ℓ rows, and
    at most the cheapest cost found: an optimum has no more expensive cluster. Larger steps pass over guesses only where
    the factor is reached without them: where no cluster that a run opened costs more than ``bound``, which no optimum
    undercuts, or where a result costs at most the factor times ``bound``.
    """
    points, space = task.points, task.points.space
    factor = guarantee(replace(kind_of("cellular", task), centres="input")).factor or 0.0
    best, least, ascent = None, np.inf, full
    runs = RUNS if space.n <= FEW else 1
    for run in count():
        found = one_guess(task, ascent)
        here = cost(points, found, setup)
        if here < least:
            best, least = found, here
        dearest = float((setup[ascent.centre] + share * ascent.radius).max()) if len(ascent.centre) else 0.0
        is_open = dearest > bound
        is_reached = not is_open or least <= factor * bound
        is_fine = run < runs or (is_open and run < RUNS) or not is_reached
        limit = np.nextafter(min(dearest * (1.0 if is_fine else LARGE_STEP), least), 0)
        if dearest <= 0 or limit <= 0 or (is_reached and run + 1 >= 10 * RUNS):
            break
        ascent = ascend(space, t, setup, share, task.max_outliers, float(limit), widest)
        if int(space.weight[ascent.witness < 0].sum()) > task.max_outliers:
            break  # too few rows can be served at this price: no optimum has only such clusters
    assert best is not None
    return best


def one_guess(task: Task, ascent: Ascent) -> Found:
    """Leave out exactly ⌊εn⌋ rows: the unconnected, and some of those that the last cluster connected; then the primal
    clusters.
    """
    points, space = task.points, task.points.space
    unconnected = ascent.witness < 0
    outside = unconnected[points.of_row]
    more = task.max_outliers - int(outside.sum())
    last = np.flatnonzero(ascent.witness[points.of_row] == len(ascent.centre) - 1)
    if more > 0 and len(last):
        d = space.distances(points.of_row[last], int(ascent.centre[-1]))
        outside[last[np.argsort(-d, kind="stable")[:more]]] = True
    inside = np.bincount(points.of_row[~outside], minlength=space.n) > 0
    return from_dual(task, ascent, inside & ~unconnected, outside)


def lower_bound(
    task: Task, t: Floats, setup: Floats, share: float, full: Ascent, widest: float
) -> tuple[float, Floats, str]:
    """The best of the bounds at hand for centres among the rows, the price of each point that proves it, and what it is
    in words.
    """
    space = task.points.space
    outliers = task.max_outliers
    free = full if share == 0 else ascend(space, t, setup, 0.0, outliers, np.inf, widest) if setup.max() > 0 else None
    candidates = [
        (
            full.alpha / (2.0 if share else 1.0),
            "the dual value" if not share else "half the dual value of the augmented problem",
        )
    ]
    if free is not None and share:
        candidates.append((free.alpha, "the dual value without the least size"))
    if task.r > 1:
        cheapest, _ = space.cheapest_ball(t)
        proved = prices.prove(space, task.r, outliers, t, cheapest, full.alpha)
        candidates.append(
            (
                proved.y,
                "the dual value: in no ball of at least r rows do the r highest prices average more than its radius",
            )
        )
    value, y, text = max(
        ((prices.counted(y, space.weight, outliers), y, text) for y, text in candidates), key=lambda one: one[0]
    )
    return value, y, text


def problem_name(task: Task) -> str:
    name = "cellular" if task.r == 1 else "r-cellular"
    if task.max_outliers:
        name = "(r,ε)-cellular"
    if task.sharing:
        name += " with shared rows"
    return name if task.setup is None else f"{name} with set-up costs"


CELLULAR = Method(
    name="cellular",
    title="Smallest sum of size times radius",
    reference="Aggarwal et al. 2006, section 3",
    default_centres="input",
    publishes_radius=True,
    solve=solve,
)
