"""Make-monotone, in the corrected form; and what is wrong with the printed one."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.hierarchies.monotone import make_monotone, violations
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.measures.entropy import ENTROPY
from tests.measures.columns import columns
from tests.naive import monotone as naive
from tests.naive.hierarchies import check_tree, is_laminar


def sets(tree: Tree) -> set[frozenset[int]]:
    return {frozenset(tree.leaves_below(v).tolist()) for v in range(tree.n_nodes)}


def proper(collection: set[frozenset[int]], n_leaves: int) -> bool:
    """Definition 3.2: every single value, the whole domain, and no two that cross."""
    singles = {frozenset([v]) for v in range(n_leaves)}
    return singles <= collection and frozenset(range(n_leaves)) in collection and is_laminar(list(collection))


@given(columns(most_leaves=9))
def test_the_result_is_proper_monotone_and_a_part_of_the_tree(column: tuple[Tree, np.ndarray]) -> None:
    tree, count = column
    made = make_monotone(tree, ENTROPY.price(tree, count))
    check_tree(made)
    assert proper(sets(made), tree.n_leaves)
    assert sets(made) <= sets(tree)
    assert not len(violations(made, ENTROPY.price(made, count)))
    assert made.height == tree.height


@given(columns(most_leaves=9), st.integers(0, 10**6))
def test_it_is_what_repairing_violations_in_any_order_gives(column: tuple[Tree, np.ndarray], seed: int) -> None:
    tree, count = column
    count = count + 1  # the twin divides by the count of a set
    made = make_monotone(tree, ENTROPY.price(tree, count))
    assert sets(made) == naive.repaired(sets(tree), count.tolist(), random.Random(seed))


def test_what_the_printed_form_does_to_the_smallest_case() -> None:
    """Counts 1, 1, 50 with {0, 1}: its only sibling is the leaf {2}, which the printed form removes."""
    tree = tree_from_rows([["0", "01", "*"], ["1", "01", "*"], ["2", "2", "*"]])
    count = [1, 1, 50]
    broken = naive.printed(sets(tree), count)
    assert frozenset([2]) not in broken
    assert not proper(broken, 3)
    made = make_monotone(tree, ENTROPY.price(tree, np.array(count)))
    assert sets(made) == {frozenset([0]), frozenset([1]), frozenset([2]), frozenset([0, 1, 2])}


def test_the_printed_form_makes_sets_that_nobody_allowed() -> None:
    """Counts 1, 1, 90, 10: {0, 1} is united with the first of its two siblings."""
    tree, count = tree_from_rows([["0", "01", "*"], ["1", "01", "*"], ["2", "2", "*"], ["3", "3", "*"]]), [1, 1, 90, 10]
    assert frozenset([0, 1, 2]) in naive.printed(sets(tree), count) - sets(tree)
    assert sets(make_monotone(tree, ENTROPY.price(tree, np.array(count)))) <= sets(tree)


def test_a_monotone_tree_stays() -> None:
    tree = tree_from_rows([["0", "01", "*"], ["1", "01", "*"], ["2", "23", "*"], ["3", "23", "*"]])
    made = make_monotone(tree, ENTROPY.price(tree, np.array([5, 5, 5, 5])))
    assert sets(made) == sets(tree)


def test_bounds_and_labels_go_with_their_nodes() -> None:
    tree = tree_from_rows([["0", "01", "*"], ["1", "01", "*"], ["2", "2", "*"]])
    numbered = Tree(
        tree.parent,
        tree.level,
        tree.height,
        tree.labels,
        tree.n_leaves,
        np.array([[0, 0], [1, 1], [2, 2], [0, 1], [0, 2.0]]),
    )
    made = make_monotone(numbered, ENTROPY.price(tree, np.array([1, 1, 50])))
    assert made.labels == ("0", "1", "2", "*")
    assert made.bounds.tolist() == [[0, 0], [1, 1], [2, 2], [0, 2]]


@pytest.mark.parametrize("sizes", [(2, 4), (3, 6)])
def test_violations_are_not_as_rare_as_the_paper_says(sizes: tuple[int, int]) -> None:
    """Section 4.2.2 speaks of less than one in 100,000; for small sets it is some in a thousand."""
    small, big = sizes
    rng = np.random.default_rng(5)
    chances = rng.dirichlet(np.ones(big), size=20_000)
    bits = -(chances * np.log2(chances)).sum(axis=1)
    inside = chances[:, :small] / chances[:, :small].sum(axis=1, keepdims=True)
    share = float((-(inside * np.log2(inside)).sum(axis=1) > bits).mean())
    assert 1e-3 < share < 1e-2
