"""Gionis and Tassa, k-anonymization with minimal loss of information: examples 3.4 to 4.9, tables 1 and 2, equations 7 and 8.

The text of each example says what the paper prints; where the print is wrong, the test says so.
"""

from __future__ import annotations

from collections import Counter
from math import log2

import numpy as np
import pytest

from shoal import measures, registry
from shoal.hierarchies import any_interval, any_subset, intervals, laminar, levels, suppression
from shoal.hierarchies.encode import encode
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.measures.base import Sets
from tests.naive import losses


def h(*chances: float) -> float:
    """The entropy of a distribution."""
    return -sum(p * log2(p) for p in chances)


def loss(name: str, tree: Tree, count: np.ndarray, leaf: int, node: int) -> float:
    measure = registry.find(measures.CATALOG, name)
    offset = measure.offset(tree, count)[leaf] if measure.offset else 0.0
    return float(measure.price(tree, count)[node] - offset)


def path(tree: Tree, leaf: int) -> list[str | None]:
    """The labels from a leaf to the root."""
    node, labels = leaf, [tree.labels[leaf]]
    while node != tree.root:
        node = int(tree.parent[node])
        labels.append(tree.labels[node])
    return labels


class TestExample3_4:
    """The ages 1 to 120: any subset, suppression, a tree of three levels, any interval."""

    ages = tuple(str(i) for i in range(1, 121))

    def test_suppression_leaves_27_or_suppresses_it(self) -> None:
        tree = encode("age", sorted(self.ages), False, suppression()).tree
        assert path(tree, tree.labels.index("27")) == ["27", "*"]

    def test_the_balanced_tree_of_three_levels(self) -> None:
        rows = [[a, f"{10 * ((int(a) - 1) // 10) + 1}..{10 * ((int(a) - 1) // 10) + 10}", "*"] for a in self.ages]
        tree = encode("age", sorted(self.ages), False, levels(rows)).tree
        assert path(tree, tree.labels.index("27")) == ["27", "21..30", "*"]
        assert tree.n_nodes == 120 + 12 + 1
        assert tree.height == 2
        assert set(tree.leaves_below(tree.labels.index("21..30")).tolist()) == set(range(20, 30))

    def test_our_intervals_begin_at_multiples_of_the_width(self) -> None:
        tree = encode("age", sorted(self.ages), False, intervals(10)).tree
        assert path(tree, tree.labels.index("27")) == ["27", "[20, 30)", "*"]

    def test_intervals_and_subsets_that_follow_the_groups_are_not_proper(self) -> None:
        assert encode("age", sorted(self.ages), False, any_interval()).free == "interval"
        assert encode("age", sorted(self.ages), False, any_subset()).free == "subset"

    def test_a_proper_collection_need_not_be_balanced(self) -> None:
        tree = encode("age", sorted(self.ages), False, laminar([{"1", "2"}, {"1", "2", "3"}])).tree
        assert path(tree, tree.labels.index("1")) == ["1", "{1, 2}", "{1, 2, 3}", "*"]
        assert path(tree, tree.labels.index("4")) == ["4", "*"]


def test_example_4_2() -> None:
    """The paper says that entropy prefers hiding the gender. On its table both columns have one bit: they tie at 4."""
    for column in (["M", "M", "F", "F"], ["41278", "98705", "41278", "98705"]):
        tree = tree_from_rows([[v, "*"] for v in sorted(set(column))])
        count = np.array([2, 2])
        assert 4 * loss("entropy", tree, count, 0, tree.root) == pytest.approx(4.0)
        assert losses.total("entropy", column, set(column), [set(column)] * 4) == pytest.approx(4.0)
        assert 4 * loss("tree", tree, count, 0, tree.root) == 4.0


def test_example_4_3() -> None:
    """Education, evenly spread, costs about log 3; engineering, nearly all of one kind, nearly nothing; the tree measure sees no difference."""
    rows = [[v, "education", "*"] for v in ("kindergarten", "school", "university")]
    rows += [[v, "engineering", "*"] for v in ("electrical", "mechanical", "civil")]
    tree, count = tree_from_rows(rows), np.array([100, 100, 100, 1000, 2, 2])
    education, engineering = tree.labels.index("education"), tree.labels.index("engineering")
    assert loss("entropy", tree, count, 0, education) == pytest.approx(log2(3))
    assert loss("entropy", tree, count, 3, engineering) < 0.05
    assert loss("tree", tree, count, 0, education) == loss("tree", tree, count, 3, engineering) == 0.5


def after_comparing(column: list[str], kept: list[str]) -> float:
    """The bits that are really unknown: what was suppressed is the table less what is still to be seen, in any order."""
    hidden = Counter(column) - Counter(kept)
    n = hidden.total()
    return n * h(*(c / n for c in hidden.values()))


@pytest.mark.parametrize(
    ("column", "kept", "measured", "real"),
    [
        pytest.param(["1", "2", "3", "3"], ["3", "3"], 3.0, 2.0, id="example 4.4: more than is lost"),
        pytest.param(["1", "2", *["3"] * 6], ["3"] * 5, 3.183, 4.755, id="example 4.5: less than is lost"),
    ],
)
def test_examples_4_4_and_4_5(column: list[str], kept: list[str], measured: float, real: float) -> None:
    """The measure speaks of the column alone; who compares the release with the table may know more, or less."""
    values = sorted(set(column))
    tree, count = tree_from_rows([[v, "*"] for v in values]), np.array([column.count(v) for v in values])
    n_starred = len(column) - len(kept)
    assert n_starred * loss("entropy", tree, count, 0, tree.root) == pytest.approx(measured, abs=1e-3)
    release = [set(values)] * n_starred + [{v} for v in kept]
    assert losses.total("entropy", column, set(values), release) == pytest.approx(measured, abs=1e-3)
    assert after_comparing(column, kept) == pytest.approx(real, abs=1e-3)


