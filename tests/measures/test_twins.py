"""Each measure against its slow twin, on random trees and tables."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.hierarchies import Spec, any_interval, any_subset, intervals
from shoal.hierarchies.encode import encode
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.measures.base import Sets
from shoal.measures.exact import Known, bits_of, log_above, log_below
from shoal.measures.tree import smallest_nodes
from shoal.problem import quasi_identifier
from tests.measures.columns import columns, table_of
from tests.naive import losses

CELLS = sorted(losses.LOSSES)


def find(name: str):
    return registry.find({**measures.CATALOG, **measures.REPORTED}, name)


def as_sets(sets: list[list[int]]) -> Sets:
    lengths = [len(s) for s in sets]
    return Sets(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), np.array([v for s in sets for v in s], dtype=np.int32))


@pytest.mark.parametrize("name", CELLS)
@given(column=columns())
def test_the_price_of_a_node_is_its_loss(name: str, column: tuple[Tree, np.ndarray]) -> None:
    tree, count = column
    measure, table, whole = find(name), table_of(count), range(tree.n_leaves)
    price = measure.price(tree, count)
    offset = measure.offset(tree, count) if measure.offset else np.zeros(tree.n_leaves)
    for node in range(tree.n_nodes):
        shown = frozenset(tree.leaves_below(node).tolist())
        for leaf in shown & set(table):
            assert price[node] - offset[leaf] == pytest.approx(losses.LOSSES[name](table, whole, leaf, shown), abs=1e-9)


@pytest.mark.parametrize("name", CELLS)
@given(column=columns(), data=st.data())
def test_the_price_of_a_set_is_its_loss(name: str, column: tuple[Tree, np.ndarray], data: st.DataObject) -> None:
    tree, count = column
    leaves = st.sets(st.integers(0, tree.n_leaves - 1), min_size=1).map(sorted)
    sets = data.draw(st.lists(leaves, max_size=5))
    measure, table, whole = find(name), table_of(count), range(tree.n_leaves)
    price = measure.set_price(tree, count, as_sets(sets))
    offset = measure.offset(tree, count) if measure.offset else np.zeros(tree.n_leaves)
    assert len(price) == len(sets)
    for paid, members in zip(price, sets, strict=True):
        for leaf in set(members) & set(table):
            assert paid - offset[leaf] == pytest.approx(losses.LOSSES[name](table, whole, leaf, frozenset(members)), abs=1e-9)


@given(column=columns())
def test_the_tree_measure_is_the_lowest_level_over_the_height(column: tuple[Tree, np.ndarray]) -> None:
    tree, count = column
    every = [list(s) for n in range(1, tree.n_leaves + 1) for s in combinations(range(tree.n_leaves), n)]
    blocks = {v: set(tree.leaves_below(v).tolist()) for v in range(tree.n_nodes)}
    smallest = [min((v for v, leaves in blocks.items() if set(s) <= leaves), key=lambda v: len(blocks[v])) for s in every]
    assert smallest_nodes(tree, as_sets(every)).tolist() == smallest
    paid = find("tree").set_price(tree, count, as_sets(every))
    assert paid.tolist() == [tree.level[v] / tree.height for v in smallest]
    assert find("tree").price(tree, count).tolist() == [level / tree.height for level in tree.level.tolist()]


@pytest.mark.parametrize("name", [*CELLS, "tree"])
@given(column=columns(), weight=st.sampled_from([0.5, 1.0, 2.0, 3.0]))
def test_a_column_s_weight_multiplies_its_prices(name: str, column: tuple[Tree, np.ndarray], weight: float) -> None:
    tree, count = column
    plain, heavy = (quasi_identifier("c", tree, count, find(name), w) for w in (1.0, weight))
    assert np.allclose(heavy.price, weight * plain.price)
    assert np.allclose(heavy.offset, weight * plain.offset)
    assert (heavy.shown == plain.shown).all()


def test_no_sets_cost_nothing() -> None:
    tree = tree_from_rows([["a", "*"], ["b", "*"]])
    for name in [*CELLS, "tree"]:
        assert find(name).set_price(tree, np.array([1, 2]), as_sets([])).tolist() == []


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6), st.integers(0, 4))
def test_measures_of_group_sizes(sizes: list[int], n_withheld: int) -> None:
    release = [group for group, size in enumerate(sizes) for _ in range(size)]
    n_rows = len(release) + n_withheld
    counted = np.array(sizes, dtype=np.int64)
    assert find("discernibility").total(counted, n_withheld, n_rows) == losses.discernibility(release, n_rows)
    assert find("average-class-size").total(counted, n_withheld, n_rows) == pytest.approx(float(losses.average_class_size(release)))


def test_an_empty_release_has_no_class_size() -> None:
    assert find("average-class-size").total(np.zeros(0, dtype=np.int64), 3, 3) == 0.0


class TestWidths:
    """For numbers, LM is the width of the interval over that of the domain."""

    def test_by_hand(self) -> None:
        encoded = encode("age", ["17", "20", "29", "35", "90"], True, intervals(10, 20))
        price = dict(zip(encoded.tree.labels, find("lm").price(encoded.tree, np.ones(6, dtype=np.int64)).tolist(), strict=True))
        assert price == {
            **dict.fromkeys(["17", "20", "29", "35", "90", None], 0.0),
            "[20, 30)": pytest.approx(10 / 73),
            "[20, 40)": pytest.approx(20 / 73),
            "*": 1.0,
        }

    def test_an_interval_is_clipped_to_the_domain(self) -> None:
        encoded = encode("age", ["17", "19", "90"], False, intervals(10))
        price = find("lm").price(encoded.tree, np.ones(3, dtype=np.int64))
        assert price[encoded.tree.labels.index("[10, 20)")] == pytest.approx(3 / 73)

    def test_a_set_s_width_is_that_of_its_span(self) -> None:
        encoded = encode("age", ["17", "20", "29", "35", "90"], True, intervals(10, 20))
        sets = as_sets([[0], [1, 3], [0, 1, 2, 3, 4, 5], [5], [0, 5]])
        paid = find("lm").set_price(encoded.tree, np.ones(6, dtype=np.int64), sets).tolist()
        assert paid == pytest.approx([0.0, 15 / 73, 1.0, 0.0, 1 / 5])

    def test_equal_numbers_written_differently_have_no_width(self) -> None:
        encoded = encode("x", ["1", "1.0"], False, intervals(10))
        assert find("lm").price(encoded.tree, np.ones(2, dtype=np.int64)).tolist() == [0.0, 0.0, 0.0]

    @given(st.lists(st.integers(-200, 200), min_size=1, max_size=12, unique=True), st.booleans(), st.integers(0, 10**6))
    def test_never_falls_towards_the_root(self, numbers: list[int], has_missing: bool, seed: int) -> None:
        step = random.Random(seed).choice([1, 2, 5, 10])
        encoded = encode("x", sorted(map(str, numbers)), has_missing, intervals(step, 2 * step, 10 * step))
        price = find("lm").price(encoded.tree, np.ones(encoded.tree.n_leaves, dtype=np.int64))
        assert (price <= price[encoded.tree.parent] + 1e-12).all()
        assert price[encoded.tree.root] in (0.0, 1.0)


@pytest.mark.parametrize("spec", [any_interval(), any_subset()], ids=lambda spec: spec.name)
def test_without_a_hierarchy_the_tree_measure_counts_stars(spec: Spec) -> None:
    """The tree of a free column only guides the search: a pair that it has as a node costs no less than one it has not."""
    tree = encode("x", [str(i) for i in range(8)], False, spec).tree
    assert tree.n_nodes > 9
    count = np.ones(8, dtype=np.int64)
    assert find("tree").price(tree, count).tolist() == [0.0] * 8 + [1.0] * (tree.n_nodes - 8)
    assert find("tree").set_price(tree, count, as_sets([[0], [0, 1], [0, 7]])).tolist() == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("name", registry.names(measures.CATALOG))
@given(column=columns())
def test_the_checkers_price_is_the_price_and_never_above_it(name: str, column: tuple[Tree, np.ndarray]) -> None:
    """H1: every measure says in fractions what its nodes cost, or says nothing and has no proofs."""
    tree, count = column
    measure = find(name)
    assert measure.has_proofs
    price = measure.price(tree, count)
    ends = tree.bounds
    for node in range(tree.n_nodes):
        share = None
        if ends is not None and np.isfinite(ends[[node, tree.root]]).all():
            whole = Fraction(float(ends[tree.root, 1])) - Fraction(float(ends[tree.root, 0]))
            share = (Fraction(float(ends[node, 1])) - Fraction(float(ends[node, 0]))) / whole if whole else Fraction(0)
        below = count[tree.leaves_below(node)]
        known = Known(below, int(count.sum()), tree.n_leaves, int(tree.level[node]), tree.height, share, bits_of(count))
        assert float(measure.floor(known)) == pytest.approx(price[node], rel=1e-12, abs=1e-13)
        assert float(measure.floor(known)) <= price[node] + 1e-13


def test_logarithms_lie_between_their_fractions() -> None:
    for n in [1, 2, 3, 5, 1023, 1024, 1025, 10**6 + 3, 2**40 + 1]:
        low, high = log_below(n), log_above(n)
        assert high - low <= Fraction(3, 2**64)
        scale = 64  # 2^(64 low) <= n^64 <= 2^(64 high), in whole numbers
        assert 2 ** (low * scale).__floor__() <= n**scale <= 2 ** (high * scale).__ceil__()
