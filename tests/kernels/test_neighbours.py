"""The tree of boxes, the scan and the obvious way agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import kernels
from tests.naive import neighbours as naive
from tests.tables import make_problem, random_problem


def check(problem, k: int, method: str, threads: int) -> None:
    index, distance = kernels.neighbours(problem.packed, problem.codes, None, k, threads=threads, method=method)
    rows, of_rows = kernels.neighbours(problem.packed, problem.codes, problem.weight, k, threads=threads, method=method)
    farthest = kernels.companion_distances(
        problem.packed, problem.codes, problem.weight, k, threads=threads, method=method
    )
    for u in range(problem.n_tuples):
        others = naive.companions(problem, u, folded=False)[:k]
        assert distance[u, : len(others)].tolist() == others
        assert (index[u, len(others) :] == -1).all()
        assert np.isinf(distance[u, len(others) :]).all()
        listed = index[u, : len(others)].tolist()
        assert u not in listed
        assert len(set(listed)) == len(listed)
        assert [naive.distance(problem, u, v) for v in listed] == others
        companions = naive.companions(problem, u, folded=True)
        assert farthest[u] == (companions[k - 1] if len(companions) >= k else np.inf)
        met = [v for v in rows[u].tolist() if v >= 0]
        assert [naive.distance(problem, u, v) for v in met] == of_rows[u, : len(met)].tolist()
        held = int(problem.weight[u]) - 1 + sum(int(problem.weight[v]) for v in met)
        assert held >= min(k, len(companions))
        if met:
            assert held - int(problem.weight[met[-1]]) < k
            assert of_rows[u, len(met) - 1] == min(farthest[u], companions[-1])


@given(
    seed=st.integers(0, 10**9),
    n=st.integers(1, 60),
    q=st.integers(1, 6),
    k=st.integers(1, 9),
    measure=st.sampled_from(["stars", "tree", "entropy", "non-uniform-entropy"]),
    method=st.sampled_from(["tree", "scan", "auto"]),
    threads=st.integers(1, 2),
)
def test_agrees_with_all_pairs(seed: int, n: int, q: int, k: int, measure: str, method: str, threads: int) -> None:
    problem = random_problem(np.random.default_rng(seed), n, q, k, values=5, measure=measure, deep=seed % 2 == 0)
    check(problem, k, method, threads)


def test_many_columns_agree_with_all_pairs_too() -> None:
    problem = random_problem(np.random.default_rng(3), 80, 50, 4, values=4, measure="tree", deep=True)
    check(problem, 4, "auto", 2)


def test_a_tree_with_very_many_leaves_needs_no_table() -> None:
    rng = np.random.default_rng(5)
    n_leaves = 200_000
    parent = np.concatenate(
        [n_leaves + np.arange(n_leaves) // 100, np.full(n_leaves // 100 + 1, n_leaves + n_leaves // 100)]
    )
    price = np.concatenate([np.zeros(n_leaves), np.full(n_leaves // 100, 0.4), [1.0]])
    packed = kernels.pack([parent.astype(np.int32)] * 2, [price] * 2)
    codes = np.unique(rng.integers(0, n_leaves, size=(3000, 2)), axis=0).astype(np.int32)
    by_tree = kernels.companion_distances(packed, codes, None, 3, method="tree")
    by_scan = kernels.companion_distances(packed, codes, None, 3, method="scan")
    assert (by_tree == by_scan).all()


def test_the_same_lists_on_one_core_and_on_two() -> None:
    problem = random_problem(np.random.default_rng(7), 4000, 4, 5, values=12, measure="tree", deep=True)
    one = kernels.neighbours(problem.packed, problem.codes, None, 10, threads=1)
    two = kernels.neighbours(problem.packed, problem.codes, None, 10, threads=2)
    assert (one[0] == two[0]).all()
    assert (one[1] == two[1]).all()


def test_some_queries_get_the_answers_of_all() -> None:
    problem = random_problem(np.random.default_rng(8), 500, 4, 5, values=6, measure="tree", deep=True)
    some = np.array([7, 3, 11], dtype=np.int32)
    all_of_them = kernels.neighbours(problem.packed, problem.codes, None, 5)[1]
    assert (kernels.neighbours(problem.packed, problem.codes, None, 5, queries=some)[1] == all_of_them[some]).all()


def test_refuses_what_does_not_fit() -> None:
    problem = make_problem([["a", "b"], ["a", "c"]], 2)
    with pytest.raises(IndexError, match="outside of its tree"):
        kernels.neighbours(problem.packed, problem.codes + 5, None, 1)
    with pytest.raises(ValueError, match="one weight per tuple"):
        kernels.neighbours(problem.packed, problem.codes, np.ones(7, dtype=np.int64), 1)
    with pytest.raises(ValueError, match="at least one neighbour"):
        kernels.neighbours(problem.packed, problem.codes, None, 0)
    with pytest.raises(IndexError, match="not the number of a tuple"):
        kernels.neighbours(problem.packed, problem.codes, None, 1, queries=np.array([9], dtype=np.int32))


def test_a_column_in_which_nobody_is_like_another_is_no_reason_to_look_at_all_pairs():
    """200,000 tuples, each with a value of its own in a flat column: seconds by the tree, minutes by all pairs."""
    import time

    from shoal.kernels.packed import pack

    n = 200_000
    parents = [np.append(np.full(n, n), n).astype(np.int32), np.append(np.full(500, 500), 500).astype(np.int32)]
    prices = [np.append(np.zeros(n), 17.0), np.append(np.zeros(500), 9.0)]
    codes = np.ascontiguousarray(np.column_stack([np.arange(n), np.arange(n) % 500]).astype(np.int32))
    start = time.process_time()
    farthest = kernels.companion_distances(pack(parents, prices), codes, None, 4)
    assert time.process_time() - start < 30
    assert (farthest == 17.0).all()


@pytest.mark.parametrize("method", ["auto", "tree", "scan"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_raised_flag_ends_every_search(method: str, threads: int) -> None:
    """On a million rows such a search took half a minute and more, and nobody could stop it."""
    problem = random_problem(np.random.default_rng(8), 500, 4, 5, values=6, measure="tree", deep=True)
    flag = kernels.Flag()
    given, how = (problem.packed, problem.codes, problem.weight, 5), {"threads": threads, "stop": flag}
    before = kernels.companion_distances(*given, method=method, **how)
    assert (before == kernels.companion_distances(*given, method=method)).all()
    flag.set()
    for search in (kernels.neighbours, kernels.companion_distances):
        with pytest.raises(InterruptedError):
            search(*given, method=method, **how)
    with pytest.raises(InterruptedError):
        kernels.covering_prices(*given, **how)
    with pytest.raises(InterruptedError):
        kernels.nearest(problem.packed, problem.codes, 5, flag)
    with pytest.raises(InterruptedError):
        kernels.can_prune(problem.packed, problem.codes, 5, np.arange(9, dtype=np.int32), flag)
