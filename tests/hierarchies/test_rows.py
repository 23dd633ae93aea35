"""Rows in ARX's form, and the trees they make."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import HierarchyError
from shoal.hierarchies.rows import check_rows, rows_of, tree_from_rows
from tests.measures.columns import random_rows
from tests.naive.hierarchies import check_tree, nodes_of_rows, nodes_of_tree


@given(st.integers(0, 10**9), st.integers(1, 12), st.integers(1, 5))
def test_the_nodes_are_the_sets_of_the_labels(seed: int, n_leaves: int, height: int) -> None:
    rows = random_rows(random.Random(seed), n_leaves, height)
    tree = tree_from_rows(rows)
    check_tree(tree)
    assert nodes_of_tree(tree) == nodes_of_rows(rows)
    assert tree.height == height


@given(st.integers(0, 10**9), st.integers(1, 12), st.integers(1, 5), st.booleans())
def test_rows_read_back_are_the_same_tree(seed: int, n_leaves: int, height: int, missing: bool) -> None:
    tree = tree_from_rows(random_rows(random.Random(seed), n_leaves, height), missing=missing)
    again = tree_from_rows(rows_of(tree))
    assert again.parent.tolist() == tree.parent.tolist()
    assert again.level.tolist() == tree.level.tolist()
    assert again.height == tree.height
    assert again.labels == tuple("" if label is None else label for label in tree.labels)


def test_a_missing_leaf_hangs_on_the_root() -> None:
    tree = tree_from_rows([["a", "x", "*"], ["b", "x", "*"]], missing=True)
    assert tree.labels == ("a", "b", None, "x", "*")
    assert tree.parent.tolist() == [3, 3, 4, 4, 4]
    check_tree(tree)


def test_a_set_repeated_on_several_levels_is_one_node_on_the_lowest() -> None:
    tree = tree_from_rows([["a", "x", "y", "*"], ["b", "x", "y", "*"], ["c", "z", "z", "*"]])
    assert tree.labels == ("a", "b", "c", "x", "*")
    assert tree.level.tolist() == [0, 0, 0, 1, 3]
    assert tree.height == 3


def test_several_labels_on_the_last_level_get_a_root() -> None:
    tree = tree_from_rows([["a", "x"], ["b", "x"], ["c", "y"]])
    assert tree.labels == ("a", "b", "c", "x", "*")
    assert tree.height == 2


def test_values_alone_are_suppression() -> None:
    tree = tree_from_rows([["a"], ["b"]])
    assert (tree.labels, tree.height) == (("a", "b", "*"), 1)


def test_the_root_is_called_what_the_rows_call_it() -> None:
    assert tree_from_rows([["a", "everything"], ["b", "everything"]]).labels[-1] == "everything"


def test_a_star_before_the_last_level_says_that_there_is_nothing_before_the_root() -> None:
    tree = tree_from_rows([["a", "x", "*"], ["b", "x", "*"], ["c", "*", "*"], ["d", "*", "*"]])
    assert tree.labels == ("a", "b", "c", "d", "x", "*")
    assert tree.parent.tolist() == [4, 4, 5, 5, 5, 5]


def test_one_value_is_its_own_root() -> None:
    tree = tree_from_rows([["a", "*"]])
    assert (tree.n_nodes, tree.labels) == (1, ("a",))
    check_tree(tree)


class TestRefused:
    def test_no_rows_are_refused(self) -> None:
        with pytest.raises(HierarchyError, match="empty"):
            tree_from_rows([])

    def test_rows_of_unequal_length_are_refused(self) -> None:
        with pytest.raises(HierarchyError, match=r"2 of 3 rows do not have the 3 fields .*rows 2, 3"):
            tree_from_rows([["a", "x", "*"], ["b", "*"], ["c"]])

    def test_a_value_that_is_listed_twice_is_refused(self) -> None:
        with pytest.raises(HierarchyError, match=r"A value is listed twice \(lines 4 and 9\)"):
            check_rows([["a", "*"], ["b", "*"], ["a", "*"]], lines=[4, 7, 9])

    def test_a_label_with_two_parents_is_refused(self) -> None:
        rows = [["a", "x", "p", "*"], ["b", "y", "p", "*"], ["c", "x", "q", "*"]]
        with pytest.raises(
            HierarchyError, match=r"'x' on level 1 has two parents on level 2: '.' \(row \d\) and '.' \(row \d\)"
        ):
            tree_from_rows(rows)

    @given(st.integers(0, 10**9), st.integers(3, 8))
    def test_two_parents_are_always_found(self, seed: int, n_leaves: int) -> None:
        rng = random.Random(seed)
        rows = [[str(i), f"a{rng.randrange(3)}", f"b{rng.randrange(3)}", "*"] for i in range(n_leaves)]
        parents = {row[1]: {other[2] for other in rows if other[1] == row[1]} for row in rows}
        if all(len(above) == 1 for above in parents.values()):
            check_tree(tree_from_rows(rows))
        else:
            with pytest.raises(HierarchyError, match="two parents"):
                tree_from_rows(rows)


def test_a_hundred_thousand_rows_are_quick() -> None:
    rows = [[str(i), str(i // 100), str(i // 10_000), "*"] for i in range(100_000)]
    tree = tree_from_rows(rows)
    assert tree.n_nodes == 100_000 + 1000 + 10 + 1
    assert (np.bincount(tree.parent)[100_000:101_000] == 100).all()
