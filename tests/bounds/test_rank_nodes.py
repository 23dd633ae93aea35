"""Boxes as nodes: what they hold and what lies inside, against sets of tuples."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import kernels
from shoal.bounds.rank_nodes import NodeCuts, TreeNodes
from shoal.problem import Problem
from tests.contract.test_bounds import random_table
from tests.naive.boxes import all_boxes


def some_boxes(problem: Problem) -> tuple[np.ndarray, list[set[int]]]:
    boxes = all_boxes(problem)
    return np.array(list(boxes), dtype=np.int32), [set(tuples) for _, tuples in boxes.values()]


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**9))
def test_what_boxes_hold_and_what_is_inside(seed: int) -> None:
    problem = random_table(np.random.default_rng(seed), "tree")
    boxes, tuples = some_boxes(problem)
    nodes = TreeNodes(problem)
    box, held = nodes.held(boxes)
    assert [set(held[box == b].tolist()) for b in range(len(boxes))] == tuples
    inside = nodes.inside(boxes, boxes)
    for a in range(len(boxes)):
        for b in np.flatnonzero(inside[a]).tolist():
            assert tuples[b] <= tuples[a]
    assert inside.diagonal().all()


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**9))
def test_a_box_around_two_holds_both_and_no_smaller_one_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, "tree")
    boxes, tuples = some_boxes(problem)
    nodes = TreeNodes(problem)
    a, b = rng.integers(0, len(boxes), size=(2, 20))
    joined = nodes.joined(boxes[a], boxes[b])
    around = nodes.inside(boxes[a], boxes).T & nodes.inside(boxes[b], boxes).T
    for i in range(20):
        assert nodes.inside(joined[i : i + 1], boxes[around[i]]).all()
        _, held = nodes.held(joined[i : i + 1])
        assert tuples[a[i]] | tuples[b[i]] <= set(held.tolist())


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**9))
def test_cuts_know_what_is_inside_and_what_fits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, "tree")
    boxes, tuples = some_boxes(problem)
    cuts = NodeCuts(TreeNodes(problem))
    chosen = rng.permutation(len(boxes))[:5]
    cuts.add(boxes[chosen[:2]])
    cuts.add(boxes[chosen[2:]])
    rows = [sum(int(problem.weight[t]) for t in tuples[u]) // problem.k for u in chosen]
    assert cuts.most_groups.tolist() == rows == cuts.groups_in(boxes[chosen]).tolist()
    one = np.array([min(held) for held in tuples])
    around = cuts.around(boxes, one).toarray()
    assert (around == cuts.nodes.inside(boxes, boxes[chosen]).T).all()


@settings(deadline=None, max_examples=80)
@given(seed=st.integers(0, 10**9), threads=st.sampled_from([1, 2]))
def test_a_walk_with_cuts_is_as_tight_as_all_boxes_say(seed: int, threads: int) -> None:
    """The largest sum of k to 2k − 1 prices of a box over what so many rows pay and the cuts around."""
    rng = np.random.default_rng(seed)
    problem = random_table(rng, "tree")
    boxes, tuples = some_boxes(problem)
    cuts = NodeCuts(TreeNodes(problem))
    cuts.add(boxes[rng.permutation(len(boxes))[:4]])
    price_of_cut = rng.random(len(cuts)) * problem.price_of_suppression
    prices = rng.random(problem.n_tuples) * problem.price_of_suppression
    given = (problem.packed, problem.codes, problem.weight, problem.k, prices, 0.1)
    found, listed, _ = kernels.tight_boxes(*given, 0.1, 0.1, 1000, threads=threads, cuts=cuts.priced(price_of_cut))
    wanted = np.full(problem.n_tuples, 0.1)
    closed = {
        frozenset(held): nodes
        for held, nodes in sorted(zip(map(frozenset, tuples), boxes, strict=True), key=lambda p: -p[1].sum())
    }
    for held, nodes in closed.items():
        lowest = boxes[[set(held) == t for t in tuples]]
        nodes = min(lowest, key=lambda box: sum(c.price[v] for c, v in zip(problem.columns, box, strict=True)))
        price = sum(float(c.price[v]) for c, v in zip(problem.columns, nodes, strict=True))
        allowed = sum(
            p
            for p, u in zip(price_of_cut, range(len(cuts)), strict=True)
            if held <= set(cuts.tuples[cuts.cut == u].tolist())
        )
        rows = sorted((prices[t] for t in held for _ in range(problem.weight[t])), reverse=True)
        sizes = range(problem.k, min(2 * problem.k - 1, len(rows)) + 1)
        tight = max(sum(rows[:m]) / (m * price + allowed) if m * price + allowed > 0 else np.inf for m in sizes)
        for t in held:
            wanted[t] = max(wanted[t], tight)
    assert np.allclose(found, wanted)
    assert (np.diff(listed.start) > 0).all()
