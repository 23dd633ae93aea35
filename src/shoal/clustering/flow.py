"""Giving every centre what a cluster needs: maximum flow on the sparse graph of centres and points within reach."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from shoal.clustering.diversity import Diverse
from shoal.clustering.points import Found, Ints, Longs, Points
from shoal.kernels.space import Lists


def assign(
    points: Points, centres: Ints, reach: float, r: int, weight: Longs | None = None, diverse: Diverse | None = None
) -> Found | None:
    """Every point to a centre within reach such that each centre has weight r, and the different values that it needs;
    None if that cannot be.

    A point goes to its nearest centre unless another one needs it. Points of weight 0 are left out; all others must
    have a centre within reach, or None is the answer. With ``diverse`` a point is there with all of its rows or with
    none.
    """
    w = points.space.weight if weight is None else weight
    if len(centres) == 0 or int(w.sum()) < r * len(centres):
        return None
    edges = points.space.balls(centres, reach, weight)
    owner = edges.owner()
    nearest = _nearest(points.space.n, edges, owner)
    if ((nearest < 0) & (w > 0)).any():
        return None
    if _are_enough(nearest, w, len(centres), r, diverse):
        sent = np.zeros(len(edges.at), dtype=np.int64)
    elif diverse is not None:
        label = _diverse_labels(edges, owner, w, nearest, len(centres), r, diverse)
        return None if label is None else Found(label, centres)
    else:
        flow = _flow(edges, owner, w, len(centres), r)
        if flow is None:
            return None
        sent = flow
    return Found(_labels(points, edges, owner, sent, nearest, w, weight is not None), centres)


def _are_enough(nearest: Ints, w: Longs, n_centres: int, r: int, diverse: Diverse | None) -> bool:
    """Whether every centre has what it needs when all points go to their nearest one."""
    kept = np.flatnonzero(w > 0).astype(np.int32)
    if (np.bincount(nearest[kept], weights=w[kept], minlength=n_centres) < r).any():
        return False
    if diverse is None:
        return True
    kept = kept[np.argsort(nearest[kept], kind="stable")]
    first = np.searchsorted(nearest[kept], np.arange(n_centres + 1)).astype(np.int64)
    return bool((diverse.n_different(Lists(first, kept, np.zeros(len(kept)))) >= diverse.least).all())


def _diverse_labels(
    edges: Lists, owner: Ints, w: Longs, nearest: Ints, n_centres: int, r: int, diverse: Diverse
) -> Ints | None:
    """The cluster of each row, where every centre takes l rows of different values, and r − l rows of any; None if they
    cannot.

    The flow goes from a centre through each value at most once to a kind of rows, or past the values to any kind.
    """
    entry, kinds, value = diverse.spelled_out(edges)
    of, kind, there = owner[entry].astype(np.int64), kinds.astype(np.int64), value >= 0
    pair, of_pair = np.unique(of[there] * (int(diverse.value.max(initial=0)) + 1) + value[there], return_inverse=True)
    taker = pair // (int(diverse.value.max(initial=0)) + 1)
    more = max(r - diverse.least, 0)
    n_kinds = len(diverse.kinds[0])
    # source, sink, a node for different values and one for any at each centre, pairs, kinds
    by_value = 2 + 2 * n_centres
    of_kind = by_value + len(pair)
    n = of_kind + n_kinds
    tail = [
        np.zeros(2 * n_centres, dtype=np.int64),
        2 + taker,
        by_value + of_pair.reshape(-1).astype(np.int64),
        2 + n_centres + of,
        of_kind + np.arange(n_kinds),
    ]
    head = [
        2 + np.arange(2 * n_centres),
        by_value + np.arange(len(pair)),
        of_kind + kind[there],
        of_kind + kind,
        np.ones(n_kinds, dtype=np.int64),
    ]
    cap: list[Longs] = [
        np.repeat([diverse.least, more], n_centres),
        np.ones(len(pair) + int(there.sum()), dtype=np.int64),
        np.full(len(kind), more),
        np.where(w[diverse.kinds[0]] > 0, diverse.kinds[2], 0),
    ]
    graph = csr_array(
        (np.concatenate(cap).astype(np.int32), (np.concatenate(tail), np.concatenate(head))), shape=(n, n)
    )
    answer = maximum_flow(graph, 0, 1)
    if answer.flow_value < (diverse.least + more) * n_centres:
        return None
    moved = answer.flow.tocoo()
    went = (moved.data > 0) & (moved.col >= of_kind) & (moved.row >= 2)
    centre_of = np.concatenate([np.full(2 + n_centres, -1), np.arange(n_centres), taker])[moved.row[went]]
    return _label_kinds(moved.col[went] - of_kind, centre_of, moved.data[went], nearest, w, diverse)


def _label_kinds(kind: Longs, centre: Longs, count: Longs, nearest: Ints, w: Longs, diverse: Diverse) -> Ints:
    """Rows of each kind along the flow; what it left goes to the nearest centre of the point."""
    point, _, many, of_row = diverse.kinds
    left = many - np.bincount(kind, weights=count, minlength=len(many)).astype(np.int64)
    rest = np.where(w[point] > 0, nearest[point], -1)
    of = np.concatenate([kind, np.arange(len(many))])
    turn = np.argsort(of, kind="stable")
    label = np.empty(len(of_row), dtype=np.int32)
    label[np.argsort(of_row, kind="stable")] = np.repeat(
        np.concatenate([centre, rest])[turn], np.concatenate([count, left])[turn]
    )
    return label


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
