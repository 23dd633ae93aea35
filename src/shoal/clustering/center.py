"""(k,r)-center and (k,r,ε)-center: at most so many clusters, each of at least r rows, with the smallest largest radius.

Problem.     Given points in a metric space, r, a largest number of clusters and ε, leave at most ⌊εn⌋ points out and
             put the others into at most that many clusters of at least r, so that the largest radius is smallest.
Guarantee.   ε = 0: radius at most 2 times the optimum. ε > 0: 4 times.
Method.      ε = 0: as r-gather, with "too many centres" as another failure; unmarked points are taken farthest first,
             so that one pass gives the centres of every threshold. ε > 0: points are removed while they have fewer than
             r others left within D = 2R; then, as often as there may be clusters, the uncovered point with most
             uncovered ones within D covers all within 2D; if enough is covered, each covered point goes to its nearest
             centre. Then ``improve`` narrows the result, which never costs more.
Deviations.  The paper's filter keeps points with r points within 2R, some of which the filter itself removes: points 0,
             1, 2 on a line with k = 1, r = 3, ε = 2/3 then give a cluster of one. Peeling until each point left has r
             points *left* within 2R repairs Lemma 2.5; Lemmas 2.6 and 2.7 hold for what is left, since an optimal
             clustering is never peeled.
Complexity.  As r-gather; each threshold needs about (clusters × n) distances.
Notation.    k = ``max_clusters``, R = threshold / 2, Q = centres.
Reference.   Aggarwal et al. Achieving Anonymity via Clustering. PODS 2006. Section 2.4, Lemmas 2.5 to 2.7, Theorem 2.8.
"""

from __future__ import annotations

import numpy as np

from shoal.clustering import flow
from shoal.clustering.base import Answer, Method, Task
from shoal.clustering.diversity import peel, rth_distance
from shoal.clustering.gather import bound_text, narrowed, nearest_for_the_rest, quantile
from shoal.clustering.points import Floats, Found
from shoal.clustering.radii import Radii
from shoal.errors import PolicyError


def solve(task: Task) -> Answer:
    if task.max_clusters is None:
        raise PolicyError(
            "The method 'center' needs a largest number of clusters (--max-clusters). Without one, take 'gather'."
        )
    points = task.points
    t = rth_distance(points, task.r, task.diverse)
    value, favourite = points.space.cheapest_ball(t)
    row_bound = quantile(value, points.space.weight, task.max_outliers)
    threshold, first = (with_outliers if task.max_outliers else without_outliers)(task, t)
    best = narrowed(task, first, value, favourite, row_bound)
    bound = max(threshold / 2, row_bound) if task.centres == "input" else threshold / 2
    return Answer(
        best,
        "(k,r,ε)-center" if task.max_outliers else "(k,r)-center",
        best.radius(points),
        first.radius(points),
        bound,
        bound_text(task, threshold, row_bound),
        {
            "kind": "radius",
            "threshold": threshold,
            "r": task.r,
            "max_clusters": task.max_clusters,
            "max_outliers": task.max_outliers,
            "cheapest_ball": row_bound,
        },
    )


def without_outliers(task: Task, t: Floats) -> tuple[float, Found]:
    """The smallest threshold at which farthest-first centres are few enough and the flow succeeds."""
    points, most = task.points, task.max_clusters or 1
    centres, apart, _, _ = points.space.farthest_first(most + 1)
    separation = float(apart[most]) if len(apart) > most else 0.0  # at a smaller threshold there is one centre too many

    def attempt(reach: float) -> Found | None:
        chosen = np.ascontiguousarray(centres[:most][apart[:most] > reach])
        return flow.assign(points, chosen, reach, task.r, diverse=task.diverse)

    return Radii(points.space).smallest(attempt, max(float(t.max()), separation))


def with_outliers(task: Task, t: Floats) -> tuple[float, Found]:
    """The smallest threshold at which the greedy centres cover enough of what peeling leaves."""
    points, most = task.points, task.max_clusters or 1
    space = points.space

    def attempt(reach: float) -> Found | None:
        gone = peel(points, t, reach, task.r, task.max_outliers, task.diverse)
        if gone is None:
            return None
        weight = np.where(gone, 0, space.weight)
        centres = space.cover(reach, 2 * reach, most, weight)
        ball = space.balls(centres, 2 * reach, weight)
        covered = np.zeros(space.n, dtype=np.int64)
        covered[ball.at] = space.weight[ball.at]
        if int(covered.sum()) < space.total - task.max_outliers:
            return None
        return nearest_for_the_rest(points, centres, np.full(space.n, -1, dtype=np.int32), covered, 2 * reach)

    return Radii(space).smallest(attempt, quantile(t, space.weight, task.max_outliers))


CENTER = Method(
    name="center",
    title="Smallest largest radius of a bounded number of clusters",
    reference="Aggarwal et al. 2006, section 2.4",
    default_centres="any",
    publishes_radius=False,
    solve=solve,
)
