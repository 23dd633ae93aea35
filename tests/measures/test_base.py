"""What holds of every measure, as it declares, and on every table (paper 002, sections 4 and 6)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from tests.measures.columns import as_sets, columns, price


@pytest.mark.parametrize("name", [n for n in measures.CATALOG if n != "entropy"])
@given(column=columns())
def test_a_superset_never_costs_less_where_a_measure_says_so(name: str, column: tuple[Tree, np.ndarray]) -> None:
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
    for name in set(registry.names(measures.CATALOG)) - {"entropy"}:
        a, b = registry.find(measures.CATALOG, name).set_price(
            tree, np.array(count), as_sets([sorted(small), sorted(big)])
        )
        assert a <= b + 1e-9


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


@pytest.mark.parametrize("name", list(measures.CATALOG))
@given(column=columns())
def test_a_cell_that_shows_its_value_costs_nothing(name: str, column: tuple[Tree, np.ndarray]) -> None:
    tree, count = column
    measure = registry.find(measures.CATALOG, name)
    offset = measure.offset(tree, count) if measure.offset else np.zeros(tree.n_leaves)
    assert np.allclose(measure.price(tree, count)[: tree.n_leaves] - offset, 0.0, atol=1e-12)


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
