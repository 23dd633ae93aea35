"""r-gather and (r,ε)-gather: clusters of at least r rows with the smallest largest radius.

Problem.     Given points in a metric space, r and ε, leave at most ⌊εn⌋ points out and put the others into clusters of
             at least r, so that the largest radius is smallest. A centre may be any point of the space, or must be a
             row (``centres = "input"``).
Guarantee.   ε = 0: radius at most 2 times the optimum, and at most d*, the optimum's largest diameter. ε > 0: 4 times;
             3 times where centres must be rows.
Method.      ε = 0: for a threshold D = 2R, every point needs r points within D; unmarked points become centres in turn
             and mark what lies within D; a maximum flow gives each centre r points within D, and the rest goes to the
             nearest centre. The smallest D that succeeds is found by halving. ε > 0: points are removed while they have
             fewer than r others left within D; the smallest D that removes at most ⌊εn⌋ is kept; points with r
             unclustered ones within D take them; the rest joins a cluster within 2D. Centres among the rows: a
             candidate has r rows within R; rows within R of no candidate are left out; candidates take their balls
             while these hold r unclustered rows; the rest is within 3R. Then ``improve`` narrows the result, which
             never costs more.
Deviations.  Success is not monotone in D. Halving still finds a D ≤ d*, because every D ≥ d* succeeds and no distance
             lies between the D found and one that failed. D = 0 is tried too (equal rows). For the variant with centres
             among the rows the smallest R needs no search: it is a quantile of the cheapest balls. Its greedy takes
             uncovered candidates only.
Complexity.  About n log n distances for each threshold in spaces of low dimension, n² at worst; memory n + the pairs
             within 2R of a centre.
Notation.    R = threshold / 2, S = the points not removed, D(v, δ) = ball, ε n = ``max_outliers``.
Reference.   Aggarwal, Feder, Kenthapadi, Khuller, Panigrahy, Thomas, Zhu. Achieving Anonymity via Clustering. PODS
             2006. Sections 2.2 and 2.3, Lemma 2.2, Theorems 2.3 and 2.4.
"""

from __future__ import annotations

import numpy as np

from shoal.clustering import flow, improve
from shoal.clustering.base import Answer, Method, Task
from shoal.clustering.diversity import mark, peel, rth_distance
from shoal.clustering.points import Floats, Found, Ints, Longs, Points
from shoal.clustering.radii import Radii


def solve(task: Task) -> Answer:
    points = task.points
    t = rth_distance(points, task.r, task.diverse)
    value, favourite = points.space.cheapest_ball(t)
    row_bound = quantile(value, points.space.weight, task.max_outliers)
    if task.max_outliers and task.centres == "input":
        problem = "(r,ε)-gather with centres among the rows"
        threshold, first = 2 * row_bound, balls_of_rows(task, t, row_bound)
    elif task.max_outliers:
        problem = "(r,ε)-gather"
        threshold, first = with_outliers(task, t)
    else:
        problem = "r-gather"
        threshold, first = without_outliers(task, t)
    bound = max(threshold / 2, row_bound) if task.centres == "input" else threshold / 2
    paper_cost = first.radius(points)
    best = narrowed(task, first, value, favourite, row_bound)
    return Answer(
        best,
        problem,
        best.radius(points),
        paper_cost,
        bound,
        bound_text(task, threshold, row_bound),
        {
            "kind": "radius",
            "threshold": threshold,
            "r": task.r,
            "max_outliers": task.max_outliers,
            "cheapest_ball": row_bound,
        },
    )


def without_outliers(task: Task, t: Floats) -> tuple[float, Found]:
    """The smallest threshold at which the marking and the flow succeed."""
    points = task.points
    order = np.argsort(t, kind="stable").astype(np.int32)

    def attempt(reach: float) -> Found | None:
        centres, _ = points.space.mark(reach, 1, order)
        return flow.assign(points, centres, reach, task.r, diverse=task.diverse)

    return Radii(points.space).smallest(attempt, float(t.max()))


def with_outliers(task: Task, t: Floats) -> tuple[float, Found]:
    """The smallest threshold at which peeling leaves enough, then clusters on what is left."""
    points = task.points
    space = points.space
    least = quantile(t, space.weight, task.max_outliers)
    reach, gone = Radii(space).smallest(lambda d: peel(points, t, d, task.r, task.max_outliers, task.diverse), least)
    weight = np.where(gone, 0, space.weight)
    centres, taken_by = mark(points, reach, task.r, np.argsort(t, kind="stable").astype(np.int32), weight, task.diverse)
    return reach, nearest_for_the_rest(points, centres, taken_by, weight, 2 * reach)


def balls_of_rows(task: Task, t: Floats, reach: float) -> Found:
    """Clusters of radius R around candidates, and the rest to a centre within 3R."""
    points = task.points
    value, _ = points.space.cheapest_ball(t)
    weight = np.where(value <= reach, points.space.weight, 0)
    candidates = np.argsort(t, kind="stable").astype(np.int32)
    centres, taken_by = mark(points, reach, task.r, candidates[t[candidates] <= reach], weight, task.diverse)
    return nearest_for_the_rest(points, centres, taken_by, weight, 3 * reach)


def nearest_for_the_rest(points: Points, centres: Ints, taken_by: Ints, weight: Longs, reach: float) -> Found:
    """Rows that no ball took join the nearest centre, which is within reach."""
    space = points.space
    rest = np.flatnonzero((taken_by < 0) & (weight > 0)).astype(np.int32)
    label = taken_by.copy()
    if len(rest):
        at_centre = np.zeros(space.n, dtype=np.int64)
        at_centre[centres] = 1
        number = np.empty(space.n, dtype=np.int32)
        number[centres] = np.arange(len(centres), dtype=np.int32)
        nearest, _ = space.nearest(1, rest, at_centre)
        label[rest] = number[nearest[:, 0]]
    return Found(label[points.of_row], centres)


def narrowed(task: Task, first: Found, value: Floats, favourite: Ints, least: float) -> Found:
    """The best of what local improvement reaches from the guaranteed clustering and from centres chosen again."""
    points = task.points
    best = improve.narrower(points, first, task.r, task.diverse)
    again = improve.spread_anew(task, value, favourite, least, best.radius(points))
    if again is not None:
        again = improve.narrower(points, again, task.r, task.diverse)
        if again.radius(points) < best.radius(points):
            best = again
    return best


def quantile(value: Floats, weight: Longs, most_above: int) -> float:
    """The smallest value such that at most ``most_above`` weight lies above it."""
    turn = np.argsort(-value, kind="stable")
    above = np.cumsum(weight[turn])
    return float(value[turn[np.searchsorted(above, most_above, "right")]])


def bound_text(task: Task, threshold: float, row_bound: float) -> str:
    if task.centres == "input" and row_bound >= threshold / 2:
        return (
            "every row that is kept lies in a ball around some row that holds r rows; the largest of the cheapest such "
            "balls"
        )
    return "half the smallest threshold that succeeds: below it no clustering has all its diameters"


GATHER = Method(
    name="gather",
    title="Smallest largest radius",
    reference="Aggarwal et al. 2006, sections 2.2 and 2.3",
    default_centres="any",
    publishes_radius=False,
    solve=solve,
)
