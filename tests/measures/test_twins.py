"""Each measure against its slow twin, on random trees and tables."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.judge.measures.base import definition_of
from shoal.judge.measures.exact import Known, bits_of
from shoal.problem import quasi_identifier
from tests.measures.columns import as_sets, columns, find, table_of
from tests.naive import losses

CELLS = sorted(losses.LOSSES)


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
            assert paid - offset[leaf] == pytest.approx(
                losses.LOSSES[name](table, whole, leaf, frozenset(members)), abs=1e-9
            )


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


@pytest.mark.parametrize("name", registry.names(measures.CATALOG))
@given(column=columns())
def test_the_checkers_price_is_the_price_and_never_above_it(name: str, column: tuple[Tree, np.ndarray]) -> None:
    """Every measure says in fractions what its nodes cost, or says nothing and has no proofs."""
    tree, count = column
    measure, second = find(name), definition_of(name)
    assert second.has_proofs
    price = measure.price(tree, count)
    ends = tree.bounds
    for node in range(tree.n_nodes):
        share = None
        if ends is not None and np.isfinite(ends[[node, tree.root]]).all():
            whole = Fraction(float(ends[tree.root, 1])) - Fraction(float(ends[tree.root, 0]))
            share = (Fraction(float(ends[node, 1])) - Fraction(float(ends[node, 0]))) / whole if whole else Fraction(0)
        below = count[tree.leaves_below(node)]
        known = Known(below, int(count.sum()), tree.n_leaves, int(tree.level[node]), tree.height, share, bits_of(count))
        assert float(second.floor(known)) == pytest.approx(price[node], rel=1e-12, abs=1e-13)
        assert float(second.floor(known)) <= price[node] + 1e-13