N = 10_000
"""Rows of the example in which ε = 1/100."""
EPSILON = 0.01
COUNT = np.array([9_700, 100, 100, 100])


def tree_of_example_4_7() -> Tree:
    return tree_from_rows([["1", "12", "*"], ["2", "12", "*"], ["3", "34", "*"], ["4", "34", "*"]])


def test_example_4_7() -> None:
    """4 shown as {3, 4} costs a whole bit, suppressed next to nothing."""
    tree = tree_of_example_4_7()
    assert loss("entropy", tree, COUNT, 3, tree.labels.index("34")) == pytest.approx(1.0)
    assert loss("entropy", tree, COUNT, 3, tree.root) == pytest.approx(h(0.97, 0.01, 0.01, 0.01))
    assert loss("entropy", tree, COUNT, 3, tree.root) < 0.25


@pytest.mark.parametrize(("b", "m"), [(1, 8), (2, 8), (3, 7), (8, 8)])
def test_example_4_9(b: int, m: int) -> None:
    """Uniform values: log b for entropy, b/m of that for monotone entropy."""
    tree = tree_from_rows([[str(i), "*"] for i in range(m)])
    count, shown = np.full(m, 3), Sets(np.array([0, b]), np.arange(b, dtype=np.int32))
    found = {name: registry.find(measures.CATALOG, name).set_price(tree, count, shown)[0] for name in measures.CATALOG}
    assert found["entropy"] == pytest.approx(log2(b))
    assert found["monotone-entropy"] == pytest.approx(b / m * log2(b))


E = EPSILON
PAIR = h((1 - 3 * E) / (1 - 2 * E), E / (1 - 2 * E))
TABLE_1 = {
    1: (PAIR, (1 - 2 * E) * PAIR, -log2((1 - 3 * E) / (1 - 2 * E))),
    2: (PAIR, (1 - 2 * E) * PAIR, -log2(E / (1 - 2 * E))),
    3: (1.0, 2 * E, 1.0),
    4: (1.0, 2 * E, 1.0),
}
WHOLE = h(1 - 3 * E, E, E, E)
TABLE_2 = {1: (WHOLE, WHOLE, -log2(1 - 3 * E)), **{v: (WHOLE, WHOLE, log2(1 / E)) for v in (2, 3, 4)}}
THREE = ("entropy", "monotone-entropy", "non-uniform-entropy")


@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_table_1(value: int) -> None:
    """Partial generalization."""
    tree = tree_of_example_4_7()
    node = int(tree.parent[value - 1])
    assert [loss(name, tree, COUNT, value - 1, node) for name in THREE] == pytest.approx(list(TABLE_1[value]))


@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_table_2(value: int) -> None:
    """Generalization by suppression."""
    tree = tree_of_example_4_7()
    assert [loss(name, tree, COUNT, value - 1, tree.root) for name in THREE] == pytest.approx(list(TABLE_2[value]))


def test_the_tables_show_which_measures_are_monotone() -> None:
    for value in TABLE_1:
        assert TABLE_1[value][1] <= TABLE_2[value][1]
        assert TABLE_1[value][2] <= TABLE_2[value][2]
    assert TABLE_1[3][0] > TABLE_2[3][0]


def total(name: str, of_value: dict[int, int]) -> float:
    tree = tree_of_example_4_7()
    return sum(int(COUNT[v - 1]) * loss(name, tree, COUNT, v - 1, node) for v, node in of_value.items())


def test_equations_7_and_8() -> None:
    """All cells generalized partially: both totals are the same."""
    partly = {v: int(tree_of_example_4_7().parent[v - 1]) for v in (1, 2, 3, 4)}
    seven = N * ((1 - 2 * E) * PAIR + 2 * E)
    eight = N * ((1 - 3 * E) * log2((1 - 2 * E) / (1 - 3 * E)) + E * log2((1 - 2 * E) / E) + 2 * E)
    assert total("entropy", partly) == pytest.approx(seven)
    assert total("non-uniform-entropy", partly) == pytest.approx(eight)
    assert seven == pytest.approx(eight)


def test_the_coincidence_occurs_under_suppression_too() -> None:
    all_starred = dict.fromkeys((1, 2, 3, 4), tree_of_example_4_7().root)
    assert total("entropy", all_starred) == pytest.approx(total("non-uniform-entropy", all_starred))


def test_the_two_may_differ_where_sets_overlap() -> None:
    """Below lemma 4.13: some cells of a column suppressed, some not."""
    one_starred = {1: 0, 2: 1, 3: 2, 4: tree_of_example_4_7().root}
    assert total("entropy", one_starred) != pytest.approx(total("non-uniform-entropy", one_starred))


def test_closures_are_not_optimal_where_entropy_is_not_monotone() -> None:
    """Ten times 1, a 3 and a 4, k = 2, with the set {3, 4}: showing the pair costs 2 bits, showing all of the domain less."""
    tree = tree_from_rows([["1", "1", "*"], ["3", "34", "*"], ["4", "34", "*"]])
    count = np.array([10, 1, 1])
    assert 2 * loss("entropy", tree, count, 1, tree.labels.index("34")) == pytest.approx(2.0)
    assert 2 * loss("entropy", tree, count, 1, tree.root) == pytest.approx(1.633, abs=1e-3)
