"""The walk from the most expensive tuple, against all sets of tuples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from shoal import kernels
from shoal.bounds.anchored import space_of
from shoal.bounds.dual import own_parts
from tests.naive.boxes import net_tightness
from tests.tables import random_problem


def by_all_sets(problem, prices, least, own=None):
    """Each tuple's tightest closed set of at least k rows, by closing every set of tuples."""
    found = np.full(problem.n_tuples, least)
    for size in range(1, problem.n_tuples + 1):
        for some in combinations(range(problem.n_tuples), size):
            nodes = []
            for j, column in enumerate(problem.columns):
                node = int(problem.codes[some[0], j])
                for i in some:
                    node = column.tree.join(node, int(problem.codes[i, j]))
                nodes.append(node)
            inside = [
                i
                for i in range(problem.n_tuples)
                if all(
                    c.tree.join(n, int(problem.codes[i, j])) == n
                    for j, (c, n) in enumerate(zip(problem.columns, nodes, strict=True))
                )
            ]
            if problem.weight[inside].sum() < problem.k:
                continue
            each = np.sort(np.repeat(prices[inside], problem.weight[inside]))[::-1][: problem.k].sum()
            price = sum(float(c.price[n]) for c, n in zip(problem.columns, nodes, strict=True))
            tightness = np.inf if price == 0 and each > 0 else each / (problem.k * price) if price > 0 else 0.0
            if own is not None:
                tightness = net_tightness(problem, prices.tolist(), own.tolist(), inside, price)
            if tightness >= least:
                found[inside] = np.maximum(found[inside], tightness)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_every_tuples_tightest_set_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 12, 3, int(rng.integers(2, 4)), values=3, measure="entropy", deep=True)
    prices, least = rng.random(problem.n_tuples) * 2, float(rng.choice([0.3, 0.7, 1.0]))
    walked = kernels.anchored_sets(space_of(problem), problem.codes, problem.weight, problem.k, prices, least)
    assert walked.tightness == pytest.approx(by_all_sets(problem, prices, least), rel=1e-9)
    assert walked.n_later == 0


@pytest.mark.parametrize("measure", ["non-uniform-entropy", "root-share"])
@pytest.mark.parametrize("seed", range(10))
def test_net_tightness_of_every_tuples_tightest_set(seed: int, measure: str) -> None:
    """The dearest row of a set may have no net price at all: the set is met from it nevertheless."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 10, 2, int(rng.integers(2, 4)), values=3, measure=measure, deep=True)
    found = own_parts(problem)
    own = np.zeros(problem.n_tuples) if found is None else found
    net = np.where(rng.random(problem.n_tuples) < 0.4, 0.0, rng.random(problem.n_tuples))
    least = float(rng.choice([0.3, 0.9, 1.0]))
    walked = kernels.anchored_sets(space_of(problem), problem.codes, problem.weight, problem.k, net, least, own=own)
    assert walked.tightness == pytest.approx(by_all_sets(problem, net, least, own), rel=1e-9)


def test_sets_are_listed_once_and_do_not_depend_on_the_threads() -> None:
    problem = random_problem(np.random.default_rng(1), 300, 4, 4, values=5, measure="lm")
    prices = np.full(problem.n_tuples, 1.9)
    ask = (space_of(problem), problem.codes, problem.weight, problem.k, prices, 0.9, 0.9, 0.7, 10**6, 20_000, 10**6)
    one, two = (kernels.anchored_sets(*ask, threads=n) for n in (1, 2))
    assert len(one.boxes) > 10
    for name in ("price", "tightness", "start", "tuples"):
        assert np.array_equal(getattr(one.boxes, name), getattr(two.boxes, name))
    assert np.array_equal(one.tightness, two.tightness)
    assert one.work == two.work
    listed = [tuple(one.boxes.tuples[a:b]) for a, b in zip(one.boxes.start[:-1], one.boxes.start[1:], strict=True)]
    assert len(set(zip(listed, one.boxes.price.tolist(), strict=True))) == len(listed)


def test_tuples_that_are_put_off_again_and_again_answer_as_if_they_were_not() -> None:
    problem = random_problem(np.random.default_rng(1), 300, 4, 4, values=5, measure="lm")
    ask = (
        space_of(problem),
        problem.codes,
        problem.weight,
        problem.k,
        np.full(problem.n_tuples, 1.9),
        0.9,
        0.9,
        0.7,
        10**6,
    )
    whole = kernels.anchored_sets(*ask)
    for threads in (1, 2):
        again = kernels.anchored_sets(*ask, 50, threads=threads, most_walk=2**60)
        assert again.n_later == 0
        assert (again.lowered == 1.0).all()
        assert np.array_equal(again.tightness, whole.tightness)
        assert np.array_equal(again.boxes.tuples, whole.boxes.tuples)
        assert again.work > whole.work
    cut_off = [kernels.anchored_sets(*ask, 50, 10**5, threads=threads, most_walk=whole.work // 4) for threads in (1, 2)]
    assert cut_off[0].n_later > 0
    assert cut_off[0].work == cut_off[1].work
    assert np.array_equal(cut_off[0].floor, cut_off[1].floor)
    assert np.array_equal(cut_off[0].lowered, cut_off[1].lowered)


@pytest.mark.parametrize("n_columns", [12, 13, 20])
def test_more_columns_than_the_tree_of_tuples_has(n_columns: int) -> None:
    rng = np.random.default_rng(n_columns)
    problem = random_problem(rng, 10, n_columns, 2, values=2, measure="lm")
    prices = rng.random(problem.n_tuples) * n_columns
    walked = kernels.anchored_sets(space_of(problem), problem.codes, problem.weight, problem.k, prices, 0.5)
    assert walked.tightness == pytest.approx(by_all_sets(problem, prices, 0.5), rel=1e-9)


@pytest.mark.parametrize(("prices", "codes"), [(3, 0), (4, 9)])
def test_what_does_not_fit_together_is_refused(prices: int, codes: int) -> None:
    problem = random_problem(np.random.default_rng(1), 20, 2, 2, values=2)
    bad = problem.codes.copy()
    bad[0, 0] = codes
    with pytest.raises((ValueError, IndexError)):
        kernels.anchored_sets(
            space_of(problem), bad, problem.weight, 2, np.ones(prices if prices == 3 else len(bad)), 0.9
        )


def test_a_raised_flag_ends_the_walk() -> None:
    problem = random_problem(np.random.default_rng(1), 300, 4, 4, values=5, measure="lm")
    flag, prices = kernels.Flag(), np.full(problem.n_tuples, 1.9)
    ask = (space_of(problem), problem.codes, problem.weight, problem.k, prices, 0.9, 0.9, 0.7, 10**6, 20_000, 10**6)
    assert (kernels.anchored_sets(*ask, stop=flag).tightness == kernels.anchored_sets(*ask).tightness).all()
    flag.set()
    with pytest.raises(InterruptedError):
        kernels.anchored_sets(*ask, stop=flag)
