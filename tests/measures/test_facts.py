"""What holds for all tables, and what does not (paper 002, sections 4 and 6)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.problem import quasi_identifier
from tests.measures.columns import columns, table_of
from tests.measures.test_twins import as_sets
from tests.naive import losses


def price(name: str, tree: Tree, count: np.ndarray) -> np.ndarray:
    return registry.find(measures.CATALOG, name).price(tree, count)


@pytest.mark.parametrize("name", [n for n in measures.CATALOG if n != "entropy"])
@given(column=columns())
def test_monotone(name: str, column: tuple[Tree, np.ndarray]) -> None:
    """Lemmas 4.10 and 4.12, and what is plain for the others: a superset never costs less."""
    tree, count = column
    assert registry.find(measures.CATALOG, name).monotone
    paid = price(name, tree, count)
    assert (paid <= paid[tree.parent] + 1e-9).all()


@given(st.lists(st.integers(1, 9), min_size=2, max_size=6), st.data())
def test_monotone_on_any_sets(count: list[int], data: st.DataObject) -> None:
    """The lemmas speak of any two sets, nodes or not."""
    big = data.draw(st.sets(st.integers(0, len(count) - 1), min_size=1))
    small = data.draw(st.sets(st.sampled_from(sorted(big)), min_size=1))
    tree = tree_from_rows([[str(i), "*"] for i in range(len(count))])
    for name in ("monotone-entropy", "non-uniform-entropy", "information-share", "lm", "stars", "tree"):
        a, b = registry.find(measures.CATALOG, name).set_price(tree, np.array(count), as_sets([sorted(small), sorted(big)]))
        assert a <= b + 1e-9


def test_the_smallest_case_in_which_entropy_is_not_monotone() -> None:
    tree = tree_from_rows([["0", "01", "*"], ["1", "01", "*"], ["2", "2", "*"]])
    paid = price("entropy", tree, np.array([1, 1, 7]))
    assert paid[3] == pytest.approx(1.0)
    assert paid[4] == pytest.approx(0.9864, abs=5e-5)
    column = quasi_identifier("c", tree, np.array([1, 1, 7]), registry.find(measures.CATALOG, "entropy"))
    assert column.shown.tolist() == [0, 1, 2, 4, 4]
    assert (column.price <= column.price[tree.parent]).all()


@given(columns())
def test_monotone_entropy_is_never_more_than_entropy(column: tuple[Tree, np.ndarray]) -> None:
    """The paper says that it 'penalizes more': in absolute terms it is the other way round."""
    tree, count = column
    assert (price("monotone-entropy", tree, count) <= price("entropy", tree, count) + 1e-12).all()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any))
def test_both_entropies_agree_under_suppression(count: list[int]) -> None:
    tree = tree_from_rows([[str(i), "*"] for i in range(len(count))])
    assert np.allclose(price("monotone-entropy", tree, np.array(count)), price("entropy", tree, np.array(count)))


@given(columns(), st.integers(0, 4))
def test_entropy_is_non_uniform_entropy_on_a_partition(column: tuple[Tree, np.ndarray], level: int) -> None:
    """Lemma 4.13: where the sets of a column are equal or disjoint, the two totals are the same."""
    tree, count = column
    cut = tree.cut(level)
    bits = price("entropy", tree, count)[cut] @ count
    other = registry.find(measures.CATALOG, "non-uniform-entropy")
    assert bits == pytest.approx((other.price(tree, count)[cut] - other.offset(tree, count)) @ count, abs=1e-9)
    table = table_of(count)
    release = [frozenset(tree.leaves_below(int(cut[v])).tolist()) for v in table]
    assert bits == pytest.approx(losses.total("non-uniform-entropy", table, range(tree.n_leaves), release), abs=1e-9)


@pytest.mark.parametrize("name", ["stars", "tree", "lm", "monotone-entropy"])
@given(column=columns(), data=st.data())
def test_sub_additive_on_sets_that_meet(name: str, column: tuple[Tree, np.ndarray], data: st.DataObject) -> None:
    """Lemma 6.3: on a tree, the closure of two groups that share a row costs no more than both."""
    tree, count = column
    leaves = st.sets(st.integers(0, tree.n_leaves - 1), min_size=1)
    one, two = data.draw(leaves), data.draw(leaves)
    paid = price(name, tree, count)

    def closure(group: set[int]) -> int:
        node = min(group)
        for leaf in group:
            node = tree.join(node, leaf)
        return node

    if one & two:
        assert paid[closure(one | two)] <= paid[closure(one)] + paid[closure(two)] + 1e-9


def test_not_sub_additive_for_any_subset() -> None:
    """Lemma 6.3 is false for all subsets: joining two overlapping sets may cost more than both."""
    tree = tree_from_rows([[str(i), "*"] for i in range(3)])
    count = np.array([10, 1, 10])
    one, two, both = registry.find(measures.CATALOG, "monotone-entropy").set_price(tree, count, as_sets([[0, 1], [1, 2], [0, 1, 2]]))
    assert both > one + two


@pytest.mark.parametrize("name", list(measures.CATALOG))
@given(column=columns())
def test_a_cell_that_shows_its_value_costs_nothing(name: str, column: tuple[Tree, np.ndarray]) -> None:
    tree, count = column
    measure = registry.find(measures.CATALOG, name)
    offset = measure.offset(tree, count) if measure.offset else np.zeros(tree.n_leaves)
    assert np.allclose(measure.price(tree, count)[: tree.n_leaves] - offset, 0.0, atol=1e-12)


@pytest.mark.parametrize("name", ["non-uniform-entropy", "information-share"])
@given(column=columns(), data=st.data())
def test_joining_two_groups_that_share_a_row(name: str, column: tuple[Tree, np.ndarray], data: st.DataObject) -> None:
    """What the factor of docs/guarantees.md rests on: a row pays at most what it paid, and what the shared row pays in the other group."""
    tree, count = column
    measure = registry.find(measures.CATALOG, name)
    there = [leaf for leaf in range(tree.n_leaves) if count[leaf]]
    leaves = st.sets(st.sampled_from(there), min_size=1)
    one, two = data.draw(leaves), data.draw(leaves)
    paid, offset = measure.price(tree, count), measure.offset(tree, count)

    def pays(leaf: int, group: set[int]) -> float:
        node = min(group)
        for other in group:
            node = tree.join(node, other)
        return float(paid[node] - offset[leaf])

    for shared in one & two:
        for leaf in one:
            assert -1e-9 <= pays(leaf, one | two) <= pays(leaf, one) + pays(shared, two) + 1e-9


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(lambda c: sum(x > 0 for x in c) > 1))
def test_a_column_suppressed_whole_costs_one_a_cell(count: list[int]) -> None:
    """Whatever its values are: so columns weigh alike."""
    tree = tree_from_rows([[str(i), "*"] for i in range(len(count))])
    measure = registry.find(measures.CATALOG, "information-share")
    n = np.array(count)
    total = (measure.price(tree, n)[tree.root] - measure.offset(tree, n)) @ n
    assert total == pytest.approx(n.sum())


def test_values_that_do_not_occur_have_no_bits_but_count_for_lm() -> None:
    tree = tree_from_rows([["0", "*"], ["1", "*"], ["2", "*"]])
    count = np.array([5, 0, 0])
    assert price("entropy", tree, count)[tree.root] == 0.0
    assert price("lm", tree, count)[tree.root] == 1.0


def test_a_domain_of_one_value_costs_nothing() -> None:
    """A suppressed cell is then the same set as the cell itself."""
    tree = tree_from_rows([["0", "*"]])
    for name in measures.CATALOG:
        measure = registry.find(measures.CATALOG, name)
        offset = measure.offset(tree, np.array([4])) if measure.offset else 0.0
        assert (measure.price(tree, np.array([4])) - offset).tolist() == [0.0]
