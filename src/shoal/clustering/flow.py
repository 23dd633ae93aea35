"""Giving r points to every centre: maximum flow on the sparse graph of centres and points within reach."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from shoal.clustering.points import Found, Ints, Longs, Points
from shoal.kernels.space import Lists


def assign(points: Points, centres: Ints, reach: float, r: int, weight: Longs | None = None) -> Found | None:
    """Every point to a centre within reach such that each centre has weight r; None if that cannot be.

    A point goes to its nearest centre unless another one needs it. Points of weight 0 are left out; all others must have a
    centre within reach, or None is the answer.
    """
    w = points.space.weight if weight is None else weight
    if len(centres) == 0 or int(w.sum()) < r * len(centres):
        return None
    edges = points.space.balls(centres, reach, weight)
    owner = edges.owner()
    nearest = _nearest(points.space.n, edges, owner)
    if ((nearest < 0) & (w > 0)).any():
        return None
    if (np.bincount(nearest[w > 0], weights=w[w > 0], minlength=len(centres)) >= r).all():
        sent = np.zeros(len(edges.at), dtype=np.int64)
    else:
        flow = _flow(edges, owner, w, len(centres), r)
        if flow is None:
            return None
        sent = flow
    return Found(_labels(points, edges, owner, sent, nearest, w, weight is not None), centres)


def _nearest(n: int, edges: Lists, owner: Ints) -> Ints:
    """Each point's nearest centre, the first among equals; −1 where none is within reach."""
    turn = np.lexsort((owner, edges.d, edges.at))
    at = edges.at[turn]
    begins = np.flatnonzero(np.concatenate([[True], at[1:] != at[:-1]])) if len(at) else np.empty(0, dtype=np.int64)
    nearest = np.full(n, -1, dtype=np.int32)
    nearest[at[begins]] = owner[turn[begins]]
    return nearest


def _flow(edges: Lists, owner: Ints, w: Longs, n_centres: int, r: int) -> Longs | None:
    """How many rows each edge carries when every centre gets r; None if it cannot."""
    used, point = np.unique(edges.at, return_inverse=True)
    n = 2 + n_centres + len(used)
    centre_node, point_node = 2 + np.arange(n_centres), 2 + n_centres + np.arange(len(used))
    tail = np.concatenate([np.zeros(n_centres, dtype=np.int64), 2 + owner, point_node])
    head = np.concatenate([centre_node, 2 + n_centres + point, np.ones(len(used), dtype=np.int64)])
    cap = np.minimum(np.concatenate([np.full(n_centres, r), np.full(len(owner), r), w[used]]), 2**31 - 1)
    graph = csr_array((cap.astype(np.int32), (tail, head)), shape=(n, n))
    answer = maximum_flow(graph, 0, 1)
    if answer.flow_value < r * n_centres:
        return None
    moved = answer.flow.tocoo()
    forward = (moved.row >= 2) & (moved.row < 2 + n_centres) & (moved.data > 0) & (moved.col >= 2 + n_centres)
    key = (moved.row[forward] - 2).astype(np.int64) * len(used) + (moved.col[forward] - 2 - n_centres)
    edge_key = owner.astype(np.int64) * len(used) + point
    turn = np.argsort(edge_key)
    sent = np.zeros(len(owner), dtype=np.int64)
    sent[turn[np.searchsorted(edge_key[turn], key)]] = moved.data[forward]
    return sent


def _labels(points: Points, edges: Lists, owner: Ints, sent: Longs, nearest: Ints, w: Longs, partial: bool) -> Ints:
    """Rows along the flow; what the flow left of a point goes to its nearest centre."""
    space = points.space
    carried = np.flatnonzero(sent)
    left = w - np.bincount(edges.at[carried], weights=sent[carried], minlength=space.n).astype(np.int64)
    absent = space.weight - w if partial else np.zeros(space.n, dtype=np.int64)
    everything = np.arange(space.n, dtype=np.int32)
    return points.label_rows(
        np.concatenate([edges.at[carried], everything, everything]),
        np.concatenate([owner[carried], nearest, np.full(space.n, -1, dtype=np.int32)]),
        np.concatenate([sent[carried], left, absent]),
    )
